//! Searches for proofs that answer many claims of one graph and remember what they can.
//!
//! Problem: the whole value takes several claims, and how each is decided, by which search and with which memory, is no business of whoever chooses
//! the claims.
//!
//! Idea: a prover is a search with its memory. It decides one claim after the other; between two claims it is told which of its answers are of no use for the next.

use std::hash::Hash;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Bool, Lattice};

use super::df_pn::{DfPn, df_pn};
use super::initial::Initial;
use super::proof_graph::{NoProofGraph, ProofGraph, proof_graph};
use super::proof_number::{ProofNumberSearch, proof_number};
use super::proof_table::ProofTable;
use super::records::Records;
use super::{Decision, ProofNumbers};
use crate::{Env, Observer, Order, Progress};

/// A search for proofs with its memory. Its claims are all of one graph.
pub trait Prover<N> {
    /// Whether the root is worth true.
    fn decide<D, V, H, O, R>(
        &mut self,
        dag: &D,
        claim: &V,
        env: &mut Env<'_, (), H, O, R>,
    ) -> Decision
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        H: Heuristic<N, Bool>,
        O: Observer<N, bool>,
        R: Order<N>;

    /// The proof or disproof of the claim that was decided last.
    ///
    /// # Errors
    /// If it was not decided, a limit fires, or bounds contradict each other.
    fn proof<D, V, H, O, R>(
        &mut self,
        dag: &D,
        claim: &V,
        env: &mut Env<'_, (), H, O, R>,
    ) -> Result<ProofGraph<N>, NoProofGraph>
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        H: Heuristic<N, Bool>,
        O: Observer<N, bool>,
        R: Order<N>;

    /// Nodes with this answer may have another one for the next claim.
    fn forget(&mut self, answer: bool);

    /// What it remembers, in nodes.
    fn entries(&self) -> usize;
}

/// [`df_pn`](super::df_pn()) with its table.
#[derive(Clone, Debug)]
pub struct DepthFirstProver<N, I = ()> {
    /// How it searches.
    pub how: DfPn<I>,
    /// What it knows.
    pub table: ProofTable<N>,
}

/// [`proof_number`](super::proof_number()) with the graph that it has seen.
#[derive(Clone, Debug)]
pub struct BestFirstProver<N, I = ()> {
    /// How it searches.
    pub how: ProofNumberSearch<I>,
    /// What it knows.
    pub records: Records<N>,
}

/// The same environment with this store.
fn with_store<'e, 'b, S, H, O, R>(
    env: &'e mut Env<'b, (), H, O, R>,
    store: S,
) -> Env<'b, S, &'e mut H, &'e mut O, Lent<'e, R>> {
    Env {
        budget: env.budget,
        store,
        heuristic: &mut env.heuristic,
        observer: &mut env.observer,
        order: Lent(&mut env.order),
    }
}

/// An order that is lent. (A reference to an order is none, because some closures are orders.)
struct Lent<'o, R>(&'o mut R);

impl<N, R: Order<N>> Order<N> for Lent<'_, R> {
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]) {
        self.0.arrange(node, kind, children);
    }

    fn decided(&mut self, node: &N, kind: Kind, child: &N) {
        self.0.decided(node, kind, child);
    }
}

impl<N: Clone + Eq + Hash, I: Initial<N> + Clone> Prover<N> for DepthFirstProver<N, I> {
    fn decide<D, V, H, O, R>(
        &mut self,
        dag: &D,
        claim: &V,
        env: &mut Env<'_, (), H, O, R>,
    ) -> Decision
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        H: Heuristic<N, Bool>,
        O: Observer<N, bool>,
        R: Order<N>,
    {
        let mut env = with_store(env, &mut self.table);
        df_pn(dag, claim, self.how.clone(), &mut env)
    }

    fn proof<D, V, H, O, R>(
        &mut self,
        dag: &D,
        claim: &V,
        env: &mut Env<'_, (), H, O, R>,
    ) -> Result<ProofGraph<N>, NoProofGraph>
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        H: Heuristic<N, Bool>,
        O: Observer<N, bool>,
        R: Order<N>,
    {
        let mut env = with_store(env, &mut self.table);
        proof_graph(dag, claim, &self.how, &mut env)
    }

    fn forget(&mut self, answer: bool) {
        self.table.forget(answer);
    }

    fn entries(&self) -> usize {
        self.table.len()
    }
}

impl<N: Clone + Eq + Hash, I: Initial<N> + Clone> Prover<N> for BestFirstProver<N, I> {
    fn decide<D, V, H, O, R>(
        &mut self,
        dag: &D,
        claim: &V,
        env: &mut Env<'_, (), H, O, R>,
    ) -> Decision
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        H: Heuristic<N, Bool>,
        O: Observer<N, bool>,
        R: Order<N>,
    {
        let mut env = with_store(env, &mut self.records);
        proof_number(dag, claim, self.how.clone(), &mut env)
    }

    fn proof<D, V, H, O, R>(
        &mut self,
        dag: &D,
        _: &V,
        env: &mut Env<'_, (), H, O, R>,
    ) -> Result<ProofGraph<N>, NoProofGraph>
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        H: Heuristic<N, Bool>,
        O: Observer<N, bool>,
        R: Order<N>,
    {
        self.records.proof_graph(&dag.root(), env.budget)
    }

    /// The numbers of a node hang on all below it, so everything is forgotten.
    fn forget(&mut self, _: bool) {
        self.records = Records::new();
    }

    fn entries(&self) -> usize {
        self.records.len()
    }
}

/// Who watches a search for a value, while one of its claims is decided.
pub(super) struct Asking<'o, O, E> {
    pub(super) observer: &'o mut O,
    /// Bounds of the value, from the claims before.
    pub(super) lower: &'o E,
    pub(super) upper: &'o E,
}

impl<N, E, O: Observer<N, E>> Observer<N, bool> for Asking<'_, O, E> {
    #[inline]
    fn enter(&mut self, node: &N, _: Option<(&bool, &bool)>) {
        self.observer.enter(node, None);
    }

    #[inline]
    fn leaf(&mut self, node: &N) {
        self.observer.leaf(node);
    }

    #[inline]
    fn cache_hit(&mut self, node: &N) {
        self.observer.cache_hit(node);
    }

    #[inline]
    fn probe(&mut self, child: &N) {
        self.observer.probe(child);
    }

    #[inline]
    fn cutoff(&mut self, node: &N, skipped: usize) {
        self.observer.cutoff(node, skipped);
    }

    fn wants_progress(&mut self) -> bool {
        self.observer.wants_progress()
    }

    fn progress(&mut self, progress: Progress<'_, bool>) {
        self.observer.progress(Progress {
            visits: progress.visits,
            entries: progress.entries,
            lower: self.lower,
            upper: self.upper,
        });
    }

    fn proof_numbers(&mut self, root: ProofNumbers) {
        self.observer.proof_numbers(root);
    }
}

/// Decides the claim that the root is worth at least a join-prime.
pub(super) fn at_least<D, V, P, H, O, R>(
    dag: &D,
    valuation: &V,
    threshold: <V::Lattice as Lattice>::Elem,
    bounds: (
        &<V::Lattice as Lattice>::Elem,
        &<V::Lattice as Lattice>::Elem,
    ),
    prover: &mut P,
    env: &mut Env<'_, (), H, O, R>,
) -> Decision
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    P: Prover<D::Node>,
    H: Heuristic<D::Node, V::Lattice>,
    O: Observer<D::Node, <V::Lattice as Lattice>::Elem>,
    R: Order<D::Node>,
{
    let claim = super::Threshold::new(valuation, threshold.clone());
    let lattice = valuation.lattice();
    let mut asking = Env {
        budget: env.budget,
        store: (),
        heuristic: super::ThresholdBounds::new(lattice, threshold, &mut env.heuristic),
        observer: Asking {
            observer: &mut env.observer,
            lower: bounds.0,
            upper: bounds.1,
        },
        order: Lent(&mut env.order),
    };
    prover.decide(dag, &claim, &mut asking)
}

impl<N: Clone + Eq + Hash> BestFirstProver<N> {
    /// With nothing seen yet.
    pub fn new(how: ProofNumberSearch) -> Self {
        Self {
            how,
            records: Records::new(),
        }
    }
}
