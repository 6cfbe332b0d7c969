//! Racing against its rules alone: every uniform strategy of small deals, played out against every
//! hand of MIN.
//!
//! A strategy is *uniform* if it depends on what MAX has seen and nothing else: it maps each public
//! history in which she is to move to a card. MIN knows everything, the strategy too. A strategy
//! wins a hand of MIN if no play of MIN from that hand beats it, and the value of the deal in
//! `2^(2^S)` is the maximal ones among the sets of hands that strategies win.
//!
//! Nothing here uses the AND-OR graph, the values of its leaves, or the lattice: histories are
//! never merged, and a hand constrains a strategy only by the cards it can play. The literal
//! version turns through all tables of choices like an odometer. There are too many of them beyond
//! hands of three cards, so a second version lists the sets won by all strategies without writing
//! the strategies down.

use std::collections::BTreeSet;

use meetjoin::dag::{HiddenFamilies, Stakes, Valuation};
use meetjoin::games::{Racing, RacingHands};
use meetjoin::lattice::{Antichain, Budget, Words, WorldSet};
use meetjoin::search::{Env, Table, Window, alpha_beta_duo, minimax_cached};

/// A deal, by its rules.
#[derive(Clone, Debug)]
struct Deal {
    deck: u8,
    goal: usize,
    /// MAX's cards.
    hand: Vec<u8>,
    lead: u8,
}

/// Who is to move, or how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Max,
    Min,
    Over { max_won: bool },
}

/// A public history: whose turn it is, and each card that may come next with the number of the
/// history it leads to.
struct History {
    turn: Turn,
    next: Vec<(u8, usize)>,
}

impl Deal {
    fn is_mine(&self, card: u8) -> bool {
        self.hand.contains(&card)
    }

    /// Whose turn it is when these cards have been played, in this order.
    fn turn(&self, played: &[u8]) -> Turn {
        let (mut max_tricks, mut min_tricks) = (0, 0);
        for trick in played.chunks_exact(2) {
            if self.is_mine(trick[0].max(trick[1])) {
                max_tricks += 1;
            } else {
                min_tricks += 1;
            }
        }
        if max_tricks == self.goal || min_tricks == self.goal || played.len() == 2 * self.hand.len()
        {
            let max_won = max_tricks == self.goal;
            return Turn::Over { max_won };
        }
        let max_moves = match *played.chunks(2).last().expect("the first card is led") {
            [led] => !self.is_mine(led),
            [led, answer] => self.is_mine(led.max(answer)),
            _ => unreachable!("a trick has two cards"),
        };
        if max_moves { Turn::Max } else { Turn::Min }
    }

    /// All public histories that begin with these cards, as a tree; returns the number of the
    /// first.
    fn grow(&self, played: &mut Vec<u8>, tree: &mut Vec<History>) -> usize {
        let (here, turn) = (tree.len(), self.turn(played));
        let next = Vec::new();
        tree.push(History { turn, next });
        let playable = |card: &u8| match turn {
            Turn::Max => self.is_mine(*card) && !played.contains(card),
            Turn::Min => !self.is_mine(*card) && !played.contains(card),
            Turn::Over { .. } => false,
        };
        let cards: Vec<u8> = (1..=self.deck).filter(playable).collect();
        for card in cards {
            played.push(card);
            let history = self.grow(played, tree);
            played.pop();
            tree[here].next.push((card, history));
        }
        here
    }

    fn histories(&self) -> Vec<History> {
        let mut tree = Vec::new();
        self.grow(&mut vec![self.lead], &mut tree);
        tree
    }

    /// The hands MIN may hold, each ascending.
    fn hands_of_min(&self) -> Vec<Vec<u8>> {
        let possible = |hand: &Vec<u8>| {
            let foreign = hand.iter().all(|&card| !self.is_mine(card));
            foreign && hand.contains(&self.lead)
        };
        let hands = choices(self.deck, self.hand.len());
        hands.into_iter().filter(possible).collect()
    }
}

/// All sets of `size` cards of the deck, each ascending.
fn choices(deck: u8, size: usize) -> Vec<Vec<u8>> {
    let sets = (0_u32..1 << deck).filter(|set| set.count_ones() as usize == size);
    let cards = |set: u32| {
        (1..=deck)
            .filter(|card| set >> (card - 1) & 1 == 1)
            .collect()
    };
    sets.map(cards).collect()
}

/// All deals with these sizes.
fn deals(deck: u8, held: usize, goal: usize) -> impl Iterator<Item = Deal> {
    choices(deck, held).into_iter().flat_map(move |hand| {
        let leads = (1..=deck).filter(|card| !hand.contains(card));
        let leads: Vec<u8> = leads.collect();
        leads.into_iter().map(move |lead| Deal {
            deck,
            goal,
            hand: hand.clone(),
            lead,
        })
    })
}

/// A table: for each history in which MAX is to move, which of her cards she plays. Other histories
/// have a place that nobody reads.
type Strategy = [usize];

/// The next table, in the order of an odometer; `false` after the last.
fn turn_over(strategy: &mut Strategy, tree: &[History]) -> bool {
    for (choice, history) in strategy.iter_mut().zip(tree) {
        if history.turn == Turn::Max {
            *choice += 1;
            if *choice < history.next.len() {
                return true;
            }
            *choice = 0;
        }
    }
    false
}

/// Whether MAX wins by this strategy whatever MIN plays from this hand.
fn wins(strategy: &Strategy, tree: &[History], at: usize, hand: &[u8]) -> bool {
    let history = &tree[at];
    match history.turn {
        Turn::Over { max_won } => max_won,
        Turn::Max => wins(strategy, tree, history.next[strategy[at]].1, hand),
        Turn::Min => {
            let mut moves = history.next.iter().filter(|(card, _)| hand.contains(card));
            moves.all(|&(_, next)| wins(strategy, tree, next, hand))
        }
    }
}

/// A set of hands of MIN: bit i for the i-th.
type Hands = u64;

/// The sets of hands that strategies win, each strategy written down and played out.
fn won_by_tables(deal: &Deal) -> BTreeSet<Hands> {
    let (tree, hands) = (deal.histories(), deal.hands_of_min());
    let mut strategy = vec![0; tree.len()];
    let mut won = BTreeSet::new();
    loop {
        let wins = |hand: &Vec<u8>| u64::from(wins(&strategy, &tree, 0, hand));
        let set = hands.iter().enumerate();
        won.insert(set.fold(0, |set, (i, hand)| set | wins(hand) << i));
        if !turn_over(&mut strategy, &tree) {
            return won;
        }
    }
}

/// The sets of hands that strategies win from a history on. What a set says of hands that cannot
/// come here means nothing.
///
/// A strategy before a move of MIN is one strategy after each card, chosen independently; a hand is
/// won if it is won after each card *that it holds*.
fn won_from(tree: &[History], at: usize, hands: &[Vec<u8>]) -> BTreeSet<Hands> {
    let all = u64::MAX >> (64 - hands.len());
    let history = &tree[at];
    let below = history.next.iter();
    let below = below.map(|&(card, next)| (card, won_from(tree, next, hands)));
    match history.turn {
        Turn::Over { max_won } => BTreeSet::from([if max_won { all } else { 0 }]),
        Turn::Max => below.flat_map(|(_, won)| won).collect(),
        Turn::Min => below.fold(BTreeSet::from([all]), |so_far, (card, won)| {
            let holds = |hand: &Vec<u8>| u64::from(hand.contains(&card));
            let holders = hands.iter().enumerate();
            let holders = holders.fold(0, |set, (i, hand)| set | holds(hand) << i);
            let pairs = so_far.iter();
            let pairs = pairs.flat_map(|a| won.iter().map(move |b| a & (b | !holders)));
            pairs.collect()
        }),
    }
}

/// The sets that lie in no other, as lists of hands, sorted.
fn maximal(deal: &Deal, won: &BTreeSet<Hands>) -> Vec<Vec<Vec<u8>>> {
    let hands = deal.hands_of_min();
    let in_other = |set: &Hands| won.iter().any(|other| other != set && set & !other == 0);
    let written = |set: &Hands| {
        let members = hands.iter().enumerate();
        let members = members.filter(|(i, _)| set >> i & 1 == 1);
        sorted(members.map(|(_, hand)| hand.clone()))
    };
    sorted(won.iter().filter(|set| !in_other(set)).map(written))
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort();
    items
}

/// A value of the library in the same form.
fn written(game: &Racing, family: &Antichain<Words<1>>) -> Vec<Vec<Vec<u8>>> {
    let worlds = game.worlds();
    let hand = |world: usize| {
        (1..=64)
            .filter(|c| worlds[world] >> (c - 1) & 1 == 1)
            .collect()
    };
    let set = |set: &Words<1>| sorted(WorldSet::ones(set).map(hand));
    sorted(family.maximal().iter().map(set))
}

/// That the library finds these maximal sets; returns how many they are.
fn compare(deal: &Deal, expected: &[Vec<Vec<u8>>]) -> usize {
    let goal = u8::try_from(deal.goal).expect("small");
    let game = Racing::new(deal.deck, goal, &deal.hand, deal.lead).expect("a fine deal");
    let listed = RacingHands::new(&game);
    let stakes = Stakes::all(&listed);
    let families = HiddenFamilies::<_, Words<1>>::new(&listed, &stakes).expect("few worlds");
    let free = Budget::unlimited();
    let mut env = Env::new(&free).with_store(Table::new());
    let outcome = minimax_cached(&game, &families, &mut env);
    let value = outcome.exact().expect("no limit");
    assert_eq!(written(&game, value), expected, "minimax: {deal:?}");
    let window = Window::full(families.lattice());
    let mut env = Env::new(&free).with_store(Table::new());
    let outcome = alpha_beta_duo(&game, &families, &window, &mut env);
    let value = outcome.exact().expect("no limit");
    assert_eq!(written(&game, value), expected, "duo: {deal:?}");
    expected.len()
}

/// Compares all these deals, and counts those that have several maximal sets.
fn with_several(
    deals: impl IntoIterator<Item = Deal>,
    won: impl Fn(&Deal) -> BTreeSet<Hands>,
) -> usize {
    let several = |deal: &Deal| compare(deal, &maximal(deal, &won(deal))) > 1;
    deals.into_iter().filter(several).count()
}

fn won_from_the_start(deal: &Deal) -> BTreeSet<Hands> {
    won_from(&deal.histories(), 0, &deal.hands_of_min())
}

#[test]
fn every_table_of_choices() {
    for (deck, held, goal, several) in [
        (2, 1, 1, 0),
        (4, 1, 2, 0),
        (5, 2, 1, 0),
        (6, 2, 2, 0),
        (7, 2, 3, 0),
        (6, 3, 2, 0),
        (7, 3, 1, 0),
        (7, 3, 2, 0),
        (7, 3, 3, 0),
        (7, 3, 4, 0),
        (8, 3, 2, 2),
    ] {
        let found = with_several(deals(deck, held, goal), won_by_tables);
        assert_eq!(found, several, "deck {deck}, hand {held}, goal {goal}");
    }
    let larger = Deal {
        deck: 9,
        goal: 2,
        hand: vec![2, 5, 8],
        lead: 6,
    };
    assert_eq!(with_several([larger], won_by_tables), 1);
}

#[test]
fn every_set_won() {
    for (deck, held, goal, several) in [
        (8, 2, 1, 0),
        (8, 3, 2, 2),
        (8, 3, 3, 0),
        (9, 3, 1, 0),
        (9, 3, 2, 9),
        (10, 3, 2, 25),
        (8, 4, 3, 0),
        (9, 4, 2, 0),
        (9, 4, 3, 0),
        (9, 4, 5, 0),
        (10, 4, 2, 6),
    ] {
        let found = with_several(deals(deck, held, goal), won_from_the_start);
        assert_eq!(found, several, "deck {deck}, hand {held}, goal {goal}");
    }
}
