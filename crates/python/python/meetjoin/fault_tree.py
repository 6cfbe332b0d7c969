"""Fault trees: minimal cut sets, the probability of the top, and the importance of each event."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass
from typing import Any, Hashable, Iterable, Mapping, Sequence

from . import _meetjoin
from ._checked import MOST, encoded, integer, truth, whole, whole_if
from ._meetjoin import MeetjoinError
from .result import typed


def _is(value: Any, of: type | tuple[type, ...]) -> bool:
    return isinstance(value, of)


def _with(row: Mapping[str, Any], **changed: Any) -> dict[str, Any]:
    """A row with some of its entries replaced."""
    return {**row, **changed}


def gates_of(gates: Iterable[Any]) -> list[tuple[Any, Any, Any]]:
    """Checks that each gate is a name, a kind and a sequence of arguments."""
    checked: list[tuple[Any, Any, Any]] = []
    for gate in gates:
        if not _is(gate, (tuple, list)) or len(gate) != 3:
            raise MeetjoinError(f"{gate!r:.60} is no gate; a gate is (name, kind, [argument, ..])")
        name, kind, arguments = gate
        if not _is(kind, (str, tuple)):
            raise MeetjoinError(f"gate {name!r:.60} is of kind {kind!r:.60}, which is no text")
        if _is(arguments, str) or not _is(arguments, Sequence):
            raise MeetjoinError(f"the arguments of gate {name!r:.60} are {arguments!r:.60}; they must be a list")
        checked.append((name, kind, arguments))
    return checked


@dataclass(frozen=True)
class Importance:
    """How much an event matters for the top."""

    event: Any
    probability: float
    birnbaum: float
    """Birnbaum importance: P(top) if the event occurs, minus P(top) if it does not."""
    critical: float
    """Critical importance: the probability that the event causes the top, if the top occurs."""
    diagnostic: float
    """Diagnostic importance: the probability of the event, if the top occurs."""
    fussell_vesely: float
    """Fussell-Vesely importance: 1 - P(top if the event does not occur) / P(top), the share of the
    risk that would disappear without the event."""
    risk_achievement: float
    """Risk achievement worth: P(top) if the event occurs, divided by P(top)."""
    risk_reduction: float
    """Risk reduction worth: P(top), divided by P(top) if the event does not occur."""


@dataclass(frozen=True)
class Uncertainty:
    """The distribution of the probability of the top over trials."""

    trials: int
    mean: float
    standard_deviation: float
    interval: tuple[float, float]
    """The 95 % confidence interval of the mean."""
    error_factor: float
    quantiles: tuple[tuple[float, float], ...]
    """Quantiles: a fraction of the trials, and the value that these do not exceed."""
    histogram: tuple[tuple[float, float, float], ...]
    """Lower and upper bounds, and the part of the trials between them."""


@dataclass(frozen=True)
class Phase:
    """The answer in a phase of an alignment."""

    alignment: str
    phase: str
    fraction: float
    probability: float | None
    count: int


@dataclass(frozen=True)
class EventSequence:
    """A sequence of an event tree."""

    event_tree: str
    initiating_event: str
    alignment: str | None
    phase: str | None
    name: str
    probability: float | None
    """The probability, given the initiating event."""
    count: int | None
    """How many minimal cut sets it has; ``None`` where it is a probability alone."""
    sets: tuple[frozenset[str], ...] | None = None
    """The sets, if asked for."""


@dataclass(frozen=True)
class CutSets:
    """Minimal sets of events."""

    count: int
    """How many of the sets asked for there are."""
    by_order: tuple[int, ...]
    """How many sets have 1, 2, .. events."""
    probability: float | tuple[float, float] | None
    """The probability of the top: a number, a lower and an upper bound, or ``None`` if an event on
    which it depends has none."""
    sets: tuple[frozenset[Any], ...] | None
    """The sets, if asked for; ``("not", event)`` is an event that must not happen."""
    set_probabilities: tuple[float, ...] | None
    """The probability of each set, if the most probable ones were asked for."""
    importance: tuple[Importance, ...] | None
    """The importance of each event, if asked for; ``None`` if the probability of the top is only
    bounded."""
    stop: str | None
    """The limit that left something out: ``"time"`` or ``"memory"``."""
    stats: Mapping[str, Any]
    mission_time: float | None = None
    """In hours, if any probability depends on it."""
    pfd_average: float | None = None
    """The average of the probability of the top from 0 to that time; ``None`` if it is not known, or
    nothing depends on the time."""
    curve: tuple[tuple[float, float], ...] | None = None
    """Hours and the probability of the top, if a time step was given."""
    sil: Mapping[str, Any] | None = None
    """Safety integrity levels, if asked for."""
    uncertainty: Uncertainty | None = None
    phases: tuple[Phase, ...] = ()

    def __repr__(self) -> str:
        return typed(self, f"count={self.count}, probability={self.probability}, stop={self.stop!r}")


def _number(event: Hashable, probability: Any) -> float:
    try:
        number = float(probability)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    # The text format has no NaN, so its reader could not name the event.
    if math.isnan(number):
        said = f"the probability of {event!r} is {probability!r}"
        raise MeetjoinError(f"{said}; it must be a number from 0 to 1")
    return number


def _by_name(error: MeetjoinError, names: Mapping[str, Any]) -> MeetjoinError:
    """The error with the caller's names of gates and events."""
    said = str(error)
    known = ", ".join(f"{name} is {original!r}" for name, original in names.items() if name != original and (f"`{name}`" in said or f'"{name}"' in said))
    return MeetjoinError(f"{said} ({known})") if known else error


class FaultTree:
    """Gates over basic events."""

    def __init__(self, text: str | bytes, top: str | None = None, names: Mapping[str, Any] | None = None) -> None:
        """A fault tree as text, or as the bytes of a file: Open-PSA XML, or one gate a line,
        ``top = or a b``; or a problem file, whose leaves are the events."""
        self._made: tuple[Any, str | None, Mapping[str, Any] | None] = (text, top, names)
        self._core = _meetjoin.FaultTree([encoded(text)], top)
        self._names = names

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], top: str | None = None) -> FaultTree:
        """A file of either form. ``top`` names the gate that it is about, if there are several that
        no other has as an argument."""
        with open(path, "rb") as file:
            text = file.read()
        try:
            return cls(text, top)
        except MeetjoinError as error:
            raise MeetjoinError(f"{os.fspath(path)}: {error}") from None

    from_open_psa = from_file

    @classmethod
    def from_files(cls, paths: Iterable[str | os.PathLike[str]], top: str | None = None) -> FaultTree:
        """A model in any number of files, in any order."""
        if _is(paths, (str, bytes, os.PathLike)):
            raise MeetjoinError(f"{paths!r:.60} is one file; from_file takes one, and from_files a list of them")
        texts: list[bytes] = []
        names = [os.fspath(path) for path in paths]
        for path in names:
            with open(path, "rb") as file:
                texts.append(file.read())
        if not texts:
            raise MeetjoinError("a model has at least one file")
        return cls._of_texts(texts, top)

    @classmethod
    def _of_texts(cls, texts: list[bytes], top: str | None) -> FaultTree:
        if len(texts) == 1:
            return cls(texts[0], top)
        made = cls.__new__(cls)
        made._made = (texts, top, None)
        made._core = _meetjoin.FaultTree(texts, top)
        made._names = None
        return made

    @classmethod
    def from_gates(
        cls,
        gates: Iterable[tuple[Hashable, str | tuple[str, int], Sequence[Hashable]]],
        probabilities: Mapping[Any, float] | None = None,
        top: Hashable | None = None,
    ) -> FaultTree:
        """Gates ``(name, kind, arguments)``; the first is the top unless it is given. Kinds are
        ``"and"``, ``"or"``, ``"not"``, ``"xor"``, ``"nand"``, ``"nor"`` and ``("atleast", k)``.
        What is no gate is a basic event."""
        gates = gates_of(gates)
        if not gates:
            raise MeetjoinError("a fault tree has at least one gate")
        names: dict[Hashable, str] = {}
        for name, _, _ in gates:
            if name in names:
                raise MeetjoinError(f"gate {name!r} is defined twice")
            names[name] = f"g{len(names)}"

        def short(name: Hashable) -> str:
            return names.setdefault(name, f"e{len(names)}")

        lines: list[str] = []
        for name, kind, arguments in gates:
            if _is(kind, tuple):
                if len(kind) != 2 or kind[0] != "atleast":
                    raise MeetjoinError(f"gate {name!r} is of kind {kind!r:.60}; a gate that needs k of its arguments is (\"atleast\", k)")
                connective = f"{integer(kind[1], f'k of gate {name!r}')} of"
            elif kind.lower() in ("and", "or", "not", "xor", "nand", "nor"):
                connective = kind.lower()
            else:
                raise MeetjoinError(f"gate {name!r} is of kind {kind!r}; there are and, or, not, xor, nand, nor and (\"atleast\", k)")
            lines.append(f"{names[name]} = {connective} {' '.join(short(argument) for argument in arguments)}")
        known = probabilities or {}
        # One table may serve several trees; but if an event lacks a probability too, it is a
        # mistake.
        unused = [event for event in known if event not in names]
        missing = [event for event, name in names.items() if name.startswith("e") and event not in known]
        if unused and missing:
            raise MeetjoinError(f"{unused[0]!r} has a probability, and no gate mentions it; {missing[0]!r} has none")
        for event, probability in known.items():
            if event not in names:
                continue
            if names[event].startswith("g"):
                raise MeetjoinError(f"{event!r} is a gate and has a probability")
            lines.append(f"{names[event]} = {_number(event, probability)!r}")
        if top is not None and top not in names:
            meant = _meetjoin.meant(str(top), [name for name, _, _ in gates if isinstance(name, str)])
            raise MeetjoinError(f"the top {top!r} is no gate{meant}")
        top_name = names[gates[0][0] if top is None else top]
        originals = {name: original for original, name in names.items()}
        try:
            return cls("\n".join(lines), top_name, originals)
        except MeetjoinError as error:
            raise _by_name(error, originals) from None

    def cuts(
        self,
        sets: str = "cuts",
        *,
        limit_order: int | None = None,
        cut_off: float | None = None,
        list: bool = False,
        most_probable: int | None = None,
        importance: bool = False,
        mission_time: float | None = None,
        ccf: bool = False,
        time_step: float | None = None,
        sil: bool = False,
        uncertainty: int | None = None,
        seed: int = 0,
        time_limit: float | None = None,
        max_memory: int | None = None,
    ) -> CutSets:
        """The minimal sets, counted exactly however many there are.

        Args:
            sets: ``"cuts"``, ``"paths"``, or ``"prime-implicants"`` where there are negations.
            limit_order: the most events of a set.
            cut_off: the least probability of a set.
            list: whether to list all sets, the smallest first.
            most_probable: how many sets to list, the most probable first.
            importance: whether to compute the importance measures of each event.
            mission_time: hours for which the system has to work, 8760 unless given.
            ccf: whether members of common-cause groups fail together.
            time_step: hours between two points of the probability over time.
            sil: whether to compute the time spent in each safety integrity level; needs ``time_step``.
            uncertainty: the number of random trials of uncertain probabilities and rates.
            seed: the seed of the random generator.
            time_limit: seconds.
            max_memory: the most bytes that this module holds.
        """
        wanted = 0 if truth(list, "list") else None
        if most_probable is not None:
            wanted = whole(most_probable, "most_probable", 1, MOST)
        limit_order = whole_if(limit_order, "limit_order", 1, 2**32 - 1)
        uncertainty = whole_if(uncertainty, "uncertainty", 1, _meetjoin.MOST_TRIALS)
        seed = whole(seed, "seed", 0, 2**64 - 1)
        try:
            text = self._core.cuts(
                sets, limit_order, cut_off, wanted, importance, time_limit, max_memory, mission_time, ccf, time_step, sil, uncertainty, seed
            )
        except MeetjoinError as error:
            raise _by_name(error, self._names or {}) from None
        found = json.loads(text)
        trials, curve = found.get("uncertainty"), found.get("curve")
        top: Any = found["probability"]
        probability: float | tuple[float, float] | None = top if top is None or isinstance(top, (int, float)) else (top["lower"], top["upper"])
        listed, rows = found.get("sets"), found.get("importance")
        products = found.get("set_probabilities")
        return CutSets(
            count=int(found["count"]),
            by_order=tuple(int(number) for number in found["by_order"]),
            probability=probability,
            sets=None if listed is None else tuple(frozenset(self._literal(event) for event in of) for of in listed),
            set_probabilities=None if products is None else tuple(products),
            importance=None if rows is None else tuple(Importance(**{**row, "event": self._name(row["event"])}) for row in rows),
            stop=found["stop"],
            stats=found["stats"],
            mission_time=found.get("mission_time"),
            pfd_average=found.get("pfd_average"),
            curve=None if curve is None else tuple((time, p) for time, p in curve),
            sil=found.get("sil"),
            uncertainty=None if trials is None else Uncertainty(
                **_with(
                    trials,
                    interval=tuple(trials["interval"]),
                    quantiles=tuple(tuple(row) for row in trials["quantiles"]),
                    histogram=tuple(tuple(row) for row in trials["histogram"]),
                )
            ),
            phases=tuple(Phase(**_with(phase, count=int(phase["count"]))) for phase in found.get("phases", ())),
        )

    def sequences(
        self,
        *,
        mission_time: float | None = None,
        ccf: bool = False,
        list: bool = False,
        time_limit: float | None = None,
        max_memory: int | None = None,
    ) -> tuple[EventSequence, ...]:
        """The sequences of the event trees of a model; ``list`` asks for their minimal cut sets. A
        limit that fires is an error."""
        found = json.loads(self._core.sequences(mission_time, ccf, list, time_limit, max_memory))
        if found["stop"] is not None:
            raise MeetjoinError(f"stopped before all sequences were solved: {found['stop']}")
        return tuple(
            EventSequence(
                **_with(
                    row,
                    count=None if row["count"] is None else int(row["count"]),
                    sets=None if row.get("sets") is None else tuple(frozenset(of) for of in row["sets"]),
                )
            )
            for row in found["sequences"]
        )

    def _name(self, event: str) -> Any:
        return event if self._names is None else self._names[event]

    def _literal(self, event: Any) -> Any:
        return self._name(event) if isinstance(event, str) else ("not", self._name(event["not"]))

    @property
    def size(self) -> tuple[int, int]:
        """Gates and basic events."""
        return self._core.size

    def __repr__(self) -> str:
        gates, events = self.size
        return f"<FaultTree of {gates} gates, {events} events>"

    def __reduce__(self) -> tuple[Any, ...]:
        text, top, names = self._made
        if isinstance(text, list):
            return (FaultTree._of_texts, (text, top))
        return (FaultTree, (text, top, names))
