//! Whether one strategy takes the tricks of an ending in all of these layouts, and if not, a few of
//! them that no strategy wins together.
//!
//! Idea: that is a question with the answer yes or no, so it is a search without sets of sets. What
//! the answer rests on is kept:
//!
//! 1. *Won*: all layouts of the question. One strategy wins any part of them too.
//! 2. *Lost*: a *core*, read off the failed proof. No strategy wins any set that has it as a part.
//!    A layout that is lost with all cards seen is a core by itself. Where a defender plays, the
//!    core of one card is enough. Where declarer plays, each of her cards has one, and together
//!    they are a core. So a card is tried in the layouts first that are in the core already, and
//!    cards that are refuted by what is won with all cards seen share layouts where they can.
//!
//! Both are kept by [shape](super::subgame), and answer all later questions about it: whatever was
//! asked at the root, and however the cards were called. This is what solvers of constraints know
//! as learning of nogoods.
//!
//! Invariants: the layouts of a shape are numbered in the order in which they come up, and a step
//! takes a number to a number. Every set that is searched is won in each of its layouts with all
//! cards seen. What is in the tables is true whatever stops a search.
//!
//! Cost: a number for each step that each layout of a shape takes, cores, and bits for what is won.
//! A look at the tables is a pass over the cores of a shape, one or two bits each, because most are
//! pairs.
//!
//! Sources: lattice values by question and answer: Ginsberg (2001); why no strategy wins worlds
//! together: Frank and Basin (1998); nogoods of constraint satisfaction: Dechter (1990).

pub(super) mod choices;

use std::collections::HashMap;

use meetjoin_lattice::{Budget, Stop};

use super::rules::Rules;
use super::subgame::{Shape, Step};
use super::values::AllSeen;

/// Numbers of layouts.
pub(super) type Layouts = Vec<u32>;

/// The number of a layout, and its weight.
pub(super) type Heavy = (u32, u64);

/// A layout that has not been looked at.
const UNKNOWN: u32 = u32::MAX;
/// A layout in which a step is not allowed.
const NOT_ALLOWED: u32 = u32::MAX - 1;

/// What is known of a layout with all cards seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Unknown,
    Won,
    Lost,
}

/// A step from a shape.
#[derive(Clone)]
struct Edge {
    step: Step,
    /// The shape after it.
    to: Option<usize>,
    /// For layouts of the shape before, their numbers after it.
    after: Vec<u32>,
}

/// What is known of a shape.
#[derive(Clone)]
struct Known {
    shape: Shape,
    is_declarers: bool,
    wests: Vec<u32>,
    numbers: HashMap<u32, u32, ahash::RandomState>,
    seen: Vec<Seen>,
    edges: Option<Vec<Edge>>,
    /// Cores, those that answered last first.
    lost: Vec<Box<[u32]>>,
    /// Sets in bits.
    won: Vec<Box<[u64]>>,
    /// The step that decided last.
    decided: usize,
    /// Whether a choice of declarer is fixed, here or further on.
    is_fixed: bool,
}

/// All that is known of an ending.
pub(super) struct Together<'a> {
    seen: AllSeen,
    budget: &'a Budget,
    numbers: HashMap<Shape, usize, ahash::RandomState>,
    shapes: Vec<Known>,
}

/// What a look at the tables gives.
enum Found {
    Won,
    Lost(Layouts),
    Nothing,
}

fn random_state() -> ahash::RandomState {
    ahash::RandomState::with_seeds(1, 2, 3, 4)
}

fn bits_of(layouts: &[u32], count: usize) -> Vec<u64> {
    let mut bits = vec![0; count.div_ceil(64)];
    for layout in layouts {
        bits[*layout as usize / 64] |= 1_u64 << (layout % 64);
    }
    bits
}

fn has(bits: &[u64], layout: u32) -> bool {
    bits.get(layout as usize / 64)
        .is_some_and(|word| word >> (layout % 64) & 1 == 1)
}

fn is_part(part: &[u64], whole: &[u64]) -> bool {
    let words = part.iter().enumerate();
    let mut words = words.map(|(place, word)| word & !whole.get(place).copied().unwrap_or(0));
    words.all(|left| left == 0)
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
            numbers: HashMap::with_hasher(random_state()),
            shapes: Vec::new(),
        };
        let root = new.number(root);
        for west in layouts {
            new.layout(root, west);
        }
        new
    }

    /// The same with another budget.
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
            numbers,
            shapes,
        }
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

    /// Layouts of these that no strategy wins together, from a root; none if one wins all.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn core(&mut self, root: usize, layouts: &[u32]) -> Result<Option<Layouts>, Stop> {
        self.budget.check()?;
        for layout in layouts {
            if !self.is_winnable(root, *layout)? {
                return Ok(Some(vec![*layout]));
            }
        }
        self.decide(root, layouts)
    }

    /// Layouts of these that one strategy wins together, from a root: in ascending order, and
    /// heavy as far as playing at each turn the card with which most is won with all cards seen
    /// leads. None, if that takes more than so many turns.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn greedy(
        &mut self,
        root: usize,
        layouts: &[Heavy],
        mut turns: u64,
    ) -> Result<Layouts, Stop> {
        self.won_greedily(root, layouts, &mut turns)
    }

    /// All layouts are won with all cards seen.
    fn won_greedily(
        &mut self,
        shape: usize,
        layouts: &[Heavy],
        turns: &mut u64,
    ) -> Result<Layouts, Stop> {
        let numbers = numbers_of(layouts);
        if self.shapes[shape].shape.wanted == 0 || numbers.len() <= 1 {
            return Ok(numbers);
        }
        if let Found::Won = self.look_up(shape, &numbers)? {
            return Ok(numbers);
        }
        let Some(left) = turns.checked_sub(1) else {
            return Ok(Vec::new());
        };
        *turns = left;
        self.budget.visit()?;
        let won = if self.shapes[shape].is_declarers {
            self.card_greedily(shape, layouts, turns)?
        } else {
            self.reply_greedily(shape, layouts.to_vec(), turns)?
        };
        if !won.is_empty() {
            self.keep_won(shape, &won);
        }
        Ok(won)
    }

    fn card_greedily(
        &mut self,
        shape: usize,
        layouts: &[Heavy],
        turns: &mut u64,
    ) -> Result<Layouts, Stop> {
        let numbers = numbers_of(layouts);
        let mut best: Option<(u64, After, Vec<Heavy>)> = None;
        for edge in 0..self.edges(shape) {
            let after = self.all_after(shape, edge, &numbers);
            let mut seen = Vec::new();
            // Declarer's cards are allowed in all layouts, so places are the same.
            for (number, (_, weight)) in after.numbers.iter().zip(layouts) {
                if self.is_winnable(after.shape, *number)? {
                    seen.push((*number, *weight));
                }
            }
            let weight = seen.iter().map(|(_, weight)| weight).sum();
            if best.as_ref().is_none_or(|(most, _, _)| weight > *most) {
                best = Some((weight, after, seen));
            }
        }
        let Some((_, after, seen)) = best else {
            return Ok(Vec::new());
        };
        let won = self.won_greedily(after.shape, &seen, turns)?;
        Ok(after.back_in_order(&won))
    }

    fn reply_greedily(
        &mut self,
        shape: usize,
        mut left: Vec<Heavy>,
        turns: &mut u64,
    ) -> Result<Layouts, Stop> {
        for edge in 0..self.edges(shape) {
            let after = self.all_after(shape, edge, &numbers_of(&left));
            let mut numbers = after.before.iter().zip(&after.numbers).peekable();
            let allowed = left.iter().filter_map(|(layout, weight)| {
                let (_, number) = numbers.next_if(|(before, _)| *before == layout)?;
                Some((*number, *weight))
            });
            let allowed: Vec<Heavy> = allowed.collect();
            let won = self.won_greedily(after.shape, &allowed, turns)?;
            if won.len() == after.numbers.len() {
                continue;
            }
            // What this card beats is lost, whatever other cards do.
            let won = bits_of(&after.back_in_order(&won), self.shapes[shape].wests.len());
            let beaten = after.before.iter().filter(|layout| !has(&won, **layout));
            let beaten: Layouts = beaten.copied().collect();
            let beaten = bits_of(&beaten, self.shapes[shape].wests.len());
            left.retain(|(layout, _)| !has(&beaten, *layout));
        }
        Ok(numbers_of(&left))
    }

    /// These are won together.
    fn keep_won(&mut self, shape: usize, layouts: &[u32]) {
        let known = &mut self.shapes[shape];
        let bits = bits_of(layouts, known.wests.len());
        known.won.retain(|won| !is_part(won, &bits));
        known.won.push(bits.into_boxed_slice());
    }

    fn number(&mut self, shape: Shape) -> usize {
        *self.numbers.entry(shape).or_insert_with(|| {
            self.shapes.push(Known {
                is_declarers: shape.is_declarers(&self.seen.rules),
                shape,
                wests: Vec::new(),
                numbers: HashMap::with_hasher(random_state()),
                seen: Vec::new(),
                edges: None,
                lost: Vec::new(),
                won: Vec::new(),
                decided: 0,
                is_fixed: false,
            });
            self.shapes.len() - 1
        })
    }

    fn layout(&mut self, shape: usize, west: u32) -> u32 {
        let known = &mut self.shapes[shape];
        let next = known.wests.len() as u32;
        let number = *known.numbers.entry(west).or_insert(next);
        if number == next {
            known.wests.push(west);
            known.seen.push(Seen::Unknown);
        }
        number
    }

    /// Whether declarer takes the tricks from a shape with all cards seen.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(super) fn is_winnable(&mut self, shape: usize, layout: u32) -> Result<bool, Stop> {
        let known = &mut self.shapes[shape];
        let place = layout as usize;
        if known.seen[place] == Seen::Unknown {
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
            let hands = known.shape.hands(known.wests[place]);
            let won = self
                .seen
                .takes_from(hands, trick, wanted, kinds, self.budget)?;
            known.seen[place] = if won { Seen::Won } else { Seen::Lost };
        }
        Ok(known.seen[place] == Seen::Won)
    }

    /// The same where a choice is fixed: by what follows.
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
        self.shapes[shape].seen[layout as usize] = if won { Seen::Won } else { Seen::Lost };
        Ok(won)
    }

    /// The numbers of edges of a shape.
    fn edges(&mut self, shape: usize) -> usize {
        let known = &mut self.shapes[shape];
        let (shape, rules) = (&known.shape, &self.seen.rules);
        let edges = known.edges.get_or_insert_with(|| {
            self.seen.has_ties |= shape.trick.is_over();
            let steps = shape.steps(rules).into_iter();
            let edges = steps.map(|step| Edge {
                step,
                to: None,
                after: Vec::new(),
            });
            edges.collect()
        });
        edges.len()
    }

    /// Where a layout goes by an edge, if that is allowed.
    fn follow(&mut self, shape: usize, edge: usize, layout: u32) -> Option<(usize, u32)> {
        let known = &mut self.shapes[shape];
        let own = known.shape;
        let edges = known.edges.as_mut()?;
        let place = layout as usize;
        let Edge { step, to, after } = &mut edges[edge];
        if let Some(to) = *to
            && let Some(after) = after.get(place)
            && *after != UNKNOWN
        {
            return (*after != NOT_ALLOWED).then_some((to, *after));
        }
        if after.len() <= place {
            after.resize(place + 1, UNKNOWN);
        }
        let west = own.follow(step, known.wests[place], &self.seen.rules);
        let Some(west) = west else {
            after[place] = NOT_ALLOWED;
            return None;
        };
        let (to, next) = (*to, step.after);
        let to = to.unwrap_or_else(|| self.number(next));
        let number = self.layout(to, west);
        if let Some(edges) = &mut self.shapes[shape].edges {
            edges[edge].to = Some(to);
            edges[edge].after[place] = number;
        }
        Some((to, number))
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
        if known.lost.is_empty() && known.won.is_empty() {
            return Ok(Found::Nothing);
        }
        let entries = known.lost.len() + known.won.len();
        self.budget.steps(1 + entries as u64 / 16)?;
        let bits = bits_of(layouts, known.wests.len());
        let lost = known
            .lost
            .iter()
            .position(|core| core.iter().all(|layout| has(&bits, *layout)));
        if let Some(place) = lost {
            let core = known.lost[place].to_vec();
            known.lost.swap(place, place / 2);
            return Ok(Found::Lost(core));
        }
        if let Some(place) = known.won.iter().position(|won| is_part(&bits, won)) {
            known.won.swap(place, place / 2);
            return Ok(Found::Won);
        }
        Ok(Found::Nothing)
    }

    /// All layouts are won with all cards seen.
    fn decide(&mut self, shape: usize, layouts: &[u32]) -> Result<Option<Layouts>, Stop> {
        if self.shapes[shape].shape.wanted == 0 || layouts.len() <= 1 {
            return Ok(None);
        }
        match self.look_up(shape, layouts)? {
            Found::Won => return Ok(None),
            Found::Lost(core) => return Ok(Some(core)),
            Found::Nothing => {}
        }
        self.budget.visit()?;
        let found = if self.shapes[shape].is_declarers {
            self.declarer(shape, layouts)?
        } else {
            self.defender(shape, layouts)?
        };
        match &found {
            None => self.keep_won(shape, layouts),
            Some(core) => {
                let known = &mut self.shapes[shape];
                let bits = bits_of(core, known.wests.len());
                let is_wider = |lost: &[u32]| {
                    let shared = lost.iter().filter(|layout| has(&bits, **layout));
                    shared.count() == core.len()
                };
                known.lost.retain(|lost| !is_wider(lost));
                known.lost.push(core.clone().into_boxed_slice());
            }
        }
        Ok(found)
    }

    fn defender(&mut self, shape: usize, layouts: &[u32]) -> Result<Option<Layouts>, Stop> {
        let mut cards = Vec::new();
        for edge in 0..self.edges(shape) {
            let after = self.all_after(shape, edge, layouts);
            if after.numbers.len() <= 1 || self.shapes[after.shape].shape.wanted == 0 {
                continue;
            }
            match self.look_up(after.shape, &after.numbers)? {
                Found::Won => {}
                Found::Lost(core) => return Ok(Some(after.back(&core))),
                Found::Nothing => cards.push((edge, after)),
            }
        }
        let last = self.shapes[shape].decided;
        cards.sort_by_key(|(edge, after)| (*edge != last, usize::MAX - after.numbers.len()));
        for (edge, after) in cards {
            if let Some(core) = self.decide(after.shape, &after.numbers)? {
                self.shapes[shape].decided = edge;
                return Ok(Some(after.back(&core)));
            }
        }
        Ok(None)
    }

    fn declarer(&mut self, shape: usize, layouts: &[u32]) -> Result<Option<Layouts>, Stop> {
        let mut open: Vec<(usize, After)> = Vec::new();
        // Each card that is refuted by what is won with all cards seen needs one of these.
        let mut refuted: Vec<Layouts> = Vec::new();
        for edge in 0..self.edges(shape) {
            let after = self.all_after(shape, edge, layouts);
            let mut lost = Vec::new();
            for (before, number) in after.before.iter().zip(&after.numbers) {
                if !self.is_winnable(after.shape, *number)? {
                    lost.push(*before);
                }
            }
            if lost.is_empty() {
                open.push((edge, after));
            } else {
                refuted.push(lost);
            }
        }
        let mut core: Layouts = Vec::new();
        let mut unknown: Vec<(usize, After)> = Vec::new();
        for (edge, after) in open {
            let is_over = self.shapes[after.shape].shape.wanted == 0;
            match self.look_up(after.shape, &after.numbers)? {
                _ if is_over => return Ok(None),
                Found::Won => {
                    self.shapes[shape].decided = edge;
                    return Ok(None);
                }
                Found::Lost(lost) => {
                    if core.is_empty() {
                        core = after.back(&lost);
                    } else {
                        unknown.push((edge, after));
                    }
                }
                Found::Nothing => unknown.push((edge, after)),
            }
        }
        let last = self.shapes[shape].decided;
        unknown.sort_by_key(|(edge, _)| *edge != last);
        for (edge, after) in &unknown {
            if !core.is_empty() {
                let small = after.only(&core);
                if self.decide(after.shape, &small)?.is_some() {
                    continue;
                }
            }
            let Some(found) = self.decide(after.shape, &after.numbers)? else {
                self.shapes[shape].decided = *edge;
                return Ok(None);
            };
            for layout in after.back(&found) {
                if !core.contains(&layout) {
                    core.push(layout);
                }
            }
        }
        hit(&mut core, refuted);
        Ok(Some(core))
    }
}

/// Adds layouts to a core until it has one of each of these.
fn hit(core: &mut Layouts, mut all: Vec<Layouts>) {
    all.retain(|layouts| !layouts.iter().any(|layout| core.contains(layout)));
    while !all.is_empty() {
        let mut count: HashMap<u32, usize, ahash::RandomState> =
            HashMap::with_hasher(random_state());
        for layout in all.iter().flatten() {
            *count.entry(*layout).or_default() += 1;
        }
        let counted = count
            .into_iter()
            .map(|(layout, count)| (count, u32::MAX - layout));
        let Some((_, best)) = counted.max() else {
            return;
        };
        let best = u32::MAX - best;
        core.push(best);
        all.retain(|layouts| !layouts.contains(&best));
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
    /// The numbers before of those after.
    fn back(&self, core: &[u32]) -> Layouts {
        let place = |number: &u32| self.numbers.iter().position(|other| other == number);
        let places = core.iter().filter_map(place);
        places.map(|place| self.before[place]).collect()
    }

    /// The same for some of the numbers in their order here.
    fn back_in_order(&self, some: &[u32]) -> Layouts {
        let mut rest = some.iter().peekable();
        let both = self.numbers.iter().zip(&self.before);
        let kept = both.filter(|(number, _)| rest.next_if_eq(number).is_some());
        kept.map(|(_, before)| *before).collect()
    }

    /// The numbers after of those before.
    fn only(&self, core: &[u32]) -> Layouts {
        let place = |number: &u32| self.before.iter().position(|other| other == number);
        let places = core.iter().filter_map(place);
        places.map(|place| self.numbers[place]).collect()
    }
}

fn numbers_of(layouts: &[Heavy]) -> Layouts {
    layouts.iter().map(|(layout, _)| *layout).collect()
}

#[cfg(test)]
mod tests {
    use super::super::game::{Ending, EndingGame};
    use super::super::subgame::Whole;
    use super::*;
    use crate::play::{Deal, Seat};
    use meetjoin_dag::AndOrDag;

    #[test]
    fn what_greed_wins_is_won_in_a_search_that_knows_nothing()
    -> Result<(), Box<dyn std::error::Error>> {
        let deals = [
            "N:AJ2.A.. Q98.3.. KT3.2.. 765.4..",
            "N:KJ8.6.. AQ9.A.. T42.5.. 753.K..",
            "N:AQ.4.3. K7.6.9. 53.A.8. J9.K.T.",
        ];
        let budget = Budget::unlimited();
        let (mut count, mut halves) = (0, 0);
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
            let mut together = new();
            let mut layouts = Layouts::new();
            for layout in 0..whole.layouts.len() as u32 {
                if together.is_winnable(0, layout)? {
                    layouts.push(layout);
                }
            }
            let heavy: Vec<Heavy> = layouts.iter().map(|layout| (*layout, 1)).collect();
            let is_sure = together.core(0, &layouts)?.is_none();
            let won = new().greedy(0, &heavy, u64::MAX)?;
            assert!(won.is_sorted() && won.iter().all(|layout| layouts.contains(layout)));
            assert_eq!(new().core(0, &won)?, None, "{deal:?} {tricks}");
            assert!(!won.is_empty() || layouts.is_empty());
            assert!(won.len() < layouts.len() || is_sure);
            if layouts.len() > 1 {
                assert_eq!(new().greedy(0, &heavy, 0)?, Layouts::new());
                count += 1;
                halves += usize::from(won.len() * 2 > layouts.len());
            }
        }
        assert!(count > 6 && halves * 2 > count, "{halves} of {count}");
        Ok(())
    }
}
