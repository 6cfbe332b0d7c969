//! The heaviest sets of a value in families: which uniform strategy wins with the greatest
//! probability.
//!
//! Problem: the value of a game with hidden information is a family of sets of worlds, of which a
//! player needs only the best. Worlds have weights: which set of the family is the heaviest? The
//! value itself can be too large to find.
//!
//! Idea: the sets of weight t and more of the root's value are the root's value in the [heavy
//! parts](HeavyFamilies) of families, in which nearly everything is dropped if t is near the
//! answer. So t is lowered step by step:
//!
//! 1. The union U of the root's value; where it is not known, by a search over sets of worlds
//!    (`heaviest/unions.rs`). No set is heavier than U, and no other world counts.
//! 2. One strategy, chosen by those unions, gives a set that is won and below which t need not go
//!    (`heaviest/greedy.rs`).
//! 3. Searches by [`alpha_beta_duo()`] over the heavy parts, the first with t the weight of U, then
//!    with what may be lacking growing by an eighth each time, until a search finds a set. It has
//!    then found *all* maximal sets of that weight and more, so the heaviest of them is the answer.
//!
//! In each search the union of a node's value, if it is heavy at all, is the upper bound of the
//! node; a node whose union is too light is the bottom at once. What an earlier search with a
//! higher t has found at a node is still a lower bound there. If that is the whole union, the node
//! is solved. A heuristic for the game may know the union of a node, and whether one strategy wins
//! all of it.
//!
//! Invariant: after a search with t that found nothing, no set weighs t or more. A stopped search
//! leaves the sets of its lower bound, which are won, and those of its upper bound, than which none
//! is heavier.
//!
//! Cost: the search over sets of worlds, unless unions are known, and then mostly the last few
//! searches. There are two caches of antichains at a time, and those of unions.
//!
//! Needs: values in [`Families`]; any graph. Worlds may be classes of equivalent worlds, weighted
//! by their size.
//!
//! Source: the window as a threshold of weight: Li et al. (2022), Corollary 1; lowering it step by
//! step is iterative deepening by cost, Korf (1985).

mod greedy;
mod unions;

use std::cell::RefCell;
use std::cmp::Reverse;
use std::sync::OnceLock;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Families, HeavyFamilies, Interval, Lattice, Stop, Unions, Weights, WorldSet,
};
use meetjoin_search::observer::Nodes;
use meetjoin_search::{Env, Observer, Order, Outcome, Store, Stores, Window, alpha_beta_duo};

pub use unions::KnownOfNodes;
use unions::{Shared, Union, UnionBounds};

/// From one threshold to the next, the weight that a set may lack grows by one part in this. The
/// cost of a search grows much faster than that weight, so unsuccessful searches are cheap and
/// overshooting is expensive; bisection would overshoot.  In a deal of racing with 26 cards and 502
/// classes of equal hands as worlds, where the union weighs 5,199 and the answer 4,084, the last
/// search took 0.3 s with growth by a tenth, 0.4 s by a fifth, 1.5 s by half; with doubling it came
/// to the threshold 3,152 and took 25 s (before bounds of positions were used).
const GROWTH: u64 = 8;

/// Which of the heaviest sets are wanted, and known bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The number of sets, at least 1.
    pub most: usize,
    /// Also all other sets that weigh as much as the last of these.
    pub ties: bool,
    /// A known upper bound of all weights, at which the search begins.
    pub at_most: Option<u64>,
    /// Only asks whether any set weighs more than this: the search ends with the first such set or,
    /// if there is none, without finding the heaviest, and with a bound no greater than this
    /// weight.
    pub more_than: Option<u64>,
}

impl Wanted {
    /// This many sets.
    pub fn most(most: usize) -> Self {
        Self {
            most,
            ties: false,
            at_most: None,
            more_than: None,
        }
    }
}

/// The heaviest sets of a value, with statistics of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heaviest<B> {
    /// The heaviest maximal sets of the value with their weights, the heaviest first; sets of equal
    /// weight are ordered by their ascending lists of worlds. There are as many as were asked for,
    /// or as exist. If the search was stopped: the heaviest sets found so far, or else a set that
    /// is won, if one is known.
    pub sets: Vec<(u64, B)>,
    /// An upper bound of the weights of the value's sets. If nothing stopped the search, and the
    /// question was not only for [more than](Wanted::more_than) some weight, it is the weight of
    /// the first set.
    pub bound: u64,
    /// Why the search was stopped before it knew all the sets, if it was.
    pub stop: Option<Stop>,
    /// The number of searches with a threshold that were begun.
    pub passes: u64,
    /// Visits of the searches for unions.
    pub relaxed_visits: u64,
}

/// The `most` heaviest maximal sets of the value of the root, by the weights of their worlds.
/// `most` is at least 1. [`heaviest_of`] asks for more.
///
/// The heuristic of `env` has [bounds of inner nodes](KnownOfNodes), `()` if nothing is known of
/// them. If it has bounds on the values within a universe, unions are not searched. The store of
/// `env` makes all caches. The observer receives the visits of the searches with a threshold.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_families::heaviest;
/// use meetjoin_lattice::{Budget, Families, Weights, Words};
/// use meetjoin_search::{Env, Tables};
///
/// let families = Families::<Words<1>>::of_worlds(3)?;
/// let won = |worlds: u64| families.principal(Words([worlds]));
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["x", "y"])?;
/// builder.leaf("x", won(0b011))?;
/// builder.leaf("y", won(0b110))?;
/// let problem = Problem::build(builder, "r", families.clone())?;
/// let weights = Weights::new([1, 2, 5])?;
/// let budget = Budget::unlimited();
/// let found = heaviest(&problem, &problem, &weights, 1, Env::new(&budget).with_store(Tables));
/// assert_eq!(found.sets, [(7, Words([0b110]))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn heaviest<D, B, V, H, S, O>(
    dag: &D,
    valuation: &V,
    weights: &Weights,
    most: usize,
    env: Env<'_, S, H, O>,
) -> Heaviest<B>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: KnownOfNodes<D::Node, B>,
    S: Stores<D::Node>,
    O: Observer<D::Node, Antichain<B>>,
{
    heaviest_of(dag, valuation, weights, Wanted::most(most), env)
}

/// The heaviest sets as far as they are [wanted](Wanted).
pub fn heaviest_of<D, B, V, H, S, O>(
    dag: &D,
    valuation: &V,
    weights: &Weights,
    wanted: Wanted,
    env: Env<'_, S, H, O>,
) -> Heaviest<B>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: KnownOfNodes<D::Node, B>,
    S: Stores<D::Node>,
    O: Observer<D::Node, Antichain<B>>,
{
    let Env {
        budget,
        store: ref stores,
        heuristic: known,
        mut observer,
        ..
    } = env;
    let relaxation = Unions::of(valuation.lattice(), false);
    let mut relaxed = UnionBounds::new(
        dag,
        valuation,
        &relaxation,
        weights,
        known,
        (stores.store(), stores.store()),
    );
    let union = relaxed.search(dag.root(), budget);
    let of_union = weights.of_set(union.value.upper());
    let mut found = Heaviest {
        sets: Vec::new(),
        bound: wanted.at_most.map_or(of_union, |most| most.min(of_union)),
        stop: union.stop,
        passes: 0,
        relaxed_visits: relaxed.visits(),
    };
    if union.stop.is_some() {
        found
            .sets
            .extend(heaviest_world(weights, union.value.lower()));
        return found;
    }
    let universe = union.value.upper().clone();
    relaxed.restrict(&universe);
    let relaxed = RefCell::new(relaxed);
    // Threads may find different sets, but must all lower the threshold to the same one. A thread
    // that waits here checks no limits; the thread that searches has the same limits.
    let certain = stores.common::<OnceLock<_>>();
    let strategy = || greedy::strategy(dag, &relaxed, weights, stores, budget);
    let certain: Option<B> = certain.get_or_init(strategy).clone();
    let mut search = Search {
        dag,
        valuation,
        weights,
        wanted,
        stores,
        budget,
        relaxed: &relaxed,
        universe,
        found,
    };
    let certain = certain.map(|set| (weights.of_set(&set), set));
    search.descend(certain, &mut observer);
    let found = search.found;
    Heaviest {
        relaxed_visits: relaxed.borrow().visits(),
        ..found
    }
}

/// Combines what threads with the same question have found: a finished answer if one has it, or
/// else the least bound and the heaviest set.
pub fn together<B>(own: Heaviest<B>, helped: Vec<Heaviest<B>>) -> Heaviest<B> {
    let relaxed_visits = own.relaxed_visits + helped.iter().map(|h| h.relaxed_visits).sum::<u64>();
    let best = helped.into_iter().fold(own, |best, other| {
        let weight = |found: &Heaviest<B>| found.sets.first().map(|(weight, _)| *weight);
        match (best.stop, other.stop) {
            (None, _) => best,
            (_, None) => other,
            _ => {
                let bound = best.bound.min(other.bound);
                let better = weight(&other) > weight(&best);
                let passes = best.passes.max(other.passes);
                let best = if better { other } else { best };
                Heaviest {
                    bound,
                    passes,
                    ..best
                }
            }
        }
    });
    Heaviest {
        relaxed_visits,
        ..best
    }
}

/// The heaviest world of a set, as a set; the first of several. Some strategy wins in it.
fn heaviest_world<B: WorldSet>(weights: &Weights, set: &B) -> Option<(u64, B)> {
    let world = set.ones().min_by_key(|w| Reverse(weights.of_world(*w)))?;
    let mut one = B::empty(weights.worlds());
    one.insert(world);
    Some((weights.of_world(world), one))
}

/// The state that persists from threshold to threshold.
struct Search<'a, 'r, D: AndOrDag, B: WorldSet, V, H, S: Stores<D::Node>> {
    dag: &'a D,
    valuation: &'a V,
    weights: &'a Weights,
    wanted: Wanted,
    stores: &'a S,
    budget: &'a Budget,
    relaxed: &'a Shared<'r, D, B, V, H, S>,
    universe: B,
    found: Heaviest<B>,
}

/// The cache of one search.
type Known<N, B, S> = <S as Stores<N>>::Store<Interval<Antichain<B>>>;

impl<D, B, V, H, S> Search<'_, '_, D, B, V, H, S>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: KnownOfNodes<D::Node, B>,
    S: Stores<D::Node>,
{
    /// Lowers the threshold until enough sets are found. `certain` is a set that is won.
    fn descend<O>(&mut self, certain: Option<(u64, B)>, observer: &mut O)
    where
        O: Observer<D::Node, Antichain<B>>,
    {
        let known = self.found.bound;
        let step = self.universe.ones().map(|w| self.weights.of_world(w));
        let step = step.filter(|weight| *weight > 0).min().unwrap_or(0);
        let certain = certain.or_else(|| heaviest_world(self.weights, &self.universe));
        let least = self
            .wanted
            .more_than
            .map_or(0, |weight| weight.saturating_add(1));
        let floor = certain.as_ref().map_or(0, |(weight, _)| *weight).max(least);
        let most = self.wanted.most.max(1);
        if known < least {
            return;
        }
        if let (Some(_), Some(enough)) = (self.wanted.more_than, &certain)
            && enough.0 >= least
        {
            self.found.sets.push(enough.clone());
            return;
        }
        let (mut lacking, mut before) = (0_u64, None);
        loop {
            let mut threshold = known.saturating_sub(lacking).max(least);
            if self.found.sets.is_empty() {
                threshold = threshold.max(floor);
            }
            self.found.passes += 1;
            let (outcome, cache) = self.pass(threshold, before.as_ref(), observer);
            if let Some(stop) = outcome.stop {
                self.stopped(stop, threshold, &outcome.value, certain);
                return;
            }
            self.found.sets = self.heaviest_of(outcome.value.lower());
            self.found.bound = match self.found.sets.first() {
                Some((weight, _)) => *weight,
                None => known.min(threshold.saturating_sub(1)),
            };
            if self.found.sets.len() >= most || threshold == least {
                let last = self.found.sets.get(most - 1).map(|(weight, _)| *weight);
                let mut kept = 0;
                self.found.sets.retain(|(weight, _)| {
                    kept += 1;
                    kept <= most || (self.wanted.ties && Some(*weight) == last)
                });
                return;
            }
            before = Some(cache);
            lacking = lacking.saturating_add((lacking / GROWTH).max(step));
        }
    }

    /// One search over the sets of weight `threshold` and more, which may use the results of the
    /// search before.
    fn pass<O>(
        &self,
        threshold: u64,
        before: Option<&Known<D::Node, B, S>>,
        observer: &mut O,
    ) -> (Outcome<Antichain<B>>, Known<D::Node, B, S>)
    where
        O: Observer<D::Node, Antichain<B>>,
    {
        let families = self.valuation.lattice();
        let leaves = HeavyLeaves {
            valuation: self.valuation,
            lattice: HeavyFamilies::new(families, self.universe.clone(), self.weights, threshold),
        };
        let window = Window::full(&leaves.lattice);
        let relaxed = self.relaxed;
        let env = Env::new(self.budget).with_store(self.stores.store());
        let env = env.with_heuristic(Bounds { relaxed, before });
        let budget = self.budget;
        let env = env.with_order(Heavier { relaxed, budget });
        let mut env = env.with_observer(Nodes::new(observer));
        let outcome = alpha_beta_duo(self.dag, &leaves, &window, &mut env);
        (outcome, env.store)
    }

    /// Sets with their weights, in the order of the answer.
    fn heaviest_of(&self, family: &Antichain<B>) -> Vec<(u64, B)> {
        weighed(family, self.weights)
    }

    /// The result of a stopped search.
    fn stopped(
        &mut self,
        stop: Stop,
        threshold: u64,
        value: &Interval<Antichain<B>>,
        certain: Option<(u64, B)>,
    ) {
        self.found.stop = Some(stop);
        // The sets that an earlier search has found are the heaviest.
        if self.found.sets.is_empty() {
            let won = self.heaviest_of(value.lower()).into_iter().next();
            self.found.sets.extend(won.or(certain));
            let heaviest = self.heaviest_of(value.upper());
            let heaviest = heaviest.first().map_or(0, |(weight, _)| *weight);
            let bound = heaviest.max(threshold.saturating_sub(1));
            self.found.bound = self.found.bound.min(bound);
        }
    }
}

/// The heavy parts of the values of leaves.
struct HeavyLeaves<'a, 'w, V, B> {
    valuation: &'a V,
    lattice: HeavyFamilies<'w, B>,
}

impl<'w, N, B, V> Valuation<N> for HeavyLeaves<'_, 'w, V, B>
where
    B: WorldSet,
    V: Valuation<N, Lattice = Families<B>>,
{
    type Lattice = HeavyFamilies<'w, B>;

    fn lattice(&self) -> &HeavyFamilies<'w, B> {
        &self.lattice
    }

    fn leaf(&self, node: &N) -> Antichain<B> {
        let family = self.valuation.leaf(node);
        let part = self.lattice.heavy_part(&family, &Budget::unlimited());
        part.unwrap_or_else(|_| unreachable!("there is no limit"))
    }
}

/// Bounds of inner nodes: above, the union of the node's value as one set; below, what an earlier
/// search has found.
struct Bounds<'a, 'r, D, B, V, H, R, U, K> {
    relaxed: &'a RefCell<UnionBounds<'r, D, B, V, H, R, U>>,
    before: Option<&'a K>,
}

impl<'w, D, B, V, H, R, U, K> Heuristic<D::Node, HeavyFamilies<'w, B>>
    for Bounds<'_, '_, D, B, V, H, R, U, K>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: KnownOfNodes<D::Node, B>,
    R: Store<D::Node, Interval<B>>,
    U: Store<D::Node, Union<B>>,
    K: Store<D::Node, Interval<Antichain<B>>>,
{
    fn bounds(
        &mut self,
        lattice: &HeavyFamilies<'w, B>,
        node: &D::Node,
        budget: &Budget,
    ) -> Result<Option<Interval<Antichain<B>>>, Stop> {
        let union = self.relaxed.borrow_mut().union(node, budget)?;
        let upper = lattice.principal(union.worlds);
        if union.is_won {
            return Ok(Some(Interval::Exact(upper)));
        }
        let known = self.before.and_then(|before| before.get(node).1);
        let lower = known.map_or_else(|| lattice.bottom(), |known| known.lower().clone());
        Ok(Some(Interval::new(lower, upper)))
    }
}

/// Sets with their weights, the heaviest first. It is compiled once for all games.
fn weighed<B: WorldSet>(family: &Antichain<B>, weights: &Weights) -> Vec<(u64, B)> {
    let sets = family.maximal().iter();
    let mut sets: Vec<(u64, B)> = sets.map(|set| (weights.of_set(set), set.clone())).collect();
    sets.sort_unstable_by(|(a, x), (b, y)| b.cmp(a).then_with(|| x.ones().cmp(y.ones())));
    sets
}

/// An order of children by known unions: the heaviest first where MAX moves, the lightest first
/// where MIN does, unknown ones last.
struct Heavier<'a, 'r, D, B, V, H, R, U> {
    relaxed: &'a RefCell<UnionBounds<'r, D, B, V, H, R, U>>,
    budget: &'a Budget,
}

impl<D, B, V, H, R, U> Order<D::Node> for Heavier<'_, '_, D, B, V, H, R, U>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: KnownOfNodes<D::Node, B>,
    R: Store<D::Node, Interval<B>>,
    U: Store<D::Node, Union<B>>,
{
    fn arrange(&mut self, _: &D::Node, kind: Kind, children: &mut [D::Node]) {
        let mut relaxed = self.relaxed.borrow_mut();
        children.sort_by_cached_key(|child| match (relaxed.lacking(child, self.budget), kind) {
            (None, _) => u64::MAX,
            (Some(lacking), Kind::And) => u64::MAX - 1 - lacking.min(u64::MAX - 1),
            (Some(lacking), _) => lacking,
        });
    }
}
