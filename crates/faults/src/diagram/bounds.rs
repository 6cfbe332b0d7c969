//! Partial results for a module whose diagram is too large: bounds of its function, and its small
//! or probable sets.

use meetjoin_lattice::diagram::{Function, Functions, Listing};
use meetjoin_lattice::{Budget, Stop};

use crate::diagram::compile::Trials;
use crate::diagram::interval::{Chance, chance};
use crate::diagram::solved::{Solved, constant};
use crate::diagram::truncate::{heavy, pruned};
use crate::diagram::wanted::Only;
use crate::rewrite::formula::Node;
use crate::rewrite::module::{Variable, choice};

/// The resolution of weights where a limit is on probability.
const WEIGHTS: u32 = 64;

/// What is known of a module.
pub(crate) struct Known {
    pub(crate) order: Vec<Node>,
    pub(crate) function: Listing,
    pub(crate) upper: Option<Listing>,
    pub(crate) sets: Listing,
}

impl Known {
    /// Nothing, with the variables in this order.
    pub(crate) fn nothing(order: &[Node]) -> Self {
        Self {
            order: order.to_vec(),
            function: constant(0),
            upper: Some(constant(1)),
            sets: constant(0),
        }
    }
}

/// Makes the bounds of a function better.
pub(crate) fn bound(
    solved: &Solved<'_>,
    trials: &Trials<'_>,
    known: &mut Known,
    variables: &[Variable],
    keep: usize,
    budget: &Budget,
) -> Result<(), Stop> {
    let chances = solved.by_level(variables);
    let bounded = |constant: Function| -> Result<(Listing, Chance), Stop> {
        let same = |_: &mut Functions| Ok(constant);
        let shrink = |functions: &mut Functions, f, constant| {
            pruned(functions, f, &chances, keep, constant, budget)
        };
        let (functions, f, _) = trials.shrunk(same, shrink, budget)?;
        let listing = functions.listing(&[f], budget)?;
        let p = chance(&listing, &chances, budget)?;
        Ok((listing, p))
    };
    let now = |listing: &Listing| chance(listing, &chances, budget);
    let (lower, p) = bounded(Function::FALSE)?;
    if p.is_no_less(&now(&known.function)?) {
        known.function = lower;
    }
    let (upper, p) = bounded(Function::TRUE)?;
    if (known.upper.as_ref())
        .map_or(Ok(Chance::always()), now)?
        .is_no_less(&p)
    {
        known.upper = Some(upper);
    }
    Ok(())
}

/// The minimal sets that are small or probable enough.
pub(crate) fn light(
    solved: &Solved<'_>,
    trials: &Trials<'_>,
    variables: &[Variable],
    only: Only,
    budget: &Budget,
) -> Result<Listing, Stop> {
    if solved.has_prime_implicants() {
        return Ok(constant(0));
    }
    let literal = |&variable: &Variable| choice(variable, true);
    let (weights, most): (Vec<u32>, u32) = match only {
        Only::All => (vec![0; variables.len()], 0),
        Only::Order(order) => (
            variables
                .iter()
                .map(literal)
                .map(|choice| solved.least_of(choice))
                .collect(),
            order,
        ),
        Only::Probability(least) => {
            let deepest = -least.max(f64::MIN_POSITIVE).ln();
            let scale = f64::from(WEIGHTS) / deepest.max(f64::MIN_POSITIVE);
            #[allow(clippy::cast_sign_loss)] // logarithms of probabilities
            // Rounded down, and the limit up: no set is left out that should be there.
            let weight = |p: f64| (-p.ln() * scale).min(f64::from(u32::MAX)) as u32;
            (
                variables
                    .iter()
                    .map(literal)
                    .map(|choice| weight(solved.best_of(choice)))
                    .collect(),
                WEIGHTS + 1,
            )
        }
    };
    let heavy = |functions: &mut Functions| heavy(functions, &weights, most, budget);
    let shrink = |functions: &mut Functions, f, outside| functions.or(f, outside, budget);
    let (functions, f, outside) = trials.shrunk(heavy, shrink, budget)?;
    solved.minimal_sets(functions, f, variables, outside, budget)
}
