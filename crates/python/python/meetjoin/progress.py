"""Callbacks for the progress of a search."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Generator, Union

Told = Callable[[int, int, str, str], Any]
"""Called some twenty times a second with visits, entries of the cache, and the bounds known so far
as text."""

Progress = Union[None, bool, Told]
"""A callback, or ``True`` for a bar by tqdm, where it is installed."""


@contextmanager
def told(progress: Progress) -> Generator[Told | None, None, None]:
    """The callback for the argument ``progress``."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            yield None
            return
        with tqdm(unit=" visits", unit_scale=True) as bar:

            def show(visits: int, entries: int, lower: str, upper: str) -> None:
                bar.update(visits - bar.n)
                bar.set_postfix_str(f"{lower[:20]}..{upper[:20]}, cache {entries}")

            yield show
    elif callable(progress):
        yield progress
    else:
        raise TypeError(f"progress is a function, or True for a bar, not {progress!r:.60}")
