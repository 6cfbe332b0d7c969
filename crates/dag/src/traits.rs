//! The traits that a game or a graph implements.
//!
//! Li et al. (2022) keep four things apart, and so do we: the graph ([`AndOrDag`]), the lattice,
//! the evaluation of leaves ([`Valuation`]) and the bounds that a heuristic knows ([`Heuristic`]).
//! One graph can then be evaluated under several lattices.

use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::hash::Hash;

use meetjoin_lattice::{Budget, ElemOf, Interval, Lattice, Stop};

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// No children; its value is given.
    Leaf,
    /// Its value is the meet of its children's values.
    And,
    /// Its value is the join of its children's values.
    Or,
}

/// A rooted AND-OR directed acyclic graph, explicit or generated on demand.
pub trait AndOrDag {
    /// A node. `Eq` is its identity: equal positions have one value. Equal hashes alone never make
    /// nodes the same.
    type Node: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// The root.
    fn root(&self) -> Self::Node;

    /// The kind of the node. Must be cheap: it is called at every visit, before any cache.
    fn kind(&self, node: &Self::Node) -> Kind;

    /// Appends the children of an inner node to `out`, at least one, always in the same order. A
    /// child may appear twice. Called only when no cache has answered, and never for a leaf.
    fn children(&self, node: &Self::Node, out: &mut Vec<Self::Node>);

    /// Returns whether more than one edge may lead to the node. A search from one root need not
    /// remember other nodes: it comes back to them only through a node that it remembers. Must be
    /// cheap. The default is yes.
    #[inline]
    fn is_shared(&self, _node: &Self::Node) -> bool {
        true
    }

    /// A hint that the children of these nodes will probably be needed, in this order, so that a
    /// graph in memory can read ahead.
    #[inline]
    fn prefetch(&self, _nodes: &[Self::Node]) {}

    /// Writes the node for people: the id in the problem file, or the position.
    ///
    /// # Errors
    /// Those of `out`.
    fn name(&self, node: &Self::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{node:?}")
    }

    /// Writes the move from a node to one of its children for people: the card, the square. The
    /// default is the name of the child.
    ///
    /// # Errors
    /// Those of `out`.
    fn move_name(
        &self,
        _from: &Self::Node,
        to: &Self::Node,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        self.name(to, out)
    }
}

/// The values of the leaves, in some lattice.
pub trait Valuation<N> {
    /// The lattice of the values.
    type Lattice: Lattice;

    /// The lattice.
    fn lattice(&self) -> &Self::Lattice;

    /// The value of a leaf. Called for leaves only.
    fn leaf(&self, node: &N) -> ElemOf<Self::Lattice>;

    /// Returns whether no leaf is worth the bottom. Then no node is worth it in families of sets,
    /// and searches there can rely on it. The default is no.
    fn never_bottom(&self) -> bool {
        false
    }
}

/// Bounds on the values of inner nodes, known without searching them: `h` of Li et al., `L` and `U`
/// of Pijls and de Bruin.
///
/// The bounds must be true of the node whatever the window (*admissible*, Definition 4 of Li et
/// al.). A search trusts them.
pub trait Heuristic<N, L: Lattice> {
    /// The bounds of the node; `None` stands for bottom to top. It may search, and be stopped.
    ///
    /// # Errors
    /// The reason, when the budget ends it.
    fn bounds(
        &mut self,
        lattice: &L,
        node: &N,
        budget: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop>;
}

/// No heuristic: bottom to top at every node.
impl<N, L: Lattice> Heuristic<N, L> for () {
    #[inline]
    fn bounds(&mut self, _: &L, _: &N, _: &Budget) -> Result<Option<Interval<L::Elem>>, Stop> {
        Ok(None)
    }
}

impl<N, L: Lattice, H: Heuristic<N, L> + ?Sized> Heuristic<N, L> for &mut H {
    #[inline]
    fn bounds(
        &mut self,
        lattice: &L,
        node: &N,
        budget: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop> {
        (**self).bounds(lattice, node, budget)
    }
}

/// A heuristic whose presence is known at run time only.
impl<N, L: Lattice, H: Heuristic<N, L>> Heuristic<N, L> for Option<H> {
    #[inline]
    fn bounds(
        &mut self,
        lattice: &L,
        node: &N,
        budget: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop> {
        match self {
            Some(heuristic) => heuristic.bounds(lattice, node, budget),
            None => Ok(None),
        }
    }
}

/// A heuristic with a memory, lent to consecutive searches.
impl<N, L: Lattice, H: Heuristic<N, L>> Heuristic<N, L> for &RefCell<H> {
    #[inline]
    fn bounds(
        &mut self,
        lattice: &L,
        node: &N,
        budget: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop> {
        // A search inside the heuristic never asks the heuristic, so this does not panic.
        self.borrow_mut().bounds(lattice, node, budget)
    }
}

/// The part of a graph below another root: a position after some moves.
#[derive(Clone, Debug)]
pub struct Rooted<'a, D: AndOrDag> {
    /// The graph.
    pub dag: &'a D,
    /// The root of that part.
    pub root: D::Node,
}

impl<D: AndOrDag> AndOrDag for Rooted<'_, D> {
    type Node = D::Node;

    fn root(&self) -> D::Node {
        self.root.clone()
    }

    #[inline]
    fn kind(&self, node: &D::Node) -> Kind {
        self.dag.kind(node)
    }

    #[inline]
    fn children(&self, node: &D::Node, out: &mut Vec<D::Node>) {
        self.dag.children(node, out);
    }

    #[inline]
    fn is_shared(&self, node: &D::Node) -> bool {
        self.dag.is_shared(node)
    }

    #[inline]
    fn prefetch(&self, nodes: &[D::Node]) {
        self.dag.prefetch(nodes);
    }

    fn name(&self, node: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.dag.name(node, out)
    }

    fn move_name(&self, from: &D::Node, to: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.dag.move_name(from, to, out)
    }
}

impl<D: AndOrDag + ?Sized> AndOrDag for &D {
    type Node = D::Node;

    fn root(&self) -> D::Node {
        (**self).root()
    }

    #[inline]
    fn kind(&self, node: &D::Node) -> Kind {
        (**self).kind(node)
    }

    #[inline]
    fn children(&self, node: &D::Node, out: &mut Vec<D::Node>) {
        (**self).children(node, out);
    }

    #[inline]
    fn is_shared(&self, node: &D::Node) -> bool {
        (**self).is_shared(node)
    }

    #[inline]
    fn prefetch(&self, nodes: &[D::Node]) {
        (**self).prefetch(nodes);
    }

    fn name(&self, node: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        (**self).name(node, out)
    }

    fn move_name(&self, from: &D::Node, to: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        (**self).move_name(from, to, out)
    }
}

impl<N, V: Valuation<N> + ?Sized> Valuation<N> for &V {
    type Lattice = V::Lattice;

    #[inline]
    fn lattice(&self) -> &V::Lattice {
        (**self).lattice()
    }

    #[inline]
    fn leaf(&self, node: &N) -> ElemOf<V::Lattice> {
        (**self).leaf(node)
    }

    fn never_bottom(&self) -> bool {
        (**self).never_bottom()
    }
}
