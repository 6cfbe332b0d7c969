"""Bridge suits, packets, signals, and what the package says of itself."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy
import pytest

import meetjoin
from meetjoin import MeetjoinError, Problem


def test_suits() -> None:
    table = meetjoin.suit("AQT98", "5432")
    assert table.chances[4] == Fraction(476, 575) and "average" in table.chances
    one = meetjoin.suit("AQT98", "5432", 4, leads=True)
    assert one.chances == {4: Fraction(476, 575)} and one.stop is None
    # The name that the command has for it, and no other.
    assert meetjoin.suit("AQT98", "5432", tricks=4).chances == one.chances
    with pytest.raises(MeetjoinError, match='suit has no option "trick"; did you mean "tricks"?'):
        meetjoin.suit("AQT98", "5432", trick=4)
    assert one.data["leads"] and "ace" in str(one)
    assert meetjoin.suit("AQT98", "5432", "average").chances["average"] == table.chances["average"]
    # Every option of the command.
    best = meetjoin.suit("AJ9", "K32", 3, top=2, page=True, picture=True)
    assert len(best.data["top"]) >= 2 and best.page and best.picture
    assert "<html" in best.page and best.picture.startswith("<svg")
    assert meetjoin.suit("AQT98", "5432", matchpoints=True).data["compare"] == "matchpoints"
    assert meetjoin.suit("AJ9", "K82", 3, imps="3NT", vacant=(9, 11)).data["compare"] == "imps"
    assert meetjoin.suit("AQT98", "5432", 4, lead="S2").chances == one.chances
    for wrong, part in [
        (lambda: meetjoin.suit("AQ1", "5432"), "1"),
        (lambda: meetjoin.suit("AQ", "A2"), "A"),
        (lambda: meetjoin.suit("AQ", "32", 9), "9 tricks"),
        (lambda: meetjoin.suit("AQ", "32", "most"), "most"),
        (lambda: meetjoin.suit("AQ", "32", 0), "0 tricks"),
        (lambda: meetjoin.suit("AQ", "32", 1, average=True), "average: it cannot be used with tricks"),
        (lambda: meetjoin.suit("AQ", "32", 1, matchpoints=True), "tricks: it cannot be used with matchpoints"),
        (lambda: meetjoin.suit("AQ", "32", imps="3NT"), "imps: it needs tricks"),
        (lambda: meetjoin.suit("AQ", "32", 1, imps="3NT", page=True), "page: it cannot be used with imps"),
        (lambda: meetjoin.suit("AQ", "32", lead="S2", leads=True), "leads: it cannot be used with lead"),
        (lambda: meetjoin.suit("AQ", "32", matchpoints=True, imps="3NT"), "imps: it cannot be used with matchpoints"),
    ]:
        with pytest.raises(MeetjoinError) as caught:
            wrong()
        assert part in str(caught.value)


def test_packets() -> None:
    nodes: list[dict[str, Any]] = [
        {"id": "r", "kind": "or", "children": ["safe", "free"]},
        {"id": "safe", "kind": "leaf", "value": [2, 2]},
        {"id": "free", "kind": "and", "children": [1, 2]},
        {"id": 1, "kind": "leaf", "value": [0, 5]},
        {"id": 2, "kind": "leaf", "value": [5, 0]},
    ]
    for algorithm in ["bottom-up", "procedure-f-shallow", "procedure-f-deep"]:
        found = meetjoin.packets({"lattice": {"type": "dominance", "dims": 2}, "root": "r", "nodes": nodes}, algorithm)
        safe, free = frozenset({frozenset({(2, 2)})}), frozenset({frozenset({(0, 5), (5, 0)})})
        assert found.packets == safe | free and found.moves == (("safe", safe), ("free", free))
    with pytest.raises(MeetjoinError, match="there are bottom-up"):
        meetjoin.packets({}, "magic")


def test_another_lattice_and_arrays_out() -> None:
    problem = Problem.from_gates([("t", "or", ["a", "b"])], {"a": 4, "b": 6})
    assert problem.solve().value == 6
    assert problem.solve(lattice=meetjoin.Divisors(12)).value == 12
    assert problem.solve(lattice=meetjoin.Dual(meetjoin.Chain())).value == 4
    kinds, offsets, children, root = problem.to_arrays()
    again = Problem.from_arrays(kinds, offsets, children, numpy.array([4, 6]), root=root)
    assert again.solve().value == 6
    described = {"lattice": {"type": "chain"}, "root": 1, "nodes": [{"id": 1, "kind": "leaf", "value": 6}]}
    assert Problem.from_dict(described).solve(lattice=meetjoin.Divisors(12)).value == 6
    assert problem.solve(threads=2).value == 6
    with pytest.raises(MeetjoinError, match="from 1 to 1024"):
        problem.solve(threads=0)
    with pytest.raises(MeetjoinError, match="runs on one thread"):
        problem.solve("nega-scout", threads=2)
    lattice = pickle.loads(pickle.dumps(meetjoin.Product(meetjoin.Bool(), meetjoin.Powerset(2))))
    assert lattice.join((False, {1}), (True, {2})) == (True, frozenset({1, 2}))


def interrupted(program: str) -> None:
    """Runs a program that says when it has begun, and presses Ctrl-C half a second later."""
    # Whoever starts the tests in the background has their signals ignored, and so have their children.
    program = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" + program
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "begun\n"
            try:
                process.wait(0.5)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=10)[0] == "kept True\n"
        finally:
            process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_leaves_bounds() -> None:
    program = """
import meetjoin
problem = meetjoin.racing(20, 6, [2, 5, 7, 9, 11, 13, 15], 3, families=True)
print("begun", flush=True)
answer = problem.solve("minimax")
assert answer.stop == "cancelled" and not answer.exact, answer
print("kept", answer.stats.visits > 0)
"""
    interrupted(program)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_a_game_written_in_python() -> None:
    program = """
import meetjoin

class Long(meetjoin.Game):
    def root(self): return 0
    def kind(self, node): return "or" if node & 1 else "and"
    def children(self, node): return [2 * node + 1, 2 * node + 2]
    def leaf(self, node): return 0

print("begun", flush=True)
answer = meetjoin.solve_game(Long(), meetjoin.Bool(), "minimax-cached")
assert answer.stop == "cancelled" and (answer.lower, answer.upper) == (False, True), answer
print("kept", answer.stats.visits > 0)
"""
    interrupted(program)


def test_a_bar_where_tqdm_is(capsys: Any) -> None:
    pytest.importorskip("tqdm")
    problem = meetjoin.racing(16, 5, [2, 5, 7, 9, 11, 13], 3, families=True)
    assert problem.solve("minimax", time_limit=0.3, progress=True).stop == "time"
    assert "visits" in capsys.readouterr().err


def test_results_can_be_pickled_and_are_rows_of_tables() -> None:
    tree = meetjoin.FaultTree.from_gates([("t", "or", ["a", "b"])], {"a": 0.5, "b": 0.25})
    families = meetjoin.racing(8, 2, [2, 5, 7], 3, families=True)
    packets = meetjoin.packets({"lattice": {"type": "dominance", "dims": 2}, "root": 1, "nodes": [{"id": 1, "kind": "leaf", "value": [0, 5]}]})
    results: list[Any] = [
        families.solve(moves=True),
        families.prove([1, 3, 4], max_visits=0),
        families.heaviest(strategy=True),
        families.strategy(),
        tree.cuts(list=True, importance=True),
        meetjoin.suit("AQ", "32"),
        packets,
        meetjoin.Powerset(3),
        families.drawing().svg,
    ]
    for result in results:
        again = pickle.loads(pickle.dumps(result))
        assert repr(again) == repr(result) and len(repr(result)) < 40_000
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(results[0].moves)
    assert list(table["child"]) == [move.child for move in results[0].moves] and "value" in table
    assert list(pandas.DataFrame(results[4].importance)["event"]) == ["a", "b"]


def test_what_the_package_says_of_itself() -> None:
    import ast
    import inspect
    from pathlib import Path

    manifests = [Path(__file__).resolve().parents[up] / "Cargo.toml" for up in (1, 3)]
    versions = [line.split('"')[1] for manifest in manifests for line in manifest.read_text().splitlines() if line.startswith("version = ")]
    assert versions == [meetjoin.__version__] * 2, "that of the crates"
    for name in meetjoin.__all__:
        of = getattr(meetjoin, name)
        if name == "__version__":
            continue
        assert inspect.getdoc(of), name
        for member, value in vars(of).items() if inspect.isclass(of) else ():
            if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod, staticmethod))):
                assert inspect.getdoc(getattr(of, member)), (name, member)
    # Every argument that limits, with its unit, wherever there are arguments to be described.
    assert "seconds" in (inspect.getdoc(meetjoin.Problem.solve) or "") and "bytes" in (inspect.getdoc(meetjoin.Problem.solve) or "")
    assert ast.get_docstring(ast.parse(inspect.getsource(meetjoin)))


def test_importing_is_fast() -> None:
    program = "from time import process_time as now; a = now(); import meetjoin; print(now() - a)"
    times = [float(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout) for _ in range(5)]
    assert min(times) < 0.1, "benches/speed.py has the figure and its aim"
