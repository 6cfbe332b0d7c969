"""Fault trees, against enumeration in Python."""

from __future__ import annotations

import itertools
import math
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import meetjoin
from meetjoin import FaultTree, MeetjoinError, Problem

EVENTS = "abcdef"


@st.composite
def trees(draw: Any) -> list[tuple[str, Any, list[str]]]:
    """Coherent gates, the first being the top."""
    count = draw(st.integers(1, 5))
    gates = []
    for gate in range(count):
        below = [f"gate {later}" for later in range(gate + 1, count)] + list(EVENTS)
        arguments = draw(st.lists(st.sampled_from(below), min_size=2, max_size=4, unique=True))
        kind = draw(st.sampled_from(["and", "or", ("atleast", 2)]))
        gates.append((f"gate {gate}", kind, arguments))
    return gates


def holds(gates: list[tuple[str, Any, list[str]]], events: frozenset[str]) -> bool:
    known = {event: event in events for event in EVENTS}
    for name, kind, arguments in reversed(gates):
        true = sum(known[argument] for argument in arguments)
        known[name] = true >= {"and": len(arguments), "or": 1}.get(kind, 2)
    return known[gates[0][0]]


@settings(max_examples=150, deadline=None)
@given(gates=trees(), numbers=st.lists(st.floats(0.01, 0.99), min_size=6, max_size=6))
def test_against_enumeration(gates: list[tuple[str, Any, list[str]]], numbers: list[float]) -> None:
    of = dict(zip(EVENTS, numbers))
    subsets = [frozenset(s) for size in range(7) for s in itertools.combinations(EVENTS, size)]
    top = [events for events in subsets if holds(gates, events)]
    minimal = {events for events in top if not any(other < events for other in top)}
    probability = sum(math.prod(of[e] if e in events else 1 - of[e] for e in EVENTS) for events in top)
    tree = FaultTree.from_gates(gates, of)
    found = pickle.loads(pickle.dumps(tree)).cuts(list=True, importance=True)
    assert found.sets is not None and set(found.sets) == minimal
    assert found.count == len(minimal) == sum(found.by_order)
    assert found.probability == pytest.approx(probability)
    best = tree.cuts(most_probable=1)
    assert best.sets is not None and best.set_probabilities is not None
    if minimal:
        assert best.set_probabilities[0] == pytest.approx(max(math.prod(of[e] for e in events) for events in minimal))
    small = tree.cuts(limit_order=2)
    assert small.count == sum(len(events) <= 2 for events in minimal)


def test_files_and_negations(tmp_path: Any) -> None:
    text = "top = or a both\nboth = and b c\na = 0.1\nb = 0.2\nc = 0.5\n"
    path = tmp_path / "tree.txt"
    path.write_text(text)
    found = FaultTree.from_file(path).cuts(list=True)
    assert found.sets == (frozenset("a"), frozenset("bc"))
    assert found.probability == pytest.approx(1 - 0.9 * 0.9)
    primes = FaultTree.from_gates([("t", "xor", [1, 2])]).cuts("prime-implicants", list=True)
    assert primes.sets is not None
    assert set(primes.sets) == {frozenset({1, ("not", 2)}), frozenset({2, ("not", 1)})}


OPEN_PSA = """<opsa-mef><define-fault-tree name="T">
  <define-gate name="top"><or><basic-event name="a"/><gate name="both"/></or></define-gate>
  <define-gate name="both"><and><basic-event name="b"/><basic-event name="c"/></and></define-gate>
  <define-basic-event name="a"><float value="0.1"/></define-basic-event>
  <define-basic-event name="b"><float value="0.2"/></define-basic-event>
  <define-basic-event name="c"><float value="0.5"/></define-basic-event>
</define-fault-tree></opsa-mef>"""


def test_a_fault_tree_as_a_problem(tmp_path: Any) -> None:
    path = tmp_path / "tree.xml"
    path.write_text(OPEN_PSA)
    problem = Problem.from_open_psa(path)
    assert problem.solve().value == frozenset({frozenset({1}), frozenset({2, 3})})
    for again in (problem, pickle.loads(pickle.dumps(problem))):
        found = again.cuts(list=True, importance=True)
        assert set(found.sets or ()) == {frozenset("a"), frozenset("bc")}
        assert found.probability == pytest.approx(1 - 0.9 * 0.9) and found.importance is not None
    saved = tmp_path / "tree.mj"
    problem.save(saved)
    assert Problem.from_file(saved).solve().value == problem.solve().value
    assert problem.solve(lattice=meetjoin.Monotone(7)).value == problem.solve().value
    gates = Problem.from_gates([("top", "or", ["a", "both"]), ("both", "and", ["b", "c"])], {"a": True, "b": True, "c": False}, "bool")
    assert isinstance(gates, Problem) and set(gates.cuts(list=True).sets or ()) == {frozenset("a"), frozenset("bc")}
    path.write_text("<a/>")
    with pytest.raises(MeetjoinError, match="tree.xml: .*line 1"):
        Problem.from_open_psa(path)


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        (lambda: FaultTree("top = of"), "line 1"),
        (lambda: FaultTree("<a/>"), "line 1"),
        (lambda: FaultTree.from_gates([]), "at least one gate"),
        (lambda: FaultTree.from_gates([("t", "sometimes", ["a"])]), "sometimes"),
        (lambda: FaultTree.from_gates([("t", "or", ["t", "a"])]), "t"),
        (lambda: FaultTree.from_gates([("t", "or", ["a", "b"])], {"a": 2.0}), "2"),
        (lambda: FaultTree.from_gates([("t", "or", ["a", "b"])]).cuts("magic"), "prime-implicants"),
        (lambda: FaultTree.from_gates([("t", "or", ["a", "b"])]).cuts(importance=True), "no probability"),
        (lambda: FaultTree.from_gates([("t", "or", ["a", "b"])], {"a": 0.1}).cuts(importance=True), "(e2 is 'b')"),
        (lambda: FaultTree.from_gates([("t", "or", ["a", "b"])], {"a": 0.1, "bb": 0.2}), "'bb' has a probability, and no gate mentions it; 'b' has none"),
    ],
)
def test_what_is_wrong_is_one_sentence(wrong: Any, part: str) -> None:
    with pytest.raises(MeetjoinError) as caught:
        wrong()
    assert part in str(caught.value)


COOLING = Path(__file__).parents[3] / "examples" / "cooling.xml"


def test_models_in_files(tmp_path: Path) -> None:
    tree = tmp_path / "tree.xml"
    data = tmp_path / "data.xml"
    tree.write_text('<opsa-mef><define-fault-tree name="t"><define-gate name="top"><and><event name="a"/><event name="b"/></and></define-gate></define-fault-tree></opsa-mef>')
    data.write_text(
        '<opsa-mef><model-data><define-basic-event name="a"><exponential><float value="0.01"/><system-mission-time/></exponential></define-basic-event>'
        '<define-basic-event name="b"><float value="0.5"/></define-basic-event></model-data></opsa-mef>'
    )
    model = FaultTree.from_files([data, tree])
    assert model.cuts(mission_time=100.0).probability == pytest.approx(0.5 * (1 - math.exp(-1)))
    again = pickle.loads(pickle.dumps(model))
    assert again.cuts().count == 1


def test_what_is_asked_of_a_model() -> None:
    model = FaultTree.from_file(COOLING)
    found = model.cuts(ccf=True, uncertainty=2000, time_step=4380.0, sil=True, importance=True)
    assert found.uncertainty is not None and found.uncertainty.trials == 2000
    assert found.curve is not None and [time for time, _ in found.curve] == [0, 4380, 8760]
    assert found.sil is not None and found.sil["pfd_average"] == found.pfd_average
    assert isinstance(found.pfd_average, float) and isinstance(found.probability, float)
    assert 0 < found.pfd_average < found.probability
    assert found.importance is not None and found.importance[0].diagnostic > 0
    sequences = model.sequences(ccf=True, list=True)
    assert [sequence.name for sequence in sequences] == ["safe", "wet", "damage"]
    assert sum(sequence.probability or 0 for sequence in sequences) == pytest.approx(1)
    assert sequences[2].sets is not None and len(sequences[2].sets) == sequences[2].count
    with pytest.raises(MeetjoinError, match="no group"):
        FaultTree("top = or a b").cuts(ccf=True)
    with pytest.raises(MeetjoinError, match="cut_off 2 is no probability"):
        FaultTree("top = or a b").cuts(cut_off=2)


@pytest.mark.parametrize("probability", [math.nan, None, "often", 10**400])
def test_what_is_no_probability_is_said_with_its_event(probability: Any) -> None:
    with pytest.raises(MeetjoinError, match="the probability of 'pump' is .*; it must be a number"):
        FaultTree.from_gates([("top", "or", ["pump", "b"])], {"pump": probability, "b": 0.5})


LATIN = "top = or pump ventil\nventil = or dr\u00fcck ring\n".encode("latin-1")


def test_a_file_in_another_encoding_is_said_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "tree.txt"
    path.write_bytes(LATIN)
    for read in (FaultTree.from_file, Problem.from_open_psa, lambda path: FaultTree.from_files([path])):
        with pytest.raises(MeetjoinError, match=r"invalid UTF-8 in this line \(line 2 column 1\)"):
            read(path)
    path.write_bytes(b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<opsa-mef/>')
    with pytest.raises(MeetjoinError, match='tree.xml|tree.txt: the encoding "iso-8859-1" is not read here'):
        FaultTree.from_file(path)
    with pytest.raises(MeetjoinError, match="invalid UTF-8 from byte"):
        meetjoin.AttackTree(LATIN)
    # With the mark of a file in UTF-8, and of Windows.
    path.write_bytes(b"\xef\xbb\xbftop = or a b\r\n")
    assert FaultTree.from_file(path).cuts().count == 2
    problem = '\ufeff{"format":"meetjoin-problem/1","lattice":{"type":"bool"},"root":1,"nodes":[{"id":1,"kind":"or","children":[2,3]},{"id":2,"kind":"leaf","value":"a"},{"id":3,"kind":"leaf","value":"b"}]}'
    for tree in (FaultTree, meetjoin.AttackTree):
        with pytest.raises(MeetjoinError, match='node 2: the value `"a"` is not'):
            tree(problem)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: FaultTree.from_gates([("t", ("exactly", 2), ["a", "b", "c"])]), "gate 't' is of kind ('exactly', 2)"),  # type: ignore[list-item]
        (lambda: FaultTree.from_gates([("t", ("atleast",), ["a", "b"])]), "gate 't' is of kind ('atleast',)"),  # type: ignore[list-item]
        (lambda: FaultTree.from_gates([("t", ("atleast", 1.5), ["a", "b"])]), "k of gate 't' is 1.5; it must be an integer"),  # type: ignore[list-item]
        (lambda: FaultTree(5), "5 is of type int; a file is given as text, or as its bytes"),  # type: ignore[arg-type]
        (lambda: FaultTree("top = or a \ud800"), "invalid UTF-8 in this line (line 1"),
        (lambda: FaultTree.from_files("tree.xml"), "'tree.xml' is one file; from_file takes one"),
        (lambda: Problem.from_json(None), "None is of type NoneType; a file is given as text"),  # type: ignore[arg-type]
        (lambda: Problem.from_dict({"nodes": [{"value": {1}}]}), "the dictionary is no problem file: Object of type set"),
    ],
)
def test_what_is_no_tree_or_file_is_refused_and_not_guessed(wrong: Any, sentence: str) -> None:
    with pytest.raises(MeetjoinError) as caught:
        wrong()
    assert sentence in str(caught.value)


def test_what_is_said_of_the_top_is_not_asked_of_paths() -> None:
    tree = FaultTree.from_gates([("top", "or", ["a", "b"])], {"a": 0.1, "b": 0.2})
    assert tree.cuts("paths").probability == pytest.approx(0.28)
    for options in ({"importance": True}, {"time_step": 100.0}, {"uncertainty": 10}):
        with pytest.raises(MeetjoinError, match="asked of cuts, and not of paths"):
            tree.cuts("paths", **options)
