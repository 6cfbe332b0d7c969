//! Endings against programs that share the rules alone: values of all worlds with all cards seen,
//! the whole value by enumeration, and strategies played out against every defence.

mod proofs;
mod words;

use std::collections::HashMap;

use meetjoin_bridge::ending::{EndingAnswer, EndingPosition, ending, first_cards};
use meetjoin_bridge::{Deal, DealHand, Ending, Seat};
use meetjoin_families::first_moves::FirstMove;
use meetjoin_lattice::Budget;
use serde_json::Value;

/// A card: suit and rank, and a hand as a list.
type Card = (usize, usize);
type Hands = [Vec<Card>; 4];

const LETTERS: &str = "23456789TJQKA";
const SUITS: &str = "SHDC";

fn written(hand: &[Card]) -> String {
    let suit = |suit: usize| -> String {
        let mut ranks: Vec<usize> = hand
            .iter()
            .filter(|card| card.0 == suit)
            .map(|card| card.1)
            .collect();
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        ranks
            .iter()
            .map(|rank| LETTERS.as_bytes()[*rank] as char)
            .collect()
    };
    (0..4).map(suit).collect::<Vec<_>>().join(".")
}

fn card(text: &str) -> Card {
    let mut letters = text.chars();
    let mut place = |all: &str| {
        letters
            .next()
            .and_then(|letter| all.find(letter))
            .expect("a card")
    };
    (place(SUITS), place(LETTERS))
}

/// Cards that may be played.
fn legal(hand: &[Card], led: Option<Card>) -> Vec<Card> {
    let follows: Vec<Card> = hand
        .iter()
        .filter(|card| led.is_some_and(|led| led.0 == card.0))
        .copied()
        .collect();
    if follows.is_empty() {
        hand.to_vec()
    } else {
        follows
    }
}

/// Who wins a trick, by the seats in order from the leader.
fn winner(leader: usize, trick: &[Card], trumps: Option<usize>) -> usize {
    let strength = |card: &Card| (Some(card.0) == trumps, card.0 == trick[0].0, card.1);
    let best = (0..4)
        .max_by_key(|place| strength(&trick[*place]))
        .expect("a card");
    (leader + best) % 4
}

fn without(hands: &Hands, seat: usize, card: Card) -> Hands {
    let mut hands = hands.clone();
    hands[seat].retain(|other| *other != card);
    hands
}

/// The tricks of North and South with all cards seen.
fn all_seen(
    hands: &Hands,
    leader: usize,
    trick: &[Card],
    trumps: Option<usize>,
    known: &mut HashMap<(Hands, usize), usize>,
) -> usize {
    if trick.len() == 4 {
        let by = winner(leader, trick, trumps);
        return usize::from(by.is_multiple_of(2)) + all_seen(hands, by, &[], trumps, known);
    }
    let seat = (leader + trick.len()) % 4;
    if hands[seat].is_empty() {
        return 0;
    }
    if trick.is_empty()
        && let Some(known) = known.get(&(hands.clone(), leader))
    {
        return *known;
    }
    let values = legal(&hands[seat], trick.first().copied())
        .into_iter()
        .map(|card| {
            let next = [trick, &[card]].concat();
            all_seen(&without(hands, seat, card), leader, &next, trumps, known)
        });
    let values: Vec<usize> = values.collect();
    let best = if seat.is_multiple_of(2) {
        values.iter().max()
    } else {
        values.iter().min()
    };
    let best = *best.expect("a card");
    if trick.is_empty() {
        known.insert((hands.clone(), leader), best);
    }
    best
}

/// The maximal sets of worlds, as bits, in which one strategy takes the tricks: by enumeration of
/// all that can be seen.
fn family(
    worlds: &[(usize, Hands)],
    leader: usize,
    trick: &[Card],
    trumps: Option<usize>,
    wanted: usize,
    every: u32,
) -> Vec<u32> {
    if trick.len() == 4 {
        let by = winner(leader, trick, trumps);
        let wanted = wanted.saturating_sub(usize::from(by.is_multiple_of(2)));
        return family(worlds, by, &[], trumps, wanted, every);
    }
    let seat = (leader + trick.len()) % 4;
    let first = &worlds[0].1;
    if wanted == 0 {
        return vec![every];
    }
    if first[seat].is_empty() {
        let here = worlds.iter().fold(0, |all, (world, _)| all | 1 << world);
        return vec![every & !here];
    }
    let led = trick.first().copied();
    let mut cards: Vec<Card> = worlds
        .iter()
        .flat_map(|(_, hands)| legal(&hands[seat], led))
        .collect();
    cards.sort_unstable();
    cards.dedup();
    let mut result: Option<Vec<u32>> = None;
    for card in cards {
        let with: Vec<(usize, Hands)> = worlds
            .iter()
            .filter(|(_, hands)| legal(&hands[seat], led).contains(&card))
            .map(|(world, hands)| (*world, without(hands, seat, card)))
            .collect();
        let next = [trick, &[card]].concat();
        let value = family(&with, leader, &next, trumps, wanted, every);
        result = Some(match result {
            None => value,
            Some(before) if seat.is_multiple_of(2) => maximal([before, value].concat()),
            Some(before) => maximal(
                before
                    .iter()
                    .flat_map(|a| value.iter().map(move |b| a & b))
                    .collect(),
            ),
        });
    }
    result.expect("a card")
}

fn maximal(mut sets: Vec<u32>) -> Vec<u32> {
    sets.sort_unstable();
    sets.dedup();
    let all = sets.clone();
    sets.retain(|set| !all.iter().any(|other| other != set && set & !other == 0));
    sets
}

/// Random numbers, the same on every platform.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

struct Case {
    hands: Hands,
    trumps: Option<usize>,
    leader: usize,
    goal: usize,
}

/// An ending with so many tricks. Few suits and ranks in some, so that cards touch.
fn random(random: &mut Random, tricks: usize) -> Case {
    let suits = 1 + random.below(4);
    let mut cards: Vec<Card> = (0..suits)
        .flat_map(|suit| (0..13).map(move |rank| (suit, rank)))
        .collect();
    let mut hands: Hands = Default::default();
    for place in 0..4 * tricks.min(13) {
        if cards.is_empty() {
            cards = (suits..4)
                .flat_map(|suit| (0..13).map(move |rank| (suit, rank)))
                .collect();
        }
        let card = cards.swap_remove(random.below(cards.len()));
        hands[place % 4].push(card);
    }
    let trumps = [None, Some(0), Some(1)][random.below(3)];
    Case {
        hands,
        trumps,
        leader: random.below(4),
        goal: 1 + random.below(tricks),
    }
}

/// The queen can be caught on either side, by one who sees it.
fn guess() -> Case {
    let hand = |ranks: &str| {
        ranks
            .chars()
            .map(|rank| card(&format!("S{rank}")))
            .collect()
    };
    Case {
        hands: ["AJ2", "Q98", "KT3", "765"].map(hand),
        trumps: None,
        leader: 2,
        goal: 3,
    }
}

fn ending_of(case: &Case) -> Ending {
    ending_weighed(case, |_| 1)
}

fn ending_weighed(case: &Case, weigh: impl Fn(DealHand) -> u64) -> Ending {
    let hands: Vec<String> = case.hands.iter().map(|hand| written(hand)).collect();
    let deal = Deal::of_pbn(&format!("[Deal \"N:{}\"]", hands.join(" "))).expect("a deal");
    let leader = Seat::ALL[case.leader];
    Ending::new(
        &deal,
        Seat::South,
        leader,
        case.trumps.map(|suit| suit as u8),
        weigh,
    )
    .expect("an ending")
}

/// All ways to deal the defenders' cards.
fn worlds(case: &Case) -> Vec<Hands> {
    let hidden: Vec<Card> = [case.hands[1].clone(), case.hands[3].clone()].concat();
    let ways =
        (0..1_u32 << hidden.len()).filter(|west| west.count_ones() as usize == case.hands[3].len());
    let deal = ways.map(|west| {
        let mut hands = case.hands.clone();
        let part = |of_west: bool| -> Vec<Card> {
            let places = hidden.iter().enumerate();
            places
                .filter(|(place, _)| (west >> place & 1 == 1) == of_west)
                .map(|(_, card)| *card)
                .collect()
        };
        (hands[1], hands[3]) = (part(false), part(true));
        hands
    });
    deal.collect()
}

fn solved(case: &Case, ahead: Option<u32>) -> EndingAnswer {
    let answer = ending(
        &ending_of(case),
        case.goal as u8,
        ahead,
        &Budget::unlimited(),
    );
    assert_eq!((answer.stop, answer.weight), (None, answer.bound));
    answer
}

/// The tricks that the line takes at least in a world, or fewer where it does not know what to do.
fn worst(
    line: &Value,
    node: &Value,
    hands: &Hands,
    trick: &[Card],
    leader: usize,
    case: &Case,
    taken: usize,
) -> usize {
    if trick.len() == 4 {
        let by = winner(leader, trick, case.trumps);
        return worst(
            line,
            node,
            hands,
            &[],
            by,
            case,
            taken + usize::from(by.is_multiple_of(2)),
        );
    }
    let Some(place) = node.as_u64() else {
        return taken;
    };
    let seat = (leader + trick.len()) % 4;
    let node = &line[place as usize];
    let next = node["next"].as_array().expect("cards");
    assert_eq!(node["turn"], Seat::ALL[seat].name());
    assert_eq!(node["leads"], trick.is_empty());
    let led = trick.first().copied();
    let choices = legal(&hands[seat], led);
    let mut fewest = usize::MAX;
    for played in next {
        let chosen = card(played[0].as_str().expect("a card"));
        if seat.is_multiple_of(2) {
            assert!(choices.contains(&chosen), "she holds it and follows suit");
        } else if !choices.contains(&chosen) {
            continue;
        }
        let hands = without(hands, seat, chosen);
        let trick = [trick, &[chosen]].concat();
        fewest = fewest.min(worst(line, &played[1], &hands, &trick, leader, case, taken));
    }
    // A card that is not in the line happens in no world that it wins.
    if seat % 2 == 1
        && choices.iter().any(|own| {
            !next
                .iter()
                .any(|played| card(played[0].as_str().expect("a card")) == *own)
        })
    {
        return 0;
    }
    fewest
}

#[test]
fn values_with_all_cards_seen_are_those_of_another_program() {
    let mut numbers = Random(1);
    for tricks in [1, 2, 3, 4] {
        for _ in 0..20 {
            let case = random(&mut numbers, tricks);
            let won = worlds(&case).into_iter().filter(|hands| {
                all_seen(hands, case.leader, &[], case.trumps, &mut HashMap::new()) >= case.goal
            });
            let won = won.count() as u64;
            let answer = solved(&case, None);
            assert_eq!(answer.seen, Some(won), "{:?}", case.hands);
            assert!(answer.weight <= won);
        }
    }
}

#[test]
fn chances_are_those_of_enumeration() {
    let mut numbers = Random(2);
    let mut between = 0;
    for (tricks, count) in [(1, 10), (2, 60), (3, 5)] {
        for place in 0..count {
            let case = if (tricks, place) == (3, 0) {
                guess()
            } else {
                random(&mut numbers, tricks)
            };
            let worlds: Vec<(usize, Hands)> = worlds(&case).into_iter().enumerate().collect();
            let every = (1_u32 << worlds.len()) - 1;
            let sets = family(&worlds, case.leader, &[], case.trumps, case.goal, every);
            let best = sets.iter().map(|set| u64::from(set.count_ones())).max();
            let answer = solved(&case, None);
            assert_eq!(
                Some(answer.weight),
                best,
                "{:?} {:?}",
                case.hands,
                case.trumps
            );
            between += usize::from(answer.weight > 0 && Some(answer.weight) < answer.seen);
        }
    }
    assert!(
        between > 0,
        "seeing all cards is worth more where there is a guess"
    );
}

#[test]
fn chances_with_weights_are_those_of_enumeration() {
    let mut numbers = Random(6);
    for (tricks, count) in [(1, 10), (2, 60), (3, 5)] {
        for _ in 0..count {
            let case = random(&mut numbers, tricks);
            // Some layouts are impossible.
            let weighed: Vec<(Hands, DealHand, u64)> = worlds(&case)
                .into_iter()
                .map(|hands| {
                    let west = DealHand::of_text(&written(&hands[3])).expect("a hand");
                    (hands, west, [0, 1, 2, 5][numbers.below(4)])
                })
                .collect();
            let weigh = |west: DealHand| {
                let found = weighed.iter().find(|(_, hand, _)| *hand == west);
                found.map_or(0, |(.., weight)| *weight)
            };
            let possible = weighed.iter().filter(|(.., weight)| *weight > 0);
            let possible: Vec<&(Hands, DealHand, u64)> = possible.collect();
            if possible.is_empty() {
                continue;
            }
            let worlds: Vec<(usize, Hands)> = possible
                .iter()
                .map(|(hands, ..)| hands.clone())
                .enumerate()
                .collect();
            let every = (1_u32 << worlds.len()) - 1;
            let sets = family(&worlds, case.leader, &[], case.trumps, case.goal, every);
            let weight = |set: &u32| -> u64 {
                let inside = possible.iter().enumerate();
                let inside = inside.filter(|(world, _)| set >> world & 1 == 1);
                inside.map(|(_, (.., weight))| *weight).sum()
            };
            let best = sets.iter().map(weight).max();
            let ending_of = ending_weighed(&case, weigh);
            let answer = ending(&ending_of, case.goal as u8, None, &Budget::unlimited());
            assert_eq!((answer.stop, Some(answer.weight)), (None, best));
            assert_eq!(answer.weight, answer.bound);
        }
    }
}

#[test]
fn chances_are_those_of_a_search_that_renames_nothing() {
    let mut numbers = Random(7);
    let mut between = 0;
    for (tricks, count) in [(3, 100), (4, 60)] {
        for _ in 0..count {
            let case = random(&mut numbers, tricks);
            // To look ahead to the end is to search the whole graph.
            let answer = solved(&case, Some(tricks as u32));
            let ahead = answer.alpha_mu.expect("asked for");
            assert_eq!(
                (ahead.stop, ahead.estimate),
                (None, answer.weight),
                "{:?} {:?}",
                case.hands,
                case.trumps
            );
            between += usize::from(answer.weight > 0 && Some(answer.weight) < answer.seen);
        }
    }
    assert!(between > 5, "{between}");
}

/// Two suits with many small cards: as a graph, it does not end.
#[test]
fn small_cards_are_no_trouble() {
    let hand = |suits: [&str; 2]| -> Vec<Card> {
        let cards = |place: usize| {
            let ranks = suits[place].chars();
            ranks.map(move |rank| card(&format!("{}{rank}", ["S", "H"][place])))
        };
        cards(0).chain(cards(1)).collect()
    };
    let case = Case {
        hands: [["AJ2", "K3"], ["Q9876", ""], ["KT3", "A2"], ["54", "QJT"]].map(hand),
        trumps: None,
        leader: 2,
        goal: 5,
    };
    let answer = solved(&case, None);
    let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
    let (line, first) = (&json["line"], Value::from(0));
    let won = worlds(&case)
        .into_iter()
        .filter(|hands| worst(line, &first, hands, &[], case.leader, &case, 0) >= case.goal);
    assert_eq!(won.count() as u64, answer.weight);
    assert!(0 < answer.weight && Some(answer.weight) < answer.seen);
}

/// Many guesses that do not depend on each other, and ten cards that are five kinds.
#[test]
fn equal_cards_are_no_trouble() {
    let hand = |suits: [&str; 2]| -> Vec<Card> {
        let cards = |place: usize| {
            let ranks = suits[place].chars();
            ranks.map(move |rank| card(&format!("{}{rank}", ["S", "H"][place])))
        };
        cards(0).chain(cards(1)).collect()
    };
    for (hands, goal, weight) in [
        (
            [["A32", "Q2"], ["KJ987", ""], ["QT4", "A3"], ["65", "KJT"]],
            3,
            215,
        ),
        (
            [["AJ2", "K3"], ["Q9876", ""], ["KT3", "A2"], ["", "QJT54"]],
            5,
            152,
        ),
    ] {
        let case = Case {
            hands: hands.map(hand),
            trumps: None,
            leader: 2,
            goal,
        };
        let answer = solved(&case, None);
        assert_eq!(answer.weight, weight);
        let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
        let won = worlds(&case).into_iter().filter(|hands| {
            let (line, first) = (&json["line"], Value::from(0));
            worst(line, &first, hands, &[], case.leader, &case, 0) >= case.goal
        });
        assert_eq!(won.count() as u64, weight);
    }
}

/// Which defender wins with equal cards can decide: a trick to which both must play an honour, and
/// the one who wins has to lead.
#[test]
fn who_wins_with_equal_cards_counts() {
    let mut numbers = Random(8);
    let mut with_ties = 0;
    for _ in 0..300 {
        // High cards for the defenders, in two suits.
        let mut case = random(&mut numbers, 3);
        let mut high: Vec<Card> = (0..2)
            .flat_map(|suit| (8..13).map(move |rank| (suit, rank)))
            .collect();
        let mut low: Vec<Card> = (0..2)
            .flat_map(|suit| (0..8).map(move |rank| (suit, rank)))
            .collect();
        for seat in 0..4 {
            let from = if seat % 2 == 1 { &mut high } else { &mut low };
            case.hands[seat] = (0..3)
                .map(|_| from.swap_remove(numbers.below(from.len())))
                .collect();
        }
        if let Some(honour) = high.pop() {
            case.hands[0][0] = honour;
        }
        case.goal = 1;
        let answer = solved(&case, Some(3));
        let ahead = answer.alpha_mu.expect("asked for");
        assert_eq!(
            (ahead.stop, ahead.estimate),
            (None, answer.weight),
            "{:?}",
            case.hands
        );
        with_ties += usize::from(answer.weight > 0);
    }
    assert!(with_ties > 50, "{with_ties}");
}

#[test]
fn lines_are_worth_what_is_printed() {
    let mut numbers = Random(3);
    for tricks in [2, 3, 4] {
        for _ in 0..30 {
            let case = random(&mut numbers, tricks);
            let answer = solved(&case, None);
            let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
            if json["line"].is_null() {
                assert_eq!(answer.weight, 0);
                continue;
            }
            let won = worlds(&case).into_iter().filter(|hands| {
                worst(
                    &json["line"],
                    &Value::from(0),
                    hands,
                    &[],
                    case.leader,
                    &case,
                    0,
                ) >= case.goal
            });
            assert_eq!(won.count() as u64, answer.weight, "{:?}", case.hands);
        }
    }
}

#[test]
fn looking_ahead_expects_too_much_or_the_truth() {
    let mut numbers = Random(4);
    for _ in 0..30 {
        let case = random(&mut numbers, 3);
        let mut before = u64::MAX;
        for ahead in 1..=case.hands[0].len() as u32 {
            let answer = solved(&case, Some(ahead));
            let found = answer.alpha_mu.expect("asked for");
            let holds = |lead: &String| case.hands[case.leader].contains(&card(lead));
            assert!(found.lead.as_ref().is_none_or(holds), "{found:?}");
            assert!(found.estimate >= answer.weight && found.estimate <= before);
            assert!(Some(found.estimate) <= answer.seen);
            assert!(found.worth.is_none_or(|worth| worth <= answer.weight));
            if ahead == case.hands[0].len() as u32 {
                assert_eq!(found.estimate, answer.weight);
                assert!(found.worth.is_none_or(|worth| worth == answer.weight));
            }
            before = found.estimate;
        }
    }
    // The queen is on either side, and the guess can wait for a trick: looking one trick ahead sees
    // nothing of it.
    let deal = Deal::of_pbn("[Deal \"N:AJ2.A.. Q98.3.. KT3.2.. 765.4..\"]").expect("a deal");
    let known = ["Q95.3..", "Q86.3..", "985.3..", "986.3.."]
        .map(|hand| DealHand::of_text(hand).expect("a hand"));
    let weigh = |west: DealHand| u64::from(known.contains(&west));
    let guess = Ending::new(&deal, Seat::South, Seat::South, None, weigh).expect("an ending");
    let answer = ending(&guess, 4, Some(1), &Budget::unlimited());
    let ahead = answer.alpha_mu.expect("asked for");
    assert_eq!((answer.weight, answer.total, ahead.estimate), (2, 4, 4));
}

#[test]
fn first_cards_are_worth_what_the_ending_is() {
    let mut numbers = Random(6);
    let (mut lead, mut worse) = (0, 0);
    for _ in 0..60 {
        let case = random(&mut numbers, 4);
        let answer = solved(&case, Some(2));
        let found = answer.alpha_mu.expect("asked for");
        if found.lead.is_none() {
            continue;
        }
        lead += 1;
        let budget = Budget::unlimited();
        let cards = first_cards(&ending_of(&case), case.goal as u8, &[1, 2, 4, 0], &budget);
        let cards = cards.expect("no limit");
        let most = |of: &dyn Fn(&FirstMove<EndingPosition>) -> u64| cards.iter().map(of).max();
        assert_eq!(most(&|card| card.worth), Some(answer.weight));
        // All cards seen counts from the start for the whole, and after the lead for each.
        assert!(most(&|card| card.seen) <= answer.seen);
        assert_eq!(most(&|card| card.ahead[1]), Some(found.estimate));
        for card in &cards {
            assert_eq!(card.ahead[3], card.seen);
            let all = [&[card.seen][..], &card.ahead[..3], &[card.worth]].concat();
            assert!(
                all.is_sorted_by(|a, b| a >= b),
                "{all:?} of {}",
                answer.total
            );
            assert_eq!(card.ahead[2], card.worth);
            worse += u32::from(card.worth < answer.weight);
        }
        let stopped = first_cards(&ending_of(&case), 1, &[2], &Budget::visits_at_most(0));
        assert!(stopped.is_err());
    }
    assert!(lead > 15 && worse > 5, "{lead} {worse}");
}

#[test]
fn a_search_that_is_stopped_gives_bounds() {
    let mut numbers = Random(5);
    for _ in 0..10 {
        let case = random(&mut numbers, 4);
        let exact = solved(&case, None).weight;
        for visits in [0, 1, 10, 100, 1000] {
            let answer = ending(
                &ending_of(&case),
                case.goal as u8,
                None,
                &Budget::visits_at_most(visits),
            );
            assert!(answer.weight <= exact && exact <= answer.bound, "{visits}");
        }
    }
}

#[test]
fn a_deal_that_is_turned_is_worth_the_same() {
    let deal = |hands: &str, declarer: Seat, leader: Seat| {
        let deal = Deal::of_pbn(&format!("[Deal \"{hands}\"]")).expect("a deal");
        Ending::new(&deal, declarer, leader, None, |_: DealHand| 1).expect("an ending")
    };
    let hands = "AQ.3.. K9.K.. 32.A.. 54.4..";
    let budget = Budget::unlimited();
    let south = ending(
        &deal(&format!("N:{hands}"), Seat::South, Seat::South),
        3,
        None,
        &budget,
    );
    let west = ending(
        &deal(&format!("E:{hands}"), Seat::West, Seat::West),
        3,
        None,
        &budget,
    );
    assert_eq!((south.weight, south.total), (west.weight, west.total));
    assert_eq!((west.line[0].turn, south.line[0].turn), ("West", "South"));
    // The defenders' cards may stand in one hand.
    let pooled = ending(
        &deal("N:AQ.3.. K954.K4.. 32.A.. -", Seat::South, Seat::South),
        3,
        None,
        &budget,
    );
    assert_eq!(pooled.weight, south.weight);
}
