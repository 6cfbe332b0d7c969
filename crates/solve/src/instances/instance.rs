//! The seam: the object-safe interface of all problems that can be solved.

use meetjoin_catalogue::method::{Algorithm, DEFAULT, algorithm};

use crate::answers::answer::Answer;
use crate::answers::request::{Refused, Request};
use crate::asked::heaviest::{Heaviest, HeaviestRequest};
use crate::asked::prove::{Claim, Proved};
use crate::nodes::view::Nodes;

/// A problem that is ready to be searched. Questions may be repeated.
pub trait Instance: Send {
    /// Checks whether an algorithm runs on the problem, as far as possible without running it.
    ///
    /// # Errors
    /// Why it does not.
    fn admits(&self, _algorithm: &Algorithm) -> Result<(), Refused> {
        Ok(())
    }

    /// The default algorithm or, if the problem does not admit it, minimax with a cache, which runs
    /// on every lattice.
    fn suitable(&self) -> Algorithm {
        let minimax = algorithm("minimax-cached").copied();
        match self.admits(&DEFAULT) {
            Ok(()) => DEFAULT,
            Err(_) => minimax.unwrap_or(DEFAULT),
        }
    }

    /// The value of the root.
    ///
    /// # Errors
    /// If the algorithm does not run on the lattice of the problem.
    fn solve(&self, request: Request<'_>) -> Result<Answer, Refused>;

    /// Decides whether the root is worth at least a join-prime.
    ///
    /// # Errors
    /// If the threshold is no join-prime of the lattice, or there is too little memory.
    fn prove(&self, claim: Claim<'_>) -> Result<Proved, Refused>;

    /// The heaviest sets of a value in families of sets.
    ///
    /// # Errors
    /// If values are no families, or the weights do not fit.
    fn heaviest(&self, _request: HeaviestRequest<'_>) -> Result<Heaviest, Refused> {
        Err(Refused::no_heaviest())
    }

    /// Shows the problem node by node.
    ///
    /// # Errors
    /// If it has no nodes that can be identified.
    fn with_nodes(&self, _see: &mut dyn FnMut(&dyn Nodes)) -> Result<(), Refused> {
        Err(Refused::no_nodes())
    }

    /// Bounds of a value in families of sets by a search to `levels` levels. It uses only the
    /// budget and the meter of the request.
    ///
    /// # Errors
    /// If values are no families.
    fn to_levels(&self, _levels: u32, _request: Request<'_>) -> Result<Answer, Refused> {
        Err(Refused::no_levels())
    }
}
