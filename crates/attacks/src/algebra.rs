//! What questions have in common: one pass over the diagrams of a [`Plan`], with values of an
//! algebra.
//!
//! Idea: a node of a diagram tests one variable. Its value follows from that of the variable and
//! those of both children. An algebra is a set of values with `plus` (the attacker chooses) and
//! `times` (both must be done) that distribute, a *semiring*, and `choose` is
//! `plus(times(variable, high), low)`. What each question needs:
//!
//! | question | values | needs |
//! |---|---|---|
//! | [`Count`] | integers | minimal sets, since `plus` is not idempotent |
//! | [`Probability`] | numbers | functions: `choose` weighs the low child too |
//! | [`Best`] | a worth and an attack | `plus` idempotent, `times` monotone, so any diagram does |
//! | [`Fronts`] | sets of vectors none of which another betters | the same |
//! | [`Duel`] | sets of (price of defences, value of any of these that can be compared) | functions with defences first |

pub mod best;
pub mod count;
pub mod criteria;
pub mod damage;
mod duel;
pub mod front;
mod hitting;
pub mod left;
pub mod probability;
pub mod witness;

pub use best::Best;
pub use count::Count;
pub use criteria::Criteria;
pub use damage::damage_front;
pub use front::Fronts;
pub use left::Duel;
pub use probability::Probability;

use meetjoin_lattice::diagram::Listing;
use meetjoin_lattice::{Budget, Stop};

use crate::plan::{Module, Plan, Variable};

/// The algebra of one question. See the [module page](self).
pub trait Algebra {
    /// The value of a node.
    type Value: Clone;

    /// Whether the pass goes over minimal sets instead of functions.
    const OVER_SETS: bool = false;

    /// The value of false.
    fn never(&self) -> Self::Value;

    /// The value of true: nothing needs to be done.
    fn always(&self) -> Self::Value;

    /// A leaf of the tree: an action, or that a defence is absent.
    fn leaf(&self, node: u32) -> Self::Value;

    /// The value of a module, from those of its variables; by default one pass over its diagram.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    fn module(
        &self,
        module: &Module,
        variables: &[Self::Value],
        budget: &Budget,
    ) -> Result<Self::Value, Stop>
    where
        Self: Sized,
    {
        over(listing::<Self>(module), variables, self, budget)
    }

    /// `plus(times(variable, high), low)`.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    fn choose(
        &self,
        variable: &Self::Value,
        high: &Self::Value,
        low: &Self::Value,
        budget: &Budget,
    ) -> Result<Self::Value, Stop>;
}

/// An algebra whose values can be compared: whether one leaves the attacker no more than another.
pub trait Compared: Algebra {
    /// Whether the attacker has no more from `a` than from `b`.
    fn no_more(&self, a: &Self::Value, b: &Self::Value) -> bool;
}

/// Evaluates the root.
///
/// # Errors
/// [`Stop`] when the budget ends it.
pub fn evaluate<A: Algebra>(plan: &Plan, algebra: &A, budget: &Budget) -> Result<A::Value, Stop> {
    let root = match plan.root {
        Err(false) => return Ok(algebra.never()),
        Err(true) => return Ok(algebra.always()),
        Ok(Variable::Leaf(leaf)) => return Ok(algebra.leaf(leaf)),
        Ok(Variable::Module(root)) => root as usize,
    };
    let mut modules: Vec<Option<A::Value>> = Vec::with_capacity(plan.modules.len());
    for module in &plan.modules {
        let variables = module.variables.iter().map(|variable| match *variable {
            Variable::Leaf(leaf) => algebra.leaf(leaf),
            // Each module is the variable of one other alone.
            Variable::Module(inner) => modules[inner as usize]
                .take()
                .unwrap_or_else(|| algebra.never()),
        });
        let variables: Vec<A::Value> = variables.collect();
        modules.push(Some(algebra.module(module, &variables, budget)?));
    }
    Ok(modules[root].take().unwrap_or_else(|| algebra.never()))
}

fn listing<A: Algebra>(module: &Module) -> &Listing {
    match &module.sets {
        Some(sets) if A::OVER_SETS => sets,
        _ => &module.function,
    }
}

/// The value of the root of a listing. Values are dropped after their last use.
pub(crate) fn over<A: Algebra>(
    listing: &Listing,
    variables: &[A::Value],
    algebra: &A,
    budget: &Budget,
) -> Result<A::Value, Stop> {
    let places = listing.nodes.len() + 2;
    let mut uses = vec![0_u32; places];
    for node in &listing.nodes {
        uses[node.high as usize] += 1;
        uses[node.low as usize] += 1;
    }
    let root = listing.roots[0] as usize;
    uses[root] += 1;
    let mut values: Vec<Option<A::Value>> = Vec::with_capacity(places);
    values.extend([Some(algebra.never()), Some(algebra.always())]);
    for node in &listing.nodes {
        budget.steps(1)?;
        let value = {
            let [high, low] = [node.high, node.low].map(|child| values[child as usize].as_ref());
            let (Some(high), Some(low)) = (high, low) else {
                unreachable!("children come first and are kept until their last use")
            };
            algebra.choose(&variables[node.level as usize], high, low, budget)?
        };
        for child in [node.high, node.low] {
            let uses = &mut uses[child as usize];
            *uses -= 1;
            if *uses == 0 && child > 1 {
                values[child as usize] = None;
            }
        }
        values.push(Some(value));
    }
    Ok(values[root].take().unwrap_or_else(|| algebra.never()))
}
