//! Games as problems: what is asked of each of them.

use std::collections::HashMap;
use std::sync::Arc;

use meetjoin_dag::{AndOrDag, Graph, Kind, Names as NodeNames, NodeId, NodeName, Problem, Rows};
use meetjoin_faults::FaultTree;
use meetjoin_faults::problem::fault_tree;
use meetjoin_file::{OutcomeVectors, PROBLEM_FORMAT};
use meetjoin_lattice::{AnyLattice, ElemOf, Extended};
use serde::{Deserialize, Deserializer, Serialize};

use crate::answers::request::Refused;
use crate::instances::explicit::explicit;
use crate::instances::instance::Instance;
use crate::nodes::layered::{self, Layered};
use meetjoin_report::json_line;

/// Why a problem over a lattice has no packets.
pub(crate) const NO_OUTCOMES: &str =
    "packets need the lattice type `dominance`; `meetjoin solve` finds values in a lattice";

/// A game with all that makes it a problem.
pub trait Game {
    /// The problem as a file of the game's keys.
    fn compact(&self) -> String;

    /// The file of the game from its beginning, if what is found out about a node is true wherever
    /// the game begins: then a checkpoint serves all positions.
    fn compact_from_its_beginning(&self) -> String {
        self.compact()
    }

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

    /// The game as a fault tree: gates for nodes, and events for leaves unless it has events of its
    /// own.
    ///
    /// # Errors
    /// If it makes no problem.
    fn fault_tree(&self) -> Result<FaultTree, String> {
        fault_tree(&self.problem()?).map_err(sentence)
    }

    /// Whether the leaves have outcomes of the dominance algebra in place of values.
    fn has_outcomes(&self) -> bool {
        false
    }

    /// The problem over those outcomes.
    fn outcomes(&self) -> Result<Problem<OutcomeVectors>, String> {
        Err(NO_OUTCOMES.to_owned())
    }

    /// The game level by level: with all its nodes, unless they follow from its rules.
    ///
    /// # Errors
    /// If it makes no problem.
    fn layered(&self) -> Result<Arc<dyn Layered>, Refused> {
        Ok(layered::explicit(self.problem().map_err(Refused::Problem)?))
    }

    /// The game ready to be searched: node by node, unless it can be searched by its rules.
    ///
    /// # Errors
    /// If it makes no problem.
    fn instance(&self) -> Result<Box<dyn Instance>, Refused> {
        explicit(self.problem().map_err(Refused::Problem)?)
    }
}

/// A game, or why there is none.
pub type Made = Result<Box<dyn Game>, String>;

/// The most positions of a game that are written: a game with more would not end.
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

/// The key `lattice` of a game, which knows the size of its lattice itself: the type alone.
pub(crate) mod lattice_key {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
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
        LatticeKey::deserialize(deserializer).map(|key| key.r#type)
    }
}

/// The value of a key that may not be `null`, where no key is no value.
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

/// The numbers of nodes as their names.
pub(crate) fn numbers(graph: &Graph) -> NodeNames {
    NodeNames::From {
        first: 0,
        count: graph.node_count(),
    }
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

/// All nodes that the root reaches, in the order in which a breadth-first walk meets them, and
/// their graph. `None` if they are more than `most`.
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
