//! The store for explicit graphs: nodes are small numbers, so a cheap hash will do.
//!
//! Problem: an array of values for all nodes of a large graph takes time and memory for all nodes,
//! and many searches see few of them. A hash table that holds its values has to copy them as it
//! grows, and more than half of it is empty.
//!
//! Idea: values lie in one list in the order in which they were stored. A small table with open
//! addressing, whose hash is one multiplication, maps nodes to indices into the list; most look-ups
//! only find that a node is absent. When the table would take as much memory as an array with an
//! index for each node, it becomes that array.
//!
//! When memory is short, the older half of the values is evicted, and the newer half moves to its
//! place.
//!
//! Invariant: the index found for a node is that of its own value.
//!
//! Cost: the values, with the spare capacity of a growing list, and an index of 12 to 24 bytes for
//! each value but at most 4 bytes for each node of the graph.

use std::marker::PhantomData;

use meetjoin_dag::DenseNode;
use meetjoin_lattice::{Budget, Stop};

use crate::caches::table::{may_take, reserve, should_forget};
use crate::{Slot, Store};

/// The first size of the table.
const FIRST: usize = 512;
/// There is at most one table entry for so many nodes of the graph, as an entry takes twice the
/// memory of an index.
const SPARSE: usize = 2;

/// A cache for the nodes `0..n` of an explicit graph. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Dense<N, V> {
    places: Places,
    values: Vec<V>,
    nodes: usize,
    node: PhantomData<fn(&N)>,
}

/// Maps nodes to the indices of their values.
#[derive(Clone, Debug)]
enum Places {
    /// A hash table with linear probing: a power of two of entries, or none; at most two in three
    /// are in use.
    Few(Vec<Entry>),
    /// By node: one more than the index, or 0.
    Many(Vec<u32>),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: u32,
    place: u32,
}

/// Marks a free entry: no node has this number.
const NO_NODE: u32 = u32::MAX;

const FREE: Entry = Entry {
    node: NO_NODE,
    place: 0,
};

impl<N: DenseNode, V> Dense<N, V> {
    /// An empty cache for a graph of `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        Self {
            places: Places::Few(Vec::new()),
            values: Vec::new(),
            nodes,
            node: PhantomData,
        }
    }

    /// The index of a node's value.
    #[inline]
    fn find(&self, node: u32) -> Option<usize> {
        match &self.places {
            Places::Few(entries) => {
                // Fails if the table has no entries.
                let entry = entries.get(entry_of(entries, node))?;
                (entry.node == node).then_some(entry.place as usize)
            }
            Places::Many(places) => (*places.get(node as usize)? as usize).checked_sub(1),
        }
    }

    /// Makes room for one more value and its index, or evicts values.
    #[cold]
    fn grow(&mut self, budget: &Budget) -> Result<(), Stop> {
        if !self.has_grown(budget)? {
            self.forget(budget);
        }
        Ok(())
    }

    /// Grows, if there may be more memory; returns whether there is room now.
    fn has_grown(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let len = self.values.len();
        if len == self.values.capacity() {
            let more = len.max(FIRST / 2).min(self.nodes);
            if !reserve(&mut self.values, more, len, budget)? {
                return Ok(false);
            }
        }
        let has_room = self.places.have_room(len);
        let Places::Few(entries) = &mut self.places else {
            return Ok(true);
        };
        if has_room {
            return Ok(true);
        }
        let larger = (2 * entries.len()).max(FIRST);
        if larger > self.nodes / SPARSE {
            if !may_take((self.nodes * size_of::<u32>()) as u64, len, budget)? {
                return Ok(false);
            }
            let mut places = filled(0, self.nodes)?;
            for entry in entries.iter().filter(|entry| entry.node != NO_NODE) {
                places[entry.node as usize] = entry.place + 1;
            }
            self.places = Places::Many(places);
        } else {
            if !may_take((larger * size_of::<Entry>()) as u64, len, budget)? {
                return Ok(false);
            }
            let mut next = filled(FREE, larger)?;
            for entry in entries.iter().filter(|entry| entry.node != NO_NODE) {
                let place = entry_of(&next, entry.node);
                next[place] = *entry;
            }
            *entries = next;
        }
        Ok(true)
    }

    /// Evicts the older half of the values, and keeps the capacity.
    #[cold]
    #[inline(never)]
    fn forget(&mut self, budget: &Budget) {
        let older = self.values.len() / 2;
        self.values.drain(..older);
        self.places.forget_first(older as u32);
        budget.forgot();
    }
}

impl Places {
    /// Returns whether there is room for a value beyond `len`.
    #[inline]
    fn have_room(&self, len: usize) -> bool {
        match self {
            Self::Few(entries) => 3 * (len + 1) <= 2 * entries.len(),
            Self::Many(_) => true,
        }
    }

    /// Removes the nodes of the first `older` values, and renumbers the rest.
    fn forget_first(&mut self, older: u32) {
        match self {
            Self::Few(entries) => {
                let mut place = 0;
                while let Some(entry) = entries.get(place) {
                    if entry.node != NO_NODE && entry.place < older {
                        // Another entry may have moved here; it is looked at next.
                        take_out(entries, place);
                    } else {
                        place += 1;
                    }
                }
                for entry in entries.iter_mut().filter(|entry| entry.node != NO_NODE) {
                    entry.place -= older;
                }
            }
            Self::Many(places) => {
                for place in places {
                    *place = place.saturating_sub(older);
                }
            }
        }
    }
}

/// The number of a node, if it fits 32 bits.
#[inline]
fn number<N: DenseNode>(node: &N) -> Option<u32> {
    let number = u32::try_from(node.index()).ok();
    number.filter(|&number| number != NO_NODE)
}

/// `count` copies of a value.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Stop> {
    let mut list = Vec::new();
    let room = list.try_reserve_exact(count);
    room.map_err(|_| Stop::Memory)?;
    list.resize(count, value);
    Ok(list)
}

/// The preferred index of a node's entry.
#[inline]
fn home_of(node: u32, mask: usize) -> usize {
    // The upper bits of a product with an odd number depend on all bits of the key (Knuth 1973,
    // 6.4).
    let hash = u64::from(node).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> 32) as usize & mask
}

/// Frees an entry, and moves later entries up so that probes for them still succeed (Knuth 1973,
/// 6.4, algorithm R).
fn take_out(entries: &mut [Entry], place: usize) {
    let mask = entries.len() - 1;
    let (mut free, mut next) = (place, (place + 1) & mask);
    // Ends, because some entry is free.
    while entries[next].node != NO_NODE {
        let home = home_of(entries[next].node, mask);
        let from = |place: usize| next.wrapping_sub(place) & mask;
        if from(home) >= from(free) {
            entries[free] = entries[next];
            free = next;
        }
        next = (next + 1) & mask;
    }
    entries[free] = FREE;
}

/// The index of a node's entry, or of the free one where it would go. The table has a free entry,
/// or no entry at all.
#[inline]
fn entry_of(entries: &[Entry], node: u32) -> usize {
    let mask = entries.len().wrapping_sub(1);
    let mut place = home_of(node, mask);
    while let Some(entry) = entries.get(place)
        && entry.node != node
        && entry.node != NO_NODE
    {
        place = (place + 1) & mask;
    }
    place
}

impl<N: DenseNode, V> Store<N, V> for Dense<N, V> {
    type Ref<'a>
        = &'a V
    where
        Self: 'a,
        V: 'a;

    #[inline]
    fn get(&self, node: &N) -> (Slot, Option<&V>) {
        let place = number(node).and_then(|node| self.find(node));
        (Slot::NONE, place.and_then(|place| self.values.get(place)))
    }

    #[inline]
    fn put(&mut self, _: Slot, node: &N, value: V, budget: &Budget) -> Result<(), Stop> {
        // A node outside of the graph, or with a number that is too large, is not stored, which any
        // store may do.
        let Some(key) = number(node).filter(|&key| (key as usize) < self.nodes) else {
            return Ok(());
        };
        let len = self.values.len();
        if should_forget(len, budget) {
            self.forget(budget);
        } else if len == self.values.capacity() || !self.places.have_room(len) {
            self.grow(budget)?;
        }
        // There are fewer values than nodes.
        let next = self.values.len() as u32;
        let found = match &mut self.places {
            Places::Few(entries) => {
                let place = entry_of(entries, key);
                let entry = &mut entries[place];
                let found = (entry.node == key).then_some(entry.place);
                if found.is_none() {
                    let place = next;
                    *entry = Entry { node: key, place };
                }
                found
            }
            Places::Many(places) => {
                let found = places[key as usize].checked_sub(1);
                if found.is_none() {
                    places[key as usize] = next + 1;
                }
                found
            }
        };
        match found {
            Some(place) => self.values[place as usize] = value,
            None => self.values.push(value),
        }
        Ok(())
    }

    fn each(&self, see: &mut dyn FnMut(&N, &V)) {
        let mut show = |node: u32, place: usize| {
            if let (Some(node), Some(value)) = (N::of_index(node as usize), self.values.get(place))
            {
                see(&node, value);
            }
        };
        match &self.places {
            Places::Few(entries) => {
                for entry in entries.iter().filter(|entry| entry.node != NO_NODE) {
                    show(entry.node, entry.place as usize);
                }
            }
            Places::Many(places) => {
                for (node, place) in places.iter().enumerate() {
                    if let Some(place) = place.checked_sub(1) {
                        show(node as u32, place as usize);
                    }
                }
            }
        }
    }

    fn len(&self) -> usize {
        self.values.len()
    }
}

#[cfg(test)]
mod tests {
    use meetjoin_dag::NodeId;
    use meetjoin_lattice::{Limits, MemoryLimit};

    use super::*;

    /// Nodes in an order without structure.
    fn scattered(nodes: u32) -> impl Iterator<Item = NodeId> {
        (0..nodes).map(move |i| NodeId::from((u64::from(i) * 7_919 % u64::from(nodes)) as u32))
    }

    #[test]
    fn what_was_put_is_found_before_and_after_the_table_becomes_an_array() {
        for nodes in [1, 2, 100, 1_023, 1_025, 5_000] {
            let budget = Budget::unlimited();
            let mut dense = Dense::new(nodes as usize);
            for (already, node) in scattered(nodes).enumerate() {
                assert_eq!(dense.len(), already);
                assert_eq!(dense.get(&node).1, None);
                for value in [1, 2] {
                    let value = (node, value);
                    assert_eq!(dense.put(Slot::NONE, &node, value, &budget), Ok(()));
                    assert_eq!(dense.get(&node).1, Some(&value));
                }
            }
            for node in scattered(nodes) {
                assert_eq!(dense.get(&node).1, Some(&(node, 2)));
            }
            assert_eq!(dense.len(), nodes as usize);
        }
    }

    #[test]
    fn what_is_left_of_a_store_that_forgets_is_true_and_new() {
        // As a table, and as an array.
        for nodes in [1 << 17, 9_000] {
            let budget = Budget::unlimited();
            let mut dense = Dense::new(nodes);
            for (round, node) in scattered(9_000).enumerate() {
                let put = dense.put(Slot::NONE, &node, node, &budget);
                assert_eq!(put, Ok(()));
                if round % 1_000 == 999 {
                    let before = dense.len();
                    dense.forget(&budget);
                    assert_eq!(dense.len(), before - before / 2);
                    let known = |node: &NodeId| dense.get(node).1.is_some();
                    let is_true =
                        |node: NodeId| dense.get(&node).1.is_none_or(|known| *known == node);
                    assert!(scattered(9_000).all(is_true));
                    let newest = (0..=round).rev().take(dense.len());
                    let all: Vec<NodeId> = scattered(9_000).collect();
                    assert!(newest.into_iter().all(|i| known(&all[i])), "{round}");
                    assert_eq!(all.iter().filter(|node| known(node)).count(), dense.len());
                }
            }
        }
    }

    #[test]
    fn nodes_beyond_the_graph_are_forgotten() {
        let budget = Budget::unlimited();
        for nodes in [0, 10, usize::MAX] {
            let mut dense = Dense::new(nodes);
            for number in [0, u32::MAX] {
                let node = NodeId::from(number);
                let inside = number == 0 && nodes > 0;
                assert_eq!(dense.get(&node).1, None);
                assert_eq!(dense.put(Slot::NONE, &node, number, &budget), Ok(()));
                assert_eq!(dense.get(&node).1, Some(&number).filter(|_| inside));
            }
            assert_eq!(dense.len(), nodes.min(1));
        }
    }

    #[test]
    fn a_store_that_may_not_grow_stays_as_it_was() {
        let budget = Budget::new(Limits {
            memory: Some(MemoryLimit {
                bytes: 20_000,
                used: || 0,
            }),
            ..Limits::default()
        });
        let mut dense = Dense::new(1 << 20);
        let stopped =
            scattered(1 << 20).find_map(|node| dense.put(Slot::NONE, &node, node, &budget).err());
        assert_eq!(stopped, Some(Stop::Memory));
        let known = scattered(1 << 20).take(dense.len());
        assert!(
            dense.len() > 0
                && known
                    .into_iter()
                    .all(|node| dense.get(&node).1 == Some(&node))
        );
    }
}
