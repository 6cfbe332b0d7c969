//! Single suits at bridge: the greatest chance of so many tricks, the greatest average, and the lines that reach them.
//!
//! 1. The chance of a goal is the weight of the heaviest set of layouts in which one strategy reaches it.
//! 2. The line is a strategy of the game in which every trick counts. Worlds are pairs of a layout and a number of tricks to be exceeded; those of the goal weigh so much more
//!    than the others that the heaviest sets have the greatest chance first, and of these the greatest average.
//! 3. Of sets as heavy as that, the greatest chance of one trick more decides, then the shortest line.

pub mod line;
mod answer;
mod words;

use meetjoin::dag::Valuation;
use meetjoin::games::bridge::{DoubleDummy, SeenCards, Suit, SuitFamilies, SuitGame, SuitWorld, SuitWorlds};
use meetjoin::lattice::{Budget, Lattice, Stop, Weights, Words, WorldSet};
use meetjoin::search::heaviest::{Wanted, heaviest_of};
use meetjoin::search::{Env, Tables};

pub use answer::{Chance, Line, SuitAnswer};
use line::Planner;

/// What is asked of a suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// At least so many tricks.
    Tricks(u8),
    /// As many as possible on average.
    Average,
}

/// The best of a game by some weights.
struct Found<B> {
    sets: Vec<(u64, B)>,
    bound: u64,
    stop: Option<Stop>,
}

/// Answers questions about one suit.
#[derive(Debug)]
pub struct Solver<'a> {
    suit: &'a Suit,
    budget: &'a Budget,
    table: DoubleDummy,
}

impl<'a> Solver<'a> {
    /// Nothing computed yet.
    pub fn new(suit: &'a Suit, budget: &'a Budget) -> Self {
        Self { suit, budget, table: DoubleDummy::new() }
    }

    /// The answer for one goal, with a line.
    pub fn one(&mut self, goal: Goal) -> SuitAnswer {
        let game = SuitGame::all_tricks(self.suit);
        let worlds = SuitWorlds::new(&game, &mut self.table);
        match worlds.worlds().len() {
            0..=256 => self.one_in::<Words<4>>(&game, &worlds, goal),
            _ => self.one_in::<Words<16>>(&game, &worlds, goal),
        }
    }

    fn weights(&self, worlds: &[SuitWorld], of: impl Fn(u8, u64) -> u64) -> Weights {
        let layouts = self.suit.layouts();
        let weights = worlds.iter().map(|world| of(world.more_than, layouts[world.layout].weight));
        // They are at most 2^24 of one deal, times 13 tricks, times the same.
        Weights::new(weights).unwrap_or_else(|_| Weights::equal(worlds.len()))
    }

    /// The heaviest sets of a game.
    fn heaviest<B: WorldSet>(&mut self, values: &SuitFamilies<'_, B>, weights: &Weights, wanted: Wanted) -> Found<B> {
        let known = SeenCards::new(values, &mut self.table);
        let env = Env::new(self.budget).with_store(Tables).with_heuristic(known);
        let found = heaviest_of(values.game(), values, weights, wanted, env);
        Found { sets: found.sets, bound: found.bound, stop: found.stop }
    }

    /// The greatest chance of a goal.
    fn chance<B: WorldSet>(&mut self, goal: u8) -> Chance {
        let game = SuitGame::goal(self.suit, goal);
        let worlds = SuitWorlds::new(&game, &mut self.table);
        let weights = self.weights(worlds.worlds(), |_, weight| weight);
        let Ok(values) = SuitFamilies::<B>::new(&game, &worlds) else {
            unreachable!("a game for one goal has fewer worlds");
        };
        let found = self.heaviest(&values, &weights, Wanted::most(1));
        Chance {
            goal: Goal::Tricks(goal),
            weight: found.sets.first().map_or(0, |(weight, _)| *weight),
            bound: found.bound,
            total: self.suit.total_weight(),
            stop: found.stop,
        }
    }

    fn one_in<B: WorldSet>(&mut self, game: &SuitGame<'_>, worlds: &SuitWorlds, goal: Goal) -> SuitAnswer {
        let Ok(values) = SuitFamilies::<B>::new(game, worlds) else {
            unreachable!("the size was chosen to fit");
        };
        let (chance, line) = self.best(&values, goal);
        SuitAnswer { suit: self.suit.clone(), chance, line }
    }

    /// The best of a goal, and a line.
    fn best<B: WorldSet>(&mut self, values: &SuitFamilies<'_, B>, goal: Goal) -> (Chance, Option<Line>) {
        let every: u64 = values.worlds().iter().map(|world| self.suit.layouts()[world.layout].weight).sum();
        let mut known = None;
        let (weights, at_most) = match goal {
            Goal::Tricks(tricks) => {
                let chance = self.chance::<B>(tricks);
                if chance.stop.is_some() {
                    return (chance, None);
                }
                let scale = every + 1;
                let at_most = chance.weight * scale + every;
                known = Some(chance);
                let weights = self.weights(values.worlds(), |more_than, weight| {
                    weight * if more_than + 1 == tricks { scale + 1 } else { 1 }
                });
                (weights, Some(at_most))
            }
            Goal::Average => (self.weights(values.worlds(), |_, weight| weight), None),
        };
        let found = self.heaviest(values, &weights, Wanted { most: 1, ties: true, at_most });
        let chance = known.unwrap_or_else(|| Chance {
            goal,
            weight: found.sets.first().map_or(0, |(weight, _)| *weight),
            bound: found.bound,
            total: self.suit.total_weight(),
            stop: found.stop,
        });
        if found.stop.is_some() {
            return (chance, None);
        }
        let line = self.shortest(values, goal, &found.sets);
        (chance, line)
    }

    /// Of sets of the same weight those with the greatest chance of one trick more, and of these the shortest line.
    fn shortest<B: WorldSet>(&mut self, values: &SuitFamilies<'_, B>, goal: Goal, sets: &[(u64, B)]) -> Option<Line> {
        let layouts = self.suit.layouts();
        let more = |set: &B| -> u64 {
            let Goal::Tricks(tricks) = goal else {
                return 0;
            };
            let worlds = set.ones().map(|place| values.worlds()[place]);
            worlds.filter(|world| world.more_than == tricks).map(|world| layouts[world.layout].weight).sum()
        };
        let most = sets.iter().map(|(_, set)| more(set)).max();
        let mut best: Option<(u32, Line)> = None;
        for (_, set) in sets.iter().filter(|(_, set)| Some(more(set)) == most) {
            if let Ok((length, line)) = self.line(values, set)
                && best.as_ref().is_none_or(|(shortest, _)| length < *shortest)
            {
                best = Some((length, line));
            }
        }
        best.map(|(_, line)| line)
    }

    /// A line that wins a set of worlds.
    fn line<B: WorldSet>(&mut self, values: &SuitFamilies<'_, B>, set: &B) -> Result<(u32, Line), Stop> {
        let known = SeenCards::new(values, &mut self.table);
        let mut planner = Planner::new(values, set.clone(), known, self.budget);
        let plan = planner.plan()?;
        let mut guarantees = vec![0; self.suit.layouts().len()];
        for place in set.ones() {
            guarantees[values.worlds()[place].layout] += 1;
        }
        let all = values.lattice().base().top();
        debug_assert!(set.is_subset(&all), "a set of worlds of the game");
        Ok((planner.length(plan), Line::new(self.suit, &planner, plan, guarantees)))
    }
}
