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

use super::{
    Case, Hands, Random, Trick, card, each, ending_of, hand, printed_line, random, worlds_won,
    written_deal,
};

/// A choice that is fixed: the cards that may have been played before, one by one, and those of the
/// choice.
type Fixed = (Vec<u64>, u64);

/// Worlds in which one strategy is to take the tricks, with some of its choices fixed.
struct Together<'a> {
    worlds: &'a [Hands],
    trumps: Option<usize>,
    fixed: &'a [Fixed],
    /// Whether it can, by the worlds that are left, all that was played, who leads, and the tricks.
    known: HashMap<[u64; 4], bool>,
}

impl Together<'_> {
    /// Whether the tricks are taken in all worlds that are left (as bits), when these cards have
    /// been played: also one by one, as long as a choice may come that is fixed.
    fn wins_all(
        &mut self,
        left: u64,
        played: u64,
        one_by_one: Option<&[u64]>,
        trick: Trick,
        wanted: usize,
    ) -> bool {
        if let Some(by) = trick.winner(self.trumps) {
            let wanted = wanted.saturating_sub(usize::from(by.is_multiple_of(2)));
            return self.wins_all(left, played, one_by_one, Trick::led_by(by), wanted);
        }
        let (worlds, seat) = (self.worlds, trick.seat());
        let held = |world: u64| worlds[world.trailing_zeros() as usize][seat] & !played;
        if wanted == 0 || held(left) == 0 {
            return wanted == 0;
        }
        // Until a choice can no longer come, no two ways lead to the same.
        let state = [left, played, seat as u64, wanted as u64];
        let is_kept = trick.count == 0 && one_by_one.is_none();
        if is_kept && let Some(wins) = self.known.get(&state) {
            return *wins;
        }
        let legal = |world: u64| trick.legal(held(world));
        let mut cards = each(left).fold(0, |all, world| all | legal(world));
        let comes_to = |played: &[u64], after: &[u64]| {
            let mut both = played.iter().zip(after);
            played.len() <= after.len() && both.all(|(card, cards)| cards & card != 0)
        };
        for (after, choice) in self.fixed {
            if let Some(played) = one_by_one
                && played.len() == after.len()
                && comes_to(played, after)
            {
                assert_eq!(seat % 2, 0, "a choice of declarer");
                cards &= choice;
                assert!(cards != 0);
            }
        }
        let mut after = |card: u64| {
            let with = each(left).filter(|world| legal(*world) & card != 0).sum();
            let one_by_one = one_by_one.map(|played| [played, &[card]].concat());
            let mut fixed = self.fixed.iter();
            let one_by_one =
                one_by_one.filter(|played| fixed.any(|(after, _)| comes_to(played, after)));
            let (played, trick) = (played | card, trick.with(card));
            self.wins_all(with, played, one_by_one.as_deref(), trick, wanted)
        };
        let wins = if seat.is_multiple_of(2) {
            each(cards).any(&mut after)
        } else {
            each(cards).all(&mut after)
        };
        if is_kept {
            self.known.insert(state, wins);
        }
        wins
    }
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

/// Classes of layouts as bits.
type Classes = [u64; 4];

fn numbers_of(classes: &Classes) -> impl Iterator<Item = usize> {
    let words = classes.iter().enumerate();
    words.flat_map(|(word, bits)| {
        each(*bits).map(move |bit| 64 * word + bit.trailing_zeros() as usize)
    })
}

/// Whether something that weighs less than a limit hits all cores.
fn hits_for_less(weights: &[u64], cores: &[Classes], limit: u64) -> bool {
    let Some(core) = cores.iter().min_by_key(|core| numbers_of(core).count()) else {
        return limit > 0;
    };
    // Cores that share nothing are hit one by one.
    let (mut used, mut least) = ([0; 4], 0);
    for core in cores {
        let mut both = used.iter().zip(core);
        if both.all(|(used, core)| used & core == 0) {
            used = std::array::from_fn(|word| used[word] | core[word]);
            let lightest = numbers_of(core).map(|class| weights[class]).min();
            least += lightest.unwrap_or(u64::MAX / 2);
        }
    }
    if least >= limit {
        return false;
    }
    // Each class of the core by turns, and not those before it.
    let mut out = [0; 4];
    for class in numbers_of(core) {
        let (word, bit) = (class / 64, 1 << (class % 64));
        if weights[class] < limit {
            let rest = cores.iter().filter(|core| core[word] & bit == 0);
            let without = |core: &Classes| std::array::from_fn(|word| core[word] & !out[word]);
            let rest: Vec<Classes> = rest.map(without).collect();
            if hits_for_less(weights, &rest, limit - weights[class]) {
                return true;
            }
        }
        out[word] |= bit;
    }
    false
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
    let deal = written_deal(&case.hands);
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
        let [north, _, south, _] = case.hands;
        [
            north,
            hand(&east.to_string()),
            south,
            hand(&west.to_string()),
        ]
    };
    let card_at = |place: u32| card(&ending.card(place as u8).to_string());
    let cards_of = |mask: &u32| -> u64 {
        let places = (0..32).filter(|place| mask >> place & 1 == 1);
        places.map(card_at).sum()
    };
    let (north, south) = ending.own();
    let all = |choices: &[EndingChoice]| {
        // The cards of hers that follow suit, as far as she has any.
        let choice = choices.last().expect("a choice");
        let mut trick = Trick::led_by(case.leader);
        for played in &choice.after {
            trick = trick.with(card_at(played.trailing_zeros()));
            if let Some(by) = trick.winner(case.trumps) {
                trick = Trick::led_by(by);
            }
        }
        let held = match trick.seat() {
            0 => north,
            2 => south,
            _ => panic!("a choice of declarer"),
        };
        let held = choice.after.iter().fold(held, |held, played| {
            let one = held & played;
            held & !(one & one.wrapping_neg())
        });
        let follows = trick.legal(cards_of(&held));
        let places = (0..32).filter(|place| held >> place & 1 == 1);
        let places = places.filter(|place| follows & card_at(*place) != 0);
        places.map(|place| 1_u32 << place).sum()
    };
    let (mut is_by_prices, mut ways, mut numbers) = (true, 0, Random(1));
    let (mut average, mut shares) = (0, 0);
    for game in &reasons.games {
        let choices = game.ways.iter().map(|way| &way.choices);
        let choices: Vec<_> = choices.collect();
        assert!(
            are_all(&game.ways.iter().collect::<Vec<_>>(), 0, &all),
            "{deal} {choices:?}"
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
                let worlds: Vec<Hands> = core.iter().map(|class| hands_of(*class, next)).collect();
                let mut together = Together {
                    worlds: &worlds,
                    trumps: case.trumps,
                    fixed: &fixed,
                    known: HashMap::new(),
                };
                let (all, first) = (u64::MAX >> (64 - worlds.len()), Trick::led_by(case.leader));
                let wins = together.wins_all(all, 0, Some(&[]), first, case.goal);
                assert!(!wins, "{deal} {game:?} {fixed:?} {core:?}");
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
                let cores = way.cores.iter().map(|core| {
                    let mut classes = [0; 4];
                    for class in core {
                        classes[*class as usize / 64] |= 1 << (class % 64);
                    }
                    classes
                });
                let cores: Vec<Classes> = cores.collect();
                assert!(!hits_for_less(&weights, &cores, lost));
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
        let hands: Vec<u64> = deal.split(' ').map(hand).collect();
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
            let Some(line) = printed_line(&answer) else {
                continue;
            };
            with_line += 1;
            let deal = written_deal(&case.hands);
            assert!(worlds_won(&line, &case) >= answer.weight, "{deal}");
        }
    }
    assert!(with_line > 4 && exact > 4, "{with_line} {exact}");
}

/// Took minutes, as long as hitting sets had no prices of their own at each node, and first cards
/// were searched as one.
#[test]
fn two_tricks_of_five_that_are_hard_to_find() {
    let case = Case {
        hands: ["J83.J4", "K9752.", "4.K953", ".AT872"].map(hand),
        trumps: None,
        leader: 2,
        goal: 2,
    };
    let of_case = ending_of(&case);
    let answer = ending(&of_case, 2, None, &Budget::unlimited());
    assert_eq!((answer.weight, answer.bound, answer.total), (200, 200, 252));
    let line = printed_line(&answer).expect("a line");
    assert_eq!(worlds_won(&line, &case), 200);
    let game = EndingGame::new(&of_case, 2);
    let budget = Budget::unlimited();
    let found = heaviest_of_ending::<FixedBitSet>(&game, &game.root(), &budget, &mut |_, _| ());
    assert_eq!(check(&case, &of_case, &found.reasons, found.bound).0, 5);
}
