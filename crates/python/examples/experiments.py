"""Reads the data.json of `cargo xtask bench` and draws one panel: median time by size, a line for each algorithm.

Usage: python experiments.py [data.json [panel]]. Without a file it writes a small one of its own first, in the same form.
"""

import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import meetjoin


def own_rows() -> Iterator[dict[str, Any]]:
    """A small experiment: random graphs of Li et al. by depth."""
    for depth in range(6, 13, 2):
        for algorithm in ["minimax-cached", "alpha-beta-cached", "alpha-beta-duo"]:
            for seed in range(3):
                stats = meetjoin.random(depth, 6, 8, seed).solve(algorithm).stats
                yield {"panel": "own", "parameter": "d", "value": depth, "algorithm": algorithm, "seed": seed, "visits": stats.visits, "seconds": stats.seconds}


def draw(panel: str, series: Mapping[str, Mapping[int, Sequence[float]]]) -> str:
    """The plot as SVG, both axes linear in the numbers given: median visits, as powers of ten."""
    from math import log10

    points = {name: [(x, log10(max(1.0, median(values)))) for x, values in sorted(of.items())] for name, of in series.items()}
    xs = [x for of in points.values() for x, _ in of]
    ys = [y for of in points.values() for _, y in of]
    low, high, top = min(xs), max(xs), max(ys) or 1.0

    def at(x: float, y: float) -> tuple[float, float]:
        return 60 + 480 * (x - low) / ((high - low) or 1), 300 - 260 * y / top

    dashes = ["", "8 4", "2 4", "12 4 2 4"]
    lines = [f'<text x="20" y="20">{panel}: median visits</text>']
    for place, (name, of) in enumerate(points.items()):
        path = " ".join("{:.0f},{:.0f}".format(*at(x, y)) for x, y in of)
        lines.append(f'<polyline points="{path}" fill="none" stroke="black" stroke-dasharray="{dashes[place % 4]}"/>')
        x, y = at(*of[-1])
        lines.append(f'<text x="{x + 6:.0f}" y="{y + 4:.0f}">{name}</text>')
    for x in sorted(set(xs)):
        lines.append('<text x="{:.0f}" y="320" text-anchor="middle">{}</text>'.format(at(x, 0)[0], x))
    for power in range(int(top) + 1):
        lines.append('<text x="50" y="{:.0f}" text-anchor="end">1e{}</text>'.format(at(low, power)[1], power))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 330" font-family="sans-serif" font-size="12">{"".join(lines)}</svg>'


def main(arguments: Sequence[str]) -> None:
    rows: list[dict[str, Any]]
    if arguments:
        rows = json.loads(Path(arguments[0]).read_text())
    else:
        rows = json.loads(json.dumps(list(own_rows())))
    panel = arguments[1] if len(arguments) > 1 else rows[0]["panel"]
    series: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["panel"] == panel and row.get("visits") is not None:
            series[row["algorithm"]][row["value"]].append(row["visits"])
    for name, of in series.items():
        print(f"{name:28}", " ".join(f"{x}: {median(values):g}" for x, values in sorted(of.items())))
    out = Path(tempfile.gettempdir()) / f"{panel}.svg"
    out.write_text(draw(panel, series))
    print("drawn in", out)


main(sys.argv[1:])
