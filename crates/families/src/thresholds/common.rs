//! A border that all threads find together.
//!
//! Problem: a pass takes as long with ten questions as with hundreds, so threads that divide the
//! questions of each round make twice the passes when questions are few.
//!
//! Idea: every thread takes a batch from the common border, makes a pass of its own, returns the
//! answers, and takes the next batch, which uses all answers so far. It waits only if nothing can
//! be asked before another thread's answers have arrived.
//!
//! Invariant: a thread that is stopped stops the others, because the batch it took from the border
//! is lost. Known answers stay true.
//!
//! Cost: the border is locked while a batch is composed or answered: 2 % of the time of one thread
//! on random graphs with v = 40 (d = 14, b = 8), 8 % with v = 24; and at the end, while what is
//! known is put together.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meetjoin_lattice::{Budget, Stop, WorldSet};

use super::dualize_and_advance::{Batch, Border};

/// The interval at which a waiting thread checks its limits.
const LOOK: Duration = Duration::from_millis(2);

/// A border shared by threads.
pub(super) struct Common<B> {
    found: Mutex<Found<B>>,
    answered: Condvar,
}

/// The progress of all threads.
pub(super) struct Found<B> {
    pub(super) border: Border<B>,
    /// The number of answered batches.
    pub(super) passes: u64,
    /// The number of their questions.
    pub(super) questions: u64,
    /// The number of batches not answered yet.
    away: usize,
    /// The stop of a thread, if there was one.
    stop: Option<Stop>,
}

impl<B: WorldSet> Common<B> {
    /// The border of a family of which nothing is known.
    pub(super) fn new(border: Border<B>) -> Self {
        Self {
            found: Mutex::new(Found {
                border,
                passes: 0,
                questions: 0,
                away: 0,
                stop: None,
            }),
            answered: Condvar::new(),
        }
    }

    /// The next batch, of at most `most` questions; `None` if the border is known.
    pub(super) fn next(&self, most: usize, budget: &Budget) -> Result<Option<Batch<B>>, Stop> {
        let mut found = self.found();
        loop {
            if let Some(stop) = found.stop {
                return Err(stop);
            }
            let batch = found.border.questions(most, budget);
            found.stop = batch.as_ref().err().copied();
            let batch = batch?;
            if !batch.sets.is_empty() {
                found.away += 1;
                return Ok(Some(batch));
            }
            if found.away == 0 {
                return Ok(None);
            }
            let passes = found.passes;
            while found.passes == passes && found.stop.is_none() {
                budget.check()?;
                let waited = self.answered.wait_timeout(found, LOOK);
                found = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// Records the answers of a batch: which of its sets belong; or the stop of its pass.
    pub(super) fn bring(
        &self,
        batch: Batch<B>,
        answers: Result<Vec<bool>, Stop>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut found = self.found();
        found.away -= 1;
        let questions = batch.sets.len() as u64;
        // The answers are true, even if another thread has been stopped.
        let brought = answers.and_then(|answers| found.border.answer(batch, &answers, budget));
        if brought.is_ok() {
            found.passes += 1;
            found.questions += questions;
        }
        found.stop = found.stop.or(brought.err());
        self.answered.notify_all();
        found.stop.map_or(Ok(()), Err)
    }

    /// What has been found so far.
    pub(super) fn found(&self) -> MutexGuard<'_, Found<B>> {
        // No thread panics while it holds the lock.
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use meetjoin_lattice::Words;

    use super::*;

    /// All subsets of these belong.
    const MAXIMAL: [u64; 4] = [0b1_1100_0011, 0b0_0011_1110, 0b1_0101_0101, 0b0_1110_1000];

    fn common(threads: usize) -> Common<Words<1>> {
        Common::new(Border::new(Words([0b1_1111_1111]), Words([0]), threads))
    }

    fn belongs(set: Words<1>) -> bool {
        MAXIMAL.iter().any(|maximal| set.0[0] & !maximal == 0)
    }

    #[test]
    fn threads_find_one_border() {
        for (threads, most) in [(1, 1), (1, 512), (2, 1), (3, 7), (4, 64)] {
            let common = common(threads);
            let find = || {
                let budget = Budget::unlimited();
                while let Some(batch) = common.next(most, &budget)? {
                    assert!(batch.sets.len() <= most);
                    let answers = batch.sets.iter().copied().map(belongs).collect();
                    common.bring(batch, Ok(answers), &budget)?;
                }
                Ok::<(), Stop>(())
            };
            thread::scope(|scope| {
                for thread in (0..threads).map(|_| scope.spawn(find)).collect::<Vec<_>>() {
                    assert_eq!(thread.join().expect("no panic"), Ok(()));
                }
            });
            let found = common.found();
            let sets: Vec<u64> = found.border.belonging().map(|set| set.0[0]).collect();
            for maximal in MAXIMAL {
                assert!(sets.contains(&maximal), "{threads} threads, {most} at most");
            }
            assert!(found.border.belonging().copied().all(belongs));
            assert!(!found.border.others().copied().any(belongs));
        }
    }

    #[test]
    fn who_is_stopped_stops_the_others() {
        let (common, budget) = (common(2), Budget::unlimited());
        let batch = common.next(64, &budget).expect("no limit");
        let batch = batch.expect("the universe is asked for");
        let stopped = common.bring(batch, Err(Stop::Visits), &budget);
        assert_eq!(stopped, Err(Stop::Visits));
        assert_eq!(common.next(64, &budget).err(), Some(Stop::Visits));
    }

    #[test]
    fn who_waits_is_stopped_by_its_limits() {
        let (common, budget) = (common(2), Budget::unlimited());
        let shares = budget.shares(2);
        let batch = common.next(64, &shares[0]).expect("no limit");
        assert!(batch.is_some());
        shares[0].call_off();
        assert_eq!(common.next(64, &shares[1]).err(), Some(Stop::Cancelled));
    }
}
