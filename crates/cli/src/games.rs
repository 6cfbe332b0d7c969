//! Games from the command line or from a file of keys: solved, written with all their nodes, or written as their keys.

use std::collections::HashMap;

use meetjoin::dag::{
    AndOrDag, GameFile, Graph, Kind, NodeId, NodeName, PROBLEM_FORMAT, Problem, ProblemError, Rows,
    Valuation,
};
use meetjoin::games::{Racing, RacingPosition, RacingSets, RandomDag, RandomParameters};
use meetjoin::lattice::{AnyLattice, FixedBitSet, WorldSet};
use serde::Deserialize;
use serde_json::json;

use crate::args::{GameArgs, RacingArgs, RandomArgs, SetLattice};
use crate::failure::Failure;
use crate::racing;
use crate::solve::{self, Request};

/// A game with all that makes it a problem.
pub(crate) enum Game {
    Racing(Racing, SetLattice),
    Random(RandomParameters, SetLattice),
}

/// The key `lattice` of a game, which knows the number of worlds itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LatticeKey {
    r#type: SetLattice,
}

/// The sentence of an error.
#[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
fn sentence(error: impl ToString) -> String {
    error.to_string()
}

impl TryFrom<&GameArgs> for Game {
    type Error = String;

    fn try_from(args: &GameArgs) -> Result<Self, String> {
        match args {
            GameArgs::Racing(args) => Self::try_from(args),
            GameArgs::Random(args) => Ok(Self::from(args)),
        }
    }
}

impl TryFrom<&RacingArgs> for Game {
    type Error = String;

    fn try_from(args: &RacingArgs) -> Result<Self, String> {
        let RacingArgs { deck, goal, .. } = *args;
        let game = match (&args.hand, args.lead, args.hand_size, args.seed) {
            (Some(hand), Some(lead), None, None) => Racing::new(deck, goal, hand, lead),
            (None, None, Some(size), Some(seed)) => Racing::random(deck, goal, size, seed),
            _ => {
                let pairs = "give either --hand and --lead, or --hand-size and --seed";
                return Err(pairs.to_owned());
            }
        };
        let game = game.map_err(sentence)?;
        racing::check_size(&game)?;
        Ok(Self::Racing(game, args.lattice))
    }
}

impl From<&RandomArgs> for Game {
    fn from(args: &RandomArgs) -> Self {
        let parameters = RandomParameters {
            depth: args.depth,
            branching: args.branching,
            variables: args.variables,
            alternating: args.alternating,
            seed: args.seed,
        };
        Self::Random(parameters, args.lattice)
    }
}

impl TryFrom<GameFile> for Game {
    type Error = String;

    fn try_from(mut file: GameFile) -> Result<Self, String> {
        match file.name() {
            "racing" => {
                let (deck, goal, hand, lead, lattice) = racing_keys(file).map_err(sentence)?;
                let game = Racing::new(deck, goal, &hand, lead).map_err(sentence)?;
                racing::check_size(&game)?;
                Ok(Self::Racing(game, lattice))
            }
            "random" => random_keys(&mut file)
                .and_then(|game| file.finish().map(|()| game))
                .map_err(sentence),
            name => Err(format!(
                "unknown game `{name}`; there are `racing` and `random`"
            )),
        }
    }
}

type RacingKeys = (u8, u8, Vec<u8>, u8, SetLattice);

fn racing_keys(mut file: GameFile) -> Result<RacingKeys, ProblemError> {
    let (deck, goal) = (file.take("deck")?, file.take("goal")?);
    let (hand, lead) = (file.take("hand")?, file.take("lead")?);
    let lattice: LatticeKey = file.take("lattice")?;
    file.finish()?;
    Ok((deck, goal, hand, lead, lattice.r#type))
}

fn random_keys(file: &mut GameFile) -> Result<Game, ProblemError> {
    let parameters = RandomParameters {
        depth: file.take("depth")?,
        branching: file.take("branching")?,
        variables: file.take("variables")?,
        alternating: file.take("alternating")?,
        seed: file.take("seed")?,
    };
    let lattice: LatticeKey = file.take("lattice")?;
    Ok(Game::Random(parameters, lattice.r#type))
}

impl Game {
    /// Finds the value and prints the answer. Racing is searched by its rules, a random graph node by node.
    pub(crate) fn solve(&self, request: &Request<'_>) -> Result<(), Failure> {
        match self {
            Self::Racing(game, lattice) => racing::solve(game, *lattice, request),
            Self::Random(..) => {
                let problem = self.explicit().map_err(|error| request.refused(error))?;
                solve::by_lattice(problem, request)
            }
        }
    }

    /// The graph with all its nodes.
    pub(crate) fn graph(&self) -> Result<Graph, String> {
        match self {
            Self::Racing(game, _) => Ok(expand(game)?.0),
            Self::Random(parameters, _) => {
                let dag = RandomDag::new(*parameters).map_err(sentence)?;
                Ok(dag.graph().clone())
            }
        }
    }

    /// The problem with all its nodes.
    pub(crate) fn explicit(&self) -> Result<Problem<AnyLattice>, String> {
        match self {
            Self::Racing(game, lattice) => explicit_racing(game, *lattice),
            Self::Random(parameters, lattice) => explicit_random(*parameters, *lattice),
        }
    }

    /// The problem as a file of the game's keys.
    pub(crate) fn compact(&self) -> String {
        let format = json!(PROBLEM_FORMAT);
        let keys = match self {
            Self::Racing(game, lattice) => {
                let mut hand = game.hand().to_vec();
                hand.sort_unstable();
                vec![
                    ("game", json!("racing")),
                    ("deck", json!(game.deck())),
                    ("goal", json!(game.goal())),
                    ("hand", json!(hand)),
                    ("lead", json!(game.lead())),
                    ("lattice", json!({"type": lattice.word()})),
                ]
            }
            Self::Random(parameters, lattice) => vec![
                ("game", json!("random")),
                ("depth", json!(parameters.depth)),
                ("branching", json!(parameters.branching)),
                ("variables", json!(parameters.variables)),
                ("alternating", json!(parameters.alternating)),
                ("seed", json!(parameters.seed)),
                ("lattice", json!({"type": lattice.word()})),
            ],
        };
        let keys = std::iter::once(("format", format)).chain(keys);
        let keys: Vec<String> = keys
            .map(|(key, value)| format!("\"{key}\":{value}"))
            .collect();
        format!("{{{}}}\n", keys.join(","))
    }
}

/// The set lattice over so many worlds.
fn lattice_of(lattice: SetLattice, worlds: usize) -> AnyLattice {
    match lattice {
        SetLattice::Powerset => AnyLattice::powerset(worlds),
        SetLattice::Families => AnyLattice::families(worlds),
    }
}

/// The problem of a random graph; its nodes are named by their numbers.
fn explicit_random(
    parameters: RandomParameters,
    lattice: SetLattice,
) -> Result<Problem<AnyLattice>, String> {
    let dag = RandomDag::new(parameters).map_err(sentence)?;
    let lattice = lattice_of(lattice, dag.variables());
    let (graph, values) = dag.into_parts(|set| lattice.set(set));
    let values = values.into_iter().flatten().collect();
    let names = graph
        .nodes()
        .map(|node| NodeName::Int(i64::from(u32::from(node))));
    let names = names.collect();
    Problem::new(graph, names, lattice, values).map_err(sentence)
}

/// The problem of a deal; its nodes are named by their positions, its worlds by the hands.
fn explicit_racing(game: &Racing, lattice: SetLattice) -> Result<Problem<AnyLattice>, String> {
    let (graph, positions) = expand(game)?;
    let hands = game.hands();
    let lattice = lattice_of(lattice, hands.len());
    let sets = RacingSets::<FixedBitSet>::new(game).map_err(sentence)?;
    let leaves = positions.iter().filter(|p| game.kind(p) == Kind::Leaf);
    let values = leaves.filter_map(|leaf| lattice.set(WorldSet::ones(&sets.leaf(leaf))));
    let values = values.collect();
    let names = positions.iter().map(|position| name(game, position));
    let names = names.collect();
    let problem = Problem::new(graph, names, lattice, values).map_err(sentence)?;
    let worlds = hands.iter().map(|hand| racing::hand_text(hand)).collect();
    Ok(problem.with_worlds(Some(worlds)))
}

fn name(game: &Racing, position: &RacingPosition) -> NodeName {
    let mut name = String::new();
    // Writing to a string cannot fail.
    let _ = game.name(position, &mut name);
    NodeName::from(name.as_str())
}

/// All nodes that the root reaches, in the order in which a breadth-first walk meets them, and their graph.
fn expand<D: AndOrDag>(dag: &D) -> Result<(Graph, Vec<D::Node>), String> {
    let mut nodes = vec![dag.root()];
    let mut numbers = HashMap::from([(dag.root(), NodeId::from(0))]);
    let (mut rows, mut children) = (Rows::new(), Vec::new());
    while let Some(node) = nodes.get(rows.node_count()) {
        let kind = dag.kind(node);
        if kind == Kind::Leaf {
            rows.leaf().map_err(sentence)?;
            continue;
        }
        dag.children(node, &mut children);
        let row = children.drain(..).map(|child: D::Node| {
            *numbers.entry(child).or_insert_with_key(|child| {
                nodes.push(child.clone());
                // `rows` refuses more nodes than there are numbers.
                NodeId::from(nodes.len() as u32 - 1)
            })
        });
        let added = if kind == Kind::Or {
            rows.or(row)
        } else {
            rows.and(row)
        };
        added.map_err(sentence)?;
    }
    let graph = rows.finish(NodeId::from(0)).map_err(sentence)?;
    Ok((graph, nodes))
}
