//! What a search runs on, for the command line: a graph with values, and all that must be known to cache, count and print them.
//!
//! Idea: the one place that solves is generic over [`Subject`]. A problem from a file ([`Explicit`]) has numbered nodes, ids and a lattice
//! that the file describes; a game has positions and its own way to print values.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;

use fixedbitset::FixedBitSet;
use meetjoin::dag::{AndOrDag, Heuristic, Kind, NodeId, Problem, Valuation};
use meetjoin::file::{write_name, write_readable, write_value};
use meetjoin::lattice::{AnyElem, AnyLattice, ElemOf, Lattice};
use meetjoin::search::engine::{DenseStores, Stores};
use meetjoin::search::{Observer, Visited};

/// The values of a subject.
pub(crate) type Elem<S> = ElemOf<<S as Valuation<<S as AndOrDag>::Node>>::Lattice>;

/// A graph with values that can be searched and printed.
pub(crate) trait Subject: AndOrDag + Valuation<<Self as AndOrDag>::Node> + Sized {
    /// The caches that suit the nodes.
    type Stores: Stores<Self::Node>;
    /// Bounds of inner nodes.
    type Bounds<'s>: Heuristic<Self::Node, Self::Lattice> + Copy
    where
        Self: 's;
    /// How distinct nodes are counted.
    type Distinct: Distinct<Self::Node>;

    /// Where caches come from.
    fn stores(&self) -> Self::Stores;

    /// The bounds.
    fn bounds(&self) -> Self::Bounds<'_>;

    /// How many nodes there are, if that is known.
    fn node_count(&self) -> Option<usize> {
        None
    }

    /// Whether there are bounds that the lattice's own way to a value would not use.
    fn has_bounds(&self) -> bool {
        false
    }

    /// No node visited. `affordable` says that there is memory to remember all nodes.
    fn distinct(&self, affordable: bool) -> Self::Distinct;

    /// Appends the name of a node as JSON.
    fn push_node(&self, node: &Self::Node, out: &mut String);

    /// Appends a value as JSON.
    fn push_value(&self, value: &Elem<Self>, out: &mut String);

    /// Appends a value for people.
    fn push_readable(&self, value: &Elem<Self>, out: &mut String);

    /// What the game has to say besides, with the exact value if it is known: a key and a number, where it is known.
    fn facts(&self, _value: Option<&Elem<Self>>) -> Vec<(&'static str, Option<usize>)> {
        Vec::new()
    }
}

/// Counts the distinct nodes among those visited.
pub(crate) trait Distinct<N> {
    fn visit(&mut self, node: &N);
    /// `None` if nobody counts.
    fn count(&self) -> Option<usize>;
}

/// A bit for each node of a graph.
impl Distinct<NodeId> for FixedBitSet {
    #[inline]
    fn visit(&mut self, node: &NodeId) {
        self.insert(node.index());
    }

    fn count(&self) -> Option<usize> {
        Some(self.count_ones(..))
    }
}

/// A hash set of positions, where counting is wanted.
impl<N: Clone + Eq + Hash> Distinct<N> for Option<Visited<N>> {
    #[inline]
    fn visit(&mut self, node: &N) {
        if let Some(visited) = self {
            Observer::<N, ()>::enter(visited, node, None);
        }
    }

    fn count(&self) -> Option<usize> {
        self.as_ref().map(Visited::len)
    }
}

/// A problem from a file, over the lattice that a search runs on and with the lattice that the file describes.
pub(crate) struct Explicit<L: Lattice> {
    pub(crate) problem: Problem<L>,
    pub(crate) lattice: AnyLattice,
    pub(crate) as_any: AsAny<L::Elem>,
}

/// Makes a value of the search one of the file's lattice.
pub(crate) type AsAny<E> = Box<dyn for<'e> Fn(&'e E) -> Cow<'e, AnyElem>>;

impl<L: Lattice> AndOrDag for Explicit<L> {
    type Node = NodeId;

    fn root(&self) -> NodeId {
        self.problem.root()
    }

    #[inline]
    fn kind(&self, node: &NodeId) -> Kind {
        self.problem.kind(node)
    }

    #[inline]
    fn children(&self, node: &NodeId, out: &mut Vec<NodeId>) {
        self.problem.children(node, out);
    }

    #[inline]
    fn is_shared(&self, node: &NodeId) -> bool {
        self.problem.is_shared(node)
    }

    fn name(&self, node: &NodeId, out: &mut dyn fmt::Write) -> fmt::Result {
        self.problem.name(node, out)
    }
}

impl<L: Lattice> Valuation<NodeId> for Explicit<L> {
    type Lattice = L;

    #[inline]
    fn lattice(&self) -> &L {
        self.problem.lattice()
    }

    #[inline]
    fn leaf(&self, node: &NodeId) -> L::Elem {
        self.problem.leaf(node)
    }

    fn never_bottom(&self) -> bool {
        self.problem.never_bottom()
    }
}

impl<L: Lattice> Subject for Explicit<L> {
    type Stores = DenseStores;
    type Bounds<'s>
        = &'s Problem<L>
    where
        L: 's;
    type Distinct = FixedBitSet;

    fn stores(&self) -> DenseStores {
        DenseStores {
            nodes: self.problem.graph().node_count(),
        }
    }

    fn bounds(&self) -> &Problem<L> {
        &self.problem
    }

    fn node_count(&self) -> Option<usize> {
        Some(self.problem.graph().node_count())
    }

    fn has_bounds(&self) -> bool {
        self.problem.has_bounds()
    }

    fn distinct(&self, _: bool) -> FixedBitSet {
        FixedBitSet::with_capacity(self.problem.graph().node_count())
    }

    fn push_node(&self, node: &NodeId, out: &mut String) {
        write_name(self.problem.node_name(*node), out);
    }

    fn push_value(&self, value: &L::Elem, out: &mut String) {
        write_value(&self.lattice, &(self.as_any)(value), out);
    }

    fn push_readable(&self, value: &L::Elem, out: &mut String) {
        let worlds = self.problem.worlds();
        write_readable(&self.lattice, &(self.as_any)(value), worlds, out);
    }
}
