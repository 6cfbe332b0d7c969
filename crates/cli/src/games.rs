//! Games as problems: one file for each, one trait for what the commands ask of them, one table of their names.

pub(crate) mod boards;
mod criteria;
mod hexapawn;
pub(crate) mod racing;
pub(crate) mod random;
mod uniform;

use std::collections::HashMap;

use meetjoin::dag::{AndOrDag, Graph, Kind, NodeId, NodeName, Problem, Rows};
use meetjoin::file::{GameFile, OutcomeVectors, PROBLEM_FORMAT, ProblemError};
use meetjoin::lattice::{AnyLattice, ElemOf, Extended};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::args::GameArgs;
use crate::failure::Failure;
use crate::packets::NO_OUTCOMES;
use crate::prove::{self, Asked};
use crate::solve::{self, Request};

/// A game with all that makes it a problem.
pub(crate) trait Game {
    /// Its keys in a problem file, of which the first names it.
    fn keys(&self) -> Vec<(&'static str, Value)>;

    /// Whether it makes a problem at all, as far as that can be told without making it.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// The graph with all its nodes.
    fn graph(&self) -> Result<Graph, String>;

    /// Whether inner nodes have bounds.
    fn has_bounds(&self) -> bool {
        false
    }

    /// The problem with all its nodes.
    fn problem(&self) -> Result<Problem<AnyLattice>, String>;

    /// Whether the leaves have outcomes of the dominance algebra in place of values.
    fn has_outcomes(&self) -> bool {
        false
    }

    /// The problem over those outcomes.
    fn outcomes(&self) -> Result<Problem<OutcomeVectors>, String> {
        Err(NO_OUTCOMES.to_owned())
    }

    /// Finds the value and prints the answer: node by node, unless the game can be searched by its rules.
    fn solve(&self, request: &Request<'_>) -> Result<(), Failure> {
        let problem = self.problem().map_err(|error| request.refused(error))?;
        solve::by_lattice(problem, request)
    }

    /// Decides a claim and prints the answer: node by node, unless the game can be searched by its rules.
    fn prove(&self, asked: &Asked<'_>) -> Result<(), Failure> {
        let problem = self.problem().map_err(|error| asked.refused(error))?;
        prove::explicit(problem, asked)
    }

    /// The problem as a file of the game's keys.
    fn compact(&self) -> String {
        let format = std::iter::once(("format", json!(PROBLEM_FORMAT)));
        let keys: Vec<String> = format
            .chain(self.keys())
            .map(|(key, value)| format!("\"{key}\":{value}"))
            .collect();
        format!("{{{}}}\n", keys.join(","))
    }
}

/// A game, or why there is none.
pub(crate) type Made = Result<Box<dyn Game>, String>;

/// The most positions of a game that are written: a game with more would not end.
const MOST_POSITIONS: usize = 1 << 20;

/// Makes a game from the keys of a problem file.
type Read = fn(GameFile) -> Made;

/// The games by the names that problem files give them.
const GAMES: [(&str, Read); 8] = [
    ("racing", racing::read),
    ("random", random::read),
    ("criteria", criteria::read),
    ("uniform", uniform::read),
    ("hexapawn", hexapawn::read),
    ("connect-four", boards::read_connect_four),
    ("kalah", boards::read_kalah),
    ("tic-tac-toe", boards::read_tic_tac_toe),
];

/// The game of a problem file.
pub(crate) fn from_file(file: GameFile) -> Made {
    if let Some((_, read)) = GAMES.iter().find(|(name, _)| *name == file.name()) {
        return read(file);
    }
    let names = GAMES.map(|(name, _)| format!("`{name}`"));
    let [names @ .., last] = &names;
    let (name, names) = (file.name(), names.join(", "));
    Err(format!(
        "unknown game `{name}`; there are {names} and {last}"
    ))
}

/// The game of a command line.
pub(crate) fn from_args(args: &GameArgs) -> Made {
    match args {
        GameArgs::Racing(args) => racing::from_args(args),
        GameArgs::Random(args) => Ok(random::from_args(args)),
        GameArgs::Criteria(args) => Ok(criteria::from_args(args)),
        GameArgs::Uniform(args) => Ok(uniform::from_args(args)),
        GameArgs::Hexapawn(args) => hexapawn::from_args(args),
        GameArgs::ConnectFour(args) => boards::connect_four(args),
        GameArgs::Kalah(args) => boards::kalah(args),
        GameArgs::TicTacToe(args) => boards::tic_tac_toe(args),
    }
}

/// Takes the keys of a game from its file, all of them.
fn take_all<T>(
    mut file: GameFile,
    take: impl FnOnce(&mut GameFile) -> Result<T, ProblemError>,
) -> Result<T, String> {
    let taken = take(&mut file).and_then(|taken| file.finish().map(|()| taken));
    taken.map_err(sentence)
}

/// The key `lattice` of a game, which knows the size of its lattice itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LatticeKey<L> {
    r#type: L,
}

/// Takes the key `lattice`.
fn take_lattice<L: serde::de::DeserializeOwned>(file: &mut GameFile) -> Result<L, ProblemError> {
    let key: LatticeKey<L> = file.take("lattice")?;
    Ok(key.r#type)
}

/// The value of that key.
fn lattice_key(word: &str) -> Value {
    json!({"type": word})
}

/// The sentence of an error.
#[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
fn sentence(error: impl ToString) -> String {
    error.to_string()
}

/// The numbers of nodes as their names.
fn numbers(graph: &Graph) -> Vec<NodeName> {
    let numbers = graph.nodes().map(|node| i64::from(u32::from(node)));
    numbers.map(NodeName::Int).collect()
}

/// The names of positions.
fn positions<D: AndOrDag>(dag: &D, positions: &[D::Node]) -> Vec<NodeName> {
    let name = |position| {
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = dag.name(position, &mut name);
        NodeName::from(name.as_str())
    };
    positions.iter().map(name).collect()
}

/// An outcome from its numbers.
fn outcome(numbers: &[i64]) -> ElemOf<OutcomeVectors> {
    numbers.iter().copied().map(Extended::Finite).collect()
}

/// A graph, and what its nodes are in the game.
type Expanded<D> = (Graph, Vec<<D as AndOrDag>::Node>);

/// All nodes that the root reaches, in the order in which a breadth-first walk meets them, and their graph. `None` if they are more than
/// `most`.
fn expand<D: AndOrDag>(dag: &D, most: usize) -> Result<Option<Expanded<D>>, String> {
    let mut nodes = vec![dag.root()];
    let mut numbers = HashMap::from([(dag.root(), NodeId::from(0))]);
    let (mut rows, mut children) = (Rows::new(), Vec::new());
    while let Some(node) = nodes.get(rows.node_count()) {
        if nodes.len() > most {
            return Ok(None);
        }
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
    Ok(Some((graph, nodes)))
}
