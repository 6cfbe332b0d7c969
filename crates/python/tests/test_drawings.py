"""Lattices as notebooks show them."""

from __future__ import annotations

import xml.etree.ElementTree
from typing import Any, Iterable

import pytest

import meetjoin

SVG = "{http://www.w3.org/2000/svg}"


def parts(lattice: meetjoin.Lattice) -> tuple[list[str], int, bool]:
    """The elements as they are written, the number of lines, and whether it is said that something is left out."""
    drawing = lattice.hasse()
    assert lattice._repr_svg_() == drawing._repr_svg_() == drawing.svg
    root = xml.etree.ElementTree.fromstring(drawing.svg)
    elements = [group.findtext(f"{SVG}title") or "" for group in root.iter(f"{SVG}g") if group.find(f"{SVG}rect") is not None]
    assert (drawing.left_out is None) or drawing.left_out in drawing.svg
    return elements, sum(1 for _ in root.iter(f"{SVG}line")), drawing.left_out is not None


@pytest.mark.parametrize(
    ("lattice", "elements", "lines"),
    [
        (meetjoin.Bool(), 2, 1),
        (meetjoin.Chain(-2, 2), 5, 4),
        (meetjoin.Powerset(3), 8, 12),
        (meetjoin.Families(3), 20, 32),
        (meetjoin.Divisors(60), 12, 20),
        (meetjoin.Dual(meetjoin.Powerset(2)), 4, 4),
        (meetjoin.Product(meetjoin.Bool(), meetjoin.Bool(), meetjoin.Bool()), 8, 12),
        (meetjoin.Table(elements=["no", "maybe", "yes"], covers=[("no", "maybe"), ("maybe", "yes")]), 3, 2),
    ],
    ids=repr,
)
def test_small_lattices_are_drawn_whole(lattice: meetjoin.Lattice, elements: int, lines: int) -> None:
    drawn = parts(lattice)
    assert (len(set(drawn[0])), drawn[1], drawn[2]) == (elements, lines, False)


@pytest.mark.parametrize(
    "lattice",
    [meetjoin.Chain(), meetjoin.Chain(0), meetjoin.Chain(0.5, 1.5), meetjoin.Powerset(200), meetjoin.Families(9), meetjoin.Free(3), meetjoin.Divisors(2**40 * 3**10)],
    ids=repr,
)
def test_large_ones_say_what_is_left_out(lattice: meetjoin.Lattice) -> None:
    elements, lines, less = parts(lattice)
    assert less and 2 <= len(elements) <= 8 and lines > 0


def test_chosen_elements_and_own_lattices() -> None:
    drawing = meetjoin.Powerset(40).hasse([{1, 2}, {2, 3}, {9}])
    assert drawing.left_out is None and "{2}" in drawing.svg and repr(drawing).startswith("<Drawing of ")

    class Letters(meetjoin.Lattice):
        def join(self, a: Any, b: Any) -> Any:
            return a | b

        def meet(self, a: Any, b: Any) -> Any:
            return a & b

        def bottom(self) -> Any:
            return frozenset()

        def top(self) -> Any:
            return frozenset("<xy")

        def elements(self) -> Iterable[Any]:
            return [frozenset("<"), frozenset("x"), frozenset("y")]

    assert len(parts(Letters())[0]) == 8
    meetjoin.check_laws(Letters())

    class Failing(Letters):
        def leq(self, a: Any, b: Any) -> bool:
            raise ZeroDivisionError("leq")

    with pytest.raises(ZeroDivisionError, match="leq"):
        Failing().hasse()
    many = meetjoin.Chain().hasse(range(1000))
    assert many.left_out is not None
