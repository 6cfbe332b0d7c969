//! Single suits at bridge: the greatest chance of so many tricks, the greatest average, and the lines that reach them.
//!
//! 1. The chance of a goal is the weight of the heaviest set of layouts in which one strategy reaches it.
//! 2. The line is a strategy of the game in which every trick counts. Worlds are pairs of a layout and a number of tricks to be exceeded; those of the goal weigh so much more
//!    than the others that the heaviest sets keep the greatest chance, and have the greatest average with it.
//! 3. Of sets as heavy as that, the greatest chance of one trick more decides, then the shortest line.

mod answer;
pub mod book;
pub mod compare;
pub mod contract;
mod goal;
pub mod line;
pub mod page;
mod words;

use std::cmp::Reverse;

use meetjoin::dag::AndOrDag;
use meetjoin::games::bridge::{
    DoubleDummy, Knowledge, Move, SeenCards, Suit, SuitFamilies, SuitGame, SuitWorld, SuitWorlds,
};
use meetjoin::lattice::{Budget, Limits, Stop, Weights, Words, WorldSet};
use meetjoin::search::heaviest::{Wanted, heaviest_of};
use meetjoin::search::{Env, Tables};

pub use answer::{Chance, FirstLead, Line, Range, SuitAnswer, SuitTable, Sure, Top};
pub use goal::Goal;
use line::Planner;

/// The heaviest sets of a game, those of the same weight with the first.
struct Found<B> {
    weight: u64,
    sets: Vec<B>,
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
        Self {
            suit,
            budget,
            table: DoubleDummy::new(),
        }
    }

    /// The answer for one goal, with a line.
    pub fn one(&mut self, goal: Goal) -> SuitAnswer {
        let game = SuitGame::all_tricks(self.suit);
        let worlds = SuitWorlds::new(&game, &mut self.table);
        // Two kinds of sets: most suits fit the small ones.
        let (chance, line) = match worlds.worlds().len() {
            0..=256 => self.best::<Words<4>>(&game, &worlds, goal),
            _ => self.best::<Words<16>>(&game, &worlds, goal),
        };
        SuitAnswer {
            suit: self.suit.clone(),
            chance,
            line,
            leads: None,
            sure: None,
            top: None,
            table: false,
        }
    }

    /// The answers for all goals, with lines that differ.
    pub fn all(&mut self) -> SuitTable {
        let SuitAnswer {
            chance: average,
            line,
            ..
        } = self.one(Goal::Average);
        let mut lines: Vec<Line> = line.into_iter().collect();
        let mut goals = Vec::new();
        for tricks in (1..=self.suit.tricks()).rev() {
            let goal = Goal::Tricks(tricks);
            let chance = self.greatest(goal);
            // No line has a greater average than the first.
            let first = lines
                .first()
                .filter(|line| line.weight(self.suit, goal) == chance.weight);
            if first.is_some() || chance.weight == 0 {
                let place = first.map(|_| 0);
                goals.push((chance, place));
                continue;
            }
            let SuitAnswer { line, .. } = self.one(goal);
            let place = line.map(|line| {
                let known = lines
                    .iter()
                    .position(|other| other.guarantees == line.guarantees);
                known.unwrap_or_else(|| {
                    lines.push(line);
                    lines.len() - 1
                })
            });
            goals.push((chance, place));
        }
        let place = (!lines.is_empty()).then_some(0);
        goals.push((average, place));
        SuitTable {
            suit: self.suit.clone(),
            goals,
            lines,
            leads: None,
            table: false,
        }
    }

    /// The greatest chance or average alone.
    pub fn greatest(&mut self, goal: Goal) -> Chance {
        let game = match goal {
            Goal::Tricks(tricks) => SuitGame::goal(self.suit, tricks),
            Goal::Average => SuitGame::all_tricks(self.suit),
        };
        let worlds = SuitWorlds::new(&game, &mut self.table);
        match worlds.worlds().len() {
            0..=256 => self.greatest_in::<Words<4>>(&game, &worlds, goal),
            _ => self.greatest_in::<Words<16>>(&game, &worlds, goal),
        }
    }

    fn greatest_in<B: WorldSet>(
        &mut self,
        game: &SuitGame<'_>,
        worlds: &SuitWorlds,
        goal: Goal,
    ) -> Chance {
        let values = Self::families::<B>(game, worlds);
        let found = self.heaviest(&values, |_, weight| weight, 1);
        self.chance(goal, &found)
    }

    /// The lines of the heaviest sets for a goal, the heaviest first: so many, and those that weigh as much as the last.
    pub fn top(&mut self, goal: Goal, most: usize) -> Vec<Top> {
        let game = SuitGame::all_tricks(self.suit);
        let worlds = SuitWorlds::new(&game, &mut self.table);
        match worlds.worlds().len() {
            0..=256 => self.top_in::<Words<4>>(&game, &worlds, goal, most),
            _ => self.top_in::<Words<16>>(&game, &worlds, goal, most),
        }
    }

    fn top_in<B: WorldSet>(
        &mut self,
        game: &SuitGame<'_>,
        worlds: &SuitWorlds,
        goal: Goal,
        most: usize,
    ) -> Vec<Top> {
        let tricks = match goal {
            Goal::Average => {
                let values = Self::families::<B>(game, worlds);
                let found = self.heaviest(&values, |_, weight| weight, most);
                let sets = found.sets.iter();
                let lines = sets.filter_map(|set| {
                    let (_, line) =
                        self.shortest(&values, std::slice::from_ref(set), found.stop)?;
                    Some((line, found.stop))
                });
                return lines.map(|(line, stop)| Top { line, stop }).collect();
            }
            Goal::Tricks(tricks) => tricks,
        };
        let one_goal = SuitGame::goal(self.suit, tricks);
        let of_goal = SuitWorlds::new(&one_goal, &mut self.table);
        let values = Self::families::<B>(&one_goal, &of_goal);
        let found = self.heaviest(&values, |_, weight| weight, most);
        let mut top = Vec::new();
        for set in found.sets {
            let line = self.line_for(game, worlds, &of_goal, &[set], tricks);
            top.extend(line.map(|line| Top {
                line,
                stop: found.stop,
            }));
        }
        top
    }

    /// The first leads that differ, with the best of each, the best first.
    pub fn leads(&self, goal: Goal) -> Vec<FirstLead> {
        let game = SuitGame::all_tricks(self.suit);
        let root = game.root();
        let mut leads = Vec::new();
        for (made, _) in game.moves(&root) {
            let Move::Play(hand, place) = made else {
                continue;
            };
            let equal = game.equals(&root, self.suit.hand(hand), hand, place);
            let card = if game.is_small(&root, place) {
                equal.ascending().next()
            } else {
                equal.descending().next()
            };
            let Some(card) = card else {
                continue;
            };
            let knowledge = Knowledge {
                lead: Some((hand, card)),
                ..self.suit.knowledge().clone()
            };
            // It is a lead of this suit, so there is such a suit.
            if let Ok(suit) = self.suit.with(knowledge) {
                let chance = Solver::new(&suit, self.budget).greatest(goal);
                leads.push(FirstLead { hand, card, chance });
            }
        }
        leads.sort_by_key(|lead| (Reverse(lead.chance.weight), lead.hand, Reverse(lead.card)));
        leads
    }

    /// How far the vacant places of a defender can change until a line for so many tricks is no longer the best, and the second-best first lead.
    pub fn sure(&self, line: &Line, tricks: u8) -> Sure {
        let visits = self.budget.visits_made();
        let looked = |west: bool| {
            let (a, b) = self.suit.knowledge().places;
            let places = |here: u8| if west { (here, b) } else { (a, here) };
            let own = if west { a } else { b };
            let mut range = Range {
                from: own,
                to: own,
                is_known: true,
            };
            for down in [true, false] {
                let mut here = own;
                loop {
                    let next = if down {
                        here.checked_sub(1)
                    } else {
                        Some(here + 1).filter(|here| *here <= 13)
                    };
                    let Some(next) = next else {
                        break;
                    };
                    if self.budget.visits_made() - visits > MOST_VISITS_TO_BE_SURE {
                        range.is_known = false;
                        break;
                    }
                    match self.is_best_with(line, tricks, places(next)) {
                        Some(true) => {}
                        Some(false) => break,
                        None => {
                            range.is_known = false;
                            break;
                        }
                    }
                    here = next;
                }
                if down {
                    range.from = here;
                } else {
                    range.to = here;
                }
            }
            range
        };
        let (west, east) = (looked(true), looked(false));
        let mut leads = self.leads(Goal::Tricks(tricks)).into_iter();
        let second = leads.find(|lead| !line.tree.begins_with(lead.hand, lead.card));
        Sure { west, east, second }
    }

    /// Whether a line has the greatest chance with other vacant places too; `None` if the search was stopped.
    fn is_best_with(&self, line: &Line, tricks: u8, places: (u8, u8)) -> Option<bool> {
        let knowledge = Knowledge {
            places,
            ..self.suit.knowledge().clone()
        };
        let Ok(suit) = self.suit.with(knowledge) else {
            return Some(false);
        };
        let known = self.suit.layouts();
        let mut reached = 0;
        for layout in suit.layouts() {
            let place = known.iter().position(|other| other.west == layout.west);
            // What the line does in a layout that was impossible is not known.
            let Some(place) = place else {
                return Some(false);
            };
            if line.guarantees[place] >= tricks {
                reached += layout.weight;
            }
        }
        let best = Solver::new(&suit, self.budget).greatest(Goal::Tricks(tricks));
        best.stop.is_none().then_some(best.weight == reached)
    }

    fn weight(&self, world: SuitWorld) -> u64 {
        self.suit.layouts()[world.layout].weight
    }

    /// So many of the heaviest sets of a game, and those that weigh as much as the last of them.
    fn heaviest<B: WorldSet>(
        &mut self,
        values: &SuitFamilies<'_, B>,
        of: impl Fn(SuitWorld, u64) -> u64,
        most: usize,
    ) -> Found<B> {
        let weights = values
            .worlds()
            .iter()
            .map(|world| of(*world, self.weight(*world)));
        // Layouts weigh 2^24 at most, worlds 13 times as much, and that times 2^24 at most.
        let weights =
            Weights::new(weights).unwrap_or_else(|_| Weights::equal(values.worlds().len()));
        let known = SeenCards::new(values, &mut self.table);
        let env = Env::new(self.budget)
            .with_store(Tables)
            .with_heuristic(known);
        let wanted = Wanted {
            most,
            ties: true,
            at_most: None,
        };
        let found = heaviest_of(values.game(), values, &weights, wanted, env);
        Found {
            weight: found.sets.first().map_or(0, |(weight, _)| *weight),
            sets: found.sets.into_iter().map(|(_, set)| set).collect(),
            bound: found.bound,
            stop: found.stop,
        }
    }

    fn families<'v, B: WorldSet>(
        game: &'v SuitGame<'v>,
        worlds: &'v SuitWorlds,
    ) -> SuitFamilies<'v, B> {
        match SuitFamilies::new(game, worlds) {
            Ok(families) => families,
            Err(error) => unreachable!("the size of the sets was chosen to fit: {error}"),
        }
    }

    /// The best of a goal, and a line.
    fn best<B: WorldSet>(
        &mut self,
        game: &SuitGame<'_>,
        worlds: &SuitWorlds,
        goal: Goal,
    ) -> (Chance, Option<Line>) {
        match goal {
            Goal::Average => {
                let values = Self::families::<B>(game, worlds);
                let found = self.heaviest(&values, |_, weight| weight, 1);
                let line = self.shortest(&values, &found.sets, found.stop);
                (self.chance(goal, &found), line.map(|(_, line)| line))
            }
            Goal::Tricks(tricks) => self.best_for::<B>(game, worlds, tricks),
        }
    }

    fn chance<B>(&self, goal: Goal, found: &Found<B>) -> Chance {
        Chance {
            goal,
            weight: found.weight,
            bound: found.bound,
            total: self.suit.total_weight(),
            stop: found.stop,
        }
    }

    /// The best for a number of tricks. Each set of layouts with the greatest chance is looked at by itself: a strategy that reaches the goal in all of it does so in no
    /// other layout, which leaves out many worlds of the game in which all tricks count.
    fn best_for<B: WorldSet>(
        &mut self,
        game: &SuitGame<'_>,
        worlds: &SuitWorlds,
        tricks: u8,
    ) -> (Chance, Option<Line>) {
        let one_goal = SuitGame::goal(self.suit, tricks);
        let of_goal = SuitWorlds::new(&one_goal, &mut self.table);
        let values = Self::families::<B>(&one_goal, &of_goal);
        let found = self.heaviest(&values, |_, weight| weight, 1);
        let chance = self.chance(Goal::Tricks(tricks), &found);
        if found.stop.is_some() {
            let line = self.shortest(&values, &found.sets, found.stop);
            return (chance, line.map(|(_, line)| line));
        }
        let sets = if found.sets.is_empty() {
            vec![B::empty(0)]
        } else {
            found.sets
        };
        let line = self.line_for(game, worlds, &of_goal, &sets, tricks);
        (chance, line)
    }

    /// The best line that reaches a goal in all layouts of one of several sets.
    fn line_for<B: WorldSet>(
        &mut self,
        game: &SuitGame<'_>,
        worlds: &SuitWorlds,
        of_goal: &SuitWorlds,
        sets: &[B],
        tricks: u8,
    ) -> Option<Line> {
        let mut best: Option<(u64, u64, Reverse<u32>, Line)> = None;
        for set in sets {
            let mut reached = vec![false; self.suit.layouts().len()];
            for place in set.ones() {
                reached[of_goal.worlds()[place].layout] = true;
            }
            let open = worlds
                .clone()
                .only(|world| reached[world.layout] || world.more_than + 1 < tricks);
            let values = Self::families::<B>(game, &open);
            let every: u64 = open.worlds().iter().map(|world| self.weight(*world)).sum();
            let is_goal = |world: SuitWorld| world.more_than + 1 == tricks;
            let weigh = |world: SuitWorld, weight: u64| {
                if is_goal(world) {
                    weight * (every + 1)
                } else {
                    weight
                }
            };
            let best_of = self.heaviest(&values, weigh, 1);
            let more = |set: &B| -> u64 {
                let worlds = set.ones().map(|place| open.worlds()[place]);
                worlds
                    .filter(|world| world.more_than == tricks)
                    .map(|world| self.weight(world))
                    .sum()
            };
            let most = best_of.sets.iter().map(more).max().unwrap_or(0);
            let sets: Vec<B> = best_of
                .sets
                .iter()
                .filter(|set| more(set) == most)
                .cloned()
                .collect();
            let Some((length, line)) = self.shortest(&values, &sets, best_of.stop) else {
                continue;
            };
            let candidate = (best_of.weight, most, Reverse(length));
            if best
                .as_ref()
                .is_none_or(|(weight, more, length, _)| (*weight, *more, *length) < candidate)
            {
                best = Some((candidate.0, candidate.1, candidate.2, line));
            }
        }
        best.map(|(.., line)| line)
    }

    /// The set with the shortest line.
    fn shortest<B: WorldSet>(
        &mut self,
        values: &SuitFamilies<'_, B>,
        sets: &[B],
        stop: Option<Stop>,
    ) -> Option<(u32, Line)> {
        // After a stop the line of what was found is still made, which takes little.
        let grace = Budget::new(Limits {
            steps: Some(GRACE),
            ..Limits::default()
        });
        let budget = if stop.is_some() { &grace } else { self.budget };
        let mut best: Option<(u32, Line)> = None;
        for set in sets {
            if let Ok((length, line)) = self.line(values, set, budget)
                && best.as_ref().is_none_or(|(shortest, _)| length < *shortest)
            {
                best = Some((length, line));
            }
        }
        best
    }

    /// The tricks in each layout that winning a set of worlds guarantees.
    fn guarantees<B: WorldSet>(&self, values: &SuitFamilies<'_, B>, set: &B) -> Vec<u8> {
        let mut guarantees = vec![0; self.suit.layouts().len()];
        for place in set.ones() {
            let world = values.worlds()[place];
            guarantees[world.layout] = guarantees[world.layout].max(world.more_than + 1);
        }
        guarantees
    }

    /// A line that wins a set of worlds.
    fn line<B: WorldSet>(
        &mut self,
        values: &SuitFamilies<'_, B>,
        set: &B,
        budget: &Budget,
    ) -> Result<(u32, Line), Stop> {
        let guarantees = self.guarantees(values, set);
        let known = SeenCards::new(values, &mut self.table);
        let mut planner = Planner::new(values, set.clone(), known, budget);
        let plan = planner.plan()?;
        let length = planner.length(plan);
        Ok((length, Line::new(self.suit, &mut planner, plan, guarantees)))
    }
}

/// After so many visits the range of vacant places is looked for no further: the answer says so.
const MOST_VISITS_TO_BE_SURE: u64 = 50_000;

/// Steps for the line of a search that was stopped: some tenths of a second.
const GRACE: u64 = 1 << 22;
