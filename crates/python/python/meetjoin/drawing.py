"""Drawings of small graphs, for notebooks."""

from __future__ import annotations

from array import array
from html import escape
from typing import Any

MOST = 60
"""Nodes of a graph that is drawn."""


class Graph:
    """The rows of a graph, and the names of its nodes."""

    def __init__(self, kinds: bytes, offsets: bytes, children: bytes, root: int, names: list[Any] | None) -> None:
        self.kinds, self.offsets, self.children, self.root, self.names = kinds, offsets, children, root, names

    def svg(self) -> str | None:
        """The graph in layers, children below their parents: OR nodes are round, AND nodes square, leaves bare. ``None`` if there are more than ``MOST``."""
        count = len(self.kinds)
        if count > MOST:
            return None
        offsets, children = array("q"), array("q")
        offsets.frombytes(self.offsets)
        children.frombytes(self.children)
        rows = [list(children[offsets[node] : offsets[node + 1]]) for node in range(count)]
        layer = {self.root: 0}
        for _ in range(count):
            for node in list(layer):
                for child in rows[node]:
                    layer[child] = max(layer.get(child, 0), layer[node] + 1)
        layers: dict[int, list[int]] = {}
        for node in sorted(layer):
            layers.setdefault(layer[node], []).append(node)
        width = 90 * max(len(nodes) for nodes in layers.values())
        height = 80 * len(layers)
        at = {
            node: ((place + 0.5) * width / len(nodes), 80 * depth + 30)
            for depth, nodes in layers.items()
            for place, node in enumerate(nodes)
        }
        lines = [
            f'<line x1="{at[node][0]:.0f}" y1="{at[node][1]}" x2="{at[child][0]:.0f}" y2="{at[child][1]}"/>'
            for node in at
            for child in rows[node]
        ]
        marks = []
        for node, (x, y) in at.items():
            name = str(node if self.names is None else self.names[node])
            name = escape(name if len(name) <= 9 else name[:8] + "…")
            if self.kinds[node] == 1:
                marks.append(f'<rect x="{x - 36:.0f}" y="{y - 14}" width="72" height="28"/>')
            else:
                dashes = ' stroke-dasharray="3"' if self.kinds[node] == 0 else ""
                marks.append(f'<rect x="{x - 36:.0f}" y="{y - 14}" width="72" height="28" rx="14"{dashes}/>')
            marks.append(f'<text x="{x:.0f}" y="{y + 4}">{name}</text>')
        style = "rect{fill:#fff;stroke:#333}line{stroke:#999}text{font:12px sans-serif;text-anchor:middle;fill:#000}"
        title = f"AND-OR graph of {count} nodes; OR nodes are round, AND nodes square, leaves dashed"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img" aria-label="{title}">'
            f"<title>{title}</title><style>{style}</style>{''.join(lines)}{''.join(marks)}</svg>"
        )
