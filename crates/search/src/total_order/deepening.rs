//! Iterative deepening: depth 1, then 2, and so on, until the game is solved or the time is over.
//!
//! Problem: nobody knows beforehand how deep a search can go in the time there is, and one that is stopped half way says little.
//!
//! Idea: each depth is searched in full before the next is begun. That costs little, because the next depth is so much larger, and it pays for
//! itself: the child that decided a position at one depth goes first at the next. MTD(f) begins where the depth before ended.
//!
//! The best line of each depth comes with it, by TESTs that the cache answers.
//!
//! Cost: that of the deepest search, and for branching factor b the share 1/(b - 1) of it for all others.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Slate and Atkin (1977).

use std::hash::Hash;
use std::ops::ControlFlow;

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{ElemOf, Stop, TotalOrder};

use super::{Guess, alpha_beta_informed, mtd_f, nega_scout, principal_variation};
use crate::Stores;
use crate::horizon::{At, Estimate, Horizon};
use crate::{BestMoves, Env, Observer, Order, Window};

/// The search that is deepened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Deepened {
    /// Alpha-beta.
    AlphaBeta,
    /// NegaScout.
    #[default]
    NegaScout,
    /// MTD(f).
    MtdF,
}

/// How to deepen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deepening {
    /// The search of each depth.
    pub search: Deepened,
    /// The last depth, if the game is not solved before.
    pub most: u32,
    /// For how many positions the child that decided is remembered, to go first at the next depth.
    pub remembered: usize,
}

/// What one depth has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level<N, E> {
    /// The value of the game that ends at this depth, marked as exact if it is that of the game itself.
    pub estimate: Estimate<E>,
    /// A line of best play to the horizon or to the end, the root first. It is shorter if a limit fired while it was looked for; then
    /// this is the last depth, and [`Deepest::stop`] says why.
    pub line: Vec<N>,
}

/// The answer: the last depth that was searched in full, and why the next was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deepest<N, E> {
    /// `None` if not even depth 1 was finished.
    pub level: Option<Level<N, E>>,
    /// The limit that ended it; `None` if the game is solved, the last depth was reached, or the caller had seen enough.
    pub stop: Option<Stop>,
}

/// Searches to depth 1, 2, .., and ends early when the game is solved.
///
/// The environment's store makes caches ([`Stores`]), one for each depth, or none if it is `()`: an entry may rest on the evaluation, so none is
/// kept from depth to depth, nor from call to call. Its order arranges positions. `seen` is told of each depth as soon as it is done, and says whether to go on:
/// a caller may know more of the game than the search, for example that no deeper one will find another value.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Env, Tables, total_order::{Deepened, Deepening, iterative_deepening}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["a", "b"])?;
/// builder.and("a", ["x", "y"])?;
/// builder.and("b", ["y", "z"])?;
/// for (leaf, value) in [("x", 3), ("y", 7), ("z", 5)] {
///     builder.leaf(leaf, value)?;
/// }
/// let problem = Problem::build(builder, "r", Chain::new(0, 9).ok_or("0 <= 9")?)?;
/// let budget = Budget::unlimited();
/// let mut env = Env::new(&budget).with_store(Tables);
/// let how = Deepening { search: Deepened::NegaScout, most: 9, remembered: 100 };
/// let on = |_: &_| ControlFlow::Continue(());
/// let deepest = iterative_deepening(&problem, &problem, |_| 4, how, &mut env, on);
/// let level = deepest.level.ok_or("no limit")?;
/// assert!(level.estimate.is_exact()); // depth 2 was enough
/// assert_eq!((level.estimate.depth, level.estimate.value()), (2, Some(&5)));
/// assert_eq!(level.line.len(), 3); // r, b, z
/// # Ok(())
/// # }
/// ```
pub fn iterative_deepening<D, V, F, S, O, R>(
    dag: &D,
    valuation: &V,
    evaluation: F,
    how: Deepening,
    env: &mut Env<'_, S, (), O, R>,
    mut seen: impl FnMut(&Level<D::Node, ElemOf<V::Lattice>>) -> ControlFlow<()>,
) -> Deepest<D::Node, ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    F: Fn(&D::Node) -> ElemOf<V::Lattice>,
    S: Stores<At<D::Node>>,
    O: Observer<At<D::Node>, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let mut best = BestMoves::new(how.remembered);
    let window = Window::full(valuation.lattice());
    let mut done: Option<Level<D::Node, ElemOf<V::Lattice>>> = None;
    for depth in 1..=how.most {
        let horizon = Horizon::new(dag, valuation, &evaluation, depth);
        let mut env = Env {
            budget: env.budget,
            store: env.store.store(),
            heuristic: (),
            observer: &mut env.observer,
            order: ByPosition {
                users: &mut env.order,
                best: &mut best,
                scratch: Vec::new(),
            },
        };
        let outcome = match how.search {
            Deepened::AlphaBeta => alpha_beta_informed(&horizon, &horizon, &window, &mut env),
            Deepened::NegaScout => nega_scout(&horizon, &horizon, &window, &mut env),
            Deepened::MtdF => {
                let before = done.as_ref().and_then(|level| level.estimate.value());
                let guess = before.map_or(Guess::Top, |value| Guess::Value(value.clone()));
                mtd_f(&horizon, &horizon, guess, &mut env)
            }
        };
        let Some(value) = outcome.exact() else {
            let stop = outcome.stop;
            return Deepest { level: done, stop };
        };
        let line = principal_variation(&horizon, &horizon, value, &mut env);
        let stop = line.stop;
        let level = Level {
            estimate: horizon.estimate(outcome),
            line: line.nodes.into_iter().map(|at| at.node).collect(),
        };
        let enough = seen(&level).is_break();
        let solved = level.estimate.is_exact();
        done = Some(level);
        if enough || solved || stop.is_some() {
            return Deepest { level: done, stop };
        }
    }
    Deepest {
        level: done,
        stop: None,
    }
}

/// Orders of positions, for positions with their depth.
struct ByPosition<'a, N, R> {
    users: &'a mut R,
    best: &'a mut BestMoves<N>,
    scratch: Vec<N>,
}

impl<N: Clone + Eq + Hash, R: Order<N>> Order<At<N>> for ByPosition<'_, N, R> {
    fn arrange(&mut self, at: &At<N>, kind: Kind, children: &mut [At<N>]) {
        let nodes = &mut self.scratch;
        nodes.clear();
        nodes.extend(children.iter().map(|child| child.node.clone()));
        self.users.arrange(&at.node, kind, nodes);
        self.best.arrange(&at.node, kind, nodes);
        for (child, node) in children.iter_mut().zip(nodes.drain(..)) {
            child.node = node;
        }
    }

    fn decided(&mut self, at: &At<N>, kind: Kind, child: &At<N>) {
        self.users.decided(&at.node, kind, &child.node);
        self.best.decided(&at.node, kind, &child.node);
    }
}
