//! Proof graphs: the part of the graph that shows why an answer is right.
//!
//! Problem: "proved" is worth more if it can be checked independently.
//!
//! Idea: a proof takes one child of each OR node and all children of each AND node, down to leaves;
//! a disproof the same with the kinds exchanged. That is a graph again, and often a small one.
//! Best-first search has it in its records. The table of df-pn may have evicted parts of it: those
//! are searched again, and each search returns the child that settled its root, so that is not lost
//! again.
//!
//! Nodes decided by bounds of a heuristic have no steps below them, and are marked
//! ([`Reason::Bounds`]).
//!
//! Cost: a step for each node of the proof; for df-pn with a small table, further searches.
//!
//! [`check_proof`](crate::proof::check_proof) checks it independently.

use std::borrow::BorrowMut;
use std::hash::Hash;

use hashbrown::HashSet;
use meetjoin_dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin_lattice::{Bool, Budget, Stop};

use crate::Tools;
use crate::contracts::proof_numbers::{ProofNumbers, Verdict};
use crate::proof::best_first::records::Records;
use crate::proof::claims::initial::Initial;
use crate::proof::memory_bounded::df_pn::{DfPn, settle};
use crate::proof::memory_bounded::proof_table::ProofTable;

/// A proof or a disproof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofGraph<N> {
    /// The answer that is shown for every node here.
    pub answer: bool,
    /// The steps: the root's first, each node once.
    pub steps: Vec<ProofStep<N>>,
}

/// A node of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofStep<N> {
    /// The node.
    pub node: N,
    /// Why the answer is right for it.
    pub reason: Reason<N>,
}

/// Why the answer is right for a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason<N> {
    /// Its value: it is a leaf.
    Leaf,
    /// Bounds of the heuristic.
    Bounds,
    /// The answer is right for these children: one where one is enough, else all.
    Children(Vec<N>),
}

/// Why there is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoProofGraph {
    /// A limit fired.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// The node is not solved.
    #[error("the claim is neither proved nor disproved")]
    Unknown,
    /// Two searches gave different answers.
    #[error("the answers contradict each other: some bound of the heuristic is not true")]
    Contradiction,
}

/// Returns whether one child with this answer is enough for a node of this kind.
#[inline]
pub(crate) fn one_is_enough(kind: Kind, answer: bool) -> bool {
    (kind == Kind::And) != answer
}

/// A list of steps that grows from the root.
struct Growing<N> {
    steps: Vec<ProofStep<N>>,
    seen: HashSet<N, ahash::RandomState>,
    open: Vec<N>,
}

impl<N: Clone + Eq + Hash> Growing<N> {
    fn new(root: N) -> Self {
        let mut seen = HashSet::with_hasher(crate::caches::table::hasher());
        seen.insert(root.clone());
        Self {
            steps: Vec::new(),
            seen,
            open: vec![root],
        }
    }

    fn next(&mut self, budget: &Budget) -> Result<Option<N>, Stop> {
        budget.visit()?;
        Ok(self.open.pop())
    }

    fn step(&mut self, node: N, reason: Reason<N>) {
        if let Reason::Children(children) = &reason {
            for child in children.iter().rev() {
                if self.seen.insert(child.clone()) {
                    self.open.push(child.clone());
                }
            }
        }
        self.steps.push(ProofStep { node, reason });
    }
}

impl<N: Clone + Eq + Hash> Records<N> {
    /// The proof or disproof of a node that a search has solved. A visit is a step.
    ///
    /// # Errors
    /// If the node is not solved, or a limit fires.
    pub fn proof_graph(&self, root: &N, budget: &Budget) -> Result<ProofGraph<N>, NoProofGraph> {
        let answer = self.numbers_of(root).map(ProofNumbers::verdict);
        let answer = answer.and_then(Verdict::answer);
        let answer = answer.ok_or(NoProofGraph::Unknown)?;
        let mut growing = Growing::new(root.clone());
        while let Some(node) = growing.next(budget)? {
            let i = self.find(&node).ok_or(NoProofGraph::Unknown)?;
            let (kind, row) = (self.kind(i), self.row(i));
            budget.steps(row.len() as u64)?;
            let reason = if kind == Kind::Leaf {
                Reason::Leaf
            } else if row.is_empty() {
                Reason::Bounds
            } else if one_is_enough(kind, answer) {
                let solved = ProofNumbers::solved(answer);
                let mut row = row.iter();
                let child = row.find(|&&child| self.numbers(child) == solved);
                let child = child.ok_or(NoProofGraph::Contradiction)?;
                Reason::Children(vec![self.node(*child).clone()])
            } else {
                let row = row.iter().map(|&child| self.node(child).clone());
                Reason::Children(row.collect())
            };
            growing.step(node, reason);
        }
        let steps = growing.steps;
        Ok(ProofGraph { answer, steps })
    }
}

/// The proof or disproof of the root, by [`df_pn`](crate::proof::df_pn()), which searches nodes
/// that its table does not have, the root among them. A visit is a step, or an expansion of such a
/// search.
///
/// # Errors
/// If a limit fires, or the bounds of the heuristic contradict each other.
pub fn proof_graph<D, V, I, T>(
    dag: &D,
    claim: &V,
    how: &DfPn<I>,
    env: &mut T,
) -> Result<ProofGraph<D::Node>, NoProofGraph>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    I: Initial<D::Node> + Clone,
    T: Tools<D::Node, Bool, Store: BorrowMut<ProofTable<D::Node>>>,
{
    let (decision, _) = settle(dag, claim, how.clone(), false, env);
    let Some(answer) = decision.verdict.answer() else {
        return Err(decision.stop.map_or(NoProofGraph::Unknown, Into::into));
    };
    let mut growing = Growing::new(dag.root());
    let mut children = Vec::new();
    while let Some(node) = growing.next(env.lend().budget)? {
        let kind = dag.kind(&node);
        if kind == Kind::Leaf {
            growing.step(node, Reason::Leaf);
            continue;
        }
        if decided(env, &node)? == Some(answer) {
            growing.step(node, Reason::Bounds);
            continue;
        }
        dag.children(&node, &mut children);
        env.lend().budget.steps(children.len() as u64)?;
        if !one_is_enough(kind, answer) {
            let all = std::mem::take(&mut children);
            growing.step(node, Reason::Children(all));
            continue;
        }
        let mut found = None;
        for child in children.drain(..) {
            if has(dag, claim, env, &child, answer)? {
                found = Some(child);
                break;
            }
        }
        if found.is_none() {
            // The table has lost this node.
            let root = node.clone();
            let rooted = Rooted { dag, root };
            let (decision, by) = settle(&rooted, claim, how.clone(), true, env);
            if let Some(stop) = decision.stop {
                return Err(stop.into());
            }
            found = by.filter(|_| decision.verdict.answer() == Some(answer));
        }
        let child = found.ok_or(NoProofGraph::Contradiction)?;
        growing.step(node, Reason::Children(vec![child]));
    }
    let steps = growing.steps;
    Ok(ProofGraph { answer, steps })
}

/// Returns whether a node is known without search to have this answer.
fn has<D, V, T>(dag: &D, claim: &V, env: &mut T, node: &D::Node, answer: bool) -> Result<bool, Stop>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    T: Tools<D::Node, Bool, Store: BorrowMut<ProofTable<D::Node>>>,
{
    if dag.kind(node) == Kind::Leaf {
        return Ok(claim.leaf(node) == answer);
    }
    let table: &ProofTable<D::Node> = env.lend().store.borrow_mut();
    if table.numbers_of(node) == Some(ProofNumbers::solved(answer)) {
        return Ok(true);
    }
    Ok(decided(env, node)? == Some(answer))
}

/// The answer that the bounds of an inner node decide.
fn decided<N, T: Tools<N, Bool>>(env: &mut T, node: &N) -> Result<Option<bool>, Stop> {
    let env = env.lend();
    let known = env.heuristic.bounds(&Bool, node, env.budget)?;
    Ok(known.as_ref().and_then(|known| known.exact()).copied())
}
