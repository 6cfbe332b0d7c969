"""Drawings of graphs and lattices, for notebooks. Where things are is worked out by the compiled module, as for the pages of ``trace``."""

from __future__ import annotations

from typing import Mapping, Sequence

MOST_NODES = 60
"""Nodes of a graph that are drawn: the first that a breadth-first walk meets."""
MOST_ELEMENTS = 64
"""Elements of a lattice that are drawn."""

Place = tuple[float, float]

_STYLE = "rect{fill:#fff;stroke:#333}line{stroke:#999}text{font:12px sans-serif;text-anchor:middle;fill:#000}"
_LINE = 18
"""What a line of text below a drawing takes."""


class Drawing:
    """A drawing that notebooks show. ``svg`` is its text; ``left_out`` says what is not drawn, and stands below the drawing too."""

    def __init__(self, svg: str, left_out: str | None) -> None:
        self.svg: str = svg
        self.left_out: str | None = left_out

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Drawing({len(self.svg)} characters of SVG{'' if self.left_out is None else ', ' + self.left_out})"


def _escape(text: str) -> str:
    from html import escape  # not before, so that importing the package is fast

    return escape(text)


def _short(text: str) -> str:
    return text if len(text) <= 9 else text[:8] + "…"


def _box(place: Place, name: str, title: str, shape: str) -> str:
    x, y = place
    return (
        f'<g><title>{_escape(title)}</title><rect x="{x - 30:.0f}" y="{y - 14:.0f}" width="60" height="28"{shape}/>'
        f'<text x="{x:.0f}" y="{y + 4:.0f}">{_escape(_short(name))}</text></g>'
    )


def _svg(
    size: tuple[float, float], title: str, places: Sequence[Place], edges: Sequence[tuple[int, int]], boxes: Sequence[str], left_out: str | None, dashed: bool = False
) -> Drawing:
    """Lines between places, boxes on them, and what is left out below."""
    width, height = max(size[0], 320.0 if left_out else 64.0), size[1] + (_LINE if left_out else 0)
    shift = (width - size[0]) / 2
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    lines = [
        f'<line x1="{places[a][0]:.0f}" y1="{places[a][1]:.0f}" x2="{places[b][0]:.0f}" y2="{places[b][1]:.0f}"{dashes}/>' for a, b in edges
    ]
    note = f'<text x="{width / 2:.0f}" y="{height - 6:.0f}">{_escape(left_out)}</text>' if left_out else ""
    return Drawing(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" role="img" aria-label="{_escape(title)}">'
        f'<title>{_escape(title)}</title><style>{_STYLE}</style><g transform="translate({shift:.0f} 0)">{"".join(lines)}{"".join(boxes)}</g>{note}</svg>',
        left_out,
    )


def graph(
    nodes: Sequence[tuple[str, str, str | None]], edges: Sequence[tuple[int, int]], places: Sequence[Place], size: tuple[float, float], hidden: int
) -> Drawing:
    """Nodes by kind, name and value (of leaves): OR nodes are round, AND nodes square, leaves dashed. ``hidden`` edges lead to nodes that are not drawn."""
    shapes: Mapping[str, str] = {"and": "", "or": ' rx="14"', "leaf": ' rx="14" stroke-dasharray="3"'}
    boxes = [
        _box(place, name if value is None or value == name else f"{name}: {value}", name if value is None else f"{name}: {value}", shapes[kind])
        for place, (kind, name, value) in zip(places, nodes)
    ]
    left_out = f"the first {len(nodes)} nodes; {hidden} edges lead to others" if hidden else None
    title = f"AND-OR graph of {len(nodes)} nodes; OR nodes are round, AND nodes square, leaves dashed"
    return _svg(size, title, places, edges, boxes, left_out)


def hasse(texts: Sequence[str], covers: Sequence[tuple[int, int]], places: Sequence[Place], size: tuple[float, float], whole: bool) -> Drawing:
    """Elements, each above those that it covers. Of a lattice that is not drawn whole the lines are dashed: there are elements between."""
    boxes = [_box(place, text, text, ' rx="14"') for place, text in zip(places, texts)]
    left_out = None if whole else f"{len(texts)} of its elements are drawn; it has more than {MOST_ELEMENTS}"
    return _svg(size, f"Hasse diagram of {len(texts)} elements", places, covers, boxes, left_out, not whole)
