//! Decides a claim on several threads, by df-pn with a shared table.

use meetjoin_dag::{AndOrDag, Heuristic, Valuation};
use meetjoin_lattice::{Bool, Budget};
use meetjoin_search::proof::{Decision, DepthFirstProver, Prover as _};
use meetjoin_search::threads::race;
use meetjoin_search::{Counts, Env, Observer};

use crate::answers::request::HEAD_START;

/// Decides the claim on several threads. The table of the prover must be a shared one. `O` receives
/// the events of the calling thread.
pub(super) fn decide<D, V, H, O>(
    dag: &D,
    claim: &V,
    prover: &DepthFirstProver<D::Node>,
    env: &mut Env<'_, (), H, (Counts, O)>,
    threads: usize,
) -> Decision
where
    D: AndOrDag + Sync,
    V: Valuation<D::Node, Lattice = Bool> + Sync,
    H: Heuristic<D::Node, Bool> + Clone + Sync,
    O: Observer<D::Node, bool> + Default,
{
    let heuristic = env.heuristic.clone();
    let search = |budget: &Budget, watch: (Counts, O)| {
        let env = Env::new(budget).with_heuristic(heuristic.clone());
        let mut env = env.with_observer(watch);
        let decision = prover.clone().decide(dag, claim, &mut env);
        let is_found = decision.stop.is_none();
        ((decision, env.observer), is_found)
    };
    let watch = std::mem::take(&mut env.observer);
    let ran = race(
        env.budget,
        threads - 1,
        HEAD_START,
        |budget| search(budget, watch),
        |budget| {
            let ((decision, (counts, _)), is_found) = search(budget, Default::default());
            ((decision, counts), is_found)
        },
    );
    let (mut decision, watch) = ran.own;
    env.observer = watch;
    for (other, counts) in ran.helped {
        env.observer.0 += counts;
        if decision.stop.is_some() && other.stop.is_none() {
            decision = other;
        }
    }
    decision
}
