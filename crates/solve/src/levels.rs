//! An upper bound of a value in families of sets by a search to a limited depth.

use std::sync::Arc;
use std::time::Instant;

use meetjoin::lattice::{Antichain, Budget, Interval, WorldSet};
use meetjoin::search::{Counts, Estimate};

use crate::answer::{Answer, Facts, Found, Stats};
use crate::request::Request;
use crate::value::{Names, Value};

/// Searches for so many levels: what is known then, the value, or bounds of it.
pub(crate) fn find<B: WorldSet>(
    levels: u32,
    names: &Arc<dyn Names>,
    request: &Request<'_>,
    search: impl FnOnce(&Budget, &mut Counts) -> Estimate<Antichain<B>>,
) -> Answer {
    let meter = request.meter;
    let memory = (meter.allocated)();
    (meter.begin)();
    let started = Instant::now();
    let mut counts = Counts::default();
    let outcome = search(request.budget, &mut counts).outcome;
    let seconds = started.elapsed().as_secs_f64();
    let value = |family: &Antichain<B>| {
        let sets = family.maximal().iter();
        let mut sets: Vec<Vec<usize>> = sets.map(|set| set.ones().collect()).collect();
        // As everywhere in answers, and not as the antichain has them.
        sets.sort_unstable();
        Value::Sets {
            sets,
            is_family: true,
            names: Arc::clone(names),
        }
    };
    Answer {
        algorithm: "alpha-mu",
        root: Found {
            value: match &outcome.value {
                Interval::Exact(family) => Interval::Exact(value(family)),
                Interval::Between { lower, upper } => Interval::Between {
                    lower: value(lower),
                    upper: value(upper),
                },
            },
            stop: outcome.stop,
            contradiction: false,
        },
        moves: None,
        facts: Facts(vec![("levels", usize::try_from(levels).ok())]),
        stats: Stats {
            nodes: None,
            counts,
            cache_entries: None,
            search_bytes: (meter.allocated)().saturating_sub(memory),
            peak_memory_bytes: (meter.peak)(),
            seconds,
        },
    }
}
