"""Drawings of graphs and lattices, for notebooks: OR nodes are squares, AND nodes circles, leaves
plain text. The compiled module makes them."""

from __future__ import annotations

MOST_NODES = 60
"""Nodes of a graph that are drawn: the first that a breadth-first walk meets."""
MOST_ELEMENTS = 64
"""Elements of a lattice that are drawn."""


class Drawing:
    """A drawing that notebooks show. ``svg`` is its text; ``left_out`` says what is not drawn, and
    is shown below the drawing."""

    def __init__(self, svg: str, left_out: str | None) -> None:
        self.svg: str = svg
        self.left_out: str | None = left_out

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing of {len(self.svg)} characters of SVG{'' if self.left_out is None else ', ' + self.left_out}>"
