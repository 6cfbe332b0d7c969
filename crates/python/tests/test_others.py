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
    assert one.data["leads"] and "ace" in repr(one)
    assert meetjoin.suit("AQT98", "5432", "average").chances["average"] == table.chances["average"]
    for wrong, part in [
        (lambda: meetjoin.suit("AQ1", "5432"), "1"),
        (lambda: meetjoin.suit("AQ", "A2"), "A"),
        (lambda: meetjoin.suit("AQ", "32", 9), "9 tricks"),
        (lambda: meetjoin.suit("AQ", "32", "most"), "most"),
        (lambda: meetjoin.suit("AQ", "32", 0), "from 1"),
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
    with pytest.raises(MeetjoinError, match="at least one"):
        problem.solve(threads=0)
    with pytest.raises(MeetjoinError, match="runs on one thread"):
        problem.solve("nega-scout", threads=2)
    lattice = pickle.loads(pickle.dumps(meetjoin.Product(meetjoin.Bool(), meetjoin.Powerset(2))))
    assert lattice.join((False, {1}), (True, {2})) == (True, frozenset({1, 2}))


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
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        try:
            process.wait(0.5)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=10)[0] == "kept True\n"


def test_what_the_package_says_of_itself() -> None:
    assert meetjoin.__version__ == "0.1.0"
    missing = [name for name in meetjoin.__all__ if not getattr(meetjoin, name).__doc__ and name != "__version__"]
    assert not missing
