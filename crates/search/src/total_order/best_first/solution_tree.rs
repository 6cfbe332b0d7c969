//! Solution trees: the part of a game tree that one side's strategy leaves.
//!
//! Problem: SSS-2 keeps one tree for the whole search, and replaces parts of it. Separately
//! allocated nodes would cost an allocation and a release for every leaf, and dropping a deep tree
//! would recurse.
//!
//! Idea: the nodes are records in one array, with links to the first child and to the next sibling.
//! A removed subtree is put on the free list by its root alone, and a new record reuses a leaf of a
//! free subtree, so release takes constant time and never walks the subtree. If a node has one
//! child in the tree, its later children, the *younger brothers*, are kept in a second array, in
//! pieces whose lengths are powers of two, which are reused as well.
//!
//! The brothers are stored, not regenerated, because an [`Order`](crate::Order) with a memory may
//! arrange the same children differently the next time; a child would be lost, and with it the
//! exactness of the search. Storing takes less than two slots for each brother, and saves
//! generating moves again.
//!
//! Invariant: the value g of a record is that of Definition 4.1: U at a tip; otherwise the greatest
//! g of all children, or the g of the one child.
//!
//! Source: Pijls and de Bruin, "Searching informed game trees", section 4.

use std::hash::Hash;
use std::iter::FusedIterator;

use ahash::RandomState;
use hashbrown::HashMap;
use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::{Budget, Stop, TotalOrder};

/// Stands for no record.
pub(crate) const NONE: u32 = u32::MAX;

/// A node of a solution tree, or a free record, whose `next` is the next free one.
#[derive(Clone, Debug)]
pub(crate) struct Record<N, E> {
    pub(crate) node: N,
    pub(crate) g: E,
    pub(crate) first: u32,
    pub(crate) next: u32,
    pub(crate) rest: Rest,
    pub(crate) kind: Kind,
    /// Whether a lower bound of the node was known when it was added; then it is in
    /// [`Arena::lowers`].
    pub(crate) bounded: bool,
}

/// The younger brothers of a node's one child: `start..end`, the front of a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    start: u32,
    end: u32,
}

impl Rest {
    /// No brothers, and no piece.
    pub(crate) const EMPTY: Self = Self { start: 0, end: 0 };

    /// The number of brothers.
    #[inline]
    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// Pieces of an array of nodes, reused by size.
#[derive(Clone, Debug)]
pub(crate) struct Rests<N> {
    nodes: Vec<N>,
    /// Where the free pieces of `1 << class` nodes start, by class.
    free: Vec<Vec<u32>>,
}

impl<N: Clone> Rests<N> {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Vec::with_capacity(64),
            free: Vec::with_capacity(8),
        }
    }

    /// Stores these nodes.
    #[inline]
    pub(crate) fn keep(&mut self, nodes: &[N], budget: &Budget) -> Result<Rest, Stop> {
        if nodes.is_empty() {
            return Ok(Rest::EMPTY);
        }
        let class = nodes.len().next_power_of_two().trailing_zeros() as usize;
        let start = match self.free.get_mut(class).and_then(Vec::pop) {
            Some(start) => {
                self.nodes[start as usize..][..nodes.len()].clone_from_slice(nodes);
                start
            }
            None => self.grow(nodes, 1 << class, budget)?,
        };
        Ok(Rest {
            start,
            end: start + nodes.len() as u32,
        })
    }

    #[cold]
    fn grow(&mut self, nodes: &[N], size: usize, budget: &Budget) -> Result<u32, Stop> {
        let (start, end) = (self.nodes.len(), self.nodes.len() + size);
        let Ok(_) = u32::try_from(end) else {
            return Err(Stop::Memory);
        };
        if self.nodes.capacity() < end {
            budget.room((end * 2 * size_of::<N>()) as u64)?;
        }
        self.nodes.extend_from_slice(nodes);
        self.nodes.resize(end, nodes[0].clone());
        Ok(start as u32)
    }

    /// Frees a piece.
    #[inline]
    pub(crate) fn release(&mut self, rest: Rest) {
        if rest.start == rest.end {
            return;
        }
        let class = (rest.end - rest.start).next_power_of_two().trailing_zeros() as usize;
        if self.free.len() <= class {
            self.free.resize(class + 1, Vec::new());
        }
        self.free[class].push(rest.start);
    }
}

impl<N> Rests<N> {
    #[inline]
    pub(crate) fn get(&self, rest: Rest) -> &[N] {
        &self.nodes[rest.start as usize..rest.end as usize]
    }
}

/// Records, used and free.
#[derive(Clone, Debug)]
pub(crate) struct Arena<N, E> {
    pub(crate) records: Vec<Record<N, E>>,
    /// By record: a lower bound. Only as long as necessary, so it costs nothing without lower
    /// bounds.
    lowers: Vec<E>,
    pub(crate) rests: Rests<N>,
    free: u32,
}

impl<N: Clone, E: Clone> Arena<N, E> {
    pub(crate) fn new() -> Self {
        Self {
            records: Vec::with_capacity(128),
            lowers: Vec::new(),
            rests: Rests::new(),
            free: NONE,
        }
    }

    /// Adds a record without links.
    #[inline]
    pub(crate) fn add(
        &mut self,
        node: &N,
        kind: Kind,
        g: &E,
        budget: &Budget,
    ) -> Result<u32, Stop> {
        let mut at = self.free;
        if at == NONE {
            return self.grow(node, kind, g, budget);
        }
        // Goes down to a record without children, reversing links.
        let mut child = self.records[at as usize].first;
        while child != NONE {
            let brother = self.records[child as usize].next;
            self.records[at as usize].first = brother;
            self.records[child as usize].next = at;
            at = child;
            child = self.records[at as usize].first;
        }
        let record = &mut self.records[at as usize];
        self.free = record.next;
        let rest = record.rest;
        record.node.clone_from(node);
        record.g.clone_from(g);
        record.next = NONE;
        record.kind = kind;
        record.bounded = false;
        record.rest = Rest::EMPTY;
        self.rests.release(rest);
        Ok(at)
    }

    #[cold]
    fn grow(&mut self, node: &N, kind: Kind, g: &E, budget: &Budget) -> Result<u32, Stop> {
        let at = self.records.len();
        if at >= NONE as usize {
            return Err(Stop::Memory);
        }
        if at == self.records.capacity() {
            budget.room((at * 2 * size_of::<Record<N, E>>()) as u64)?;
        }
        self.records.push(Record {
            node: node.clone(),
            g: g.clone(),
            first: NONE,
            next: NONE,
            rest: Rest::EMPTY,
            kind,
            bounded: false,
        });
        Ok(at as u32)
    }

    /// Frees a record and everything below it.
    #[inline]
    pub(crate) fn release(&mut self, at: u32) {
        self.records[at as usize].next = self.free;
        self.free = at;
    }

    /// Frees the children of a record.
    pub(crate) fn release_children(&mut self, at: u32) {
        let mut child = std::mem::replace(&mut self.records[at as usize].first, NONE);
        while child != NONE {
            let brother = self.records[child as usize].next;
            self.release(child);
            child = brother;
        }
    }

    /// Stores a lower bound of the record's node.
    pub(crate) fn set_lower(&mut self, at: u32, lower: &E, budget: &Budget) -> Result<(), Stop> {
        let index = at as usize;
        if self.lowers.len() <= index {
            if self.lowers.capacity() <= index {
                budget.room((index * 2 * size_of::<E>()) as u64)?;
            }
            self.lowers.resize(index + 1, lower.clone());
        }
        self.lowers[index].clone_from(lower);
        self.records[index].bounded = true;
        Ok(())
    }

    /// The stored lower bound of the record's node, if there is one.
    #[inline]
    pub(crate) fn lower(&self, at: u32) -> Option<&E> {
        let bounded = self.records[at as usize].bounded;
        bounded.then(|| &self.lowers[at as usize])
    }

    /// The tree below this record.
    pub(crate) fn into_tree(self, root: u32, mirrored: bool) -> SolutionTree<N, E> {
        SolutionTree {
            arena: self,
            root,
            mirrored,
        }
    }
}

/// A solution tree: its inner nodes of one kind have all their children, those of the other kind
/// one child (Definition 4.1).
///
/// SSS-2 leaves one in which OR nodes have all children and AND nodes one: it is a strategy of MIN
/// that keeps the root at or below [`g`](Self::g). Its dual leaves one with the kinds exchanged, a
/// strategy of MAX. A node that is reached by two paths appears twice.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Kind, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Env, total_order::sss_2};
///
/// let mut builder = GraphBuilder::new();
/// builder.or("root", ["left", "right"])?;
/// builder.and("left", ["a", "b"])?;
/// builder.and("right", ["b", "c"])?;
/// for (leaf, value) in [("a", 7), ("b", 3), ("c", 5)] {
///     builder.leaf(leaf, value)?;
/// }
/// let game = Problem::build(builder, "root", Chain::new(0, 9).ok_or("0 <= 9")?)?;
/// let budget = Budget::unlimited();
/// let answer = sss_2(&game, &game, &mut Env::new(&budget));
/// let tree = answer.tree.ok_or("not stopped")?;
/// assert_eq!(tree.g(), &3);
/// assert!(tree.is_solution_tree_of(&game));
/// // One child for each AND node, two for the OR node at the root.
/// let children = tree.iter().map(|node| (node.kind(), node.children().count()));
/// let children: Vec<_> = children.collect();
/// let (or, and, leaf) = ((Kind::Or, 2), (Kind::And, 1), (Kind::Leaf, 0));
/// assert_eq!(children, [or, and, leaf, and, leaf]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolutionTree<N, E> {
    arena: Arena<N, E>,
    root: u32,
    /// Whether the search ran on the dual game, so that kinds are exchanged.
    mirrored: bool,
}

/// A node of a [`SolutionTree`].
#[derive(Debug)]
pub struct SolutionNode<'a, N, E> {
    tree: &'a SolutionTree<N, E>,
    at: u32,
}

impl<N, E> Clone for SolutionNode<'_, N, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N, E> Copy for SolutionNode<'_, N, E> {}

impl<'a, N, E> SolutionNode<'a, N, E> {
    fn record(self) -> &'a Record<N, E> {
        &self.tree.arena.records[self.at as usize]
    }

    /// The node of the game.
    pub fn node(self) -> &'a N {
        &self.record().node
    }

    /// Its kind in the game.
    pub fn kind(self) -> Kind {
        match self.record().kind {
            Kind::And if self.tree.mirrored => Kind::Or,
            Kind::Or if self.tree.mirrored => Kind::And,
            kind => kind,
        }
    }

    /// The bound that this tree guarantees for the node: at most this, in a tree of SSS-2.
    pub fn g(self) -> &'a E {
        &self.record().g
    }

    /// Returns whether it has no children here: it is a leaf of the game, or its bound was enough.
    pub fn is_tip(self) -> bool {
        self.record().first == NONE
    }

    /// Its children here, in the order of the search.
    pub fn children(self) -> impl Iterator<Item = SolutionNode<'a, N, E>> + Clone + use<'a, N, E> {
        let tree = self.tree;
        let link = move |at: u32| (at != NONE).then_some(SolutionNode { tree, at });
        std::iter::successors(link(self.record().first), move |child| {
            link(child.record().next)
        })
    }

    /// The children in the game that come after its one child here; none if it has all children or
    /// no child.
    pub fn younger(self) -> &'a [N] {
        self.tree.arena.rests.get(self.record().rest)
    }

    /// Returns whether it must have all its children of the game here.
    fn wants_all(self) -> bool {
        self.record().kind == Kind::Or
    }
}

/// The nodes of a solution tree, parents before their children, older children first.
#[derive(Clone, Debug)]
pub struct Preorder<'a, N, E> {
    tree: &'a SolutionTree<N, E>,
    /// Pending nodes: the next one is at the end.
    todo: Vec<u32>,
}

impl<'a, N, E> Iterator for Preorder<'a, N, E> {
    type Item = SolutionNode<'a, N, E>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.todo.pop()?;
        let record = &self.tree.arena.records[at as usize];
        // The root of the tree has no brothers, whatever its link says.
        let after = [(record.next, at != self.tree.root), (record.first, true)];
        let links = after.into_iter().filter(|&(at, ours)| ours && at != NONE);
        self.todo.extend(links.map(|(at, _)| at));
        Some(SolutionNode {
            tree: self.tree,
            at,
        })
    }
}

impl<N, E> FusedIterator for Preorder<'_, N, E> {}

impl<'a, N, E> IntoIterator for &'a SolutionTree<N, E> {
    type Item = SolutionNode<'a, N, E>;
    type IntoIter = Preorder<'a, N, E>;

    fn into_iter(self) -> Preorder<'a, N, E> {
        self.iter()
    }
}

impl<N, E> SolutionTree<N, E> {
    /// The root.
    pub fn root(&self) -> SolutionNode<'_, N, E> {
        SolutionNode {
            tree: self,
            at: self.root,
        }
    }

    /// The bound that the tree guarantees for the root.
    pub fn g(&self) -> &E {
        self.root().g()
    }

    /// Its nodes, parents first.
    pub fn iter(&self) -> Preorder<'_, N, E> {
        Preorder {
            tree: self,
            todo: vec![self.root],
        }
    }

    /// Returns whether this is a solution tree of the game from its root, by Definition 4.1.
    /// Children may be in any order.
    pub fn is_solution_tree_of<D: AndOrDag<Node = N>>(&self, dag: &D) -> bool
    where
        N: Eq + Hash,
    {
        if *self.root().node() != dag.root() {
            return false;
        }
        let mut expected = Vec::new();
        self.iter().all(|node| {
            if node.kind() != dag.kind(node.node()) {
                return false;
            }
            if node.is_tip() {
                return true;
            }
            if node.kind() == Kind::Leaf {
                return false;
            }
            expected.clear();
            dag.children(node.node(), &mut expected);
            if node.wants_all() {
                same_nodes(node.children().map(SolutionNode::node), &expected)
            } else {
                let mut children = node.children().map(SolutionNode::node);
                children.next().is_some_and(|one| expected.contains(one))
                    && children.next().is_none()
            }
        })
    }

    /// Returns whether the values of all inner nodes follow from those of the tips.
    pub fn is_evaluated<L: TotalOrder<Elem = E>>(&self, lattice: &L) -> bool {
        // In a tree of the dual game the greatest is the least.
        let above = |a: &E, b: &E| {
            let order = lattice.compare(a, b);
            if self.mirrored {
                order.is_lt()
            } else {
                order.is_gt()
            }
        };
        self.iter().all(|node| {
            let mut children = node.children().map(SolutionNode::g);
            let Some(first) = children.next() else {
                return true;
            };
            let greatest = children.fold(first, |a, b| if above(b, a) { b } else { a });
            lattice.compare(greatest, node.g()).is_eq()
        })
    }

    /// Returns whether this tree is *older* than the other (Definition 4.2): at the first node,
    /// parents first, where the two differ, this one ends and the other goes on, or this one has an
    /// older child. Both must be of one game and have children in one order.
    pub fn is_older_than(&self, other: &Self) -> bool
    where
        N: Eq,
    {
        let mut pairs = vec![(self.root(), other.root())];
        while let Some((a, b)) = pairs.pop() {
            if a.node() != b.node() {
                return false;
            }
            if a.is_tip() || b.is_tip() {
                if a.is_tip() != b.is_tip() {
                    return a.is_tip();
                }
                continue;
            }
            // Of two children of one node, the older one has more younger brothers.
            let (left, right) = (a.younger().len(), b.younger().len());
            if left != right {
                return left > right;
            }
            let from = pairs.len();
            pairs.extend(a.children().zip(b.children()));
            pairs[from..].reverse();
        }
        false
    }
}

/// Returns whether both have the same nodes, each as often.
fn same_nodes<'a, N: Eq + Hash + 'a>(
    nodes: impl Iterator<Item = &'a N> + Clone,
    expected: &[N],
) -> bool {
    if nodes.clone().eq(expected) {
        return true;
    }
    let mut counts: HashMap<&N, isize, RandomState> =
        HashMap::with_hasher(crate::caches::table::hasher());
    for node in nodes {
        *counts.entry(node).or_default() += 1;
    }
    for node in expected {
        *counts.entry(node).or_default() -= 1;
    }
    counts.values().all(|&count| count == 0)
}
