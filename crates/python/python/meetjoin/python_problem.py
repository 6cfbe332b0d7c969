"""Graphs with all their nodes over lattices written in Python."""

from __future__ import annotations

from typing import Any, Hashable, Mapping, Sequence

from . import drawing, result
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
        return f"PythonProblem({len(self._rows.rows)} gates over {self.lattice!r})"


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
        raise MeetjoinError(f"{node!r} is no gate and has no value")

    def children(self, node: Any) -> Sequence[Hashable]:
        return self.rows[node][1]

    def leaf(self, node: Any) -> Any:
        return self.values[node]
