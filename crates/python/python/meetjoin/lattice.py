"""Lattices: those of problem files, and your own."""

from __future__ import annotations

import itertools
import json
import math
from abc import ABC, abstractmethod
from typing import Any, Callable, Hashable, Iterable, Mapping, Protocol, Sequence, cast

from . import _meetjoin, drawing
from ._checked import MOST, integer, methods, truth, whole
from ._json import dumps
from ._meetjoin import Lattice as _Lattice
from ._meetjoin import MeetjoinError


class LawError(MeetjoinError):
    """A law that a lattice breaks, with elements that show it."""


class LatticeLike(Protocol):
    """A lattice: any object with these methods. What ``Lattice`` has besides is used where it is
    there: ``distributive``, ``total``, ``leq`` and ``elements``."""

    def join(self, a: Any, b: Any, /) -> Any:
        """The least element above both."""
        ...

    def meet(self, a: Any, b: Any, /) -> Any:
        """The greatest element below both."""
        ...

    def bottom(self) -> Any:
        """The least element."""
        ...

    def top(self) -> Any:
        """The greatest element."""
        ...


class Lattice(ABC):
    """A lattice that draws itself, to derive from: give it ``join``, ``meet``, ``bottom`` and
    ``top``. Games and gates can have values in any ``LatticeLike``.

    Elements are any objects that compare with ``==``. The methods must not change their arguments.
    Declare in ``distributive`` and ``total`` what holds for the lattice; algorithms that need more
    are refused. ``check_laws`` tests these claims and the laws of a lattice.
    """

    distributive: bool = True
    """Whether meet and join distribute over each other. Most cuts are sound only then."""
    total: bool = False
    """Whether any two elements are comparable."""

    @abstractmethod
    def join(self, a: Any, b: Any, /) -> Any:
        """The least element above both."""

    @abstractmethod
    def meet(self, a: Any, b: Any, /) -> Any:
        """The greatest element below both."""

    @abstractmethod
    def bottom(self) -> Any:
        """The least element."""

    @abstractmethod
    def top(self) -> Any:
        """The greatest element."""

    def leq(self, a: Any, b: Any, /) -> bool:
        """Whether ``a`` lies below or equals ``b``."""
        return bool(self.join(a, b) == b)

    def elements(self) -> Iterable[Any]:
        """Elements from which drawings and ``check_laws`` start; optional, but more elements test
        more."""
        return ()

    def hasse(self, elements: Iterable[Any] | None = None) -> drawing.Drawing:
        """A Hasse diagram of the sublattice that these elements generate, with bottom and top;
        without any, of the whole lattice where it can be listed, or of ``elements()`` of a lattice
        of your own. A lattice of too many elements is drawn in part, and the drawing says so."""
        chosen = list(self.elements() if elements is None else elements)
        return drawing.Drawing(*_meetjoin.hasse(self, chosen, drawing.MOST_ELEMENTS))

    def _repr_svg_(self) -> str:
        return self.hasse().svg

    def needs(self) -> str:
        """The name of the trait that the lattice declares, which algorithms check."""
        if self.total and self.distributive:
            return "TotalOrder"
        return "DistributiveLattice" if self.distributive else "Lattice"


class Own(Lattice):
    """An object with the methods of a lattice that does not derive from ``Lattice``."""

    def __init__(self, given: LatticeLike) -> None:
        self._given: Any = given
        for claim in ("distributive", "total"):
            setattr(self, claim, truth(getattr(given, claim, getattr(Lattice, claim)), claim))

    def join(self, a: Any, b: Any) -> Any:
        return self._given.join(a, b)

    def meet(self, a: Any, b: Any) -> Any:
        return self._given.meet(a, b)

    def bottom(self) -> Any:
        return self._given.bottom()

    def top(self) -> Any:
        return self._given.top()

    def leq(self, a: Any, b: Any) -> bool:
        leq = getattr(self._given, "leq", None)
        return super().leq(a, b) if leq is None else bool(leq(a, b))

    def elements(self) -> Iterable[Any]:
        elements = getattr(self._given, "elements", None)
        return super().elements() if elements is None else elements()

    def __repr__(self) -> str:
        return repr(self._given)


class BuiltIn(Lattice):
    """A lattice of problem files."""

    def __init__(self, spec: dict[str, Any]) -> None:
        try:
            text = json.dumps(spec, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise MeetjoinError(f"the lattice {spec!r:.80} is none of problem files: {error}") from None
        self.core: _Lattice = _Lattice(text)
        self._spec: dict[str, Any] = spec
        self.distributive: bool = self.core.is_distributive()
        self.total: bool = self.core.is_total()

    def join(self, a: Any, b: Any) -> Any:
        return self.core.join(self.encode(a), self.encode(b))

    def meet(self, a: Any, b: Any) -> Any:
        return self.core.meet(self.encode(a), self.encode(b))

    def leq(self, a: Any, b: Any) -> bool:
        return self.core.leq(self.encode(a), self.encode(b))

    def encode_all(self, values: Iterable[Any], name: Callable[[int], str] = "element {}".format) -> list[str]:
        """Several elements as JSON, with a fast path for integers, of which there may be millions.
        ``name`` is what an error calls one, by its place."""
        encoded: list[str] = []
        for value in values:
            try:
                encoded.append(str(value) if type(value) is int else self.encode(value))
            except MeetjoinError as error:
                raise MeetjoinError(f"{name(len(encoded))}: {error}") from None
        return encoded

    def encode(self, value: Any) -> str:
        """An element as the JSON of problem files."""
        return dumps(_input(self._spec, value))

    @property
    def is_of_decimals(self) -> bool:
        """Whether it is a chain of decimals: one with a float as an end."""
        return self._spec["type"] == "chain" and any(isinstance(self._spec.get(end), float) for end in ("lo", "hi"))

    def holding(self, floats: bool) -> Any:
        """The compiled lattice for values some of which are floats."""
        is_integers = self._spec["type"] == "chain" and not self.is_of_decimals
        return self.core.decimals() if floats and is_integers else self.core

    def hasse(self, elements: Iterable[Any] | None = None) -> drawing.Drawing:
        chosen = None if elements is None else self.encode_all(elements)
        return drawing.Drawing(*_meetjoin.hasse(self.core, chosen, drawing.MOST_ELEMENTS))

    def bottom(self) -> Any:
        return self.core.bottom()

    def top(self) -> Any:
        return self.core.top()

    @property
    def spec(self) -> dict[str, Any]:
        """The specification of the lattice in problem files."""
        return dict(self._spec)

    def __eq__(self, other: object) -> bool:
        # Not by the specification: 0 == 0.0, but a chain of integers differs from one of decimals.
        return isinstance(other, BuiltIn) and self.core.json() == other.core.json()

    def __hash__(self) -> int:
        return hash(self.core.json())

    def __repr__(self) -> str:
        return _typed(json.loads(self.core.json()))

    def __reduce__(self) -> tuple[Any, ...]:
        return (_of_spec, (self.spec,))


def _input(spec: dict[str, Any], value: Any, none: str = "bottom", other: str = "top") -> Any:
    """An element as files write it, where that differs from how it is printed. ``[]`` is the empty
    set in files, so a family without sets is written ``"bottom"``, or ``"top"`` in a dual."""
    kind = spec["type"]
    if kind == "dual":
        return _input(spec["of"], value, other, none)
    if kind == "product" and "of" in spec and isinstance(value, (list, tuple)):
        items = cast("Sequence[Any]", value)
        # With more or fewer items it is no value, which the reader reports.
        return items if len(items) != len(spec["of"]) else [_input(factor, item) for factor, item in zip(spec["of"], items)]
    if kind in ("families", "monotone") and isinstance(value, (set, frozenset, list, tuple)) and not value:
        return none
    return cast(Any, value)


def _typed(spec: dict[str, Any]) -> str:
    """A lattice as it is typed."""
    kind = spec["type"]
    given = {key: value for key, value in spec.items() if key != "type"}
    if kind == "product" and "of" in given:
        arguments = [_typed(factor) for factor in given["of"]]
    elif kind == "dual":
        arguments = [_typed(given["of"])]
    elif "leq" in given:
        arguments = [repr(given["leq"])]
    elif "covers" in given:
        covers = [tuple(pair) for pair in given["covers"]]
        arguments = [f"elements={given['elements']!r}", f"covers={covers!r}"]
    else:
        arguments = [f"{key}={value!r}" if kind == "chain" else repr(value) for key, value in given.items()]
    is_typed = kind in _CLASSES and (kind != "product" or "of" in given)
    return f"{_CLASSES[kind].__name__}({', '.join(arguments)})" if is_typed else f"<lattice {spec!r}>"


def _of_spec(spec: dict[str, Any]) -> BuiltIn:
    kind = spec.get("type")
    lattice = BuiltIn.__new__(_CLASSES.get(kind, BuiltIn) if isinstance(kind, str) else BuiltIn)
    BuiltIn.__init__(lattice, spec)
    return lattice


METHODS = ("join", "meet", "bottom", "top")


def of(lattice: LatticeLike | dict[str, Any] | str) -> Lattice:
    """The lattice given as a lattice, as the specification of a problem file, or as the type of one
    without parameters (``"chain"``)."""
    given: Any = lattice
    if isinstance(given, Lattice):
        return given
    if isinstance(given, str):
        return _of_spec({"type": given})
    if isinstance(given, Mapping):
        return _of_spec(dict(cast("Mapping[str, Any]", given)))
    if not any(hasattr(given, name) for name in METHODS):
        raise MeetjoinError(f"{given!r:.60} is no lattice; give one, its type as text, or its specification as a dictionary")
    methods(given, "a lattice", METHODS)
    return Own(given)


def _spec(lattice: LatticeLike | dict[str, Any] | str) -> dict[str, Any]:
    """The specification of a component of a product or dual."""
    factor = of(lattice)
    if isinstance(factor, BuiltIn):
        return factor.spec
    raise MeetjoinError(f"{factor!r:.60} is a lattice written in Python; products and duals are made of those of problem files")


class Bool(BuiltIn):
    """``False`` below ``True``."""

    def __init__(self) -> None:
        super().__init__({"type": "bool"})


class Chain(BuiltIn):
    """64-bit integers, or decimals if an end is a ``float``; unbounded without ends. A problem with
    a ``float`` among its values is over decimals."""

    def __init__(self, lo: float | None = None, hi: float | None = None) -> None:
        ends = {"lo": lo, "hi": hi}
        for end, of in ends.items():
            if isinstance(of, float) and not math.isfinite(of):
                raise MeetjoinError(f"{end} is {of}; it must be a number, and is left out where the chain has no end")
        super().__init__({"type": "chain", **{end: of for end, of in ends.items() if of is not None}})


class Powerset(BuiltIn):
    """Sets of the worlds 1 to ``v``: meet is intersection."""

    def __init__(self, v: int) -> None:
        super().__init__({"type": "powerset", "v": v})


class Families(BuiltIn):
    """Families of sets of the worlds 1 to ``v`` that are closed under subsets, given by their
    maximal sets."""

    def __init__(self, v: int) -> None:
        super().__init__({"type": "families", "v": v})


class Monotone(BuiltIn):
    """Functions of the events 1 to ``v``, as fault trees have them: meet is AND, join OR. A leaf is
    an event, a set of events that must all occur, or a set of such sets of which one is enough;
    ``-k`` is event k not occurring. Values are the minimal sets; more than 10,000 of them are only
    counted, ``{"count": n}``."""

    def __init__(self, v: int) -> None:
        super().__init__({"type": "monotone", "v": v})


class Divisors(BuiltIn):
    """The divisors of ``n``: meet is the greatest common divisor."""

    def __init__(self, n: int) -> None:
        super().__init__({"type": "divisors", "n": n})


class Product(BuiltIn):
    """Several lattices at once; elements are tuples."""

    def __init__(self, *factors: BuiltIn) -> None:
        super().__init__({"type": "product", "of": [_spec(factor) for factor in factors]})


class Dual(BuiltIn):
    """A lattice upside down."""

    def __init__(self, of: BuiltIn) -> None:
        super().__init__({"type": "dual", "of": _spec(of)})


class Table(BuiltIn):
    """A finite lattice by its order, ``leq[a][b]`` being whether a lies below or equals b, with
    numbers as elements; or by the names of its elements and the pairs ``(a, b)`` where b covers
    a."""

    def __init__(
        self,
        leq: Sequence[Sequence[int | bool]] | None = None,
        *,
        elements: Sequence[str] = (),
        covers: Sequence[tuple[str, str]] = (),
    ) -> None:
        if leq is None:
            super().__init__({"type": "table", "elements": list(elements), "covers": [list(pair) for pair in covers]})
            return
        if elements or covers:
            raise MeetjoinError("a table is given by its order, or by its elements and what covers what, and not by both")
        rows = [[integer(entry, "an entry of the order") for entry in row] for row in leq]
        super().__init__({"type": "table", "size": len(rows), "leq": rows})


class Free(BuiltIn):
    """The free distributive lattice over vectors of ``dims`` numbers."""

    def __init__(self, dims: int) -> None:
        super().__init__({"type": "free", "dims": dims})


_CLASSES: dict[str, type[BuiltIn]] = {
    "bool": Bool,
    "chain": Chain,
    "powerset": Powerset,
    "families": Families,
    "monotone": Monotone,
    "divisors": Divisors,
    "product": Product,
    "dual": Dual,
    "table": Table,
    "free": Free,
}


def check_laws(lattice: LatticeLike | dict[str, Any] | str, elements: Iterable[Hashable] | None = None, most: int = 24) -> None:
    """Checks the laws for all triples of at most ``most`` elements: the given ones
    (``lattice.elements()`` by default, if it has them), with joins and meets of these. Raises ``LawError`` where a
    law fails.

    The cost is cubic in their number. Over all elements of a finite lattice it is a proof,
    otherwise a sample.
    """
    most = whole(most, "most", 1, MOST)
    lattice = of(lattice)
    sample: list[Any] = []

    def add(element: Any) -> None:
        if len(sample) < most and not any(element == other for other in sample):
            sample.append(element)

    given = lattice.elements() if elements is None else elements
    for element in itertools.chain([lattice.bottom(), lattice.top()], given):
        add(element)
    for a, b in itertools.combinations(list(sample), 2):
        add(lattice.join(a, b))
        add(lattice.meet(a, b))

    def law(holds: bool, formula: str, *of: Any) -> None:
        if not holds:
            names = ", ".join(f"{name} = {element!r}" for name, element in zip("abc", of))
            raise LawError(f"{formula} fails for {names}")

    join, meet, leq = lattice.join, lattice.meet, lattice.leq
    for a in sample:
        law(join(a, a) == a, "a join a = a", a)
        law(meet(a, a) == a, "a meet a = a", a)
        law(leq(lattice.bottom(), a) and leq(a, lattice.top()), "bottom <= a <= top", a)
    for a, b in itertools.product(sample, repeat=2):
        law(join(a, b) == join(b, a), "a join b = b join a", a, b)
        law(meet(a, b) == meet(b, a), "a meet b = b meet a", a, b)
        law(join(a, meet(a, b)) == a, "a join (a meet b) = a", a, b)
        law(meet(a, join(a, b)) == a, "a meet (a join b) = a", a, b)
        law(leq(a, b) == (join(a, b) == b), "a <= b if and only if a join b = b", a, b)
        if lattice.total:
            law(leq(a, b) or leq(b, a), "a <= b or b <= a", a, b)
    for a, b, c in itertools.product(sample, repeat=3):
        law(join(a, join(b, c)) == join(join(a, b), c), "a join (b join c) = (a join b) join c", a, b, c)
        law(meet(a, meet(b, c)) == meet(meet(a, b), c), "a meet (b meet c) = (a meet b) meet c", a, b, c)
        if lattice.distributive:
            distributed = join(meet(a, b), meet(a, c))
            law(meet(a, join(b, c)) == distributed, "a meet (b join c) = (a meet b) join (a meet c)", a, b, c)
