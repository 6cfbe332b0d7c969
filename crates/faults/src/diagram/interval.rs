//! Bounds of a probability from bounds of others.

use meetjoin_lattice::diagram::Listing;
use meetjoin_lattice::{Budget, Stop};

/// Bounds of the probability of a function, given bounds of that of each variable, by level. A
/// bound of a function need not be monotone, so at each node the worse end of the interval counts.
pub(crate) fn interval_of(
    function: &Listing,
    known: &[(f64, f64)],
    budget: &Budget,
) -> Result<(f64, f64), Stop> {
    let node = |level, high: &(f64, f64), low: &(f64, f64)| {
        let (from, to): (f64, f64) = known[level as usize];
        let at = |p: f64, high: f64, low: f64| p * high + (1.0 - p) * low;
        let lower = if high.0 >= low.0 { from } else { to };
        let upper = if high.1 >= low.1 { to } else { from };
        (at(lower, high.0, low.0), at(upper, high.1, low.1))
    };
    let places = function.upwards((0.0, 0.0), (1.0, 1.0), node, budget)?;
    Ok(places[function.roots[0] as usize])
}
