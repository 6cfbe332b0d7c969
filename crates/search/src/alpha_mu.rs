//! Families of sets to a limited depth: an upper bound where the whole value costs too much.
//!
//! Problem: a value in families of sets can be out of reach, while its union, what can be won by who may peek, is always cheap. But the union says nothing of
//! what must be decided without peeking.
//!
//! Idea: search the families for so many levels, and take the union of a node, as one set, where the depth ends: there the player may peek from
//! then on. That can only help her, so the result is an upper bound, the better the deeper, and the value if the depth was never used up. (Alpha-mu deepens in the same way,
//! counting the moves of MAX, to choose a move.)
//!
//! Invariant: evaluation is monotone in the values of leaves, so a node of the cut game is worth at least what it is worth in the real one; and both have the
//! same union, because the union is a homomorphism.
//!
//! Cost: a node for each level at which it is reached; a search for the unions, which is shared.
//!
//! Needs: values in [`Families`]; any graph.
//!
//! Source: Cazenave, Ventos (2021), whose values at the depth are those of possible worlds; families, levels and bounds here are of any graph.

use std::cell::RefCell;

use meetjoin_dag::{AndOrDag, Heuristic, Valuation};
use meetjoin_lattice::{Antichain, Budget, Families, Interval, Lattice, Stop, Unions, WorldSet};

use crate::engine::Stores;
use crate::observer::{Nodes, Shared};
use crate::{At, Env, Estimate, Horizon, Observer, Outcome, Relaxed, Window, alpha_beta_duo};

/// What is known of the root after so many levels: an interval of its value. Its upper bound is the value of the game that ends at that depth, if nothing stopped the search, and
/// [`Estimate::is_exact`] says whether that is the value of the real game. See the [module page](self).
///
/// Visits of the search for unions are told as relaxed ones.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Families, Words};
/// use meetjoin_search::alpha_mu::families_to_depth;
/// use meetjoin_search::engine::Tables;
///
/// // One strategy wins in world 0, another in world 1, and none in both.
/// let families = Families::<Words<1>>::of_worlds(2)?;
/// let mut builder = GraphBuilder::new();
/// builder.and("r", ["choice"])?;
/// builder.or("choice", ["x", "y"])?;
/// builder.leaf("x", families.principal(Words([0b01])))?;
/// builder.leaf("y", families.principal(Words([0b10])))?;
/// let problem = Problem::build(builder, "r", families)?;
/// let budget = Budget::unlimited();
/// let most = |depth| families_to_depth(&problem, &problem, depth, &Tables, &budget, &mut ());
/// assert_eq!(most(1).outcome.value.upper().maximal(), [Words([0b11])]);
/// assert_eq!(most(2).outcome.value.upper().maximal(), [Words([0b01]), Words([0b10])]);
/// assert!(!most(1).is_exact() && most(2).is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn families_to_depth<D, B, V, S, O>(
    dag: &D,
    valuation: &V,
    depth: u32,
    stores: &S,
    budget: &Budget,
    observer: &mut O,
) -> Estimate<Antichain<B>>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node> + Stores<At<D::Node>>,
    O: Observer<D::Node, Antichain<B>>,
{
    let families = valuation.lattice();
    let unions = Unions::of(families, valuation.never_bottom());
    let watch = RefCell::new(observer);
    let watch = Shared(&watch);
    let store = <S as Stores<D::Node>>::store(stores);
    let relaxed = Relaxed::new(dag, valuation, &unions, store, Nodes::for_bounds(watch));
    let relaxed = RefCell::new(relaxed);
    let evaluation = |node: &D::Node| {
        // What a limit left open of the union is an upper bound all the same.
        let union = relaxed.borrow_mut().outcome(node, budget);
        families.principal(union.value.upper().clone())
    };
    let horizon = Horizon::new(dag, valuation, evaluation, depth);
    let env = Env::new(budget)
        .with_store(<S as Stores<At<D::Node>>>::store(stores))
        .with_heuristic(OfPositions(&relaxed));
    let mut env = env.with_observer(Positions(watch));
    let mut estimate = horizon.estimate(alpha_beta_duo(
        &horizon,
        &horizon,
        &Window::full(families),
        &mut env,
    ));
    if !estimate.is_exact() {
        let upper = estimate.outcome.value.upper().clone();
        let stop = estimate.outcome.stop;
        let lower = match relaxed.borrow_mut().bounds(families, &dag.root(), budget) {
            Ok(Some(known)) => known.lower().clone(),
            _ => families.bottom(),
        };
        estimate.outcome = Outcome::of_full_window(Interval::new(lower, upper), stop);
    }
    estimate
}

/// Bounds of positions as bounds of positions with levels left. True of both where they depend on the union alone.
struct OfPositions<'a, H>(&'a RefCell<H>);

impl<N, L: Lattice, H: Heuristic<N, L>> Heuristic<At<N>, L> for OfPositions<'_, H> {
    fn bounds(
        &mut self,
        lattice: &L,
        at: &At<N>,
        budget: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop> {
        self.0.borrow_mut().bounds(lattice, &at.node, budget)
    }
}

/// Who watches positions, for a search of positions with levels left.
struct Positions<O>(O);

impl<N, E, O: Observer<N, E>> Observer<At<N>, E> for Positions<O> {
    #[inline]
    fn enter(&mut self, at: &At<N>, window: Option<(&E, &E)>) {
        self.0.enter(&at.node, window);
    }

    #[inline]
    fn leaf(&mut self, at: &At<N>) {
        self.0.leaf(&at.node);
    }

    #[inline]
    fn cache_hit(&mut self, at: &At<N>) {
        self.0.cache_hit(&at.node);
    }

    #[inline]
    fn probe(&mut self, at: &At<N>) {
        self.0.probe(&at.node);
    }

    #[inline]
    fn cutoff(&mut self, at: &At<N>, skipped: usize) {
        self.0.cutoff(&at.node, skipped);
    }

    #[inline]
    fn wants_progress(&mut self) -> bool {
        self.0.wants_progress()
    }

    fn progress(&mut self, progress: crate::Progress<'_, E>) {
        self.0.progress(progress);
    }
}
