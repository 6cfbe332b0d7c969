//! Games in which it is agreed who wins the first tie of a kind.
//!
//! Problem: where declarer decides which of two equal cards has won, she may win far more than in
//! the real game, and a search that tells equal cards apart has far more layouts.
//!
//! Idea: let t be a random order of the cards of a kind, as in the [module above](super): West has
//! the first of them and plays them from the beginning, East has the last and plays them from the
//! end. Whatever a strategy wins in truth weighs as much as the classes that it wins for t, on
//! average over t, for each layout of a class stands for it with the same probability. If both play
//! their first cards of the kind to a trick, and win it, it is West who wins if the first card of t
//! is higher than the last. That is so with probability one half, and does not depend on the orders
//! of other kinds. So nothing weighs more than the average of what is won where all such ties are
//! West's, and where all are East's. Later ties of the kind are left to declarer.
//!
//! Each of the two games can be divided by another kind. The next game is the one with the largest
//! share of the gap for the cost of its search. It is divided by a kind that matters: its best set
//! is lost if the tie is West's, or if it is East's. A game in which the set is won keeps its
//! bound. Where no kind matters the search in the game goes on, with more nodes for its hitting
//! sets.
//!
//! Invariant: no bound of a game is below what is won in it. Every core of a game is one in the two
//! that it is divided into.
//!
//! Cost: two questions for each kind, and a search for each game in which the set is lost. The
//! games have one table: after the first card of a kind they are the same.

use std::mem;

use meetjoin_lattice::{Stop, WorldSet};

use super::super::rules::Rules;
use super::super::subgame::{Shape, Whole};
use super::super::together::{Layouts, Together};
use super::found::{EndingFirstTie, EndingOrders, Search};
use super::ways::{Gives, Hunt, Way};

/// Node limit of the first searches for hitting sets in a game. It doubles.
const FEW_NODES: u64 = 64;
/// No game has more first ties: a kind has two cards or more, of at most 32.
const MOST_TIES: usize = 16;

/// A game, and what is known of it.
#[derive(Clone)]
struct Game {
    shape: Shape,
    /// The bound, and why it holds.
    orders: EndingOrders,
    /// The search so far.
    ways: Vec<Way>,
    /// Nodes of its next searches for hitting sets.
    nodes: u64,
    /// The best set that is won, if it is better than what is won in truth, and its weight.
    best: (Layouts, u64),
    /// Where kinds begin that may matter for that set.
    open: Vec<u32>,
}

impl Game {
    /// Where the kinds begin whose first tie is not agreed.
    fn kinds(&self, rules: &Rules) -> Vec<u32> {
        let shape = &self.shape;
        let agreed = shape.first_ties[0] | shape.first_ties[1];
        let begins = shape.kinds & shape.unseen & !agreed;
        let begins = (0..u32::BITS).map(|place| begins & 1 << place);
        let is_more = |begin: &u32| shape.kind_of(*begin, rules).count_ones() > 1;
        begins
            .filter(|begin| *begin != 0 && is_more(begin))
            .collect()
    }

    /// The game in which the first tie of a kind is East's, and that in which it is West's.
    fn divided(&self, begin: u32, rules: &Rules) -> [Self; 2] {
        let cards = self.shape.kind_of(begin, rules);
        [false, true].map(|is_wests| {
            let mut part = self.clone();
            part.shape.first_ties[usize::from(is_wests)] |= begin;
            let tie = EndingFirstTie { cards, is_wests };
            part.orders.first_ties.push(tie);
            part
        })
    }

    /// Begins the search anew, if its best set is lost where all is agreed that the game says. (It
    /// may have begun where less was.) Whether that is so.
    fn begins_anew(&mut self, whole: &Whole, table: &mut Together<'_>) -> Result<bool, Stop> {
        let layouts = whole.layouts.iter().map(|layout| layout.west);
        let root = table.root(self.shape, layouts);
        let is_lost = table.core(root, &self.best.0)?.is_some();
        if is_lost {
            self.ways = vec![Way::from(whole, root)];
            self.nodes = FEW_NODES;
            self.best = (Layouts::new(), 0);
            self.open.clear();
        }
        Ok(is_lost)
    }

    /// Whether more can be known of its bound, where so much is won in truth.
    fn is_open(&self, won: u64) -> bool {
        !self.open.is_empty() || self.orders.bound > self.best.1.max(won)
    }

    /// The share of `of` that falls to this game, in a unit common to all games.
    fn share(&self, of: u64) -> u128 {
        u128::from(of) << (MOST_TIES - self.orders.first_ties.len())
    }
}

impl<'a, B: WorldSet> Search<'a, '_, '_, B> {
    /// Searches the game in which nothing is agreed, by these ways, and divides it, until nothing
    /// is to be gained, or it is divided and the effort is spent.
    pub(super) fn agree(
        &mut self,
        whole: &Whole,
        table: &mut Together<'a>,
        ways: Vec<Way>,
        until: u64,
    ) -> Result<(), Stop> {
        let mut games = vec![Game {
            shape: whole.shape,
            orders: EndingOrders {
                bound: u64::MAX,
                ..EndingOrders::default()
            },
            ways,
            nodes: FEW_NODES,
            best: (Layouts::new(), 0),
            open: Vec::new(),
        }];
        self.play(whole, table, &mut games, 0, u64::MAX)?;
        while !self.is_closed() {
            let is_late = table.effort() > until;
            let until = if games.len() == 1 { u64::MAX } else { until };
            if is_late && games.len() > 1 {
                return Ok(());
            }
            if is_late {
                // There would be no time for its parts.
                games[0].open.clear();
            }
            let won = self.found.weight - self.outside;
            let open = games.iter().enumerate();
            let open = open.filter(|(_, game)| game.is_open(won));
            let next = open.max_by_key(|(number, game)| {
                let gap = game.orders.bound.saturating_sub(won);
                let cost = if game.open.is_empty() { game.nodes } else { 1 };
                (game.share(gap) / u128::from(cost), usize::MAX - number)
            });
            let Some((number, _)) = next else {
                return Ok(());
            };
            match games[number].open.pop() {
                Some(begin) => divide(whole, table, &mut games, number, begin)?,
                None => self.play(whole, table, &mut games, number, until)?,
            }
        }
        Ok(())
    }

    /// Goes on with the search in a game.
    fn play(
        &mut self,
        whole: &Whole,
        table: &mut Together<'a>,
        games: &mut [Game],
        number: usize,
        until: u64,
    ) -> Result<(), Stop> {
        let game = &mut games[number];
        let mut watch = |_, _| ();
        let mut search = self.unbounded(&mut watch);
        let ways = mem::take(&mut game.ways);
        let mut hunt = Hunt::new(&mut search, whole, (table, None), ways, Gives::Bound);
        (hunt.most_nodes, hunt.until) = (game.nodes, until);
        hunt.won(&game.best.0);
        let searched = hunt.close();
        let (ways, best) = (hunt.ways, hunt.best);
        game.ways = ways;
        game.nodes = game.nodes.saturating_mul(2);
        let is_better = best.1 > game.best.1;
        if is_better {
            game.best = best;
            game.open = game.kinds(table.rules());
        }
        for EndingOrders { bound, ways, .. } in search.found.reasons.games {
            if bound < game.orders.bound {
                (game.orders.bound, game.orders.ways) = (bound, ways);
            }
        }
        let shares = games.iter().map(|game| game.share(game.orders.bound));
        let bound = shares.sum::<u128>() >> MOST_TIES;
        if self.bounded(bound as u64) {
            let orders = games.iter().map(|game| game.orders.clone());
            self.found.reasons.games = orders.collect();
        }
        searched?;
        if is_better {
            games[number].begins_anew(whole, table)?;
        }
        Ok(())
    }
}

/// Replaces a game by two, if it matters for its best set who wins the first tie of the kind that
/// begins at `begin`.
fn divide(
    whole: &Whole,
    table: &mut Together<'_>,
    games: &mut Vec<Game>,
    number: usize,
    begin: u32,
) -> Result<(), Stop> {
    let mut parts = games[number].divided(begin, table.rules());
    let mut matters = false;
    for part in &mut parts {
        matters |= part.begins_anew(whole, table)?;
    }
    if matters {
        games.swap_remove(number);
        games.extend(parts);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::game::{Ending, EndingGame};
    use super::super::super::values::AllSeen;
    use super::super::heaviest_of_ending;
    use super::*;
    use crate::play::{Deal, Seat};
    use meetjoin_dag::AndOrDag;
    use meetjoin_lattice::{Budget, Words};

    /// Against the search in which each card counts by itself, in the middle of tricks too.
    #[test]
    fn after_some_cards_the_answer_is_that_of_single_cards()
    -> Result<(), Box<dyn std::error::Error>> {
        let deals = [
            ("N:84.6.Q.2 .5.AT.A8 9.8.93.6 QJ.T.64.", Seat::West, 1),
            ("N:52.8.9.4 Q9.Q..K3 8.2.K.85 3.J7.8.9", Seat::West, 1),
            ("N:.T85.Q.6 95..5.T5 4.A9.J3. .Q2.A7.A", Seat::East, 2),
            ("N:2.5..J43 3.J.AQ.A 876..9.7 T.Q.65.2", Seat::South, 1),
            ("N:9.Q6..J3 .AK53..Q AT..84.9 K7..AK5.", Seat::East, 1),
            ("N:K9.Q73.. A8.A42.. 765.T9.. JT32.K..", Seat::East, 1),
        ];
        let (budget, mut by_ties) = (Budget::unlimited(), [0; 3]);
        for (deal, leader, goal) in deals {
            let deal = Deal::of_pbn(&format!("[Deal \"{deal}\"]"))?;
            let ending = Ending::new(&deal, Seat::South, leader, None, |_| 1)?;
            let game = EndingGame::new(&ending, goal);
            let rules = AllSeen::new(&ending).rules;
            let mut open = vec![(game.root(), 0)];
            while let Some((position, cards)) = open.pop() {
                let found =
                    heaviest_of_ending::<Words<4>>(&game, &position, &budget, &mut |_, _| ());
                let whole = Whole::new(&game, &position, &rules);
                let mut watch = |_, _| ();
                let mut search = Search::<Words<4>>::new(&ending, &whole, &budget, &mut watch);
                search.alone(&whole, &ending)?;
                assert_eq!(
                    (found.weight, found.bound),
                    (search.found.weight, search.found.bound),
                    "{deal:?} {position:?}"
                );
                by_ties[cards] += usize::from(found.reasons.games.len() > 1);
                if cards < 2 {
                    let next = game.moves(&position).into_iter();
                    open.extend(next.map(|(_, position)| (position, cards + 1)));
                }
            }
        }
        assert!(by_ties.iter().all(|count| *count > 2), "{by_ties:?}");
        Ok(())
    }
}
