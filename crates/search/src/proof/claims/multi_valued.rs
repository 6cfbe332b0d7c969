//! The value of the root by proofs: "is it at least t?" for a few t.
//!
//! Problem: a proof answers one yes-or-no question, and in a chain the value is wanted.
//!
//! Idea: thresholds go up from a guess by steps of 1, 2, 4, .. as long as each is proved, or down
//! by the same steps as long as each is disproved; then the interval is bisected. The middle is
//! rounded up: if it were rounded down, a proof of it could leave the bounds unchanged, and the
//! search would never end. Values may be negative.
//!
//! Reuse: a value that is at least t is at least every smaller threshold, and one that is less than
//! t is less than every greater one. After a proof the next threshold is greater, so disproved
//! nodes stay disproved; after a disproof it is smaller, so proved nodes stay proved. The other
//! answers are forgotten, and numbers of open nodes are kept as estimates.
//!
//! Cost: about 2 log2(d) proofs for a value at a distance of d from the guess.
//!
//! Needs: a [`Chain`] of integers.
//!
//! Source: Hsu's slides, "Multi-valued PN-search: algorithm", corrected.

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{Chain, Interval, Split};

use super::prover::{Prover, at_least};
use crate::contracts::proof_numbers::Verdict;
use crate::{Outcome, Tools};

/// An integer type: `i8` to `i64`, `u8` to `u64`, `i128`.
pub trait Integer: Split + Copy + Into<i128> + TryFrom<i128> + Send {}

impl<T: Split + Copy + Into<i128> + TryFrom<i128> + Send> Integer for T {}

/// The value of the root, by claims for one threshold after the other, beginning with `guess`.
///
/// Earlier answers of the prover are forgotten, since they may be for another threshold.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::Env;
/// use meetjoin_search::proof::{DepthFirstProver, DfPn, ProofTable, multi_valued};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["a", "b"])?;
/// builder.and("a", ["x", "y"])?;
/// builder.and("b", ["y", "z"])?;
/// for (leaf, value) in [("x", -30), ("y", 70), ("z", -5)] {
///     builder.leaf(leaf, value)?;
/// }
/// let chain = Chain::new(-1_000_000, 1_000_000).ok_or("in order")?;
/// let problem = Problem::build(builder, "r", chain)?;
/// let table = ProofTable::with_bytes(1 << 20)?;
/// let mut prover = DepthFirstProver { how: DfPn::default(), table };
/// let budget = Budget::unlimited();
/// let outcome = multi_valued(&problem, &problem, 0, &mut prover, &mut Env::new(&budget));
/// assert_eq!(outcome.exact(), Some(&-5));
/// # Ok(())
/// # }
/// ```
pub fn multi_valued<D, V, T, P, X>(
    dag: &D,
    valuation: &V,
    guess: T,
    prover: &mut P,
    env: &mut X,
) -> Outcome<T>
where
    D: AndOrDag,
    T: Integer,
    V: Valuation<D::Node, Lattice = Chain<T>>,
    P: Prover<D::Node>,
    X: Tools<D::Node, Chain<T>, Store = ()>,
{
    let chain = valuation.lattice();
    prover.forget(true);
    prover.forget(false);
    let (mut lower, mut upper) = (*chain.lo(), *chain.hi());
    let mut thresholds = Thresholds::new(guess.into());
    while let Some(next) = thresholds.next(lower.into(), upper.into()) {
        // The type contains all numbers between two of its numbers.
        let (Ok(threshold), Ok(below)) = (T::try_from(next), T::try_from(next.saturating_sub(1)))
        else {
            break;
        };
        let bounds = (&lower, &upper);
        let decision = at_least(dag, valuation, threshold, bounds, prover, env);
        match decision.verdict {
            Verdict::Proved => lower = threshold,
            Verdict::Disproved => upper = below,
            Verdict::Unknown => {
                return Outcome::of_full_window(Interval::new(lower, upper), decision.stop);
            }
        }
        prover.forget(decision.verdict == Verdict::Proved);
    }
    Outcome::of_full_window(Interval::new(lower, upper), None)
}

/// Chooses the next threshold.
struct Thresholds {
    guess: i128,
    /// The bounds at the last choice, if there was one.
    before: Option<(i128, i128)>,
    proved: bool,
    disproved: bool,
    step: u128,
}

impl Thresholds {
    fn new(guess: i128) -> Self {
        Self {
            guess,
            before: None,
            proved: false,
            disproved: false,
            step: 1,
        }
    }

    /// The threshold for a value between these bounds: more than the lower, and not more than the
    /// upper one. `None` if they are equal.
    fn next(&mut self, lower: i128, upper: i128) -> Option<i128> {
        if lower >= upper {
            return None;
        }
        let Some(before) = self.before.replace((lower, upper)) else {
            return Some(self.guess.clamp(lower + 1, upper));
        };
        self.proved |= lower > before.0;
        self.disproved |= upper < before.1;
        if self.proved && self.disproved {
            let half = upper.abs_diff(lower).div_ceil(2);
            return Some(lower.saturating_add_unsigned(half));
        }
        let step = self.step;
        self.step = step.saturating_mul(2);
        Some(if self.proved {
            lower.saturating_add_unsigned(step).min(upper)
        } else {
            let step = upper.saturating_sub_unsigned(step - 1);
            step.max(lower + 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The thresholds asked for when the value is this.
    fn asked(value: i128, guess: i128, lower: i128, upper: i128) -> Vec<i128> {
        let (mut lower, mut upper) = (lower, upper);
        let (mut asked, mut thresholds) = (Vec::new(), Thresholds::new(guess));
        while let Some(next) = thresholds.next(lower, upper) {
            assert!(lower < next && next <= upper);
            if value >= next {
                lower = next;
            } else {
                upper = next - 1;
            }
            asked.push(next);
        }
        assert_eq!((lower, upper), (value, value));
        asked
    }

    #[test]
    fn every_value_is_found_from_every_guess() {
        for value in -20..=20 {
            for guess in -25..=25 {
                asked(value, guess, -20, 20);
                assert!(asked(value, guess, -1_000_000_000, 1_000_000_000).len() < 16);
            }
        }
        for value in [i128::MIN, -1, 0, 3, i128::MAX] {
            asked(value, 0, i128::MIN, i128::MAX);
        }
    }

    #[test]
    fn upwards_it_is_the_doubling_of_the_slides() {
        assert_eq!(asked(5, 1, 0, 1000), [1, 2, 4, 8, 6, 5]);
        // With the middle rounded down, these two searches would never end.
        assert_eq!(asked(2, 1, 0, 1000), [1, 2, 4, 3]);
        assert_eq!(asked(3, 1, 0, 1000), [1, 2, 4, 3]);
    }
}
