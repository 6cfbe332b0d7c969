"""Attack trees: what an attack costs, and what a defence is worth."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from . import _meetjoin
from ._checked import MOST, encoded, truth, whole
from ._meetjoin import MeetjoinError


@dataclass(frozen=True)
class Attack:
    """An attack, with its value for each attribute that was asked for."""

    values: Mapping[str, float]
    actions: frozenset[str]


@dataclass(frozen=True)
class Front:
    """The attacks that no other attack betters in all attributes."""

    attacks: tuple[Attack, ...]
    is_exact: bool
    """Whether no limit left anything out. Otherwise these attacks exist, but others may better
    them."""
    stop: str | None
    """The limit that left something out: ``"time"`` or ``"memory"``."""


@dataclass(frozen=True)
class Defended:
    """Defences, and the attacker's best value against them."""

    cost: float
    defences: frozenset[str]
    attack_cost: float | None
    """The best value that the attacker has left; ``None`` if there is no attack."""
    attack: frozenset[str] | None


@dataclass(frozen=True)
class Defences:
    """For each price of defences, the best value that the attacker has left."""

    front: tuple[Defended, ...]
    """The cheapest first, each leaving less than the one before; empty if a limit ended the
    search."""
    block: Defended | None
    """The cheapest defences that leave no attack, if there are any."""
    within_budget: Defended | None
    """The best defences within the budget, if that was given."""
    stop: str | None


@dataclass(frozen=True)
class AttackAnswer:
    """How many attacks there are, and the best of each attribute alone."""

    count: int | None
    """How many minimal attacks there are, or ``None`` if a limit ended the search."""
    best: Mapping[str, float | None]
    best_attacks: Mapping[str, frozenset[str] | None]
    probability: float | None
    """The probability that an attacker who tries everything succeeds."""
    attacks: tuple[Attack, ...] | None
    """The attacks that were asked for."""
    stop: str | None
    stats: Mapping[str, Any]


def _defended(found: Mapping[str, Any]) -> Defended:
    attack = found["attack"]
    return Defended(
        cost=found["cost"],
        defences=frozenset(found["defences"]),
        attack_cost=found["attack_cost"],
        attack=None if attack is None else frozenset(attack),
    )


def _attacks(found: Sequence[Mapping[str, Any]]) -> tuple[Attack, ...]:
    return tuple(Attack(values=one["values"], actions=frozenset(one["attack"])) for one in found)


class AttackTree:
    """Gates over actions of an attacker, with countermeasures of a defender."""

    def __init__(self, text: str | bytes, top: str | None = None, attributes: Mapping[str, str] | None = None) -> None:
        """An attack tree as text, or as the bytes of a file: one node a line, XML of ADTool, or a
        fault tree. ``attributes`` declares for unknown domains of ADTool whether their values add
        (``"sum"``), the greatest counts (``"max"``), or they multiply (``"product"``)."""
        self._made = (text, top, attributes)
        self._core = _meetjoin.AttackTree(encoded(text), top, list((attributes or {}).items()))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], top: str | None = None, attributes: Mapping[str, str] | None = None) -> AttackTree:
        """A file of any of these forms. ``top`` names the gate that it is about, if there are
        several that nothing uses."""
        with open(path, "rb") as file:
            text = file.read()
        try:
            return cls(text, top, attributes)
        except MeetjoinError as error:
            raise MeetjoinError(f"{os.fspath(path)}: {error}") from None

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes, each with its rule."""
        return dict(self._core.attributes)

    def solve(self, *, list: bool = False, cheapest: int | None = None, by: str | None = None, time_limit: float | None = None, max_memory: int | None = None) -> AttackAnswer:
        """How many minimal attacks there are, and the best of each attribute alone.

        Args:
            list: whether to list all minimal attacks.
            cheapest: how many minimal attacks to list, the cheapest first.
            by: the attribute by which they are ordered; ``cost`` by default. Only its best value is
                found then.
            time_limit: seconds.
            max_memory: the most bytes that this module holds.
        """
        wanted = 0 if truth(list, "list") else None
        if cheapest is not None:
            wanted = whole(cheapest, "cheapest", 1, MOST)
        best = [] if by is None else [by]
        found = json.loads(self._core.ask([], best, False, None, None, wanted, time_limit, max_memory))
        count, attacks = found["count"], found.get("attacks")
        return AttackAnswer(
            count=None if count is None else int(count),
            best=found["best"],
            best_attacks={name: None if attack is None else frozenset(attack) for name, attack in found["best_attacks"].items()},
            probability=found["probability"],
            attacks=None if attacks is None else _attacks(attacks),
            stop=found["stop"],
            stats=found["stats"],
        )

    def pareto(self, *attributes: str, time_limit: float | None = None, max_memory: int | None = None) -> Front:
        """The attacks that no other betters in all of these attributes; in all of the tree's by
        default."""
        names = [*attributes] or [*self.attributes]
        found = json.loads(self._core.ask(names, [], False, None, None, None, time_limit, max_memory))
        return Front(attacks=_attacks(found.get("front", [])), is_exact="front_is" not in found and "front" in found, stop=found["stop"])

    def defences(self, *, by: str | None = None, budget: float | None = None, time_limit: float | None = None, max_memory: int | None = None) -> Defences:
        """For each price of defences, the best value that the attacker has left.

        Args:
            by: the attribute in which the attacker is compared; ``cost`` by default.
            budget: the most that can be spent, if the best defences for that are wanted.
            time_limit: seconds.
            max_memory: the most bytes that this module holds.
        """
        best = [] if by is None else [by]
        found = json.loads(self._core.ask([], best, True, budget, None, None, time_limit, max_memory))
        front = tuple(_defended(point) for point in found.get("defence_front", []))
        within = found.get("within_budget")
        return Defences(
            front=front,
            block=next((point for point in front if point.attack_cost is None), None),
            within_budget=None if within is None else _defended(within),
            stop=found["stop"],
        )

    def to_adtool(self) -> str:
        """The tree as XML for ADTool."""
        return self._core.adtool()

    def __repr__(self) -> str:
        return f"<AttackTree of {self._core.size} nodes, {', '.join(self.attributes) or 'no attributes'}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (AttackTree, self._made)
