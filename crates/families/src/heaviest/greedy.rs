//! A greedy strategy: at each node MAX makes the move whose union lacks least.
//!
//! Idea: if each node of MAX keeps only the move of the strategy, the value of that graph in sets
//! of worlds is a set of the root's family. Where a leaf has several sets, it takes the heaviest.
//!
//! Cost: a search of the positions that can be reached under the strategy.

use std::cell::RefCell;
use std::fmt;

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{Budget, Families, Interval, Powerset, Weights, WorldSet};
use meetjoin_search::{Env, Store, Stores, Window, alpha_beta_duo};

use super::unions::{KnownOfNodes, Shared, Union, UnionBounds};

/// A set of the root's family, if the strategy wins in some world and nothing stops the search.
pub(super) fn strategy<D, B, V, H, S>(
    dag: &D,
    relaxed: &Shared<'_, D, B, V, H, S>,
    weights: &Weights,
    stores: &S,
    budget: &Budget,
) -> Option<B>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: KnownOfNodes<D::Node, B>,
    S: Stores<D::Node>,
{
    let (valuation, sets, universe) = {
        let relaxed = relaxed.borrow();
        (
            relaxed.valuation(),
            relaxed.sets(),
            relaxed.universe().clone(),
        )
    };
    let followed = Followed {
        dag,
        relaxed,
        budget,
    };
    let leaves = HeaviestSets {
        valuation,
        sets,
        weights,
        universe: &universe,
    };
    // The moves depend on what is known at the time, so the cache is not shared.
    let mut env = Env::new(budget).with_store(stores.own());
    let outcome = alpha_beta_duo(&followed, &leaves, &Window::full(sets), &mut env);
    // The empty set may stand for "no set".
    outcome
        .exact()
        .filter(|set| set.ones().next().is_some())
        .cloned()
}

/// The graph in which each OR node keeps one child.
struct Followed<'a, 'r, D, B, V, H, R, K> {
    dag: &'a D,
    relaxed: &'a RefCell<UnionBounds<'r, D, B, V, H, R, K>>,
    budget: &'a Budget,
}

impl<D, B, V, H, R, K> AndOrDag for Followed<'_, '_, D, B, V, H, R, K>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    H: KnownOfNodes<D::Node, B>,
    R: Store<D::Node, Interval<B>>,
    K: Store<D::Node, Union<B>>,
{
    type Node = D::Node;

    fn root(&self) -> D::Node {
        self.dag.root()
    }

    fn kind(&self, node: &D::Node) -> Kind {
        self.dag.kind(node)
    }

    fn children(&self, node: &D::Node, out: &mut Vec<D::Node>) {
        let first = out.len();
        self.dag.children(node, out);
        if self.dag.kind(node) == Kind::Or {
            let mut relaxed = self.relaxed.borrow_mut();
            let mut lacking = |place: &usize| relaxed.lacking(&out[*place], self.budget);
            let best = (first..out.len()).min_by_key(|place| lacking(place).unwrap_or(u64::MAX));
            out.swap(first, best.unwrap_or(first));
            out.truncate(first + 1);
        }
    }

    fn is_shared(&self, node: &D::Node) -> bool {
        self.dag.is_shared(node)
    }

    fn prefetch(&self, nodes: &[D::Node]) {
        self.dag.prefetch(nodes);
    }

    fn name(&self, node: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.dag.name(node, out)
    }

    fn move_name(&self, from: &D::Node, to: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.dag.move_name(from, to, out)
    }
}

/// The heaviest set of each leaf's family, or the empty set if it has none.
struct HeaviestSets<'a, V, B> {
    valuation: &'a V,
    sets: &'a Powerset<B>,
    weights: &'a Weights,
    universe: &'a B,
}

impl<N, B, V> Valuation<N> for HeaviestSets<'_, V, B>
where
    B: WorldSet,
    V: Valuation<N, Lattice = Families<B>>,
{
    type Lattice = Powerset<B>;

    fn lattice(&self) -> &Powerset<B> {
        self.sets
    }

    fn leaf(&self, node: &N) -> B {
        let family = self.valuation.leaf(node);
        let within = family.maximal().iter().map(|set| {
            let mut set = set.clone();
            set.intersect_with(self.universe);
            set
        });
        let heaviest = within.max_by_key(|set| self.weights.of_set(set));
        heaviest.unwrap_or_else(|| B::empty(self.sets.worlds()))
    }
}
