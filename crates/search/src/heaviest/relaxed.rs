//! The unions of the values of nodes, found by searches over sets of worlds where they are asked for.
//!
//! Idea: the union of a family is a homomorphism into sets of worlds, so it may be taken at the leaves. A search over sets is cheap, and all searches share one
//! cache: what the root's search left tells most of what is asked for later.
//!
//! Invariant: a union that is returned holds all worlds of the universe in which the node can be won, and no others. Worlds outside are not looked at, and
//! the cache has true bounds of the whole unions.

use meetjoin_dag::{AndOrDag, Kind, Rooted, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Families, Interval, Lattice, Powerset, Stop, Weights, WorldSet,
};

use crate::{Counts, Env, Outcome, Store, Window, alpha_beta_duo};

/// Unions of values, with the cache of their searches.
pub(super) struct Relaxed<'a, D, B, V, R> {
    dag: &'a D,
    unions: Unions<'a, V, B>,
    window: Window<B>,
    weights: Option<&'a Weights>,
    store: R,
    counts: Counts,
}

impl<'a, D, B, V, R> Relaxed<'a, D, B, V, R>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    R: Store<D::Node, Interval<B>>,
{
    /// Nothing known, and all worlds count.
    pub(super) fn new(dag: &'a D, valuation: &'a V, store: R) -> Self {
        let sets = valuation.lattice().base();
        Self {
            dag,
            unions: Unions { valuation, sets },
            window: Window::full(sets),
            weights: None,
            store,
            counts: Counts::default(),
        }
    }

    /// From now on only these worlds count, with these weights.
    pub(super) fn restrict(&mut self, universe: &B, weights: &'a Weights) {
        self.window.beta.clone_from(universe);
        self.weights = Some(weights);
    }

    /// Visits of all searches.
    pub(super) fn visits(&self) -> u64 {
        self.counts.visits
    }

    /// The values of leaves in families.
    pub(super) fn valuation(&self) -> &'a V {
        self.unions.valuation
    }

    /// The worlds that count.
    pub(super) fn universe(&self) -> &B {
        &self.window.beta
    }

    /// The lattice of sets.
    pub(super) fn sets(&self) -> &'a Powerset<B> {
        self.unions.sets
    }

    /// Searches below a node.
    pub(super) fn search(&mut self, node: D::Node, budget: &Budget) -> Outcome<B> {
        let root = Rooted {
            dag: self.dag,
            root: node,
        };
        let env = Env::new(budget).with_store(&mut self.store);
        let mut env = env.with_observer(&mut self.counts);
        alpha_beta_duo(&root, &self.unions, &self.window, &mut env)
    }

    /// The union of the value of an inner node, within the universe.
    pub(super) fn union(&mut self, node: &D::Node, budget: &Budget) -> Result<B, Stop> {
        if let Some(known) = self.known(node) {
            return Ok(known);
        }
        let outcome = self.search(node.clone(), budget);
        match outcome.stop {
            Some(stop) => Err(stop),
            None => Ok(outcome.clipped.upper().clone()),
        }
    }

    /// The same, if the cache knows it.
    fn known(&self, node: &D::Node) -> Option<B> {
        let known = self.store.get(node).1?;
        let within = |set: &B| {
            let mut set = set.clone();
            set.intersect_with(&self.window.beta);
            set
        };
        let upper = within(known.upper());
        let exact = known.exact().is_some() || upper == within(known.lower());
        exact.then_some(upper)
    }

    /// What the union of a node lacks of the universe, in weight: a lower bound of it, if the cache has one.
    pub(super) fn lacking(&self, node: &D::Node) -> Option<u64> {
        let mut lacking = self.window.beta.clone();
        if self.dag.kind(node) == Kind::Leaf {
            lacking.subtract(&self.unions.leaf(node));
        } else {
            lacking.subtract(self.store.get(node).1?.upper());
        }
        Some(self.weights?.of_set(&lacking))
    }
}

/// The union of the sets of each family.
struct Unions<'a, V, B> {
    valuation: &'a V,
    sets: &'a Powerset<B>,
}

impl<N, B, V> Valuation<N> for Unions<'_, V, B>
where
    B: WorldSet,
    V: Valuation<N, Lattice = Families<B>>,
{
    type Lattice = Powerset<B>;

    fn lattice(&self) -> &Powerset<B> {
        self.sets
    }

    fn leaf(&self, node: &N) -> B {
        union(self.sets, &self.valuation.leaf(node))
    }
}

/// The union of the sets of a family.
fn union<B: WorldSet>(sets: &Powerset<B>, family: &Antichain<B>) -> B {
    let mut union = sets.bottom();
    for set in family.maximal() {
        union.union_with(set);
    }
    union
}
