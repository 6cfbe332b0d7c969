//! The claim "the value is at least t" as a valuation of its own, in the lattice of two elements.
//!
//! Problem: a proof answers yes or no, and the values of a game are in some lattice.
//!
//! Idea: a leaf is worth true if t lies below its value or equals it. An AND node is above t
//! exactly if all its children are, because a meet is a greatest lower bound. An OR node is above t
//! if one of its children is. The converse holds if t is *join-prime*: t is not bottom, and t <= a
//! join b implies t <= a or t <= b. So for a join-prime t, in any lattice, distributive or not, "t
//! <= v(n)" is the value of n over `Bool`, and every search of a total order finds it, as does TEST
//! (`total_order::test` with the question "at least true").
//!
//! For any other t the Boolean value has a weaker meaning: proved means that MAX has a strategy all
//! of whose leaves are above t, which implies t <= v(n); disproved implies nothing about v(n).
//!
//! In a chain all elements but bottom are join-prime, in a powerset the sets of one world, among
//! the families of sets those with one maximal set.
//!
//! Cost: a comparison at each leaf, and two where a heuristic knows bounds.

use meetjoin_dag::{Heuristic, Valuation};
use meetjoin_lattice::{Bool, Budget, ElemOf, Interval, Lattice, Stop};

/// The valuation of a leaf by whether its value is at least a threshold.
///
/// If the threshold is join-prime (not bottom, and below a join only if below one of its parts),
/// then the value of every node says whether its own value is at least the threshold, in any
/// lattice. For any other threshold, true still means that, and false means only that no strategy
/// guarantees it.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Env, proof::Threshold, total_order::{Question, test}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut builder = GraphBuilder::new();
/// builder.and("r", ["x", "y"])?;
/// builder.leaf("x", 3)?;
/// builder.leaf("y", 7)?;
/// let problem = Problem::build(builder, "r", Chain::new(0, 9).ok_or("0 <= 9")?)?;
/// let claim = Threshold::new(&problem, 5);
/// let budget = Budget::unlimited();
/// let tested = test(&problem, &claim, Question::AtLeast(true), &mut Env::new(&budget));
/// assert_eq!(tested.answer, Some(false)); // the value is 3
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Threshold<'a, V, E> {
    valuation: &'a V,
    at_least: E,
}

impl<'a, V, E> Threshold<'a, V, E> {
    /// The claim that a value is `at_least` this, a join-prime of the lattice of the valuation.
    pub fn new(valuation: &'a V, at_least: E) -> Self {
        Self {
            valuation,
            at_least,
        }
    }

    /// The threshold.
    pub fn at_least(&self) -> &E {
        &self.at_least
    }
}

impl<N, V: Valuation<N>> Valuation<N> for Threshold<'_, V, ElemOf<V::Lattice>> {
    type Lattice = Bool;

    fn lattice(&self) -> &Bool {
        &Bool
    }

    #[inline]
    fn leaf(&self, node: &N) -> bool {
        let value = self.valuation.leaf(node);
        let lattice = self.valuation.lattice();
        // Leaves are evaluated without a budget, and so is this comparison, which takes no longer
        // than making the value.
        lattice.leq(&self.at_least, &value, &Budget::unlimited()) == Ok(true)
    }
}

/// A heuristic of the values as a heuristic of the claim: a lower bound above the threshold proves
/// it, an upper bound not above it disproves it.
#[derive(Clone, Copy, Debug)]
pub struct ThresholdBounds<'a, L, E, H> {
    lattice: &'a L,
    at_least: E,
    heuristic: H,
}

impl<'a, L: Lattice, H> ThresholdBounds<'a, L, L::Elem, H> {
    /// The bounds of `heuristic` for the claim that a value is `at_least` this, a join-prime of
    /// `lattice`. `lattice`.
    pub fn new(lattice: &'a L, at_least: L::Elem, heuristic: H) -> Self {
        Self {
            lattice,
            at_least,
            heuristic,
        }
    }
}

impl<N, L: Lattice, H: Heuristic<N, L>> Heuristic<N, Bool> for ThresholdBounds<'_, L, L::Elem, H> {
    fn bounds(
        &mut self,
        _: &Bool,
        node: &N,
        budget: &Budget,
    ) -> Result<Option<Interval<bool>>, Stop> {
        let Some(known) = self.heuristic.bounds(self.lattice, node, budget)? else {
            return Ok(None);
        };
        let above = |value| self.lattice.leq(&self.at_least, value, budget);
        let lower = above(known.lower())?;
        let upper = lower || above(known.upper())?;
        Ok(Some(Interval::new(lower, upper)))
    }
}
