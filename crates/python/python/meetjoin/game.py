"""Games of your own, by their rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Callable, Hashable, Iterable

from . import _meetjoin, result
from .lattice import BuiltIn, Lattice
from .lattice import of as lattice_of
from .progress import Progress, told


class Game(ABC):
    """An AND-OR graph given by its rules. Nodes are hashable; equal nodes are the same node. No line of play may come back to a node."""

    @abstractmethod
    def root(self) -> Hashable:
        """Where play begins."""

    @abstractmethod
    def kind(self, node: Any) -> str:
        """``"or"`` where the first player moves, ``"and"`` where the second does, ``"leaf"`` where play ends. Asked once for each node."""

    @abstractmethod
    def children(self, node: Any) -> Iterable[Hashable]:
        """The nodes after each move; always in the same order, and at least one."""

    @abstractmethod
    def leaf(self, node: Any) -> Any:
        """What the end of a play is worth."""


def solve_game(
    game: Game,
    lattice: Lattice | dict[str, Any] | str = "chain",
    algorithm: str | None = None,
    *,
    time_limit: float | None = None,
    max_visits: int | None = None,
    max_memory: int | None = None,
    moves: bool = False,
    progress: Progress = None,
) -> result.Answer:
    """The value of a game written in Python, by any algorithm that its lattice allows.

    Limits are as in ``Problem.solve``. The interpreter is held while the search runs. What a method of the game or the lattice raises ends the search and
    is raised here.
    """
    lattice = lattice_of(lattice)
    encode: Callable[[Any], Any] = lattice.encode if isinstance(lattice, BuiltIn) else (lambda value: value)
    core = lattice._core if isinstance(lattice, BuiltIn) else lattice
    with told(progress) as show:
        found = _meetjoin.solve_game(
            game, core, lattice._needs(), encode, algorithm, time_limit, max_visits, max_memory, moves, show
        )
    return result.answer(found)
