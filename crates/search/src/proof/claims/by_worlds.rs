//! The value of the root in a lattice of sets by proofs: "is this world in it?" for each world.
//!
//! Problem: a proof answers one yes-or-no question, and a set is wanted.
//!
//! Idea: the join-primes of a powerset are the sets of one world, and the value is the join of
//! those below it. Worlds are independent, so no answer for one world helps with the next; numbers
//! of open nodes are kept as estimates.
//!
//! Cost: a proof for each world. A search in sets answers all of them at once, 64 in a machine
//! word; this is for sets with few relevant worlds, and for graphs with short proofs.
//!
//! Needs: a [`Powerset`].

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{Interval, Lattice, Powerset, WorldSet};

use super::prover::{Prover, at_least};
use crate::contracts::proof_numbers::Verdict;
use crate::{Outcome, Tools};

/// The value of the root, by a claim for each world.
///
/// Earlier answers of the prover are forgotten, since they may be of another claim.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Powerset, Words};
/// use meetjoin_search::Env;
/// use meetjoin_search::proof::{BestFirstProver, ProofNumberSearch, by_worlds};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let sets = Powerset::<Words<1>>::new(3)?;
/// let mut builder = GraphBuilder::new();
/// builder.and("r", ["x", "y"])?;
/// builder.leaf("x", Words([0b011]))?;
/// builder.leaf("y", Words([0b110]))?;
/// let problem = Problem::build(builder, "r", sets)?;
/// let mut prover = BestFirstProver::new(ProofNumberSearch::default());
/// let budget = Budget::unlimited();
/// let outcome = by_worlds(&problem, &problem, &mut prover, &mut Env::new(&budget));
/// assert_eq!(outcome.exact(), Some(&Words([0b010])));
/// # Ok(())
/// # }
/// ```
pub fn by_worlds<D, V, B, P, T>(dag: &D, valuation: &V, prover: &mut P, env: &mut T) -> Outcome<B>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Powerset<B>>,
    P: Prover<D::Node>,
    T: Tools<D::Node, Powerset<B>, Store = ()>,
{
    let sets = valuation.lattice();
    let (mut lower, mut upper) = (sets.bottom(), sets.top());
    for world in 0..sets.worlds() {
        prover.forget(true);
        prover.forget(false);
        let mut threshold = sets.bottom();
        threshold.insert(world);
        let bounds = (&lower, &upper);
        let decision = at_least(dag, valuation, threshold.clone(), bounds, prover, env);
        match decision.verdict {
            Verdict::Proved => lower.insert(world),
            Verdict::Disproved => upper.subtract(&threshold),
            Verdict::Unknown => {
                return Outcome::of_full_window(Interval::new(lower, upper), decision.stop);
            }
        }
    }
    Outcome::of_full_window(Interval::new(lower, upper), None)
}
