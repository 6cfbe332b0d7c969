//! Errors of graphs.

use std::fmt::{self, Debug};

/// Why nodes and edges are no graph. `Id` is whatever names the nodes; messages print it with
/// `Debug`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError<Id: Debug> {
    /// Two definitions of one node.
    #[error("node {0:?} is defined twice")]
    Duplicate(Id),
    /// An AND or OR node without children: it would have no value.
    #[error("node {0:?} is an inner node without children")]
    Childless(Id),
    /// A child that is not defined.
    #[error("node {parent:?} has the child {child:?}, which is not defined")]
    MissingChild {
        /// The first node that has the child.
        parent: Id,
        /// The child.
        child: Id,
    },
    /// The root is not defined.
    #[error("the root {0:?} is not defined")]
    MissingRoot(Id),
    /// A cycle: each of its nodes once, in order; the last has the first as a child.
    #[error("the nodes form a cycle: {}", Arrows(.0))]
    Cycle(Vec<Id>),
    /// Numbers are limited to 32 bits.
    #[error("the graph has more than {} nodes or edges, or a node more than {} children", u32::MAX, u32::MAX >> 3)]
    TooLarge,
    /// There is not enough memory for the rows.
    #[error("there is not enough memory for the nodes and edges of the graph")]
    NoMemory,
}

impl<Id: Debug> GraphError<Id> {
    /// This error with other names for the nodes.
    pub fn map<Other: Debug>(self, mut name: impl FnMut(Id) -> Other) -> GraphError<Other> {
        match self {
            Self::Duplicate(node) => GraphError::Duplicate(name(node)),
            Self::Childless(node) => GraphError::Childless(name(node)),
            Self::MissingChild { parent, child } => GraphError::MissingChild {
                parent: name(parent),
                child: name(child),
            },
            Self::MissingRoot(node) => GraphError::MissingRoot(name(node)),
            Self::Cycle(nodes) => GraphError::Cycle(nodes.into_iter().map(name).collect()),
            Self::TooLarge => GraphError::TooLarge,
            Self::NoMemory => GraphError::NoMemory,
        }
    }
}

/// Prints a cycle as `a -> b -> a`, and a long one without its middle.
struct Arrows<'a, Id>(&'a [Id]);

impl<Id: Debug> fmt::Display for Arrows<'_, Id> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN_AT_EACH_END: usize = 8;
        let nodes = self.0;
        let cut = nodes.len() > 2 * SHOWN_AT_EACH_END + 1;
        for (place, node) in nodes.iter().enumerate() {
            if cut && place == SHOWN_AT_EACH_END {
                let hidden = nodes.len() - 2 * SHOWN_AT_EACH_END;
                write!(out, "({hidden} more) -> ")?;
            }
            let shown = place < SHOWN_AT_EACH_END || place >= nodes.len() - SHOWN_AT_EACH_END;
            if shown || !cut {
                write!(out, "{node:?} -> ")?;
            }
        }
        match nodes.first() {
            Some(first) => write!(out, "{first:?}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_printed_closed() {
        assert_eq!(
            GraphError::Cycle(vec!["a", "b"]).to_string(),
            r#"the nodes form a cycle: "a" -> "b" -> "a""#
        );
        assert_eq!(
            GraphError::Cycle(vec![7]).to_string(),
            "the nodes form a cycle: 7 -> 7"
        );
    }

    #[test]
    fn long_cycles_are_cut() {
        let text = GraphError::Cycle((0..1_000_000).collect()).to_string();
        assert_eq!(
            text,
            "the nodes form a cycle: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> (999984 more) -> \
             999992 -> 999993 -> 999994 -> 999995 -> 999996 -> 999997 -> 999998 -> 999999 -> 0"
        );
    }
}
