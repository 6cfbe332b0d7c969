//! Strategies: which move guarantees a value.
//!
//! Problem: the value of a root says what MAX can guarantee, and not how. A player wants the moves.
//!
//! Idea: for a join-prime t, "t lies below the value" is a claim that is true or false of each node ([`Threshold`]): an OR node has it if one child does, an AND node if all do.
//! So below a node that has it there is a *strategy*: a part of the graph with one child of each OR node, all children of each AND node, and t below
//! the value of each leaf. In families of sets of worlds t is one set, and the strategy is uniform: it wins in all of its worlds, and depends on the node alone.
//!
//! The claim is looked up where a search has left intervals, in its cache or in those of a heuristic, and searched where they do not decide it. So after a search that
//! found t hardly anything is searched again, and a cache that forgot, or none, costs time and nothing else.
//!
//! Invariant: what a strategy says is checked by [`Strategy::check`], which shares nothing with the search.
//!
//! Cost: for each node of the strategy a look at its children; a Boolean search where nothing is known.
//!
//! Needs: t join-prime (in a powerset one world, in families one set, in a chain any number above the least).
//!
//! Source: uniform strategies as sets of the root's family: Frank, Basin (1998); Li et al. (2022), section 6.

use std::collections::HashMap;
use std::marker::PhantomData;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin_lattice::{Bool, Budget, ElemOf, Interval, Lattice, Stop};

use crate::proof::{Threshold, ThresholdBounds};
use crate::{Env, Store, Stores, Window, alpha_beta_duo};

/// A heuristic that looks into the cache of a search first.
#[derive(Clone, Copy, Debug)]
pub struct Remembered<S, H> {
    /// The cache.
    pub cache: S,
    /// Asked where the cache does not know.
    pub otherwise: H,
}

impl<N, L, S, H> Heuristic<N, L> for Remembered<S, H>
where
    L: Lattice,
    S: Store<N, Interval<L::Elem>>,
    H: Heuristic<N, L>,
{
    fn bounds(
        &mut self,
        lattice: &L,
        node: &N,
        budget: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop> {
        if let Some(known) = self.cache.get(node).1 {
            return Ok(Some((*known).clone()));
        }
        self.otherwise.bounds(lattice, node, budget)
    }
}

/// Says of any node whether a join-prime lies below its value.
#[derive(Debug)]
pub struct Guarantees<'a, D: AndOrDag, V: Valuation<D::Node>, H, S: Stores<D::Node>> {
    dag: &'a D,
    claim: Threshold<'a, V, ElemOf<V::Lattice>>,
    bounds: ThresholdBounds<'a, V::Lattice, ElemOf<V::Lattice>, H>,
    found: S::Store<Interval<bool>>,
    stores: PhantomData<S>,
}

impl<'a, D, V, H, S> Guarantees<'a, D, V, H, S>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    H: Heuristic<D::Node, V::Lattice>,
    S: Stores<D::Node>,
{
    /// For one join-prime. `known` has bounds of nodes: what a search has [remembered](Remembered), or a heuristic, or `()`.
    pub fn new(
        dag: &'a D,
        valuation: &'a V,
        at_least: ElemOf<V::Lattice>,
        known: H,
        stores: &S,
    ) -> Self {
        Self {
            dag,
            claim: Threshold::new(valuation, at_least.clone()),
            bounds: ThresholdBounds::new(valuation.lattice(), at_least, known),
            found: stores.store(),
            stores: PhantomData,
        }
    }

    /// Whether it lies below the value of a node.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn holds(&mut self, node: &D::Node, budget: &Budget) -> Result<bool, Stop> {
        let known = self
            .found
            .get(node)
            .1
            .and_then(|known| known.exact().copied());
        if let Some(known) = known {
            return Ok(known);
        }
        if self.dag.kind(node) == Kind::Leaf {
            return Ok(self.claim.leaf(node));
        }
        let root = Rooted {
            dag: self.dag,
            root: node.clone(),
        };
        let env = Env::new(budget).with_store(&mut self.found);
        let mut env = env.with_heuristic(&mut self.bounds);
        let outcome = alpha_beta_duo(&root, &self.claim, &Window::full(&Bool), &mut env);
        outcome
            .exact()
            .copied()
            .ok_or(outcome.stop.unwrap_or(Stop::Cancelled))
    }
}

/// A part of a graph with one child of each OR node and all children of each AND node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy<N> {
    nodes: Vec<(N, Vec<usize>)>,
}

/// Why something is no strategy that guarantees a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoStrategy {
    /// It does not begin at the root.
    #[error("the strategy does not begin at the root")]
    OtherRoot,
    /// An OR node without exactly one of its children.
    #[error("node {0} of the strategy has not exactly one of its children")]
    NotOne(usize),
    /// An AND node without all of its children.
    #[error("node {0} of the strategy has not all of its children")]
    NotAll(usize),
    /// A leaf that is worth less.
    #[error("leaf {0} of the strategy is not worth what the strategy guarantees")]
    Less(usize),
}

impl<N: Clone + Eq + std::hash::Hash> Strategy<N> {
    /// The nodes that play by the strategy can reach, each once, the root first; with the places of the children that belong to it.
    pub fn nodes(&self) -> &[(N, Vec<usize>)] {
        &self.nodes
    }

    /// The move at an OR node of the strategy, or `None` at any other node.
    pub fn choice(&self, place: usize) -> Option<&N> {
        match self.nodes[place].1.as_slice() {
            [child] => Some(&self.nodes[*child].0),
            _ => None,
        }
    }

    /// Plays the strategy against every reply: it begins at the root, goes on with one child of each OR node and all of each AND node, and comes to leaves that
    /// are worth at least `at_least`.
    ///
    /// # Errors
    /// The first node where that fails.
    pub fn check<D, V>(
        &self,
        dag: &D,
        valuation: &V,
        at_least: &ElemOf<V::Lattice>,
    ) -> Result<(), NoStrategy>
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N>,
    {
        let free = Budget::unlimited();
        if self
            .nodes
            .first()
            .is_none_or(|(root, _)| *root != dag.root())
        {
            return Err(NoStrategy::OtherRoot);
        }
        let mut children = Vec::new();
        for (place, (node, followed)) in self.nodes.iter().enumerate() {
            children.clear();
            let kind = dag.kind(node);
            if kind != Kind::Leaf {
                dag.children(node, &mut children);
            }
            let followed: Vec<Option<&N>> = followed
                .iter()
                .map(|child| self.nodes.get(*child).map(|(node, _)| node))
                .collect();
            let follows = |child: &N| followed.contains(&Some(child));
            let known = followed
                .iter()
                .all(|child| child.is_some_and(|child| children.contains(child)));
            match kind {
                Kind::Leaf => {
                    let value = valuation.leaf(node);
                    if valuation.lattice().leq(at_least, &value, &free) != Ok(true) {
                        return Err(NoStrategy::Less(place));
                    }
                }
                Kind::Or if followed.len() != 1 || !known => return Err(NoStrategy::NotOne(place)),
                Kind::And if !known || !children.iter().all(follows) => {
                    return Err(NoStrategy::NotAll(place));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// A strategy that guarantees a join-prime; `None` if it does not lie below the root's value.
///
/// Of several moves that guarantee it, one is taken that leads to a node which the strategy reaches anyway, and otherwise the first.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Families, Words};
/// use meetjoin_search::strategy::{Guarantees, strategy};
/// use meetjoin_search::Tables;
///
/// let families = Families::<Words<1>>::of_worlds(3)?;
/// let won = |worlds: u64| families.principal(Words([worlds]));
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["x", "y"])?;
/// builder.leaf("x", won(0b011))?;
/// builder.leaf("y", won(0b110))?;
/// let problem = Problem::build(builder, "r", families.clone())?;
/// let both = won(0b110);
/// let mut guarantees = Guarantees::new(&problem, &problem, both.clone(), (), &Tables);
/// let found = strategy(&problem, &mut guarantees, &Budget::unlimited())?.expect("it can be won");
/// assert_eq!(found.nodes().len(), 2);
/// assert_eq!(found.check(&problem, &problem, &both), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the budget ends it.
pub fn strategy<D, V, H, S>(
    dag: &D,
    guarantees: &mut Guarantees<'_, D, V, H, S>,
    budget: &Budget,
) -> Result<Option<Strategy<D::Node>>, Stop>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    H: Heuristic<D::Node, V::Lattice>,
    S: Stores<D::Node>,
{
    let root = dag.root();
    if !guarantees.holds(&root, budget)? {
        return Ok(None);
    }
    let mut places = HashMap::from([(root.clone(), 0)]);
    let mut nodes = vec![(root, Vec::new())];
    let mut next = 0;
    let mut children = Vec::new();
    while next < nodes.len() {
        let node = nodes[next].0.clone();
        children.clear();
        let kind = dag.kind(&node);
        if kind != Kind::Leaf {
            dag.children(&node, &mut children);
        }
        if kind == Kind::Or {
            let mut chosen = None;
            let known_first = |child: &D::Node| !places.contains_key(child);
            children.sort_by_key(known_first);
            for (place, child) in children.iter().enumerate() {
                if guarantees.holds(child, budget)? {
                    chosen = Some(place);
                    break;
                }
            }
            // One holds, or the node would not.
            children.swap(0, chosen.unwrap_or(0));
            children.truncate(1);
        }
        let mut followed: Vec<usize> = Vec::with_capacity(children.len());
        for child in children.drain(..) {
            let place = *places.entry(child).or_insert_with_key(|child| {
                nodes.push((child.clone(), Vec::new()));
                nodes.len() - 1
            });
            if !followed.contains(&place) {
                followed.push(place);
            }
        }
        nodes[next].1 = followed;
        next += 1;
    }
    Ok(Some(Strategy { nodes }))
}
