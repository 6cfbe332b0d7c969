"""Games and lattices written in Python."""

from __future__ import annotations

import threading
import time
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
        if (row.id == "thresholds" or (row.needs == "JoinPrimes" and isinstance(lattice, Numbers))) or (sum(piles) > 8 and not row.id.endswith("cached")):
            continue
        answer = solve_game(Nim(*piles), lattice, row.id, moves=True)
        assert answer.value == expected, row.id
        assert answer.moves is not None and max(move.value for move in answer.moves) == expected


class Tree(Game):
    """Positions are numbers below 40; the children of each are larger. Leaves have what they are given."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def root(self) -> Any:
        return 0

    def kind(self, node: Any) -> str:
        return "leaf" if node >= 25 else ("or" if node % 3 else "and")

    def children(self, node: Any) -> Iterable[Any]:
        return [node + 1 + node * step % 7 + step * 3 for step in range(3)]

    def leaf(self, node: Any) -> Any:
        return self.values[node % len(self.values)]


DIAMOND = {"elements": ["0", "a", "b", "c", "1"], "covers": [("0", "a"), ("0", "b"), ("0", "c"), ("a", "1"), ("b", "1"), ("c", "1")]}
LATTICES: list[tuple[Any, list[Any]]] = [
    (meetjoin.Bool(), [True, False, False]),
    (meetjoin.Chain(), [4, -2, 7, 0, 3]),
    (meetjoin.Chain(0.0, 9.5), [4.5, 2.25, 7.0, 0.0]),
    (meetjoin.Powerset(4), [frozenset({1, 2}), frozenset({2, 3}), frozenset({4}), {1, 4}, []]),
    (meetjoin.Powerset(70), [frozenset({1, 70}), frozenset({70, 3}), frozenset({4})]),
    (meetjoin.Families(3), [frozenset({frozenset({1, 2})}), frozenset({frozenset({2}), frozenset({3})}), frozenset(), {1, 3}, [[1], [3]]]),
    (meetjoin.Families(70), [frozenset({frozenset({1, 70})}), frozenset({frozenset({70}), frozenset({3})})]),
    (meetjoin.Monotone(3), [frozenset({frozenset({1, 2})}), frozenset({frozenset({-2}), frozenset({3})}), frozenset(), 3]),
    (meetjoin.Divisors(60), [4, 6, 10, 15]),
    (meetjoin.Product(meetjoin.Bool(), meetjoin.Chain(0, 3)), [(True, 1), (False, 3), (True, 0)]),
    (meetjoin.Dual(meetjoin.Powerset(3)), [frozenset({1, 2}), frozenset({2, 3}), frozenset({1})]),
    (meetjoin.Free(2), [(0, 3), (3, 0), (2, 2)]),
    (meetjoin.Table([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]]), [1, 2, 0, 3]),
    (meetjoin.Table(elements=["no", "maybe", "yes"], covers=[("no", "maybe"), ("maybe", "yes")]), ["no", "yes", "maybe"]),
    (meetjoin.Table(**DIAMOND), ["a", "b", "c"]),
]


def answered(solve: Any) -> Any:
    """The answer, or that there is none."""
    try:
        return solve()
    except MeetjoinError:
        return None


@pytest.mark.parametrize("row", meetjoin.algorithms(), ids=lambda row: row.id)
def test_a_game_permits_what_a_problem_over_its_lattice_permits(row: Any) -> None:
    permitted = 0
    for lattice, values in LATTICES:
        game = Tree(values)
        listed = meetjoin.Problem.from_game(game, lattice)
        assert isinstance(listed, meetjoin.Problem)
        own, expected = answered(lambda: solve_game(game, lattice, row.id)), answered(lambda: listed.solve(row.id))
        assert (own is None) == (expected is None), lattice
        if own is None:
            continue
        permitted += 1
        value = listed.solve("minimax-cached").value
        assert own.exact and own.value == value == expected.value, lattice
        for visits in (0, 1, 5, 20):
            stopped = solve_game(game, lattice, row.id, max_visits=visits)
            assert lattice.leq(stopped.lower, value) and lattice.leq(value, stopped.upper), (lattice, visits)
            assert stopped.exact == (stopped.stop is None)
        short = solve_game(game, lattice, row.id, max_memory=1)
        assert short.stop == "memory" and lattice.leq(short.lower, value) and lattice.leq(value, short.upper)
        moves = solve_game(game, lattice, row.id, moves=True).moves
        assert moves is not None and {move.child: move.value for move in moves} == {
            move.child: move.value for move in listed.solve(row.id, moves=True).moves or ()
        }
    assert permitted >= (2 if row.id == "thresholds" else 3)


def test_what_goes_through_join_primes_says_where() -> None:
    with pytest.raises(MeetjoinError, match="df-pn finds whole values of integers, sets and distributive tables only"):
        solve_game(Tree([True, False]), meetjoin.Bool(), "df-pn")
    with pytest.raises(MeetjoinError, match="thresholds finds whole values of families of sets only, .*; --algorithm minimax or .*mtd-f or .* would work"):
        solve_game(Nim(2), Numbers(), "thresholds")


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


def test_a_game_as_a_problem() -> None:
    problem = meetjoin.Problem.from_game(Nim(2, 3), meetjoin.Chain(-1, 1))
    assert problem.solve(threads=2).value == solve_game(Nim(2, 3)).value == 1
    assert problem.prove(1) and problem.verify(problem.certificate())["exact"]
    assert problem.strategy().guarantees == 1
    moves = problem.solve(moves=True).moves
    assert moves is not None and ((1, 3), False) in [move.child for move in moves]
    with pytest.raises(MeetjoinError, match="more than 5 nodes"):
        meetjoin.Problem.from_game(Nim(2, 3), most=5)
    assert Nim(2, 3)._repr_svg_().count("<rect") == problem._repr_svg_().count("<rect")
    assert Nim(9, 9, 9).drawing().left_out is not None


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


class PlainLetters:
    """Sets of letters, as the book writes a lattice: four methods, and nothing to derive from."""

    def join(self, a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
        return a | b

    def meet(self, a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
        return a & b

    def bottom(self) -> frozenset[str]:
        return frozenset()

    def top(self) -> frozenset[str]:
        return frozenset("xyz")


class PlainNumbers:
    """A chain, with what may be there besides the four methods."""

    total = True

    def __init__(self) -> None:
        self.compared = 0

    def join(self, a: int, b: int) -> int:
        return max(a, b)

    def meet(self, a: int, b: int) -> int:
        return min(a, b)

    def bottom(self) -> int:
        return -10

    def top(self) -> int:
        return 10

    def leq(self, a: int, b: int) -> bool:
        self.compared += 1
        return a <= b

    def elements(self) -> Iterable[int]:
        return range(-3, 4)


class PlainTree:
    """As ``Tree``, as the book writes a game."""

    def __init__(self, values: list[Any]) -> None:
        self.tree = Tree(values)

    def root(self) -> int:
        return 0

    def kind(self, at: int) -> str:
        return self.tree.kind(at)

    def children(self, at: int) -> Iterable[int]:
        return self.tree.children(at)

    def leaf(self, at: int) -> Any:
        return self.tree.leaf(at)


def test_classes_need_not_derive_from_ours() -> None:
    sets = [frozenset("x"), frozenset("yz"), frozenset("xz")]
    meetjoin.check_laws(PlainLetters(), sets)
    numbers = PlainNumbers()
    meetjoin.check_laws(numbers)
    assert numbers.compared > 20, "its own leq and elements are used"
    for own, base, values in [(PlainLetters(), Letters(), sets), (PlainNumbers(), Numbers(), [4, -2, 7, 0, 3])]:
        for row in meetjoin.algorithms():
            plain = answered(lambda: solve_game(PlainTree(values), own, row.id, moves=True))
            derived = answered(lambda: solve_game(Tree(values), base, row.id, moves=True))
            assert plain == derived, row.id
    listed = meetjoin.Problem.from_game(PlainTree(values), meetjoin.Chain())
    assert listed.solve().value == solve_game(PlainTree(values)).value
    gates = [("r", "and", ["a", "b"]), ("a", "or", ["x", "y"]), ("b", "or", ["y", "z"])]
    problem = meetjoin.Problem.from_gates(gates, dict(zip("xyz", sets)), PlainLetters())
    assert problem.solve("minimax").value == frozenset("xyz") & (sets[1] | sets[2])

    class Odd(PlainLetters):
        distributive = "no"

    class Wrong(PlainLetters):
        def join(self, a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
            return a

    class Half:
        def join(self, a: Any, b: Any) -> Any:
            return a

    for call, part in [
        (lambda: meetjoin.check_laws(Wrong(), sets), "fails for a = "),
        (lambda: meetjoin.check_laws(Half()), "has no method meet; a lattice has join, meet, bottom and top"),  # type: ignore[arg-type]
        (lambda: solve_game(PlainTree(sets), Half()), "has no method meet"),  # type: ignore[arg-type]
        (lambda: solve_game(PlainTree(sets), PlainLetters), "PlainLetters is a class, and a lattice is an object of it, such as PlainLetters()"),  # type: ignore[arg-type]
        (lambda: solve_game(PlainTree(sets), meetjoin.Bool), "Bool is a class"),  # type: ignore[arg-type]
        (lambda: solve_game(PlainTree), "PlainTree is a class, and a game is"),  # type: ignore[arg-type]
        (lambda: solve_game(PlainLetters()), "has no method root; a game has root, kind, children and leaf"),  # type: ignore[arg-type]
        (lambda: meetjoin.Problem.from_game(PlainLetters()), "has no method root"),  # type: ignore[arg-type]
        (lambda: meetjoin.check_laws(Odd()), "distributive is 'no'; it must be True or False"),
    ]:
        with pytest.raises(MeetjoinError) as caught:
            call()
        assert part in str(caught.value)


def test_what_is_refused_names_leaf_and_algorithm() -> None:
    """As the command does."""
    with pytest.raises(MeetjoinError) as caught:
        solve_game(Tree([1, 12, 3]), meetjoin.Chain(0, 9))
    node, said = str(caught.value).split(": ", 1)
    assert Tree([1, 12, 3]).leaf(int(node.removeprefix("node "))) == 12
    assert said.startswith("`12` is not a 64-bit integer")
    with pytest.raises(MeetjoinError, match=r"^node \(0, 1\): .* of type object is no value"):
        solve_game(Small(object()))
    with pytest.raises(MeetjoinError, match="scout needs a TotalOrder, and .* a DistributiveLattice; --algorithm minimax or .* or alpha-beta-duo-plain would work"):
        solve_game(Tree([frozenset("x")]), Letters(), "scout")

    class Honest(Diamond):
        distributive = False

    with pytest.raises(MeetjoinError, match="--algorithm minimax or minimax-cached or shallow would work"):
        solve_game(Tree(["a", "b"]), Honest(), "alpha-beta")
    # By default one that runs.
    assert solve_game(Tree(["a", "b", "c"]), Honest()) == solve_game(Tree(["a", "b", "c"]), Honest(), "minimax-cached")
    with pytest.raises(MeetjoinError, match='there is no algorithm "alpha-beta-dua" \\(did you mean `alpha-beta-duo`\\?\\); there are minimax, '):
        solve_game(Tree([1]), algorithm="alpha-beta-dua")


class Small(Game):
    """One leaf."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def root(self) -> Any:
        return (0, 1)

    def kind(self, node: Any) -> str:
        return "leaf"

    def children(self, node: Any) -> Iterable[Any]:
        return ()

    def leaf(self, node: Any) -> Any:
        return self.value


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

    class Numbered(Nim):
        def kind(self, node: Any) -> Any:
            return 3

    for game, part in [(Circle(3), "cycle"), (Empty(3), "no children"), (Kindless(3), "maybe"), (Numbered(3), "is 3; it must be"), (Outside(3), "64-bit integer")]:
        with pytest.raises(MeetjoinError, match=part):
            solve_game(game)
        with pytest.raises(MeetjoinError, match=part):
            meetjoin.Problem.from_game(game)


class Round(Game):
    """A long way round, back to its second half."""

    def root(self) -> Any:
        return 0

    def kind(self, node: Any) -> str:
        return "leaf" if node < 0 else ("or" if node & 1 else "and")

    def children(self, node: Any) -> Iterable[Any]:
        return [-node - 1, 500 if node == 1000 else node + 1]

    def leaf(self, node: Any) -> Any:
        return node & 3


@pytest.mark.parametrize("row", meetjoin.algorithms(), ids=lambda row: row.id)
def test_no_algorithm_goes_round_for_ever(row: Any) -> None:
    lattice = meetjoin.Families(2) if row.id == "thresholds" else meetjoin.Chain()

    class OfLattice(Round):
        def leaf(self, node: Any) -> Any:
            return super().leaf(node) if row.id != "thresholds" else frozenset({frozenset({1 + (node & 1)})})

    try:
        answer = solve_game(OfLattice(), lattice, row.id, time_limit=20)
    except MeetjoinError as error:
        assert "cycle" in str(error)
    else:
        assert answer.exact, "the part that was looked at has no cycle"


def test_comparing_and_hashing_may_fail() -> None:
    class Node:
        def __init__(self, value: int) -> None:
            self.value = value

        def __hash__(self) -> int:
            if self.value == 3:
                raise ArithmeticError("hash")
            return 1

        def __eq__(self, other: object) -> bool:
            raise ArithmeticError("eq")

    class Strange(Nim):
        def __init__(self, value: int) -> None:
            self.value = value

        def root(self) -> Any:
            return Node(1)

        def kind(self, node: Any) -> str:
            return "or"

        def children(self, node: Any) -> Iterable[Any]:
            return [Node(self.value)]

    for value, part in [(3, "hash"), (1, "eq")]:
        with pytest.raises(ArithmeticError, match=part):
            solve_game(Strange(value))


def test_a_callback_may_solve_another_game() -> None:
    class Nested(Nim):
        def leaf(self, node: Any) -> Any:
            return solve_game(Nim(2)).value * super().leaf(node)

    assert solve_game(Nested(1, 2)).value == solve_game(Nim(1, 2)).value


def test_limits_hold_for_slow_rules() -> None:
    class Slow(Nim):
        def children(self, node: Any) -> Iterable[Any]:
            time.sleep(0.02)
            return super().children(node)

    started = time.monotonic()
    answer = solve_game(Slow(5, 6, 7), meetjoin.Chain(-1, 1), time_limit=0.2)
    assert answer.stop == "time" and (answer.lower, answer.upper) == (-1, 1)
    assert time.monotonic() - started < 2, "and not after 256 visits"


@pytest.mark.parametrize("row", meetjoin.algorithms(), ids=lambda row: row.id)
@pytest.mark.parametrize("method", ["kind", "children", "leaf"])
def test_ctrl_c_in_a_method_leaves_true_bounds(row: Any, method: str) -> None:
    """As Python raises it: in whatever runs, at any moment."""
    if row.id == "thresholds":
        lattice: Any = meetjoin.Families(3)
        values: list[Any] = [frozenset({frozenset({1, 2})}), frozenset({frozenset({2}), frozenset({3})})]
    else:
        lattice, values = meetjoin.Chain(-9, 9), [4, -2, 7, 0, 3]
    value = solve_game(Tree(values), lattice).value
    for after in (0, 1, 2, 5, 9):
        game, calls = Tree(values), [0]
        asked = getattr(game, method)

        def interrupted(node: Any) -> Any:
            calls[0] += 1
            if calls[0] == after + 1:
                raise KeyboardInterrupt
            return asked(node)

        setattr(game, method, interrupted)
        answer = solve_game(game, lattice, row.id)
        assert lattice.leq(answer.lower, value) and lattice.leq(value, answer.upper), after
        assert answer.stop in (None, "cancelled") and answer.exact == (answer.stop is None)

    class Always(Tree):
        def kind(self, node: Any) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_game(Always(values), lattice, row.id)


def test_searches_within_searches_end() -> None:
    class Endless(Nim):
        def leaf(self, node: Any) -> Any:
            return solve_game(self).value

    def alone() -> None:
        with pytest.raises(RecursionError, match="16 deep"):
            solve_game(Endless(1))
        assert solve_game(Nim(2)).value == 1
        told.append(True)

    told: list[bool] = []
    alone()
    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=alone)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert told == [True, True]


def test_four_threads_play_at_once() -> None:
    found: list[Any] = []

    def work() -> None:
        found.extend(solve_game(Nim(3, 4, 5), meetjoin.Chain(-1, 1), algorithm).value for algorithm in ("minimax-cached", "alpha-beta-duo", "df-pn"))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1 if won((3, 4, 5)) else -1] * 12


def test_limits_leave_bounds() -> None:
    for visits in range(60):
        answer = solve_game(Nim(2, 3), meetjoin.Chain(-1, 1), "alpha-beta", max_visits=visits)
        assert answer.lower <= (1 if won((2, 3)) else -1) <= answer.upper
