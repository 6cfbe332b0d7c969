"""Games and lattices written in Python."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Iterable

import pytest

import meetjoin
from meetjoin import Game, Lattice, LawError, MeetjoinError, solve_game


class Nim(Game):
    """Piles of which a player takes 1 to 3 from one; who takes the last stone gets what is counted."""

    def __init__(self, *piles: int) -> None:
        self.piles = tuple(sorted(piles))

    def root(self) -> Any:
        return (self.piles, True)

    def kind(self, node: Any) -> str:
        piles, first = node
        return "leaf" if not any(piles) else ("or" if first else "and")

    def children(self, node: Any) -> Iterable[Any]:
        piles, first = node
        for place, pile in enumerate(piles):
            for taken in range(1, min(3, pile) + 1):
                left = piles[:place] + (pile - taken,) + piles[place + 1 :]
                yield (tuple(sorted(left)), not first)

    def leaf(self, node: Any) -> Any:
        return -1 if node[1] else 1


class Letters(Lattice):
    """Sets of letters."""

    def join(self, a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
        return a | b

    def meet(self, a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
        return a & b

    def bottom(self) -> frozenset[str]:
        return frozenset()

    def top(self) -> frozenset[str]:
        return frozenset("xyz")


class Numbers(Lattice):
    """A chain."""

    total = True

    def join(self, a: int, b: int) -> int:
        return max(a, b)

    def meet(self, a: int, b: int) -> int:
        return min(a, b)

    def bottom(self) -> int:
        return -10

    def top(self) -> int:
        return 10


def won(piles: tuple[int, ...]) -> bool:
    """Whether who moves wins, by the definition."""

    @lru_cache(None)
    def wins(piles: tuple[int, ...]) -> bool:
        left = (tuple(sorted(piles[:i] + (pile - taken,) + piles[i + 1 :])) for i, pile in enumerate(piles) for taken in (1, 2, 3) if taken <= pile)
        return any(not wins(after) for after in left)

    return wins(tuple(sorted(piles)))


@pytest.mark.parametrize("piles", [(1,), (4,), (1, 2), (2, 2), (3, 4), (1, 2, 3), (2, 3, 5)])
@pytest.mark.parametrize("lattice", [meetjoin.Chain(-1, 1), Numbers()], ids=["chain", "own"])
def test_every_algorithm_plays_nim(piles: tuple[int, ...], lattice: Lattice) -> None:
    expected = 1 if won(piles) else -1
    for row in meetjoin.algorithms():
        if row.needs == "JoinPrimes" or (sum(piles) > 8 and not row.id.endswith("cached")):
            continue
        answer = solve_game(Nim(*piles), lattice, row.id, moves=True)
        assert answer.value == expected, row.id
        assert answer.moves is not None and max(move.value for move in answer.moves) == expected


def test_visits_are_those_of_the_same_problem_in_a_file() -> None:
    gates = [("r", "or", ["a", "b"]), ("a", "and", ["x", "y"]), ("b", "and", ["y", "z"])]
    values = {"x": 1, "y": 5, "z": 7}
    for row in meetjoin.algorithms():
        if row.needs != "JoinPrimes":
            own = meetjoin.Problem.from_gates(gates, values, Numbers()).solve(row.id)
            built_in = meetjoin.Problem.from_gates(gates, values, meetjoin.Chain(-10, 10)).solve(row.id)
            assert own.value == built_in.value, row.id
            # Numbers can be halved, elements of your own cannot.
            assert row.id == "mtd-bi" or own.stats.visits == built_in.stats.visits, row.id


def test_own_lattice_on_gates() -> None:
    gates = [("r", "and", ["a", "b"]), ("a", "or", ["x", "y"]), ("b", "or", ["y", "z"])]
    values = {"x": frozenset("x"), "y": frozenset("y"), "z": frozenset("xz")}
    assert meetjoin.Problem.from_gates(gates, values, Letters()).solve().value == frozenset("xy")
    meetjoin.check_laws(Letters(), values.values())
    meetjoin.check_laws(meetjoin.Divisors(60), [4, 6, 10])


class Diamond(Lattice):
    """Three elements between bottom and top: no distributive lattice."""

    def join(self, a: str, b: str) -> str:
        return a if a == b or b == "0" else b if a == "0" else "1"

    def meet(self, a: str, b: str) -> str:
        return a if a == b or b == "1" else b if a == "1" else "0"

    def bottom(self) -> str:
        return "0"

    def top(self) -> str:
        return "1"


def test_laws_are_checked_and_licences_asked() -> None:
    with pytest.raises(LawError, match="meet") as caught:
        meetjoin.check_laws(Diamond(), ["a", "b", "c"])
    assert "a = 'a', b = 'b', c = 'c'" in str(caught.value)

    class Honest(Diamond):
        distributive = False

    meetjoin.check_laws(Honest(), ["a", "b", "c"])
    problem = meetjoin.Problem.from_gates([("t", "or", ["x", "y"])], {"x": "a", "y": "b"}, Honest())
    assert problem.solve("minimax-cached").value == "1"
    with pytest.raises(MeetjoinError, match="DistributiveLattice"):
        problem.solve("alpha-beta")
    with pytest.raises(MeetjoinError, match="TotalOrder"):
        meetjoin.Problem.from_gates([("t", "or", ["x"])], {"x": frozenset("x")}, Letters()).solve("scout")

    class Wrong(Letters):
        def join(self, a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
            return a

    with pytest.raises(LawError, match="fails for a = "):
        meetjoin.check_laws(Wrong(), [frozenset("x")])


@pytest.mark.parametrize("method", ["kind", "children", "leaf"])
def test_what_a_method_raises_is_raised(method: str) -> None:
    game = Nim(3, 3)

    def fail(node: Any) -> Any:
        raise ZeroDivisionError(f"in {method}")

    setattr(game, method, fail)
    for algorithm in ["alpha-beta-duo", "sss-2", "sss-star", "minimax"]:
        with pytest.raises(ZeroDivisionError, match=method) as caught:
            solve_game(game, algorithm=algorithm)
        assert caught.traceback[-1].name == "fail"


def test_a_lattice_may_fail_too() -> None:
    class Failing(Letters):
        def meet(self, a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
            raise KeyError("meet")

    gates = [("r", "and", ["x", "y"])]
    values = {"x": frozenset("x"), "y": frozenset("y")}
    with pytest.raises(KeyError, match="meet"):
        meetjoin.Problem.from_gates(gates, values, Failing()).solve("minimax")


def test_games_that_are_none() -> None:
    class Circle(Nim):
        def children(self, node: Any) -> Iterable[Any]:
            return [node]

    class Empty(Nim):
        def children(self, node: Any) -> Iterable[Any]:
            return []

    class Kindless(Nim):
        def kind(self, node: Any) -> str:
            return "maybe"

    class Outside(Nim):
        def leaf(self, node: Any) -> Any:
            return {1}

    for game, part in [(Circle(3), "cycle"), (Empty(3), "no children"), (Kindless(3), "maybe"), (Outside(3), "64-bit integer")]:
        with pytest.raises(MeetjoinError, match=part):
            solve_game(game)


def test_a_callback_may_solve_another_game() -> None:
    class Nested(Nim):
        def leaf(self, node: Any) -> Any:
            return solve_game(Nim(2)).value * super().leaf(node)

    assert solve_game(Nested(1, 2)).value == solve_game(Nim(1, 2)).value


def test_limits_leave_bounds() -> None:
    for visits in range(60):
        answer = solve_game(Nim(2, 3), meetjoin.Chain(-1, 1), "alpha-beta", max_visits=visits)
        assert answer.lower <= (1 if won((2, 3)) else -1) <= answer.upper
