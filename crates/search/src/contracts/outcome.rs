//! The window that a search gets ([`Window`]) and the answer it gives ([`Outcome`]).

use meetjoin_lattice::{Interval, Lattice, Stop, Within};

/// A search window: of the value `v`, the caller needs only `beta meet (alpha join v)`.
///
/// Any two elements make a window, comparable or not. If `alpha <= v <= beta`, the window shows `v`
/// itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window<E> {
    /// What the caller is sure of already.
    pub alpha: E,
    /// The most that the caller can get.
    pub beta: E,
}

impl<E> Window<E> {
    /// From bottom to top: it shows every value as it is.
    pub fn full<L: Lattice<Elem = E>>(lattice: &L) -> Self {
        Self {
            alpha: lattice.bottom(),
            beta: lattice.top(),
        }
    }
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<E> {
    /// Contains the value of the root, always: stopped or not, whatever the window.
    pub value: Interval<E>,
    /// Contains `beta meet (alpha join v)`, the root's value seen through the window (Li et al.
    /// 2022, Corollaries 1 and 2). Exact unless the search was stopped. On the full window the same
    /// as `value`.
    pub clipped: Interval<E>,
    /// Why the search stopped before it had the exact answer, if it did. If the outcome is not
    /// exact and there is no stop, some bound of the heuristic is false.
    pub stop: Option<Stop>,
}

impl<E: Clone + Eq> Outcome<E> {
    /// The value of the root, if it is known exactly.
    pub fn exact(&self) -> Option<&E> {
        self.value.exact()
    }

    /// An outcome of a search on the full window.
    pub fn of_full_window(value: Interval<E>, stop: Option<Stop>) -> Self {
        let stop = stop.filter(|_| value.exact().is_none());
        Self {
            clipped: value.clone(),
            value,
            stop,
        }
    }

    /// An outcome from true bounds of the root's value.
    pub fn of_bounds<L: Lattice<Elem = E>>(
        l: Within<'_, L>,
        window: &Window<E>,
        value: Interval<E>,
        stop: Option<Stop>,
    ) -> Self {
        let Window { alpha, beta } = window;
        if *alpha == l.bottom() && *beta == l.top() {
            return Self::of_full_window(value, stop);
        }
        let clip = |bound: &E| l.clip(alpha, bound, beta);
        let clipped = match &value {
            Interval::Exact(value) => clip(value).map(Interval::Exact),
            Interval::Between { lower, upper } => {
                clip(lower).and_then(|lower| clip(upper).map(|upper| Interval::new(lower, upper)))
            }
        };
        match clipped {
            Ok(clipped) => Self {
                stop: stop.filter(|_| clipped.exact().is_none()),
                value,
                clipped,
            },
            // Then nothing is known within the window, whose values run from alpha meet beta, for
            // which bottom stands, to beta.
            Err(late) => {
                let clipped = Interval::new(l.bottom(), beta.clone());
                let stop = stop.or(Some(late)).filter(|_| clipped.exact().is_none());
                Self {
                    value,
                    clipped,
                    stop,
                }
            }
        }
    }

    /// An outcome from bounds of what the window shows of the root's value.
    ///
    /// If alpha is bottom, the window shows `beta meet v`, whose lower bounds are bounds of v; if
    /// beta is top, it shows `alpha join v`, whose upper bounds are bounds of v. Otherwise there is
    /// no bound of v on that side.
    pub(crate) fn of_clipped<L: Lattice<Elem = E>>(
        lattice: &L,
        window: &Window<E>,
        clipped: Interval<E>,
        stop: Option<Stop>,
    ) -> Self {
        let (bottom, top) = (lattice.bottom(), lattice.top());
        if window.alpha == bottom && window.beta == top {
            return Self::of_full_window(clipped, stop);
        }
        let side = |known: bool, bound: &E, otherwise: E| {
            if known { bound.clone() } else { otherwise }
        };
        let value = Interval::new(
            side(window.alpha == bottom, clipped.lower(), bottom),
            side(window.beta == top, clipped.upper(), top),
        );
        Self {
            stop: stop.filter(|_| clipped.exact().is_none()),
            value,
            clipped,
        }
    }
}
