//! Families of sets to a limited depth: an upper bound where the value is too expensive.
//!
//! Problem: a value in families of sets can be out of reach, while its union, what a player who
//! sees the hidden cards can win, is always cheap. But the union ignores that she must decide
//! without seeing them.
//!
//! Idea: search the families for a number of levels, and take the union of a node, as one set,
//! where the depth ends: from there on the player sees the hidden cards. That can only help her, so
//! the result is an upper bound, which improves with the depth, and is the value if the search
//! never reached the depth. (Alpha-mu deepens in the same way, counting the moves of MAX, to choose
//! a move.)
//!
//! Invariant: evaluation is monotone in the values of leaves, so a node is worth at least as much
//! in the cut game as in the real one; and both have the same union, because the union is a
//! homomorphism.
//!
//! Cost: a node for each position and level at which it is reached; a search for the unions, whose
//! cache is shared.
//!
//! Needs: values in [`Families`]; any graph.
//!
//! Source: Cazenave, Ventos (2021), whose values at the depth limit are those of possible worlds;
//! here for any graph, with levels of the graph.

use std::cell::RefCell;

use meetjoin_dag::{AndOrDag, Heuristic, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, DistributiveLattice, ElemOf, Families, Interval, Lattice, Stop, Unions,
    WorldSet,
};
use meetjoin_search::observer::Nodes;
use meetjoin_search::{
    At, Env, Estimate, Horizon, Observer, OfPositions, Outcome, Relaxed, Stores, Window,
    alpha_beta_duo,
};

/// An interval of the root's value from a search to a number of levels. Unless the search was
/// stopped, its upper bound is the value of the game cut at that depth; [`Estimate::is_exact`] says
/// whether that is the value of the real game. See the [module page](self).
///
/// Visits of the search for unions are reported as relaxed visits.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_families::alpha_mu::families_to_depth;
/// use meetjoin_lattice::{Budget, Families, Words};
/// use meetjoin_search::Tables;
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
    let unions = Unions::of(valuation.lattice(), valuation.never_bottom());
    let watch = &RefCell::new(observer);
    let store = <S as Stores<D::Node>>::store(stores);
    let relaxed = Relaxed::new(dag, valuation, &unions, store, Nodes::for_bounds(watch));
    to_depth(dag, valuation, depth, relaxed, stores, budget, watch)
}

/// Searches to a depth over any lattice, with any upper bounds in place of the unions: at the depth
/// limit, a node counts as its upper bound.
///
/// The bounds must be valid in cut games too: bounds of `n` must not change if values below `n` are
/// replaced by their own upper bounds. That holds for images under a
/// [relaxation](meetjoin_lattice::relaxation), and for perfect information in racing.
pub fn to_depth<D, V, H, S, O>(
    dag: &D,
    valuation: &V,
    depth: u32,
    known: H,
    stores: &S,
    budget: &Budget,
    observer: O,
) -> Estimate<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    H: Heuristic<D::Node, V::Lattice>,
    S: Stores<At<D::Node>>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
{
    let lattice = valuation.lattice();
    let known = RefCell::new(known);
    let bounds = |node: &D::Node| known.borrow_mut().bounds(lattice, node, budget);
    let evaluation = |node: &D::Node| match bounds(node) {
        Ok(Some(known)) => known.upper().clone(),
        // Without bounds; if a limit fired, it stops the search too.
        Ok(None) | Err(_) => lattice.top(),
    };
    let horizon = Horizon::new(dag, valuation, evaluation, depth);
    let env = Env::new(budget)
        .with_store(stores.store())
        .with_heuristic(BoundsAt(&known));
    let mut env = env.with_observer(OfPositions(observer));
    let window = Window::full(lattice);
    let outcome = alpha_beta_duo(&horizon, &horizon, &window, &mut env);
    let mut estimate = horizon.estimate(outcome);
    if !estimate.is_exact() {
        let upper = estimate.outcome.value.upper().clone();
        let lower = match bounds(&dag.root()) {
            Ok(Some(known)) => known.lower().clone(),
            Ok(None) | Err(_) => lattice.bottom(),
        };
        let interval = Interval::new(lower, upper);
        estimate.outcome = Outcome::of_full_window(interval, estimate.outcome.stop);
    }
    estimate
}

/// Bounds of positions as bounds of positions with levels left, valid if they depend on the union
/// alone.
struct BoundsAt<'a, H>(&'a RefCell<H>);

impl<N, L: Lattice, H: Heuristic<N, L>> Heuristic<At<N>, L> for BoundsAt<'_, H> {
    fn bounds(
        &mut self,
        lattice: &L,
        at: &At<N>,
        budget: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop> {
        self.0.borrow_mut().bounds(lattice, &at.node, budget)
    }
}
