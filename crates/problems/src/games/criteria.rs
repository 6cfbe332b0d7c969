//! Random trees with several criteria, node by node.

use clap::Args;
use meetjoin_dag::{Graph, Problem};
use meetjoin_file::{LatticeError, OutcomeVectors};
use meetjoin_games::criteria::{Correlation, CriteriaParameters, CriteriaTree};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Chain, Extended, FreeLattice, Product};
use serde::{Deserialize, Serialize};

use super::words::CriteriaLattice;
use crate::game::{Game, NO_OUTCOMES, compact, lattice_key, numbers, outcome, sentence};

#[derive(Args, Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // they would become the help of the command
pub struct CriteriaArgs {
    /// Number of levels below the root.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub depth: u32,

    /// Number of children of an inner node.
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub branching: u32,

    /// Number of criteria of an outcome.
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub criteria: u32,

    /// The largest value of a criterion; the smallest is 0.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub most: u32,

    /// Correlation of the criteria of an outcome.
    #[arg(long, value_enum, default_value = "independent")]
    pub correlation: Correlation,

    /// Alternate levels of OR and AND, instead of choosing at each node at random.
    #[arg(long)]
    pub alternating: bool,

    /// Seed of the generator.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: u64,

    /// The algebra or lattice of the outcomes.
    #[arg(long, value_enum)]
    #[serde(with = "lattice_key")]
    pub lattice: CriteriaLattice,
}

impl CriteriaArgs {
    fn parameters(&self) -> CriteriaParameters {
        CriteriaParameters {
            depth: self.depth,
            branching: self.branching,
            criteria: self.criteria,
            most: self.most,
            correlation: self.correlation,
            alternating: self.alternating,
            seed: self.seed,
        }
    }

    fn tree(&self) -> Result<CriteriaTree, String> {
        CriteriaTree::new(self.parameters()).map_err(sentence)
    }
}

impl Game for CriteriaArgs {
    fn compact(&self) -> String {
        compact("criteria", self)
    }

    fn check(&self) -> Result<(), String> {
        self.parameters().check().map_err(sentence)
    }

    fn graph(&self) -> Result<Graph, String> {
        Ok(self.tree()?.graph().clone())
    }

    fn has_outcomes(&self) -> bool {
        self.lattice == CriteriaLattice::Dominance
    }

    fn outcomes(&self) -> Result<Problem<OutcomeVectors>, String> {
        if !self.has_outcomes() {
            return Err(NO_OUTCOMES.to_owned());
        }
        let tree = self.tree()?;
        let vectors = OutcomeVectors::power(Chain::unbounded(), tree.criteria());
        let (graph, values) = tree.into_parts(outcome);
        let names = numbers(&graph);
        Problem::from_parts(graph, names, vectors, values.into()).map_err(sentence)
    }

    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        let tree = self.tree()?;
        let criteria = tree.criteria();
        let chain = || {
            let ends = [0, i64::from(self.most)].map(Extended::Finite);
            Chain::new(ends[0], ends[1]).unwrap_or_else(Chain::unbounded)
        };
        let lattice = match self.lattice {
            CriteriaLattice::Dominance => return Err(LatticeError::Dominance.to_string()),
            CriteriaLattice::Free => AnyLattice::Free(FreeLattice::of_vectors(criteria)),
            CriteriaLattice::Product => {
                AnyLattice::Product(Product::power(AnyLattice::Integers(chain()), criteria))
            }
        };
        let budget = Budget::unlimited();
        let value = |numbers: &[i64]| {
            if let AnyLattice::Free(free) = &lattice {
                let packet = free.packet([outcome(numbers)], &budget).map_err(sentence)?;
                return Ok(AnyElem::Free(free.principal(packet)));
            }
            let numbers = numbers
                .iter()
                .map(|&number| AnyElem::Integer(Extended::Finite(number)));
            Ok(AnyElem::Tuple(numbers.collect()))
        };
        let (graph, values) = tree.into_parts(value);
        let values = values.into_iter().collect::<Result<Vec<_>, String>>()?;
        let names = numbers(&graph);
        Problem::from_parts(graph, names, lattice, values.into()).map_err(sentence)
    }
}
