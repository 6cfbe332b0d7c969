//! Depth limits: a game cut off at a depth, where a static evaluation stands in for values.
//!
//! Problem: most games are too large to be solved. What a search can find is the value of a smaller
//! game, which ends after a number of moves and is then judged by a static evaluation. That looks
//! like a value of the real game and is none.
//!
//! Idea: that smaller game is a graph like any other. Its nodes are positions with the number of
//! levels left, so every algorithm and every cache works on it, and an entry for five levels cannot
//! be mistaken for one for six. The number of evaluations is counted: if it is 0, the answer is the
//! value of the real game, and otherwise only an [`Estimate`].
//!
//! Cost: a number beside each node; a position reached at different depths is several nodes.
//!
//! Source: Shannon (1950).

use std::cell::{Cell, RefCell};
use std::fmt;

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::ElemOf;

use crate::contracts::observer::relay;
use crate::{Observer, Outcome};

/// A position with the number of levels that may still be searched below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At<N> {
    /// The position.
    pub node: N,
    /// Levels left.
    pub depth: u32,
}

/// A game cut off at a depth. See the [module page](self).
///
/// ```
/// use meetjoin_dag::{AndOrDag, Kind, Valuation};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Env, Horizon, Table, Window, total_order::nega_scout};
///
/// /// Players add 1 or 2 in turn, for a hundred moves; the sum modulo 7 is what MAX gets.
/// struct Adding(Chain<u32>);
/// impl AndOrDag for Adding {
///     type Node = (u32, u32);
///     fn root(&self) -> (u32, u32) { (0, 0) }
///     fn kind(&self, &(moves, _): &(u32, u32)) -> Kind {
///         match moves { 100 => Kind::Leaf, even if even % 2 == 0 => Kind::Or, _ => Kind::And }
///     }
///     fn children(&self, &(moves, sum): &(u32, u32), out: &mut Vec<(u32, u32)>) {
///         out.extend([(moves + 1, sum + 1), (moves + 1, sum + 2)]);
///     }
/// }
/// impl Valuation<(u32, u32)> for Adding {
///     type Lattice = Chain<u32>;
///     fn lattice(&self) -> &Chain<u32> { &self.0 }
///     fn leaf(&self, &(_, sum): &(u32, u32)) -> u32 { sum % 7 }
/// }
///
/// let game = Adding(Chain::new(0, 6).ok_or("0 <= 6")?);
/// let horizon = Horizon::new(&game, &game, |&(_, sum): &(u32, u32)| sum % 7, 8);
/// let (window, budget) = (Window::full(horizon.lattice()), Budget::unlimited());
/// let mut env = Env::new(&budget).with_store(Table::new());
/// let outcome = nega_scout(&horizon, &horizon, &window, &mut env);
/// let estimate = horizon.estimate(outcome);
/// assert!(!estimate.is_exact() && estimate.evaluations > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Horizon<'a, D: AndOrDag, V, F> {
    dag: &'a D,
    valuation: &'a V,
    evaluation: F,
    root: D::Node,
    depth: u32,
    /// The number of evaluations so far.
    evaluations: Cell<u64>,
    scratch: RefCell<Vec<D::Node>>,
}

impl<D: AndOrDag, V, F> fmt::Debug for Horizon<'_, D, V, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Horizon {} levels below {:?}", self.depth, self.root)
    }
}

impl<'a, D, V, F> Horizon<'a, D, V, F>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    F: Fn(&D::Node) -> ElemOf<V::Lattice>,
{
    /// The game from its root, cut off after `depth` levels. `evaluation` judges inner nodes only;
    /// leaves keep their values.
    ///
    /// A cache may be kept for further searches of this object, but not of another: evaluations
    /// behind entries of the cache would not be counted there, and an estimate would look exact.
    /// (Values would be right all the same, with the same evaluation.)
    pub fn new(dag: &'a D, valuation: &'a V, evaluation: F, depth: u32) -> Self {
        Self {
            root: dag.root(),
            dag,
            valuation,
            evaluation,
            depth,
            evaluations: Cell::new(0),
            scratch: RefCell::default(),
        }
    }

    /// The outcome of a search of this game, marked as what it is.
    pub fn estimate(&self, outcome: Outcome<ElemOf<V::Lattice>>) -> Estimate<ElemOf<V::Lattice>> {
        Estimate {
            depth: self.depth,
            evaluations: self.evaluations.get(),
            outcome,
        }
    }
}

/// The result of a search to a limited depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate<E> {
    /// Levels that were searched.
    pub depth: u32,
    /// The number of static evaluations that stood in for values.
    pub evaluations: u64,
    /// The outcome of the game that ends at the horizon. Its bounds are bounds of the real game
    /// only if [`is_exact`](Self::is_exact).
    pub outcome: Outcome<E>,
}

impl<E: Clone + Eq> Estimate<E> {
    /// Returns whether this is the value of the real game: the search ended without using the
    /// evaluation.
    pub fn is_exact(&self) -> bool {
        self.evaluations == 0 && self.outcome.exact().is_some()
    }

    /// The value of the game that ends at the horizon, if its search ended.
    pub fn value(&self) -> Option<&E> {
        self.outcome.exact()
    }
}

impl<D, V, F> AndOrDag for Horizon<'_, D, V, F>
where
    D: AndOrDag,
{
    type Node = At<D::Node>;

    fn root(&self) -> At<D::Node> {
        At {
            node: self.root.clone(),
            depth: self.depth,
        }
    }

    #[inline]
    fn kind(&self, at: &At<D::Node>) -> Kind {
        if at.depth == 0 {
            Kind::Leaf
        } else {
            self.dag.kind(&at.node)
        }
    }

    fn children(&self, at: &At<D::Node>, out: &mut Vec<At<D::Node>>) {
        let mut children = self.scratch.take();
        self.dag.children(&at.node, &mut children);
        let depth = at.depth - 1;
        out.extend(children.drain(..).map(|node| At { node, depth }));
        self.scratch.replace(children);
    }

    /// A node is at most as shared as its position. (Reading ahead would need a copy of the nodes,
    /// so `prefetch` does nothing.)
    #[inline]
    fn is_shared(&self, at: &At<D::Node>) -> bool {
        self.dag.is_shared(&at.node)
    }

    fn name(&self, at: &At<D::Node>, out: &mut dyn fmt::Write) -> fmt::Result {
        self.dag.name(&at.node, out)
    }

    fn move_name(
        &self,
        from: &At<D::Node>,
        to: &At<D::Node>,
        out: &mut dyn fmt::Write,
    ) -> fmt::Result {
        self.dag.move_name(&from.node, &to.node, out)
    }
}

impl<D, V, F> Valuation<At<D::Node>> for Horizon<'_, D, V, F>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    F: Fn(&D::Node) -> ElemOf<V::Lattice>,
{
    type Lattice = V::Lattice;

    fn lattice(&self) -> &V::Lattice {
        self.valuation.lattice()
    }

    #[inline]
    fn leaf(&self, at: &At<D::Node>) -> ElemOf<V::Lattice> {
        if at.depth == 0 && self.dag.kind(&at.node) != Kind::Leaf {
            self.evaluations.set(self.evaluations.get() + 1);
            (self.evaluation)(&at.node)
        } else {
            self.valuation.leaf(&at.node)
        }
    }
}

/// Adapts an observer of positions to searches of positions with levels left.
#[derive(Debug)]
pub struct OfPositions<O>(pub O);

impl<N, E, O: Observer<N, E>> Observer<At<N>, E> for OfPositions<O> {
    // Entries are for positions with levels left, so they are not shown.
    relay!(self, event: Event<At<N>, E>, self.0.wants_progress(), {
        event.tell_of(|at| &at.node, &mut self.0);
    }, no entries);
}
