"""Games with hidden cards written in Python, against plain Python and against what is wrong with them."""

import itertools
import pickle

import pytest

import meetjoin
from meetjoin import HiddenGame, MeetjoinError


class OneSuit(HiddenGame):
    """One suit for two: MAX and MIN have so many cards each, some are out of play. MAX leads first, who wins a trick leads to the next, and MAX wants tricks."""

    def __init__(self, deck, own):
        self.own = frozenset(own)
        self.unseen = frozenset(range(deck)) - self.own
        self.worlds = [frozenset(hand) for hand in itertools.combinations(sorted(self.unseen), len(own))]
        # MAX's cards, MIN's played cards, the card on the table and who has led it, MAX's tricks.
        self.start = (self.own, frozenset(), None, "max", 0)
        self.most_points = len(own)

    def turn(self, position):
        own, played, table, leader, _ = position
        if table is None:
            return leader if len(played) < len(self.own) else "over"
        return "min" if leader == "max" else "max"

    def moves(self, position):
        own, played, table, leader, tricks = position
        cards = own if self.turn(position) == "max" else self.unseen - played
        for card in sorted(cards):
            hands = (own - {card}, played) if self.turn(position) == "max" else (own, played | {card})
            if table is None:
                yield (*hands, card, leader, tricks)
            else:
                winner = leader if table > card else self.turn(position)
                yield (*hands, None, winner, tricks + (winner == "max"))

    def possible(self, position, world):
        return position[1] <= world

    def points(self, position, world):
        return position[4]


def family(game, position, worlds):
    """What strategies are sure of, as points by world, by enumeration."""
    turn = game.turn(position)
    if turn == "over":
        return {tuple(game.points(position, world) if world in worlds else game.most_points for world in game.worlds)}
    rows = []
    for child in game.moves(position):
        left = [world for world in worlds if game.possible(child, world)]
        if left:
            rows.append(family(game, child, left))
    if turn == "max":
        return set().union(*rows)
    met = {(game.most_points,) * len(game.worlds)}
    for row in rows:
        met = {tuple(map(min, a, b)) for a in met for b in row}
    return met


@pytest.mark.parametrize("deck, own", [(5, [0, 3]), (6, [1, 4]), (6, [2, 3]), (5, [1, 2]), (7, [0, 3, 5]), (6, [1, 2, 4])])
def test_the_answer_is_that_of_all_strategies(deck, own):
    game = OneSuit(deck, own)
    values = family(game, game.start, game.worlds)
    answer = game.answer(ahead=[1, 2, 99])
    assert answer.average * len(game.worlds) == pytest.approx(max(map(sum, values)))
    assert sum(answer.points.values()) == max(map(sum, values))
    assert tuple(answer.points[world] for world in game.worlds) in values
    assert answer.best.worth == pytest.approx(answer.average)
    for move in answer.moves:
        worth = max(map(sum, family(game, move.position, game.worlds))) / len(game.worlds)
        assert move.worth == pytest.approx(worth)
        assert move.seen >= move.ahead[1] >= move.ahead[2] == pytest.approx(worth)
    for goal in range(1, len(own) + 1):
        chance = max(sum(points >= goal for points in value) for value in values)
        assert game.answer(goal).average * len(game.worlds) == pytest.approx(chance)


def test_a_game_is_a_problem_for_everything_else():
    game = OneSuit(6, [1, 4])
    problem = game.problem(goal=1)
    value = problem.solve().value
    best = {frozenset(place for place, points in enumerate(value, 1) if points >= 1) for value in family(game, game.start, game.worlds)}
    assert set(value) == {a for a in best if not any(a < b for b in best)}
    assert pickle.loads(pickle.dumps(problem)).solve().value == value
    assert problem.strategy().nodes
    answer = game.answer(1)
    assert answer.strategy is not None and answer.problem.solve().value == value
    assert "HiddenAnswer" in repr(answer)


class Guess(HiddenGame):
    """MAX says which of two cards MIN has."""

    worlds = ["ace", "king"]
    start = "start"

    def turn(self, position):
        return "max" if position == "start" else "over"

    def moves(self, position):
        return ["says ace", "says king"]

    def possible(self, position, world):
        return True

    def points(self, position, world):
        return position == f"says {world}"


def test_weights_count():
    assert Guess().answer().average == 0.5

    class Likely(Guess):
        def weight(self, world):
            return 3 if world == "king" else 1

    answer = Likely().answer()
    assert (answer.average, answer.best.position, answer.best.seen) == (0.75, "says king", 0.75)
    assert answer.points == {"ace": 0, "king": 1}


def changed(**methods):
    return type("Changed", (Guess,), methods)()


@pytest.mark.parametrize(
    "methods, sentence",
    [
        ({"worlds": []}, "the game has no world, and needs at least one"),
        ({"worlds": ["ace", "ace"]}, "two worlds are equal"),
        ({"most_points": 0}, "the most points are 0, and must be at least 1"),
        ({"most_points": 10**9}, "2 worlds with up to 1000000000 points each are more than 16777216 stakes"),
        ({"most_points": -1}, "most_points is -1; it must be from 0 to 4294967295"),
        ({"weight": lambda self, world: -1}, "the weight of 'ace' is -1; it must be from 0 to 18446744073709551615"),
        ({"weight": lambda self, world: 0}, "every world weighs 0"),
        ({"weight": lambda self, world: 2**63}, "the weights add up to more than 18446744073709551615"),
        ({"weight": lambda self, world: "x"}, "the weight of 'ace' is 'x'; it must be an integer"),
        ({"turn": lambda self, position: "us"}, "the turn at 'start' is 'us'; it must be \"max\", \"min\" or \"over\""),
        ({"moves": lambda self, position: []}, "at start the game is not over, and there is no move"),
        ({"points": lambda self, position, world: 2}, "at says ace MAX has 2 points in world ace, and the most are 1"),
        ({"possible": lambda self, position, world: position == "start"}, "at start the move says ace is possible in no world"),
        ({"possible": lambda self, position, world: world == "ace"}, "the start start is impossible in world king"),
        (
            {"possible": lambda self, position, world: position == "start" or world == "ace"},
            "at start the move says ace of MAX is impossible in world king",
        ),
        ({"turn": lambda self, position: "max", "moves": lambda self, position: ["start"]}, "the game does not end: start comes after itself"),
        ({"moves": lambda self, position: itertools.count()}, "the game has more than 1000000 positions"),
    ],
)
def test_what_is_no_game_is_refused_with_a_sentence(methods, sentence):
    with pytest.raises(MeetjoinError) as raised:
        changed(**methods).answer()
    assert sentence in str(raised.value)


def test_worlds_must_stay_as_many():
    class More(Guess):
        def __init__(self):
            self.worlds = ["ace", "king"]

        def points(self, position, world):
            self.worlds.append("queen")
            return 0

    with pytest.raises(MeetjoinError, match="the game had 2 worlds when it began, and has 6 now"):
        More().answer()


def test_what_a_method_raises_comes_through():
    class Own(Exception):
        pass

    def wrong(self, *_):
        raise Own("mine")

    for name in ("turn", "moves", "possible", "points", "weight"):
        with pytest.raises(Own, match="mine"):
            changed(**{name: wrong}).answer()
    with pytest.raises(TypeError):
        changed(moves=lambda self, position: [[]]).answer()


def test_limits_and_goals_are_said():
    game = OneSuit(9, [1, 4, 6, 7])
    with pytest.raises(MeetjoinError, match="limit"):
        game.answer(max_visits=5)
    with pytest.raises(MeetjoinError, match="the time limit was reached"):
        game.answer(time_limit=0.0)
    for seconds in (-1, float("nan")):
        with pytest.raises(MeetjoinError, match=f"time_limit is {seconds}, and a number of seconds from 0"):
            game.answer(time_limit=seconds)
    with pytest.raises(MeetjoinError, match="the game has more than 10 positions"):
        game.answer(most=10)
    with pytest.raises(MeetjoinError, match="the goal is 5 points, and MAX can have 1 to 4"):
        game.answer(5)
    with pytest.raises(MeetjoinError, match="the goal is 0 points"):
        game.problem(0)
    assert isinstance(meetjoin.HiddenGame, type)
