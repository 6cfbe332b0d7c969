//! The unions of the values of nodes, found on demand by searches over sets of worlds.
//!
//! Idea: the union of a family is a [homomorphism](meetjoin_lattice::relaxation) into sets of
//! worlds, so it may be taken at the leaves. A heuristic for the game may know the union of any
//! node, so it is asked first. A search over sets is cheap too, and all searches share one cache,
//! where the root's search leaves most of what is needed later.
//!
//! Invariant: a union that is returned holds all worlds of the universe in which the node can be
//! won, and, if it was found by search, no others. Worlds outside the universe are ignored; the
//! cache of the searches has true bounds of the whole unions.

use std::cell::RefCell;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin_lattice::{
    Budget, Families, HeavyFamilies, Interval, Lattice, Powerset, Relaxation, Stop, Unions,
    Weights, WorldSet,
};
use meetjoin_search::{Counts, Duo, Env, Image, Outcome, Store, Stores, Window, alpha_beta_duo_as};

/// A heuristic for inner nodes: bounds on the union of a value, and on the value itself among the
/// sets of a universe. `()` knows nothing. The better the second bounds, the fewer nodes are
/// searched; they are asked for with the universe of the search and the threshold 0, once for each
/// node.
pub trait KnownOfNodes<N, B: WorldSet>:
    Heuristic<N, Powerset<B>> + for<'w> Heuristic<N, HeavyFamilies<'w, B>>
{
}

impl<N, B, H> KnownOfNodes<N, B> for H
where
    B: WorldSet,
    H: Heuristic<N, Powerset<B>> + for<'w> Heuristic<N, HeavyFamilies<'w, B>>,
{
}

/// Unions, shared by the bounds and the order of children.
pub(super) type Shared<'r, D, B, V, H, S> = RefCell<
    UnionBounds<
        'r,
        D,
        B,
        V,
        H,
        Sets<<D as AndOrDag>::Node, B, S>,
        Found<<D as AndOrDag>::Node, B, S>,
    >,
>;

/// The cache of searches for unions.
pub(super) type Sets<N, B, S> = <S as Stores<N>>::Store<Interval<B>>;

/// The cache of unions of nodes within the universe.
pub(super) type Found<N, B, S> = <S as Stores<N>>::Store<Union<B>>;

/// The union of a node's value within the universe.
#[derive(Clone)]
pub(super) struct Union<B> {
    /// An upper bound of the union; exact if it was found by search.
    pub(super) worlds: B,
    /// The weight that it lacks of the universe.
    pub(super) lacking: u64,
    /// Whether one strategy wins all of it.
    pub(super) is_won: bool,
}

/// Unions of values, with the cache of their searches.
pub(super) struct UnionBounds<'a, D, B, V, H, R, K> {
    dag: &'a D,
    valuation: &'a V,
    relaxation: &'a Unions<'a, B>,
    window: Window<B>,
    weights: &'a Weights,
    /// The families of sets within the universe.
    all: HeavyFamilies<'a, B>,
    /// Asked before any search.
    heuristic: H,
    store: R,
    unions: K,
    counts: Counts,
}

impl<'a, D, B, V, H, R, K> UnionBounds<'a, D, B, V, H, R, K>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: KnownOfNodes<D::Node, B>,
    R: Store<D::Node, Interval<B>>,
    K: Store<D::Node, Union<B>>,
{
    /// No entries, and all worlds count.
    pub(super) fn new(
        dag: &'a D,
        valuation: &'a V,
        relaxation: &'a Unions<'a, B>,
        weights: &'a Weights,
        heuristic: H,
        (store, unions): (R, K),
    ) -> Self {
        let everything = relaxation.image().top();
        Self {
            dag,
            valuation,
            relaxation,
            window: Window::full(relaxation.image()),
            weights,
            all: HeavyFamilies::new(valuation.lattice(), everything, weights, 0),
            heuristic,
            store,
            unions,
            counts: Counts::default(),
        }
    }

    /// Restricts the universe. Before, only searches may have been made.
    pub(super) fn restrict(&mut self, universe: &B) {
        self.window.beta.clone_from(universe);
        let families = self.valuation.lattice();
        self.all = HeavyFamilies::new(families, universe.clone(), self.weights, 0);
    }

    /// The visits of all searches.
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
        // Later searches begin at any node.
        alpha_beta_duo_as(&root, &unions, &self.window, Duo::EVERYWHERE, &mut env)
    }

    /// The union of the value of an inner node.
    pub(super) fn union(&mut self, node: &D::Node, budget: &Budget) -> Result<Union<B>, Stop> {
        if let Some(known) = self.known(node, budget)? {
            return Ok(known);
        }
        let outcome = self.search(node.clone(), budget);
        if let Some(stop) = outcome.stop {
            return Err(stop);
        }
        let union = self.weighed(outcome.clipped.upper(), false);
        let slot = self.unions.get(node).0;
        self.unions.put(slot, node, union.clone(), budget)?;
        Ok(union)
    }

    /// The union, if it takes no search.
    pub(super) fn known(
        &mut self,
        node: &D::Node,
        budget: &Budget,
    ) -> Result<Option<Union<B>>, Stop> {
        let (slot, known) = self.unions.get(node);
        if let Some(known) = known {
            return Ok(Some(known.clone()));
        }
        drop(known);
        let Some(bounds) = self.heuristic.bounds(&self.all, node, budget)? else {
            return Ok(None);
        };
        let worlds = self.relaxation.image_of(bounds.upper());
        let is_won = bounds
            .exact()
            .is_some_and(|family| family.maximal().len() == 1);
        let union = self.weighed(&worlds, is_won);
        self.unions.put(slot, node, union.clone(), budget)?;
        Ok(Some(union))
    }

    fn weighed(&self, union: &B, is_won: bool) -> Union<B> {
        let (mut worlds, mut lacking) = (union.clone(), self.window.beta.clone());
        worlds.intersect_with(&self.window.beta);
        lacking.subtract(union);
        Union {
            worlds,
            lacking: self.weights.of_set(&lacking),
            is_won,
        }
    }

    /// A lower bound of the weight that the union of a node lacks of the universe, if one is known
    /// without search.
    pub(super) fn lacking(&mut self, node: &D::Node, budget: &Budget) -> Option<u64> {
        if self.dag.kind(node) == Kind::Leaf {
            let union = self.relaxation.image_of(&self.valuation.leaf(node));
            return Some(self.weighed(&union, false).lacking);
        }
        if let Ok(Some(union)) = self.known(node, budget) {
            return Some(union.lacking);
        }
        let known = self.store.get(node).1?;
        Some(self.weighed(known.upper(), false).lacking)
    }
}
