"""Strategies, certificates and traces."""

import html.parser
import json

import meetjoin
import pytest

GATES = [("r", "or", ["a", "b"]), ("a", "and", ["x", "y"]), ("b", "and", ["y", "c"]), ("c", "or", ["z", "w"])]
LEAVES = {"x": 3, "y": 7, "z": 5, "w": 9}


def problem() -> meetjoin.Problem:
    return meetjoin.Problem.from_gates(GATES, LEAVES)


def test_a_strategy_guarantees_what_it_says() -> None:
    plan = problem().strategy()
    assert (plan.player, plan.guarantees, plan.others) == ("MAX", 7, 0)
    assert "MAX makes sure of at least 7" in str(plan)
    assert plan.nodes[0]["next"] and repr(plan).startswith("Strategy(MAX, 7")
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
