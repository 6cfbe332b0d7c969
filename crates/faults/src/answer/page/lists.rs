//! What a page lists beyond the answer: the first sets, and importance if it was not asked for.

use meetjoin_lattice::Stop;

use crate::answer::{Cuts, List};
use crate::diagram::{Importance, Sets};
use crate::rewrite::module::Literal;

/// Sets that are listed.
const MOST_SETS: usize = 1_000;
/// Their members together.
const MOST_MEMBERS: usize = 50_000;

/// What a page lists. It is complete before the page is written.
#[derive(Debug)]
pub struct PageLists {
    /// What stopped the answer, or else these lists.
    pub stop: Option<Stop>,
    /// The first sets, with their probabilities if those of events are known.
    pub(super) sets: Vec<(Vec<Literal>, Option<f64>)>,
    /// Importance, and none if it is not known; none of path sets, nor where events have no
    /// probability.
    pub(super) importance: Option<Option<Vec<Importance>>>,
}

impl Cuts<'_> {
    /// Finds what a page lists.
    pub fn page_lists(&self) -> PageLists {
        let list = match (&self.probabilities, self.request.list) {
            (None, _) => List::BySize,
            (Some(_), List::MostProbable(most)) => List::MostProbable(most.min(MOST_SETS)),
            (Some(_), List::None | List::BySize) => List::MostProbable(MOST_SETS),
        };
        let (mut stop, mut sets, mut members) = (self.stop, Vec::new(), 0_usize);
        let listed = self.first_sets((list, MOST_SETS), |set, probability| {
            members += set.len();
            if members <= MOST_MEMBERS {
                sets.push((set.to_vec(), probability));
            }
            Ok(())
        });
        // Nothing is written here that could fail; a limit may fire.
        if let Ok(Err(fired)) = listed {
            stop = stop.or(Some(fired));
        }
        let is_measured = self.request.sets != Sets::Paths;
        let probabilities = self.probabilities.as_ref().filter(|_| is_measured);
        let importance = probabilities.map(|probabilities| {
            if !self.analysis.is_exact() {
                return None;
            }
            if let Some(known) = &self.importance {
                return Some(known.clone());
            }
            let found = self.analysis.importance(probabilities, self.request.budget);
            found.map_err(|fired| stop = stop.or(Some(fired))).ok()
        });
        PageLists {
            stop,
            sets,
            importance,
        }
    }
}
