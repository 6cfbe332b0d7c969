//! Checks a proof against the graph and its leaves alone.
//!
//! Problem: a proof by a search program is only as trustworthy as the program.
//!
//! Idea: each step is right if the steps below it are, which is checked one step at a time: a leaf
//! is evaluated, and an inner node is asked for its children. The graph has no cycles, so there is
//! nothing else to check. No code is shared with the searches.
//!
//! Bounds are recomputed by the heuristic that is given here. With `()`, a proof that rests on
//! bounds is rejected.
//!
//! Cost: an entry for each step; each child of each node is looked up once or twice.

use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Bool, Budget, Stop};

use super::proof_graph::{ProofGraph, Reason};

/// Why a proof is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProofFault<N: Debug> {
    /// A limit fired before the check was complete.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// The proof has no step for a node that it needs.
    #[error("there is no step for node {0:?}")]
    NoStep(N),
    /// The node does not have the answer for the stated reason.
    #[error("node {0:?} does not have the answer for the reason given")]
    Reason(N),
    /// A needed child is missing.
    #[error("the step of node {0:?} leaves out a child that it needs")]
    LeftOut(N),
    /// A named node is no child.
    #[error("the step of node {0:?} names a node that is not its child")]
    NoChild(N),
}

/// Checks that a proof shows its answer: that the claim holds of the root, or does not. Each step
/// takes two visits of the budget.
///
/// # Errors
/// The first fault found.
pub fn check_proof<D, V, H>(
    dag: &D,
    claim: &V,
    heuristic: &mut H,
    proof: &ProofGraph<D::Node>,
    budget: &Budget,
) -> Result<(), ProofFault<D::Node>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    H: Heuristic<D::Node, Bool>,
{
    let mut steps = HashSet::new();
    for step in &proof.steps {
        budget.visit()?;
        steps.insert(&step.node);
    }
    if !steps.contains(&dag.root()) {
        return Err(ProofFault::NoStep(dag.root()));
    }
    let mut children = Vec::new();
    for step in &proof.steps {
        budget.visit()?;
        let (node, kind) = (&step.node, dag.kind(&step.node));
        let right = match (&step.reason, kind) {
            (Reason::Leaf, Kind::Leaf) => claim.leaf(node) == proof.answer,
            (Reason::Bounds, Kind::And | Kind::Or) => {
                let known = heuristic.bounds(&Bool, node, budget)?;
                known.as_ref().and_then(|known| known.exact()) == Some(&proof.answer)
            }
            (Reason::Children(named), Kind::And | Kind::Or) => {
                children.clear();
                dag.children(node, &mut children);
                budget.steps((children.len() + named.len()) as u64)?;
                if let Some(child) = named.iter().find(|&child| !steps.contains(child)) {
                    return Err(ProofFault::NoStep(child.clone()));
                }
                check_children(node, kind, named, &children, proof.answer)?;
                true
            }
            _ => false,
        };
        if !right {
            return Err(ProofFault::Reason(node.clone()));
        }
    }
    Ok(())
}

/// Checks that the children that a step names are children, and enough.
fn check_children<N: Clone + Eq + Hash + Debug>(
    node: &N,
    kind: Kind,
    named: &[N],
    children: &[N],
    answer: bool,
) -> Result<(), ProofFault<N>> {
    let are: HashSet<&N> = children.iter().collect();
    if named.iter().any(|child| !are.contains(child)) {
        return Err(ProofFault::NoChild(node.clone()));
    }
    // A true child makes an OR node true, and a false one an AND node false.
    let enough = match (kind, answer) {
        (Kind::Or, true) | (Kind::And, false) => !named.is_empty(),
        _ => {
            let named: HashSet<&N> = named.iter().collect();
            children.iter().all(|child| named.contains(child))
        }
    };
    if enough {
        Ok(())
    } else {
        Err(ProofFault::LeftOut(node.clone()))
    }
}
