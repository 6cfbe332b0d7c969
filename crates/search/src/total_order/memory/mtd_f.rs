//! MTD(f): null-window searches alone, steered by their own results.
//!
//! Problem: SSS* and DUAL* visit fewer leaves than alpha-beta, and are hard to implement.
//!
//! Idea: begin with a guess. Ask whether the value is at least the guess; the fail-soft answer is a
//! bound of the value and the next guess. Ask again, until the bounds meet. With a cache of
//! intervals no search starts anew. With a guess above all values, every answer is a better upper
//! bound, and the leaves are those of SSS*; from below, those of DUAL*; with a close guess, few
//! searches are needed.
//!
//! Anytime: the observer receives each upper bound as a milestone, and an interrupted search
//! returns the bounds of all searches so far.
//!
//! Cost: a search for each bound. Without a cache each of them starts anew, which is correct and
//! slow. With a complete cache, fail-soft bounds and no heuristic, MTD(f) from the top evaluates
//! the same leaves in the same order as SSS-2.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Plaat, Schaeffer, Pijls, de Bruin (1996), "Best-first fixed-depth minimax algorithms".

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{ElemOf, Interval, Lattice as _, TotalOrder};

use crate::total_order::Border;
use crate::total_order::windows::test::side_of;
use crate::{Observer, Outcome, Store, Tools};

/// The initial guess of MTD(f).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Guess<E> {
    /// Above every value: the setting that makes it SSS*.
    #[default]
    Top,
    /// Below every value: DUAL*.
    Bottom,
    /// At this value.
    Value(E),
}

/// MTD(f) with a cache of intervals and a heuristic pair, either of which may be `()`.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Env, Table, total_order::{Guess, mtd_f}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["x", "y"])?;
/// builder.leaf("x", 3)?;
/// builder.leaf("y", 7)?;
/// let problem = Problem::build(builder, "r", Chain::new(0, 9).ok_or("0 <= 9")?)?;
/// let budget = Budget::unlimited();
/// let mut env = Env::new(&budget).with_store(Table::new());
/// assert_eq!(mtd_f(&problem, &problem, Guess::Value(5), &mut env).exact(), Some(&7));
/// # Ok(())
/// # }
/// ```
pub fn mtd_f<D, V, T>(
    dag: &D,
    valuation: &V,
    guess: Guess<ElemOf<V::Lattice>>,
    env: &mut T,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let lattice = valuation.lattice();
    let (mut lower, mut upper) = (lattice.bottom(), lattice.top());
    let mut border = match guess {
        Guess::Top => Border::above(lattice.top()),
        Guess::Bottom => Border::below(lattice.bottom()),
        Guess::Value(value) => Border::below(value),
    };
    loop {
        let (found, stop) = side_of(dag, valuation, &border, env);
        if lattice.compare(found.lower(), &lower).is_gt() {
            lower.clone_from(found.lower());
        }
        let is_less = lattice.compare(found.upper(), &upper).is_lt();
        if is_less {
            upper.clone_from(found.upper());
            env.lend().observer.milestone(&upper);
        }
        if stop.is_some() || lattice.compare(&lower, &upper).is_ge() {
            return Outcome::of_full_window(Interval::new(lower, upper), stop);
        }
        // The value lies on the side of the border that was found, so the next question starts from
        // there.
        border = if border.is_below(lattice, &lower) {
            Border::above(lower.clone())
        } else {
            Border::below(upper.clone())
        };
    }
}
