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
    pub(super) importance: Measures,
}

/// The importance of events.
#[derive(Debug)]
pub(super) enum Measures {
    /// Of path sets there is none, nor where events have no probability.
    None,
    Unknown,
    Known(Vec<Importance>),
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
        let importance = match (&self.probabilities, &self.importance) {
            _ if self.request.sets == Sets::Paths => Measures::None,
            (None, _) => Measures::None,
            _ if !self.analysis.is_exact() => Measures::Unknown,
            (_, Some(known)) => Measures::Known(known.clone()),
            (Some(events), None) => match self.analysis.importance(events, self.request.budget) {
                Ok(found) => Measures::Known(found),
                Err(fired) => {
                    stop = stop.or(Some(fired));
                    Measures::Unknown
                }
            },
        };
        PageLists {
            stop,
            sets,
            importance,
        }
    }
}
