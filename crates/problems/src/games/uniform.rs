//! Uniform trees of integers, node by node.

use clap::Args;
use meetjoin_dag::{Graph, NodeId, Problem};
use meetjoin_games::uniform::{ChildOrder, LeafValues, UniformParameters, UniformTree};
use meetjoin_lattice::{AnyElem, AnyLattice, Chain, Extended, Interval};
use serde::{Deserialize, Serialize};

use super::words::IntegerLattice;
use crate::game::{Game, compact, given, lattice_key, numbers, sentence};

#[derive(Args, Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // they would become the help of the command
pub struct UniformArgs {
    /// Number of levels below the root.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub depth: u32,

    /// Number of children of an inner node.
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub branching: u32,

    /// How the values of the leaves are drawn.
    #[arg(long, value_enum, default_value = "independent")]
    pub values: LeafValues,

    /// Draw leaves from 0 to N, or with --values incremental edges from -N to N.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub most: u32,

    /// The order of the children of a node.
    #[arg(long, value_enum, default_value = "random")]
    pub ordering: ChildOrder,

    /// Seed of the generator.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: u64,

    /// Give inner nodes bounds that differ from their values by at most SLACK.
    #[arg(long, value_name = "SLACK", allow_negative_numbers = true)]
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub bounds: Option<u32>,

    #[arg(skip)]
    #[serde(with = "lattice_key")]
    pub lattice: IntegerLattice,
}

impl UniformArgs {
    fn parameters(&self) -> UniformParameters {
        UniformParameters {
            depth: self.depth,
            branching: self.branching,
            values: self.values,
            most: self.most,
            ordering: self.ordering,
            seed: self.seed,
        }
    }

    fn tree(&self) -> Result<UniformTree, String> {
        UniformTree::new(self.parameters()).map_err(sentence)
    }
}

impl Game for UniformArgs {
    fn compact(&self) -> String {
        compact("uniform", self)
    }

    fn check(&self) -> Result<(), String> {
        self.parameters().check().map_err(sentence)
    }

    fn graph(&self) -> Result<Graph, String> {
        Ok(self.tree()?.into_parts(drop).0)
    }

    fn has_bounds(&self) -> bool {
        self.bounds.is_some()
    }

    /// The bounds are drawn with the seed of the tree.
    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        problem(self.tree()?, Chain::unbounded(), self.bounds, self.seed)
    }
}

/// A tree over a chain that holds its values, with bounds of inner nodes that lie so far from their
/// values at most, drawn with this seed, if it is to have any.
///
/// # Errors
/// If the parts do not fit together.
pub fn problem(
    tree: UniformTree,
    chain: Chain<Extended>,
    slack: Option<u32>,
    seed: u64,
) -> Result<Problem<AnyLattice>, String> {
    let bounds = slack.map(|slack| tree.bounds(slack, seed));
    let integer = |number| AnyElem::Integer(Extended::Finite(number));
    let (graph, values) = tree.into_parts(integer);
    let names = numbers(&graph);
    let problem = Problem::from_parts(graph, names, AnyLattice::Integers(chain), values.into());
    let problem = problem.map_err(sentence)?;
    let Some(bounds) = bounds else {
        return Ok(problem);
    };
    let bounds = bounds
        .into_iter()
        .map(|(lower, upper)| Interval::new(integer(lower), integer(upper)));
    Ok(problem.with_bounds((0..).map(NodeId::from).zip(bounds)))
}
