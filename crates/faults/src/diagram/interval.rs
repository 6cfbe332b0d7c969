//! Probabilities of functions, and bounds of them from bounds of others.

use meetjoin_lattice::diagram::Listing;
use meetjoin_lattice::{Budget, Stop};

/// A probability and that of the opposite, each summed by itself: near 1, the opposite cannot be
/// computed from it, for `1.0 - p` would keep only what rounding has left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Chance {
    pub(crate) yes: f64,
    pub(crate) no: f64,
}

impl Chance {
    pub(crate) const NEVER: Self = Self { yes: 0.0, no: 1.0 };
    pub(crate) const ALWAYS: Self = Self { yes: 1.0, no: 0.0 };

    /// That of an event, whose probability is exact as it is written.
    pub(crate) fn of(p: f64) -> Self {
        Self {
            yes: p,
            no: 1.0 - p,
        }
    }

    pub(crate) fn opposite(self) -> Self {
        Self {
            yes: self.no,
            no: self.yes,
        }
    }

    /// The chance of `if this then high else low`.
    pub(crate) fn choose(self, high: Self, low: Self) -> Self {
        Self {
            yes: self.yes * high.yes + self.no * low.yes,
            no: self.yes * high.no + self.no * low.no,
        }
    }

    /// Adds a part of another.
    pub(crate) fn add(&mut self, part: f64, other: Self) {
        self.yes += part * other.yes;
        self.no += part * other.no;
    }

    /// How much more probable it is than another, from the smaller numbers.
    pub(crate) fn less(self, other: Self) -> f64 {
        if self.yes + other.yes <= self.no + other.no {
            self.yes - other.yes
        } else {
            other.no - self.no
        }
    }
}

/// The chance of a function at each place of its listing, given that of each variable, by level.
pub(crate) fn chances(
    function: &Listing,
    known: &[Chance],
    budget: &Budget,
) -> Result<Vec<Chance>, Stop> {
    let node = |level, high: &Chance, low: &Chance| known[level as usize].choose(*high, *low);
    function.upwards(Chance::NEVER, Chance::ALWAYS, node, budget)
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
        let lower = if high.0.less(low.0) >= 0.0 { from } else { to };
        let upper = if high.1.less(low.1) >= 0.0 { to } else { from };
        (lower.choose(high.0, low.0), upper.choose(high.1, low.1))
    };
    let both = |chance| (chance, chance);
    let places = function.upwards(both(Chance::NEVER), both(Chance::ALWAYS), node, budget)?;
    Ok(places[function.roots[0] as usize])
}
