"""Problem files of both kinds."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy
import pytest

import meetjoin
from meetjoin import MeetjoinError, Problem

GATES = [("top", "or", ["a", ("b", 1)]), (("b", 1), "and", ["a", 7])]
VALUES = {"a": 3, 7: 9}
NODES = [
    {"id": 1, "kind": "or", "children": [2, 3]},
    {"id": 2, "kind": "leaf", "value": [1, 2]},
    {"id": 3, "kind": "leaf", "value": [4]},
]
DESCRIBED: dict[str, Any] = {"lattice": {"type": "powerset", "v": 4}, "root": 1, "nodes": NODES}


def problems() -> dict[str, Any]:
    return {
        "gates": Problem.from_gates(GATES, VALUES),
        "dict": Problem.from_dict(DESCRIBED),
        "game": meetjoin.random(5, 3, 8, 2),
        "arrays": Problem.from_arrays([2, 0, 0], [0, 2, 2, 2], [1, 2], numpy.array([2.5, -1.0])),
        "families": Problem.from_gates([("t", "or", ["x", "y"])], {"x": {frozenset({1})}, "y": frozenset()}, meetjoin.Families(70)),
    }


@pytest.mark.parametrize("name", problems())
@pytest.mark.parametrize("ending", ["json", "mj"])
@pytest.mark.parametrize("trust", [False, True])
def test_what_is_saved_is_read(name: str, ending: str, trust: bool, tmp_path: Path) -> None:
    problem = problems()[name]
    path = tmp_path / f"problem.{ending}"
    problem.save(path)
    assert os.listdir(tmp_path) == [path.name]
    again = Problem.from_file(path, trust=trust)
    expected = problem.solve().value
    assert again.solve().value == expected
    moves = [move.value for move in problem.solve(moves=True).moves]
    assert [move.value for move in again.solve(moves=True).moves or ()] == moves
    # What is pickled needs no file.
    pickled = pickle.dumps(again)
    again.to_file(str(tmp_path / "other.mj"))
    again.to_file(path)
    read = Problem.from_file(path)
    assert read.solve().value == expected and Problem.from_file(tmp_path / "other.mj").solve().value == expected
    assert Problem.from_json(read.to_json()).solve().value == expected == Problem.from_json(read.to_bytes()).solve().value
    del again, read
    path.unlink()
    unpickled = pickle.loads(pickled)
    assert unpickled.solve().value == expected and unpickled.verify(unpickled.certificate())["exact"]
    assert repr(unpickled).startswith("<Problem of ") and unpickled._repr_svg_()


def test_names_and_certificates_outlive_a_file(tmp_path: Path) -> None:
    problem = Problem.from_gates(GATES, VALUES)
    path = tmp_path / "gates.mj"
    problem.save(path)
    opened = Problem.from_file(path)
    moves = opened.solve(moves=True).moves
    assert moves is not None and [move.child for move in moves] == ["a", "('b', 1)"]
    assert [node["id"] for node in json.loads(problem.to_json())["nodes"]] == ["top", "a", "('b', 1)", 7]
    # A certificate is one of the text that it was made for.
    assert Problem.from_json(problem.to_json()).verify(problem.certificate())["exact"]
    assert Problem.from_json(opened.to_json()).verify(opened.certificate())["exact"]
    assert opened.over(meetjoin.Divisors(9)).solve().value == 3
    assert opened.solve(lattice=meetjoin.Dual(meetjoin.Chain())).value == 3
    with pytest.raises(MeetjoinError, match="same name"):
        Problem.from_gates([("t", "or", [("x",), "('x',)"])], {("x",): 1, "('x',)": 2}).save(path)
    assert Problem.from_file(path).solve().value == 3


def test_a_file_that_is_damaged_or_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "p.mj"
    Problem.from_dict(DESCRIBED).save(path)
    data = bytearray(path.read_bytes())
    for place in range(0, len(data), 7):
        changed = bytearray(data)
        changed[place] ^= 0x55
        (tmp_path / "q.mj").write_bytes(changed)
        try:
            assert Problem.from_file(tmp_path / "q.mj").solve().value == frozenset({1, 2, 4})
        except MeetjoinError as error:
            assert "\n" not in str(error)
        try:
            Problem.from_file(tmp_path / "q.mj", trust=True).solve()
        except MeetjoinError:
            pass
    for size in (0, 3, 8, 40, len(data) - 1):
        (tmp_path / "q.mj").write_bytes(data[:size])
        with pytest.raises(MeetjoinError, match="q.mj"):
            Problem.from_file(tmp_path / "q.mj")
    with pytest.raises(OSError):
        Problem.from_dict(DESCRIBED).save(tmp_path / "no folder" / "p.mj")
    with pytest.raises(OSError):
        Problem.from_dict(DESCRIBED).save(tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["p.mj", "q.mj"]
