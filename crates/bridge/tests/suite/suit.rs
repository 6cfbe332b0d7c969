//! Suits at bridge: what is printed is true, by playing every line against every defence in every
//! layout, with rules written anew.

use std::cmp::Ordering;
use std::collections::HashMap;

use meetjoin_bridge::suit::compare::{Rule, compare};
use meetjoin_bridge::suit::contract::Contract;
use meetjoin_bridge::suit::{FirstLead, Goal, Solver, SuitAnswer};
use meetjoin_bridge::{
    DoubleDummy, Hand, Knowledge, Suit, SuitFamilies, SuitGame, named_cards, two_hands,
};
use meetjoin_lattice::{Budget, Words};
use meetjoin_search::{Env, Stores, Tables, minimax_cached};
use serde_json::Value;

fn cases() -> Value {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../cases/bridge_suits_visible.json"
    );
    let text = std::fs::read_to_string(file).expect("the file is there");
    serde_json::from_str(&text).expect("it is JSON")
}

fn suit(north: &str, south: &str, knowledge: Knowledge) -> Suit {
    let (north, south) = two_hands(north, south).expect("two hands");
    Suit::new(north, south, knowledge).expect("a suit")
}

fn knowledge_of(case: &Value) -> Knowledge {
    let mut knowledge = Knowledge::default();
    if let Some(places) = case.get("vacant") {
        let place = |i: usize| places[i].as_u64().expect("a number") as u8;
        knowledge.places = (place(0), place(1));
    }
    knowledge
}

mod words;

/// The four hands as bits, the two lowest: North, East, South, West.
type Hands = [u16; 4];

const LETTERS: &str = "23456789TJQKA";

fn bits(cards: &str) -> u16 {
    let bits = cards.chars().filter_map(|letter| LETTERS.find(letter));
    bits.fold(0, |all, place| all | 1 << place)
}

fn place_of(hand: &str) -> usize {
    if hand == "North" { 0 } else { 2 }
}

/// The cards of a hand one by one, or 0 if there is none.
fn choices(hand: u16) -> impl Iterator<Item = u16> {
    let mut rest = Some(hand);
    std::iter::from_fn(move || {
        let hand = rest?;
        let lowest = hand & hand.wrapping_neg();
        rest = Some(hand & !lowest).filter(|rest| *rest != 0);
        Some(lowest)
    })
}

/// A strategy as it is printed.
enum Strategy {
    /// Whatever is played.
    Any,
    Lead {
        from: usize,
        led: u16,
        /// By the cards of the second player, 0 for none: the third card, 0 for none, and how to go
        /// on.
        then: Replies<(u16, Replies<Strategy>)>,
    },
}

/// What follows each reply of a defender, by its cards.
type Replies<T> = Vec<(u16, T)>;

impl Strategy {
    fn read(json: &Value) -> Self {
        let Some(lead) = json.get("lead").and_then(Value::as_str) else {
            assert_eq!(json, "any");
            return Self::Any;
        };
        let then = replies("second", &json["then"], |after| {
            let third = after["third"].as_str().map_or(0, bits);
            let then = replies("fourth", &after["then"], |end| Self::read(&end["next"]));
            (third, then)
        });
        Self::Lead {
            from: place_of(json["from"].as_str().expect("a hand")),
            led: bits(lead),
            then,
        }
    }
}

fn replies<T>(key: &str, list: &Value, read: impl Fn(&Value) -> T) -> Replies<T> {
    let list = list.as_array().expect("replies").iter();
    let replies = list.map(|reply| {
        let kind = reply[key].as_str().filter(|kind| *kind != "-");
        let cards = kind.map_or(0, bits);
        assert_eq!(kind.is_none(), cards == 0, "{reply}");
        (cards, read(reply))
    });
    replies.collect()
}

/// What follows when a defender plays a card, or 0 for none.
fn reply<T>(list: &[(u16, T)], card: u16) -> &T {
    let mut list = list.iter();
    let found = list.find(|(cards, _)| *cards & card != 0 || *cards == card);
    let (_, then) = found.unwrap_or_else(|| panic!("no reply to {card:b}"));
    then
}

/// The fewest tricks that a strategy takes in one layout, whatever the defenders play.
fn worst(strategy: &Strategy, hands: Hands, tricks: u8) -> u8 {
    let Strategy::Lead { from, led, then } = strategy else {
        let rest = hands[0].count_ones().max(hands[2].count_ones()) as u8;
        return if hands[1] | hands[3] == 0 {
            tricks + rest
        } else {
            tricks
        };
    };
    let (leader, led) = (*from, *led);
    assert_eq!(hands[leader] & led, led, "she has the card that she leads");
    let mut hands = hands;
    hands[leader] &= !led;
    let (second, third, fourth) = ((leader + 1) % 4, (leader + 2) % 4, (leader + 3) % 4);
    let mut fewest = u8::MAX;
    for a in choices(hands[second]) {
        let mut hands = hands;
        hands[second] &= !a;
        let (b, then) = reply(then, a);
        assert!(
            hands[third] & b == *b && (*b != 0 || hands[third] == 0),
            "she follows with a card that she has"
        );
        hands[third] &= !b;
        for c in choices(hands[fourth]) {
            let mut hands = hands;
            hands[fourth] &= !c;
            let won = (led | b) > (a | c);
            let next = reply(then, c);
            fewest = fewest.min(worst(next, hands, tricks + u8::from(won)));
        }
    }
    fewest
}

fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        0
    } else {
        (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
    }
}

/// What a strategy takes in all ways to deal the missing cards, with their weights.
fn played_out(json: &Value) -> Vec<(u64, u8)> {
    let text = |key: &str| json[key].as_str().expect("cards");
    let missing = bits(text("missing"));
    let cards: Vec<u16> = (0..13)
        .map(|place| 1 << place)
        .filter(|card| missing & card != 0)
        .collect();
    let strategy = Strategy::read(&json["line"]["strategy"]);
    let n = cards.len() as u64;
    let places = |i: usize| json["vacant"][i].as_u64().expect("places");
    let mut all = Vec::new();
    for chosen in 0..1_u32 << n {
        let west = cards
            .iter()
            .enumerate()
            .filter(|(place, _)| chosen >> place & 1 == 1)
            .fold(0, |all, (_, card)| all | card);
        let w = u64::from(chosen.count_ones());
        if w > places(0) || n - w > places(1) {
            continue;
        }
        let weight = choose(places(0) + places(1) - n, places(0) - w);
        let hands = [
            bits(text("north")),
            missing & !west,
            bits(text("south")),
            west,
        ];
        all.push((weight, worst(&strategy, hands, 0)));
    }
    all
}

fn check(suit: &Suit, goal: Goal) -> Value {
    let budget = Budget::unlimited();
    check_with(&mut Solver::new(suit, &budget), suit, goal)
}

/// An answer whose line is worth what is printed.
fn check_with(solver: &mut Solver<'_>, suit: &Suit, goal: Goal) -> Value {
    check_answer(&solver.one(goal), suit, goal)
}

fn check_answer(answer: &SuitAnswer, suit: &Suit, goal: Goal) -> Value {
    let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
    let played = played_out(&json);
    let reached: u64 = match goal {
        Goal::Tricks(tricks) => played
            .iter()
            .filter(|(_, taken)| *taken >= tricks)
            .map(|(weight, _)| weight)
            .sum(),
        Goal::Average => played
            .iter()
            .map(|(weight, taken)| weight * u64::from(*taken))
            .sum(),
    };
    assert_eq!(
        Some(reached),
        json["numerator"].as_u64(),
        "{suit:?} {goal:?}"
    );
    assert_eq!(
        Some(played.iter().map(|(weight, _)| weight).sum()),
        json["denominator"].as_u64()
    );
    // The average of the line is that of all its tricks, so no guarantee is understated.
    let average: u64 = played
        .iter()
        .map(|(weight, taken)| weight * u64::from(*taken))
        .sum();
    let line = answer.line.as_ref().expect("a line");
    assert_eq!(
        line.weight(suit, Goal::Average),
        average,
        "{suit:?} {goal:?}"
    );
    json
}

/// The best line for each goal, as a tree of cards and in words, with what is printed of it.
fn check_goals(suit: &Suit) -> Vec<(Goal, Value)> {
    let budget = Budget::unlimited();
    let mut solver = Solver::new(suit, &budget);
    let goals = (1..=suit.tricks()).map(Goal::Tricks).chain([Goal::Average]);
    let printed = goals.map(|goal| {
        let answer = solver.one(goal);
        words::check_answer(suit, &answer, goal);
        (goal, check_answer(&answer, suit, goal))
    });
    printed.collect()
}

#[test]
fn lines_and_words_of_the_cases_are_worth_what_is_printed() {
    // Most suits are cases of several goals.
    let mut suits: HashMap<_, Vec<(Goal, Value)>> = HashMap::new();
    for case in cases()["cases"].as_array().expect("cases") {
        let text = |key: &str| case[key].as_str().expect("text");
        let key = ["north", "south", "vacant"].map(|key| case[key].to_string());
        let printed = suits.entry(key).or_insert_with(|| {
            check_goals(&suit(text("north"), text("south"), knowledge_of(case)))
        });
        let goal = case["goal"]
            .as_u64()
            .map_or(Goal::Average, |tricks| Goal::Tricks(tricks as u8));
        let (_, json) = printed.iter().find(|of| of.0 == goal).expect("a goal");
        assert_eq!(json["numerator"], case["numerator"], "{}", text("id"));
        assert_eq!(json["denominator"], case["denominator"], "{}", text("id"));
    }
}

/// Suits at random: each card is North's, South's or a defender's.
fn random_suits(count: usize) -> Vec<(String, String)> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut suits = Vec::new();
    while suits.len() < count {
        let mut hands = [String::new(), String::new(), String::new()];
        for letter in LETTERS.chars().rev() {
            hands[(draw() % 3) as usize].push(letter);
        }
        let [north, south, missing] = hands;
        if missing.is_empty() || north.len() + south.len() == 0 {
            continue;
        }
        let or_none = |hand: String| {
            if hand.is_empty() {
                "-".to_owned()
            } else {
                hand
            }
        };
        suits.push((or_none(north), or_none(south)));
    }
    suits
}

#[test]
fn lines_and_words_of_random_suits_are_worth_what_is_printed() {
    for (north, south) in random_suits(120) {
        check_goals(&suit(&north, &south, Knowledge::default()));
    }
}

fn greatest(north: &str, south: &str, goal: Goal, knowledge: Knowledge) -> u64 {
    let suit = suit(north, south, knowledge);
    let budget = Budget::unlimited();
    let chance = Solver::new(&suit, &budget).greatest(goal);
    assert_eq!((chance.stop, chance.weight), (None, chance.bound));
    chance.weight
}

#[test]
fn the_laws_of_suits() {
    for (north, south) in random_suits(20) {
        let plain = Knowledge::default;
        let all = suit(&north, &south, plain());
        let chances: Vec<u64> = (1..=all.tricks())
            .map(|tricks| greatest(&north, &south, Goal::Tricks(tricks), plain()))
            .collect();
        let average = greatest(&north, &south, Goal::Average, plain());
        assert!(
            chances.is_sorted_by(|a, b| a >= b),
            "more tricks are never more likely"
        );
        assert!(
            chances.iter().sum::<u64>() >= average,
            "each goal may need its own line"
        );
        assert_eq!(
            greatest(&south, &north, Goal::Average, plain()),
            average,
            "exchange of hands"
        );
        let mirrored = Knowledge {
            places: (7, 13),
            ..plain()
        };
        let other = Knowledge {
            places: (13, 7),
            ..plain()
        };
        // The table is turned by half: West and East change sides with North and South.
        let one = greatest(&north, &south, Goal::Average, mirrored);
        assert_eq!(greatest(&south, &north, Goal::Average, other), one);
        // Fewer entries, cards that are kept and a given first lead are never better.
        let mut before = 0;
        for entries in 0..3 {
            let with = greatest(
                &north,
                &south,
                Goal::Average,
                Knowledge {
                    entries: Some(entries),
                    ..plain()
                },
            );
            assert!(
                with >= before && with <= average,
                "{north} {south} {entries}"
            );
            before = with;
        }
        let many = greatest(
            &north,
            &south,
            Goal::Average,
            Knowledge {
                entries: Some(20),
                ..plain()
            },
        );
        assert_eq!(many, average, "{north} {south}: entries enough");
        let budget = Budget::unlimited();
        let leads = Solver::new(&all, &budget).leads(Goal::Average);
        assert_eq!(
            leads.first().map(|lead| lead.chance.weight),
            Some(average),
            "some lead is best"
        );
        let leads = Solver::new(&all, &budget).leads(Goal::Tricks(all.tricks()));
        assert_eq!(
            leads.first().map(|lead| lead.chance.weight),
            chances.last().copied()
        );
    }
}

#[test]
fn the_second_lead_is_the_best_of_the_others() {
    for (north, south) in random_suits(12) {
        let suit = suit(&north, &south, Knowledge::default());
        let game = SuitGame::all_tricks(&suit);
        for tricks in 1..=suit.tricks() {
            let budget = Budget::unlimited();
            let mut solver = Solver::new(&suit, &budget);
            let Some(line) = solver.one(Goal::Tricks(tricks)).line else {
                continue;
            };
            let Some((hand, card)) = line.tree.lead() else {
                continue;
            };
            let own = (hand, game.first_place(hand, card));
            let mut leads = solver.leads(Goal::Tricks(tricks));
            leads.retain(|lead| (lead.hand, game.first_place(lead.hand, lead.card)) != own);
            let second = solver.sure(&line, tricks).second;
            let worth = |lead: &FirstLead| (lead.hand, lead.card, lead.chance.weight);
            assert_eq!(
                second.as_ref().map(worth),
                leads.first().map(worth),
                "{north} {south} {tricks}"
            );
        }
    }
}

/// The second lead of a search that was stopped comes to what is said, at least.
#[test]
fn a_second_lead_that_is_not_known_is_worth_nothing_yet() {
    let mut less = 0;
    for (north, south) in [("AQ10", "432"), ("KJ3", "A42"), ("AJ9", "K32")] {
        let suit = suit(north, south, Knowledge::default());
        for tricks in 1..=suit.tricks() {
            let unlimited = Budget::unlimited();
            let mut solver = Solver::new(&suit, &unlimited);
            let Some(line) = solver.one(Goal::Tricks(tricks)).line else {
                continue;
            };
            let leads = solver.leads(Goal::Tricks(tricks));
            let whole = solver.sure(&line, tricks);
            for visits in (0..100).chain([150, 200, 300, 500, 1000, 2000]) {
                let budget = Budget::visits_at_most(visits);
                let sure = Solver::new(&suit, &budget).sure(&line, tricks);
                for (range, whole) in [(sure.west, whole.west), (sure.east, whole.east)] {
                    assert!(whole.from <= range.from && range.to <= whole.to);
                    assert!(!range.is_known || range == whole, "{visits}");
                }
                let Some(second) = sure.second else { continue };
                let mut same = leads.iter();
                let same = same.find(|lead| (lead.hand, lead.card) == (second.hand, second.card));
                let worth = same.expect("a lead").chance.weight;
                assert!(second.chance.weight <= worth, "{north} {south} {visits}");
                let is_exact = second.chance.stop.is_none();
                assert!(!is_exact || second.chance.weight == worth, "{visits}");
                less += usize::from(!is_exact);
            }
        }
    }
    assert!(less > 50, "{less}");
}

#[test]
fn what_is_known_of_the_defenders_counts() {
    // AQ opposite small cards: the finesse works if West has the king.
    let king = named_cards("K").expect("a card");
    let with = |west, east| {
        let suit = suit(
            "AQ",
            "32",
            Knowledge {
                west,
                east,
                ..Knowledge::default()
            },
        );
        let budget = Budget::unlimited();
        let chance = Solver::new(&suit, &budget).greatest(Goal::Tricks(2));
        (chance.weight, chance.total)
    };
    let none = meetjoin_bridge::Cards::NONE;
    let (weight, total) = with(king, none);
    assert_eq!(weight, total);
    // It drops alone with East, and only then.
    assert!(with(none, king).0 < with(none, king).1 / 2);
    let short = Knowledge {
        west_length: (0, 2),
        ..Knowledge::default()
    };
    assert_eq!(
        suit("AQ", "32", short)
            .layouts()
            .iter()
            .filter(|layout| layout.west.total() > 2)
            .count(),
        0
    );
    let keep = Knowledge {
        keep: named_cards("Q").expect("a card"),
        ..Knowledge::default()
    };
    assert_eq!(suit("AQ", "32", keep).hand(Hand::North).to_string(), "A");
}

/// By cores alone chances and averages are those by families, and lines are worth as much.
#[test]
fn lines_by_cores_are_worth_what_is_printed() {
    let budget = Budget::unlimited();
    for (north, south) in random_suits(20) {
        let suit = suit(&north, &south, Knowledge::default());
        for goal in (1..=suit.tricks()).map(Goal::Tricks).chain([Goal::Average]) {
            let mut solver = Solver::new(&suit, &budget).families_for(0, 0);
            let by_cores = check_with(&mut solver, &suit, goal);
            let by_families = check(&suit, goal);
            // The greatest average of the lines with that chance too.
            let figures = |json: &Value| {
                let played = played_out(json);
                let tricks = played
                    .iter()
                    .map(|(weight, taken)| weight * u64::from(*taken));
                let average: u64 = tricks.sum();
                (json["numerator"].clone(), average, json["exact"].clone())
            };
            assert_eq!(
                figures(&by_cores),
                figures(&by_families),
                "{north} {south} {goal:?}"
            );
        }
    }
}

/// Families of sets grow too large in these.
#[test]
fn lines_of_hard_suits_are_worth_what_is_printed() {
    let budget = Budget::unlimited();
    for (north, south, goal, weight) in [
        ("K", "J9753", Goal::Tricks(1), 9_137_024),
        ("K", "J9753", Goal::Tricks(2), 3_224_832),
        ("K", "J9753", Goal::Average, 12_361_856),
        ("A", "QT865", Goal::Tricks(3), 3_224_832),
        ("K942", "J86", Goal::Tricks(2), 6_352_764),
    ] {
        let suit = suit(north, south, Knowledge::default());
        let mut solver = Solver::new(&suit, &budget).families_for(1 << 12, 1 << 16);
        let json = check_with(&mut solver, &suit, goal);
        assert_eq!(json["numerator"], weight, "{north} {south} {goal:?}");
        assert_eq!(json["exact"], true);
    }
}

/// Whichever of the two searches is stopped, what is known is printed, and a chance that is exact
/// has a line that has it.
#[test]
fn a_search_by_cores_that_is_stopped_loses_nothing() {
    let suit = suit("KT75", "Q93", Knowledge::default());
    let (mut stopped, mut of_lines, mut told) = (0, 0, 0);
    for goal in [Goal::Tricks(2), Goal::Tricks(3), Goal::Average] {
        let exact = greatest("KT75", "Q93", goal, Knowledge::default());
        for in_families in [0, 30, 300] {
            let budget = Budget::visits_at_most(in_families);
            let least = Solver::new(&suit, &budget).greatest(goal).weight;
            for more in [0, 1, 10, 100, 300, 1000, 3000, 10_000] {
                let budget = Budget::visits_at_most(in_families + more);
                let mut solver = Solver::new(&suit, &budget).families_for(in_families, u64::MAX);
                let answer = solver.one(goal);
                let chance = &answer.chance;
                let place = format!("{goal:?} {in_families} {more}: {least} {chance:?}");
                assert!(
                    least <= chance.weight && chance.weight <= exact && exact <= chance.bound,
                    "{place}"
                );
                stopped += u32::from(chance.stop.is_some());
                let text = answer.text();
                let row = text.lines().find(|line| line.starts_with("stopped "));
                let of_line = row.is_some_and(|row| {
                    row.ends_with("; the chance is exact, and what follows may be better")
                });
                let is_of_line = chance.stop.is_none() && answer.line_stop.is_some();
                assert_eq!(of_line, is_of_line, "{place}\n{text}");
                assert_eq!(row.is_some(), chance.stop.is_some() || is_of_line);
                of_lines += u32::from(of_line);
                if let Some(line) = &answer.line {
                    assert!(line.weight(&suit, goal) >= chance.weight, "{place}");
                    told += 1;
                }
            }
        }
    }
    let counts = [stopped, of_lines, told];
    assert!(stopped > 20 && of_lines > 2 && told > 30, "{counts:?}");
}

#[test]
fn a_search_that_is_stopped_gives_a_chance_and_a_bound() {
    let suit = suit("AJ73", "Q95", Knowledge::default());
    let exact = greatest("AJ73", "Q95", Goal::Tricks(3), Knowledge::default());
    for visits in [0, 1, 10, 100, 1000, 5000] {
        let budget = Budget::visits_at_most(visits);
        let answer = Solver::new(&suit, &budget).one(Goal::Tricks(3));
        assert!(
            answer.chance.weight <= exact && exact <= answer.chance.bound,
            "{visits}"
        );
        let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
        if answer.chance.stop.is_some() && !json["line"].is_null() {
            let played = played_out(&json);
            let reached: u64 = played
                .iter()
                .filter(|(_, taken)| *taken >= 3)
                .map(|(weight, _)| weight)
                .sum();
            assert!(reached >= answer.chance.weight, "{visits}");
        }
    }
}

#[test]
fn a_lead_that_gives_up_the_goal_has_no_chance() {
    let queen = named_cards("Q")
        .expect("a card")
        .descending()
        .next()
        .expect("a card");
    let with = Knowledge {
        lead: Some((Hand::North, queen)),
        ..Knowledge::default()
    };
    assert_eq!(greatest("AQ", "32", Goal::Tricks(2), with), 0);
}

#[test]
fn the_same_suit_gives_the_same_line() {
    let line = || {
        let suit = suit("AT42", "953", Knowledge::default());
        let budget = Budget::unlimited();
        Solver::new(&suit, &budget).one(Goal::Tricks(2)).json()
    };
    assert_eq!(line(), line());
}

#[test]
fn the_best_for_each_goal_is_in_the_table() {
    let suit = suit("AQT98", "5432", Knowledge::default());
    let budget = Budget::unlimited();
    let table = Solver::new(&suit, &budget).all();
    let mut by_goal: HashMap<String, u64> = HashMap::new();
    for (chance, line) in &table.goals {
        by_goal.insert(format!("{:?}", chance.goal), chance.weight);
        if let Some(line) = line {
            assert_eq!(table.lines[*line].weight(&suit, chance.goal), chance.weight);
        }
    }
    assert_eq!(by_goal["Tricks(4)"], 8_609_888);
    assert_eq!(table.lines.len(), 2);
}

/// All maximal vectors of guarantees, by the whole value of the game without pruning.
fn all_vectors(suit: &Suit) -> Vec<Vec<u8>> {
    let game = SuitGame::all_tricks(suit);
    let stakes = DoubleDummy::new().stakes(&game);
    let values = SuitFamilies::<Words<4>>::new(&game, &stakes).expect("it fits");
    let budget = Budget::unlimited();
    let mut env = Env::new(&budget).with_store(Tables.store());
    let outcome = minimax_cached(&game, &values, &mut env);
    let family = outcome.exact().expect("no limit");
    let vector = |set: &Words<4>| {
        let taken = stakes.of(set).into_iter();
        taken.map(|tricks| tricks as u8).collect()
    };
    family.maximal().iter().map(vector).collect()
}

/// By how much a line beats another at matchpoints.
fn beats(suit: &Suit, own: &[u8], other: &[u8]) -> i64 {
    let layouts = suit.layouts().iter().zip(own.iter().zip(other));
    let swings = layouts.map(|(layout, (own, other))| {
        let weight = layout.weight.cast_signed();
        match own.cmp(other) {
            Ordering::Greater => weight,
            Ordering::Less => -weight,
            Ordering::Equal => 0,
        }
    });
    swings.sum()
}

#[test]
fn the_best_at_matchpoints_is_unbeaten_among_all_lines() {
    let mut suits: Vec<(String, String)> = random_suits(80);
    suits.retain(|(north, south)| north.len() + south.len() >= 7);
    suits.push(("AQT98".into(), "5432".into()));
    let (mut with, mut without) = (0, 0);
    for (north, south) in suits {
        let suit = suit(&north, &south, Knowledge::default());
        if suit.layouts().len() > 24 {
            continue;
        }
        let vectors = all_vectors(&suit);
        let unbeaten = |line: &[u8]| vectors.iter().all(|other| beats(&suit, other, line) <= 0);
        let budget = Budget::unlimited();
        let comparison = compare(&mut Solver::new(&suit, &budget), &Rule::Matchpoints);
        assert_eq!(comparison.stop, None);
        if let Some(best) = comparison.best {
            assert!(unbeaten(&comparison.lines[best].guarantees), "{suit:?}");
            with += 1;
        } else {
            assert!(!vectors.iter().any(|line| unbeaten(line)), "{suit:?}");
            without += 1;
            let cycle = &comparison.cycle;
            for (place, line) in cycle.iter().enumerate() {
                let next = cycle[(place + 1) % cycle.len()];
                let guarantees = |line: usize| &comparison.lines[line].guarantees;
                assert!(beats(&suit, guarantees(next), guarantees(*line)) > 0);
            }
        }
    }
    assert!(with >= 20, "{with} with a best line, {without} without");
}

#[test]
fn there_may_be_no_best_line_at_matchpoints() {
    let suit = suit("AJ98", "K32", Knowledge::default());
    let budget = Budget::unlimited();
    let comparison = compare(&mut Solver::new(&suit, &budget), &Rule::Matchpoints);
    assert_eq!((comparison.best, comparison.stop), (None, None));
    assert!(comparison.cycle.len() >= 2);
    // A limit leaves neither a best line nor a claim that there is none.
    let budget = Budget::visits_at_most(3_000);
    let comparison = compare(&mut Solver::new(&suit, &budget), &Rule::Matchpoints);
    assert!(comparison.stop.is_some() && comparison.best.is_none() && comparison.cycle.is_empty());
}

#[test]
fn swings_decide_between_a_contract_and_overtricks() {
    let suit = suit("AQT98", "5432", Knowledge::default());
    let budget = Budget::unlimited();
    let best = |contract: &str, tricks: u8| {
        let contract: Contract = contract.parse().expect("a contract");
        let scores = contract.scores(tricks, suit.tricks()).expect("they fit");
        let rule = Rule::Imps(String::new(), scores);
        let comparison = compare(&mut Solver::new(&suit, &budget), &rule);
        let best = comparison.best.expect("a best line");
        let line = &comparison.lines[best];
        [4, 5].map(|tricks| line.weight(&suit, Goal::Tricks(tricks)))
    };
    // With four tricks needed for game the safest line is best, with five needed the likeliest for
    // five.
    assert_eq!(
        best("4S", 4)[0],
        greatest("AQT98", "5432", Goal::Tricks(4), Knowledge::default())
    );
    assert_eq!(
        best("6S", 5)[1],
        greatest("AQT98", "5432", Goal::Tricks(5), Knowledge::default())
    );
}

#[test]
fn the_best_lines_are_those_of_the_heaviest_sets() {
    let suit = suit("AK32", "J98", Knowledge::default());
    let budget = Budget::unlimited();
    let mut solver = Solver::new(&suit, &budget);
    for goal in [Goal::Tricks(3), Goal::Average] {
        let weights: Vec<u64> = solver
            .top(goal, 3)
            .iter()
            .map(|top| top.line.weight(&suit, goal))
            .collect();
        assert!(
            weights.len() >= 2 && weights.is_sorted_by(|a, b| a >= b),
            "{weights:?}"
        );
        assert_eq!(weights[0], solver.greatest(goal).weight);
    }
    // On average: the maximal vectors of the whole value, the best first.
    let average = |taken: &Vec<u8>| -> u64 {
        let layouts = suit.layouts().iter().zip(taken);
        layouts
            .map(|(layout, taken)| layout.weight * u64::from(*taken))
            .sum()
    };
    let mut all: Vec<u64> = all_vectors(&suit).iter().map(average).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    let top = solver.top(Goal::Average, 5);
    let found: Vec<u64> = top
        .iter()
        .map(|top| top.line.weight(&suit, Goal::Average))
        .collect();
    assert_eq!(found[..5], all[..5]);
}
