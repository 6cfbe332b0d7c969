//! Provers: proof searches that decide many claims about one graph and reuse their memory.
//!
//! Problem: finding a value takes several claims, and the code that chooses them should not depend
//! on the search that decides them.
//!
//! Idea: a prover is a search with its memory. It decides one claim after the other; between two
//! claims it is told which of its answers are not valid for the next.

use std::hash::Hash;

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{Bool, Lattice};

use super::initial::Initial;
use crate::contracts::observer::{Event, relay};
use crate::proof::Decision;
use crate::proof::best_first::proof_number::{ProofNumberSearch, proof_number};
use crate::proof::best_first::records::Records;
use crate::proof::checking::proof_graph::{NoProofGraph, ProofGraph, proof_graph};
use crate::proof::memory_bounded::df_pn::{DfPn, df_pn};
use crate::proof::memory_bounded::proof_table::ProofTable;
use crate::{Env, Observer, Progress, Tools};

/// A proof search with its memory. All its claims are about one graph.
pub trait Prover<N> {
    /// Decides whether the root is worth true.
    fn decide<D, V, T>(&mut self, dag: &D, claim: &V, env: &mut T) -> Decision
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        T: Tools<N, Bool, Store = ()>;

    /// The proof or disproof of the claim that was decided last.
    ///
    /// # Errors
    /// If it was not decided, a limit fires, or bounds contradict each other.
    fn proof<D, V, T>(
        &mut self,
        dag: &D,
        claim: &V,
        env: &mut T,
    ) -> Result<ProofGraph<N>, NoProofGraph>
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        T: Tools<N, Bool, Store = ()>;

    /// Forgets nodes with this answer, which may have another one for the next claim.
    fn forget(&mut self, answer: bool);

    /// The number of nodes in its memory.
    fn entries(&self) -> usize;
}

/// [`df_pn`](crate::proof::df_pn()) with its table.
#[derive(Clone, Debug)]
pub struct DepthFirstProver<N, I = ()> {
    /// The parameters of the search.
    pub how: DfPn<I>,
    /// Its memory.
    pub table: ProofTable<N>,
}

/// [`proof_number`](crate::proof::proof_number()) with the graph that it has seen.
#[derive(Clone, Debug)]
pub struct BestFirstProver<N, I = ()> {
    /// The parameters of the search.
    pub how: ProofNumberSearch<I>,
    /// Its memory.
    pub records: Records<N>,
}

impl<N: Clone + Eq + Hash, I: Initial<N> + Clone> Prover<N> for DepthFirstProver<N, I> {
    fn decide<D, V, T>(&mut self, dag: &D, claim: &V, env: &mut T) -> Decision
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        T: Tools<N, Bool, Store = ()>,
    {
        let mut env = env.lend().with_store(&mut self.table);
        df_pn(dag, claim, self.how.clone(), &mut env)
    }

    fn proof<D, V, T>(
        &mut self,
        dag: &D,
        claim: &V,
        env: &mut T,
    ) -> Result<ProofGraph<N>, NoProofGraph>
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        T: Tools<N, Bool, Store = ()>,
    {
        let mut env = env.lend().with_store(&mut self.table);
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
    fn decide<D, V, T>(&mut self, dag: &D, claim: &V, env: &mut T) -> Decision
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        T: Tools<N, Bool, Store = ()>,
    {
        let mut env = env.lend().with_store(&mut self.records);
        proof_number(dag, claim, self.how.clone(), &mut env)
    }

    fn proof<D, V, T>(&mut self, dag: &D, _: &V, env: &mut T) -> Result<ProofGraph<N>, NoProofGraph>
    where
        D: AndOrDag<Node = N>,
        V: Valuation<N, Lattice = Bool>,
        T: Tools<N, Bool, Store = ()>,
    {
        self.records.proof_graph(&dag.root(), env.lend().budget)
    }

    /// The numbers of a node depend on all nodes below it, so everything is forgotten.
    fn forget(&mut self, _: bool) {
        self.records = Records::new();
    }

    fn entries(&self) -> usize {
        self.records.len()
    }
}

/// The observer of a search for a value, while one of its claims is decided.
pub(crate) struct Asking<'o, O, E> {
    pub(crate) observer: &'o mut O,
    /// Bounds of the value from earlier claims.
    pub(crate) lower: &'o E,
    pub(crate) upper: &'o E,
}

impl<N, E, O: Observer<N, E>> Observer<N, bool> for Asking<'_, O, E> {
    relay!(self, event: Event<N, bool>, self.observer.wants_progress(), {
        match event {
            Event::Enter(node, _) => self.observer.enter(node, None),
            Event::Leaf(node) => self.observer.leaf(node),
            Event::CacheHit(node) => self.observer.cache_hit(node),
            Event::Probe(child) => self.observer.probe(child),
            Event::Cutoff(node, skipped) => self.observer.cutoff(node, skipped),
            Event::Progress(progress) => self.observer.progress(Progress {
                visits: progress.visits,
                entries: progress.entries,
                lower: self.lower,
                upper: self.upper,
            }),
            Event::ProofNumbers(root) => self.observer.proof_numbers(root),
            Event::EnterCall(..) | Event::EnterRelaxed(_) | Event::Milestone(_) | Event::Exit(..) => {}
        }
    }, no entries);
}

/// Decides the claim that the root is worth at least a join-prime.
pub(crate) fn at_least<D, V, P, T>(
    dag: &D,
    valuation: &V,
    threshold: <V::Lattice as Lattice>::Elem,
    bounds: (
        &<V::Lattice as Lattice>::Elem,
        &<V::Lattice as Lattice>::Elem,
    ),
    prover: &mut P,
    env: &mut T,
) -> Decision
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    P: Prover<D::Node>,
    T: Tools<D::Node, V::Lattice, Store = ()>,
{
    let claim = crate::proof::Threshold::new(valuation, threshold.clone());
    let lattice = valuation.lattice();
    let Env {
        budget,
        heuristic,
        observer,
        order,
        ..
    } = env.lend();
    let mut asking = Env {
        budget,
        store: (),
        heuristic: crate::proof::ThresholdBounds::new(lattice, threshold, heuristic),
        observer: Asking {
            observer,
            lower: bounds.0,
            upper: bounds.1,
        },
        order,
    };
    prover.decide(dag, &claim, &mut asking)
}

impl<N: Clone + Eq + Hash> BestFirstProver<N> {
    /// A prover with an empty memory.
    pub fn new(how: ProofNumberSearch) -> Self {
        Self {
            how,
            records: Records::new(),
        }
    }
}
