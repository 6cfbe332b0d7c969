"""A game written in Python, solved by meetjoin and by the same search written in Python: the same visits, how much faster?

Usage: python own_game.py [repetitions]. Each search runs alternately on both sides, in processor time; the table has medians. "bound" is what nothing
could pass that asks `kind`, `children` and `leaf` once of each position that the search looks at: the time of the Python search over that of these calls alone.
"""

from __future__ import annotations

import sys
from statistics import median
from time import process_time
from typing import Any, Callable, FrozenSet, Iterable

import meetjoin


class Heaps(meetjoin.Game):
    """Nim in sorted tuples: most of the time goes into the rules."""

    def __init__(self, *heaps: int) -> None:
        self.heaps = tuple(sorted(heaps))

    def root(self) -> Any:
        return (self.heaps, "or")

    def kind(self, node: Any) -> str:
        heaps, turn = node
        return turn if any(heaps) else "leaf"

    def children(self, node: Any) -> Iterable[Any]:
        heaps, turn = node
        other = "and" if turn == "or" else "or"
        for place, heap in enumerate(heaps):
            for taken in range(1, min(3, heap) + 1):
                yield (tuple(sorted(heaps[:place] + (heap - taken,) + heaps[place + 1 :])), other)

    def leaf(self, node: Any) -> Any:
        return 1 if node[1] == "and" else -1


class Walk(meetjoin.Game):
    """Players walk down a grid by turns, positions are small numbers: hardly any time goes into the rules. Leaves are worth numbers."""

    def __init__(self, size: int) -> None:
        self.size = size

    def root(self) -> Any:
        return 0

    def kind(self, node: Any) -> str:
        row = node // self.size
        return "leaf" if row == self.size - 1 else ("and" if row & 1 else "or")

    def children(self, node: Any) -> Iterable[Any]:
        below = node - node % self.size + self.size
        column = node % self.size
        return [below + (column * 7 + step * step + 1) % self.size for step in range(6)]

    def leaf(self, node: Any) -> Any:
        return node * 2654435761 % 1000


class Sets(Walk):
    """The same with sets of numbers at the leaves."""

    def leaf(self, node: Any) -> Any:
        return frozenset(world for world in range(1, 13) if node * 2654435761 >> world & 1)


class Plain:
    """The searches of the paper, as one writes them in Python: `join` and `meet` are functions, elements compare with ==."""

    def __init__(self, game: meetjoin.Game, join: Callable[[Any, Any], Any], meet: Callable[[Any, Any], Any], bottom: Any, top: Any) -> None:
        self.game, self.join, self.meet, self.bottom, self.top = game, join, meet, bottom, top
        self.visits = 0
        self.cache: dict[Any, Any] = {}

    def minimax(self, node: Any) -> Any:
        self.visits += 1
        kind = self.game.kind(node)
        if kind == "leaf":
            return self.game.leaf(node)
        combine = self.join if kind == "or" else self.meet
        value = self.bottom if kind == "or" else self.top
        for child in self.game.children(node):
            value = combine(value, self.minimax(child))
        return value

    def minimax_cached(self, node: Any) -> Any:
        self.visits += 1
        kind = self.game.kind(node)
        if kind == "leaf":
            return self.game.leaf(node)
        if node in self.cache:
            return self.cache[node]
        combine = self.join if kind == "or" else self.meet
        value = self.bottom if kind == "or" else self.top
        for child in self.game.children(node):
            value = combine(value, self.minimax_cached(child))
        self.cache[node] = value
        return value

    def alpha_beta(self, node: Any, alpha: Any, beta: Any) -> Any:
        """Algorithm 1 of Li et al. (2022)."""
        self.visits += 1
        kind = self.game.kind(node)
        if kind == "leaf":
            return self.game.leaf(node)
        join, meet = self.join, self.meet
        if kind == "or":
            value = self.bottom
            for child in self.game.children(node):
                value = join(value, self.alpha_beta(child, alpha, beta))
                alpha = join(alpha, value)
                if join(alpha, beta) == alpha:
                    break
        else:
            value = self.top
            for child in self.game.children(node):
                value = meet(value, self.alpha_beta(child, alpha, beta))
                beta = meet(beta, value)
                if join(alpha, beta) == alpha:
                    break
        return value

    def duo(self, node: Any, alpha: Any, beta: Any) -> tuple[Any, Any]:
        """Algorithm 2 of Li et al. (2022)."""
        self.visits += 1
        kind = self.game.kind(node)
        if kind == "leaf":
            value = self.game.leaf(node)
            return value, value
        join, meet = self.join, self.meet
        lower, upper = self.cache.get(node) or (self.bottom, self.top)
        if lower == upper:
            return lower, upper
        low, high = join(alpha, lower), meet(beta, upper)
        if kind == "or":
            far = self.bottom
            for child in self.game.children(node):
                if join(low, high) == low:
                    break
                below, above = self.duo(child, low, high)
                lower, far = join(lower, below), join(far, above)
                low = join(low, lower)
            else:
                upper = meet(upper, far)
        else:
            far = self.top
            for child in self.game.children(node):
                if join(low, high) == low:
                    break
                below, above = self.duo(child, low, high)
                upper, far = meet(upper, above), meet(far, below)
                high = meet(high, upper)
            else:
                lower = join(lower, far)
        self.cache[node] = (lower, upper)
        return lower, upper

    def run(self, algorithm: str) -> Any:
        self.visits, self.cache = 0, {}
        root = self.game.root()
        if algorithm == "alpha-beta":
            return self.alpha_beta(root, self.bottom, self.top)
        if algorithm == "alpha-beta-duo-plain":
            return self.duo(root, self.bottom, self.top)[0]
        return self.minimax_cached(root) if algorithm == "minimax-cached" else self.minimax(root)


class Recorded(meetjoin.Game):
    """A game, and what a search asks of it."""

    def __init__(self, game: meetjoin.Game) -> None:
        self.game = game
        self.asked: dict[str, dict[Any, None]] = {"kind": {}, "children": {}, "leaf": {}}

    def root(self) -> Any:
        return self.game.root()

    def kind(self, node: Any) -> str:
        self.asked["kind"][node] = None
        return self.game.kind(node)

    def children(self, node: Any) -> Iterable[Any]:
        self.asked["children"][node] = None
        return self.game.children(node)

    def leaf(self, node: Any) -> Any:
        self.asked["leaf"][node] = None
        return self.game.leaf(node)

    def once(self) -> None:
        """All of that once."""
        for node in self.asked["kind"]:
            self.game.kind(node)
        for node in self.asked["children"]:
            for _ in self.game.children(node):
                pass
        for node in self.asked["leaf"]:
            self.game.leaf(node)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = process_time()
    found = work()
    return process_time() - started, found


def main(repetitions: int) -> None:
    sys.setrecursionlimit(10_000)
    numbers = (max, min, -1, 1000, meetjoin.Chain(-1, 1000))
    none: FrozenSet[int] = frozenset()
    sets = (frozenset[int].union, frozenset[int].intersection, none, frozenset(range(1, 13)), meetjoin.Powerset(12))
    cases: list[tuple[str, meetjoin.Game, Any, str]] = [
        ("heaps", Heaps(3, 3, 4), numbers, "minimax"),
        ("heaps", Heaps(3, 4, 5), numbers, "alpha-beta"),
        ("heaps", Heaps(9, 10, 11, 12), numbers, "minimax-cached"),
        ("heaps", Heaps(9, 10, 11, 12), numbers, "alpha-beta-duo-plain"),
        ("walk", Walk(7), numbers, "minimax"),
        ("walk", Walk(12), numbers, "alpha-beta"),
        ("walk", Walk(150), numbers, "minimax-cached"),
        ("walk", Walk(150), numbers, "alpha-beta-duo-plain"),
        ("sets", Sets(7), sets, "minimax"),
        ("sets", Sets(9), sets, "alpha-beta"),
        ("sets", Sets(150), sets, "minimax-cached"),
        ("sets", Sets(150), sets, "alpha-beta-duo-plain"),
    ]
    print(f"{'game':6} {'algorithm':22} {'visits':>9} {'nodes':>7} {'Python':>9} {'meetjoin':>9} {'ratio':>6} {'bound':>6} {'µs a visit':>10}")
    for name, game, (join, meet, bottom, top, lattice), algorithm in cases:
        plain = Plain(game, join, meet, bottom, top)
        times: list[float] = []
        ours: list[float] = []
        alone: list[float] = []
        recorded = Recorded(game)
        Plain(recorded, join, meet, bottom, top).run(algorithm)
        answer = meetjoin.solve_game(game, lattice, algorithm)
        for _ in range(repetitions):
            seconds, value = timed(lambda: plain.run(algorithm))
            times.append(seconds)
            seconds, answer = timed(lambda: meetjoin.solve_game(game, lattice, algorithm))
            ours.append(seconds)
            alone.append(timed(recorded.once)[0])
            assert (answer.value, answer.stats.visits) == (value, plain.visits), (algorithm, answer, value, plain.visits)
        theirs, own, least = median(times), median(ours), median(alone)
        print(
            f"{name:6} {algorithm:22} {plain.visits:9} {answer.stats.nodes:7} {theirs * 1e3:6.1f} ms {own * 1e3:6.1f} ms {theirs / own:6.2f} {theirs / least:6.2f} {own / plain.visits * 1e6:10.2f}"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
