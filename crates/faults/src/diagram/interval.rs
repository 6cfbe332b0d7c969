//! Probabilities of functions, and bounds of them from bounds of others.

use meetjoin_lattice::diagram::Listing;
use meetjoin_lattice::{Budget, Stop};

use crate::diagram::wide::Real;

/// A probability and that of the opposite, each summed by itself: near 1 the opposite cannot be
/// computed from it, for `1.0 - p` would be what rounding has left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Chance<R = f64> {
    /// The probability.
    pub(crate) yes: R,
    /// That of the opposite.
    pub(crate) no: R,
}

impl<R: Real> Chance<R> {
    /// What does not happen.
    pub(crate) fn never() -> Self {
        Self::of(0.0)
    }

    /// What is certain.
    pub(crate) fn always() -> Self {
        Self::of(1.0)
    }

    /// That of an event. What is written is exact, and 1 less it is rounded once.
    pub(crate) fn of(p: f64) -> Self {
        Self {
            yes: R::of(p),
            no: R::of(1.0).minus(&R::of(p)),
        }
    }

    /// That of the opposite.
    pub(crate) fn opposite(self) -> Self {
        Self {
            yes: self.no,
            no: self.yes,
        }
    }

    /// The chance of `if this then high else low`.
    pub(crate) fn choose(&self, high: &Self, low: &Self) -> Self {
        let sum = |high: &R, low: &R| self.yes.times(high).plus(&self.no.times(low));
        Self {
            yes: sum(&high.yes, &low.yes),
            no: sum(&high.no, &low.no),
        }
    }

    /// Adds a part of another.
    pub(crate) fn add(&mut self, part: &R, other: &Self) {
        self.yes = self.yes.plus(&part.times(&other.yes));
        self.no = self.no.plus(&part.times(&other.no));
    }

    /// How much more probable it is than another, and the sum of the numbers that this is the
    /// difference of, which are the smaller ones: near 1 those of the opposites.
    pub(crate) fn less(&self, other: &Self) -> (R, R) {
        let (yes, no) = (self.yes.plus(&other.yes), self.no.plus(&other.no));
        if yes.value() <= no.value() {
            (self.yes.minus(&other.yes), yes)
        } else {
            (other.no.minus(&self.no), no)
        }
    }
}

impl Chance {
    /// Whether another is no more probable.
    pub(crate) fn is_no_less(&self, other: &Self) -> bool {
        self.less(other).0 >= 0.0
    }
}

/// The chance of a function at each place of its listing, given that of each variable, by level.
pub(crate) fn chances<R: Real>(
    function: &Listing,
    known: &[Chance<R>],
    budget: &Budget,
) -> Result<Vec<Chance<R>>, Stop> {
    let node = |level, high: &Chance<R>, low: &Chance<R>| known[level as usize].choose(high, low);
    function.upwards(Chance::never(), Chance::always(), node, budget)
}

/// The chance of a function, given that of each variable, by level.
pub(crate) fn chance(
    function: &Listing,
    known: &[Chance],
    budget: &Budget,
) -> Result<Chance, Stop> {
    Ok(chances(function, known, budget)?[function.roots[0] as usize])
}

/// Bounds of the chance of a function, given bounds of that of each variable, by level. A bound of
/// a function need not be monotone, so at each node the worse end of the interval counts.
pub(crate) fn interval_of(
    function: &Listing,
    known: &[(Chance, Chance)],
    budget: &Budget,
) -> Result<(Chance, Chance), Stop> {
    let node = |level, high: &(Chance, Chance), low: &(Chance, Chance)| {
        let (from, to) = known[level as usize];
        let lower = if high.0.is_no_less(&low.0) { from } else { to };
        let upper = if high.1.is_no_less(&low.1) { to } else { from };
        (lower.choose(&high.0, &low.0), upper.choose(&high.1, &low.1))
    };
    let both = |chance| (chance, chance);
    let (never, always) = (Chance::never(), Chance::always());
    let places = function.upwards(both(never), both(always), node, budget)?;
    Ok(places[function.roots[0] as usize])
}
