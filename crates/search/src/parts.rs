//! Work in parts that threads take, each part by one of them.
//!
//! Problem: threads that share a store tell each other what they have found node by node, which pays where a node takes long. Where all nodes take little time, half of it
//! goes into telling.
//!
//! Idea: some work falls into large parts of which each has its own answer. Every thread comes to the work, takes the next part that nobody has begun, and in the end
//! all have the answers of all parts. A thread that finds nothing left waits for the others.
//!
//! Invariant: all threads come with the same work in the same order, so a part is known by its *round* and its number.
//!
//! Cost: what the threads wait that are done first.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use meetjoin_lattice::{Budget, Stop};

/// Who waits looks at its limits as often.
const LOOK: Duration = Duration::from_millis(2);

/// The parts of all rounds, as threads share them.
#[derive(Debug)]
pub(crate) struct Parts<T> {
    rounds: Mutex<Vec<Vec<Part<T>>>>,
    done: Condvar,
}

#[derive(Clone, Debug)]
enum Part<T> {
    Left,
    Begun,
    Done(T),
}

impl<T> Default for Parts<T> {
    fn default() -> Self {
        Self {
            rounds: Mutex::default(),
            done: Condvar::new(),
        }
    }
}

impl<T: Clone> Parts<T> {
    /// The answers of all parts of a round, of which there are so many; some of them found by `run`.
    ///
    /// # Errors
    /// What has stopped `run` or the waiting. A part that was stopped is left to the others.
    pub(crate) fn all(
        &self,
        round: usize,
        count: usize,
        budget: &Budget,
        mut run: impl FnMut(usize) -> Result<T, Stop>,
    ) -> Result<Vec<T>, Stop> {
        let mut rounds = self.rounds();
        if rounds.len() <= round {
            rounds.resize_with(round + 1, Vec::new);
        }
        rounds[round].resize(count, Part::Left);
        loop {
            let parts = &mut rounds[round];
            if let Some(part) = parts.iter().position(|part| matches!(part, Part::Left)) {
                parts[part] = Part::Begun;
                drop(rounds);
                let answer = run(part);
                rounds = self.rounds();
                let (now, stop) = match answer {
                    Ok(answer) => (Part::Done(answer), None),
                    Err(stop) => (Part::Left, Some(stop)),
                };
                rounds[round][part] = now;
                self.done.notify_all();
                if let Some(stop) = stop {
                    return Err(stop);
                }
                continue;
            }
            let answers = parts.iter().map(|part| match part {
                Part::Done(answer) => Some(answer.clone()),
                _ => None,
            });
            if let Some(answers) = answers.collect() {
                return Ok(answers);
            }
            budget.check()?;
            let waited = self.done.wait_timeout(rounds, LOOK);
            rounds = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn rounds(&self) -> MutexGuard<'_, Vec<Vec<Part<T>>>> {
        // No thread panics while it holds the lock.
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn each_part_is_done_once_and_all_threads_have_all_answers() {
        let (parts, runs) = (Parts::default(), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for (round, count) in [4, 1, 0, 7].into_iter().enumerate() {
                        let answers = parts.all(round, count, &Budget::unlimited(), |part| {
                            runs.fetch_add(1, Ordering::Relaxed);
                            Ok((round, part))
                        });
                        let all = (0..count).map(|part| (round, part)).collect();
                        assert_eq!(answers, Ok(all));
                    }
                });
            }
        });
        assert_eq!(runs.into_inner(), 12);
    }

    #[test]
    fn what_one_thread_is_stopped_in_another_one_does() {
        let parts = Parts::default();
        let stopped = parts.all(0, 2, &Budget::unlimited(), |part| match part {
            0 => Ok(0),
            _ => Err(Stop::Visits),
        });
        assert_eq!(stopped, Err(Stop::Visits));
        assert_eq!(parts.all(0, 2, &Budget::unlimited(), Ok), Ok(vec![0, 1]));
    }

    #[test]
    fn who_waits_is_stopped_by_its_limits() {
        let parts = Parts::default();
        let inner = parts.all(0, 1, &Budget::unlimited(), |_| {
            let cancelled = Budget::unlimited();
            let shares = cancelled.shares(2);
            shares[0].call_off();
            let waited = parts.all(0, 1, &shares[1], Ok);
            assert_eq!(waited, Err(Stop::Cancelled));
            Ok(7)
        });
        assert_eq!(inner, Ok(vec![7]));
    }
}
