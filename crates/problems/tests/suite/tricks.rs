//! The words of endings of games of tricks, read by the rules that the book gives and played out in
//! every world against everything that can be played, by rules in words.

#[path = "../../../games/tests/suite/tricks/in_words.rs"]
#[allow(dead_code)] // what other tests need
mod in_words;

use meetjoin_catalogue::method::DEFAULT;
use meetjoin_dag::HiddenGame as _;
use meetjoin_games::tricks::order::Pack;
use meetjoin_games::tricks::{
    Aim, GivenRules, TrickDeal, TrickEnding, TrickError, TrickHand, TrickRules, Tricks, presets,
};
use meetjoin_lattice::{Budget, Limits};
use meetjoin_problems::{Source, TricksAnswer, tricks};
use meetjoin_solve::Request;
use serde_json::Value;

use in_words::{Plain, State, of_any_rules, of_game, small};

/// A line of words with those that stand under it.
struct Said {
    /// Whether it is a case, of several.
    is_case: bool,
    turn: String,
    leads: bool,
    /// `None` for any card.
    cards: Option<Vec<String>>,
    /// What follows.
    then: Vec<Said>,
}

/// Reads lines of text: what follows a line stands below it, and one step to the right below a
/// case.
fn read(
    lines: &mut std::iter::Peekable<std::vec::IntoIter<(usize, &str)>>,
    indent: usize,
) -> Vec<Said> {
    let mut all: Vec<Said> = Vec::new();
    while let Some((_, text)) = lines.next_if(|line| line.0 == indent) {
        let words: Vec<&str> = text.split(' ').collect();
        let (is_case, turn, verb, cards) = match *words.as_slice() {
            ["otherwise"] => {
                let before = all.last().expect("other than what?");
                let verb = if before.leads { "leads" } else { "plays" };
                (true, before.turn.clone(), verb, None)
            }
            ["if", turn, verb, ref cards @ ..] => (true, turn.to_owned(), verb, Some(cards)),
            ["whatever", turn, verb] => (false, turn.to_owned(), verb, None),
            [turn, verb, ref cards @ ..] => (false, turn.to_owned(), verb, Some(cards)),
            _ => panic!("{text:?}"),
        };
        assert!(["leads", "plays"].contains(&verb), "{text}");
        assert!(
            is_case || cards.is_none_or(|cards| cards.len() == 1),
            "{text}"
        );
        let cards = cards.map(|cards| {
            let cards = cards
                .iter()
                .map(|card| card.trim_end_matches(',').to_owned());
            cards.collect::<Vec<_>>()
        });
        let is_last = !is_case || cards.is_none();
        all.push(Said {
            is_case,
            turn,
            leads: verb == "leads",
            cards,
            then: read(lines, indent + usize::from(is_case)),
        });
        if is_last {
            break;
        }
    }
    all
}

/// The words of an answer, as its text has them.
fn words(text: &str) -> Vec<Said> {
    let lines = text.lines().skip_while(|line| !line.starts_with("line "));
    let lines = lines.map(|line| {
        let said = line[10..].trim_start();
        ((line.len() - 10 - said.len()) / 2, said)
    });
    let lines: Vec<(usize, &str)> = lines.collect();
    let mut rest = lines.into_iter().peekable();
    let said = read(&mut rest, 0);
    assert!(rest.next().is_none(), "{text}");
    said
}

/// A play by the words, and by the list of nodes where they end.
struct Play<'a> {
    plain: &'a Plain<'a>,
    /// The list of nodes.
    line: &'a [Value],
    /// The one world of the play.
    world: usize,
}

impl Play<'_> {
    /// The points of MAX at least.
    fn worst(&self, said: &[Said], node: &Value, state: &State) -> u32 {
        // Where the list ends, nothing that is played changes anything.
        let Some(place) = node.as_u64() else {
            return self.plain.result(state.won);
        };
        let node = &self.line[place as usize];
        let turn = &self.plain.rules.players[state.turn];
        assert_eq!(node["turn"], turn.as_str());
        assert_eq!(node["leads"], state.trick.is_empty());
        for said in said {
            assert_eq!((&said.turn, said.leads), (turn, state.trick.is_empty()));
            assert!(
                said.is_case || said.cards.is_none() || said.cards.iter().flatten().count() == 1
            );
        }
        let hand = &state.hands[self.world][state.turn];
        let choices = self.plain.legal(state, hand);
        let next = node["next"].as_array().expect("cards");
        let mut worst = None;
        for [card, to] in next.iter().map(|next| [&next[0], &next[1]]) {
            let card = card.as_str().expect("a card").to_owned();
            if self.plain.moves[state.turn] {
                assert!(next.len() == 1 && choices.contains(&card), "{card}");
                assert!(
                    said.iter()
                        .all(|said| said.cards.as_deref() == Some(&[card.clone()][..]))
                );
            } else if !choices.contains(&card) {
                continue;
            }
            let told = said.iter().find(|said| {
                said.cards
                    .as_ref()
                    .is_none_or(|cards| cards.contains(&card))
            });
            let then = told.map_or(&[][..], |said| &said.then);
            let points = self.worst(then, to, &self.plain.after(state, &card));
            worst = Some(worst.map_or(points, |worst: u32| worst.min(points)));
        }
        // Cards of others that are not in the list are equal to one that is, in a hand that all
        // see, or for worlds in which nothing is sure.
        let listed = |card: &&String| next.iter().any(|next| next[0] == card.as_str());
        let is_seen = matches!(self.plain.deal.hands[state.turn], TrickHand::Seen(_));
        let is_told = |card: &String| {
            listed(&card)
                || is_seen
                    && self
                        .equal_below(state, card)
                        .is_some_and(|other| listed(&&other))
        };
        let are_told = self.plain.moves[state.turn] || choices.iter().all(is_told);
        worst.filter(|_| are_told).unwrap_or(0)
    }

    /// The lowest card of the same hand that is worth as much as this one, with nothing between
    /// them that is still to be played or wins the trick.
    fn equal_below(&self, state: &State, card: &String) -> Option<String> {
        let plain = self.plain;
        let hands = &state.hands[self.world];
        let mut suit: Vec<&String> = hands.iter().flatten().collect();
        let best = (!state.trick.is_empty()).then(|| &plain.best(&state.trick).1);
        suit.extend(best);
        suit.retain(|other| plain.suit(other) == plain.suit(card));
        suit.sort_by_key(|other| std::cmp::Reverse(plain.strength(other)));
        let lower = suit.into_iter().skip_while(|other| *other != card);
        let equal = lower.take_while(|other| {
            hands[state.turn].contains(other) && plain.worth(other) == plain.worth(card)
        });
        equal.last().cloned()
    }
}

/// Plays the line of an answer out in every world; whether there was one, and its text.
fn played(rules: &TrickRules, deal: &TrickDeal) -> Option<(TricksAnswer, String)> {
    let pack = Pack::new(rules.clone()).expect("rules");
    let game = match Tricks::new(pack, deal) {
        Ok(game) => game,
        // So few hearts that there is nothing to win.
        Err(TrickError::NoPoints) => return None,
        Err(error) => panic!("{error}"),
    };
    let answer = tricks(game.clone(), None, &Budget::unlimited()).expect("small weights");
    let text = answer.text();
    let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
    let said = words(&text);
    let Some(line) = json["line"].as_array() else {
        assert!(said.is_empty(), "{text}");
        return None;
    };
    // What is told stands in the list.
    let plain = Plain::new(rules, deal, &game);
    let start = plain.start(&game);
    let points = (0..game.worlds()).map(|world| {
        let play = Play {
            plain: &plain,
            line,
            world,
        };
        let mut state = start.clone();
        state.worlds = vec![world];
        u64::from(play.worst(&said, &Value::from(0), &state))
    });
    let mut points = points.sum::<u64>();
    if rules.aim == Aim::Fewest && deal.goal.is_none() {
        // What is played by the words counts what she leaves.
        points = u64::from(plain.most) * game.worlds() as u64 - points;
    }
    assert_eq!(points, answer.weight, "{rules:?} {deal:?}\n{text}");
    (!said.is_empty()).then_some((answer, text))
}

#[test]
fn lines_in_words_get_what_was_computed() {
    let (mut told, mut cases) = (0, 0);
    let mut count = |rules: &TrickRules, deal: &TrickDeal| {
        if let Some((_, text)) = played(rules, deal) {
            told += 1;
            cases += usize::from(text.contains(" if "));
        }
    };
    for seed in 0..30 {
        for name in presets::NAMES {
            let (rules, mut deal) = of_game(name, seed);
            count(&rules, &deal);
            if rules.aim != Aim::Exactly {
                deal.goal = Some(if name == "skat" { 20 } else { 1 });
                count(&rules, &deal);
            }
        }
    }
    for seed in 0..120 {
        let (rules, deal) = of_any_rules(seed);
        count(&rules, &deal);
    }
    assert!(told > 250 && cases > 100, "{told} {cases}");
}

#[test]
fn the_first_trick_is_told_and_the_lead_to_the_next() {
    // The declarer has a sure trick, and the others follow suit by rule.
    let mut rules = small("skat", "7 J Q K 10 A");
    rules.high_trumps.clear();
    let pack = Pack::new(rules.clone()).expect("rules");
    let cards = |text: &str| meetjoin_games::tricks::text::cards(&pack, "", text).expect("cards");
    let hand = |text: &str| meetjoin_games::tricks::text::hand(&pack, "", text).expect("a hand");
    let hands = vec![hand("SA H7"), hand("?"), hand("?")];
    let deal = TrickDeal::new(hands, cards("S10 S7 H10 HA"));
    let (_, text) = played(&rules, &deal).expect("a line");
    let line = text.split_once("line ").expect("a line").1;
    assert!(
        line.trim_start().starts_with("declarer leads SA\n"),
        "{text}"
    );
}

#[test]
fn of_a_search_that_was_stopped_it_is_said_that_there_is_no_line() {
    let mut stopped = 0;
    for seed in 1..6 {
        let (rules, deal) = of_game("skat", seed);
        let pack = Pack::new(rules).expect("rules");
        let game = Tricks::new(pack, &deal).expect("a game");
        for visits in 1..24 {
            let budget = Budget::new(Limits {
                visits: Some(500 * visits),
                ..Limits::default()
            });
            let answer = tricks(game.clone(), None, &budget).expect("small weights");
            let text = answer.text();
            let row = text.lines().find(|line| line.starts_with("line "));
            let is_known = row.is_some_and(|row| row.contains("one is known"));
            assert_eq!(
                is_known,
                answer.stop.is_some() && answer.weight > 0,
                "{text}"
            );
            stopped += usize::from(is_known);
        }
    }
    assert!(stopped > 0);
}

/// The weight in brackets in a row of a text.
fn in_row(text: &str, key: &str) -> Option<u64> {
    let row = text
        .lines()
        .find(|row| row.starts_with(&format!("{key} ")))?;
    let (_, rest) = row.split_once('(')?;
    rest.split_once('/')?.0.parse().ok()
}

/// The files of examples, and small games.
fn some_games() -> Vec<Tricks> {
    let skat = include_str!("../../../../examples/skat.json");
    let mut skat: Value = serde_json::from_str(skat).expect("JSON");
    for key in ["format", "game", "lattice"] {
        skat.as_object_mut().expect("an object").remove(key);
    }
    let skat: TrickEnding = serde_json::from_value(skat).expect("an ending");
    let rules = include_str!("../../../../examples/schnapsen.json");
    let rules: TrickRules = serde_json::from_str(rules).expect("rules");
    let closed = r#"{"hands": {"she": "SA ST HA"}, "unseen": "SK HT HK DA", "goal": 30}"#;
    let closed: TrickEnding = serde_json::from_str(closed).expect("an ending");
    let mut games = vec![
        skat.game(None).expect("a game"),
        closed
            .game(Some(&GivenRules::All(Box::new(rules))))
            .expect("a game"),
    ];
    for seed in 0..40 {
        let (rules, deal) = of_any_rules(seed);
        games.extend(Tricks::new(Pack::new(rules).expect("rules"), &deal));
    }
    games
}

/// Each figure of an answer that a limit stopped is known, marked as a bound, or absent.
#[test]
fn a_search_that_is_stopped_says_nothing_false() {
    let (mut unseen, mut seen) = (0, 0);
    for game in some_games() {
        let whole = tricks(game.clone(), Some(1), &Budget::unlimited()).expect("small weights");
        let cards = |answer: &TricksAnswer| {
            let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
            json["cards"].clone()
        };
        let visits = (1..=60).chain((1..30).map(|more| 50 * more * more));
        for visits in visits {
            let budget = Budget::visits_at_most(visits);
            let stopped = tricks(game.clone(), Some(1), &budget).expect("small weights");
            let text = stopped.text();
            let json: Value = serde_json::from_str(&stopped.json()).expect("JSON");
            let of = if game.is_goal() { "chance" } else { "points" };
            let said = in_row(&text, of).expect("a figure");
            assert_eq!(json["numerator"], said);
            let marked = ["at least", "at most"][usize::from(game.wants_few())];
            let is_marked = text.contains(&format!("\n{of:<9} {marked} "));
            assert_eq!(is_marked, stopped.stop.is_some(), "{text}");
            let is_few = game.wants_few();
            let key = if is_few { "at least" } else { "at most" };
            let bound = in_row(&text, key);
            assert_eq!(json["bound"].as_u64(), bound, "{text}");
            assert_eq!(bound.is_some(), stopped.stop.is_some(), "{text}");
            let bound = bound.unwrap_or(said);
            let between = if is_few { bound..=said } else { said..=bound };
            assert!(between.contains(&whole.weight), "{visits}: {text}");
            assert_eq!(json["all_cards_seen"].as_u64(), in_row(&text, "seen"));
            assert!(
                stopped.seen.is_none() || stopped.seen == whole.seen,
                "{visits}: {text}"
            );
            assert!(
                stopped.cards.is_empty() || cards(&stopped) == cards(&whole),
                "{visits}: {text}"
            );
            unseen += usize::from(stopped.seen.is_none());
            seen += usize::from(stopped.stop.is_some() && stopped.seen.is_some());
        }
    }
    assert!(unseen > 50 && seen > 50, "{unseen} {seen}");
}

/// Where few points are wanted, all that is said is of the points that she takes.
#[test]
fn few_points_are_those_that_she_takes() {
    let pack = Pack::new(presets::named("hearts").expect("hearts")).expect("rules");
    let cards = |text: &str| meetjoin_games::tricks::text::cards(&pack, "", text).expect("cards");
    let hand = |text: &str| meetjoin_games::tricks::text::hand(&pack, "", text).expect("a hand");
    let game = |own: &str, unseen: &str| {
        let hands = vec![hand(own), hand("?"), hand("?"), hand("?")];
        Tricks::new(pack.clone(), &TrickDeal::new(hands, cards(unseen))).expect("a game")
    };
    // Own cards, those that she has not seen, and four times the points that she takes on average.
    // Of four unseen cards any one is out of play.
    for (own, unseen, taken) in [
        ("H2", "HA HK HQ", 0),
        ("HA", "H4 HK HQ", 16),
        ("HA", "H4 HK HQ D2", 13),
        ("C5", "SQ H2 CA C2", 14),
        ("SA", "SQ H2 H3 H4", 48),
    ] {
        let answer = tricks(game(own, unseen), Some(1), &Budget::unlimited()).expect("weights");
        let card = &answer.cards[0];
        let alike = [
            answer.weight,
            answer.bound,
            answer.seen.expect("no limit"),
            card.worth,
            card.seen,
            card.alpha_mu.expect("one trick ahead"),
        ];
        assert!(
            alike
                .iter()
                .all(|points| 4 * points == taken * answer.total),
            "{own}: {alike:?} of {}",
            answer.total
        );
        let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
        let average = f64::from(taken as u32) / 4.0;
        assert_eq!(json["average"], average);
        assert!(
            answer
                .text()
                .contains(&format!("\npoints    {average:.3} "))
        );
    }
    // She leads the ace or the two: the best is the least.
    let open = game("HA H2", "H3 H4 H5 H6 HK HQ");
    let answer = tricks(open.clone(), None, &Budget::unlimited()).expect("weights");
    let least = answer.cards.iter().map(|card| card.worth).min();
    assert_eq!(least, Some(answer.weight));
    for steps in 0..200 {
        let budget = Budget::new(Limits {
            steps: Some(20 * steps),
            ..Limits::default()
        });
        let stopped = tricks(open.clone(), None, &budget).expect("weights");
        let between = stopped.bound..=stopped.weight;
        assert!(between.contains(&answer.weight), "{between:?}");
        let is_said = stopped.text().contains("\nat least  ");
        assert_eq!(is_said, stopped.stop.is_some(), "{}", stopped.text());
    }
}

/// A file whose positions are not listed within a limit has the bounds that every value has, and
/// one that was stopped is listed when there is time.
#[test]
fn a_limit_before_the_first_visit_leaves_the_ends_of_the_lattice() {
    let file = include_str!("../../../../examples/skat.json");
    let game = Source::read(file.as_bytes()).expect("a file");
    let game = game.instance().expect("a game");
    let steps = |steps| {
        let budget = Budget::new(Limits {
            steps,
            ..Limits::default()
        });
        let mut request = Request::new(DEFAULT, &budget);
        request.moves = true;
        game.solve(request).expect("an algorithm for families")
    };
    let stopped = steps(Some(20));
    let bounds = |found: &meetjoin_solve::Found| {
        let value = &found.value;
        (value.lower().text(), value.upper().text())
    };
    let ends = ("bottom".to_owned(), "top".to_owned());
    let moves = stopped.moves.as_deref().expect("moves");
    assert_eq!((bounds(&stopped.root), moves.len()), (ends.clone(), 3));
    assert!(moves.iter().all(|(_, found)| bounds(found) == ends));
    assert!(stopped.root.stop.is_some() && stopped.stats.counts.visits == 0);
    let found = steps(None);
    assert!(found.is_complete() && found.root.value.exact().is_some());
}
