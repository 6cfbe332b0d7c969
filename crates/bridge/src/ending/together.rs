//! Whether one strategy takes the tricks of an ending in all of these layouts, and if not, a few of
//! them that no strategy wins together.
//!
//! Idea: the question is boolean, so its search needs no sets of sets. What the answer rests on is
//! kept:
//!
//! 1. *Won*: all layouts of the question. One strategy wins any part of them too.
//! 2. *Lost*: a *core*, read off the failed proof. No strategy wins any superset of it. A layout
//!    that is lost double dummy is a core by itself. Where a defender plays, the core of one card
//!    is enough. Where declarer plays, each of her cards has one, and together they are a core. So
//!    a card is tried in the layouts first that are in the core already, and others are looked at
//!    only if it wins those.
//!
//! Both are kept by [shape](super::subgame), and answer all later questions about it, whatever was
//! asked at the root and whatever the cards were called. Constraint solvers call this nogood
//! learning.
//!
//! Invariants: the layouts of a shape are numbered in the order in which they come up, and a step
//! takes a number to a number. Every set that is searched is won double dummy in each of its
//! layouts. The tables stay true whatever stops a search.
//!
//! Cost: a number for each step that each layout of a shape takes, cores, and bits for what is won.
//! A look-up is a pass over the cores of a shape, one or two bits each, because most are pairs.
//!
//! Sources: lattice values by question and answer: Ginsberg (2001); why no strategy wins worlds
//! together: Frank and Basin (1998); nogoods of constraint satisfaction: Dechter (1990).

pub(super) mod choices;
mod kept;
mod numbered;

use std::cmp::Reverse;

use hashbrown::HashTable;
use meetjoin_lattice::{Budget, Stop};

use super::rules::Rules;
use super::subgame::{Shape, Step};
use super::values::AllSeen;
use kept::{Kept, bits_of};
pub(super) use numbered::random_state;
use numbered::{Numbered, Seen};

/// Numbers of layouts.
pub(super) type Layouts = Vec<u32>;

/// A layout that has not been looked at.
const UNKNOWN: u32 = u32::MAX;
/// A layout in which a step is not allowed.
const NOT_ALLOWED: u32 = u32::MAX - 1;

/// A shape after a step.
#[derive(Clone)]
enum Target {
    /// A shape that no layout has reached.
    New(Box<Shape>),
    /// The number of a known shape.
    Known(usize),
}

/// A step from a shape.
#[derive(Clone)]
struct Edge {
    step: Step,
    to: Target,
    /// For layouts of the shape before, their numbers after it.
    after: Vec<u32>,
}

/// What is known of a shape.
#[derive(Clone)]
struct Known {
    shape: Shape,
    layouts: Numbered,
    edges: Option<Vec<Edge>>,
    /// Sets that are won, and cores, if any are known.
    kept: Option<Box<Kept>>,
    /// The step that decided last.
    decided: usize,
    is_declarers: bool,
    /// Whether a choice of declarer is fixed, here or further on.
    is_fixed: bool,
}

impl Known {
    fn edge(&mut self, edge: usize) -> Option<&mut Edge> {
        self.edges.as_mut()?.get_mut(edge)
    }
}

/// All that is known of an ending.
pub(super) struct Together<'a> {
    seen: AllSeen,
    budget: &'a Budget,
    /// A question is given up when the total effort exceeds this.
    until: u64,
    /// The numbers of shapes in which nothing is fixed.
    numbers: HashTable<usize>,
    shapes: Vec<Known>,
}

/// The answer to the question for a core.
pub(super) enum Answer {
    /// One strategy wins all.
    Won,
    /// These.
    Core(Layouts),
    /// It cost too much to find out.
    GivenUp,
}

/// The result of a look-up in the tables.
enum Found {
    Won,
    Lost(Layouts),
    Nothing,
}

impl<'a> Together<'a> {
    /// Nothing known yet. The numbers of the layouts at the root are their places.
    pub(super) fn new(
        root: Shape,
        layouts: impl IntoIterator<Item = u32>,
        seen: AllSeen,
        budget: &'a Budget,
    ) -> Self {
        let mut new = Self {
            seen,
            budget,
            until: u64::MAX,
            numbers: HashTable::new(),
            shapes: Vec::new(),
        };
        new.root(root, layouts);
        new
    }

    /// Another root, of a shape that cannot come after one that is known. The numbers of its
    /// layouts are their places.
    pub(super) fn root(&mut self, shape: Shape, layouts: impl IntoIterator<Item = u32>) -> usize {
        let root = self.number(shape);
        for west in layouts {
            self.layout(root, west);
        }
        root
    }

    /// These tables with another budget.
    pub(super) fn continued(self, budget: &Budget) -> Together<'_> {
        let Self {
            seen,
            numbers,
            shapes,
            ..
        } = self;
        Together {
            seen,
            budget,
            until: u64::MAX,
            numbers,
            shapes,
        }
    }

    /// Counts a pass over `layouts` layouts.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn pays(&self, layouts: usize) -> Result<(), Stop> {
        self.budget.steps(1 + layouts as u64 / 16)
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.seen.rules
    }

    /// Whether one strategy takes the tricks of a shape in all of these layouts.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn wins(&mut self, shape: Shape, wests: &[u32]) -> Result<bool, Stop> {
        let shape = self.number(shape);
        let mut layouts = Layouts::new();
        for west in wests {
            let layout = self.layout(shape, *west);
            if !self.is_winnable(shape, layout)? {
                return Ok(false);
            }
            layouts.push(layout);
        }
        Ok(self.decide(shape, &layouts)?.is_none())
    }

    /// Whether two equal cards have come to one trick.
    pub(super) fn has_ties(&self) -> bool {
        self.seen.has_ties
    }

    /// A core among these layouts, from a root; none if one strategy wins all.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn core(&mut self, root: usize, layouts: &[u32]) -> Result<Option<Layouts>, Stop> {
        self.budget.check()?;
        self.ask(root, layouts)
    }

    /// [`Self::core`], given up where it costs more than `effort`.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn core_within(
        &mut self,
        root: usize,
        layouts: &[u32],
        effort: u64,
    ) -> Result<Answer, Stop> {
        let asked = self.within(effort, |table| table.core(root, layouts))?;
        Ok(match asked {
            None => Answer::GivenUp,
            Some(core) => core.map_or(Answer::Won, Answer::Core),
        })
    }

    /// The result of questions, or none if they are given up because they cost more.
    ///
    /// # Errors
    /// When the budget ends them.
    pub(super) fn within<T>(
        &mut self,
        effort: u64,
        questions: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<Option<T>, Stop> {
        let before = self.until;
        self.until = before.min(self.effort().saturating_add(effort));
        let answer = questions(self);
        let is_given_up = self.effort() > self.until && self.budget.fired().is_none();
        self.until = before;
        match answer {
            Err(_) if is_given_up => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// [`Self::core`] of any shape, without a look at the clock.
    fn ask(&mut self, shape: usize, layouts: &[u32]) -> Result<Option<Layouts>, Stop> {
        for layout in layouts {
            if !self.is_winnable(shape, *layout)? {
                return Ok(Some(vec![*layout]));
            }
        }
        self.decide(shape, layouts)
    }

    /// The total effort: positions and cards that were looked at.
    pub(super) fn effort(&self) -> u64 {
        self.budget.visits_made() + self.budget.steps_made()
    }

    /// Records that these layouts are won together.
    fn keep_won(&mut self, shape: usize, layouts: &[u32]) {
        let known = &mut self.shapes[shape];
        let bits = bits_of(layouts, known.layouts.len());
        known.kept.get_or_insert_default().won.add(&bits);
    }

    fn number(&mut self, shape: Shape) -> usize {
        let Self {
            numbers, shapes, ..
        } = self;
        let hash = |shape: &Shape| random_state().hash_one(shape);
        let is_it = |number: &usize| shapes[*number].shape == shape;
        if let Some(number) = numbers.find(hash(&shape), is_it) {
            return *number;
        }
        let new = shapes.len();
        let known = |number: &usize| hash(&shapes[*number].shape);
        numbers.insert_unique(hash(&shape), new, known);
        shapes.push(Known {
            is_declarers: shape.is_declarers(&self.seen.rules),
            shape,
            layouts: Numbered::default(),
            edges: None,
            kept: None,
            decided: 0,
            is_fixed: false,
        });
        new
    }

    fn layout(&mut self, shape: usize, west: u32) -> u32 {
        self.shapes[shape].layouts.number(west)
    }

    /// Whether declarer takes the tricks from a shape with all cards seen.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn is_winnable(&mut self, shape: usize, layout: u32) -> Result<bool, Stop> {
        let known = &mut self.shapes[shape];
        if known.layouts.seen(layout) == Seen::Unknown {
            self.budget.steps(1)?;
            if known.is_fixed {
                return self.is_won_as_fixed(shape, layout);
            }
            let Shape {
                trick,
                wanted,
                kinds,
                ..
            } = known.shape;
            let hands = known.shape.hands(known.layouts.west(layout));
            let won = self
                .seen
                .takes_from(hands, trick, wanted, kinds, self.budget)?;
            let seen = if won { Seen::Won } else { Seen::Lost };
            known.layouts.see(layout, seen);
        }
        Ok(known.layouts.seen(layout) == Seen::Won)
    }

    /// [`Self::is_winnable`] where a choice is fixed: from the shapes that follow.
    fn is_won_as_fixed(&mut self, shape: usize, layout: u32) -> Result<bool, Stop> {
        let is_declarers = self.shapes[shape].is_declarers;
        let mut won = !is_declarers;
        for edge in 0..self.edges(shape) {
            if let Some((to, after)) = self.follow(shape, edge, layout)
                && self.is_winnable(to, after)? == is_declarers
            {
                won = is_declarers;
                break;
            }
        }
        let seen = if won { Seen::Won } else { Seen::Lost };
        self.shapes[shape].layouts.see(layout, seen);
        Ok(won)
    }

    /// The numbers of edges of a shape.
    fn edges(&mut self, shape: usize) -> usize {
        let known = &mut self.shapes[shape];
        let (shape, rules) = (&known.shape, &self.seen.rules);
        let edges = known.edges.get_or_insert_with(|| {
            self.seen.has_ties |= shape.trick.is_over();
            let steps = shape.steps(rules).into_iter();
            let edges = steps.map(|(step, after)| Edge {
                step,
                to: Target::New(Box::new(after)),
                after: Vec::new(),
            });
            edges.collect()
        });
        edges.len()
    }

    /// The shape and layout after an edge, if the layout allows it.
    fn follow(&mut self, shape: usize, edge: usize, layout: u32) -> Option<(usize, u32)> {
        let Known {
            shape: own,
            layouts,
            edges,
            ..
        } = &mut self.shapes[shape];
        let place = layout as usize;
        let Edge { step, to, after } = edges.as_mut()?.get_mut(edge)?;
        if let Target::Known(to) = *to
            && let Some(after) = after.get(place)
            && *after != UNKNOWN
        {
            return (*after != NOT_ALLOWED).then_some((to, *after));
        }
        if after.len() <= place {
            after.resize(place + 1, UNKNOWN);
        }
        let west = own.follow(step, layouts.west(layout), &self.seen.rules);
        let Some(west) = west else {
            after[place] = NOT_ALLOWED;
            return None;
        };
        let to = self.target(shape, edge)?;
        let number = self.layout(to, west);
        self.shapes[shape].edge(edge)?.after[place] = number;
        Some((to, number))
    }

    /// The shape after an edge, if there is that edge.
    fn target(&mut self, shape: usize, edge: usize) -> Option<usize> {
        let next = match &self.shapes[shape].edge(edge)?.to {
            Target::Known(to) => return Some(*to),
            Target::New(next) => **next,
        };
        let to = self.number(next);
        self.shapes[shape].edge(edge)?.to = Target::Known(to);
        Some(to)
    }

    /// The layouts that an edge allows: their numbers before and after it, and the shape after it.
    fn all_after(&mut self, shape: usize, edge: usize, layouts: &[u32]) -> After {
        let mut after = After::default();
        for layout in layouts {
            if let Some((to, number)) = self.follow(shape, edge, *layout) {
                after.shape = to;
                after.before.push(*layout);
                after.numbers.push(number);
            }
        }
        after
    }

    fn look_up(&mut self, shape: usize, layouts: &[u32]) -> Result<Found, Stop> {
        let known = &mut self.shapes[shape];
        let Some(kept) = &mut known.kept else {
            return Ok(Found::Nothing);
        };
        let entries = kept.lost.len() + kept.won.looks();
        self.budget.steps(1 + entries as u64 / 16)?;
        let bits = bits_of(layouts, known.layouts.len());
        Ok(match kept.lost.find(&bits) {
            Some(core) => Found::Lost(core),
            None if kept.won.has(layouts, &bits) => Found::Won,
            None => Found::Nothing,
        })
    }

    /// Returns whether `count` layouts are won together if each is won double dummy. (In
    /// double-dummy play ties are declarer's, even where the first is agreed to be a defender's.)
    fn is_decided(&self, shape: usize, count: usize) -> bool {
        let shape = &self.shapes[shape].shape;
        shape.wanted == 0 || count == 0 || count == 1 && !shape.has_first_ties()
    }

    /// Searches for a core of layouts that are each won double dummy.
    fn decide(&mut self, shape: usize, layouts: &[u32]) -> Result<Option<Layouts>, Stop> {
        if self.is_decided(shape, layouts.len()) {
            return Ok(None);
        }
        match self.look_up(shape, layouts)? {
            Found::Won => return Ok(None),
            Found::Lost(core) => return Ok(Some(core)),
            Found::Nothing => {}
        }
        self.budget.visit()?;
        if self.effort() > self.until {
            return Err(Stop::Visits);
        }
        let found = if self.shapes[shape].is_declarers {
            self.declarer(shape, layouts)?
        } else {
            self.defender(shape, layouts)?
        };
        match &found {
            None => self.keep_won(shape, layouts),
            Some(core) => {
                let known = &mut self.shapes[shape];
                let bits = bits_of(core, known.layouts.len());
                known.kept.get_or_insert_default().lost.add(core, &bits);
            }
        }
        Ok(found)
    }

    fn defender(&mut self, shape: usize, layouts: &[u32]) -> Result<Option<Layouts>, Stop> {
        let mut cards = Vec::new();
        let is_agreed = self.shapes[shape].shape.has_first_ties();
        for edge in 0..self.edges(shape) {
            let after = self.all_after(shape, edge, layouts);
            if is_agreed {
                for layout in &after.numbers {
                    if !self.is_winnable(after.shape, *layout)? {
                        return Ok(Some(after.back(&[*layout])));
                    }
                }
            }
            if self.is_decided(after.shape, after.numbers.len()) {
                continue;
            }
            match self.look_up(after.shape, &after.numbers)? {
                Found::Won => {}
                Found::Lost(core) => return Ok(Some(after.back(&core))),
                Found::Nothing => cards.push((edge, after)),
            }
        }
        let last = self.shapes[shape].decided;
        cards.sort_unstable_by_key(|(edge, after)| {
            (*edge != last, Reverse(after.numbers.len()), *edge)
        });
        for (edge, after) in cards {
            if let Some(core) = self.decide(after.shape, &after.numbers)? {
                self.shapes[shape].decided = edge;
                return Ok(Some(after.back(&core)));
            }
        }
        Ok(None)
    }

    fn declarer(&mut self, shape: usize, layouts: &[u32]) -> Result<Option<Layouts>, Stop> {
        let mut core = Layouts::new();
        let mut unknown: Vec<(usize, After)> = Vec::new();
        for edge in 0..self.edges(shape) {
            let after = self.all_after(shape, edge, layouts);
            if self.shapes[after.shape].shape.wanted == 0 {
                return Ok(None);
            }
            match self.look_up(after.shape, &after.numbers)? {
                Found::Won => {
                    self.shapes[shape].decided = edge;
                    return Ok(None);
                }
                Found::Lost(lost) if core.is_empty() => core = after.back(&lost),
                _ => unknown.push((edge, after)),
            }
        }
        let last = self.shapes[shape].decided;
        unknown.sort_unstable_by_key(|(edge, _)| (*edge != last, *edge));
        for (edge, after) in &unknown {
            let small = after.only(&core);
            if self.ask(after.shape, &small)?.is_some() {
                continue;
            }
            let Some(found) = self.ask(after.shape, &after.numbers)? else {
                self.shapes[shape].decided = *edge;
                return Ok(None);
            };
            for layout in after.back(&found) {
                if !core.contains(&layout) {
                    core.push(layout);
                }
            }
        }
        Ok(Some(core))
    }
}

/// What follows an edge: a shape, and numbers of layouts after and before.
#[derive(Default)]
struct After {
    shape: usize,
    numbers: Layouts,
    before: Layouts,
}

impl After {
    /// Maps numbers after the edge to those before it.
    fn back(&self, core: &[u32]) -> Layouts {
        let place = |number: &u32| self.numbers.iter().position(|other| other == number);
        let places = core.iter().filter_map(place);
        places.map(|place| self.before[place]).collect()
    }

    /// Maps numbers before the edge to those after it.
    fn only(&self, core: &[u32]) -> Layouts {
        let place = |number: &u32| self.before.iter().position(|other| other == number);
        let places = core.iter().filter_map(place);
        places.map(|place| self.numbers[place]).collect()
    }
}
