"""Single suits at bridge."""

from __future__ import annotations

import json
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Union

from . import _meetjoin, result
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
    page: str | None = None
    """The HTML page, if it was asked for."""
    picture: str | None = None
    """The picture as SVG, if it was asked for."""

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


def suit(
    north: str,
    south: str,
    tricks: Goal | None = None,
    *,
    page: bool = False,
    picture: bool = False,
    time_limit: float | None = None,
    max_visits: int | None = None,
    max_memory: int | None = None,
    **options: Any,
) -> SuitAnswer:
    """The best way to play ``north`` opposite ``south`` against best defence.

    Args:
        north: cards, ``"AQT98"``; ``x`` is a small one, ``-`` none.
        south: cards, written alike.
        tricks: the goal: at least this many tricks, or ``"average"`` for the greatest average of
            tricks; by default all of these.
        page: whether the answer has an HTML page.
        picture: whether the answer has a picture, an SVG.
        time_limit: seconds.
        max_visits: the most visits.
        max_memory: the most bytes that this module holds.
        options: the other options of ``meetjoin suit``, with ``_`` for ``-``; for example
            ``vacant=(7, 13)``, ``west="K"``, ``west_length=(2, 4)``, ``lead="S2"``, ``leads=True``,
            ``top=3``, ``matchpoints=True``, ``imps="3NT"``.
    """
    from fractions import Fraction  # not before, so that importing the package is fast

    request = {"north": north, "south": south, **options}
    if tricks == "average":
        request["average"] = True
    elif isinstance(tricks, str):
        raise MeetjoinError(f"tricks is {tricks!r}; it must be a number from 1 on, or \"average\"")
    elif tricks is not None:
        request["tricks"] = tricks
    # Numbers of NumPy are numbers.
    asked = json.dumps(request, default=operator.index)
    found, text, shown, drawn = _meetjoin.suit(asked, page, picture, time_limit, max_visits, max_memory)
    data = json.loads(found)
    rows = [row for row in data.get("goals") or [data] if "goal" in row]
    chances = {row["goal"]: Fraction(row["numerator"], row["denominator"]) for row in rows}
    return SuitAnswer(chances, text, data, data["stop"], shown, drawn)
