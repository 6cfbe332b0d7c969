//! The part of a graph that a best-first search has seen, in memory.
//!
//! Idea: a node has one record, however many paths lead to it; a hash table finds it. A record's
//! children are a range of one long list; its parents are a linked list, because they are found one
//! by one.
//!
//! The last path of the search is kept too. The next path is the same up to the first record whose
//! numbers were updated, so it is only shortened to there.
//!
//! Invariant: the numbers of a record follow from its children's numbers, except for records in the
//! queue, which await an update. Records stay in the queue when a limit fires, so the next search
//! goes on with them.
//!
//! Cost: for each node, the node and about 32 bytes; for each edge, 12 bytes. Repetitions of a
//! child in a row count as one edge.

use std::collections::VecDeque;
use std::hash::Hash;

use ahash::RandomState;
use hashbrown::HashTable;
use meetjoin_dag::Kind;
use meetjoin_lattice::{Budget, Stop};

use crate::contracts::proof_numbers::ProofNumbers;
use crate::proof::claims::numbers::{Gathered, Sums};

/// The end of a linked list.
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Record<N> {
    node: N,
    numbers: ProofNumbers,
    /// The range of its children in the list; empty until it is expanded.
    row: (u32, u32),
    /// The head of the linked list of its parents.
    parents: u32,
    /// Its position on the path, if it is there.
    place: u32,
    kind: Kind,
    /// Whether it is in the queue.
    queued: bool,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    parent: u32,
    next: u32,
}

/// The memory of a best-first search. Keep it to continue the search of the same claim and graph,
/// or to extract the proof.
#[derive(Clone, Debug)]
pub struct Records<N> {
    nodes: Vec<Record<N>>,
    rows: Vec<u32>,
    links: Vec<Link>,
    index: HashTable<u32>,
    queue: VecDeque<u32>,
    path: Vec<u32>,
    hasher: RandomState,
}

impl<N> Default for Records<N> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            rows: Vec::new(),
            links: Vec::new(),
            index: HashTable::new(),
            queue: VecDeque::new(),
            path: Vec::new(),
            hasher: crate::caches::table::hasher(),
        }
    }
}

/// Asks the budget for memory if `extra` more elements make the list grow, to twice its size or
/// more.
pub(crate) fn room_for<T>(list: &mut Vec<T>, extra: usize, budget: &Budget) -> Result<(), Stop> {
    let needed = list.len().saturating_add(extra);
    if needed >= NONE as usize {
        return Err(Stop::Memory);
    }
    if needed > list.capacity() {
        let capacity = needed.max(2 * list.capacity()).max(16);
        budget.room((capacity * size_of::<T>()) as u64)?;
        let room = list.try_reserve_exact(capacity - list.len());
        room.map_err(|_| Stop::Memory)?;
    }
    Ok(())
}

impl<N: Clone + Eq + Hash> Records<N> {
    /// An empty memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of recorded nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The numbers of a node, if it is recorded.
    pub fn numbers_of(&self, node: &N) -> Option<ProofNumbers> {
        self.find(node).map(|i| self.numbers(i))
    }

    pub(crate) fn find(&self, node: &N) -> Option<u32> {
        let hash = self.hasher.hash_one(node);
        let found = self
            .index
            .find(hash, |&i| self.nodes[i as usize].node == *node);
        found.copied()
    }

    /// A new record for a node that has none.
    ///
    /// # Errors
    /// If there is no room. Nothing is changed then.
    pub(crate) fn insert(
        &mut self,
        node: &N,
        kind: Kind,
        numbers: ProofNumbers,
        budget: &Budget,
    ) -> Result<u32, Stop> {
        room_for(&mut self.nodes, 1, budget)?;
        if self.index.len() == self.index.capacity() {
            budget.room(4 * (self.index.len() as u64 + 4) * 5)?;
        }
        let Self {
            nodes,
            index,
            hasher,
            ..
        } = self;
        let i = nodes.len() as u32;
        nodes.push(Record {
            node: node.clone(),
            numbers,
            row: (0, 0),
            parents: NONE,
            place: NONE,
            kind,
            queued: false,
        });
        let hash = hasher.hash_one(node);
        index.insert_unique(hash, i, |&i| hasher.hash_one(&nodes[i as usize].node));
        Ok(i)
    }

    #[inline]
    pub(crate) fn node(&self, i: u32) -> &N {
        &self.nodes[i as usize].node
    }

    #[inline]
    pub(crate) fn kind(&self, i: u32) -> Kind {
        self.nodes[i as usize].kind
    }

    #[inline]
    pub(crate) fn numbers(&self, i: u32) -> ProofNumbers {
        self.nodes[i as usize].numbers
    }

    /// The children; empty until the node is expanded.
    #[inline]
    pub(crate) fn row(&self, i: u32) -> &[u32] {
        let (start, end) = self.nodes[i as usize].row;
        &self.rows[start as usize..end as usize]
    }

    /// Sets the children of a record, and queues it.
    ///
    /// # Errors
    /// If there is no room. Nothing is changed then.
    pub(crate) fn expand(&mut self, i: u32, children: &[u32], budget: &Budget) -> Result<(), Stop> {
        room_for(&mut self.rows, children.len(), budget)?;
        room_for(&mut self.links, children.len(), budget)?;
        let start = self.rows.len() as u32;
        for &child in children {
            let next = self.nodes[child as usize].parents;
            // The last link tells whether this child occurred in the row before.
            if next != NONE && self.links[next as usize].parent == i {
                continue;
            }
            self.nodes[child as usize].parents = self.links.len() as u32;
            self.links.push(Link { parent: i, next });
            self.rows.push(child);
        }
        self.nodes[i as usize].row = (start, self.rows.len() as u32);
        self.enqueue(i);
        Ok(())
    }

    /// Sets the numbers of a record, and queues its parents.
    pub(crate) fn set(&mut self, i: u32, numbers: ProofNumbers) {
        let record = &mut self.nodes[i as usize];
        if record.numbers == numbers {
            return;
        }
        record.numbers = numbers;
        let mut link = record.parents;
        while link != NONE {
            let Link { parent, next } = self.links[link as usize];
            self.enqueue(parent);
            link = next;
        }
    }

    /// Queues a record, unless it is queued already, or solved, which is final.
    fn enqueue(&mut self, i: u32) {
        let record = &mut self.nodes[i as usize];
        if !record.queued && !record.numbers.is_solved() {
            record.queued = true;
            self.queue.push_back(i);
        }
    }

    /// The last record of the path.
    #[inline]
    pub(crate) fn end(&self) -> Option<u32> {
        self.path.last().copied()
    }

    /// Extends the path by a record, which is not on it.
    ///
    /// # Errors
    /// If there is no room.
    pub(crate) fn go(&mut self, i: u32, budget: &Budget) -> Result<(), Stop> {
        room_for(&mut self.path, 1, budget)?;
        self.nodes[i as usize].place = self.path.len() as u32;
        self.path.push(i);
        Ok(())
    }

    /// Truncates the path after this place, if it is longer.
    fn shorten(&mut self, place: u32) {
        let keep = (place as usize).saturating_add(1);
        for i in self.path.drain(keep.min(self.path.len())..) {
            self.nodes[i as usize].place = NONE;
        }
    }

    /// Begins a path with a record.
    ///
    /// # Errors
    /// If there is no room.
    pub(crate) fn go_back_to(&mut self, root: u32, budget: &Budget) -> Result<(), Stop> {
        for i in self.path.drain(..) {
            self.nodes[i as usize].place = NONE;
        }
        self.go(root, budget)
    }

    /// The summary of a record's children.
    #[inline]
    pub(crate) fn gathered(&self, i: u32, sums: Sums) -> Gathered {
        let children = self.row(i).iter().map(|&child| self.numbers(child));
        Gathered::of(self.kind(i) == Kind::And, sums, children)
    }

    /// Updates the numbers of the records in the queue, and of ancestors that change.
    ///
    /// First in, first out: after at most k updates of each record, all records are right whose
    /// longest path from a changed record has k edges. So a record is updated at most as often as
    /// the graph is deep, however many paths there are.
    ///
    /// # Errors
    /// The limit that fired; the rest of the queue stays.
    pub(crate) fn update(&mut self, sums: Sums, budget: &Budget) -> Result<(), Stop> {
        while let Some(&i) = self.queue.front() {
            budget.steps(self.row(i).len() as u64)?;
            self.queue.pop_front();
            self.nodes[i as usize].queued = false;
            self.shorten(self.nodes[i as usize].place);
            let numbers = self.gathered(i, sums).numbers();
            self.set(i, numbers);
        }
        Ok(())
    }
}
