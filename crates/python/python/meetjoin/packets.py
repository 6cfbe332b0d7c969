"""Several criteria at once: the dominance algebra of Dasgupta, Chakrabarti and DeSarkar."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, FrozenSet, Mapping, Tuple

from . import _meetjoin
from ._json import problem_text

PacketSet = FrozenSet[FrozenSet[Tuple[int, ...]]]


@dataclass(frozen=True)
class Packets:
    """What MAX can guarantee: each packet is a set of outcomes of which the opponent picks one."""

    packets: PacketSet | None
    """All packets that matter, or ``None`` if a limit stopped the search."""
    guaranteed: PacketSet
    """Packets that the player at the root can guarantee, as far as they are known."""
    moves: tuple[tuple[Any, PacketSet | None], ...]
    """The packets of each move."""
    stop: str | None
    visits: int
    leaves: int
    seconds: float


def packets(
    problem: Mapping[str, Any] | str | os.PathLike[str],
    algorithm: str = "procedure-f-shallow",
    *,
    time_limit: float | None = None,
    max_visits: int | None = None,
    max_memory: int | None = None,
) -> Packets:
    """The packets of a problem file, or of one as a dictionary, whose lattice is
    ``{"type": "dominance", "dims": n}``."""
    if isinstance(problem, Mapping):
        text = problem_text(problem).encode()
    else:
        with open(problem, "rb") as file:
            text = file.read()
    found = _meetjoin.packets(text, algorithm, time_limit, max_visits, max_memory)
    found["moves"] = tuple(found["moves"])
    return Packets(**found)
