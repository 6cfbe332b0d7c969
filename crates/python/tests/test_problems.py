"""Problems in every form, against plain evaluation in Python."""

from __future__ import annotations

import json
import math
import pickle
import threading
from typing import Any

import networkx
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meetjoin
from meetjoin import MeetjoinError, Problem

Gates = list[tuple[int, str, list[int]]]


@st.composite
def graphs(draw: Any) -> tuple[Gates, list[int]]:
    """Gates with children of larger numbers, the first being the root; and the leaves."""
    inner = draw(st.integers(1, 7))
    leaves = list(range(inner, inner + draw(st.integers(1, 5))))
    gates = []
    for node in range(inner):
        children = st.lists(st.integers(node + 1, leaves[-1]), min_size=1, max_size=4)
        gates.append((node, draw(st.sampled_from(["and", "or"])), draw(children)))
    return gates, leaves


def plain(gates: Gates, values: dict[int, Any], lattice: meetjoin.Lattice) -> Any:
    """The value by its definition."""
    known = dict(values)
    for node, kind, children in reversed(gates):
        value = known[children[0]]
        for child in children[1:]:
            value = (lattice.meet if kind == "and" else lattice.join)(value, known[child])
        known[node] = value
    return known[gates[0][0]]


LATTICES: list[tuple[meetjoin.lattice.BuiltIn, Any]] = [
    (meetjoin.Bool(), st.booleans()),
    (meetjoin.Chain(), st.integers(-(2**63), 2**63 - 1)),
    (meetjoin.Chain(0.0, 9.5), st.floats(0.0, 9.5)),
    (meetjoin.Powerset(4), st.frozensets(st.integers(1, 4))),
    (meetjoin.Powerset(70), st.frozensets(st.integers(60, 70))),
    (meetjoin.Families(3), st.frozensets(st.frozensets(st.integers(1, 3)))),
    (meetjoin.Monotone(3), st.frozensets(st.frozensets(st.integers(1, 3)))),
    (meetjoin.Divisors(60), st.sampled_from([1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60])),
    (meetjoin.Product(meetjoin.Bool(), meetjoin.Chain(0, 3)), st.tuples(st.booleans(), st.integers(0, 3))),
    (meetjoin.Dual(meetjoin.Powerset(3)), st.frozensets(st.integers(1, 3))),
    (meetjoin.Free(2), st.tuples(st.integers(0, 3), st.integers(0, 3))),
    (meetjoin.Table([[1, 1, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1]]), st.integers(0, 3)),
    (meetjoin.Table(elements=["no", "maybe", "yes"], covers=[("no", "maybe"), ("maybe", "yes")]), st.sampled_from(["no", "maybe", "yes"])),
]


@pytest.mark.parametrize(("lattice", "values"), LATTICES, ids=lambda of: type(of).__name__)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_lattice_and_algorithm(lattice: meetjoin.lattice.BuiltIn, values: Any, data: Any) -> None:
    gates, leaves = data.draw(graphs())
    of = {leaf: data.draw(values) for leaf in leaves}
    problem = Problem.from_gates(gates, of, lattice)
    # By the lattice's own printed form, since leaves may be written in several ways.
    bottom = lattice.bottom()
    expected = plain(gates, {leaf: lattice.join(bottom, value) for leaf, value in of.items()}, lattice)
    for row in meetjoin.algorithms():
        try:
            answer = problem.solve(row.id)
        except MeetjoinError:
            assert row.needs != "Lattice"
            continue
        assert answer.exact and answer.value == expected, row.id
        for visits in (0, 1, 3):
            stopped = problem.solve(row.id, max_visits=visits)
            assert lattice.leq(stopped.lower, expected) and lattice.leq(expected, stopped.upper), (row.id, visits)
            assert stopped.exact == (stopped.stop is None)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_all_forms_are_the_same_problem(data: Any) -> None:
    gates, leaves = data.draw(graphs())
    of = {leaf: data.draw(st.integers(-9, 9)) for leaf in leaves}
    expected = plain(gates, of, meetjoin.Chain())
    assert Problem.from_gates(gates, of).solve().value == expected

    nodes = [{"id": node, "kind": kind, "children": children} for node, kind, children in gates]
    nodes += [{"id": leaf, "kind": "leaf", "value": value} for leaf, value in of.items()]
    described = {"lattice": {"type": "chain"}, "root": 0, "nodes": nodes}
    assert Problem.from_dict(described).solve().value == expected
    assert Problem.from_json(json.dumps({"format": "meetjoin-problem/1", **described})).solve().value == expected

    graph = networkx.DiGraph()
    for node, kind, children in gates:
        graph.add_node(node, kind=kind)
        graph.add_edges_from((node, child) for child in children)
    for leaf, value in of.items():
        graph.add_node(leaf, value=value)
    assert Problem.from_networkx(graph, root=0).solve().value == expected

    kinds = [{"and": 1, "or": 2}[kind] for _, kind, _ in gates] + [0] * len(leaves)
    offsets = numpy.cumsum([0] + [len(children) for _, _, children in gates] + [0] * len(leaves))
    children = numpy.concatenate([children for _, _, children in gates])
    arrays = Problem.from_arrays(kinds, offsets, children, numpy.array([of[leaf] for leaf in leaves]))
    assert arrays.solve().value == expected
    for problem in (Problem.from_gates(gates, of), arrays, Problem.from_dict(described)):
        again = pickle.loads(pickle.dumps(problem))
        assert again.solve().value == expected
        answer = problem.solve(moves=True)
        assert pickle.loads(pickle.dumps(answer)) == answer


def test_arrays_of_other_lattices() -> None:
    kinds, offsets, children = [1, 0, 0], [0, 2, 2, 2], [1, 2]
    for lattice, values, expected in [
        (meetjoin.Bool(), numpy.array([True, False]), False),
        (meetjoin.Chain(), numpy.array([2.5, -1.0]), -1.0),
        (meetjoin.Powerset(64), numpy.array([1 << 63 | 1, 1 << 63], dtype=numpy.uint64), frozenset({64})),
        (meetjoin.Families(2), [frozenset(), {1}], frozenset()),
    ]:
        assert Problem.from_arrays(kinds, offsets, children, values, lattice).solve().value == expected


@pytest.mark.parametrize(("lattice", "values"), LATTICES, ids=lambda of: type(of).__name__)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_arrays_come_out_as_they_went_in(lattice: meetjoin.lattice.BuiltIn, values: Any, data: Any) -> None:
    gates, leaves = data.draw(graphs())
    problem = Problem.from_gates(gates, {leaf: data.draw(values) for leaf in leaves}, lattice)
    expected = problem.solve().value
    for again in (problem, Problem.from_json(problem.to_json()), Problem.from_json(problem.to_bytes())):
        kinds, offsets, children, root = again.to_arrays()
        of = again.leaf_values()
        assert len(of) == (kinds == 0).sum() and offsets[-1] == len(children)
        assert Problem.from_arrays(kinds, offsets, children, of, lattice, root).solve().value == expected


def test_arrays_are_not_copied() -> None:
    kinds, offsets, children, root = Problem.from_arrays([1, 0, 0], [0, 2, 2, 2], [1, 2], numpy.array([2, 1])).to_arrays()
    assert not kinds.flags.owndata and not offsets.flags.owndata and not children.flags.owndata and root == 0
    assert Problem.from_arrays([1, 0], [0, 1, 1], [1], numpy.array([2.5])).leaf_values().tolist() == [2.5]
    with pytest.raises(MeetjoinError, match="a game has no arrays"):
        meetjoin.random(4, 3, 8, 1).to_arrays()


def test_moves_have_the_names_of_nodes() -> None:
    problem = Problem.from_gates([("top", "or", [("a", 1), ("b", 2)])], {("a", 1): 4, ("b", 2): 6})
    moves = problem.solve(moves=True).moves
    assert moves is not None
    assert [(move.child, move.value) for move in moves] == [(("a", 1), 4), (("b", 2), 6)]


def test_racing_and_random_games() -> None:
    sets = meetjoin.racing(8, 2, [2, 5, 7], 3).solve().value
    families = meetjoin.racing(8, 2, [2, 5, 7], 3, families=True)
    assert sets == frozenset().union(*families.solve().value)
    heaviest = families.heaviest(strategy=True)
    assert heaviest.strategy is not None and len(heaviest.strategy) > 1
    assert heaviest.sets[0][0] == max(len(hands) for hands in families.solve().value) == heaviest.bound
    assert meetjoin.random(6, 4, 8, 1).solve().value == meetjoin.random(6, 4, 8, 1).solve("minimax-cached").value


def test_claims_are_proved() -> None:
    problem = Problem.from_gates([("t", "and", ["a", "b"])], {"a": 3, "b": 5})
    assert problem.prove(3) and not problem.prove(4)
    assert "digraph" in (problem.prove(3, proof="dot").proof or "")
    assert problem.prove(3, "proof-number", max_visits=0).result == "unknown"


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        (lambda: Problem.from_gates([("t", "nand", ["a"])], {"a": 1}), "nand"),
        (lambda: Problem.from_gates([("t", "or", ["a"])], {}), "'a' is no gate"),
        (lambda: Problem.from_gates("abc", {}), "'a' is no gate; a gate is"),  # type: ignore[arg-type]
        (lambda: Problem.from_gates([("t", 3, ["a"])], {}), "no text"),  # type: ignore[list-item]
        (lambda: Problem.from_gates([("t", "or", "ab")], {}), "must be a list"),
        (lambda: Problem.from_gates([("t", "or", ["t"])], {}), "cycle"),
        (lambda: Problem.from_gates([("t", "or", [])], {}), "no children"),
        (lambda: Problem.from_gates([("t", "or", ["a"]), ("t", "or", ["a"])], {"a": 1}), "twice"),
        (lambda: Problem.from_gates([("t", "or", ["a"])], {"a": "x"}), "x"),
        (lambda: Problem.from_gates([("t", "or", ["a"])], {"a": object()}), "no value"),
        (lambda: Problem.from_gates([("t", "or", ["a"])], {"a": float("nan")}), "nan"),
        (lambda: Problem.from_gates([("t", "or", ["a"])], {"a": {9}}, meetjoin.Powerset(3)), "9"),
        (lambda: Problem.from_arrays([2, 0], [0, 1, 1], [7], numpy.array([1])), "no node"),
        (lambda: Problem.from_arrays([2, 0], [0, 1], [1], numpy.array([1])), "offsets"),
        (lambda: Problem.from_arrays([2, 0], [0, 9, 9], [1], numpy.array([1])), "offsets of node 0"),
        (lambda: Problem.from_arrays([2, 0], [0, 1, 1], [1], numpy.array([1, 2])), "values"),
        (lambda: Problem.from_arrays([2, 0], [0, 1, 1], [1.5], numpy.array([1])), "integers"),
        (lambda: Problem.from_arrays([2, 0], [0, 1, 1], [1], numpy.array([4], dtype=numpy.uint64), meetjoin.Powerset(2)), "outside"),
        (lambda: Problem.from_json("{"), "EOF"),
        (lambda: Problem.from_file("/nowhere.json"), "nowhere"),
        (lambda: meetjoin.Divisors(0), "0"),
        (lambda: Problem.from_gates([("t", "or", ["a"])], {"a": 1}).solve("magic"), "there are minimax"),
        (lambda: Problem.from_gates([("t", "or", ["a"])], {"a": {1}}, meetjoin.Powerset(3)).solve("scout"), "TotalOrder"),
        (lambda: Problem.from_gates([("t", "or", ["a"])], {"a": 1}).solve(time_limit=-1), "time_limit"),
        (lambda: Problem.from_gates([("t", "or", ["a"])], {"a": 1}).prove("x"), "at-least"),
    ],
)
def test_what_is_wrong_is_one_sentence(wrong: Any, part: str) -> None:
    with pytest.raises((MeetjoinError, OSError)) as caught:
        wrong()
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


LEAVES = [("r", "or", ["alpha", "beta"])]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: Problem.from_gates(LEAVES, {"alpha": 3, "beta": 12}, meetjoin.Chain(0, 9)), "node 'beta': `12` is not a 64-bit integer"),
        (lambda: Problem.from_gates(LEAVES, {"alpha": {1}, "beta": {4}}, meetjoin.Powerset(3)), "node 'beta': `[4]` is not an ascending list"),
        (lambda: Problem.from_gates(LEAVES, {"alpha": 1, "beta": object()}), "node 'beta': <object object"),
        (lambda: Problem.from_gates([("r", "or", [("a", 7), "b"])], {("a", 7): "x", "b": 1}), "node ('a', 7): `\"x\"` is not a 64-bit"),
        (lambda: Problem.from_gates(LEAVES, {"alpha": 3, "beta": 4}).solve(lattice=meetjoin.Divisors(9)), "node 'beta': `4` is not a positive divisor"),
        (lambda: Problem.from_arrays([1, 0, 0], [0, 2, 2, 2], [1, 2], numpy.array([1, 12]), meetjoin.Chain(0, 9)), "node 2: the value 12 lies outside"),
        (lambda: Problem.from_arrays([1, 0, 0], [0, 2, 2, 2], [1, 2], ["x", 1], meetjoin.Chain(0, 9)), 'node 1: `"x"` is not'),
        (lambda: Problem.from_arrays([1, 0, 0], [0, 2, 2, 2], [1, 2], numpy.array([1, math.nan])), "node 2: the value is not a number"),
        (lambda: Problem.from_gates([("r", "or", ["alpha", "betta"])], {"alpha": 1, "beta": 2}), "gate 'r' has the argument 'betta': 'betta' is no gate and has no value (did you mean `beta`?)"),
        (lambda: Problem.from_gates([("r", "or", ["x", "y"])], {"x": 1}, root="q"), "'q' is no gate and has no value"),
        (lambda: meetjoin.FaultTree.from_gates([("cooling", "or", ["a"])], top="coolign"), "the top 'coolign' is no gate (did you mean `cooling`?)"),
        (lambda: Problem.from_gates(LEAVES, {"alpha": 1, "beta": 2}).solve("minimx"), 'there is no algorithm "minimx" (did you mean `minimax`?); there are minimax, '),
        (lambda: Problem.from_gates(LEAVES, {"alpha": 1, "beta": 2}).prove(1, "dfpn"), 'there is no algorithm "dfpn" (did you mean `df-pn`?); there are df-pn, proof-number, test'),
        (lambda: meetjoin.packets({}, "botom-up"), 'there is no algorithm "botom-up" (did you mean `bottom-up`?); there are bottom-up, '),
        (lambda: Problem.from_gates(LEAVES, {"alpha": {1}, "beta": {2}}, meetjoin.Powerset(3)).solve("scout"), "; --algorithm minimax or minimax-cached or "),
        (lambda: meetjoin.Problem.from_gates(LEAVES, {"alpha": 1, "beta": 2}, "chian"), "unknown lattice `chian` (did you mean `chain`?)"),
    ],
)
def test_what_is_wrong_has_a_place_and_a_way_out(wrong: Any, sentence: str) -> None:
    with pytest.raises(MeetjoinError) as caught:
        wrong()
    assert sentence in str(caught.value)
    named = sentence.startswith("node")
    assert not named or str(caught.value).startswith(sentence)


def test_the_default_runs_on_every_lattice() -> None:
    diamond = meetjoin.Table(elements=["0", "a", "b", "c", "1"], covers=[("0", "a"), ("0", "b"), ("0", "c"), ("a", "1"), ("b", "1"), ("c", "1")])
    assert Problem.from_gates(LEAVES, {"alpha": "a", "beta": "b"}, diamond).solve().value == "1"


def test_four_threads_at_once() -> None:
    alone = meetjoin.random(12, 6, 8, 3).solve().value
    shared = meetjoin.random(12, 6, 8, 3)
    found: list[Any] = []

    def work(problem: Problem) -> None:
        found.extend(problem.solve().value == alone for _ in range(5))

    problems = [shared, shared, meetjoin.random(12, 6, 8, 3), meetjoin.random(12, 6, 8, 3)]
    threads = [threading.Thread(target=work, args=(problem,)) for problem in problems]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 20


def test_python_goes_on_while_rust_searches() -> None:
    problem = meetjoin.racing(16, 5, [2, 5, 7, 9, 11, 13], 3, families=True)
    begun, done, counted = threading.Event(), threading.Event(), [0]

    def count() -> None:
        begun.set()
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    begun.wait()
    before = counted[0]
    assert problem.solve("minimax", time_limit=0.3).stop == "time"
    within = counted[0] - before
    done.set()
    thread.join()
    assert within > 1000


def test_progress_limits_and_callbacks() -> None:
    problem = meetjoin.racing(16, 5, [2, 5, 7, 9, 11, 13], 3, families=True)
    told: list[tuple[int, int, str, str]] = []
    answer = problem.solve("minimax", time_limit=0.4, progress=lambda *moment: told.append(moment))
    assert answer.stop == "time" and not answer.exact and answer.value is None
    assert told and all(earlier[0] < later[0] for earlier, later in zip(told, told[1:]))

    def enough(*_: Any) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        problem.solve("minimax", time_limit=5, progress=enough)

    def another(*_: Any) -> None:
        problem.solve()

    with pytest.raises(MeetjoinError, match="callback"):
        problem.solve("minimax", time_limit=5, progress=another)
    assert problem.solve("minimax", max_memory=1).stop == "memory"


def test_caches_forget_to_keep_a_limit_of_memory() -> None:
    board = {"game": "connect-four", "columns": 4, "rows": 4, "scoring": "distance", "moves": "", "lattice": {"type": "chain"}}
    problem = Problem.from_dict(board)
    free = problem.solve("minimax-cached")
    held = problem.solve("minimax-cached", max_memory=8_000_000)
    assert held.stop is None and held.value == free.value
    assert held.stats.visits > free.stats.visits


def test_what_is_of_the_wrong_type_is_refused() -> None:
    problem = Problem.from_gates([("t", "or", ["a"])], {"a": 1})
    wrong: list[Any] = [
        lambda: problem.solve(progress=3),  # type: ignore[arg-type]
        lambda: problem.solve(time_limit="x"),  # type: ignore[arg-type]
        lambda: problem.solve(max_visits=-1),
        lambda: problem.solve(threads=1.5),  # type: ignore[arg-type]
        lambda: problem.save(3),  # type: ignore[arg-type]
        lambda: problem.drawing(-1),
        lambda: Problem.from_game(3),  # type: ignore[arg-type]
        lambda: meetjoin.solve_game(None),  # type: ignore[arg-type]
        lambda: Problem.from_dict([1]),  # type: ignore[arg-type]
        lambda: meetjoin.FaultTree(3),  # type: ignore[arg-type]
        lambda: meetjoin.Lattice(),  # type: ignore[abstract]
    ]
    for call in wrong:
        with pytest.raises((TypeError, AttributeError, OverflowError, MeetjoinError)):
            call()


@pytest.mark.parametrize("limit", [-1, 2**64, 10**30])
def test_limits_have_a_range(limit: int) -> None:
    problem = Problem.from_gates([("r", "or", ["a", "b"])], {"a": 1, "b": 2}, meetjoin.Chain(0, 9))
    both = f"max_visits and max_memory go from 0 to {2**64 - 1}, and one of them is {limit}"
    with pytest.raises(MeetjoinError, match=both):
        problem.solve(max_visits=limit)
    with pytest.raises(MeetjoinError, match=both):
        problem.solve(max_memory=limit)
    assert problem.solve(max_visits=2**64 - 1).value == 2


@pytest.mark.parametrize("seconds", [-1.0, -1e-9, -math.inf, math.nan])
def test_a_limit_of_time_has_a_range(seconds: float) -> None:
    problem = Problem.from_gates([("r", "or", ["a", "b"])], {"a": 1, "b": 2}, meetjoin.Chain(0, 9))
    with pytest.raises(MeetjoinError, match="time_limit is .*, and a number of seconds from 0 on"):
        problem.solve(time_limit=seconds)
    for none in (1e30, math.inf):
        assert problem.solve(time_limit=none).value == 2


def test_memory_is_stable() -> None:
    problem = Problem.from_gates([("t", "or", ["a", "b"])], {"a": {1}, "b": {2}}, meetjoin.Powerset(3))
    lattice = meetjoin.Families(3)

    class Small(meetjoin.Game):
        def root(self) -> Any:
            return ("root", 1)

        def kind(self, node: Any) -> str:
            return "or" if node == ("root", 1) else "leaf"

        def children(self, node: Any) -> Any:
            return [(node, 1), (node, 2)]

        def leaf(self, node: Any) -> Any:
            return frozenset({node[1]})

    game = Small()

    def held() -> int:
        for _ in range(5_000):
            problem.solve(moves=True)
            lattice.join({frozenset({1})}, {frozenset({2})})
            meetjoin.solve_game(game, meetjoin.Powerset(2), moves=True)
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    first, second = held(), held()
    assert second - first < 1024, "KiB"


def test_small_graphs_are_drawn() -> None:
    problem = Problem.from_gates([("<top>", "and", ["a", "b"])], {"a": 1, "b": 2})
    drawing = problem._repr_svg_()
    assert drawing is not None and "&lt;top&gt;" in drawing and drawing.count("<line") == 2
    assert repr(problem) == "<Problem of 3 nodes, 2 edges, 2 leaves>"
    large = meetjoin.random(12, 6, 8, 3).drawing()
    assert large.left_out is not None and large.left_out.startswith("the first 60 nodes; ") and large.left_out in large.svg
    assert problem.drawing(1).left_out == "the first 1 node; 2 edges lead to others"


def test_a_cycle_is_told_by_names() -> None:
    with pytest.raises(MeetjoinError, match="^the nodes form a cycle: 'top' -> 'b' -> 'top'$"):
        Problem.from_gates([("top", "or", ["b", "x"]), ("b", "and", ["top"])], {"x": 1})
    graph = networkx.DiGraph([(7, 8), (8, 7), (7, 9)])
    networkx.set_node_attributes(graph, {7: "or", 8: "and"}, "kind")
    networkx.set_node_attributes(graph, {9: 3}, "value")
    with pytest.raises(MeetjoinError, match="7 -> 8 -> 7|8 -> 7 -> 8"):
        Problem.from_networkx(graph, root=7)
    # Without names the numbers are all that there is.
    with pytest.raises(MeetjoinError, match="cycle: 0 -> 1 -> 0"):
        Problem.from_arrays([2, 1], [0, 1, 2], [1, 0], [])


@pytest.mark.parametrize(
    "lattice",
    [
        meetjoin.Families(3),
        meetjoin.Monotone(3),
        meetjoin.Dual(meetjoin.Families(3)),
        meetjoin.Dual(meetjoin.Monotone(3)),
        meetjoin.Dual(meetjoin.Dual(meetjoin.Families(3))),
        meetjoin.Product(meetjoin.Dual(meetjoin.Families(2)), meetjoin.Monotone(2)),
        meetjoin.Dual(meetjoin.Product(meetjoin.Families(2), meetjoin.Dual(meetjoin.Monotone(2)))),
        meetjoin.Dual(meetjoin.Free(2)),
    ],
    ids=repr,
)
def test_values_come_back_as_themselves(lattice: meetjoin.Lattice) -> None:
    """Bottom and top first: no set at all is not the empty set, and in a dual it is the other end."""
    bottom, top = lattice.bottom(), lattice.top()
    assert bottom != top
    for value in (bottom, top):
        problem = meetjoin.Problem.from_gates([("r", "or", ["a"])], {"a": value}, lattice=lattice)
        assert problem.solve().value == value
    assert (lattice.join(bottom, top), lattice.meet(bottom, top)) == (top, bottom)
    assert lattice.leq(bottom, top) and not lattice.leq(top, bottom)
    meetjoin.check_laws(lattice, [bottom, top])


TREE = [("top", "or", ["pump", "valve"])]
GRAPH = Problem.from_gates([("r", "or", ["a", "b"])], {"a": 1, "b": 2})
FAMILY = Problem.from_gates([("r", "or", ["a", "b"])], {"a": {frozenset({1})}, "b": {frozenset({2})}}, meetjoin.Families(2))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: GRAPH.solve(threads=None), "threads is None; it must be an integer"),
        (lambda: GRAPH.solve(threads=1.5), "threads is 1.5; it must be an integer"),
        (lambda: GRAPH.drawing(-1), "most is -1; it must be from 0 to"),
        (lambda: FAMILY.heaviest(-1), "top is -1; it must be from 0 to"),
        (lambda: FAMILY.heaviest(weights=[1, -2]), "the weight of world 2 is -2; it must be from 0 to 18446744073709551615"),
        (lambda: meetjoin.FaultTree.from_gates(TREE).cuts(limit_order=-1), "limit_order is -1; it must be from 1 to"),
        (lambda: meetjoin.FaultTree.from_gates(TREE).cuts(limit_order=2**40), "limit_order is 1099511627776; it must be from 1 to"),
        (lambda: meetjoin.FaultTree.from_gates(TREE).cuts(uncertainty=-1), "uncertainty is -1; it must be from 1 to 100000000"),
        (lambda: meetjoin.FaultTree.from_gates(TREE).cuts(uncertainty=10**30), "; it must be from 1 to 100000000"),
        (lambda: meetjoin.FaultTree.from_gates(TREE).cuts(seed=-1), "seed is -1; it must be from 0 to"),
        (lambda: meetjoin.FaultTree.from_gates(TREE).cuts(most_probable=10**30), "most_probable is 1000000000000000000000000000000; it must be from 1 to"),
        (lambda: meetjoin.FaultTree.from_gates(TREE).cuts(list=-1), "list is -1; it must be True or False"),
        (lambda: meetjoin.AttackTree("top = or a b").solve(list=3), "list is 3; it must be True or False"),
        (lambda: meetjoin.AttackTree("top = or a b").solve(cheapest=0), "cheapest is 0; it must be from 1 to"),
        (lambda: meetjoin.suit("AQ", "32", 300), "tricks: it is integer 300, and must be a number from 0 to 255"),
        (lambda: meetjoin.suit("AQ", "32", 1.5), "tricks: it is floating point 1.5, and must be a number from 0 to 255"),
        (lambda: meetjoin.suit("AQ", "32", vacant=(300, 0)), "vacant: it is integer 300, and must be a number from 0 to 255"),
        (lambda: meetjoin.suit("AQ", "32", west_length=3), "west_length: it is integer 3, and must be two numbers"),
        (lambda: meetjoin.suit("AQ", "32", entries=-1), "entries: it is integer -1, and must be a number from 0 to 255"),
        (lambda: Problem.from_arrays([2, 0], [0, 1, 1], [1], numpy.array([1]), root=-1), "root is -1; it must be from 0 to"),
        (lambda: Problem.from_arrays([2, 0], [0, 1, 1], [1], numpy.array([1]), root=0.5), "root is 0.5; it must be an integer"),
    ],
)
def test_a_number_that_is_none_of_its_argument_is_said_by_name(wrong: Any, sentence: str) -> None:
    with pytest.raises(MeetjoinError) as caught:
        wrong()
    assert sentence in str(caught.value)


def test_numbers_of_numpy_are_numbers() -> None:
    assert GRAPH.solve(threads=numpy.int64(1)).value == 2  # type: ignore[arg-type]
    assert FAMILY.heaviest(weights=list(numpy.array([1, 5]))).sets[0][0] == 5
    found = meetjoin.FaultTree.from_gates(TREE).cuts(limit_order=numpy.uint8(1), list=numpy.True_)  # type: ignore[arg-type]
    assert found.sets is not None and len(found.sets) == 2


@pytest.mark.parametrize(
    ("values", "lattice", "value"),
    [
        # Integers are decimals among decimals, and not the bits of some.
        (numpy.array([1, 3]), meetjoin.Chain(0.0, 4), 3.0),
        (numpy.array([2, 3], dtype=numpy.uint8), meetjoin.Chain(0, 4.5), 3.0),
        (numpy.array([2, 3], dtype=numpy.uint64), meetjoin.Chain(), 3),
        (numpy.array([2**64 - 1, 1], dtype=numpy.uint64), meetjoin.Powerset(64), frozenset(range(1, 65))),
        (numpy.array([False, True]), meetjoin.Bool(), True),
        (numpy.array([4, 6], dtype=numpy.int8), meetjoin.Divisors(12), 12),
    ],
)
def test_an_array_is_read_as_a_list_is(values: Any, lattice: meetjoin.Lattice, value: Any) -> None:
    problem = Problem.from_arrays([2, 0, 0], [0, 2, 2, 2], [1, 2], values, lattice)
    assert problem.solve().value == value
    again = Problem.from_arrays(*problem.to_arrays()[:3], problem.leaf_values(), lattice)
    assert again.solve().value == value


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: Problem.from_arrays([0], [0, 0], [], numpy.array([2**63], dtype=numpy.uint64)), "values has 9223372036854775808, and 64-bit integers go up to"),
        (lambda: Problem.from_arrays([0], [0, 0], [], numpy.array([2**60]), meetjoin.Chain(0.0)), "is not an integer up to 2^53 in size"),
        (lambda: Problem.from_arrays([0], [0, 0], [], numpy.array([5]), meetjoin.Bool()), "`5` is not `true` or `false`"),
        (lambda: Problem.from_arrays([0], [0, 0], [], numpy.array(["False"]), meetjoin.Bool()), "`\"False\"` is not `true` or `false`"),
        (lambda: Problem.from_arrays([0], [0, 0], [], numpy.array([-1]), meetjoin.Powerset(64)), "values has -1; a set of worlds is an unsigned integer"),
        (lambda: Problem.from_arrays([0], [0, 0], [], numpy.array([1.7]), meetjoin.Powerset(3)), "`1.7` is not an ascending list"),
        (lambda: Problem.from_arrays([0.7], [0, 0], [], numpy.array([1])), "kinds must be a list of 0 (leaf)"),
        (lambda: Problem.from_arrays(["leaf"], [0, 0], [], numpy.array([1])), "kinds must be a list of 0 (leaf)"),
        (lambda: Problem.from_gates([("r", "or", ["a"])], {"a": (1, 2, 3)}, meetjoin.Product("chain", "chain")), "`[1,2,3]` is not a list of 2 values"),
        (lambda: meetjoin.Product(meetjoin.Chain(), "bool").join((1, True, 5), (2, False)), "`[1,true,5]` is not a list of 2 values"),
        (lambda: meetjoin.Table([[1, 0.5], [0, 1]]), "an entry of the order is 0.5; it must be an integer"),
        (lambda: meetjoin.Table([[1, 1], [0, 1]], elements=["a", "b"]), "and not by both"),
        (lambda: meetjoin.Chain(math.nan), "lo is nan; it must be a number"),
        (lambda: meetjoin.Chain(0, math.inf), "hi is inf; it must be a number, and is left out where the chain has no end"),
        (lambda: meetjoin.Dual(5), "5 is no lattice"),
        (lambda: Problem.from_gates([("r", "or", ["a"])], {"a": 1}, None), "None is no lattice"),
        (lambda: Problem.from_gates([("r", "or", ["a"])], {"a": 1}, {}), "the lattice has no key `type`"),
        (lambda: Problem.from_gates([("r", "or", ["a"])], {"a": 1}, {"type": {1}}), "is none of problem files"),
    ],
)
def test_what_is_no_value_or_lattice_is_refused_and_not_bent(wrong: Any, sentence: str) -> None:
    with pytest.raises(MeetjoinError) as caught:
        wrong()
    assert sentence in str(caught.value)


def test_a_chain_of_integers_is_none_of_decimals() -> None:
    assert meetjoin.Chain(0, 10) == meetjoin.Chain(0, 10) and hash(meetjoin.Chain(0, 10)) == hash(meetjoin.Chain(0, 10))
    assert meetjoin.Chain(0, 10) != meetjoin.Chain(0.0, 10.0)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: GRAPH.strategy(player="min"), "player is 'min'; it must be 'MAX' or 'MIN'"),
        (lambda: GRAPH.trace(), "0 algorithms are named, and a page shows one search, or two"),
        (lambda: Problem.from_gates([("t", ("or",), ["a"])], {"a": 1}), "gate 't' is of kind ('or',); it must be \"and\" or \"or\""),  # type: ignore[list-item]
        (lambda: Problem.from_networkx(networkx.path_graph(2)), "a graph of type Graph is no directed graph of networkx"),
        (lambda: meetjoin.packets({"nodes": [{"value": {1, 2}}]}), "the dictionary is no problem file: Object of type set"),
        (lambda: meetjoin.check_laws(meetjoin.Powerset(2), [{1}], most=0), "most is 0; it must be from 1 to"),
    ],
)
def test_a_slip_is_said_in_a_sentence(wrong: Any, sentence: str) -> None:
    with pytest.raises(MeetjoinError) as caught:
        wrong()
    assert sentence in str(caught.value)


def test_a_name_larger_than_those_of_files_is_written_as_text() -> None:
    problem = Problem.from_gates([(2**70, "or", [2**63 - 1, 2**63])], {2**63 - 1: 3, 2**63: 4})
    again = Problem.from_json(problem.to_json())
    moves = again.solve(moves=True).moves
    assert moves is not None and [move.child for move in moves] == [2**63 - 1, str(2**63)]


@pytest.mark.parametrize(
    ("values", "lattice", "other", "value"),
    [
        (numpy.array([1, 3]), meetjoin.Chain(), meetjoin.Chain(0.0, 9), 3.0),
        (numpy.array([1, 3]), meetjoin.Chain(), meetjoin.Dual("chain"), 1),
        (numpy.array([2, 3]), meetjoin.Chain(), meetjoin.Divisors(6), 6),
        (numpy.array([0.5, 3.0]), meetjoin.Chain(), meetjoin.Chain(0), 3.0),
        (numpy.array([3, 4], dtype=numpy.uint64), meetjoin.Powerset(3), meetjoin.Powerset(4), frozenset({1, 2, 3})),
        (numpy.array([3, 4], dtype=numpy.uint64), meetjoin.Powerset(3), meetjoin.Dual(meetjoin.Powerset(3)), frozenset()),
        (numpy.array([3, 4], dtype=numpy.uint64), meetjoin.Powerset(3), meetjoin.Powerset(70), frozenset({1, 2, 3})),
        (numpy.array([False, True]), meetjoin.Bool(), meetjoin.Dual("bool"), False),
    ],
)
def test_values_of_an_array_over_another_lattice_are_the_same(values: Any, lattice: Any, other: Any, value: Any) -> None:
    problem = Problem.from_arrays([2, 0, 0], [0, 2, 2, 2], [1, 2], values, lattice)
    assert problem.solve(lattice=other).value == value


def test_values_of_an_array_that_another_lattice_lacks_are_refused() -> None:
    numbers = Problem.from_arrays([2, 0, 0], [0, 2, 2, 2], [1, 2], numpy.array([1, 3]))
    for other in (meetjoin.Powerset(3), meetjoin.Bool()):
        with pytest.raises(MeetjoinError, match="`1` is not"):
            numbers.over(other)
