//! Initial proof numbers of a node, before it is expanded.
//!
//! Problem: without knowledge each open node counts 1, and a search cannot tell hard nodes from
//! easy ones.
//!
//! Idea: an [`Initial`] estimates how many open nodes a proof and a disproof will take, or their
//! cost. Any closure is one. Any numbers are sound: they guide the search and decide nothing.
//!
//! [`ChildCounts`] looks one level ahead: on one side one child is enough, on the other all are
//! needed.
//!
//! [`LeafCosts`] is for a graph that is known in full, whose leaves are expensive: each node starts
//! with the numbers that it has when no leaf has been evaluated. Then expansions change no numbers,
//! and the search chooses leaves as if it saw the whole graph, as in Hsu's slides.
//!
//! Cost of `ChildCounts`: the children of each open node are listed once more. Cost of `LeafCosts`:
//! one visit to each node, and an entry for each.
//!
//! Source of `ChildCounts`: Allis, van der Meulen, van den Herik (1994).

use std::hash::Hash;

use ahash::RandomState;
use hashbrown::HashMap;
use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::{Budget, Stop};

use super::numbers::{Gathered, Sides, Sums};
use crate::contracts::proof_numbers::{INFINITY, ProofNumbers};

/// Initial numbers of open nodes. Zero counts as one, and infinity as the greatest finite number:
/// an open node is not solved.
pub trait Initial<N> {
    /// The numbers of a node of which nothing else is known.
    fn numbers(&mut self, node: &N, kind: Kind) -> ProofNumbers;
}

/// One and one.
impl<N> Initial<N> for () {
    #[inline]
    fn numbers(&mut self, _: &N, _: Kind) -> ProofNumbers {
        ProofNumbers::OPEN
    }
}

impl<N, F: FnMut(&N, Kind) -> ProofNumbers> Initial<N> for F {
    #[inline]
    fn numbers(&mut self, node: &N, kind: Kind) -> ProofNumbers {
        self(node, kind)
    }
}

/// The numbers of a node if its children were open and counted one each.
#[derive(Clone, Debug)]
pub struct ChildCounts<'a, D: AndOrDag> {
    dag: &'a D,
    scratch: Vec<D::Node>,
}

impl<'a, D: AndOrDag> ChildCounts<'a, D> {
    /// Counts children in this graph.
    pub fn new(dag: &'a D) -> Self {
        let scratch = Vec::new();
        Self { dag, scratch }
    }
}

impl<D: AndOrDag> Initial<D::Node> for ChildCounts<'_, D> {
    fn numbers(&mut self, node: &D::Node, kind: Kind) -> ProofNumbers {
        if kind == Kind::Leaf {
            return ProofNumbers::OPEN;
        }
        self.scratch.clear();
        self.dag.children(node, &mut self.scratch);
        let all = u32::try_from(self.scratch.len()).unwrap_or(INFINITY);
        Sides { one: 1, all }.numbers(kind == Kind::And).as_open()
    }
}

/// The numbers of all nodes of a graph while no leaf has been evaluated.
#[derive(Clone, Debug)]
pub struct LeafCosts<N> {
    known: HashMap<N, ProofNumbers, RandomState>,
}

impl<N: Clone + Eq + Hash> LeafCosts<N> {
    /// Computes them from the costs of the leaves, by plain sums.
    ///
    /// # Errors
    /// The limit that fired.
    pub fn new<D: AndOrDag<Node = N>>(
        dag: &D,
        mut cost: impl FnMut(&N) -> u32,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut known = HashMap::with_hasher(crate::caches::table::hasher());
        let mut open = vec![dag.root()];
        let mut children = Vec::new();
        while let Some(node) = open.last() {
            budget.visit()?;
            let kind = dag.kind(node);
            if known.contains_key(node) {
                open.pop();
                continue;
            }
            children.clear();
            if kind != Kind::Leaf {
                dag.children(node, &mut children);
                budget.steps(children.len() as u64)?;
            }
            let numbers = children.iter().map_while(|child| known.get(child).copied());
            let numbers: Vec<ProofNumbers> = numbers.collect();
            if numbers.len() < children.len() {
                open.extend(
                    children
                        .drain(..)
                        .filter(|child| !known.contains_key(child)),
                );
                continue;
            }
            let numbers = if kind == Kind::Leaf {
                let cost = cost(node);
                let (proof, disproof) = (cost, cost);
                ProofNumbers { proof, disproof }.as_open()
            } else {
                Gathered::of(kind == Kind::And, Sums::Plain, numbers.into_iter()).numbers()
            };
            if known.len() == known.capacity() {
                let entry = size_of::<(N, ProofNumbers)>() as u64;
                budget.room(4 * (known.len() as u64 + 4) * (entry + 1))?;
            }
            known.insert(node.clone(), numbers);
            open.pop();
        }
        Ok(Self { known })
    }
}

impl<N: Eq + Hash> Initial<N> for &LeafCosts<N> {
    fn numbers(&mut self, node: &N, _: Kind) -> ProofNumbers {
        let known = self.known.get(node).copied();
        known.unwrap_or(ProofNumbers::OPEN)
    }
}
