//! Several threads that run one search together.
//!
//! Idea: every thread runs the whole search from the root, in one [shared
//! store](crate::caches::shared). Threads read each other's entries, and
//! [defer](crate::caches::in_progress) nodes that another thread is working on. The first that
//! finishes has the answer. So any search can run on threads without being written for them: only
//! its callers know of threads.
//!
//! Invariant: the value is the same as with one thread, because every entry of a store is true.
//! Counters depend on timing.
//!
//! Cost: work that several threads do twice. A search that takes milliseconds gains nothing from
//! more threads, so the first may get a head start.
//!
//! ```
//! use std::time::Duration;
//!
//! use meetjoin_dag::{GraphBuilder, Problem};
//! use meetjoin_lattice::{Bool, Budget};
//! use meetjoin_search::threads::{race, together};
//! use meetjoin_search::{Env, SharedTable, Window, alpha_beta_duo};
//!
//! let mut builder = GraphBuilder::new();
//! builder.or("r", ["x", "y"])?;
//! builder.leaf("x", true)?;
//! builder.leaf("y", false)?;
//! let problem = Problem::build(builder, "r", Bool)?;
//! let (store, window) = (SharedTable::new(None), Window::full(&Bool));
//! let search = |budget: &Budget| {
//!     let mut env = Env::new(budget).with_store(store.view());
//!     let outcome = alpha_beta_duo(&problem, &problem, &window, &mut env);
//!     let is_found = outcome.stop.is_none();
//!     (outcome, is_found)
//! };
//! let ran = race(&Budget::unlimited(), 1, Duration::ZERO, search, search);
//! assert_eq!(together(&Bool, ran.own, ran.helped).exact(), Some(&true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use meetjoin_lattice::{Budget, Interval, Lattice};

use crate::Outcome;
use crate::depth_first::driver;

/// The results of the threads of one search.
#[derive(Debug)]
pub struct Ran<A, B> {
    /// From the calling thread.
    pub own: A,
    /// From the other threads.
    pub helped: Vec<B>,
}

/// Runs `own` on this thread and `help` on `helpers` other threads, each with its share of
/// `budget`. Each returns whether it has found the answer; as soon as one has, the others are
/// cancelled. Helpers start if `own` has not finished after `head_start`. All visits count for
/// `budget`.
///
/// # Panics
/// If one of the threads does. The others are cancelled first.
pub fn race<A, B: Send>(
    budget: &Budget,
    helpers: usize,
    head_start: Duration,
    own: impl FnOnce(&Budget) -> (A, bool),
    help: impl Fn(&Budget) -> (B, bool) + Sync,
) -> Ran<A, B> {
    let helped = Mutex::new(Vec::new());
    let (mut own, mut found) = (Some(own), None);
    race_all(
        budget,
        helpers,
        head_start,
        &mut |share| {
            let ran = own.take().map(|own| own(share));
            let is_found = ran.as_ref().is_some_and(|(_, is_found)| *is_found);
            found = ran;
            is_found
        },
        &|share| {
            let (found, is_found) = help(share);
            let helped = helped.lock();
            helped.unwrap_or_else(PoisonError::into_inner).push(found);
            is_found
        },
    );
    let (own, _) = found.unwrap_or_else(|| unreachable!("it ran, or its panic went on"));
    let helped = helped.into_inner();
    let helped = helped.unwrap_or_else(PoisonError::into_inner);
    Ran { own, helped }
}

/// Races searches that store their results themselves, so it is compiled once.
fn race_all(
    budget: &Budget,
    helpers: usize,
    head_start: Duration,
    own: &mut dyn FnMut(&Budget) -> bool,
    help: &(dyn Fn(&Budget) -> bool + Sync),
) {
    let mut shares = budget.shares(helpers + 1);
    let of_own = shares.pop();
    let spent = thread::scope(|scope| {
        let start = |share: Budget| {
            start(scope, move || {
                // A spurious wake-up only shortens the head start.
                thread::park_timeout(head_start);
                finish(&share, &mut |share| help(share));
                share
            })
        };
        // If the system has no more threads, there are fewer.
        let threads: Vec<_> = shares.into_iter().map_while(start).collect();
        let mut spent: Vec<Budget> = of_own.into_iter().collect();
        finish(&spent[0], own);
        for helper in &threads {
            helper.thread().unpark();
        }
        let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
        spent.extend(joined.map(|share| share.unwrap_or_else(|panic| resume_unwind(panic))));
        spent
    });
    for share in &spent {
        // The search has reported what stopped its share.
        let _ = budget.spend(share);
    }
}

/// Starts a thread, if the system allows.
pub(crate) fn start<'s, T: Send + 's>(
    scope: &'s thread::Scope<'s, '_>,
    run: impl FnOnce() -> T + Send + 's,
) -> Option<thread::ScopedJoinHandle<'s, T>> {
    thread::Builder::new().spawn_scoped(scope, run).ok()
}

/// Cancels the other threads if this one has found the answer, or panics.
fn finish(share: &Budget, search: &mut dyn FnMut(&Budget) -> bool) {
    struct OnPanic<'b>(&'b Budget);
    impl Drop for OnPanic<'_> {
        fn drop(&mut self) {
            if thread::panicking() {
                self.0.call_off();
            }
        }
    }
    let _on_panic = OnPanic(share);
    if search(share) {
        share.call_off();
    }
}

/// Combines what threads have found of one value: the exact value if one has it, or else the bounds
/// of all.
pub fn together<L: Lattice>(
    lattice: &L,
    own: Outcome<L::Elem>,
    helped: Vec<Outcome<L::Elem>>,
) -> Outcome<L::Elem> {
    if own.stop.is_none() {
        return own;
    }
    // Their budgets are spent, so this has a small one; what that stops is weaker, but true.
    let grace = driver::grace();
    let (mut lower, mut upper) = (own.value.lower().clone(), own.value.upper().clone());
    for outcome in helped {
        if outcome.stop.is_none() {
            return outcome;
        }
        let _ = lattice.join_assign(&mut lower, outcome.value.lower(), &grace);
        let _ = lattice.meet_assign(&mut upper, outcome.value.upper(), &grace);
    }
    Outcome::of_full_window(Interval::new(lower, upper), own.stop)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Instant;

    use meetjoin_lattice::Stop;

    use super::*;

    /// Visits until it is stopped.
    fn visit_on(budget: &Budget) -> Stop {
        loop {
            if let Err(stop) = budget.visit() {
                return stop;
            }
        }
    }

    #[test]
    fn together_threads_make_as_many_visits_as_there_are() {
        for (most, helpers) in [(0, 1), (1, 3), (700, 3), (100_000, 2)] {
            let budget = Budget::visits_at_most(most);
            let run = |share: &Budget| (visit_on(share), false);
            let ran = race(&budget, helpers, Duration::ZERO, run, run);
            assert_eq!(ran.own, Stop::Visits);
            assert_eq!(ran.helped, vec![Stop::Visits; helpers]);
            assert_eq!(budget.visits_made(), most);
            assert_eq!(budget.visit(), Err(Stop::Visits));
        }
    }

    #[test]
    fn who_has_the_answer_calls_the_others_off() {
        let budget = Budget::unlimited();
        let run = |share: &Budget| (visit_on(share), false);
        let ran = race(&budget, 2, Duration::ZERO, |_| ((), true), run);
        assert_eq!(ran.helped, [Stop::Cancelled; 2]);
        // Running out of visits in a share was not a limit of the whole.
        assert_eq!((budget.fired(), budget.visit().is_ok()), (None, true));
    }

    #[test]
    fn who_has_a_head_start_is_done_alone() {
        let budget = Budget::unlimited();
        let (begun, hour) = (Instant::now(), Duration::from_secs(3600));
        let visits = |share: &Budget| ((0..10_000).try_for_each(|_| share.visit().map(drop)), true);
        let ran = race(&budget, 3, hour, visits, visits);
        assert!(begun.elapsed() < hour);
        assert_eq!(ran.own, Ok(()));
        assert!(ran.helped.iter().all(|ran| *ran == Err(Stop::Cancelled)));
        assert_eq!(budget.visits_made(), 10_000);
    }

    #[test]
    fn a_panic_in_one_thread_ends_all() {
        let budget = Budget::unlimited();
        let run = |share: &Budget| (visit_on(share), false);
        let in_helper = || {
            race(&budget, 1, Duration::ZERO, run, |_| -> ((), bool) {
                panic!("helper")
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(in_helper)).is_err());
        let in_own = || {
            race(
                &budget,
                1,
                Duration::ZERO,
                |_| -> ((), bool) { panic!("own") },
                run,
            )
        };
        assert!(catch_unwind(AssertUnwindSafe(in_own)).is_err());
    }
}
