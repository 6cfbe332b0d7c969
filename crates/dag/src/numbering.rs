//! From the numbers of mention to the numbers of definition.
//!
//! Children are mentioned before they are defined, so a row is first written in numbers of *mention* (the order in which ids are met).
//! Nodes are numbered in the order of *definition*, so that the graph, a file and a message agree on it. [`Numbering::build`] replaces the
//! one by the other, gives the ids that nobody defined the numbers after the last node, and lets [`Rows::finish`] find them.
//!
//! Cost: four bytes an id, and one pass over the edges.

use std::fmt::Debug;

use crate::error::GraphError;
use crate::graph::Graph;
use crate::node::NodeId;
use crate::rows::Rows;
use crate::traits::Kind;

/// The number of an id in the order of mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention(pub u32);

/// Mentioned, not defined.
const UNDEFINED: u32 = u32::MAX;

/// The rows of nodes that are known by the numbers of their mention.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    /// By mention: the number of definition, or `UNDEFINED`; nothing beyond the end is defined.
    numbers: Vec<u32>,
    /// Children are numbers of mention here.
    rows: Rows,
}

impl Numbering {
    /// Whether the node has been defined.
    pub fn is_defined(&self, mention: Mention) -> bool {
        let number = self.numbers.get(mention.0 as usize);
        number.is_some_and(|&number| number != UNDEFINED)
    }

    /// Adds a child to the open row, which on `Err` is empty.
    ///
    /// # Errors
    /// [`GraphError::NoMemory`].
    pub fn push_child(&mut self, child: Mention) -> Result<(), GraphError<Mention>> {
        let pushed = self.rows.push_child(NodeId::from(child.0));
        pushed.map_err(|_| GraphError::NoMemory)
    }

    /// Empties the open row.
    pub fn discard_open_row(&mut self) {
        self.rows.discard_open_row();
    }

    /// Defines a node: the open row is its row. On `Err`, which names no node but this, the open row is empty again.
    pub fn close(&mut self, mention: Mention, kind: Kind) -> Result<NodeId, GraphError<Mention>> {
        let place = mention.0 as usize;
        if self.numbers.len() <= place {
            let more = place + 1 - self.numbers.len();
            if self.numbers.try_reserve(more).is_err() {
                self.rows.discard_open_row();
                return Err(GraphError::NoMemory);
            }
            self.numbers.resize(place + 1, UNDEFINED);
        }
        if self.numbers[place] != UNDEFINED {
            self.rows.discard_open_row();
            return Err(GraphError::Duplicate(mention));
        }
        let node = self.rows.close(kind);
        let node = node.map_err(|error| error.map(|_| mention))?;
        self.numbers[place] = node.into();
        Ok(node)
    }

    /// The graph below a root, and its ids by node; `ids` come by mention.
    pub fn build<Id: Clone + Debug>(
        self,
        mut ids: Vec<Id>,
        root: Mention,
    ) -> Result<(Graph, Vec<Id>), GraphError<Id>> {
        let Self {
            mut numbers,
            mut rows,
        } = self;
        numbers.resize(ids.len(), UNDEFINED);
        let mut next_undefined = rows.node_count() as u32;
        for number in &mut numbers {
            if *number == UNDEFINED {
                *number = next_undefined;
                next_undefined += 1;
            }
        }
        rows.renumber_children(&numbers);
        let root = NodeId::from(numbers[root.0 as usize]);
        move_to_places(&mut ids, &mut numbers);
        drop(numbers);
        match rows.finish(root) {
            Ok(graph) => {
                ids.truncate(graph.node_count());
                ids.shrink_to_fit();
                Ok((graph, ids))
            }
            Err(error) => Err(error.map(|node| ids[node.index()].clone())),
        }
    }
}

/// Moves each item to its place; `places` is a permutation, and the identity afterwards.
fn move_to_places<T>(items: &mut [T], places: &mut [u32]) {
    for i in 0..items.len() {
        while places[i] as usize != i {
            let place = places[i] as usize;
            items.swap(i, place);
            places.swap(i, place);
        }
    }
}
