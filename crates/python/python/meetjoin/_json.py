"""Values of Python as the JSON of problem files."""

from __future__ import annotations

import json
import math
from typing import Any, Iterable, Mapping, cast

from ._meetjoin import MeetjoinError


def _plain(value: Any) -> Any:
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        if math.isinf(value):
            return "+inf" if value > 0 else "-inf"
        if math.isnan(value):
            raise MeetjoinError("nan is no value of a lattice")
        return value
    if isinstance(value, (set, frozenset)):
        items: list[Any] = [_plain(item) for item in cast("Iterable[Any]", value)]
        try:
            return sorted(items)
        except TypeError:
            return sorted(items, key=json.dumps)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in cast("Iterable[Any]", value)]
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "shape", None) == ():
        return _plain(item())
    raise MeetjoinError(f"{value!r:.60} of type {type(value).__name__} is no value of a lattice")


def problem_text(problem: Mapping[str, Any]) -> str:
    """The text of a problem file that is given as a dictionary; its format may be left out."""
    try:
        return json.dumps({"format": "meetjoin-problem/1", **problem})
    except (TypeError, ValueError) as error:
        raise MeetjoinError(f"the dictionary is no problem file: {error}") from None


def dumps(value: Any) -> str:
    """The value as JSON: sets and tuples are lists, infinities are ``"+inf"`` and ``"-inf"``."""
    return json.dumps(_plain(value), separators=(",", ":"))
