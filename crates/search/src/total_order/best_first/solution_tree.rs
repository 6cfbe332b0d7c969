//! Solution trees: what one side's strategy keeps of a game tree.
//!
//! Problem: SSS-2 works on one tree that it keeps for the whole search, takes parts out of it and
//! puts others in. A node on the heap for each of them costs an allocation and a release for every
//! leaf, and dropping a deep one recurses.
//!
//! Idea: the nodes are records in one array, with links to the first child and to the next sibling.
//! A part that is taken out is put on the list of free records by its root alone; whoever needs a
//! record takes a leaf of what is there, so that release takes constant time and nothing walks over
//! a part that is thrown away. What a node with one child has left of its other children, the
//! *younger brothers*, is kept in a second array, in pieces whose lengths are powers of two, which
//! are reused as well.
//!
//! The brothers are kept, not generated anew, because [`Order`](crate::Order) may be any closure:
//! one that remembers may arrange the same children in another way the next time, a child would be
//! lost, and with it the exactness of the search. It costs less than two places for each brother,
//! and spares games that generate moves from doing it once more.
//!
//! Invariant: the value g of a record is that of Definition 4.1: U of a tip, the greatest of all
//! children's, or that of the one child.
//!
//! Source: Pijls and de Bruin, "Searching informed game trees", section 4.

use std::hash::Hash;
use std::iter::FusedIterator;

use ahash::RandomState;
use hashbrown::HashMap;
use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_lattice::{Budget, Stop, TotalOrder};

/// No record.
pub(crate) const NONE: u32 = u32::MAX;

/// A node of a solution tree, or a free record, in whose case `next` is the next free one.
#[derive(Clone, Debug)]
pub(crate) struct Record<N, E> {
    pub(crate) node: N,
    pub(crate) g: E,
    pub(crate) first: u32,
    pub(crate) next: u32,
    pub(crate) rest: Rest,
    pub(crate) kind: Kind,
    /// Whether a lower bound was known of the node when it came into the tree: it is in
    /// [`Arena::lowers`] then.
    pub(crate) bounded: bool,
}

/// Where the younger brothers of a node's one child are: `start..end`, the front of a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    start: u32,
    end: u32,
}

impl Rest {
    /// No brothers, and no piece.
    pub(crate) const EMPTY: Self = Self { start: 0, end: 0 };

    /// How many there are.
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

    /// Keeps these nodes.
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

    /// Takes a piece back.
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
    /// By record: a lower bound. No longer than it has to be, so that it costs nothing where
    /// nothing is known.
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

    /// A record without links.
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
        // Down to a record without children, on a chain of links turned upwards.
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

    /// Takes back a record and everything below it.
    #[inline]
    pub(crate) fn release(&mut self, at: u32) {
        self.records[at as usize].next = self.free;
        self.free = at;
    }

    /// Takes back the children of a record.
    pub(crate) fn release_children(&mut self, at: u32) {
        let mut child = std::mem::replace(&mut self.records[at as usize].first, NONE);
        while child != NONE {
            let brother = self.records[child as usize].next;
            self.release(child);
            child = brother;
        }
    }

    /// Notes a lower bound of the record's node.
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

    /// The lower bound noted of the record's node, if there is one.
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

/// A solution tree: of each of its inner nodes of one kind it has all children, of the other kind
/// one child (Definition 4.1).
///
/// SSS-2 leaves one in which OR nodes have all children and AND nodes one: with it, whoever moves
/// at AND nodes holds the root down to [`g`](Self::g). Its dual leaves one in which the kinds have
/// changed places, which holds the root up. A node that a graph has on two paths comes twice.
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
    /// The search ran on the dual game, so kinds are the other way round.
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

    /// What it is in the game.
    pub fn kind(self) -> Kind {
        match self.record().kind {
            Kind::And if self.tree.mirrored => Kind::Or,
            Kind::Or if self.tree.mirrored => Kind::And,
            kind => kind,
        }
    }

    /// What this tree guarantees of the node's value: at most this, in a tree of SSS-2.
    pub fn g(self) -> &'a E {
        &self.record().g
    }

    /// Whether it has no children here: a leaf of the game, or a node of which a bound was enough.
    pub fn is_tip(self) -> bool {
        self.record().first == NONE
    }

    /// Its children here, as they are arranged.
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

    /// Whether the game has all its children here, or is to have them.
    fn wants_all(self) -> bool {
        self.record().kind == Kind::Or
    }
}

/// The nodes of a solution tree, parents before their children, older children first.
#[derive(Clone, Debug)]
pub struct Preorder<'a, N, E> {
    tree: &'a SolutionTree<N, E>,
    /// The next node, and where to go on after the parts below it.
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

    /// What the tree guarantees of the root's value.
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

    /// Whether this is a solution tree of the game, from its root: Definition 4.1. Every inner node
    /// has all its children, or one of them; its children may have been arranged in any way.
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

    /// Whether the values of all inner nodes follow from those of the tips.
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

    /// Whether this tree is *older* than the other (Definition 4.2): at the first node, parents
    /// first, where the two differ, this one ends and the other goes on, or this one has an older
    /// child. Both must be of one game and have children in one order.
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

/// Whether both have the same nodes, each as often.
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
