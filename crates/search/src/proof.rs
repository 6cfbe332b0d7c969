//! Proof searches: is the value of the root at least t? They look for a cheap proof or disproof.
//!
//! Problem: often one question decides a game, and answering it is easier than finding the value.
//! Depth-first searches go from left to right and may miss a short proof.
//!
//! Idea: a *claim* is a valuation in the lattice of two elements. [`Threshold`] makes a claim from
//! a game over any lattice and a join-prime t, and all searches here and all searches of total
//! orders decide it. Those here count for each node how much is still to be proved or disproved
//! ([`ProofNumbers`]), and follow the least numbers.
//!
//! | file | holds |
//! |---|---|
//! | `threshold.rs` | the claim "at least t" |
//! | `numbers.rs` | proof and disproof numbers, and their computation from children's numbers |
//! | `initial.rs` | numbers of unexpanded nodes |
//! | `proof_number.rs` | best-first search with the graph in memory (`records.rs`) |
//! | `df_pn.rs` | depth-first search with limits and a table that may evict entries (`proof_table.rs`) |
//! | `prover.rs` | one of these searches with its memory, for many claims |
//! | `multi_valued.rs` | the value in a chain of integers, by several claims |
//! | `by_worlds.rs` | the value in a lattice of sets, by a claim for each world |
//! | `proof_graph.rs` | the proof itself, and in `check.rs` a check of it |
//!
//! Graphs have no cycles, so the value of a node does not depend on the path to it, and the problem
//! of graph-history interaction, known from games with repetition, does not arise.
//!
//! Invariant: an answer is right whatever the numbers are. They only guide the search; proofs rest
//! on leaves and bounds.

mod best_first;
mod checking;
mod claims;
mod memory_bounded;
use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Bool, Budget, Stop};

pub use crate::contracts::proof_numbers::{INFINITY, ProofNumbers, Verdict};
pub use best_first::proof_number::{Form, ProofNumberSearch, proof_number};
pub use best_first::records::Records;
pub use checking::check::{ProofFault, check_proof};
pub use checking::proof_graph::{NoProofGraph, ProofGraph, ProofStep, Reason, proof_graph};
pub use claims::by_worlds::by_worlds;
pub use claims::initial::{ChildCounts, Initial, LeafCosts};
pub use claims::multi_valued::{Integer, multi_valued};
pub use claims::numbers::Sums;
pub use claims::prover::{BestFirstProver, DepthFirstProver, Prover};
pub use claims::threshold::{Threshold, ThresholdBounds};
pub use memory_bounded::df_pn::{DfPn, df_pn};
pub use memory_bounded::proof_table::{LEAST_ENTRIES, ProofTable, ProofTableError};

use crate::{Observer, Progress};

/// The answer of a search for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// The status of the claim at the root.
    pub verdict: Verdict,
    /// The numbers of the root when the search ended.
    pub numbers: ProofNumbers,
    /// Why there is no answer.
    pub stop: Option<Stop>,
}

impl Decision {
    fn new(numbers: ProofNumbers, stop: Option<Stop>) -> Self {
        let verdict = numbers.verdict();
        Self {
            verdict,
            numbers,
            stop: stop.filter(|_| !numbers.is_solved()),
        }
    }
}

/// Computes the numbers of a node that is seen for the first time.
struct Assess<'a, 'e, D, V, I, H> {
    dag: &'a D,
    claim: &'a V,
    heuristic: &'e mut H,
    initial: I,
    budget: &'e Budget,
}

impl<D, V, I, H> Assess<'_, '_, D, V, I, H>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    I: Initial<D::Node>,
    H: Heuristic<D::Node, Bool>,
{
    /// The numbers of a leaf, which is evaluated.
    #[inline]
    fn leaf(&self, leaf: &D::Node) -> ProofNumbers {
        ProofNumbers::solved(self.claim.leaf(leaf))
    }

    /// The numbers of an inner node: solved if known bounds decide it.
    #[inline]
    fn inner(&mut self, node: &D::Node, kind: Kind) -> Result<ProofNumbers, Stop> {
        let known = self.heuristic.bounds(&Bool, node, self.budget)?;
        Ok(match known.as_ref().and_then(|known| known.exact()) {
            Some(&answer) => ProofNumbers::solved(answer),
            None => self.open(node, kind),
        })
    }

    /// The numbers of an undecided node.
    #[inline]
    fn open(&mut self, node: &D::Node, kind: Kind) -> ProofNumbers {
        self.initial.numbers(node, kind).as_open()
    }
}

/// Reports progress to an observer.
fn report<N, O: Observer<N, bool>>(
    observer: &mut O,
    budget: &Budget,
    entries: usize,
    numbers: ProofNumbers,
) {
    let visits = budget.visits_made();
    let (lower, upper) = (&false, &true);
    observer.progress(Progress {
        visits,
        entries,
        lower,
        upper,
    });
    observer.proof_numbers(numbers);
}
