//! Several threads that run one search together.
//!
//! Idea: every thread runs the whole search from the root, in one
//! [shared store](crate::caches::shared). What one has found the others read, and where one works
//! the others [put off](crate::caches::in_progress) going. The first that is done has the answer.
//! So any search can run on threads, and none has to be written for them: they are put where
//! searches are started.
//!
//! Invariant: the value is that of one thread, because every entry of a store is true. Counters
//! depend on timing.
//!
//! Cost: what several threads do twice. A search that takes milliseconds gains nothing by more of
//! them, so they may give the first a head start.
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

/// What the threads of one search bring home.
#[derive(Debug)]
pub struct Ran<A, B> {
    /// From the calling thread.
    pub own: A,
    /// From the others.
    pub helped: Vec<B>,
}

/// Runs `own` on this thread and `help` on `helpers` others, each with its share of `budget`. Each
/// says whether it has found what is searched for, and as soon as one has, the others are called
/// off. They begin when the first has not been done for as long as `head_start`. All visits are
/// counted for `budget`.
///
/// # Panics
/// If one of them does. The others are called off first.
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

/// Races searches that keep what they find themselves: compiled once for all of them.
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
                // It may wake up early, and has nothing to do then if the first is done.
                thread::park_timeout(head_start);
                finish(&share, &mut |share| help(share));
                share
            })
        };
        // Where the system has no more threads, there are fewer.
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
        // What stopped a share was told by its search, and stops this budget too, where it would.
        let _ = budget.spend(share);
    }
}

/// Starts a thread, if the system has one.
pub(crate) fn start<'s, T: Send + 's>(
    scope: &'s thread::Scope<'s, '_>,
    run: impl FnOnce() -> T + Send + 's,
) -> Option<thread::ScopedJoinHandle<'s, T>> {
    thread::Builder::new().spawn_scoped(scope, run).ok()
}

/// Calls the others off if this thread has found what is searched for, or panics.
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

/// What threads have found out of one value together: what one of them is sure of, or else the
/// bounds of all.
pub fn together<L: Lattice>(
    lattice: &L,
    own: Outcome<L::Elem>,
    helped: Vec<Outcome<L::Elem>>,
) -> Outcome<L::Elem> {
    if own.stop.is_none() {
        return own;
    }
    // Their limits are used up, so this has a small one of its own; what it stops is weaker, but
    // true.
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
        // That was no limit.
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
