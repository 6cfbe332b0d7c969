"""Attack trees, against enumeration in Python."""

from __future__ import annotations

import itertools
import pickle
from pathlib import Path

import pytest

from meetjoin import AttackTree, MeetjoinError

OFFICE = Path(__file__).parents[3] / "examples" / "office.txt"
COSTS = {"phish": 6, "vpn": 9, "exploit": 5, "badge": 4, "tailgate": 1, "usb": 2, "bribe": 20, "fetch": 12, "crack": 3, "simswap": 7}
PRICES = {"training": 3, "tokens": 8, "patching": 5, "guard": 7, "ports": 2, "encryption": 4, "rotation": 6}


def holds(a: frozenset[str], d: frozenset[str]) -> bool:
    """Whether the attacker has the records, written by hand from the file."""
    phish = "phish" in a and "training" not in d
    vpn, exploit = ("vpn" in a and "patching" not in d), ("exploit" in a and "patching" not in d)
    login = (phish or vpn) and ("tokens" not in d or "simswap" in a)
    remote = login and (phish or exploit)
    door = "badge" in a or ("tailgate" in a and "guard" not in d)
    desk = ("badge" in a) + ("usb" in a and "ports" not in d) + ("bribe" in a and "rotation" not in d)
    return remote or (door and desk >= 2) or ({"fetch", "crack"} <= a and "encryption" not in d)


def subsets(of: dict[str, int]) -> list[frozenset[str]]:
    return [frozenset(some) for size in range(len(of) + 1) for some in itertools.combinations(of, size)]


def test_the_office_against_enumeration() -> None:
    tree = AttackTree.from_file(OFFICE)
    attacks, none = subsets(COSTS), frozenset[str]()
    sets = {a for a in attacks if holds(a, none)}
    minimal = {a for a in sets if all(a - {action} not in sets for action in a)}
    answer = tree.solve(list=True)
    assert answer.attacks is not None and {attack.actions for attack in answer.attacks} == minimal
    assert answer.count == len(minimal) and answer.stop is None
    cheapest = tree.solve(cheapest=3).attacks
    costs = sorted(sum(COSTS[action] for action in a) for a in minimal)
    assert cheapest is not None and [attack.values["cost"] for attack in cheapest] == costs[:3]
    wanted: list[tuple[int, int | None]] = []
    bought = sorted((sum(PRICES[one] for one in d), d) for d in map(tuple, subsets(PRICES)))
    worth = -1.0
    best = {d: min((sum(COSTS[x] for x in a) for a in attacks if holds(a, frozenset(d))), default=None) for _, d in bought}
    for price, d in sorted(bought, key=lambda one: (one[0], -(10**9 if best[one[1]] is None else best[one[1]]))):
        value = 10**9 if best[d] is None else best[d]
        if value > worth:
            wanted.append((price, best[d]))
            worth = value
    defences = tree.defences(budget=6)
    assert [(point.cost, point.attack_cost) for point in defences.front] == wanted
    assert defences.block == defences.front[-1] and defences.block.attack is None
    assert defences.within_budget is not None and defences.within_budget.defences == {"ports", "training"}


def test_the_front() -> None:
    tree = AttackTree.from_file(OFFICE)
    front = tree.pareto("cost", "p")
    assert front.is_exact and front.stop is None
    assert [attack.values["cost"] for attack in front.attacks] == sorted(attack.values["cost"] for attack in front.attacks)
    assert front.attacks[0].values == {"cost": 6, "p": 0.5}
    assert not tree.pareto("cost", "p", time_limit=0.0).is_exact
    assert tree.attributes == {"cost": "sum", "time": "max", "p": "product"}
    assert pickle.loads(pickle.dumps(tree)).pareto("cost", "p") == front


def test_adtool_and_what_is_refused(tmp_path: Path) -> None:
    tree = AttackTree("attribute cost sum\nr = and a e\ne = or a b\na cost=2\nb cost=3")
    again = AttackTree(tree.to_adtool())
    assert again.solve().best == {"cost": 2}
    own = tmp_path / "own.xml"
    own.write_text(tree.to_adtool().replace("predefined.MinCost", "predefined.Own"))
    with pytest.raises(MeetjoinError, match="own.xml: the domain .* is not known"):
        AttackTree.from_file(own)
    assert AttackTree.from_file(own, attributes={"Own": "max"}).attributes == {"Own": "max"}
    with pytest.raises(MeetjoinError, match="there is no attribute"):
        tree.pareto("time")
    with pytest.raises(MeetjoinError, match="no \"avg\""):
        AttackTree.from_file(own, attributes={"Own": "avg"})


@pytest.mark.parametrize("budget", [-1.0, float("inf"), float("nan")])
def test_a_budget_is_an_amount(budget: float) -> None:
    tree = AttackTree("attribute cost sum\ntop = or a\na cost=3\nlock counters a\ndefence lock cost=2\n")
    with pytest.raises(MeetjoinError, match="is no amount that can be spent"):
        tree.defences(budget=budget)
