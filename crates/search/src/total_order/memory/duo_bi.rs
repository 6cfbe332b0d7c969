//! Bisecting alpha-beta duo: null windows that bisect the range of values, each searched with looks
//! at children.
//!
//! Problem: with a full window alpha-beta duo follows the first line of play to its end, and known
//! bounds settle few nodes. If a game is decided early and its value lies far from the middle, that
//! is wasteful: on 50 positions near the beginning of Connect Four it makes thirty times the visits
//! of this search. MTD(bi) asks the right questions there, but descends without looking at the
//! children's bounds.
//!
//! Idea: the questions of MTD(bi), each of them a search by alpha-beta duo through a window between
//! two neighbours ([`TotalOrder::halves`]), over one cache. When few values are left, one search
//! with their window finds the value.
//!
//! Where bisection does not pay, this is exactly alpha-beta duo with the full window: if nothing is
//! known of the root without search, since then a null window is settled no sooner than a full one
//! (on random graphs bisection makes up to 1.6 times the visits); if few values are possible from
//! the start ([`Halving::from`]), or very many ([`Halving::most`]); and in chains that do not know
//! neighbours.
//!
//! Anytime: an interrupted search returns the bounds of all searches so far.
//!
//! Cost: about `2 log2(n)` searches for n possible values. Every node is stored, not only shared
//! ones: the next search visits all of them again.
//!
//! Needs: [`TotalOrder`], which chooses the middle.
//!
//! Source: for the questions see [`mtd_bi`](super::mtd_bi), for their search
//! [`alpha_beta_duo`](crate::depth_first::alpha_beta_duo). The combination is new here.

use meetjoin_dag::{AndOrDag, Heuristic as _, Kind, Valuation};
use meetjoin_lattice::{ElemOf, Interval, TotalOrder};

use crate::depth_first::alpha_beta_duo::alpha_beta_duo_as;
use crate::{Duo, Observer as _, Outcome, Store, Tools, Window};

/// The numbers of values, counted in steps between neighbours, for which [`duo_bi`] bisects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halving {
    /// With fewer steps from the least possible value to the greatest, there is one search with the
    /// full window.
    pub from: u64,
    /// With fewer steps left, one search finds the value among the rest.
    pub rest: u64,
    /// With more steps, there is one search with the full window: so many questions cost more than
    /// they save.
    pub most: u64,
}

/// What has proved best on positions of Connect Four, whole boards, Kalah and uniform trees.
impl Default for Halving {
    fn default() -> Self {
        Self {
            from: 18,
            rest: 8,
            most: 255,
        }
    }
}

/// Bisecting alpha-beta duo, with a cache of intervals and a heuristic pair, either of which may be
/// `()`. `duo` has the parts of each search.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Duo, Env, Table, total_order::{Halving, duo_bi}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["x", "y"])?;
/// builder.leaf("x", 3)?;
/// builder.leaf("y", 7)?;
/// let problem = Problem::build(builder, "r", Chain::new(0, 9).ok_or("0 <= 9")?)?;
/// let budget = Budget::unlimited();
/// let mut env = Env::new(&budget).with_store(Table::new());
/// let outcome = duo_bi(&problem, &problem, Duo::DEFAULT, Halving::default(), &mut env);
/// assert_eq!(outcome.exact(), Some(&7));
/// # Ok(())
/// # }
/// ```
pub fn duo_bi<D, V, T>(
    dag: &D,
    valuation: &V,
    duo: Duo,
    halving: Halving,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let lattice = valuation.lattice();
    let full = Window::full(lattice);
    let pays = |steps| (halving.from..=halving.most).contains(&steps);
    let known = known_of_root(dag, lattice, env).filter(|(lower, upper)| {
        let is_less = lattice.compare(lower, upper).is_lt();
        let halves = is_less.then(|| lattice.halves(lower, upper)).flatten();
        halves.is_some_and(|halves| pays(halves.steps))
    });
    let Some((mut lower, mut upper)) = known else {
        return alpha_beta_duo_as(dag, valuation, &full, duo, env);
    };
    let duo = Duo {
        shared_only: false,
        ..duo
    };
    loop {
        let halves = lattice.halves(&lower, &upper);
        let window = match halves.filter(|halves| halves.steps >= halving.rest) {
            Some(halves) => Window {
                alpha: halves.below,
                beta: halves.above,
            },
            None => Window {
                alpha: lower.clone(),
                beta: upper.clone(),
            },
        };
        let Outcome { value, stop, .. } = alpha_beta_duo_as(dag, valuation, &window, duo, env);
        let is_greater = lattice.compare(value.lower(), &lower).is_gt();
        if is_greater {
            lower.clone_from(value.lower());
        }
        let is_less = lattice.compare(value.upper(), &upper).is_lt();
        if is_less {
            upper.clone_from(value.upper());
            env.lend().observer.milestone(&upper);
        }
        // If bounds of the heuristic are false, a question may stay unanswered.
        let goes_on = stop.is_none() && (is_greater || is_less);
        if !goes_on || lattice.compare(&lower, &upper).is_ge() {
            return Outcome::of_full_window(Interval::new(lower, upper), stop);
        }
    }
}

/// Bounds of the root known without search, intersected with those of an earlier search. `None` if
/// there are none, or if the root is a leaf.
fn known_of_root<D, L, T>(dag: &D, lattice: &L, env: &mut T) -> Option<(ElemOf<L>, ElemOf<L>)>
where
    D: AndOrDag,
    L: TotalOrder,
    T: Tools<D::Node, L, Store: Store<D::Node, Interval<ElemOf<L>>>>,
{
    let (root, env) = (dag.root(), env.lend());
    if dag.kind(&root) == Kind::Leaf {
        return None;
    }
    // A stop of the heuristic stops the search as well.
    let known = env.heuristic.bounds(lattice, &root, env.budget).ok()??;
    let (mut lower, mut upper) = (known.lower().clone(), known.upper().clone());
    if let Some(found) = env.store.get(&root).1 {
        if lattice.compare(found.lower(), &lower).is_gt() {
            lower.clone_from(found.lower());
        }
        if lattice.compare(found.upper(), &upper).is_lt() {
            upper.clone_from(found.upper());
        }
    }
    Some((lower, upper))
}
