//! Random layered graphs, node by node.

use clap::Args;
use meetjoin_dag::{Graph, Problem};
use meetjoin_games::{RandomDag, RandomParameters};
use meetjoin_lattice::{AnyElem, AnyLattice};
use meetjoin_solve::explicit::explicit;
use meetjoin_solve::instance::Instance;
use meetjoin_solve::request::Refused;
use serde::{Deserialize, Serialize};

use super::words::SetLattice;
use crate::game::{Game, compact, lattice_key, numbers, sentence};

#[derive(Args, Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // they would become the help of the command
pub struct RandomArgs {
    /// Number of layers, d in the paper.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub depth: u32,

    /// Number of children of an inner node, b in the paper.
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub branching: u32,

    /// Number of variables, v in the paper; each leaf holds a random set of them.
    #[arg(long, value_name = "V", allow_negative_numbers = true)]
    pub variables: u32,

    /// Alternate layers of OR and AND, instead of choosing at each node at random.
    #[arg(long)]
    pub alternating: bool,

    /// Seed of the generator.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: u64,

    /// The lattice of the values.
    #[arg(long, value_enum)]
    #[serde(with = "lattice_key")]
    pub lattice: SetLattice,
}

impl RandomArgs {
    fn parameters(&self) -> RandomParameters {
        RandomParameters {
            depth: self.depth,
            branching: self.branching,
            variables: self.variables,
            alternating: self.alternating,
            seed: self.seed,
        }
    }
}

impl Game for RandomArgs {
    fn compact(&self) -> String {
        compact("random", self)
    }

    fn check(&self) -> Result<(), String> {
        self.parameters().check().map_err(sentence)
    }

    fn graph(&self) -> Result<Graph, String> {
        let dag = RandomDag::new(self.parameters()).map_err(sentence)?;
        Ok(dag.graph().clone())
    }

    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        problem(self.parameters(), self.lattice)
    }
}

fn problem(
    parameters: RandomParameters,
    lattice: SetLattice,
) -> Result<Problem<AnyLattice>, String> {
    let dag = RandomDag::new(parameters).map_err(sentence)?;
    let lattice = lattice.over(dag.variables());
    let leaves = dag.graph().leaf_count();
    let mut values: Vec<AnyElem> = Vec::new();
    let room = values.try_reserve_exact(leaves);
    room.map_err(|_| format!("there is not enough memory for the values of {leaves} leaves"))?;
    values.extend((0..leaves).filter_map(|leaf| lattice.set(dag.leaf_set(leaf))));
    let graph = dag.graph().clone();
    let names = numbers(&graph);
    Problem::from_parts(graph, names, lattice, values.into()).map_err(sentence)
}

/// The graph ready to be searched.
///
/// # Errors
/// If there is no such graph.
pub fn random(
    parameters: RandomParameters,
    lattice: SetLattice,
) -> Result<Box<dyn Instance>, Refused> {
    explicit(problem(parameters, lattice).map_err(Refused::Problem)?)
}
