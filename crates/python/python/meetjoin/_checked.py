"""Checks of arguments, before anything is done."""

from __future__ import annotations

import operator
import sys
import time
from typing import Any

from ._meetjoin import MeetjoinError

MOST = sys.maxsize
"""The most of anything that is counted."""


def integer(value: Any, what: str) -> int:
    """An integer, one of NumPy too; true and false are 1 and 0."""
    try:
        return operator.index(value)
    except TypeError:
        raise MeetjoinError(f"{what} is {value!r:.60}; it must be an integer") from None


def whole(value: Any, what: str, least: int, most: int) -> int:
    """An integer within bounds."""
    number = integer(value, what)
    if not least <= number <= most:
        raise MeetjoinError(f"{what} is {number}; it must be from {least} to {most}")
    return number


def whole_if(value: Any, what: str, least: int, most: int) -> int | None:
    """An integer within bounds, or ``None``."""
    return None if value is None else whole(value, what, least, most)


def methods(given: Any, what: str, names: tuple[str, ...]) -> None:
    """Checks that an object has the methods of a game or a lattice."""
    if isinstance(given, type):
        raise MeetjoinError(f"{given.__name__} is a class, and {what} is an object of it, such as {given.__name__}()")
    missing = [name for name in names if not callable(getattr(given, name, None))]
    if missing:
        raise MeetjoinError(f"{given!r:.60} has no method {missing[0]}; {what} has {', '.join(names[:-1])} and {names[-1]}")


def deadline(time_limit: float | None) -> float | None:
    """When a time limit in seconds ends, on the monotonic clock, or ``None``."""
    if time_limit is None:
        return None
    if not time_limit >= 0:
        raise MeetjoinError(f"time_limit is {time_limit}, and a number of seconds from 0 on is wanted")
    return time.monotonic() + time_limit


def seconds_to(ends: float | None) -> float | None:
    """The seconds until then, or ``None``."""
    return None if ends is None else max(ends - time.monotonic(), 0.0)


def encoded(text: Any) -> bytes:
    """A text, or the bytes of a file, as bytes; invalid UTF-8 is reported by the reader."""
    if isinstance(text, str):
        return text.encode(errors="surrogatepass")
    try:
        return bytes(memoryview(text))
    except TypeError:
        raise MeetjoinError(f"{text!r:.60} is of type {type(text).__name__}; a file is given as text, or as its bytes") from None


def truth(value: Any, what: str) -> bool:
    """A truth value; anything else is refused, such as a number where only "wanted or not" is
    asked."""
    if value is True or value is False:
        return value
    # NumPy has its own truth values.
    if type(value).__name__ in ("bool", "bool_") and getattr(value, "shape", None) == ():
        return bool(value)
    raise MeetjoinError(f"{what} is {value!r:.60}; it must be True or False")
