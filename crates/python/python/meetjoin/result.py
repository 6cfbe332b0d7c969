"""The results of searches."""

from __future__ import annotations

import math
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Iterable, Mapping, Sequence


_MOST_TYPED = 10_000
"""Letters of an answer as it is typed."""


def typed(of: Any, short: str | None = None) -> str:
    """A data class as it is typed, without what has its default; or in brackets what is said of it
    in short, if it would be long."""
    arguments: list[str] = []
    for each in fields(of):
        value = getattr(of, each.name)
        if each.default is MISSING or value != each.default:
            is_infinite = isinstance(value, float) and math.isinf(value)
            arguments.append(f"{each.name}=float('{value}')" if is_infinite else f"{each.name}={value!r}")
    text = f"{type(of).__name__}({', '.join(arguments)})"
    return text if short is None or len(text) <= _MOST_TYPED else f"<{type(of).__name__} {short}>"


@dataclass(frozen=True)
class Stats:
    """The counters of a search."""

    visits: int = 0
    """Entries of nodes, repeats included."""
    leaves: int = 0
    """Entries of leaves."""
    cutoffs: int = 0
    """How often a node was left with children unvisited."""
    cache_hits: int = 0
    """Entries that were answered by the cache."""
    probes: int = 0
    """Intervals of children read without entering them."""
    relaxed_visits: int = 0
    """Visits of searches for bounds in a simpler lattice."""
    nodes: int | None = None
    """Distinct nodes, if they were counted."""
    cache_entries: int | None = None
    """Entries of the cache at the end, if there is one cache."""
    peak_memory_bytes: int = 0
    """The most bytes that this module has held, since the program started."""
    seconds: float = 0.0
    """Seconds of the search alone."""

    def __repr__(self) -> str:
        return typed(self)


@dataclass(frozen=True)
class Move:
    """A child of the root, and its value."""

    child: Any
    """Its name, or its node in a game of your own."""
    exact: bool
    value: Any
    lower: Any
    upper: Any
    stop: str | None
    contradiction: bool = False

    def __repr__(self) -> str:
        return typed(self)


@dataclass(frozen=True)
class Answer:
    """The value of a root, or bounds of it.

    ``lower <= value <= upper`` holds whatever stopped the search. ``value`` is ``None`` unless it
    is exact.
    """

    exact: bool
    """Whether the value is known."""
    value: Any
    """The value, or ``None``."""
    lower: Any
    """A lower bound; the value itself if that is known."""
    upper: Any
    """An upper bound; the value itself if that is known."""
    stop: str | None
    """What stopped the search: ``"visits"``, ``"time"``, ``"memory"`` or ``"cancelled"``
    (Ctrl-C)."""
    algorithm: str
    """The id of the algorithm."""
    stats: Stats = field(compare=False)
    """The counters of the search."""
    moves: tuple[Move, ...] | None = None
    """Each child of the root once, if asked for."""
    contradiction: bool = False
    """Whether the bounds that the problem states contradict each other."""

    def __repr__(self) -> str:
        known = f"value={_short(self.value)}" if self.exact else f"{_short(self.lower)}..{_short(self.upper)}, stop={self.stop!r}"
        return typed(self, f"{known}, visits={self.stats.visits}")

    def _repr_html_(self) -> str:
        rows = [("value", self.value)] if self.exact else [("lower bound", self.lower), ("upper bound", self.upper)]
        shown = [(name, _short(value, _MOST_SHOWN)) for name, value in rows]
        if self.stop is not None:
            shown.append(("stopped", self.stop))
        if self.contradiction:
            shown.append(("bounds", "those that the problem states rule each other out"))
        for move in self.moves or ():
            worth = _short(move.value, _MOST_SHOWN) if move.exact else f"{_short(move.lower)} to {_short(move.upper)}"
            shown.append((f"move {_short(move.child)}", worth))
        shown.append(("algorithm", self.algorithm))
        shown.append(("took", f"{self.stats.visits:,} visits, {self.stats.seconds:.3f} s"))
        return table(shown)


@dataclass(frozen=True)
class Proof:
    """Whether the value of the root is at least a threshold."""

    result: str
    """``"proved"``, ``"disproved"`` or ``"unknown"``."""
    algorithm: str
    stop: str | None
    stats: Stats = field(compare=False)
    proof: str | None = None
    """The proof as JSON or DOT, if asked for."""

    def __bool__(self) -> bool:
        return self.result == "proved"


@dataclass(frozen=True)
class Heaviest:
    """The heaviest sets of a value in families of sets."""

    sets: tuple[tuple[int, frozenset[Any]], ...]
    """Weights and sets, the heaviest first."""
    bound: int
    """An upper bound of the weight of any other set."""
    total: int
    """The weight of all worlds."""
    stop: str | None
    stats: Stats = field(compare=False)
    strategy: tuple[dict[str, Any], ...] | None = None
    """A strategy that wins the first of the sets, if asked for: its positions with the moves, the
    root first."""


@dataclass(frozen=True)
class Strategy:
    """A strategy by which a player guarantees a bound of the value."""

    player: str
    guarantees: Any
    """The value is at least this for MAX, at most this for MIN; as in a problem file."""
    others: int | None
    """How many other elements of the kind the value has; ``None`` if they are too many to be
    counted."""
    nodes: tuple[dict[str, Any], ...]
    """The positions that play can reach, the root first: ``node``, ``kind``, ``next`` (places in
    this tuple) and ``moves``."""
    text: str = field(compare=False)
    """The plan in words."""

    def __repr__(self) -> str:
        return typed(self, f"player={self.player!r}, guarantees={_short(self.guarantees)}, {len(self.nodes)} positions")

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        import html  # not before, so that importing the package is fast

        return f"<pre>{html.escape(self.text)}</pre>"


def strategy(found: Mapping[str, Any], text: str) -> Strategy:
    """Converts a strategy of the compiled module."""
    return Strategy(found["player"], found["guarantees"], found["others"], tuple(found["nodes"]), text)


def _with(found: Mapping[str, Any], **others: Any) -> dict[str, Any]:
    return {**found, **others}


_MOST_SHOWN = 400
"""Letters of a value in a table."""


def _short(value: Any, most: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = ()) -> str:
    """A table that notebooks show. The first cell of a row says what the row is about."""
    import html  # not before, so that importing the package is fast

    def line(cells: Sequence[str], heads: int) -> str:
        made = [(f'<th scope="{"row" if heads == 1 else "col"}"' if place < heads else "<td", "th" if place < heads else "td", cell) for place, cell in enumerate(cells)]
        return "<tr>" + "".join(f'{begin} style="text-align:left">{html.escape(cell)}</{end}>' for begin, end, cell in made) + "</tr>"

    begin = f"<thead>{line(head, len(head))}</thead>" if head else ""
    return f"<table>{begin}<tbody>{''.join(line(row, 1) for row in rows)}</tbody></table>"


def answer(found: Mapping[str, Any]) -> Answer:
    """An answer of the compiled module."""
    moves = found["moves"]
    made = None if moves is None else tuple(Move(child=child, **of) for child, of in moves)
    return Answer(**_with(found, stats=Stats(**found["stats"]), moves=made))


def proof(found: Mapping[str, Any]) -> Proof:
    """An answer of the compiled module."""
    return Proof(**_with(found, stats=Stats(**found["stats"])))


def heaviest(found: Mapping[str, Any]) -> Heaviest:
    """An answer of the compiled module."""
    return Heaviest(**_with(found, sets=tuple(found["sets"]), stats=Stats(**found["stats"])))
