//! TEST: on which side of a border does the value lie?
//!
//! Problem: often a yes or no is enough: is the value greater than v, at least v, less than v, at
//! most v?
//!
//! Idea: a MAX node says yes as soon as one child does, a MIN node no as soon as one child does.
//! That is alpha-beta with a window of a single border, and fail-soft bounds come for free: a yes
//! has a lower bound that may be better than asked for, a no an upper bound. "At least" is the
//! border below v, "greater" the one above it, so the question needs no successor of v; "at most"
//! and "less" are the same two with yes and no exchanged.
//!
//! Cost: at least `b^(d/2)` nodes of a uniform tree. To return yes: one child of each MAX node and
//! all of each MIN node, together `sum over i = 0..=d of b^floor(i/2)` where the root is MAX; to
//! return no, with the ceiling instead.
//!
//! Needs: [`TotalOrder`].
//!
//! Source: Pearl (1980); Hsu's slides, "How to TEST".

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{ElemOf, Interval, Stop, TotalOrder};

use super::plan::Plan;
use super::side::Gap;
use super::window::search;
use crate::total_order::Border;
use crate::{Store, Tools};

/// A question about a value, compared with an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question<E> {
    /// `value > element`
    Greater(E),
    /// `value >= element`
    AtLeast(E),
    /// `value < element`
    Less(E),
    /// `value <= element`
    AtMost(E),
}

impl<E> Question<E> {
    /// The border asked about, and whether yes means its upper side.
    fn border(self) -> (Border<E>, bool) {
        match self {
            Self::Greater(element) => (Border::above(element), true),
            Self::AtLeast(element) => (Border::below(element), true),
            Self::Less(element) => (Border::below(element), false),
            Self::AtMost(element) => (Border::above(element), false),
        }
    }
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested<E> {
    /// Yes or no; `None` if the search was stopped before it knew.
    pub answer: Option<bool>,
    /// True bounds of the value that the search has found.
    pub value: Interval<E>,
    /// Why there is no answer.
    pub stop: Option<Stop>,
}

/// Answers a question about the value of the root. A cache of intervals serves any question about
/// the same graph.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::{Env, total_order::{Question, test}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["x", "y"])?;
/// builder.leaf("x", 3)?;
/// builder.leaf("y", 7)?;
/// let problem = Problem::build(builder, "r", Chain::new(0, 9).ok_or("0 <= 9")?)?;
/// let budget = Budget::unlimited();
/// let answer = test(&problem, &problem, Question::AtLeast(2), &mut Env::new(&budget));
/// assert_eq!(answer.answer, Some(true));
/// assert_eq!(answer.value.lower(), &3); // the first child was enough
/// # Ok(())
/// # }
/// ```
pub fn test<D, V, T>(
    dag: &D,
    valuation: &V,
    question: Question<ElemOf<V::Lattice>>,
    env: &mut T,
) -> Tested<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let (border, yes_is_above) = question.border();
    let (value, stop) = side_of(dag, valuation, &border, env);
    let lattice = valuation.lattice();
    let answer = if border.is_below(lattice, value.lower()) {
        Some(yes_is_above)
    } else if !border.is_below(lattice, value.upper()) {
        Some(!yes_is_above)
    } else {
        None
    };
    Tested {
        stop: stop.filter(|_| answer.is_none()),
        answer,
        value,
    }
}

/// The null-window search at a border: an interval that contains the value and, unless the search
/// is stopped, lies on one side of the border.
pub(crate) fn side_of<D, V, T>(
    dag: &D,
    valuation: &V,
    border: &Border<ElemOf<V::Lattice>>,
    env: &mut T,
) -> (Interval<ElemOf<V::Lattice>>, Option<Stop>)
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let gap = Gap::null(border);
    search(dag, valuation, gap, Plan::AlphaBeta, env)
}
