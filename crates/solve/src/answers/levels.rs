//! An upper bound of a value in families of sets by a search to a limited depth.

use std::sync::Arc;

use meetjoin_lattice::{Antichain, Budget, WorldSet};
use meetjoin_search::{Counts, Estimate};

use crate::answers::answer::{Answer, Facts, Found, Stats};
use crate::answers::request::Request;
use crate::answers::value::{Names, Value, shown};
use meetjoin_report::Measuring;

/// Searches to this many levels; returns the value, or bounds of it.
pub fn find<B: WorldSet>(
    levels: u32,
    names: &Arc<dyn Names>,
    request: &Request<'_>,
    search: impl FnOnce(&Budget, &mut Counts) -> Estimate<Antichain<B>>,
) -> Answer {
    let measuring = Measuring::begin(request.meter);
    let mut counts = Counts::default();
    let outcome = search(request.budget, &mut counts).outcome;
    let stats = Stats::of(&measuring, counts);
    Answer {
        algorithm: "alpha-mu",
        root: Found {
            value: shown(&outcome.value, |family| Value::family(family, names)),
            stop: outcome.stop,
            too_long: None,
            contradiction: false,
        },
        moves: None,
        facts: Facts(vec![("levels", usize::try_from(levels).ok())]),
        stats,
        strategy: None,
        explanation: None,
        checkpoint: None,
    }
}
