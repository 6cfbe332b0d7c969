//! Random fault trees, as problems over the free distributive lattice.

use clap::Args;
use meetjoin_dag::{Graph, Problem};
use meetjoin_faults::FaultTree;
use meetjoin_faults::FaultTreeParameters;
use meetjoin_faults::problem::problem;
use meetjoin_lattice::AnyLattice;
use serde::{Deserialize, Serialize};

use crate::game::{Game, compact, sentence};

#[derive(Args, Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // they would become the help of the command
pub struct FaultTreeArgs {
    /// Number of basic events.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub events: u32,

    /// Number of gates.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub gates: u32,

    /// Greatest number of arguments that are drawn for a gate.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        allow_negative_numbers = true
    )]
    pub arguments: u32,

    /// Seed of the generator.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: u64,
}

impl FaultTreeArgs {
    fn parameters(&self) -> FaultTreeParameters {
        let &Self {
            events,
            gates,
            arguments,
            seed,
        } = self;
        FaultTreeParameters {
            events,
            gates,
            arguments,
            seed,
        }
    }
}

impl Game for FaultTreeArgs {
    fn compact(&self) -> String {
        compact("fault-tree", self)
    }

    fn check(&self) -> Result<(), String> {
        self.parameters().check().map_err(sentence)
    }

    fn graph(&self) -> Result<Graph, String> {
        self.problem().map(|problem| problem.graph().clone())
    }

    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        let tree = self.parameters().tree().map_err(sentence)?;
        problem(&tree).map_err(sentence)
    }

    fn fault_tree(&self) -> Result<FaultTree, String> {
        self.parameters().tree().map_err(sentence)
    }
}
