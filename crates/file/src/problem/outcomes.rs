//! Problems whose leaves are outcomes of the dominance algebra.

use std::convert::Infallible;

use meetjoin_dag::Problem;
use meetjoin_lattice::{Antichain, AnyElem, AnyLattice, Chain, FreeLattice};

use crate::error::ProblemError;
use crate::problem::problem_file::OutcomeVectors;

/// Converts a problem over the free lattice, whose leaves are single packets of one outcome, to one
/// over outcomes.
pub(crate) fn outcomes(
    problem: Problem<AnyLattice>,
) -> Result<Problem<OutcomeVectors>, ProblemError> {
    fn no_outcome() -> ProblemError {
        ProblemError::new("a leaf of a dominance problem is no outcome")
    }
    let AnyLattice::Free(free) = problem.lattice() else {
        return Err(no_outcome());
    };
    let vectors = OutcomeVectors::power(Chain::unbounded(), free.vectors().dims());
    problem.try_map(vectors, |value| match value {
        AnyElem::Free(value) => {
            let outcomes = value.maximal().first().map(Antichain::maximal);
            outcomes
                .and_then(<[_]>::first)
                .cloned()
                .ok_or_else(no_outcome)
        }
        _ => Err(no_outcome()),
    })
}

/// Converts a problem over outcomes to one over the free lattice, where each leaf is a single
/// packet of one outcome.
pub fn guaranteed(problem: Problem<OutcomeVectors>) -> Problem<AnyLattice> {
    let free = FreeLattice::of_vectors(problem.lattice().factors().len());
    let lattice = AnyLattice::Free(free.clone());
    let embedded = problem.try_map(lattice, move |outcome| {
        Ok::<_, Infallible>(AnyElem::Free(free.outcome(outcome)))
    });
    match embedded {
        Ok(problem) => problem,
        Err(never) => match never {},
    }
}
