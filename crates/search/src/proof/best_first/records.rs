//! The part of a graph that a best-first search has seen, in memory.
//!
//! Idea: a node is one record, however many paths lead to it; a hash table finds it. A record knows
//! the records of its children in a row of one long list, and those of its parents in a linked
//! list, because they come to be known one by one.
//!
//! Besides there is the path that the search took last. Where nothing has changed the next one is
//! the same, so it is taken back only as far as to the first record that had to be worked out anew.
//!
//! Invariant: the numbers of a record are those that its children's numbers make, except along the
//! queue of records yet to be worked out anew. Records in the queue stay there when a limit fires,
//! so the next search goes on with them.
//!
//! Cost: for each node itself and 32 bytes or so, and for each edge 12 bytes. A child that appears
//! twice in a row is one edge.

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
    /// Where its row of children begins and ends; empty until it is expanded.
    row: (u32, u32),
    /// The last link of the list of parents.
    parents: u32,
    /// Where it stands on the path, if it does.
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

/// What a best-first search remembers. Keep it to go on with the search of the same claim of the
/// same graph, or to ask for the proof.
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

/// Asks for room if `extra` more elements make the list grow, to twice its size or as much as is
/// needed.
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
    /// No record.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many nodes are recorded.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no record.
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

    /// The children, if the node has been expanded.
    #[inline]
    pub(crate) fn row(&self, i: u32) -> &[u32] {
        let (start, end) = self.nodes[i as usize].row;
        &self.rows[start as usize..end as usize]
    }

    /// Gives a record its children, and puts it in the queue.
    ///
    /// # Errors
    /// If there is no room. Nothing is changed then.
    pub(crate) fn expand(&mut self, i: u32, children: &[u32], budget: &Budget) -> Result<(), Stop> {
        room_for(&mut self.rows, children.len(), budget)?;
        room_for(&mut self.links, children.len(), budget)?;
        let start = self.rows.len() as u32;
        for &child in children {
            let next = self.nodes[child as usize].parents;
            // The last link tells whether this child has been in the row before.
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

    /// Sets the numbers of a record, and puts its parents in the queue.
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

    /// Puts a record in the queue, unless it is there or solved: that cannot change any more.
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

    /// Makes the path longer by a record, which is not on it.
    ///
    /// # Errors
    /// If there is no room.
    pub(crate) fn go(&mut self, i: u32, budget: &Budget) -> Result<(), Stop> {
        room_for(&mut self.path, 1, budget)?;
        self.nodes[i as usize].place = self.path.len() as u32;
        self.path.push(i);
        Ok(())
    }

    /// Makes this the last place of the path, if it is longer.
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

    /// What the children of a record say.
    #[inline]
    pub(crate) fn gathered(&self, i: u32, sums: Sums) -> Gathered {
        let children = self.row(i).iter().map(|&child| self.numbers(child));
        Gathered::of(self.kind(i) == Kind::And, sums, children)
    }

    /// Works out the numbers of the records in the queue, and of those above that change.
    ///
    /// First in, first out: when each record has been taken k times at most, all are right to which
    /// the longest path from what has changed has k edges. So a record is taken no more often than
    /// the graph is deep, although paths may be many more.
    ///
    /// # Errors
    /// The limit that fired; the rest stays in the queue.
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
