"""Graphs with all their nodes over lattices written in Python."""

from __future__ import annotations

from typing import Any, Hashable, Mapping, Sequence

from . import _meetjoin, drawing, result
from ._meetjoin import MeetjoinError
from .game import Game, solve_game
from .lattice import Lattice


class PythonProblem:
    """A graph with all its nodes over a lattice written in Python."""

    def __init__(self, rows: Rows, lattice: Lattice) -> None:
        self._rows = rows
        self.lattice = lattice

    def solve(self, algorithm: str | None = None, **limits: Any) -> result.Answer:
        """As ``solve_game``."""
        return solve_game(self._rows, self.lattice, algorithm, **limits)

    def drawing(self, most: int = drawing.MOST_NODES) -> drawing.Drawing:
        """As of ``Problem``."""
        return self._rows.drawing(most)

    def _repr_svg_(self) -> str:
        return self.drawing().svg

    def __repr__(self) -> str:
        return f"<PythonProblem of {len(self._rows.rows)} gates over {self.lattice!r}>"


class Rows(Game):
    """Gates as a game."""

    def __init__(self, rows: Mapping[Hashable, tuple[str, Sequence[Hashable]]], values: Mapping[Any, Any], root: Hashable) -> None:
        self.rows: dict[Hashable, tuple[str, Sequence[Hashable]]] = dict(rows)
        self.values: dict[Any, Any] = dict(values)
        self._root = root

    def root(self) -> Hashable:
        return self._root

    def kind(self, node: Any) -> str:
        if node in self.rows:
            return self.rows[node][0]
        if node in self.values:
            return "leaf"
        raise undefined(node, self.rows, self.values)

    def children(self, node: Any) -> Sequence[Hashable]:
        return self.rows[node][1]

    def leaf(self, node: Any) -> Any:
        return self.values[node]


def undefined(name: Any, rows: Mapping[Any, tuple[Any, Sequence[Any]]], values: Mapping[Any, Any]) -> MeetjoinError:
    """The error about an argument of a gate that is neither a gate nor has a value."""
    users = (f"gate {gate!r} has the argument {name!r}: " for gate, (_, children) in rows.items() if name in children)
    meant = _meetjoin.meant(str(name), [known for known in (*rows, *values) if isinstance(known, str)])
    return MeetjoinError(f"{next(users, '')}{name!r} is no gate and has no value{meant}")
