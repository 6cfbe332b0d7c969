"""What the package itself costs: import, a call, graphs from arrays and from networkx. Medians of processor time, so that it may run on a machine that has something else
to do; the share of a call in a solve is by the clock.

Usage: python speed.py
"""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter, process_time
from typing import Any, Callable, cast

import networkx
import numpy

import meetjoin

AIMS = {
    "import": 0.05,
    "a call": 100e-6,
    "a call on a game written in Python": 100e-6,
    "share of a call in a solve of some 10 ms": 0.1,
    "10^6 edges from NumPy": 0.2,
    "10^6 edges from networkx": 3.0,
}


def timed(work: Callable[[], Any], repetitions: int) -> float:
    times: list[float] = []
    for _ in range(repetitions):
        started = process_time()
        work()
        times.append(process_time() - started)
    return median(times)


def imported() -> float:
    """The import alone, in a Python of its own."""
    program = "from time import process_time as now; a = now(); import meetjoin; print(now() - a)"
    return median(float(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout) for _ in range(9))


class Small(meetjoin.Game):
    """A root and two leaves."""

    def root(self) -> int:
        return 0

    def kind(self, node: int) -> str:
        return "leaf" if node else "or"

    def children(self, node: int) -> list[int]:
        return [1, 2]

    def leaf(self, node: int) -> int:
        return node


def rows(nodes: int, children: int) -> tuple[Any, Any, Any, Any]:
    """A layered graph: each inner node has so many children among the next hundred nodes."""
    inner = nodes - 200
    numbers = numpy.arange(inner)
    kinds = numpy.zeros(nodes, dtype=numpy.uint8)
    kinds[:inner] = 1 + numbers % 2
    offsets = numpy.minimum(numpy.arange(nodes + 1), inner) * children
    below = numbers[:, None] + 1 + (numbers[:, None] * 31 + numpy.arange(children)[None, :] * 17) % 100
    return kinds, offsets, below.ravel(), numpy.arange(nodes - inner) * 7 % 100


def main() -> None:
    found = {"import": imported()}
    small = meetjoin.Problem.from_gates([("t", "or", ["a", "b"])], {"a": 1, "b": 2})
    found["a call"] = timed(small.solve, 2001)
    game = Small()
    found["a call on a game written in Python"] = timed(lambda: meetjoin.solve_game(game), 2001)
    larger = meetjoin.random(13, 6, 8, 3)
    whole: list[float] = []
    outside: list[float] = []
    for _ in range(41):
        started = perf_counter()
        answer = larger.solve("minimax-cached")
        whole.append(perf_counter() - started)
        outside.append(whole[-1] - answer.stats.seconds)
    found["share of a call in a solve of some 10 ms"] = median(outside) / median(whole)
    kinds, offsets, children, values = rows(250_200, 4)
    assert len(children) == 1_000_000
    found["10^6 edges from NumPy"] = timed(lambda: meetjoin.Problem.from_arrays(kinds, offsets, children, values), 7)
    graph = cast(Any, networkx).DiGraph()
    graph.add_nodes_from((node, {"kind": "or" if kind == 2 else "and"} if kind else {"value": node % 100}) for node, kind in enumerate(kinds.tolist()))
    graph.add_edges_from((node, child) for node in range(len(kinds)) for child in children[offsets[node] : offsets[node + 1]].tolist())
    edges = graph.number_of_edges()
    found["10^6 edges from networkx"] = timed(lambda: meetjoin.Problem.from_networkx(graph, root=0), 3) * 1_000_000 / edges
    for what, seconds in found.items():
        shown = f"{seconds:.3f}" if "share" in what else f"{seconds * 1e3:.3f} ms"
        aim = f"{AIMS[what]}" if "share" in what else f"{AIMS[what] * 1e3:g} ms"
        print(f"{what:42} {shown:>14}   aim {aim:>8}   {'met' if seconds <= AIMS[what] else 'not met'}")
    print(f"(the solve of some 10 ms took {median(whole) * 1e3:.1f} ms; the networkx graph has {edges} edges)")


if __name__ == "__main__":
    main()
