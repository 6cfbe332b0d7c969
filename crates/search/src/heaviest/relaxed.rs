//! The unions of the values of nodes, found by searches over sets of worlds where they are asked for.
//!
//! Idea: the union of a family is a [homomorphism](meetjoin_lattice::relaxation) into sets of worlds, so it may be taken at the leaves. Whoever knows the game may
//! know the union of any node at once, so that is asked first. A search over sets is cheap too, and all searches share one cache: what the root's search
//! left tells most of what is asked for later.
//!
//! Invariant: a union that is returned holds all worlds of the universe in which the node can be won, and no others. Worlds outside are not looked at, and
//! the cache has true bounds of the whole unions.

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin_lattice::relaxation::Unions;
use meetjoin_lattice::{Budget, Families, Interval, Powerset, Relaxation, Stop, Weights, WorldSet};

use crate::relaxed::Image;
use crate::{Counts, Env, Outcome, Store, Window, alpha_beta_duo};

/// Unions of values, with the cache of their searches.
pub(super) struct Relaxed<'a, D, B, V, H, R> {
    dag: &'a D,
    valuation: &'a V,
    relaxation: &'a Unions<'a, B>,
    window: Window<B>,
    weights: Option<&'a Weights>,
    /// Asked before anything is searched.
    heuristic: H,
    store: R,
    counts: Counts,
}

impl<'a, D, B, V, H, R> Relaxed<'a, D, B, V, H, R>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: Heuristic<D::Node, Powerset<B>>,
    R: Store<D::Node, Interval<B>>,
{
    /// Nothing searched, and all worlds count.
    pub(super) fn new(
        dag: &'a D,
        valuation: &'a V,
        relaxation: &'a Unions<'a, B>,
        heuristic: H,
        store: R,
    ) -> Self {
        Self {
            dag,
            valuation,
            relaxation,
            window: Window::full(relaxation.image()),
            weights: None,
            heuristic,
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
        self.valuation
    }

    /// The worlds that count.
    pub(super) fn universe(&self) -> &B {
        &self.window.beta
    }

    /// The lattice of sets.
    pub(super) fn sets(&self) -> &'a Powerset<B> {
        self.relaxation.image()
    }

    /// Searches below a node.
    pub(super) fn search(&mut self, node: D::Node, budget: &Budget) -> Outcome<B> {
        let root = Rooted {
            dag: self.dag,
            root: node,
        };
        let env = Env::new(budget).with_store(&mut self.store);
        let env = env.with_heuristic(&mut self.heuristic);
        let mut env = env.with_observer(&mut self.counts);
        let unions = Image::new(self.valuation, self.relaxation);
        alpha_beta_duo(&root, &unions, &self.window, &mut env)
    }

    /// The union of the value of an inner node, within the universe.
    pub(super) fn union(&mut self, node: &D::Node, budget: &Budget) -> Result<B, Stop> {
        if let Some(known) = self.known(node, budget)? {
            return Ok(known);
        }
        let outcome = self.search(node.clone(), budget);
        match outcome.stop {
            Some(stop) => Err(stop),
            None => Ok(outcome.clipped.upper().clone()),
        }
    }

    /// The same, if it takes no search.
    fn known(&mut self, node: &D::Node, budget: &Budget) -> Result<Option<B>, Stop> {
        let (slot, known) = self.store.get(node);
        if let Some(known) = known {
            let upper = self.within(known.upper());
            let exact = known.exact().is_some() || upper == self.within(known.lower());
            return Ok(exact.then_some(upper));
        }
        drop(known);
        let sets = self.relaxation.image();
        let bounds = self.heuristic.bounds(sets, node, budget)?;
        let Some(Interval::Exact(union)) = bounds else {
            return Ok(None);
        };
        let within = self.within(&union);
        self.store.put(slot, node, Interval::Exact(union), budget)?;
        Ok(Some(within))
    }

    /// The worlds of a set that count.
    fn within(&self, set: &B) -> B {
        let mut set = set.clone();
        set.intersect_with(&self.window.beta);
        set
    }

    /// What the union of a node lacks of the universe, in weight: a lower bound of it, if one is known without search.
    pub(super) fn lacking(&mut self, node: &D::Node, budget: &Budget) -> Option<u64> {
        let mut lacking = self.window.beta.clone();
        if self.dag.kind(node) == Kind::Leaf {
            let union = self.relaxation.image_of(&self.valuation.leaf(node));
            lacking.subtract(&union);
        } else if let Ok(Some(union)) = self.known(node, budget) {
            lacking.subtract(&union);
        } else {
            lacking.subtract(self.store.get(node).1?.upper());
        }
        Some(self.weights?.of_set(&lacking))
    }
}
