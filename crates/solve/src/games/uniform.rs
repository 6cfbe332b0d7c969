//! Uniform trees of integers, node by node.

use clap::Args;
use meetjoin::dag::{Graph, NodeId, Problem};
use meetjoin::file::GameFile;
use meetjoin::games::uniform::{ChildOrder, LeafValues, UniformParameters, UniformTree};
use meetjoin::lattice::{AnyElem, AnyLattice, Chain, Extended, Interval};
use serde_json::{Value, json};

use super::words::LatticeWord;
use crate::game::{Game, Made, lattice_key, numbers, sentence, take_all, take_lattice};

#[derive(Args, Debug)]
#[allow(missing_docs)] // they would become the help of the command
pub struct UniformArgs {
    /// Children of an inner node, b.
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub branching: u32,

    /// Levels below the root, d.
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    pub depth: u32,

    /// Where the values of the leaves come from.
    #[arg(long, value_enum, default_value = "independent")]
    pub values: ValuesWord,

    /// The largest value of a leaf, whose smallest is 0; if incremental, of an edge, whose smallest is -N.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub most: u32,

    /// In which order children stand.
    #[arg(long, value_enum, default_value = "random")]
    pub ordering: OrderingWord,

    /// Seed of the generator.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: u64,

    /// Give inner nodes bounds that are at most so far from their value.
    #[arg(long, value_name = "SLACK", allow_negative_numbers = true)]
    pub bounds: Option<u32>,
}

#[allow(missing_docs)] // its variants say it all
#[derive(Clone, Copy, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValuesWord {
    /// Each leaf is drawn for itself.
    Independent,
    /// Each edge is drawn, and a leaf is worth the sum along its path.
    Incremental,
}

#[allow(missing_docs)] // its variants say it all
#[derive(Clone, Copy, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderingWord {
    /// As they were drawn.
    Random,
    /// Mostly the best one for the player to move first.
    BestFirst,
}

struct Uniform {
    parameters: UniformParameters,
    /// How far the bounds of inner nodes lie from their values at most, if they have any.
    slack: Option<u32>,
}

/// The game of a command line.
pub(super) fn from_args(args: &UniformArgs) -> Box<dyn Game> {
    Box::new(Uniform {
        parameters: UniformParameters {
            depth: args.depth,
            branching: args.branching,
            values: args.values.into(),
            most: args.most,
            ordering: args.ordering.into(),
            seed: args.seed,
        },
        slack: args.bounds,
    })
}

/// The game of a problem file.
pub(super) fn read(file: GameFile) -> Made {
    let game = take_all(file, |file| {
        let parameters = UniformParameters {
            depth: file.take("depth")?,
            branching: file.take("branching")?,
            values: file.take::<ValuesWord>("values")?.into(),
            most: file.take("most")?,
            ordering: file.take::<OrderingWord>("ordering")?.into(),
            seed: file.take("seed")?,
        };
        let slack = file.take_optional("bounds")?;
        // There is only one.
        let LatticeWord::Chain = take_lattice(file)?;
        Ok(Uniform { parameters, slack })
    })?;
    Ok(Box::new(game))
}

impl From<ValuesWord> for LeafValues {
    fn from(word: ValuesWord) -> Self {
        match word {
            ValuesWord::Independent => Self::Independent,
            ValuesWord::Incremental => Self::Incremental,
        }
    }
}

/// As problem files call it.
fn values_word(values: LeafValues) -> &'static str {
    match values {
        LeafValues::Independent => "independent",
        LeafValues::Incremental => "incremental",
    }
}

impl From<OrderingWord> for ChildOrder {
    fn from(word: OrderingWord) -> Self {
        match word {
            OrderingWord::Random => Self::Random,
            OrderingWord::BestFirst => Self::BestFirst,
        }
    }
}

/// As problem files call it.
fn ordering_word(ordering: ChildOrder) -> &'static str {
    match ordering {
        ChildOrder::Random => "random",
        ChildOrder::BestFirst => "best-first",
    }
}

impl Uniform {
    fn tree(&self) -> Result<UniformTree, String> {
        UniformTree::new(self.parameters).map_err(sentence)
    }
}

impl Game for Uniform {
    fn keys(&self) -> Vec<(&'static str, Value)> {
        let parameters = &self.parameters;
        let mut keys = vec![
            ("game", json!("uniform")),
            ("depth", json!(parameters.depth)),
            ("branching", json!(parameters.branching)),
            ("values", json!(values_word(parameters.values))),
            ("most", json!(parameters.most)),
            ("ordering", json!(ordering_word(parameters.ordering))),
            ("seed", json!(parameters.seed)),
        ];
        keys.extend(self.slack.map(|slack| ("bounds", json!(slack))));
        keys.push(("lattice", lattice_key("chain")));
        keys
    }

    fn check(&self) -> Result<(), String> {
        self.parameters.check().map_err(sentence)
    }

    fn graph(&self) -> Result<Graph, String> {
        Ok(self.tree()?.into_parts(drop).0)
    }

    fn has_bounds(&self) -> bool {
        self.slack.is_some()
    }

    /// The bounds are drawn with the seed of the tree.
    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        problem(
            self.tree()?,
            Chain::unbounded(),
            self.slack,
            self.parameters.seed,
        )
    }
}

/// A tree over a chain that holds its values, with bounds of inner nodes that lie so far from their values at most, drawn with this seed, if it is to have any.
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
    let problem = Problem::new(graph, names, AnyLattice::Integers(chain), values);
    let problem = problem.map_err(sentence)?;
    let Some(bounds) = bounds else {
        return Ok(problem);
    };
    let bounds = bounds
        .into_iter()
        .map(|(lower, upper)| Interval::new(integer(lower), integer(upper)));
    Ok(problem.with_bounds((0..).map(NodeId::from).zip(bounds)))
}
