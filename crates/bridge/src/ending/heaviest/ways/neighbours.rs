//! Heavier sets near the best one that is won.
//!
//! Problem: where nothing can be added to a set, another may be heavier, with some layouts in place
//! of others. An ascent finds few of those: it begins with a hitting set of thousands of cores.
//!
//! Idea: declare all layouts lost but those of the best set and a few others, chosen at random. The
//! heaviest set of the rest is a small problem for the same search by cores and hitting sets. If it
//! is heavier, it becomes the best set. If not, more layouts are let in the next time; half as many
//! if the search was too hard.
//!
//! Invariant: the cores that such a search learns are cores of the way. Layouts are declared lost
//! for that search alone.
//!
//! Cost: a small part of what everything has cost so far.
//!
//! Source: large neighbourhood search: Shaw (1998).

use meetjoin_families::random::Random;
use meetjoin_lattice::{Stop, WorldSet};

use super::super::super::together::{Answer, Layouts};
use super::{Gives, Hunt, Near};

/// How many other layouts are let in at first, and at least.
const FIRST_SIZE: usize = 24;
const LEAST_SIZE: usize = 4;
/// Node limit of hitting sets.
const NODES: u64 = 16;
/// The effort of one search: at most this, or this fraction of the total effort, if more.
const LEAST_EFFORT: u64 = 1 << 14;
const PART: u64 = 64;
/// All searches together may take one part in `ALL_PART` of the total effort, or twice what they
/// had taken when one last succeeded.
const ALL_PART: u64 = 8;

impl Near {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self {
            size: FIRST_SIZE,
            random: Random::new(0x9E37_79B9_7F4A_7C15),
            spent: 0,
            paid: 0,
        }
    }

    /// Returns whether more may be spent, given the total effort.
    pub(super) fn pays(&self, effort: u64) -> bool {
        self.spent <= (2 * self.paid).max(effort / ALL_PART)
    }

    /// Draws some of these at random, at most half of them, and leaves the rest in `others`.
    fn chosen(&mut self, others: &mut Layouts) -> Layouts {
        let count = self.size.min(others.len() / 2);
        let mut next = || {
            let place = self.random.below(others.len());
            others.swap_remove(place)
        };
        (0..count).map(|_| next()).collect()
    }
}

impl<B: WorldSet> Hunt<'_, '_, '_, '_, B> {
    /// Looks for a heavier set near the best one, once. False if there is nowhere to look.
    pub(super) fn look_near(&mut self) -> Result<bool, Stop> {
        let before = self.together.effort();
        let effort = LEAST_EFFORT.max(before / PART);
        let set = match &self.growth {
            Some(growth) if self.best.0.is_empty() => growth.set(),
            _ => self.best.0.clone(),
        };
        let Some(number) = self.winner(&set, effort)? else {
            return Ok(false);
        };
        let way = &self.ways[number];
        let mut others = way.besides(&set);
        others.retain(|layout| !way.known.is_lost(*layout));
        let size = self.near.chosen(&mut others).len();
        if size == 0 {
            return Ok(false);
        }
        let mut near = way.clone();
        near.are_strong.fill(true);
        (near.nodes, near.ascent) = (NODES, None);
        for layout in others {
            near.add(vec![layout], true);
        }
        let old = near.known.cores().len();
        self.together.pays(old)?;
        let mut watch = |_, _| ();
        let mut search = self.search.unbounded(&mut watch);
        let (whole, mut ways, mut best) = (self.whole, Vec::new(), Layouts::new());
        let searched = self.together.within(effort, |table| {
            let tables = (table, None);
            let mut hunt = Hunt::new(&mut search, whole, tables, vec![near], Gives::Bound);
            hunt.most_nodes = NODES;
            let met = hunt.meet();
            (ways, best) = (hunt.ways, hunt.best.0);
            met
        });
        let is_closed = ways.iter().all(|near| near.bound <= self.best_weight);
        self.won(&best);
        for near in &ways {
            for core in &near.known.cores()[old..] {
                self.keep(number, core.clone())?;
            }
        }
        self.near.spent += self.together.effort() - before;
        if !best.is_empty() {
            self.near.paid = self.near.spent;
        } else if is_closed {
            self.near.size = size + size.div_ceil(8);
        } else {
            self.near.size = LEAST_SIZE.max(size / 2);
        }
        searched?;
        Ok(true)
    }

    /// A way that wins this set, of those that may win more. Their choices are fixed and they have
    /// looked at all layouts: cores of parts of a way would not be its own.
    fn winner(&mut self, set: &[u32], effort: u64) -> Result<Option<usize>, Stop> {
        for (number, way) in self.ways.iter().enumerate() {
            let root = way.roots.0;
            let is_ready = !way.choices.is_empty() && way.looked == way.count();
            if is_ready
                && way.bound > self.best_weight
                && let Answer::Won = self.together.core_within(root, set, effort)?
            {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use meetjoin_dag::AndOrDag;
    use meetjoin_lattice::{Budget, Words};

    use super::super::super::super::game::{Ending, EndingGame};
    use super::super::super::super::subgame::Whole;
    use super::super::super::super::together::Together;
    use super::super::super::super::together::choices::ALL;
    use super::super::super::super::values::AllSeen;
    use super::super::super::found::Search;
    use super::super::super::heaviest_of_ending;
    use super::super::Way;
    use super::*;
    use crate::play::{Deal, Seat};

    impl<B: WorldSet> Hunt<'_, '_, '_, '_, B> {
        fn look_at_all(&mut self, number: usize) -> Result<(), Stop> {
            while self.ways[number].looked < self.ways[number].count() {
                self.look(number)?;
            }
            Ok(())
        }
    }

    /// Where nothing can be added to the set that has grown, a neighbour is heavier, and mostly the
    /// heaviest set of all. No hitting set of all cores is needed.
    #[test]
    fn what_is_near_is_won_and_heavier() -> Result<(), Box<dyn std::error::Error>> {
        let endings = [
            ("N:.Q865..7 7.92.A.4 9.J.J.J3 T.T..Q98", 2),
            ("N:A92.73.. KT85.8.. 63.J95.. 7.AQ42..", 2),
            ("N:KJ85.7.. AQ9.64.. T42.85.. 763.KJ..", 2),
            ("N:AT2.A5.. 6.KT96.. 975.J2.. KJ8.43..", 3),
            ("N:QJ72.K.. AK65.5.. 8.QT42.. 94.J83..", 3),
            ("N:AK86.8.. J75.K2.. 942.AJ.. QT3.93..", 4),
            ("N:AQ62.8.. KJ8.76.. 743.T2.. T95.K9..", 3),
            ("N:J932.A.. KQ4.T8.. A86.Q6.. T75.K2..", 3),
            ("N:J963.K.. 752.A3.. Q84.84.. AKT.T6..", 1),
            ("N:K965.A.. A84.Q4.. QJ3.J8.. T72.T6..", 4),
            ("N:K6.JT2.. A43.Q9.. 8.AK64.. T9.853..", 3),
            ("N:7642.J.. KT5.87.. Q83.Q6.. AJ9.K2..", 1),
        ];
        let budget = Budget::unlimited();
        let (mut heavier, mut heaviest) = (0, 0);
        for (deal, tricks) in endings {
            let parsed = Deal::of_pbn(&format!("[Deal \"{deal}\"]"))?;
            let ending = Ending::new(&parsed, Seat::South, Seat::South, None, |_| 1)?;
            let game = EndingGame::new(&ending, tricks);
            let most = heaviest_of_ending::<Words<4>>(&game, &game.root(), &budget, &mut |_, _| ());
            let rules = AllSeen::new(&ending).rules;
            let whole = Whole::new(&game, &game.root(), &rules);
            let new = || {
                let layouts = whole.layouts.iter().map(|layout| layout.west);
                let seen = AllSeen::with_ties(&ending, false);
                Together::new(whole.shape, layouts, seen, &budget)
            };
            let (mut watch, mut table, mut fresh) = (|_, _| (), new(), new());
            let mut search = Search::<Words<4>>::new(&ending, &whole, &budget, &mut watch);
            let ways = vec![Way::all(&whole)];
            let mut hunt = Hunt::new(&mut search, &whole, (&mut table, None), ways, Gives::Both);
            hunt.look_at_all(0)?;
            hunt.divide(0)?;
            for number in 0..hunt.ways.len() {
                hunt.look_at_all(number)?;
            }
            while let Some(growth) = hunt.growth.as_mut()
                && !growth.is_over()
            {
                if growth.grow(hunt.together)? {
                    let set = growth.set();
                    hunt.won(&set);
                }
            }
            let (grown, mut before) = (hunt.best_weight, 0);
            for _ in 0..120 {
                hunt.look_near()?;
                assert_eq!(fresh.core(ALL, &hunt.best.0)?, None, "{deal}");
                assert!(
                    before <= hunt.best.1 && hunt.best.1 <= most.weight,
                    "{deal}"
                );
                before = hunt.best.1;
            }
            for way in &hunt.ways {
                for core in way.known.cores() {
                    assert!(hunt.together.core(way.roots.0, core)?.is_some(), "{deal}");
                }
            }
            heavier += usize::from(before > grown);
            heaviest += usize::from(before == most.weight);
        }
        assert!(
            heavier == endings.len() && heaviest > 7,
            "{heavier} {heaviest}"
        );
        Ok(())
    }
}
