"""Strategies, certificates and traces."""

import html.parser
import json

import meetjoin
import networkx
import pytest
from test_callbacks import Numbers
from test_hidden_games import Guess

GATES = [("r", "or", ["a", "b"]), ("a", "and", ["x", "y"]), ("b", "and", ["y", "c"]), ("c", "or", ["z", "w"])]
LEAVES = {"x": 3, "y": 7, "z": 5, "w": 9}


def problem() -> meetjoin.Problem:
    return meetjoin.Problem.from_gates(GATES, LEAVES)


def test_a_strategy_guarantees_what_it_says() -> None:
    plan = problem().strategy()
    assert (plan.player, plan.guarantees, plan.others) == ("MAX", 7, 0)
    assert "MAX makes sure of at least 7" in str(plan)
    assert plan.nodes[0]["next"] and repr(plan).startswith("Strategy(player='MAX', guarantees=7")
    assert plan._repr_html_().startswith("<pre>")
    assert problem().strategy(8, player="MIN").guarantees == 8
    with pytest.raises(meetjoin.MeetjoinError, match="no strategy guarantees it; strategies guarantee 7"):
        problem().strategy(8)
    with pytest.raises(ValueError):
        problem().strategy(player="me")


def test_a_certificate_is_checked_without_search() -> None:
    text = problem().certificate()
    shown = problem().verify(text)
    assert (shown["exact"], shown["lower"], shown["upper"]) == (True, 7, 7)
    with pytest.raises(meetjoin.MeetjoinError, match="does not follow"):
        problem().verify(text.replace("\n7\n", "\n8\n"))
    with pytest.raises(meetjoin.MeetjoinError, match="another problem"):
        meetjoin.Problem.from_gates(GATES, {**LEAVES, "w": 6}).verify(text)


def test_a_certificate_of_a_game() -> None:
    deal = meetjoin.racing(deck=10, goal=2, hand=[2, 4, 7, 8], lead=10, families=True)
    assert deal.verify(deal.certificate(stated=False))["stated_bounds"] == 0
    assert "MAX plays" in deal.strategy().text


def test_a_trace_is_a_page_with_its_data() -> None:
    page = problem().trace("alpha-beta-duo", "minimax", title="<&>")
    html.parser.HTMLParser().feed(page)
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert len(data["nodes"]) == 8 and len(data["searches"]) == 2
    assert "<title>&lt;&amp;&gt;</title>" in page


def cells(markup: str) -> list[list[str]]:
    """The rows of all tables, as a reader of HTML finds them."""

    class Reader(html.parser.HTMLParser):
        rows: list[list[str]] = []
        inside = False

        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag == "tr":
                self.rows.append([])
            self.inside = tag in ("td", "th")

        def handle_data(self, data: str) -> None:
            if self.inside:
                self.rows[-1].append(data)
                self.inside = False

    reader = Reader()
    reader.rows = []
    reader.feed(markup)
    return reader.rows


def test_answers_in_notebooks() -> None:
    answer = problem().solve("alpha-beta-duo", moves=True)
    rows = dict(cells(answer._repr_html_()))
    assert (rows["value"], rows["move 'a'"], rows["move 'b'"]) == ("7", "3", "7")
    assert rows["algorithm"] == "alpha-beta-duo" and "visits" in rows["took"]
    stopped = problem().solve("minimax", max_visits=1)
    rows = dict(cells(stopped._repr_html_()))
    assert "value" not in rows and rows["stopped"] == "visits" and {"lower bound", "upper bound"} < set(rows)
    marked = meetjoin.Problem.from_gates([("t", "or", ["x"])], {"x": "<b>"}, meetjoin.Table(elements=["a", "<b>"], covers=[("a", "<b>")]))
    assert "&lt;b&gt;" in marked.solve()._repr_html_()


def test_chances_in_notebooks() -> None:
    shown = meetjoin.suit("AQT98", "5432")._repr_html_()
    rows = cells(shown)
    assert rows[0] == ["goal", "chance", "exactly"]
    assert ["4 tricks", "82.8%", "476/575"] in rows and ["3 tricks", "100%", "1"] in rows
    assert any(row[0] == "average" and row[1] == "4.03 tricks" for row in rows)
    one = meetjoin.suit("AQT98", "5432", 4)._repr_html_()
    assert cells(one)[1] == ["4 tricks", "82.8%", "476/575"] and "<pre>chance    82.7826%  (476/575)" in one


def test_or_is_a_square_and_and_a_circle() -> None:
    import xml.etree.ElementTree

    svg = "{http://www.w3.org/2000/svg}"
    drawn = problem()._repr_svg_()
    root = xml.etree.ElementTree.fromstring(drawn)
    seen = {}
    for group in root.iter(f"{svg}g"):
        if group.get("class", "").startswith("node "):
            shape = next(part for part in group if part.get("class") == "shape")
            seen[(group.findtext(f"{svg}title") or "").split(":")[0]] = (group.get("class", "").split()[1], shape.tag.removeprefix(svg))
    square, circle, plain = ("square", "rect"), ("circle", "circle"), ("plain", "rect")
    assert seen == {"r": square, "a": circle, "b": circle, "c": square, "x": plain, "y": plain, "z": plain, "w": plain}
    meanings = [text.text or "" for text in root.iter(f"{svg}text") if text.get("class") == "meaning"]
    assert [meaning.split(":")[0] for meaning in meanings] == ["OR node", "AND node", "leaf"]
    assert "prefers-color-scheme: dark" in drawn


def test_strategies_speak_of_the_names_that_nodes_were_given() -> None:
    # Node 2 is worth 7 and stands at place 1, node 1 is worth 3 and stands at place 2.
    made = meetjoin.Problem.from_gates([(5, "or", [2, 1])], {2: 7, 1: 3})
    plan = made.strategy()
    assert plan.text.splitlines()[1] == "MAX plays 2, and the game is over"
    assert [node["node"] for node in plan.nodes] == ["5", "2"] and plan.nodes[0]["moves"] == ["2"]
    proof = made.prove(5, proof="json").proof
    assert proof is not None and [node["id"] for node in json.loads(proof)["nodes"]] == [5, 2]
    graph = networkx.DiGraph([("here", "left"), ("here", "right")])
    graph.nodes["here"]["kind"] = "or"
    graph.nodes["left"]["value"], graph.nodes["right"]["value"] = 3, 4
    assert "MAX plays right" in meetjoin.Problem.from_networkx(graph).strategy().text
    assert '"right"' in meetjoin.Problem.from_networkx(graph).trace("minimax")
    sets = {("won", 1): {frozenset({1, 2})}, ("won", 2): {frozenset({3})}}
    families = meetjoin.Problem.from_gates([("r", "or", list(sets))], sets, meetjoin.Families(3))
    strategy = families.heaviest(strategy=True).strategy
    assert strategy is not None and strategy[0]["moves"] == ("('won', 1)",)
    # Events are what they were called by.
    gates = [("r", "or", [("won", 1), 7])]
    cuts = meetjoin.Problem.from_gates(gates, {("won", 1): True, 7: False}, meetjoin.Bool()).cuts(list=True)
    assert cuts.sets is not None and set(cuts.sets) == {frozenset({("won", 1)}), frozenset({7})}
    cuts = meetjoin.Problem.from_gates(gates, {("won", 1): 2, 7: 1}, meetjoin.Monotone(2)).cuts(list=True)
    assert cuts.sets is not None and set(cuts.sets) == {frozenset({"1"}), frozenset({"2"})}


def typed(shown: str) -> object:
    """What one gets by typing this after ``from meetjoin import *``."""
    names: dict[str, object] = {}
    exec("from meetjoin import *", names)
    return eval(shown, names)


def test_what_is_shown_can_be_typed() -> None:
    diamond = meetjoin.Table(elements=["0", "a", "b", "1"], covers=[("0", "a"), ("0", "b"), ("a", "1"), ("b", "1")])
    lattices = [
        meetjoin.Bool(),
        meetjoin.Chain(),
        meetjoin.Chain(0, 9),
        meetjoin.Chain(0.0, 9.5),
        meetjoin.Chain(hi=3),
        meetjoin.Chain(-1e300),
        meetjoin.Powerset(4),
        meetjoin.Families(70),
        meetjoin.Monotone(3),
        meetjoin.Divisors(60),
        meetjoin.Free(2),
        meetjoin.Table([[1, 1], [0, 1]]),
        diamond,
        meetjoin.Product(meetjoin.Bool(), meetjoin.Dual(meetjoin.Product(diamond, meetjoin.Chain(0.5)))),
    ]
    tree = meetjoin.FaultTree.from_gates([("t", "or", ["a", "b"]), ("b", "and", ["c", "d"])], {"a": 0.1, "c": 0.2, "d": 0.3})
    attacks = meetjoin.AttackTree("attribute cost sum\nt = or a b\na cost=1\nb cost=2\n")
    sets = meetjoin.Problem.from_gates([("r", "or", ["x", "y"])], {"x": {1}, "y": {2}}, meetjoin.Powerset(3))
    families = meetjoin.racing(8, 2, [2, 5, 7], 3, families=True)
    outcomes = {"lattice": {"type": "dominance", "dims": 2}, "root": 1, "nodes": [{"id": 1, "kind": "leaf", "value": [0, 5]}]}
    answers = [
        problem().solve(moves=True),
        problem().solve(max_visits=1),
        meetjoin.Problem.from_gates(GATES, LEAVES, meetjoin.Chain(0)).solve("alpha-beta", max_visits=0),
        sets.solve(moves=True),
        families.solve(),
        families.heaviest(),
        problem().prove(7),
        problem().strategy(),
        sets.strategy(),
        problem().solve().stats,
        tree.cuts(list=True, importance=True),
        tree.cuts(most_probable=1).set_probabilities,
        attacks.solve(list=True),
        attacks.pareto(),
        attacks.defences(),
        meetjoin.packets(outcomes),
        meetjoin.algorithms(),
    ]
    for answer in [*lattices, *answers]:
        shown = repr(answer)
        again = typed(shown)
        assert again == answer and type(again) is type(answer) and repr(again) == shown

    def of_worlds(count: int) -> meetjoin.Answer:
        lattice = meetjoin.Powerset(count)
        return meetjoin.Problem.from_gates([("r", "or", ["x"])], {"x": lattice.top()}, lattice).solve()

    big, long = of_worlds(500), of_worlds(3000)
    assert len(repr(big)) > 5000 and typed(repr(big)) == big
    assert len(repr(long)) < 200 and repr(long).startswith("<Answer value=frozenset({1, 2, 3, ")
    # What cannot be typed does not look as if it could.
    suit = meetjoin.suit("AQ", "32")
    assert repr(suit).startswith("<SuitAnswer 2 tricks: 50.0%, 1 trick: 100%, average: 1.50 tricks>")
    numbers = meetjoin.Problem.from_gates(GATES, LEAVES, Numbers())
    for other in [problem(), numbers, tree, attacks, families.drawing(), suit, Guess().answer(1)]:
        assert repr(other)[0] + repr(other)[-1] == "<>" and len(repr(other)) < 200
        assert type(other).__name__ in repr(other)


def test_fussell_vesely_is_defined_as_it_is_computed() -> None:
    import inspect

    events = [("t", "or", ["a", "b"]), ("b", "and", ["a", "c"])]
    tree = meetjoin.FaultTree.from_gates([*events, ("d", "or", ["t", "e"])], {"a": 0.1, "c": 0.2, "e": 0.3}, top="d")
    for row in tree.cuts(importance=True).importance or ():
        assert row.fussell_vesely == pytest.approx(1 - 1 / row.risk_reduction)
    said = " ".join(inspect.getsource(meetjoin.Importance).split("fussell_vesely: float")[1].split('"""')[1].split())
    assert "1 - P(top if the event does not occur) / P(top)" in said
