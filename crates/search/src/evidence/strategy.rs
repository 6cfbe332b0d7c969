//! Strategies: the moves that guarantee a value.
//!
//! Problem: the value of a root is what MAX can guarantee, but not how. A player needs the moves.
//!
//! Idea: for a join-prime t, "t lies below the value" is a claim that is true or false of each node
//! ([`Threshold`]): it holds at an OR node if it holds at one child, at an AND node if at all. So
//! below a node where it holds there is a *strategy*: a part of the graph with one child of each OR
//! node, all children of each AND node, and t below the value of each leaf. In families of sets of
//! worlds t is one set, and the strategy is uniform: it wins in all of its worlds, and depends on
//! the node alone.
//!
//! The claim is decided by intervals that an earlier search left in its cache, or by a heuristic's,
//! and searched where these do not decide it. So after a search that found t hardly anything is
//! searched again; a cache that has evicted entries, or none, only costs time.
//!
//! Invariant: a strategy is checked by [`Strategy::check`], which shares no code with the search.
//!
//! Cost: a check of the children of each node of the strategy; a Boolean search where nothing is
//! known.
//!
//! Needs: t join-prime (in a powerset one world, in families one set, in a chain any number above
//! the least).
//!
//! Source: uniform strategies as sets of the root's family: Frank, Basin (1998); Li et al. (2022),
//! section 6.

use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin_lattice::{Bool, Budget, ElemOf, Interval, Lattice, Stop};

use crate::proof::{Threshold, ThresholdBounds};
use crate::{Env, Store, Stores, Window, alpha_beta_duo};

/// A heuristic that first looks in the cache of an earlier search.
#[derive(Clone, Copy, Debug)]
pub struct Remembered<S, H> {
    /// The cache.
    pub cache: S,
    /// Asked where the cache has no entry.
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

/// Bounds of values as bounds of the claim for a join-prime.
pub type Known<'a, N, V, H> =
    ThresholdBounds<'a, <V as Valuation<N>>::Lattice, ElemOf<<V as Valuation<N>>::Lattice>, H>;

/// Decides for any node whether a join-prime lies below its value. `H` knows the answer at some
/// nodes.
#[derive(Debug)]
pub struct Guarantees<'a, D: AndOrDag, V: Valuation<D::Node>, H, S: Stores<D::Node>> {
    dag: &'a D,
    claim: Threshold<'a, V, ElemOf<V::Lattice>>,
    bounds: H,
    found: S::Store<Interval<bool>>,
    stores: PhantomData<S>,
}

impl<'a, D, V, H, S> Guarantees<'a, D, V, Known<'a, D::Node, V, H>, S>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    H: Heuristic<D::Node, V::Lattice>,
    S: Stores<D::Node>,
{
    /// Answers for the join-prime `t`. `known` has bounds of nodes: the [cache](Remembered) of a
    /// search, a heuristic, or `()`.
    pub fn new(
        dag: &'a D,
        valuation: &'a V,
        at_least: ElemOf<V::Lattice>,
        known: H,
        stores: &S,
    ) -> Self {
        let bounds = ThresholdBounds::new(valuation.lattice(), at_least.clone(), known);
        Self::with_answers(dag, valuation, at_least, bounds, stores)
    }
}

impl<'a, D, V, H, S> Guarantees<'a, D, V, H, S>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    H: Heuristic<D::Node, Bool>,
    S: Stores<D::Node>,
{
    /// Answers for a join-prime; `known` answers the question itself at some nodes.
    pub fn with_answers(
        dag: &'a D,
        valuation: &'a V,
        at_least: ElemOf<V::Lattice>,
        known: H,
        stores: &S,
    ) -> Self {
        Self {
            dag,
            claim: Threshold::new(valuation, at_least),
            bounds: known,
            found: stores.store(),
            stores: PhantomData,
        }
    }

    /// Returns whether the join-prime lies below the value of a node.
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
        // Dynamic dispatch, so that one search is compiled for the claims of all lattices:
        // evaluating leaves and bounds costs more than the call.
        let claim: &dyn Valuation<D::Node, Lattice = Bool> = &self.claim;
        let bounds: &mut dyn Heuristic<D::Node, Bool> = &mut self.bounds;
        let env = Env::new(budget).with_store(&mut self.found);
        let mut env = env.with_heuristic(bounds);
        let outcome = alpha_beta_duo(&root, &claim, &Window::full(&Bool), &mut env);
        outcome
            .exact()
            .copied()
            .ok_or(outcome.stop.unwrap_or(Stop::Cancelled))
    }
}

/// Nodes at which a strategy may end before a leaf. The answers must be true of the graph:
/// [`Strategy::check`] goes on below the end of a strategy.
pub trait Ends<N> {
    /// Returns whether every leaf below a node is worth what is to be guaranteed, so that no later
    /// move matters.
    fn is_decided(&mut self, node: &N) -> bool;

    /// Returns whether play can reach a node while the result is still open. A node that cannot be
    /// reached so must be decided.
    fn is_reached(&mut self, node: &N) -> bool;
}

/// No node is known to be decided: a strategy goes on to the leaves.
impl<N> Ends<N> for () {
    fn is_decided(&mut self, _: &N) -> bool {
        false
    }

    fn is_reached(&mut self, _: &N) -> bool {
        true
    }
}

/// A part of a graph with one child of each OR node and all children of each AND node, down to
/// leaves or decided nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy<N> {
    nodes: Vec<(N, Vec<usize>)>,
}

/// Why nodes are not a strategy that guarantees a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoStrategy {
    /// It does not begin at the root.
    #[error("the strategy does not begin at the root")]
    OtherRoot,
    /// An OR node without exactly one of its children.
    #[error("node {0} of the strategy has not exactly one of its children")]
    NotOne(usize),
    /// A child of an AND node in the strategy is no child of it in the graph.
    #[error("node {0} of the strategy has a child which it has not in the graph")]
    NoChild(usize),
    /// A leaf that is worth less, in the strategy or below a node where the strategy ends.
    #[error(
        "at node {0} of the strategy play comes to a leaf that is not worth what the strategy guarantees"
    )]
    Less(usize),
}

impl<N: Clone + Eq + std::hash::Hash> Strategy<N> {
    /// The nodes that can be reached under the strategy, each once, the root first; with the places
    /// in this list of their children in the strategy.
    pub fn nodes(&self) -> &[(N, Vec<usize>)] {
        &self.nodes
    }

    /// The move at an OR node of the strategy; `None` at any other node.
    pub fn choice(&self, place: usize) -> Option<&N> {
        match self.nodes[place].1.as_slice() {
            [child] => Some(&self.nodes[*child].0),
            _ => None,
        }
    }

    /// Plays the strategy against every reply: checks that it begins at the root, goes on with one
    /// child of each OR node and all of each AND node, and reaches only leaves that are worth at
    /// least `at_least`. Below a child that it leaves out, and below an inner node at which it
    /// ends, all leaves must be worth that.
    ///
    /// # Errors
    /// The first node where a check fails.
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
        self.check_until(dag, valuation, at_least, &mut ())
    }

    /// Checks the strategy, but trusts `ends`: nothing is played below a decided node.
    ///
    /// # Errors
    /// The first node where a check fails.
    pub fn check_until<D, V>(
        &self,
        dag: &D,
        valuation: &V,
        at_least: &ElemOf<V::Lattice>,
        ends: &mut impl Ends<N>,
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
        let enough = |leaf: &N| {
            let value = valuation.leaf(leaf);
            valuation.lattice().leq(at_least, &value, &free) == Ok(true)
        };
        let (mut children, mut open) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for (place, (node, followed)) in self.nodes.iter().enumerate() {
            let kind = dag.kind(node);
            children.clear();
            if kind != Kind::Leaf {
                dag.children(node, &mut children);
            }
            let followed = followed.iter().map(|child| &self.nodes[*child].0);
            let followed: HashSet<&N> = followed.collect();
            // A set, as a node may have a million children.
            let all: HashSet<&N> = children.iter().collect();
            if !followed.is_subset(&all) {
                return Err(NoStrategy::NoChild(place));
            }
            if kind == Kind::Or && followed.len() > 1 {
                return Err(NoStrategy::NotOne(place));
            }
            if kind == Kind::Leaf || followed.is_empty() {
                open.push(node.clone());
            } else if kind == Kind::And {
                children.retain(|child| !followed.contains(child));
                open.append(&mut children);
            }
            while let Some(below) = open.pop() {
                if dag.kind(&below) == Kind::Leaf {
                    if !enough(&below) {
                        return Err(NoStrategy::Less(place));
                    }
                } else if !ends.is_decided(&below) && seen.insert(below.clone()) {
                    dag.children(&below, &mut open);
                }
            }
        }
        Ok(())
    }
}

/// A strategy that guarantees a join-prime; `None` if it does not lie below the root's value.
///
/// Of several moves that guarantee it, one that leads to a node of the strategy so far is
/// preferred, and then the first. `ends` tells where no later move matters.
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
/// let found = strategy(&problem, &mut guarantees, &mut (), &Budget::unlimited())?.expect("it can be won");
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
    ends: &mut impl Ends<D::Node>,
    budget: &Budget,
) -> Result<Option<Strategy<D::Node>>, Stop>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    H: Heuristic<D::Node, Bool>,
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
        match dag.kind(&node) {
            Kind::Leaf => {}
            _ if ends.is_decided(&node) => {}
            Kind::Or => {
                dag.children(&node, &mut children);
                let decided = children.iter().position(|child| ends.is_decided(child));
                let chosen = if let Some(decided) = decided {
                    Some(decided)
                } else {
                    let has_place = |child: &D::Node| places.contains_key(child);
                    let (mut first, others): (Vec<_>, Vec<_>) =
                        children.drain(..).partition(has_place);
                    first.extend(others);
                    children = first;
                    let mut holding = None;
                    for (place, child) in children.iter().enumerate() {
                        if guarantees.holds(child, budget)? {
                            holding = Some(place);
                            break;
                        }
                    }
                    holding
                };
                // One child must hold, as the node does.
                children.swap(0, chosen.unwrap_or(0));
                children.truncate(1);
            }
            Kind::And => {
                dag.children(&node, &mut children);
                children.retain(|child| ends.is_reached(child));
            }
        }
        let mut followed: Vec<usize> = Vec::with_capacity(children.len());
        let mut is_followed = HashSet::new();
        for child in children.drain(..) {
            let place = *places.entry(child).or_insert_with_key(|child| {
                nodes.push((child.clone(), Vec::new()));
                nodes.len() - 1
            });
            if is_followed.insert(place) {
                followed.push(place);
            }
        }
        nodes[next].1 = followed;
        next += 1;
    }
    Ok(Some(Strategy { nodes }))
}
