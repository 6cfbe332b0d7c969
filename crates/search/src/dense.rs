//! The store for explicit graphs: nodes are numbers, so a vector of entry numbers replaces the hash table.
//!
//! Cost: 4 bytes for every node of the graph, touched or not (zeroed memory that the system hands out page by page), and the value of
//! each node that has one.

use std::marker::PhantomData;

use meetjoin_dag::DenseNode;
use meetjoin_lattice::{Budget, Stop};

use crate::Store;
use crate::table::Chunks;

/// A cache for the nodes `0..n` of an explicit graph.
#[derive(Clone, Debug)]
pub struct Dense<N, V> {
    /// For each node one more than the number of its entry, or 0.
    numbers: Vec<u32>,
    entries: Chunks<V>,
    nodes: PhantomData<fn(&N)>,
}

impl<N: DenseNode, V> Dense<N, V> {
    /// An empty cache for a graph of `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        Self {
            numbers: vec![0; nodes],
            entries: Chunks::new(),
            nodes: PhantomData,
        }
    }

    /// The number of the node's entry plus one, or 0; nodes beyond the graph have none.
    #[inline]
    fn number(&self, node: &N) -> u32 {
        self.numbers.get(node.index()).copied().unwrap_or(0)
    }
}

impl<N: DenseNode, V> Store<N, V> for Dense<N, V> {
    type Slot = u32;
    type Ref<'a>
        = &'a V
    where
        Self: 'a,
        V: 'a;

    fn no_slot(&self) -> u32 {
        0
    }

    #[inline]
    fn get(&self, node: &N) -> (u32, Option<&V>) {
        let number = self.number(node);
        (number, number.checked_sub(1).map(|i| self.entries.get(i)))
    }

    #[inline]
    fn put(&mut self, slot: u32, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        if let Some(i) = slot.checked_sub(1) {
            *self.entries.get_mut(i) = value;
        } else if node.index() < self.numbers.len() {
            self.numbers[node.index()] = self.entries.push(value, budget)? + 1;
        }
        Ok(())
    }

    fn len(&self) -> usize {
        self.entries.len() as usize
    }
}
