//! NegaScout: alpha-beta whose windows do the work of SCOUT's tests.
//!
//! Problem: SCOUT's searches know no window, and its tests forget everything but a yes or no.
//!
//! Idea: alpha-beta, in which every child but the first is tried with a null window at the best value so far. If the trial fails high, the
//! child is searched again, with the window from the trial's result up to beta. A good order of children makes that rare.
//!
//! Three forms, one code:
//! - [`Form::MiniMax`] is F4'/G4' as printed: the null window lies at the node's own best value, even if that has not reached alpha;
//! - [`Form::NegaMax`] is F4 as printed: the null window lies at the best value or at alpha, whichever is further. (In an AND-OR graph no value
//!   changes its sign; what is left of the negamax form is this rule, and that a trial which is better than the best value is repeated
//!   even when it has not passed its null window.)
//! - [`Form::Tight`] is F4 without those repetitions.
//!
//! No form repeats a trial whose result is the child's value whatever the window, if [`NegaScout::depth`] is `None`. The printed forms say
//! that differently: with at most two levels left below the node nothing is repeated. That is tight: with `depth < 4` the tree
//! `MAX(0, MIN(MAX(1, 2)))` would be worth 1.
//!
//! A second visit need not begin from nothing: with a cache, whatever the trial has settled is answered from there, and with an order that
//! remembers ([`BestMoves`](crate::BestMoves)) it goes first where the trial failed.
//!
//! Cost: on well ordered trees fewer visits than alpha-beta; on others more, for the second visits.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Reinefeld (1983, 1989); Hsu's slides, "The NegaScout Algorithm".

use meetjoin_dag::{AndOrDag, Heuristic, Valuation};
use meetjoin_lattice::{ElemOf, Interval, TotalOrder};

use super::window::{Gap, Open, Plan, Side, through};
use crate::{Env, Observer, Order, Outcome, Store, Window};

/// Where null windows lie, and which trials are repeated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// F4' and G4' as printed.
    MiniMax,
    /// F4 as printed.
    NegaMax,
    /// F4, repeating a trial only if its result passes the null window.
    #[default]
    Tight,
}

/// A variant of the algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NegaScout {
    /// Where null windows lie.
    pub form: Form,
    /// The height of the graph, or the depth limit, for the rule that repeats nothing where at most two levels are left. It must not be
    /// less than the height. Without it nothing is repeated whose result is exact.
    pub depth: Option<u32>,
}

/// NegaScout with a cache of intervals and a heuristic pair, either of which may be `()`.
pub fn nega_scout<D, V, S, H, O, R>(
    dag: &D,
    valuation: &V,
    window: &Window<ElemOf<V::Lattice>>,
    variant: NegaScout,
    env: &mut Env<'_, S, H, O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    S: Store<D::Node, Interval<ElemOf<V::Lattice>>>,
    H: Heuristic<D::Node, V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    through(dag, valuation, window, &variant, variant.depth, env)
}

impl<L: TotalOrder> Plan<L> for NegaScout {
    #[inline]
    fn window(
        &self,
        side: &Side<'_, L>,
        node: &Open<'_, L::Elem>,
        window: &mut Gap<L::Elem>,
    ) -> bool {
        let Some(best) = node.best else {
            let (near, far) = window.sides(side);
            near.set_to(node.near);
            far.set_to(node.far);
            return false;
        };
        if self.form == Form::MiniMax {
            window.set_null_beyond(side, best);
        } else {
            node.push(side, &mut window.alpha);
            node.push(side, &mut window.beta);
        }
        true
    }

    #[inline]
    fn retry(
        &self,
        side: &Side<'_, L>,
        node: &Open<'_, L::Elem>,
        window: &mut Gap<L::Elem>,
        result: &L::Elem,
        exact: bool,
    ) -> bool {
        let settled = match node.depth {
            Some(depth) => depth < 3,
            None => exact,
        };
        let again = match self.form {
            Form::MiniMax => true,
            // A null window that is the whole window has been searched in full.
            Form::NegaMax => window.alpha != *node.far,
            Form::Tight => side.passes(&window.alpha, result),
        };
        if settled || !again {
            return false;
        }
        let (near, far) = window.sides(side);
        side.set_beyond(near, result);
        far.set_to(node.far);
        true
    }
}
