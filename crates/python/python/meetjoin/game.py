"""Games of your own, by their rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Callable, Hashable, Iterable, Iterator, Protocol

from . import _meetjoin, drawing, result
from ._checked import MOST, methods, whole
from ._meetjoin import MeetjoinError
from .lattice import BuiltIn, LatticeLike
from .lattice import of as lattice_of
from .progress import Progress, told


class GameLike(Protocol):
    """An AND-OR graph given by its rules: any object with these methods. Nodes are hashable; equal
    nodes are the same node. No line of play may come back to a node."""

    def root(self) -> Hashable:
        """Where play begins."""
        ...

    def kind(self, node: Any, /) -> str:
        """``"or"``, ``"and"`` or ``"leaf"``."""
        ...

    def children(self, node: Any, /) -> Iterable[Hashable]:
        """The nodes after each move."""
        ...

    def leaf(self, node: Any, /) -> Any:
        """The value of a leaf."""
        ...


class Game(ABC):
    """A game that draws itself, to derive from; any ``GameLike`` can be solved. Nodes are hashable;
    equal nodes are the same node. No line of play may come back to a node."""

    @abstractmethod
    def root(self) -> Hashable:
        """Where play begins."""

    @abstractmethod
    def kind(self, node: Any, /) -> str:
        """``"or"`` where the first player moves, ``"and"`` where the second does, ``"leaf"`` where
        play ends. Asked once for each node."""

    @abstractmethod
    def children(self, node: Any, /) -> Iterable[Hashable]:
        """The nodes after each move; always in the same order, and at least one."""

    @abstractmethod
    def leaf(self, node: Any, /) -> Any:
        """The value of a leaf."""

    def drawing(self, most: int = drawing.MOST_NODES) -> drawing.Drawing:
        """The first nodes that a breadth-first walk meets, in layers."""
        most = whole(most, "most", 0, MOST)
        nodes: list[tuple[str, str, str | None]] = []
        edges: list[tuple[int, int]] = []
        hidden = 0
        for _, (node, kind, row, value) in zip(range(most), walk(self, None)):
            place = len(nodes)
            nodes.append((kind, str(node), str(value) if kind == "leaf" else None))
            edges.extend((place, child) for child in dict.fromkeys(row) if child < most)
            hidden += sum(child >= most for child in row)
        return drawing.Drawing(*_meetjoin.graph_picture(nodes, edges, hidden))

    def _repr_svg_(self) -> str:
        return self.drawing().svg


METHODS = ("root", "kind", "children", "leaf")


def walk(game: GameLike, most: int | None) -> Iterator[tuple[Any, str, list[int], Any]]:
    """The nodes of a game in breadth-first order, with kinds, numbers of children, and values of
    leaves; an error if there are more than ``most``."""
    methods(game, "a game", METHODS)
    numbers: dict[Hashable, int] = {game.root(): 0}
    nodes = list(numbers)
    place = 0
    while place < len(nodes):
        node = nodes[place]
        place += 1
        kind = game.kind(node)
        if kind not in ("leaf", "and", "or"):
            raise MeetjoinError(f"the kind of {node!r:.60} is {kind!r}; it must be \"leaf\", \"and\" or \"or\"")
        if kind == "leaf":
            yield node, kind, [], game.leaf(node)
            continue
        row: list[int] = []
        for child in game.children(node):
            number = numbers.setdefault(child, len(nodes))
            if number == len(nodes):
                nodes.append(child)
            row.append(number)
        if not row:
            raise MeetjoinError(f"{node!r:.60} is an inner node and has no children")
        if most is not None and len(nodes) > most:
            raise MeetjoinError(f"the game has more than {most} nodes; a larger `most` would list them, and solve_game needs no list")
        yield node, kind, row, None


def solve_game(
    game: GameLike,
    lattice: LatticeLike | dict[str, Any] | str = "chain",
    algorithm: str | None = None,
    *,
    time_limit: float | None = None,
    max_visits: int | None = None,
    max_memory: int | None = None,
    moves: bool = False,
    progress: Progress = None,
) -> result.Answer:
    """The value of a game written in Python, by any algorithm that its lattice allows.

    A game is any object with the methods of ``Game``, and a lattice of your own one with ``join``,
    ``meet``, ``bottom`` and ``top``. Algorithms that enumerate join-primes run over integers, sets, families and distributive tables,
    as on any problem. Limits are as in ``Problem.solve``. The search holds the interpreter. An
    exception in a method of the game or the lattice ends the search and is raised here.
    """
    methods(game, "a game", METHODS)
    over = lattice_of(lattice)
    encode: Callable[[Any], Any] = over.encode if isinstance(over, BuiltIn) else (lambda value: value)
    core = over.core if isinstance(over, BuiltIn) else over
    with told(progress) as show:
        found = _meetjoin.solve_game(
            game, core, over.needs(), encode, algorithm, time_limit, max_visits, max_memory, moves, show
        )
    return result.answer(found)
