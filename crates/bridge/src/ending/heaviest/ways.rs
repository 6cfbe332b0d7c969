//! Ways: strategies that are searched as one, and the cores that none of them wins.
//!
//! Idea: a way has cores, and bounds by them. `divide` replaces it by a way for each card of a
//! choice; `look` finds the layouts that are lost by themselves; `ascend` takes more cores, and
//! grows the set that is won then; `hit` asks for the lightest set that hits all cores. The way
//! with the highest bound is searched until another has a higher one. In parallel, with as much
//! effort, a set [grows](super::growth) that any strategy may win; then heavier sets are sought
//! [near it](neighbours). The [module above](super) says what each step is for.
//!
//! Invariants: all ways together are all strategies. No bound of a way is below what its strategies
//! win.
//!
//! Cost: the cores of each way, which a way hands down where it is divided.

mod neighbours;

use meetjoin_families::cores::hitting::{Hitting, lightest_hitting};
use meetjoin_families::cores::known::{KnownCores, smaller};
use meetjoin_families::random::Random;
use meetjoin_lattice::{Stop, WorldSet};

use super::super::subgame::Whole;
use super::super::together::choices::{ALL, Choice, Heavy};
use super::super::together::{Layouts, Together};
use super::found::{EndingChoice, EndingOrders, EndingReasons, EndingWay, Search};
use super::growth::Growth;

/// Node limit of the first search for a hitting set, for each of its parts. It doubles.
const FIRST_NODES: u64 = 16;
/// Classes that are looked at in one step.
const LOOKS: u32 = 64;
/// A way whose hitting sets take more nodes is divided.
const MANY_NODES: u64 = 1024;
/// Node limit of hitting sets where not all cores are strong: only strong ones bound the answer.
const ENOUGH_NODES: u64 = 64;
/// No search has a higher limit.
const MOST_NODES: u64 = 1 << 40;

/// What a search contributes to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    /// A weight that no set exceeds.
    Bound,
    /// A bound, and a set that is won.
    Both,
}

/// Layouts from which cores are taken one after the other.
#[derive(Clone)]
struct Ascent {
    left: Layouts,
    /// What is left of the weights of all layouts.
    rest: Vec<u64>,
    /// Prices of the strong cores.
    prices: Vec<u64>,
    /// Upper bounds, by all cores and by the strong ones.
    bounds: (u64, u64),
}

impl Ascent {
    /// Subtracts from each layout of a core the least weight that one of them has left.
    fn pay(&mut self, core: &[u32], is_strong: bool) {
        let least = core.iter().map(|layout| self.rest[*layout as usize]).min();
        let least = least.unwrap_or(0);
        for layout in core {
            self.rest[*layout as usize] -= least;
        }
        self.left.retain(|layout| self.rest[*layout as usize] > 0);
        self.bounds.0 -= least;
        if is_strong {
            self.prices.push(least);
            self.bounds.1 -= least;
        }
    }
}

/// Strategies that are searched as one: all, or those with some of declarer's choices fixed.
#[derive(Clone)]
pub(super) struct Way {
    /// Its roots in the table, and in the second one.
    roots: (usize, usize),
    choices: Vec<EndingChoice>,
    known: KnownCores,
    /// Whether each of them holds where declarer decides who wins with equal cards.
    are_strong: Vec<bool>,
    /// How many layouts have been asked whether they are lost by themselves.
    looked: u32,
    /// Nodes of the next search for a hitting set.
    nodes: u64,
    /// An ascent that goes on.
    ascent: Option<Ascent>,
    /// An upper bound of what one of these strategies wins.
    bound: u64,
    /// The bound by strong cores alone.
    strong_bound: u64,
    /// Prices of the strong cores in their order, and the denominator of prices.
    prices: (Vec<u64>, u64),
}

impl Way {
    /// All strategies.
    pub(super) fn all(whole: &Whole) -> Self {
        let weights = whole.layouts.iter().map(|layout| layout.weight);
        Self::new(weights.collect())
    }

    /// All strategies from another root of the table.
    pub(super) fn from(whole: &Whole, root: usize) -> Self {
        Self {
            roots: (root, root),
            ..Self::all(whole)
        }
    }

    fn new(weights: Vec<u64>) -> Self {
        let known = KnownCores::new(weights);
        Self {
            roots: (ALL, ALL),
            choices: Vec::new(),
            are_strong: Vec::new(),
            looked: 0,
            nodes: FIRST_NODES,
            ascent: None,
            bound: known.total(),
            strong_bound: known.total(),
            prices: (Vec::new(), 1),
            known,
        }
    }

    fn add(&mut self, core: Layouts, is_strong: bool) {
        self.known.add(core);
        self.are_strong.push(is_strong);
        if is_strong && let Some(ascent) = &mut self.ascent {
            // This core has no price yet.
            ascent.prices.push(0);
        }
    }

    /// The strong cores.
    fn strong_cores(&self) -> impl Iterator<Item = &Layouts> {
        let cores = self.known.cores().iter().zip(&self.are_strong);
        cores.filter_map(|(core, is_strong)| is_strong.then_some(core))
    }

    /// The same strategies in the second table, with the cores and bounds that hold there too.
    pub(super) fn strong(&self) -> Self {
        let mut strong = Self {
            roots: (self.roots.1, self.roots.1),
            choices: self.choices.clone(),
            bound: self.strong_bound,
            strong_bound: self.strong_bound,
            prices: self.prices.clone(),
            ..Self::new(self.known.weights().to_vec())
        };
        for core in self.strong_cores() {
            strong.add(core.clone(), true);
        }
        strong
    }

    /// How many layouts there are.
    fn count(&self) -> u32 {
        self.known.weights().len() as u32
    }

    fn reasons(&self) -> EndingWay {
        let cores: Vec<Vec<u32>> = self.strong_cores().cloned().collect();
        let (mut prices, parts) = self.prices.clone();
        prices.resize(cores.len(), 0);
        EndingWay {
            choices: self.choices.clone(),
            cores,
            prices,
            parts,
        }
    }

    /// Layouts that are not lost by themselves, and not in this hitting set.
    fn besides(&self, hitting: &[u32]) -> Layouts {
        let left = (0..self.count()).filter(|layout| hitting.binary_search(layout).is_err());
        left.collect()
    }

    /// An ascent from here; the layouts that are lost by themselves are paid for.
    fn ascent(&self, left: Layouts) -> Ascent {
        let total = self.known.total();
        let mut ascent = Ascent {
            left: Layouts::new(),
            rest: self.known.weights().to_vec(),
            prices: Vec::new(),
            bounds: (total, total),
        };
        for (core, is_strong) in self.known.cores().iter().zip(&self.are_strong) {
            match core.as_slice() {
                [_] => ascent.pay(core, *is_strong),
                _ if *is_strong => ascent.prices.push(0),
                _ => {}
            }
        }
        ascent.left = left;
        ascent
    }

    fn heavy(&self, layouts: &[u32]) -> Vec<Heavy> {
        let weights = self.known.weights();
        let heavy = layouts
            .iter()
            .map(|layout| (*layout, weights[*layout as usize]));
        heavy.collect()
    }
}

/// What is known of the searches [near](neighbours) the best set.
struct Near {
    /// How many other layouts are let in next.
    size: usize,
    random: Random,
    /// What it has cost.
    spent: u64,
    /// What it had cost when it last found a heavier set.
    paid: u64,
}

/// A search by ways that are all strategies together.
pub(super) struct Hunt<'h, 'a, 'w, 'x, B> {
    search: &'h mut Search<'a, 'w, 'x, B>,
    whole: &'h Whole,
    together: &'h mut Together<'a>,
    /// The table where declarer decides who wins with equal cards, if that is a different one.
    second: Option<&'h mut Together<'a>>,
    pub(super) ways: Vec<Way>,
    /// The set that grows, until nothing can be added.
    growth: Option<Growth>,
    near: Near,
    /// The weight of the best set that is won, here or before.
    best_weight: u64,
    /// The best set that is won here, if it is better, and its weight.
    pub(super) best: (Layouts, u64),
    gives: Gives,
    /// The search ends where a hitting set would take more nodes.
    pub(super) most_nodes: u64,
    /// The search ends when the total effort exceeds this.
    pub(super) until: u64,
    /// Whether a bound of the answer came from here.
    has_bounded: bool,
}

impl<'h, 'a, 'w, 'x, B: WorldSet> Hunt<'h, 'a, 'w, 'x, B> {
    pub(super) fn new(
        search: &'h mut Search<'a, 'w, 'x, B>,
        whole: &'h Whole,
        (together, second): (&'h mut Together<'a>, Option<&'h mut Together<'a>>),
        ways: Vec<Way>,
        gives: Gives,
    ) -> Self {
        let won = search.found.set.as_ref();
        let growth = (gives == Gives::Both).then(|| Growth::new(whole, won));
        let best_weight = won.map_or(0, |_| search.found.weight - search.outside);
        Self {
            search,
            whole,
            together,
            second,
            ways,
            growth,
            near: Near::new(),
            best_weight,
            best: (Layouts::new(), 0),
            gives,
            most_nodes: MOST_NODES,
            until: u64::MAX,
            has_bounded: false,
        }
    }

    /// Searches until the bounds meet, and says why.
    pub(super) fn close(&mut self) -> Result<(), Stop> {
        let closed = self.meet();
        self.explain();
        closed
    }

    /// Says why the bound holds.
    fn explain(&mut self) {
        if !self.has_bounded && !self.search.found.reasons.weights.is_empty() {
            return;
        }
        let whole = self.whole;
        let mut classes = vec![None; whole.places.len() + self.search.besides.count()];
        for (place, class) in &whole.places {
            classes[*place] = Some(*class as u32);
        }
        let weights = whole.layouts.iter().map(|layout| layout.weight);
        self.search.found.reasons = EndingReasons {
            classes,
            weights: weights.collect(),
            games: vec![self.orders()],
        };
    }

    /// The bound, and why it holds.
    fn orders(&self) -> EndingOrders {
        EndingOrders {
            first_ties: Vec::new(),
            bound: self.bound(),
            ways: self.ways.iter().map(Way::reasons).collect(),
        }
    }

    /// Searches until the bounds meet.
    fn meet(&mut self) -> Result<(), Stop> {
        let start = self.together.effort();
        self.won(&[]);
        loop {
            let ways = self.ways.iter().enumerate();
            let most = ways.max_by_key(|(number, way)| (way.bound, usize::MAX - number));
            let Some((number, way)) = most else {
                return Ok(());
            };
            if way.bound <= self.best_weight || self.search.is_closed() {
                return Ok(());
            }
            if way.bound < way.strong_bound && way.nodes > ENOUGH_NODES {
                // Closing this bound would not close the strong one.
                return Ok(());
            }
            if way.nodes > self.most_nodes || self.together.effort() > self.until {
                return Ok(());
            }
            let is_divided = way.looked == way.count()
                && (way.choices.is_empty() || way.nodes > MANY_NODES)
                && self.divide(number)?;
            if !is_divided {
                self.advance(number)?;
            }
            self.grow(start)?;
        }
    }

    /// Spends as much effort on sets that are won as on all else: on growth, and then on
    /// neighbours, as long as that pays.
    fn grow(&mut self, start: u64) -> Result<(), Stop> {
        while let Some(growth) = &mut self.growth {
            let effort = self.together.effort() - start;
            if 2 * (growth.spent + self.near.spent) > effort || self.search.is_closed() {
                break;
            }
            if !growth.is_over() {
                if growth.grow(self.together)? {
                    let set = growth.set();
                    self.won(&set);
                }
            } else if !self.near.pays(effort) || !self.look_near()? {
                break;
            }
        }
        Ok(())
    }

    /// Replaces a way by one for each card of a choice; false if no choice is left.
    fn divide(&mut self, number: usize) -> Result<bool, Stop> {
        let way = &self.ways[number];
        let left = (0..way.count()).filter(|layout| !way.known.is_lost(*layout));
        let left = way.heavy(&left.collect::<Vec<_>>());
        let (root, second) = way.roots;
        let Some(Choice { way: steps, count }) = self.together.choice(root, &left)? else {
            return Ok(false);
        };
        let way = self.ways.swap_remove(number);
        for step in 0..count {
            let mut cards = self.together.cards(root, &steps, step);
            let mut part = Way {
                nodes: FIRST_NODES,
                looked: 0,
                ascent: None,
                ..way.clone()
            };
            if let Some(card) = cards.pop() {
                let after = cards;
                part.choices.push(EndingChoice { after, card });
            }
            part.roots.0 = self.together.fixed(root, &steps, step);
            part.roots.1 = match &mut self.second {
                Some(table) => table.fixed(second, &steps, step),
                None => part.roots.0,
            };
            self.ways.push(part);
        }
        Ok(true)
    }

    /// The next step of a way: looks at single layouts, goes on with an ascent, or asks for a
    /// hitting set.
    fn advance(&mut self, number: usize) -> Result<(), Stop> {
        if self.ways[number].looked < self.ways[number].count() {
            return self.look(number);
        }
        if let Some(ascent) = self.ways[number].ascent.take() {
            return self.ascend(number, ascent);
        }
        let hitting = self.hit(number)?;
        let way = &mut self.ways[number];
        if way.bound <= self.best_weight {
            return Ok(());
        }
        let left = way.besides(&hitting.set);
        if way.known.weight(left.iter().copied()) > self.best_weight {
            way.ascent = Some(way.ascent(left));
        } else {
            // No known hitting set gives more than what is won: allow more nodes.
            way.nodes = way.nodes.saturating_mul(2).min(MOST_NODES);
        }
        Ok(())
    }

    /// Finds which of the next layouts are lost by themselves.
    fn look(&mut self, number: usize) -> Result<(), Stop> {
        let way = &mut self.ways[number];
        let (root, second) = way.roots;
        let next = (way.looked + LOOKS).min(way.count());
        for layout in way.looked..next {
            if way.known.is_lost(layout) || self.together.is_winnable(root, layout)? {
                continue;
            }
            let is_strong = match &mut self.second {
                None => true,
                Some(table) => !table.is_winnable(second, layout)?,
            };
            way.add(vec![layout], is_strong);
        }
        way.looked = next;
        let Ascent { bounds, prices, .. } = way.ascent(Layouts::new());
        self.bounded(number, bounds, || (prices, 1));
        Ok(())
    }

    /// A bound of what a way wins: by all its cores, or by the strong ones, which have prices.
    fn bounded(
        &mut self,
        number: usize,
        (bound, strong): (u64, u64),
        prices: impl FnOnce() -> (Vec<u64>, u64),
    ) {
        let way = &mut self.ways[number];
        way.bound = way.bound.min(bound);
        if strong < way.strong_bound {
            (way.strong_bound, way.prices) = (strong, prices());
            let bound = self.bound();
            self.has_bounded |= self.search.bounded(bound);
        }
    }

    /// The upper bound: the highest of any way.
    fn bound(&self) -> u64 {
        let bounds = self.ways.iter().map(|way| way.strong_bound);
        bounds.max().unwrap_or(0)
    }

    /// The lightest hitting set of all cores, as far as it is found, and its consequences.
    fn hit(&mut self, number: usize) -> Result<Hitting, Stop> {
        let way = &self.ways[number];
        let (weights, total) = (way.known.weights(), way.known.total());
        let budget = self.search.budget;
        let enough = total - self.best_weight;
        let lightest =
            |sets: &[&[u32]], nodes| lightest_hitting(weights, sets, enough, nodes, budget);
        let all: Vec<&[u32]> = way.known.cores().iter().map(Vec::as_slice).collect();
        let strong: Vec<&[u32]> = way.strong_cores().map(Vec::as_slice).collect();
        let hitting = lightest(&all, way.nodes)?;
        let (bound, prices) = if strong.len() == all.len() {
            (hitting.bound, hitting.prices.clone())
        } else {
            // They have a search of their own afterwards.
            let strongest = lightest(&strong, way.nodes / 4)?;
            (strongest.bound, strongest.prices)
        };
        let bounds = (total - hitting.bound.min(total), total - bound.min(total));
        self.bounded(number, bounds, || (prices, hitting.parts));
        Ok(hitting)
    }

    /// From a set without a known core, finds cores until a subset is won, and grows that; or stops
    /// when another way has a higher bound.
    fn ascend(&mut self, number: usize, mut ascent: Ascent) -> Result<(), Stop> {
        let root = self.ways[number].roots.0;
        let others = self.ways.iter().enumerate();
        let others = others.filter(|(other, _)| *other != number);
        let others = others.map(|(_, way)| way.bound).max().unwrap_or(0);
        while let Some(core) = self.together.core(root, &ascent.left)? {
            let core = self.learn(number, core)?;
            let is_strong = self.ways[number].are_strong.last() == Some(&true);
            ascent.pay(&core, is_strong);
            self.bounded(number, ascent.bounds, || (ascent.prices.clone(), 1));
            if self.ways[number].bound < others || self.together.effort() > self.until {
                self.ways[number].ascent = Some(ascent);
                return Ok(());
            }
        }
        let left = ascent.left;
        self.won(&left);
        loop {
            let known = &self.ways[number].known;
            let grown = known.grown(left.iter().copied());
            if known.weight(grown.iter().copied()) <= self.best_weight {
                return Ok(());
            }
            match self.together.core(root, &grown)? {
                None => {
                    self.won(&grown);
                    return Ok(());
                }
                Some(core) => {
                    self.learn(number, core)?;
                }
            }
        }
    }

    /// Records a set that is won.
    pub(super) fn won(&mut self, set: &[u32]) {
        let layouts = set
            .iter()
            .map(|layout| &self.whole.layouts[*layout as usize]);
        let weight = layouts.map(|layout| layout.weight).sum();
        if weight > self.best_weight {
            self.best_weight = weight;
            self.best = (set.to_vec(), weight);
        }
        if self.gives == Gives::Both {
            self.search.won(self.whole, set, weight);
        }
    }

    /// Makes a core smaller and keeps it.
    fn learn(&mut self, number: usize, mut core: Layouts) -> Result<Layouts, Stop> {
        let root = self.ways[number].roots.0;
        smaller(&mut core, |less| self.together.core(root, less))?;
        self.keep(number, core)
    }

    /// Keeps a core, or what is one of it in both tables.
    fn keep(&mut self, number: usize, mut core: Layouts) -> Result<Layouts, Stop> {
        let way = &mut self.ways[number];
        let mut is_strong = true;
        if let Some(table) = &mut self.second
            && self.together.has_ties()
        {
            match table.core(way.roots.1, &core)? {
                None => is_strong = false,
                Some(strong) => core = strong,
            }
        }
        core.sort_unstable();
        way.add(core.clone(), is_strong);
        Ok(core)
    }
}
