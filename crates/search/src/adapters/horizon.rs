//! Depth limits: a game that is judged by an evaluation where the search would go too deep.
//!
//! Problem: most games are too large to be solved. What can be had is the value of a smaller game,
//! which ends after so many moves and is then judged by a static evaluation. It looks like a value
//! and is none.
//!
//! Idea: that smaller game is a graph like any other. Its nodes are positions with the number of
//! levels left, so every algorithm and every cache works on it, and an entry for five levels cannot
//! be taken for one for six. It counts how often the evaluation was asked: if never, the answer is
//! the value of the real game, and otherwise only an [`Estimate`].
//!
//! Cost: a number beside each node; positions that are reached with different depths are different
//! nodes.
//!
//! Source: Shannon (1950).

use std::cell::{Cell, RefCell};
use std::fmt;

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{ElemOf, Interval};

use crate::contracts::observer::relay;
use crate::{Observer, Outcome};

/// A position, and how many levels may still be searched below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At<N> {
    /// The position.
    pub node: N,
    /// Levels left.
    pub depth: u32,
}

/// A game that ends after so many levels. See the [module page](self).
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
    /// How often the evaluation has been asked.
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
    /// A cache may be kept for further searches of this object, not for those of another: what that
    /// one would take from the cache, it would not count, and an estimate would look exact. (The
    /// values would be right all the same, as long as the evaluation is the same.)
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

/// What a search to a limited depth says of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate<E> {
    /// Levels that were searched.
    pub depth: u32,
    /// How often the static evaluation stood in for a value.
    pub evaluations: u64,
    /// The outcome of the game that ends at the horizon. Its bounds are bounds of the real game
    /// only if [`is_exact`](Self::is_exact).
    pub outcome: Outcome<E>,
}

impl<E: Clone + Eq> Estimate<E> {
    /// Whether this is the value of the real game: the search ended, and did not ask the
    /// evaluation.
    pub fn is_exact(&self) -> bool {
        self.evaluations == 0 && self.outcome.exact().is_some()
    }

    /// The value of the game that ends at the horizon, if its search ended.
    pub fn value(&self) -> Option<&E> {
        self.outcome.exact()
    }

    /// What is known of the real game: its value, or nothing.
    pub fn proven(&self) -> Option<&Interval<E>> {
        (self.evaluations == 0).then_some(&self.outcome.value)
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

    /// An edge leads to a place at one depth, so there are no more edges than in the graph. (To
    /// read ahead would need a copy of the nodes.)
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

/// Who watches positions, for a search of positions with levels left.
#[derive(Debug)]
pub struct OfPositions<O>(pub O);

impl<N, E, O: Observer<N, E>> Observer<At<N>, E> for OfPositions<O> {
    // What is remembered is of positions with levels left.
    relay!(self, event: Event<At<N>, E>, self.0.wants_progress(), {
        event.tell_of(|at| &at.node, &mut self.0);
    }, no entries);
}
