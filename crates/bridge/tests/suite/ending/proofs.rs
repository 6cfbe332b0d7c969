//! Both bounds of larger endings are proven by programs that share the rules alone: what is won is
//! played out in every world against every defence, and each reason why no more can be won is tried
//! out by itself.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use meetjoin_bridge::ending::{
    EndingChoice, EndingFirstTie, EndingOrders, EndingReasons, EndingWay, ending,
    heaviest_of_ending,
};
use meetjoin_bridge::{Ending, EndingGame};
use meetjoin_dag::AndOrDag;
use meetjoin_lattice::Budget;
use serde_json::Value;

use super::{Card, Case, Hands, Random, ending_of, legal, random, winner, without, worlds, worst};

/// What is seen in some worlds: the hands in each, who leads, the trick, and what is wanted. Also
/// all that was played, as long as a choice may come that is fixed.
type State = (Vec<Hands>, usize, Vec<Card>, usize, Option<Vec<Card>>);

/// A choice that is fixed: the cards that may have been played before, and those of the choice.
type Fixed = (Vec<Vec<Card>>, Vec<Card>);

/// Whether one strategy with these choices takes the tricks in all of these worlds.
fn wins_all(
    state: State,
    trumps: Option<usize>,
    fixed: &[Fixed],
    known: &mut HashMap<State, bool>,
) -> bool {
    let (worlds, leader, trick, wanted, played) = &state;
    if trick.len() == 4 {
        let by = winner(*leader, trick, trumps);
        let wanted = wanted.saturating_sub(usize::from(by.is_multiple_of(2)));
        let state = (worlds.clone(), by, Vec::new(), wanted, played.clone());
        return wins_all(state, trumps, fixed, known);
    }
    let seat = (leader + trick.len()) % 4;
    if *wanted == 0 || worlds[0][seat].is_empty() {
        return *wanted == 0;
    }
    if let Some(wins) = known.get(&state) {
        return *wins;
    }
    let led = trick.first().copied();
    let choices = worlds.iter().flat_map(|hands| legal(&hands[seat], led));
    let mut cards: Vec<Card> = choices.collect();
    cards.sort_unstable();
    cards.dedup();
    let comes_to = |played: &[Card], after: &[Vec<Card>]| {
        let mut both = played.iter().zip(after);
        played.len() <= after.len() && both.all(|(card, cards)| cards.contains(card))
    };
    for (after, choice) in fixed {
        if let Some(played) = played
            && played.len() == after.len()
            && comes_to(played, after)
        {
            assert_eq!(seat % 2, 0, "a choice of declarer");
            cards.retain(|card| choice.contains(card));
            assert!(!cards.is_empty());
        }
    }
    let mut after = |card: Card| {
        let fits = |hands: &&Hands| legal(&hands[seat], led).contains(&card);
        let left = worlds.iter().filter(fits);
        let left = left.map(|hands| without(hands, seat, card)).collect();
        let trick = [trick.as_slice(), &[card]].concat();
        let played = played
            .as_ref()
            .map(|played| [played.as_slice(), &[card]].concat());
        let may_come = |played: &Vec<Card>| fixed.iter().any(|(after, _)| comes_to(played, after));
        let state = (left, *leader, trick, *wanted, played.filter(may_come));
        wins_all(state, trumps, fixed, known)
    };
    let wins = if seat.is_multiple_of(2) {
        cards.into_iter().any(&mut after)
    } else {
        cards.into_iter().all(&mut after)
    };
    known.insert(state, wins);
    wins
}

/// Whether these ways are all strategies: one without another choice, or one for each card of a
/// choice that is the next of all, which divides them in the same manner.
fn are_all(ways: &[&EndingWay], depth: usize, legal: &dyn Fn(&[EndingChoice]) -> u32) -> bool {
    let next: Option<Vec<&EndingChoice>> = ways.iter().map(|way| way.choices.get(depth)).collect();
    let Some(next) = next else {
        return ways.len() == 1;
    };
    let before = &ways[0].choices[..depth];
    let mut left = legal(&[before, &[next[0].clone()]].concat());
    let mut cards: Vec<u32> = next.iter().map(|choice| choice.card).collect();
    cards.sort_unstable();
    cards.dedup();
    cards.into_iter().all(|card| {
        left &= !card;
        let those = ways.iter().filter(|way| way.choices[depth].card == card);
        are_all(&those.copied().collect::<Vec<_>>(), depth + 1, legal)
    }) && left == 0
        && next.iter().all(|choice| choice.after == next[0].after)
}

/// Whether something that weighs less than a limit hits all cores.
fn hits_for_less(weights: &[u64], cores: &[Vec<u32>], out: &mut Vec<u32>, limit: u64) -> bool {
    let Some(core) = cores.iter().min_by_key(|core| core.len()) else {
        return limit > 0;
    };
    // Cores that share nothing are hit one by one.
    let (mut used, mut least) = (Vec::new(), 0);
    for core in cores {
        if !core.iter().any(|class| used.contains(class)) {
            used.extend(core);
            let lightest = core.iter().map(|class| weights[*class as usize]).min();
            least += lightest.unwrap_or(u64::MAX / 2);
        }
    }
    if least >= limit {
        return false;
    }
    let before = out.len();
    let mut found = false;
    for class in core {
        let weight = weights[*class as usize];
        if weight < limit && !found {
            let rest = cores.iter().filter(|core| !core.contains(class)).cloned();
            let without = |mut core: Vec<u32>| {
                core.retain(|class| !out.contains(class));
                core
            };
            let rest: Vec<Vec<u32>> = rest.map(without).collect();
            found = hits_for_less(weights, &rest, out, limit - weight);
        }
        out.push(*class);
    }
    out.truncate(before);
    found
}

/// The kinds of equal cards that classes of layouts come from: places, in ascending order.
fn kinds_of(ending: &Ending, classes: &[Option<u32>]) -> Vec<Vec<u8>> {
    let wests = ending.layouts().iter().map(|layout| layout.west);
    let held = wests.clone().fold(0, |held, west| held | west);
    let class_of: HashMap<u32, Option<u32>> = wests.zip(classes.iter().copied()).collect();
    let suit_of = |place: u8| ending.card(place).to_string().chars().next();
    let mut kinds: Vec<Vec<u8>> = Vec::new();
    for place in (0..32_u8).filter(|place| held >> place & 1 == 1) {
        let both = 3_u32 << place >> 1;
        let last = kinds.last_mut();
        match last.filter(|kind| kind.ends_with(&[place.wrapping_sub(1)])) {
            Some(kind)
                if suit_of(place) == suit_of(place - 1)
                    && class_of.iter().all(|(west, class)| {
                        let has = west & both;
                        has == 0 || has == both || class_of.get(&(west ^ both)) == Some(class)
                    }) =>
            {
                kind.push(place);
            }
            _ => kinds.push(vec![place]),
        }
    }
    kinds
}

/// Orders of the cards of each kind that a game has: one that rises if it may, one that falls, and
/// one at random.
fn orders_of(kinds: &[Vec<u8>], game: &EndingOrders, numbers: &mut Random) -> [Vec<Vec<u8>>; 3] {
    let mut orders = [(); 3].map(|()| kinds.to_vec());
    for (number, kind) in kinds.iter().enumerate() {
        orders[1][number].reverse();
        for place in 1..kind.len() {
            orders[2][number].swap(place, numbers.below(place + 1));
        }
        let cards: u32 = kind.iter().map(|place| 1_u32 << place).sum();
        let agreed = game.first_ties.iter().find(|tie| tie.cards == cards);
        for order in &mut orders {
            let order = &mut order[number];
            if agreed.is_some_and(|tie| (order.first() > order.last()) != tie.is_wests) {
                order.reverse();
            }
        }
    }
    // One tie of a kind, and of kinds alone.
    for (number, tie) in game.first_ties.iter().enumerate() {
        let is_kind =
            |kind: &Vec<u8>| kind.iter().map(|place| 1_u32 << place).sum::<u32>() == tie.cards;
        assert!(kinds.iter().any(is_kind));
        assert!(
            game.first_ties[..number]
                .iter()
                .all(|other| other.cards != tie.cards)
        );
    }
    orders
}

/// Tries each reason, and says how many ways there are, how many games, and whether prices alone
/// give the bound.
fn check(
    case: &Case,
    ending: &Ending,
    reasons: &EndingReasons,
    bound: u64,
) -> (usize, usize, bool) {
    let kinds = kinds_of(ending, &reasons.classes);
    let mut weights = vec![0; reasons.weights.len()];
    let mut some: Vec<u32> = vec![0; weights.len()];
    for (class, layout) in reasons.classes.iter().zip(ending.layouts()) {
        let class = class.expect("all layouts agree with the root") as usize;
        weights[class] += layout.weight;
        some[class] = layout.west;
    }
    assert_eq!(weights, reasons.weights);
    // In the world that stands for a class West has the first cards of each kind.
    let hands_of = |class: u32, orders: &[Vec<u8>]| -> Hands {
        let firsts = orders.iter().flat_map(|order| {
            let held = order
                .iter()
                .filter(|place| some[class as usize] >> **place & 1 == 1);
            order.iter().take(held.count())
        });
        let west: u32 = firsts.map(|place| 1_u32 << place).sum();
        let mut layouts = ending.layouts().iter();
        let layout = layouts
            .find(|layout| layout.west == west)
            .expect("a layout");
        let (west, east) = ending.hands_of(layout);
        let cards = |hand: meetjoin_bridge::DealHand| -> Vec<Card> {
            let cards = hand.cards().map(|card| super::card(&card.to_string()));
            cards.collect()
        };
        let mut hands = case.hands.clone();
        (hands[1], hands[3]) = (cards(east), cards(west));
        hands
    };
    let cards_of = |mask: &u32| -> Vec<Card> {
        let places = (0..32).filter(|place| mask >> place & 1 == 1);
        places
            .map(|place| super::card(&ending.card(place).to_string()))
            .collect()
    };
    let (north, south) = ending.own();
    let all = |choices: &[EndingChoice]| {
        // The cards of hers that follow suit, as far as she has any.
        let choice = choices.last().expect("a choice");
        let mut leader = case.leader;
        let mut trick: Vec<Card> = Vec::new();
        for played in &choice.after {
            trick.push(cards_of(played)[0]);
            if trick.len() == 4 {
                leader = winner(leader, &trick, case.trumps);
                trick.clear();
            }
        }
        let held = match (leader + trick.len()) % 4 {
            0 => north,
            2 => south,
            _ => panic!("a choice of declarer"),
        };
        let held = choice.after.iter().fold(held, |held, played| {
            let one = held & played;
            held & !(one & one.wrapping_neg())
        });
        let led = trick.first().copied();
        let follows = legal(&cards_of(&held), led);
        let places = (0..32).filter(|place| held >> place & 1 == 1);
        let places =
            places.filter(|place| follows.contains(&super::card(&ending.card(*place).to_string())));
        places.map(|place| 1_u32 << place).sum()
    };
    let (mut is_by_prices, mut ways, mut numbers) = (true, 0, Random(1));
    let (mut average, mut shares) = (0, 0);
    for game in &reasons.games {
        let choices = game.ways.iter().map(|way| &way.choices);
        let choices: Vec<_> = choices.collect();
        assert!(
            are_all(&game.ways.iter().collect::<Vec<_>>(), 0, &all),
            "{:?} {choices:?}",
            case.hands
        );
        let share = 1_u128 << (16 - game.first_ties.len());
        shares += share;
        average += share * u128::from(game.bound);
        // Each core is tried in one of the orders.
        let orders = orders_of(&kinds, game, &mut numbers);
        for way in &game.ways {
            let fixed = way.choices.iter().map(|choice| {
                let after = choice.after.iter().map(cards_of).collect();
                (after, cards_of(&choice.card))
            });
            let fixed: Vec<Fixed> = fixed.collect();
            let mut paid = vec![0; weights.len()];
            let priced = way.cores.iter().zip(&way.prices);
            for ((core, price), next) in priced.zip(orders.iter().cycle()) {
                let together = core.iter().map(|class| hands_of(*class, next));
                let state = (
                    together.collect(),
                    case.leader,
                    Vec::new(),
                    case.goal,
                    Some(Vec::new()),
                );
                let wins = wins_all(state, case.trumps, &fixed, &mut HashMap::new());
                assert!(!wins, "{:?} {game:?} {fixed:?} {core:?}", case.hands);
                for class in core {
                    paid[*class as usize] += price;
                }
            }
            for (paid, weight) in paid.iter().zip(&weights) {
                assert!(*paid <= weight * way.parts);
            }
            let lost = way.prices.iter().sum::<u64>().div_ceil(way.parts);
            if ending.total_weight() - lost > game.bound {
                is_by_prices = false;
                let lost = ending.total_weight() - game.bound;
                let mut out = Vec::new();
                assert!(!hits_for_less(&weights, &way.cores, &mut out, lost));
            }
        }
        ways += game.ways.len();
    }
    // The games have each order once.
    assert_eq!(shares, 1 << 16);
    for (number, one) in reasons.games.iter().enumerate() {
        for other in &reasons.games[..number] {
            let mut ties = one.first_ties.iter();
            let differs = |tie: &EndingFirstTie| {
                let opposite = EndingFirstTie {
                    is_wests: !tie.is_wests,
                    ..*tie
                };
                other.first_ties.contains(&opposite)
            };
            assert!(ties.any(differs), "{one:?} {other:?}");
        }
    }
    assert!(average >> 16 <= u128::from(bound));
    (ways, reasons.games.len(), is_by_prices)
}

#[test]
fn no_more_can_be_won_for_reasons_that_hold() {
    let mut numbers = Random(11);
    let (mut by_prices, mut tried, mut ways) = (0, 0, 0);
    for (tricks, count) in [(3, 20), (4, 20), (5, 64)] {
        for _ in 0..count {
            let case = random(&mut numbers, tricks);
            let ending = ending_of(&case);
            let game = EndingGame::new(&ending, case.goal as u8);
            let budget = Budget::visits_at_most(50_000);
            let mut bounds = (0, ending.total_weight());
            let found = heaviest_of_ending::<FixedBitSet>(
                &game,
                &game.root(),
                &budget,
                &mut |least, most| {
                    assert!(least >= bounds.0 && most <= bounds.1 && least <= most);
                    bounds = (least, most);
                },
            );
            assert_eq!(bounds.1, found.bound);
            tried += 1;
            let (count, _, is_by_prices) = check(&case, &ending, &found.reasons, found.bound);
            by_prices += usize::from(is_by_prices);
            ways += count;
        }
    }
    assert!(by_prices * 2 > tried, "{by_prices} of {tried}");
    assert!(ways > tried * 2, "{ways} ways of {tried}");
}

/// Where ties to declarer leave more than can be won, and ties to the defenders less than that, the
/// answer is proven by agreeing who wins the first of them.
#[test]
fn games_by_first_ties_have_reasons_that_hold() {
    let endings = [
        ("84.6.Q.2 .5.AT.A8 9.8.93.6 QJ.T.64.", 3, None, 1, 6),
        ("52.8.9.4 Q9.Q..K3 8.2.K.85 3.J7.8.9", 3, None, 1, 15),
        ("52.8.9.4 Q9.Q..K3 8.2.K.85 3.J7.8.9", 3, Some(0), 1, 18),
        (".T85.Q.6 95..5.T5 4.A9.J3. .Q2.A7.A", 1, None, 2, 30),
        ("2.5..J43 3.J.AQ.A 876..9.7 T.Q.65.2", 2, None, 1, 30),
        ("9.Q6..J3 .AK53..Q AT..84.9 K7..AK5.", 1, None, 1, 45),
        ("AK2.K5.. T95.QT.. J86.97.. Q74.63..", 0, None, 4, 53),
        (".A5.K.54 7..A.A83 .K98.4.6 6.T3.65.", 1, None, 1, 56),
        ("J965.T.. KQT.84.. A84.73.. 732.J9..", 1, None, 2, 77),
        ("5.7.8.JT KQ.2.3.K 3..A9.Q7 .A85.4.4", 1, Some(0), 1, 116),
        ("K9.Q73.. A8.A42.. 765.T9.. JT32.K..", 1, None, 1, 173),
        ("9.Q6..J3 .AK53..Q AT..84.9 K7..AK5.", 1, Some(0), 2, 203),
    ];
    let mut games = 0;
    for (deal, leader, trumps, goal, value) in endings {
        let hands = deal.split(' ').map(|hand| -> Vec<Card> {
            let suits = hand.split('.').zip(super::SUITS.chars());
            let cards = suits.flat_map(|(ranks, suit)| {
                let cards = ranks.chars();
                cards.map(move |rank| super::card(&format!("{suit}{rank}")))
            });
            cards.collect()
        });
        let hands: Vec<_> = hands.collect();
        let case = Case {
            hands: hands.try_into().expect("four hands"),
            trumps,
            leader,
            goal,
        };
        let ending = ending_of(&case);
        let game = EndingGame::new(&ending, goal as u8);
        let budget = Budget::unlimited();
        let found = heaviest_of_ending::<FixedBitSet>(&game, &game.root(), &budget, &mut |_, _| ());
        assert_eq!((found.weight, found.bound), (value, value), "{deal}");
        let (_, count, _) = check(&case, &ending, &found.reasons, found.bound);
        assert!(count > 1, "{deal}");
        games += count;
    }
    assert!(games > 36, "{games}");
}

#[test]
fn what_is_won_is_played_out() {
    let mut numbers = Random(12);
    let (mut with_line, mut exact) = (0, 0);
    for (tricks, count) in [(5, 8), (6, 6)] {
        for _ in 0..count {
            let mut case = random(&mut numbers, tricks);
            let of_case = ending_of(&case);
            let mut answers = (1..=tricks).rev().map(|goal| {
                let budget = Budget::visits_at_most(5_000);
                ending(&of_case, goal as u8, None, &budget)
            });
            // The highest goal that can be reached.
            let Some(answer) = answers.find(|answer| answer.weight > 0) else {
                continue;
            };
            case.goal = usize::from(answer.tricks.1);
            assert!(answer.weight <= answer.bound && Some(answer.bound) <= answer.seen);
            exact += usize::from(answer.stop.is_none());
            let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
            let line = &json["line"];
            if line.is_null() {
                continue;
            }
            with_line += 1;
            let first = Value::from(0);
            let won = worlds(&case).into_iter().filter(|hands| {
                worst(line, &first, hands, &[], case.leader, &case, 0) >= case.goal
            });
            assert!(won.count() as u64 >= answer.weight, "{:?}", case.hands);
        }
    }
    assert!(with_line > 4 && exact > 4, "{with_line} {exact}");
}

/// Took minutes, as long as hitting sets had no prices of their own at each node, and first cards
/// were searched as one.
#[test]
fn two_tricks_of_five_that_are_hard_to_find() {
    let hand = |text: &str| -> Vec<Card> { text.split(' ').map(super::card).collect() };
    let case = Case {
        hands: [
            hand("SJ S8 S3 HJ H4"),
            hand("SK S9 S7 S5 S2"),
            hand("S4 HK H9 H5 H3"),
            hand("HA HT H8 H7 H2"),
        ],
        trumps: None,
        leader: 2,
        goal: 2,
    };
    let of_case = ending_of(&case);
    let answer = ending(&of_case, 2, None, &Budget::unlimited());
    assert_eq!((answer.weight, answer.bound, answer.total), (200, 200, 252));
    let json: Value = serde_json::from_str(&answer.json()).expect("JSON");
    let (line, first) = (&json["line"], Value::from(0));
    let won = worlds(&case)
        .into_iter()
        .filter(|hands| worst(line, &first, hands, &[], case.leader, &case, 0) >= case.goal);
    assert_eq!(won.count(), 200);
    let game = EndingGame::new(&of_case, 2);
    let budget = Budget::unlimited();
    let found = heaviest_of_ending::<FixedBitSet>(&game, &game.root(), &budget, &mut |_, _| ());
    assert_eq!(check(&case, &of_case, &found.reasons, found.bound).0, 5);
}
