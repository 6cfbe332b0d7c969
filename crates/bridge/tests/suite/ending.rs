//! Endings against programs that share the rules alone: values of all worlds with all cards seen,
//! the whole value by enumeration, and strategies played out against every defence.

mod proofs;
mod words;

use std::collections::HashMap;
use std::ops::Range;

use meetjoin_bridge::ending::{EndingAnswer, EndingPosition, ending, first_cards};
use meetjoin_bridge::{Deal, DealHand, Ending, Seat};
use meetjoin_families::first_moves::FirstMove;
use meetjoin_lattice::Budget;
use serde::Deserialize;

/// A card is one bit, and a hand the bits of its cards: sixteen for each suit, lower ranks first.
type Hands = [u64; 4];

const LETTERS: &str = "23456789TJQKA";
const SUITS: &str = "SHDC";

/// The thirteen cards of a suit.
fn all_of(suit: usize) -> u64 {
    0x1FFF << (16 * suit)
}

/// The suit of a card.
fn suit_of(card: u64) -> usize {
    card.trailing_zeros() as usize / 16
}

/// The bits one by one, the lowest first.
fn each(mut bits: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = bits & bits.wrapping_neg();
        bits &= !lowest;
        (lowest != 0).then_some(lowest)
    })
}

fn written(hand: u64) -> String {
    let suit = |suit: usize| -> String {
        let letters = LETTERS.char_indices().rev();
        let held = letters.filter(|(rank, _)| hand >> (16 * suit + rank) & 1 == 1);
        held.map(|(_, letter)| letter).collect()
    };
    (0..4).map(suit).collect::<Vec<_>>().join(".")
}

/// Four hands, North's first.
fn written_deal(hands: &Hands) -> String {
    hands.map(written).join(" ")
}

fn card(text: &str) -> u64 {
    let mut letters = text.chars();
    let mut place = |all: &str| {
        letters
            .next()
            .and_then(|letter| all.find(letter))
            .expect("a card")
    };
    1 << (16 * place(SUITS) + place(LETTERS))
}

/// A hand by its suits, as in "AJ2.K3..".
fn hand(text: &str) -> u64 {
    let suits = text.split('.').zip(SUITS.chars());
    let cards = suits.flat_map(|(ranks, suit)| {
        let ranks = ranks.chars();
        ranks.map(move |rank| card(&format!("{suit}{rank}")))
    });
    cards.sum()
}

/// A trick in which some have played.
#[derive(Clone, Copy)]
struct Trick {
    leader: usize,
    cards: [u64; 4],
    count: usize,
}

impl Trick {
    fn led_by(leader: usize) -> Self {
        Self {
            leader,
            cards: [0; 4],
            count: 0,
        }
    }

    /// Whose turn it is.
    fn seat(&self) -> usize {
        (self.leader + self.count) % 4
    }

    /// Cards of a hand that may be played.
    fn legal(&self, hand: u64) -> u64 {
        if self.count == 0 {
            return hand;
        }
        let follows = hand & all_of(suit_of(self.cards[0]));
        if follows == 0 { hand } else { follows }
    }

    fn with(mut self, card: u64) -> Self {
        self.cards[self.count] = card;
        self.count += 1;
        self
    }

    /// Who wins, if all have played: the highest trump, or else the highest card of the suit led.
    fn winner(&self, trumps: Option<usize>) -> Option<usize> {
        if self.count < 4 {
            return None;
        }
        let played: u64 = self.cards.iter().sum();
        let of_trumps = trumps.map_or(0, |suit| played & all_of(suit));
        let best = if of_trumps == 0 {
            played & all_of(suit_of(self.cards[0]))
        } else {
            of_trumps
        };
        let place = (0..4).max_by_key(|place| self.cards[*place] & best)?;
        Some((self.leader + place) % 4)
    }
}

fn without(mut hands: Hands, seat: usize, card: u64) -> Hands {
    hands[seat] &= !card;
    hands
}

/// The tricks of North and South with all cards seen.
fn all_seen(
    hands: Hands,
    trick: Trick,
    trumps: Option<usize>,
    known: &mut HashMap<(Hands, usize), usize>,
) -> usize {
    if let Some(by) = trick.winner(trumps) {
        let rest = all_seen(hands, Trick::led_by(by), trumps, known);
        return usize::from(by.is_multiple_of(2)) + rest;
    }
    let seat = trick.seat();
    if hands[seat] == 0 {
        return 0;
    }
    if trick.count == 0
        && let Some(known) = known.get(&(hands, seat))
    {
        return *known;
    }
    let values = each(trick.legal(hands[seat]))
        .map(|card| all_seen(without(hands, seat, card), trick.with(card), trumps, known));
    let best = if seat.is_multiple_of(2) {
        values.max()
    } else {
        values.min()
    };
    let best = best.expect("a card");
    if trick.count == 0 {
        known.insert((hands, seat), best);
    }
    best
}

/// The maximal sets of worlds, as bits, in which one strategy takes the tricks: by enumeration of
/// all that can be seen.
fn family(
    worlds: &[(usize, Hands)],
    trick: Trick,
    trumps: Option<usize>,
    wanted: usize,
    every: u32,
) -> Vec<u32> {
    if let Some(by) = trick.winner(trumps) {
        let wanted = wanted.saturating_sub(usize::from(by.is_multiple_of(2)));
        return family(worlds, Trick::led_by(by), trumps, wanted, every);
    }
    let seat = trick.seat();
    if wanted == 0 {
        return vec![every];
    }
    if worlds[0].1[seat] == 0 {
        let here = worlds.iter().fold(0, |all, (world, _)| all | 1 << world);
        return vec![every & !here];
    }
    let cards = worlds
        .iter()
        .fold(0, |all, (_, hands)| all | trick.legal(hands[seat]));
    let mut result: Option<Vec<u32>> = None;
    for card in each(cards) {
        let with: Vec<(usize, Hands)> = worlds
            .iter()
            .filter(|(_, hands)| trick.legal(hands[seat]) & card != 0)
            .map(|(world, hands)| (*world, without(*hands, seat, card)))
            .collect();
        let value = family(&with, trick.with(card), trumps, wanted, every);
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
    let mut cards: Vec<u64> = (0..suits).flat_map(|suit| each(all_of(suit))).collect();
    let mut hands = [0; 4];
    for place in 0..4 * tricks.min(13) {
        if cards.is_empty() {
            cards = (suits..4).flat_map(|suit| each(all_of(suit))).collect();
        }
        hands[place % 4] |= cards.swap_remove(random.below(cards.len()));
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
    let deal = written_deal(&case.hands);
    let deal = Deal::of_pbn(&format!("[Deal \"N:{deal}\"]")).expect("a deal");
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
    let [north, east, south, west] = case.hands;
    let hidden: Vec<u64> = each(east | west).collect();
    let ways = (0..1_u64 << hidden.len()).filter(|chosen| chosen.count_ones() == west.count_ones());
    let deal = ways.map(|chosen| {
        let places = hidden.iter().enumerate();
        let of_west = places.filter(|(place, _)| chosen >> place & 1 == 1);
        let of_west: u64 = of_west.map(|(_, card)| card).sum();
        [north, (east | west) & !of_west, south, of_west]
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

/// A node of a line: whose turn it is, whether a trick begins, and cards with the nodes after them.
struct Node {
    seat: usize,
    leads: bool,
    next: Vec<(u64, Option<usize>)>,
}

/// The line that is printed, if there is one. It begins with its first node.
fn printed_line(answer: &EndingAnswer) -> Option<Vec<Node>> {
    #[derive(Deserialize)]
    struct Printed {
        line: Option<Vec<PrintedNode>>,
    }
    #[derive(Deserialize)]
    struct PrintedNode {
        turn: String,
        leads: bool,
        next: Vec<(String, Option<usize>)>,
    }
    let printed: Printed = serde_json::from_str(&answer.json()).expect("JSON");
    let nodes = printed.line?.into_iter().map(|node| {
        let seat = Seat::ALL.iter().position(|seat| seat.name() == node.turn);
        let next = node.next.iter().map(|(text, place)| (card(text), *place));
        Node {
            seat: seat.expect("a seat"),
            leads: node.leads,
            next: next.collect(),
        }
    });
    Some(nodes.collect())
}

/// In how many worlds a line takes the tricks, whatever the defenders play.
fn worlds_won(line: &[Node], case: &Case) -> u64 {
    let won = worlds(case).into_iter().filter(|hands| {
        worst(line, Some(0), *hands, Trick::led_by(case.leader), case, 0) >= case.goal
    });
    won.count() as u64
}

/// The tricks that the line takes at least in a world, or fewer where it does not know what to do.
fn worst(
    line: &[Node],
    node: Option<usize>,
    hands: Hands,
    trick: Trick,
    case: &Case,
    taken: usize,
) -> usize {
    if let Some(by) = trick.winner(case.trumps) {
        let taken = taken + usize::from(by.is_multiple_of(2));
        return worst(line, node, hands, Trick::led_by(by), case, taken);
    }
    let Some(place) = node else {
        return taken;
    };
    let Node { seat, leads, next } = &line[place];
    assert_eq!((*seat, *leads), (trick.seat(), trick.count == 0));
    let choices = trick.legal(hands[*seat]);
    let mut fewest = usize::MAX;
    let mut told = 0;
    for (chosen, node) in next {
        told |= chosen;
        if choices & chosen != 0 {
            let hands = without(hands, *seat, *chosen);
            let trick = trick.with(*chosen);
            fewest = fewest.min(worst(line, *node, hands, trick, case, taken));
        }
    }
    if seat.is_multiple_of(2) {
        assert_eq!(told & !choices, 0, "she holds it and follows suit");
    } else if choices & !told != 0 {
        // A card that is not in the line happens in no world that it wins.
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
            let (first, mut known) = (Trick::led_by(case.leader), HashMap::new());
            let won = worlds(&case)
                .into_iter()
                .filter(|hands| all_seen(*hands, first, case.trumps, &mut known) >= case.goal);
            let won = won.count() as u64;
            let answer = solved(&case, None);
            assert_eq!(answer.seen, Some(won), "{}", written_deal(&case.hands));
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
            let first = Trick::led_by(case.leader);
            let sets = family(&worlds, first, case.trumps, case.goal, every);
            let best = sets.iter().map(|set| u64::from(set.count_ones())).max();
            let answer = solved(&case, None);
            assert_eq!(
                Some(answer.weight),
                best,
                "{} {:?}",
                written_deal(&case.hands),
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
                    let west = DealHand::of_text(&written(hands[3])).expect("a hand");
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
                .map(|(hands, ..)| *hands)
                .enumerate()
                .collect();
            let every = (1_u32 << worlds.len()) - 1;
            let first = Trick::led_by(case.leader);
            let sets = family(&worlds, first, case.trumps, case.goal, every);
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
                (None, Some(answer.weight)),
                "{} {:?}",
                written_deal(&case.hands),
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
    let case = Case {
        hands: ["AJ2.K3", "Q9876.", "KT3.A2", "54.QJT"].map(hand),
        trumps: None,
        leader: 2,
        goal: 5,
    };
    let answer = solved(&case, None);
    let line = printed_line(&answer).expect("a line");
    assert_eq!(worlds_won(&line, &case), answer.weight);
    assert!(0 < answer.weight && Some(answer.weight) < answer.seen);
}

/// Many guesses that do not depend on each other, and ten cards that are five kinds.
#[test]
fn equal_cards_are_no_trouble() {
    for (hands, goal, weight) in [
        (["A32.Q2", "KJ987.", "QT4.A3", "65.KJT"], 3, 215),
        (["AJ2.K3", "Q9876.", "KT3.A2", ".QJT54"], 5, 152),
    ] {
        let case = Case {
            hands: hands.map(hand),
            trumps: None,
            leader: 2,
            goal,
        };
        let answer = solved(&case, None);
        assert_eq!(answer.weight, weight);
        let line = printed_line(&answer).expect("a line");
        assert_eq!(worlds_won(&line, &case), weight);
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
        let two_suits = |ranks: Range<usize>| -> Vec<u64> {
            let suits = (0..2).flat_map(|suit| ranks.clone().map(move |rank| 16 * suit + rank));
            suits.map(|place| 1 << place).collect()
        };
        let (mut high, mut low) = (two_suits(8..13), two_suits(0..8));
        let mut hands = [0, 1, 2, 3].map(|seat| {
            let from = if seat % 2 == 1 { &mut high } else { &mut low };
            [(); 3].map(|()| from.swap_remove(numbers.below(from.len())))
        });
        if let Some(honour) = high.pop() {
            hands[0][0] = honour;
        }
        case.hands = hands.map(|cards| cards.iter().sum());
        case.goal = 1;
        let answer = solved(&case, Some(3));
        let ahead = answer.alpha_mu.expect("asked for");
        assert_eq!(
            (ahead.stop, ahead.estimate),
            (None, Some(answer.weight)),
            "{}",
            written_deal(&case.hands)
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
            let Some(line) = printed_line(&answer) else {
                assert_eq!(answer.weight, 0);
                continue;
            };
            let deal = written_deal(&case.hands);
            assert_eq!(worlds_won(&line, &case), answer.weight, "{deal}");
        }
    }
}

#[test]
fn looking_ahead_expects_too_much_or_the_truth() {
    let mut numbers = Random(4);
    for _ in 0..30 {
        let case = random(&mut numbers, 3);
        let mut before = u64::MAX;
        for ahead in 1..=case.hands[0].count_ones() {
            let answer = solved(&case, Some(ahead));
            let found = answer.alpha_mu.expect("asked for");
            let holds = |lead: &String| case.hands[case.leader] & card(lead) != 0;
            assert!(found.lead.as_ref().is_none_or(holds), "{found:?}");
            let estimate = found.estimate.expect("no limit");
            assert!(estimate >= answer.weight && estimate <= before);
            assert!(Some(estimate) <= answer.seen);
            assert!(found.worth.is_none_or(|worth| worth <= answer.weight));
            if ahead == case.hands[0].count_ones() {
                assert_eq!(estimate, answer.weight);
                assert!(found.worth.is_none_or(|worth| worth == answer.weight));
            }
            before = estimate;
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
    assert_eq!(
        (answer.weight, answer.total, ahead.estimate),
        (2, 4, Some(4))
    );
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
        assert_eq!(most(&|card| card.ahead[1]), found.estimate);
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

/// The weight in brackets in a row of a text.
fn in_row(text: &str, key: &str) -> Option<u64> {
    let row = text
        .lines()
        .find(|row| row.starts_with(&format!("{key} ")))?;
    let (_, rest) = row.split_once('(')?;
    rest.split_once('/')?.0.parse().ok()
}

/// Each figure of an answer that a limit stopped is known, marked as a bound, or absent.
#[test]
fn a_search_that_is_stopped_gives_bounds() {
    let mut numbers = Random(5);
    let (mut unknown, mut reached) = (0, 0);
    for _ in 0..10 {
        let case = random(&mut numbers, 4);
        let whole = solved(&case, Some(2));
        let exact = whole.weight;
        let ahead = whole.alpha_mu.expect("asked for");
        let visits = (0..60).chain([100, 150, 200, 300, 500, 1000, 2000]);
        for visits in visits {
            let budget = Budget::visits_at_most(visits);
            let answer = ending(&ending_of(&case), case.goal as u8, Some(2), &budget);
            assert!(answer.weight <= exact && exact <= answer.bound, "{visits}");
            let text = answer.text();
            let said = in_row(&text, "chance").expect("a chance");
            let at_most = in_row(&text, "at most").unwrap_or(said);
            assert!(said <= exact && exact <= at_most, "{text}");
            assert!(answer.seen.is_none_or(|seen| Some(seen) == whole.seen));
            assert_eq!(in_row(&text, "seen"), answer.seen, "{text}");
            let stopped = answer.alpha_mu.as_ref().expect("asked for");
            let figures = [
                (stopped.estimate, ahead.estimate),
                (stopped.worth, ahead.worth),
            ];
            for (figure, exact) in figures {
                assert!(figure.is_none() || figure == exact, "{visits}: {text}");
            }
            assert!(stopped.lead.is_none() || stopped.lead == ahead.lead);
            assert_eq!(in_row(&text, "alpha-mu"), stopped.estimate, "{text}");
            unknown += usize::from(stopped.estimate.is_none());
            reached += usize::from(stopped.estimate.is_some());
            if answer.stop.is_some() && answer.weight == 0 {
                assert!(!answer.html().contains("no line takes them"));
            }
        }
    }
    assert!(unknown > 50 && reached > 30, "{unknown} {reached}");
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
