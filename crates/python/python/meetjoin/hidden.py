"""Games with hidden cards of your own, by their rules."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Hashable

from . import _meetjoin
from ._checked import deadline, seconds_to, whole
from ._meetjoin import MeetjoinError
from .problem import Problem


@dataclass(frozen=True)
class HiddenMove:
    """A first move of MAX. Numbers are points on average over worlds, by their weights."""

    position: Any
    """The position after it."""
    worth: float
    """What one strategy is sure of after it."""
    seen: float
    """What she would have with perfect information after it, the estimate of perfect information
    with averaging."""
    ahead: tuple[float, ...]
    """What alpha-mu expects of it, for each depth that was asked for."""


@dataclass(frozen=True, repr=False)
class HiddenAnswer:
    """What MAX can be sure of in a game with hidden cards."""

    average: float
    """Her points on average over worlds, by their weights; with a goal, the chance to reach it."""
    points: dict[Any, int]
    """The points that the best strategy is sure of in each world; with a goal, 1 where it is
    reached."""
    moves: tuple[HiddenMove, ...]
    """Her first moves, in the order of the game; none where MIN begins."""
    strategy: tuple[dict[str, Any], ...] | None
    """The strategy: its positions with the moves, the start first."""
    problem: Problem = field(compare=False)
    """The game as a problem in families of sets, for everything else that can be asked."""

    def __repr__(self) -> str:
        return f"<HiddenAnswer average={self.average!r}, points={self.points!r}, {len(self.moves)} moves>"

    @property
    def best(self) -> HiddenMove | None:
        """The first of the best moves."""
        return max(self.moves, key=lambda move: move.worth, default=None)


class HiddenGame(ABC):
    """A game in which MIN sees everything and MAX does not see which world it is. All moves are
    seen by both, so a position is what both have seen.

    Give it ``worlds``, a sequence of different hashable objects, ``start``, a position, and four
    methods. Positions are hashable; equal positions are the same position, and no position may come
    after itself. These conditions are checked before anything is searched.
    """

    worlds: Sequence[Any]
    start: Any
    most_points: int = 1
    """The most that MAX can have."""

    @abstractmethod
    def turn(self, position: Any, /) -> str:
        """``"max"``, ``"min"``, or ``"over"`` at the end."""

    @abstractmethod
    def moves(self, position: Any, /) -> Iterable[Hashable]:
        """The positions after each move. A move of MAX is possible in every world that is left; one
        of MIN in some of them."""

    @abstractmethod
    def possible(self, position: Any, world: Any, /) -> bool:
        """Whether the position can come about in this world: whether what MIN has played fits
        it."""

    @abstractmethod
    def points(self, position: Any, world: Any, /) -> int:
        """What MAX has at the end."""

    def weight(self, world: Any, /) -> int:
        """How many equally likely deals the world stands for."""
        return 1

    def problem(
        self,
        goal: int | None = None,
        *,
        most: int = 1_000_000,
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
    ) -> Problem:
        """The game with all its positions, at most ``most``, as a problem in families of sets: sets
        of worlds if there is one point to win or a goal, and otherwise of worlds with points. A
        limit that fires is an error."""
        found = self._found(goal, None, most, deadline(time_limit), max_visits, max_memory)[0]
        return Problem.from_json(found["problem"])

    def answer(
        self,
        goal: int | None = None,
        *,
        ahead: Sequence[int] = (),
        most: int = 1_000_000,
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
    ) -> HiddenAnswer:
        """The most that MAX can be sure of, on average over worlds or as the chance of a goal; how;
        and what her first moves are worth.

        ``ahead`` asks what alpha-mu expects of them at these depths, in moves. A limit that fires
        is an error."""
        ends = deadline(time_limit)
        found, positions, worlds = self._found(goal, [whole(depth, "a depth of ahead", 0, 2**32 - 1) for depth in ahead], most, ends, max_visits, max_memory)
        problem = Problem.from_json(found["problem"])
        heaviest = problem.heaviest(1, found["weights"], strategy=True, time_limit=seconds_to(ends), max_visits=max_visits, max_memory=max_memory)
        if heaviest.stop is not None:
            raise MeetjoinError(f"the game was not solved: {heaviest.stop}")
        total = sum(self.weight(world) for world in worlds)
        points = dict.fromkeys(worlds, 0)
        weight = 0
        if heaviest.sets:
            weight, won = heaviest.sets[0]
            for stake in won:
                points[worlds[found["stakes"][int(stake) - 1][0]]] += 1
        moves = tuple(
            HiddenMove(positions[place], worth / total, seen / total, tuple(each / total for each in expected))
            for place, worth, seen, expected in found["moves"] or ()
        )
        return HiddenAnswer(weight / total, points, moves, heaviest.strategy, problem)

    def _found(
        self,
        goal: int | None,
        ahead: list[int] | None,
        most: int,
        ends: float | None,
        max_visits: int | None,
        max_memory: int | None,
    ) -> tuple[dict[str, Any], list[Any], list[Any]]:
        """The result of the compiled module, the positions in breadth-first order, and the
        worlds."""
        worlds = list(self.worlds)
        if len(set(worlds)) < len(worlds):
            raise MeetjoinError("two worlds are equal")
        numbers: dict[Hashable, int] = {self.start: 0}
        positions: list[Any] = list(numbers)
        turns: list[str] = []
        moves: list[list[int]] = []
        possible: list[list[int]] = []
        points: list[list[int]] = []
        while len(turns) < len(positions):
            if ends is not None and time.monotonic() > ends:
                raise MeetjoinError("the game was not solved: the time limit was reached while its positions were listed")
            position = positions[len(turns)]
            turn = self.turn(position)
            if turn not in ("max", "min", "over"):
                raise MeetjoinError(f"the turn at {position!r:.60} is {turn!r}; it must be \"max\", \"min\" or \"over\"")
            here = [place for place, world in enumerate(worlds) if self.possible(position, world)]
            row: list[int] = []
            at_end: list[int] = []
            if turn == "over":
                at_end = [0] * len(worlds)
                for place in here:
                    at_end[place] = whole(self.points(position, worlds[place]), f"the points at {position!r:.60}", 0, 2**32 - 1)
            else:
                for child in self.moves(position):
                    number = numbers.setdefault(child, len(positions))
                    if number == len(positions):
                        positions.append(child)
                        if len(positions) > most:
                            raise MeetjoinError(f"the game has more than {most} positions; a larger `most` would list them")
                    row.append(number)
            turns.append({"max": "x", "min": "n", "over": "e"}[turn])
            moves.append(row)
            possible.append(here)
            points.append(at_end)
        if len(self.worlds) != len(worlds):
            raise MeetjoinError(f"the game had {len(worlds)} worlds when it began, and has {len(self.worlds)} now")
        found = _meetjoin.hidden_game(
            [str(world) for world in worlds],
            [whole(self.weight(world), f"the weight of {world!r:.60}", 0, 2**64 - 1) for world in worlds],
            whole(self.most_points, "most_points", 0, 2**32 - 1),
            [str(position) for position in positions],
            "".join(turns),
            moves,
            possible,
            points,
            None if goal is None else whole(goal, "the goal", 0, 2**32 - 1),
            ahead,
            seconds_to(ends),
            max_visits,
            max_memory,
        )
        return found, positions, worlds
