"""Single suits at bridge."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Union

from . import _meetjoin, result
from ._checked import whole, whole_if
from ._meetjoin import MeetjoinError

if TYPE_CHECKING:
    from fractions import Fraction

Goal = Union[int, str]


@dataclass(frozen=True, repr=False)
class SuitAnswer:
    """How to play a suit, and how often that works."""

    chances: Mapping[Goal, Fraction]
    """For each goal, a number of tricks, the greatest chance; for ``"average"`` the greatest
    average."""
    text: str
    """The answer as a player reads it at the table."""
    data: Mapping[str, Any]
    """All of it, as ``meetjoin-suit/1``: the line as a tree, the layouts."""
    stop: str | None
    """The limit that left something out, if one did; chances are then lower bounds."""

    def __repr__(self) -> str:
        chances = ", ".join(f"{_goal(goal)}: {_chance(goal, chance)}" for goal, chance in self.chances.items())
        return f"<SuitAnswer {chances}{'' if self.stop is None else f', stop={self.stop!r}'}>"

    def __str__(self) -> str:
        return self.text.rstrip()

    def _repr_html_(self) -> str:
        import html  # not before, so that importing the package is fast

        rows = [(_goal(goal), _chance(goal, chance), str(chance)) for goal, chance in self.chances.items()]
        stopped = "" if self.stop is None else f"<p>The search was stopped ({html.escape(self.stop)}): better chances may exist.</p>"
        chances = result.table(rows, ("goal", "at least" if self.stop else "chance", "exactly"))
        return f"{chances}{stopped}<pre>{html.escape(self.text)}</pre>"


def _goal(goal: Goal) -> str:
    return "average" if goal == "average" else "1 trick" if goal == 1 else f"{goal} tricks"


def _chance(goal: Goal, chance: Fraction) -> str:
    """A chance with one decimal, as players speak of it. Only certain ones round to 0 or 100 %."""
    if goal == "average":
        return f"{float(chance):.2f} tricks"
    if chance in (0, 1):
        return f"{int(100 * chance)}%"
    if chance * 1000 < 1:
        return "under 0.1%"
    return "over 99.9%" if chance * 1000 > 999 else f"{float(100 * chance):.1f}%"


def _pair(value: Any, what: str) -> tuple[int, int]:
    """Two numbers of cards."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise MeetjoinError(f"{what} is {value!r:.60}; it must be two numbers") from None
    return whole(first, what, 0, 13), whole(second, what, 0, 13)


def suit(
    north: str,
    south: str,
    tricks: Goal | None = None,
    *,
    vacant: tuple[int, int] = (13, 13),
    west: str = "-",
    east: str = "-",
    west_length: tuple[int, int] = (0, 13),
    entries: int | None = None,
    keep: str = "-",
    leads: bool = False,
    time_limit: float | None = None,
    max_visits: int | None = None,
    max_memory: int | None = None,
) -> SuitAnswer:
    """The best way to play ``north`` opposite ``south`` against best defence.

    Args:
        north: cards, ``"AQT98"``; ``x`` is a small one, ``-`` none.
        south: cards, written alike.
        tricks: the goal: at least this many tricks, or ``"average"`` for the greatest average of
            tricks; by default all of these.
        vacant: vacant places of West and East.
        west: cards that West is known to have.
        east: cards that East is known to have.
        west_length: how many cards of the suit West has, at least and at most.
        entries: the most leads from North other than after a trick that North won.
        keep: cards of North or South that must not be played.
        leads: whether ``data`` has the best value of each first lead.
        time_limit: seconds.
        max_visits: the most visits.
        max_memory: the most bytes that this module holds.
    """
    from fractions import Fraction  # not before, so that importing the package is fast

    if tricks == "average":
        goal: int | None = 0
    elif isinstance(tricks, str):
        raise MeetjoinError(f"tricks is {tricks!r}; it must be a number from 1 on, or \"average\"")
    else:
        goal = whole_if(tricks, "tricks", 1, 13)
    found, text = _meetjoin.suit(
        north,
        south,
        goal,
        _pair(vacant, "vacant"),
        west,
        east,
        _pair(west_length, "west_length"),
        whole_if(entries, "entries", 0, 255),
        keep,
        leads,
        time_limit,
        max_visits,
        max_memory,
    )
    data = json.loads(found)
    rows = data.get("goals") or [data]
    chances = {row["goal"]: Fraction(row["numerator"], row["denominator"]) for row in rows}
    return SuitAnswer(chances, text, data, data["stop"])
