//! Single suits at bridge: the greatest chance of each number of tricks, the greatest average, and
//! the lines that reach them.
//!
//! 1. The chance of a goal is the weight of the heaviest set of layouts in which one strategy
//!    reaches it.
//! 2. The line is a strategy of the game in which every trick counts. Stakes are pairs of a layout
//!    and a number of tricks to be exceeded; those of the goal weigh so much more than the others
//!    that the heaviest sets keep the greatest chance, and have the greatest average with it.
//! 3. Of sets as heavy as that, the greatest chance of one trick more decides, then the shortest
//!    line.
//!
//! Where families of sets grow too large, as for K opposite J9753, the heaviest set is found by
//! [cores](meetjoin_families::cores), and the third rule is left out: of sets as heavy, the one
//! stands that is found first.

/// An expression with sets that hold as many stakes as there are: nearly all goals fit one word.
macro_rules! with_sets_for {
    ($stakes:expr, $set:ident => $call:expr) => {
        match $stakes.len() {
            0..=64 => {
                type $set = Words<1>;
                $call
            }
            65..=256 => {
                type $set = Words<4>;
                $call
            }
            _ => {
                type $set = Words<16>;
                $call
            }
        }
    };
}

mod answer;
pub mod book;
pub mod compare;
pub mod contract;
mod goal;
pub mod line;
mod page;
mod picture;
pub mod request;
mod sensitivity;
pub mod sentence;
mod words;

use std::cmp::Reverse;

use crate::play::bounds::SeenSuit;
use crate::play::{
    Card, DoubleDummy, Hand, Knowledge, Move, SeenCards, Suit, SuitFamilies, SuitGame,
};
use meetjoin_dag::{AndOrDag, Stake, Stakes};
use meetjoin_families::cores::heaviest_by_cores;
use meetjoin_families::heaviest::{Wanted, heaviest_of};
use meetjoin_lattice::{Budget, Limits, Stop, Weights, Words, WorldSet};
use meetjoin_search::{Env, Tables};

pub use answer::{Chance, FirstLead, Line, Range, SuitAnswer, SuitTable, Sure, Top};
pub use goal::Goal;
use line::Planner;

/// The heaviest sets of a game, those of the same weight with the first.
struct Found<B> {
    weight: u64,
    sets: Vec<B>,
    bound: u64,
    /// Others that weigh as much were not looked for.
    is_one_of_many: bool,
    stop: Option<Stop>,
}

/// A line, and what it is worth: the goal and then the average, one trick more, and how short it
/// is.
struct Candidate {
    worth: (u64, u64, Reverse<u32>),
    line: Line,
}

/// The answer for one goal: its chance, a line that has it, and what stopped the search for the
/// best of the lines that do.
type Answered = (Chance, Option<Line>, Option<Stop>);

/// Answers questions about one suit.
#[derive(Debug)]
pub struct Solver<'a> {
    suit: &'a Suit,
    budget: &'a Budget,
    table: DoubleDummy,
    /// Limits of visits and steps of a search by families, before cores take over.
    in_families: (u64, u64),
}

impl<'a> Solver<'a> {
    /// Nothing computed yet.
    pub fn new(suit: &'a Suit, budget: &'a Budget) -> Self {
        Self {
            suit,
            budget,
            table: DoubleDummy::new(),
            in_families: (VISITS_IN_FAMILIES, STEPS_IN_FAMILIES),
        }
    }

    /// Limits a search by families of sets, by default to 2^20 visits and 2^25 steps; one that
    /// takes more is done again by cores.
    #[must_use]
    pub fn families_for(mut self, visits: u64, steps: u64) -> Self {
        self.in_families = (visits, steps);
        self
    }

    /// Asks about the same cards with other layouts. What is known double dummy serves these too.
    fn elsewhere<T>(&mut self, suit: &Suit, ask: impl FnOnce(&mut Solver<'_>) -> T) -> T {
        let mut other = Solver {
            suit,
            budget: self.budget,
            table: std::mem::take(&mut self.table),
            in_families: self.in_families,
        };
        let answer = ask(&mut other);
        self.table = other.table;
        answer
    }

    /// The answer for one goal, with a line.
    pub fn one(&mut self, goal: Goal) -> SuitAnswer {
        let (chance, line, line_stop) = match goal {
            Goal::Average => {
                let game = SuitGame::all_tricks(self.suit);
                let stakes = self.table.stakes(&game);
                with_sets_for!(stakes, B => self.best_average::<B>(&game, &stakes))
            }
            Goal::Tricks(tricks) => self.best_for(tricks),
        };
        SuitAnswer {
            suit: self.suit.clone(),
            chance,
            line,
            line_stop,
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
            mut line_stop,
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
            let SuitAnswer {
                line,
                line_stop: stop,
                ..
            } = self.one(goal);
            line_stop = line_stop.or(stop);
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
            line_stop,
            leads: None,
            table: false,
        }
    }

    /// The greatest chance or average alone.
    pub fn greatest(&mut self, goal: Goal) -> Chance {
        self.greatest_of(goal, Wanted::most(1))
    }

    fn game(suit: &Suit, goal: Goal) -> SuitGame<'_> {
        match goal {
            Goal::Tricks(tricks) => SuitGame::goal(suit, tricks),
            Goal::Average => SuitGame::all_tricks(suit),
        }
    }

    fn greatest_of(&mut self, goal: Goal, wanted: Wanted) -> Chance {
        let game = Self::game(self.suit, goal);
        let stakes = self.table.stakes(&game);
        with_sets_for!(stakes, B => self.greatest_in::<B>(&game, &stakes, goal, wanted))
    }

    fn greatest_in<B: WorldSet>(
        &mut self,
        game: &SuitGame<'_>,
        stakes: &Stakes,
        goal: Goal,
        wanted: Wanted,
    ) -> Chance {
        let values = Self::families::<B>(game, stakes);
        let found = self.heaviest_wanted(&values, |_, weight| weight, wanted);
        self.chance(goal, &found)
    }

    /// The lines of the `most` heaviest sets for a goal, the heaviest first, and of those that
    /// weigh as much as the last.
    pub fn top(&mut self, goal: Goal, most: usize) -> Vec<Top> {
        match goal {
            Goal::Average => {
                let game = SuitGame::all_tricks(self.suit);
                let stakes = self.table.stakes(&game);
                with_sets_for!(stakes, B => self.top_averages::<B>(&game, &stakes, most))
            }
            Goal::Tricks(tricks) => {
                let reached = self.reached(tricks, most);
                let sets = reached.sets.iter();
                let top = sets.filter_map(|set| {
                    let (best, stop) = self.line_for(std::slice::from_ref(set), tricks);
                    let stop = reached.stop.or(stop);
                    best.map(|Candidate { mut line, .. }| {
                        line.at_least |= reached.stop.is_some();
                        Top { line, stop }
                    })
                });
                top.collect()
            }
        }
    }

    fn top_averages<B: WorldSet>(
        &mut self,
        game: &SuitGame<'_>,
        stakes: &Stakes,
        most: usize,
    ) -> Vec<Top> {
        let values = Self::families::<B>(game, stakes);
        let found = self.heaviest(&values, |_, weight| weight, most);
        let stop = found.stop;
        let sets = found.sets.iter();
        let lines = sets
            .filter_map(|set| self.shortest(&values, std::slice::from_ref(set), stop.is_some()));
        lines.map(|(_, line)| Top { line, stop }).collect()
    }

    /// The first leads that differ, with the best of each, the best first.
    pub fn leads(&mut self, goal: Goal) -> Vec<FirstLead> {
        let leads = self.first_leads().into_iter();
        let mut leads: Vec<FirstLead> = leads
            .map(|(hand, card, suit)| {
                let chance = self.elsewhere(&suit, |solver| solver.greatest(goal));
                FirstLead { hand, card, chance }
            })
            .collect();
        leads.sort_unstable_by_key(|lead| {
            (Reverse(lead.chance.weight), lead.hand, Reverse(lead.card))
        });
        leads
    }

    /// The weight of the layouts in which `tricks` tricks are taken double dummy after a first
    /// lead.
    pub fn seen_after(&mut self, (hand, card): (Hand, Card), tricks: u8) -> u64 {
        let game = SuitGame::all_tricks(self.suit);
        let lead = (hand, game.first_place(hand, card));
        let layouts = self.suit.layouts().iter();
        let won =
            layouts.filter(|layout| self.table.tricks_after(&game, lead, layout.west) >= tricks);
        won.map(|layout| layout.weight).sum()
    }

    /// The first leads that differ, each with the suit in which declarer has to begin with it.
    pub fn first_leads(&self) -> Vec<(Hand, Card, Suit)> {
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
            leads.extend(self.suit.with(knowledge).map(|suit| (hand, card, suit)));
        }
        leads
    }

    fn weight(&self, stake: Stake) -> u64 {
        self.suit.layouts()[stake.world].weight
    }

    /// The `most` heaviest sets of a game, and those that weigh as much as the last of them.
    fn heaviest<B: WorldSet>(
        &mut self,
        values: &SuitFamilies<'_, B>,
        of: impl Fn(Stake, u64) -> u64,
        most: usize,
    ) -> Found<B> {
        let wanted = Wanted {
            ties: true,
            ..Wanted::most(most)
        };
        self.heaviest_wanted(values, of, wanted)
    }

    fn heaviest_wanted<B: WorldSet>(
        &mut self,
        values: &SuitFamilies<'_, B>,
        of: impl Fn(Stake, u64) -> u64,
        wanted: Wanted,
    ) -> Found<B> {
        let stakes = values.as_sets().stakes();
        let weights = stakes.iter().map(|stake| of(stake, self.weight(stake)));
        // Layouts weigh 2^24 at most, stakes 13 times as much, and that times 2^24 at most.
        let weights = Weights::new(weights).unwrap_or_else(|_| Weights::equal(stakes.len()));
        if wanted.most > 1 {
            return self.by_families(values, &weights, wanted, self.budget);
        }
        let (visits, steps) = self.in_families;
        let part = self.budget.part(visits, steps);
        let found = self.by_families(values, &weights, wanted, &part);
        if self.budget.spend(&part).is_err() || found.stop.is_none() {
            return found;
        }
        let more = self.by_cores(values, &weights, wanted, found.bound);
        if more.stop.is_none() || more.weight >= found.weight {
            return more;
        }
        // Both were stopped, and nothing that is known is lost.
        Found {
            bound: more.bound,
            stop: more.stop,
            ..found
        }
    }

    /// By families of sets, which is fastest for nearly all suits.
    fn by_families<B: WorldSet>(
        &mut self,
        values: &SuitFamilies<'_, B>,
        weights: &Weights,
        wanted: Wanted,
        budget: &Budget,
    ) -> Found<B> {
        let known = SeenCards::new((values, &mut self.table));
        let env = Env::new(budget).with_store(Tables).with_heuristic(known);
        let game = values.as_sets().game();
        let found = heaviest_of(game, values, weights, wanted, env);
        Found {
            weight: found.sets.first().map_or(0, |(weight, _)| *weight),
            sets: found.sets.into_iter().map(|(_, set)| set).collect(),
            bound: found.bound,
            is_one_of_many: false,
            stop: found.stop,
        }
    }

    /// By cores, where families grow too large. No set weighs more than `bound`.
    fn by_cores<B: WorldSet>(
        &mut self,
        values: &SuitFamilies<'_, B>,
        weights: &Weights,
        wanted: Wanted,
        bound: u64,
    ) -> Found<B> {
        let known = SeenSuit::from((values, &mut self.table));
        let more_than = wanted.more_than;
        let sets = values.as_sets();
        let found = heaviest_by_cores(sets, weights, more_than, known, self.budget);
        Found {
            weight: found.set.as_ref().map_or(0, |(weight, _)| *weight),
            sets: found.set.into_iter().map(|(_, set)| set).collect(),
            bound: found.bound.min(bound),
            is_one_of_many: true,
            stop: found.stop,
        }
    }

    fn families<'v, B: WorldSet>(
        game: &'v SuitGame<'v>,
        stakes: &'v Stakes,
    ) -> SuitFamilies<'v, B> {
        match SuitFamilies::new(game, stakes) {
            Ok(families) => families,
            Err(error) => unreachable!("the size of the sets was chosen to fit: {error}"),
        }
    }

    /// The greatest average, and a line.
    fn best_average<B: WorldSet>(&mut self, game: &SuitGame<'_>, stakes: &Stakes) -> Answered {
        let values = Self::families::<B>(game, stakes);
        let found = self.heaviest(&values, |_, weight| weight, 1);
        let line = self.shortest(&values, &found.sets, found.stop.is_some());
        let line_stop = self.without(line.as_ref());
        (
            self.chance(Goal::Average, &found),
            line.map(|(_, line)| line),
            line_stop,
        )
    }

    /// Why there is no line.
    fn without<T>(&self, line: Option<&T>) -> Option<Stop> {
        line.map_or_else(|| self.budget.fired(), |_| None)
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

    /// The best for a number of tricks. Each set of layouts with the greatest chance is looked at
    /// by itself: a strategy that reaches the goal in all of it does so in no other layout, which
    /// leaves out many stakes of the game in which all tricks count.
    fn best_for(&mut self, tricks: u8) -> Answered {
        let mut reached = self.reached(tricks, 1);
        let chance = self.chance(Goal::Tricks(tricks), &reached);
        if reached.stop.is_some() {
            let line = self.line_of_goal(&reached.sets, tricks);
            return (chance, line, None);
        }
        if reached.sets.is_empty() {
            reached.sets.push(vec![false; self.suit.layouts().len()]);
        }
        let (line, line_stop) = if reached.is_one_of_many {
            // All sets at once: the greatest chance is that of the greatest average with it.
            let game = SuitGame::all_tricks(self.suit);
            let stakes = self.table.stakes(&game);
            with_sets_for!(stakes, B => self.candidate::<B>(&game, &stakes, tricks))
        } else {
            self.line_for(&reached.sets, tricks)
        };
        // A search for the best of the lines that was stopped may have one with less.
        let goal = Goal::Tricks(tricks);
        let line = line.map(|candidate| candidate.line);
        let line = line.filter(|line| line.weight(self.suit, goal) >= chance.weight);
        let line = line.or_else(|| self.line_of_goal(&reached.sets, tricks));
        (chance, line, line_stop)
    }

    /// After a stop: a line that reaches a goal in one of these sets, whatever its average.
    fn line_of_goal(&mut self, reached: &[Vec<bool>], tricks: u8) -> Option<Line> {
        let game = SuitGame::goal(self.suit, tricks);
        let stakes = self.table.stakes(&game);
        with_sets_for!(stakes, B => {
            let values = Self::families::<B>(&game, &stakes);
            let of_layouts = |layouts: &Vec<bool>| {
                let mut set = B::empty(stakes.len());
                let won = stakes.iter().enumerate();
                won.filter(|(_, stake)| layouts[stake.world])
                    .for_each(|(place, _)| set.insert(place));
                set
            };
            let sets: Vec<B> = reached.iter().map(of_layouts).collect();
            let (_, line) = self.shortest(&values, &sets, true)?;
            Some(line)
        })
    }

    /// The heaviest sets of layouts in which `tricks` tricks are reached.
    fn reached(&mut self, tricks: u8, most: usize) -> Found<Vec<bool>> {
        let game = SuitGame::goal(self.suit, tricks);
        let stakes = self.table.stakes(&game);
        with_sets_for!(stakes, B => {
            let values = Self::families::<B>(&game, &stakes);
            let found = self.heaviest(&values, |_, weight| weight, most);
            let layouts = |set: &B| {
                let mut layouts = vec![false; self.suit.layouts().len()];
                for stake in set.ones().filter_map(|place| stakes.get(place)) {
                    layouts[stake.world] = true;
                }
                layouts
            };
            Found {
                weight: found.weight,
                sets: found.sets.iter().map(layouts).collect(),
                bound: found.bound,
                is_one_of_many: found.is_one_of_many,
                stop: found.stop,
            }
        })
    }

    /// The best line that reaches a goal in all layouts of one of several sets, and what stopped
    /// the search for it.
    fn line_for(&mut self, sets: &[Vec<bool>], tricks: u8) -> (Option<Candidate>, Option<Stop>) {
        let game = SuitGame::all_tricks(self.suit);
        let stakes = self.table.stakes(&game);
        let (mut best, mut stop): (Option<Candidate>, _) = (None, None);
        for reached in sets {
            let open =
                stakes.kept(|stake| reached[stake.world] || stake.more_than + 1 < tricks.into());
            let (candidate, stopped) =
                with_sets_for!(open, B => self.candidate::<B>(&game, &open, tricks));
            stop = stop.or(stopped);
            if let Some(candidate) = candidate
                && best
                    .as_ref()
                    .is_none_or(|best| best.worth < candidate.worth)
            {
                best = Some(candidate);
            }
        }
        (best, stop)
    }

    /// The best line in a game in which some stakes are left out, and what stopped the search for
    /// it.
    fn candidate<B: WorldSet>(
        &mut self,
        game: &SuitGame<'_>,
        open: &Stakes,
        tricks: u8,
    ) -> (Option<Candidate>, Option<Stop>) {
        let values = Self::families::<B>(game, open);
        let tricks = u32::from(tricks);
        let every: u64 = open.iter().map(|stake| self.weight(stake)).sum();
        let weigh = |stake: Stake, weight: u64| {
            if stake.more_than + 1 == tricks {
                weight * (every + 1)
            } else {
                weight
            }
        };
        let best_of = self.heaviest(&values, weigh, 1);
        let more = |set: &B| -> u64 {
            let won = set.ones().filter_map(|place| open.get(place));
            let won = won.filter(|stake| stake.more_than == tricks);
            won.map(|stake| self.weight(stake)).sum()
        };
        let most = best_of.sets.iter().map(more).max().unwrap_or(0);
        let sets = best_of.sets.iter().filter(|set| more(set) == most);
        let sets: Vec<B> = sets.cloned().collect();
        let shortest = self.shortest(&values, &sets, best_of.stop.is_some());
        let stop = best_of.stop.or_else(|| self.without(shortest.as_ref()));
        let candidate = shortest.map(|(length, line)| Candidate {
            worth: (best_of.weight, most, Reverse(length)),
            line,
        });
        (candidate, stop)
    }

    /// The set with the shortest line. A set of a search that was stopped may be part of a larger
    /// one, and its line win that.
    fn shortest<B: WorldSet>(
        &mut self,
        values: &SuitFamilies<'_, B>,
        sets: &[B],
        is_stopped: bool,
    ) -> Option<(u32, Line)> {
        // After a stop the line of what was found is still made, which takes little.
        let grace = Budget::new(Limits {
            steps: Some(GRACE),
            ..Limits::default()
        });
        let budget = if is_stopped { &grace } else { self.budget };
        let mut best: Option<(u32, Line)> = None;
        for set in sets {
            if let Ok((length, mut line)) = self.line(values, set, budget)
                && best.as_ref().is_none_or(|(shortest, _)| length < *shortest)
            {
                line.at_least = is_stopped;
                best = Some((length, line));
            }
        }
        best
    }

    /// The tricks in each layout that winning a set of stakes guarantees.
    fn guarantees<B: WorldSet>(&self, values: &SuitFamilies<'_, B>, set: &B) -> Vec<u8> {
        let mut guarantees = vec![0; self.suit.layouts().len()];
        for place in set.ones() {
            if let Some(stake) = values.as_sets().stakes().get(place) {
                // A suit has no more than 13 tricks.
                guarantees[stake.world] = guarantees[stake.world].max(stake.more_than as u8 + 1);
            }
        }
        guarantees
    }

    /// A line that wins a set of stakes.
    fn line<B: WorldSet>(
        &mut self,
        values: &SuitFamilies<'_, B>,
        set: &B,
        budget: &Budget,
    ) -> Result<(u32, Line), Stop> {
        let guarantees = self.guarantees(values, set);
        let known = SeenCards::new((values, &mut self.table));
        let mut planner = Planner::new(values, set.clone(), known, budget);
        let plan = planner.plan()?;
        let length = planner.length(plan);
        Ok((length, Line::new(self.suit, &mut planner, plan, guarantees)))
    }
}

/// The default limits of visits and steps of a search by families. Nearly all end long before.
const VISITS_IN_FAMILIES: u64 = 1 << 20;
const STEPS_IN_FAMILIES: u64 = 1 << 25;

/// Steps for the line of a search that was stopped: some tenths of a second.
const GRACE: u64 = 1 << 22;
