//! MTD(bi), formerly C*: null-window searches that bisect the chain.
//!
//! Problem: MTD(f) goes from bound to bound, however small the steps, and NegaScout searches its
//! first line with the full window, where little is cut. For an exact score at the beginning of a
//! game both are expensive.
//!
//! Idea: ask on which side of a border in the middle the value lies, and go on with that half. The
//! chain chooses the middle ([`TotalOrder::split`]): for integers, values far from zero come before
//! those near it, because a game that ends early is cheap. With a cache of intervals no search
//! starts anew. In a chain without a middle, this is MTD(f) from above.
//!
//! Anytime: an interrupted search returns the bounds of all searches so far, and the observer
//! receives each better upper bound.
//!
//! Cost: about `2 log2(n)` null windows for n possible values, fewer where fail-soft bounds go
//! beyond the border.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Coplan (1982), "A special-purpose machine for an improved search algorithm for deep
//! chess combinations", which calls it C*; Plaat, Schaeffer, Pijls, de Bruin (1996) as MTD(bi);
//! Pons for the order of the questions.

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{ElemOf, Interval, Lattice as _, TotalOrder};

use crate::total_order::Border;
use crate::total_order::windows::test::side_of;
use crate::{Observer, Outcome, Store, Tools};

/// MTD(bi) with a cache of intervals and a heuristic pair, either of which may be `()`. `known` are
/// true bounds of the root, or `None`: the first question is asked between them.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Env, Table, total_order::mtd_bi};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["x", "y"])?;
/// builder.leaf("x", 3)?;
/// builder.leaf("y", 7)?;
/// let problem = Problem::build(builder, "r", Chain::new(0, 9).ok_or("0 <= 9")?)?;
/// let budget = Budget::unlimited();
/// let mut env = Env::new(&budget).with_store(Table::new());
/// assert_eq!(mtd_bi(&problem, &problem, None, &mut env).exact(), Some(&7));
/// # Ok(())
/// # }
/// ```
pub fn mtd_bi<D, V, T>(
    dag: &D,
    valuation: &V,
    known: Option<Interval<ElemOf<V::Lattice>>>,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let lattice = valuation.lattice();
    let (mut lower, mut upper) = match known {
        Some(known) => (known.lower().clone(), known.upper().clone()),
        None => (lattice.bottom(), lattice.top()),
    };
    loop {
        // A root whose value is known is searched once all the same, so that it is visited.
        let at = match lattice.compare(&lower, &upper) {
            std::cmp::Ordering::Less => lattice.split(&lower, &upper),
            _ => None,
        };
        let border = match at {
            Some(at) if at != upper => Border::above(at),
            _ => Border::below(upper.clone()),
        };
        let (found, stop) = side_of(dag, valuation, &border, env);
        if lattice.compare(found.lower(), &lower).is_gt() {
            lower.clone_from(found.lower());
        }
        if lattice.compare(found.upper(), &upper).is_lt() {
            upper.clone_from(found.upper());
            env.lend().observer.milestone(&upper);
        }
        if stop.is_some() || lattice.compare(&lower, &upper).is_ge() {
            return Outcome::of_full_window(Interval::new(lower, upper), stop);
        }
    }
}
