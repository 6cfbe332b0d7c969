//! Games as problems: what is asked of each of them.

use std::collections::HashMap;

use meetjoin::dag::{AndOrDag, Graph, Kind, NodeId, NodeName, Problem, Rows};
use meetjoin::file::{GameFile, OutcomeVectors, PROBLEM_FORMAT, ProblemError};
use meetjoin::lattice::{AnyLattice, ElemOf, Extended};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::explicit::explicit;
use crate::instance::Instance;
use crate::request::Refused;

/// Why a problem over a lattice has no packets.
pub const NO_OUTCOMES: &str =
    "packets need the lattice type `dominance`; `meetjoin solve` finds values in a lattice";

/// A game with all that makes it a problem.
pub trait Game {
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

    /// The game ready to be searched: node by node, unless it can be searched by its rules.
    ///
    /// # Errors
    /// If it makes no problem.
    fn instance(&self) -> Result<Box<dyn Instance>, Refused> {
        explicit(self.problem().map_err(Refused::Problem)?)
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
pub type Made = Result<Box<dyn Game>, String>;

/// The most positions of a game that are written: a game with more would not end.
pub(crate) const MOST_POSITIONS: usize = 1 << 20;

/// Takes the keys of a game from its file, all of them.
pub(crate) fn take_all<T>(
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
pub(crate) fn take_lattice<L: serde::de::DeserializeOwned>(
    file: &mut GameFile,
) -> Result<L, ProblemError> {
    let key: LatticeKey<L> = file.take("lattice")?;
    Ok(key.r#type)
}

/// The value of that key.
pub(crate) fn lattice_key(word: &str) -> Value {
    json!({"type": word})
}

/// The sentence of an error.
#[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
pub(crate) fn sentence(error: impl ToString) -> String {
    error.to_string()
}

/// The numbers of nodes as their names.
pub(crate) fn numbers(graph: &Graph) -> Vec<NodeName> {
    let numbers = graph.nodes().map(|node| i64::from(u32::from(node)));
    numbers.map(NodeName::Int).collect()
}

/// The names of positions.
pub(crate) fn positions<D: AndOrDag>(dag: &D, positions: &[D::Node]) -> Vec<NodeName> {
    let name = |position| {
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = dag.name(position, &mut name);
        NodeName::from(name.as_str())
    };
    positions.iter().map(name).collect()
}

/// An outcome from its numbers.
pub(crate) fn outcome(numbers: &[i64]) -> ElemOf<OutcomeVectors> {
    numbers.iter().copied().map(Extended::Finite).collect()
}

/// A graph, and what its nodes are in the game.
pub(crate) type Expanded<D> = (Graph, Vec<<D as AndOrDag>::Node>);

/// All nodes that the root reaches, in the order in which a breadth-first walk meets them, and their graph. `None` if they are more than
/// `most`.
pub(crate) fn expand<D: AndOrDag>(dag: &D, most: usize) -> Result<Option<Expanded<D>>, String> {
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
