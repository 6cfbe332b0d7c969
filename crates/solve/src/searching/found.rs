//! Converts outcomes of searches for answers: a value with millions of items only if limits leave
//! enough to write it.

use std::time::Duration;

use meetjoin_dag::Valuation as _;
use meetjoin_lattice::{Budget, Interval, Lattice, Limits, Stop};
use meetjoin_search::Outcome;

use crate::answers::answer::{Found, TooLong};
use crate::answers::value::Value;
use crate::searching::subject::{Elem, Subject};

/// How much of the outcomes is written.
pub(crate) struct Written<'b> {
    /// Items written so far.
    items: u64,
    /// The most items written of a bound of a stopped search, and of any value.
    most: usize,
    budget: &'b Budget,
}

impl<'b> Written<'b> {
    /// Nothing yet.
    pub(crate) fn new(most: usize, budget: &'b Budget) -> Self {
        let items = 0;
        Self {
            items,
            most,
            budget,
        }
    }

    /// Converts the outcome of a search.
    #[inline(never)] // one copy for each subject is enough
    pub(crate) fn found<S: Subject>(&mut self, subject: &S, outcome: &Outcome<Elem<S>>) -> Found {
        let (lower, upper) = (outcome.value.lower(), outcome.value.upper());
        let [lows, highs] = [lower, upper].map(|bound| subject.length(bound));
        let stop = match outcome.value {
            Interval::Exact(_) => self.cannot_write(lows),
            Interval::Between { .. } => outcome.stop,
        };
        let [low, high] = [lows, highs].map(|items| items > self.most && stop.is_some());
        let lower = if low {
            Value::End { top: false }
        } else {
            subject.value(lower)
        };
        let value = match &outcome.value {
            Interval::Exact(_) if !high => Interval::Exact(lower),
            _ => {
                let upper = if high {
                    Value::End { top: true }
                } else {
                    subject.upper(upper)
                };
                if lower.is(&upper) {
                    Interval::Exact(lower)
                } else {
                    Interval::Between { lower, upper }
                }
            }
        };
        Found {
            stop: stop.filter(|_| value.exact().is_none()),
            value,
            too_long: (low || high).then_some(TooLong {
                lower: low.then_some(lows),
                upper: high.then_some(highs),
            }),
            contradiction: contradicts(subject.values().lattice(), outcome),
        }
    }

    /// The limit that would fire while the command writes one more value with this many items,
    /// after those to be written already. A hand of 13 cards takes 0.5 us and 200 bytes, as the
    /// first version of the format writes it three times.
    fn cannot_write(&mut self, items: usize) -> Option<Stop> {
        const TIME: Duration = Duration::from_micros(1);
        const BYTES: u64 = 400;
        if items <= self.most {
            return None;
        }
        let all = self.items.saturating_add(items as u64);
        let time = TIME.saturating_mul(u32::try_from(all).unwrap_or(u32::MAX));
        if self.budget.time_left().is_some_and(|left| left < time) {
            return Some(Stop::Time);
        }
        let bytes = BYTES.saturating_mul(all);
        if self.budget.memory_left().is_some_and(|left| left < bytes) {
            return Some(Stop::Memory);
        }
        self.items = all;
        None
    }
}

/// The most steps for comparing two bounds that look wrong.
pub(crate) const STEPS: u64 = 1 << 20;

/// Returns whether an outcome is neither exact nor stopped, or its bounds are crossed.
fn contradicts<L: Lattice>(lattice: &L, outcome: &Outcome<L::Elem>) -> bool {
    let Interval::Between { lower, upper } = &outcome.value else {
        return false;
    };
    let budget = Budget::new(Limits {
        steps: Some(STEPS),
        ..Limits::default()
    });
    outcome.stop.is_none() || lattice.leq(lower, upper, &budget) == Ok(false)
}
