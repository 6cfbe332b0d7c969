//! Renumbers nodes from the order of mention to the order of definition.
//!
//! Children are mentioned before they are defined, so a row is first written in numbers of
//! *mention* (the order in which ids are met). Nodes are numbered in the order of *definition*, so
//! that the graph, a file and a message agree on it. [`Numbering::build`] replaces the former by
//! the latter. Ids that were never defined get the numbers after the last node, where
//! [`Rows::finish`] finds them.
//!
//! Cost: four bytes per id, and one pass over the edges.

use std::fmt::Debug;

use crate::arrays::node::NodeId;
use crate::error::GraphError;
use crate::explicit::graph::Graph;
use crate::explicit::rows::Rows;
use crate::traits::Kind;

/// The number of an id in the order of mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention(pub u32);

/// The number of an id that was mentioned and not defined.
const UNDEFINED: u32 = u32::MAX;

/// The rows of nodes that are identified by their numbers of mention.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    /// By mention: the number of definition, or `UNDEFINED`; nothing beyond the end is defined.
    /// `None` as long as both numbers are the same.
    numbers: Option<Vec<u32>>,
    /// Children are numbers of mention here.
    rows: Rows,
}

impl Numbering {
    /// Returns whether the node has been defined.
    pub fn is_defined(&self, mention: Mention) -> bool {
        match &self.numbers {
            None => (mention.0 as usize) < self.rows.node_count(),
            Some(numbers) => {
                let number = numbers.get(mention.0 as usize);
                number.is_some_and(|&number| number != UNDEFINED)
            }
        }
    }

    /// Adds a child to the open row. On `Err` the open row is empty.
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

    /// Defines a node: the open row is its row. On `Err`, which names this node only, the open row
    /// is empty.
    pub fn close(&mut self, mention: Mention, kind: Kind) -> Result<NodeId, GraphError<Mention>> {
        if self.is_defined(mention) {
            self.rows.discard_open_row();
            return Err(GraphError::Duplicate(mention));
        }
        let place = mention.0 as usize;
        if (self.numbers.is_some() || place != self.rows.node_count()) && !self.make_room(place) {
            self.rows.discard_open_row();
            return Err(GraphError::NoMemory);
        }
        let node = self.rows.close(kind);
        let node = node.map_err(|error| error.map(|_| mention))?;
        if let Some(numbers) = &mut self.numbers {
            numbers[place] = node.into();
        }
        Ok(node)
    }

    /// Makes room for the number of a mention, after writing down the numbers so far if that was
    /// not done yet; returns whether there was memory.
    fn make_room(&mut self, place: usize) -> bool {
        let so_far = self.rows.node_count();
        let numbers = self.numbers.get_or_insert_default();
        let length = (place + 1).max(so_far);
        if numbers.len() >= length {
            return true;
        }
        if numbers.try_reserve(length - numbers.len()).is_err() {
            if numbers.is_empty() {
                self.numbers = None;
            }
            return false;
        }
        if numbers.is_empty() {
            numbers.extend(0..so_far as u32);
        }
        numbers.resize(length, UNDEFINED);
        true
    }

    /// The number of defined nodes.
    pub fn node_count(&self) -> usize {
        self.rows.node_count()
    }

    /// Renumbers the mentions of all children; nodes must be defined in the order of their mention.
    /// `None` when numbers run out.
    pub fn renumber(&mut self, mut number: impl FnMut(Mention) -> Option<Mention>) -> Option<()> {
        let number = |child| number(Mention(child)).map(|mention| mention.0);
        self.rows.try_renumber_children(number)
    }

    /// The graph below a root, if nodes were defined in the order of their mention; `name` names
    /// them for errors.
    pub fn build_in_order<Id: Clone + Debug>(
        self,
        root: Mention,
        name: impl FnMut(NodeId) -> Id,
    ) -> Result<Graph, GraphError<Id>> {
        let graph = self.rows.finish(NodeId::from(root.0));
        graph.map_err(|error| error.map(name))
    }

    /// The graph below a root, and its ids by node; `ids` come by mention.
    pub fn build<Id: Clone + Debug>(
        self,
        mut ids: Vec<Id>,
        root: Mention,
    ) -> Result<(Graph, Vec<Id>), GraphError<Id>> {
        let Self { numbers, mut rows } = self;
        let mut numbers = numbers.unwrap_or_else(|| (0..rows.node_count() as u32).collect());
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
