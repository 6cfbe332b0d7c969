//! Random layered graphs, node by node.

use clap::Args;
use meetjoin::dag::{Graph, Problem};
use meetjoin::file::GameFile;
use meetjoin::games::{RandomDag, RandomParameters};
use meetjoin::lattice::AnyLattice;
use serde_json::{Value, json};

use super::words::SetLattice;
use crate::game::{Game, Made, lattice_key, numbers, sentence, take_all, take_lattice};
use crate::instance::Instance;
use crate::request::Refused;

#[derive(Args, Debug)]
#[allow(missing_docs)] // they would become the help of the command
pub struct RandomArgs {
    /// Layers, d.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub depth: u32,

    /// Children of an inner node, b.
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub branching: u32,

    /// Variables of which a leaf holds a random set, v.
    #[arg(long, value_name = "V", allow_negative_numbers = true)]
    pub variables: u32,

    /// OR and AND in alternating layers instead of at random.
    #[arg(long)]
    pub alternating: bool,

    /// Where the values live.
    #[arg(long, value_enum)]
    pub lattice: SetLattice,

    /// Seed of the generator.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: u64,
}

struct Random {
    parameters: RandomParameters,
    lattice: SetLattice,
}

/// The game of a command line.
pub fn from_args(args: &RandomArgs) -> Box<dyn Game> {
    Box::new(Random {
        parameters: RandomParameters {
            depth: args.depth,
            branching: args.branching,
            variables: args.variables,
            alternating: args.alternating,
            seed: args.seed,
        },
        lattice: args.lattice,
    })
}

/// The game of a problem file.
pub(super) fn read(file: GameFile) -> Made {
    let game = take_all(file, |file| {
        Ok(Random {
            parameters: RandomParameters {
                depth: file.take("depth")?,
                branching: file.take("branching")?,
                variables: file.take("variables")?,
                alternating: file.take("alternating")?,
                seed: file.take("seed")?,
            },
            lattice: take_lattice(file)?,
        })
    })?;
    Ok(Box::new(game))
}

impl Game for Random {
    fn keys(&self) -> Vec<(&'static str, Value)> {
        let parameters = &self.parameters;
        vec![
            ("game", json!("random")),
            ("depth", json!(parameters.depth)),
            ("branching", json!(parameters.branching)),
            ("variables", json!(parameters.variables)),
            ("alternating", json!(parameters.alternating)),
            ("seed", json!(parameters.seed)),
            ("lattice", lattice_key(self.lattice.word())),
        ]
    }

    fn check(&self) -> Result<(), String> {
        self.parameters.check().map_err(sentence)
    }

    fn graph(&self) -> Result<Graph, String> {
        let dag = RandomDag::new(self.parameters).map_err(sentence)?;
        Ok(dag.graph().clone())
    }

    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        let dag = RandomDag::new(self.parameters).map_err(sentence)?;
        let lattice = self.lattice.over(dag.variables());
        let (graph, values) = dag.into_parts(|set| lattice.set(set));
        let values = values.into_iter().flatten().collect();
        let names = numbers(&graph);
        Problem::new(graph, names, lattice, values).map_err(sentence)
    }
}

/// The graph ready to be searched.
///
/// # Errors
/// If there is no such graph.
pub fn random(
    parameters: RandomParameters,
    lattice: SetLattice,
) -> Result<Box<dyn Instance>, Refused> {
    Random {
        parameters,
        lattice,
    }
    .instance()
}
