//! Games as problems: the trait of all games.

use std::collections::HashMap;
use std::sync::Arc;

use meetjoin_dag::{AndOrDag, Graph, Kind, Names as NodeNames, NodeId, NodeName, Problem, Rows};
use meetjoin_faults::FaultTree;
use meetjoin_faults::problem::fault_tree;
use meetjoin_file::{OutcomeVectors, PROBLEM_FORMAT};
use meetjoin_lattice::{AnyLattice, ElemOf, Extended};
use meetjoin_report::json_line;
use meetjoin_solve::explicit::explicit;
use meetjoin_solve::instance::Instance;
use meetjoin_solve::layered::{self, Layered};
use meetjoin_solve::request::Refused;
use serde::{Deserialize, Deserializer, Serialize};

/// Why a problem over a lattice has no packets.
pub(crate) const NO_OUTCOMES: &str =
    "packets need the lattice type `dominance`; `meetjoin solve` finds values in a lattice";

/// A game and its representations as a problem.
pub trait Game {
    /// The problem as a file with the game's keys.
    fn compact(&self) -> String;

    /// The file of the game from its start position, if cache entries are valid for all start
    /// positions: then a checkpoint serves all of them.
    fn compact_from_its_beginning(&self) -> String {
        self.compact()
    }

    /// Checks the arguments, as far as possible without making the problem.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// The explicit graph.
    fn graph(&self) -> Result<Graph, String>;

    /// Returns whether inner nodes have bounds.
    fn has_bounds(&self) -> bool {
        false
    }

    /// The explicit problem.
    fn problem(&self) -> Result<Problem<AnyLattice>, String>;

    /// The game as a fault tree: nodes are gates, and leaves are events unless the game has events
    /// of its own.
    ///
    /// # Errors
    /// If it makes no problem.
    fn fault_tree(&self) -> Result<FaultTree, String> {
        fault_tree(&self.problem()?).map_err(sentence)
    }

    /// Returns whether the leaves have outcomes of the dominance algebra in place of values.
    fn has_outcomes(&self) -> bool {
        false
    }

    /// The problem over those outcomes.
    fn outcomes(&self) -> Result<Problem<OutcomeVectors>, String> {
        Err(NO_OUTCOMES.to_owned())
    }

    /// The game level by level: explicit, unless it can be expanded by its rules.
    ///
    /// # Errors
    /// If it makes no problem.
    fn layered(&self) -> Result<Arc<dyn Layered>, Refused> {
        Ok(layered::explicit(self.problem().map_err(Refused::Problem)?))
    }

    /// The game ready to be searched: explicit, unless it can be searched by its rules.
    ///
    /// # Errors
    /// If it makes no problem.
    fn instance(&self) -> Result<Box<dyn Instance>, Refused> {
        explicit(self.problem().map_err(Refused::Problem)?)
    }
}

/// A game, or why there is none.
pub type Made = Result<Box<dyn Game>, String>;

/// The most positions of a game that are listed; larger ones are refused.
pub(crate) const MOST_POSITIONS: usize = 1 << 20;

/// The file of a game with this name and these keys.
pub(crate) fn compact(game: &str, keys: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Keys<'a, K> {
        format: &'a str,
        game: &'a str,
        #[serde(flatten)]
        others: &'a K,
    }
    json_line(&Keys {
        format: PROBLEM_FORMAT,
        game,
        others: keys,
    })
}

/// (De)serializes the key `lattice` of a game: the type alone, as the game determines the size.
pub(crate) mod lattice_key {
    use meetjoin_file::object;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(
        deny_unknown_fields,
        expecting = "an object with the type of the lattice, as in {\"type\": \"families\"}"
    )]
    struct LatticeKey<L> {
        r#type: L,
    }

    pub(crate) fn serialize<L: Copy + Serialize, S: Serializer>(
        lattice: &L,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        LatticeKey { r#type: *lattice }.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, L: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<L, D::Error> {
        object::<LatticeKey<L>, D>(deserializer).map(|key| key.r#type)
    }
}

/// The value of a key that may be absent, but not `null`.
pub(crate) fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// The sentence of an error.
#[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
pub(crate) fn sentence(error: impl ToString) -> String {
    error.to_string()
}

/// Names nodes by their numbers.
pub(crate) fn numbers(graph: &Graph) -> NodeNames {
    NodeNames::From {
        first: 0,
        count: graph.node_count(),
    }
}

/// Names nodes by their positions.
pub(crate) fn positions<D: AndOrDag>(dag: &D, positions: &[D::Node]) -> Vec<NodeName> {
    let name = |position| {
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = dag.name(position, &mut name);
        NodeName::from(name.as_str())
    };
    positions.iter().map(name).collect()
}

/// An outcome of the dominance algebra from its numbers.
pub(crate) fn outcome(numbers: &[i64]) -> ElemOf<OutcomeVectors> {
    numbers.iter().copied().map(Extended::Finite).collect()
}

/// A graph, and the game's nodes by number.
pub(crate) type Expanded<D> = (Graph, Vec<<D as AndOrDag>::Node>);

/// All nodes reachable from the root, in breadth-first order, and their graph. `None` if they are
/// more than `most`.
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
                // `rows` refuses more nodes than fit 32 bits.
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
