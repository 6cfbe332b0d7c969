//! A set of layouts that is won early, and grows.
//!
//! Problem: an ascent ends with a set that is won, but with thousands of classes that takes long,
//! and a search that is stopped before has nothing to show.
//!
//! Idea: begin with the empty set, which is won. Add the heaviest layouts that complete no known
//! core, and ask. If they are won they stay, and twice as many are added the next time; after a
//! core, half as many. Layouts of a set that another search has won are added first, within a few
//! questions.
//!
//! Invariant: the set is won.
//!
//! Cost: a question for each core and each step. Most of a question was answered by the last one.
//!
//! Source: progression, for sets that have a property with all their parts: Marques-Silva, Janota
//! and Belov (2013).

use std::cmp::Reverse;

use meetjoin_families::cores::known::{KnownCores, smaller};
use meetjoin_lattice::{Stop, WorldSet};

use super::super::subgame::Whole;
use super::super::together::choices::ALL;
use super::super::together::{Answer, Layouts, Together};

/// A question is given up only when it has cost this much, and as much as all growth before it.
const LEAST_EFFORT: u64 = 1 << 14;

/// A set that grows.
pub(super) struct Growth {
    known: KnownCores,
    is_in: Vec<bool>,
    /// Layouts that may come in, the heaviest last.
    open: Layouts,
    /// How many are added next.
    step: usize,
    /// What it has cost.
    pub(super) spent: u64,
}

impl Growth {
    /// The empty set. Layouts of `won` are added first.
    pub(super) fn new<B: WorldSet>(whole: &Whole, won: Option<&B>) -> Self {
        let weights = whole.layouts.iter().map(|layout| layout.weight);
        let known = KnownCores::new(weights.collect());
        let mut is_won = vec![false; known.weights().len()];
        for (place, class) in &whole.places {
            is_won[*class] |= won.is_some_and(|won| won.contains(*place));
        }
        let mut open: Layouts = (0..is_won.len() as u32).rev().collect();
        open.sort_unstable_by_key(|layout| {
            let place = *layout as usize;
            (is_won[place], known.weights()[place], Reverse(*layout))
        });
        Self {
            is_in: vec![false; open.len()],
            known,
            open,
            step: 1,
            spent: 0,
        }
    }

    /// Whether there is nothing to add.
    pub(super) fn is_over(&self) -> bool {
        self.open.is_empty()
    }

    /// The set, in ascending order.
    pub(super) fn set(&self) -> Layouts {
        listed(&self.is_in)
    }

    /// Adds more layouts, or learns a core that keeps them out. Returns whether any were added.
    ///
    /// # Errors
    /// When a question is stopped. Nothing has come in then.
    pub(super) fn grow(&mut self, together: &mut Together<'_>) -> Result<bool, Stop> {
        let before = together.effort();
        let (mut with, mut count, mut place) = (self.is_in.clone(), 0, self.open.len());
        while count < self.step && place > 0 {
            place -= 1;
            let layout = self.open[place];
            if !self.known.fits(layout, &with) {
                continue;
            }
            if together.is_winnable(ALL, layout)? {
                with[layout as usize] = true;
                count += 1;
            } else {
                self.open.remove(place);
            }
        }
        let effort = self.spent.max(LEAST_EFFORT);
        let answer = together.core_within(ALL, &listed(&with), effort)?;
        let is_won = matches!(answer, Answer::Won);
        match answer {
            Answer::Won => {
                let Self { known, open, .. } = self;
                open.retain(|layout| !with[*layout as usize] && known.fits(*layout, &with));
                self.is_in = with;
            }
            Answer::Core(mut core) => {
                smaller(&mut core, |less| {
                    Ok(match together.core_within(ALL, less, effort)? {
                        Answer::Core(core) => Some(core),
                        Answer::Won | Answer::GivenUp => None,
                    })
                })?;
                self.known.add(core);
            }
            // One that is too hard to add stays out.
            Answer::GivenUp if self.step == 1 => self.open.retain(|one| !with[*one as usize]),
            Answer::GivenUp => {}
        }
        self.step = if is_won {
            self.step * 2
        } else {
            (self.step / 2).max(1)
        };
        self.spent += together.effort() - before;
        Ok(is_won)
    }
}

fn listed(is_in: &[bool]) -> Layouts {
    let all = 0..is_in.len() as u32;
    all.filter(|layout| is_in[*layout as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::game::{Ending, EndingGame};
    use super::super::super::values::AllSeen;
    use super::*;
    use crate::play::{Deal, Seat};
    use meetjoin_dag::AndOrDag;
    use meetjoin_lattice::{Budget, Words};

    #[test]
    fn what_grows_is_won_and_nothing_can_be_added() -> Result<(), Box<dyn std::error::Error>> {
        let deals = [
            "N:AJ2.A.. Q98.3.. KT3.2.. 765.4..",
            "N:KJ8.6.. AQ9.A.. T42.5.. 753.K..",
            "N:AQ.4.3. K7.6.9. 53.A.8. J9.K.T.",
        ];
        let budget = Budget::unlimited();
        let (mut cores, mut parts, mut others) = (0, 0, 0);
        let all_tricks = deals
            .iter()
            .flat_map(|deal| (1..=4).map(move |tricks| (deal, tricks)));
        for (deal, tricks) in all_tricks {
            let deal = Deal::of_pbn(&format!("[Deal \"{deal}\"]"))?;
            let ending = Ending::new(&deal, Seat::South, Seat::South, None, |_| 1)?;
            let game = EndingGame::new(&ending, tricks);
            let rules = AllSeen::new(&ending).rules;
            let whole = Whole::new(&game, &game.root(), &rules);
            let new = || {
                let layouts = whole.layouts.iter().map(|layout| layout.west);
                Together::new(whole.shape, layouts, AllSeen::new(&ending), &budget)
            };
            let (mut together, mut growth) = (new(), Growth::new(&whole, None::<&Words<2>>));
            let mut before = 0;
            while !growth.is_over() {
                let has_grown = growth.grow(&mut together)?;
                let set = growth.set();
                assert!(set.len() >= before && (has_grown || set.len() == before));
                before = set.len();
            }
            for core in growth.known.cores() {
                assert!(new().core(ALL, core)?.is_some(), "{deal:?} {core:?}");
                cores += 1;
            }
            // A search that knows nothing finds it won, and each other layout lost with it.
            let set = growth.set();
            let mut fresh = new();
            assert_eq!(fresh.core(ALL, &set)?, None, "{deal:?} {tricks}");
            for layout in 0..whole.layouts.len() as u32 {
                let with: Layouts = set.iter().copied().chain([layout]).collect();
                let is_lost = fresh.core(ALL, &with)?.is_some();
                assert_eq!(is_lost, !set.contains(&layout), "{deal:?} {tricks}");
            }
            parts += usize::from(set.len() * 2 > whole.layouts.len());
            // Another set to which nothing can be added: what begins with it ends with it.
            let mut other = Layouts::new();
            for layout in (0..whole.layouts.len() as u32).rev() {
                other.insert(0, layout);
                if fresh.core(ALL, &other)?.is_some() {
                    other.remove(0);
                }
            }
            let mut won = Words::<2>::empty(ending.layouts().len());
            for (place, class) in &whole.places {
                if other.contains(&(*class as u32)) {
                    won.insert(*place);
                }
            }
            others += usize::from(other != set);
            let mut growth = Growth::new(&whole, Some(&won));
            while growth.set().len() + growth.step <= other.len() {
                assert!(growth.grow(&mut together)?, "{deal:?} {tricks}");
            }
            while !growth.is_over() {
                growth.grow(&mut together)?;
            }
            assert_eq!(growth.set(), other, "{deal:?} {tricks}");
        }
        assert!(cores > 30 && parts > 3, "{cores} {parts}");
        assert!(others > 3, "{others}");
        Ok(())
    }

    #[test]
    fn what_costs_too_much_is_given_up() -> Result<(), Box<dyn std::error::Error>> {
        let deal = Deal::of_pbn("[Deal \"N:K96.AT.. Q85.KQ.. J43.64.. AT7.J2..\"]")?;
        let ending = Ending::new(&deal, Seat::South, Seat::South, None, |_| 1)?;
        let budget = Budget::unlimited();
        let mut given_up = 0;
        for tricks in 1..=5 {
            let game = EndingGame::new(&ending, tricks);
            let seen = AllSeen::new(&ending);
            let whole = Whole::new(&game, &game.root(), &seen.rules);
            let layouts = whole.layouts.iter().map(|layout| layout.west);
            let mut together = Together::new(whole.shape, layouts, seen, &budget);
            let mut all = Layouts::new();
            for layout in 0..whole.layouts.len() as u32 {
                if together.is_winnable(ALL, layout)? {
                    all.push(layout);
                }
            }
            let soon = together.core_within(ALL, &all, 0)?;
            given_up += usize::from(matches!(soon, Answer::GivenUp));
            let asked = together.core(ALL, &all)?;
            match together.core_within(ALL, &all, u64::MAX)? {
                Answer::Won => assert_eq!(asked, None),
                Answer::Core(core) => assert_eq!(asked, Some(core)),
                Answer::GivenUp => return Err("nothing limits it".into()),
            }
        }
        assert!(given_up > 0);
        Ok(())
    }
}
