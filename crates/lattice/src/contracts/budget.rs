//! Limits on a computation: visits, elementary steps, wall time, memory, cancellation.
//!
//! Problem: a search must stop when its user says so, and so must a single meet of two large
//! antichains, which can take minutes. Checking a limit only between operations is too late;
//! checking the clock at every step is too slow.
//!
//! Idea: one [`Budget`] is passed by shared reference through searches, searches nested in
//! heuristics, and lattice operations. A visit costs one comparison with the next *checkpoint*;
//! only there are the clock, the memory gauge and the cancel flag looked at.
//!
//! Invariant: once a limit has fired in a call of [`Budget::visit`] or of [`Budget::steps`], every
//! later call of the same one fails too (a gauge of memory in use must not fall, and a cancel flag
//! not be taken back, for this to hold).
//!
//! A budget belongs to one thread: its counters are plain cells, so counting is exact and free of
//! bus locks. Threads that work on one problem each get a [share](Budget::shares): they take visits
//! in portions from a common pool, so together they never exceed it, and each can tell the other
//! threads that it is done.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why a computation ended before it had the exact answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// The limit on visits and probes was reached.
    #[error("the limit on visits was reached")]
    Visits,
    /// The limit on time, or on elementary steps, was reached.
    #[error("the time limit was reached")]
    Time,
    /// The limit on memory was reached.
    #[error("the memory limit was reached")]
    Memory,
    /// The cancel flag was set.
    #[error("the computation was cancelled")]
    Cancelled,
    /// A table inside the lattice itself is full.
    #[error("the lattice's own table is full")]
    Lattice,
    /// The rules of the game lead from a position back to itself, so it has no value.
    #[error("a line of play came back to a position")]
    Cycle,
}

impl Stop {
    /// The word that stands for this reason in answers: `visits`, `time`, `memory`, `cancelled`,
    /// `lattice` or `cycle`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Visits => "visits",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Cancelled => "cancelled",
            Self::Lattice => "lattice",
            Self::Cycle => "cycle",
        }
    }
}

/// A limit on memory: how many bytes may be in use, and a gauge of how many are.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// The most bytes that may be in use.
    pub bytes: u64,
    /// The gauge: bytes in use now. A counting allocator makes a good one.
    pub used: fn() -> u64,
}

/// The fraction of a limit on memory that caches at first leave to the rest of the computation is
/// one in this.
const LEFT_TO_OTHERS: u64 = 64;
/// The fraction is never more than one in this.
const MOST_LEFT_TO_OTHERS: u64 = 2;

/// The limits of a [`Budget`]. The default has none.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most visits and probes, over all searches that share the budget.
    pub visits: Option<u64>,
    /// Wall time, counted from the moment the budget is made.
    pub time: Option<Duration>,
    /// The moment to stop, whenever the budget is made: all budgets of one command share it.
    pub deadline: Option<Instant>,
    /// The most elementary steps inside lattice operations (a step compares or combines two
    /// elements of an antichain). Unlike time it is the same on every machine. It stops with
    /// [`Stop::Time`].
    pub steps: Option<u64>,
    /// The most memory.
    pub memory: Option<MemoryLimit>,
    /// Whether caches forget when memory is short. If not, they remember everything, and the
    /// computation stops when it is out. A certificate looks up afterwards what a search has found,
    /// so it needs caches that do not forget.
    pub forget: bool,
    /// Set it from a signal handler or another thread to cancel.
    pub cancel: Option<Arc<AtomicBool>>,
}

/// Visits between two looks at the clock. A visit takes some 10 to 100 ns.
const VISITS_BETWEEN_CHECKS: u64 = 256;
/// Elementary steps between two looks at the clock. A step takes some 1 to 50 ns.
const STEPS_BETWEEN_CHECKS: u64 = 4096;

/// Counters and limits of one computation. See the [module page](self).
#[derive(Debug)]
pub struct Budget {
    visits: Cell<u64>,
    next_visit_check: Cell<u64>,
    steps: Cell<u64>,
    next_step_check: Cell<u64>,
    fired: Cell<Option<Stop>>,
    /// Whether caches should evict entries.
    is_short: Cell<bool>,
    /// Memory is short when more bytes than these are in use.
    ample: Cell<u64>,
    /// Caches leave one part in so many of the limit to the rest of the computation.
    left_to_others: Cell<u64>,
    limits: Limits,
    deadline: Option<Instant>,
    /// Shared with the budgets of other threads.
    pool: Option<Arc<Pool>>,
}

/// The state shared by the budgets of several threads.
#[derive(Debug)]
struct Pool {
    /// Visits that no budget has taken yet.
    visits: AtomicU64,
    /// Set by a thread that has found the answer.
    is_done: AtomicBool,
}

impl Pool {
    /// Takes at most `most` visits; returns how many.
    fn take(&self, most: u64) -> u64 {
        let left = |visits: u64| Some(visits.saturating_sub(most));
        let before = self
            .visits
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        before.unwrap_or_else(|left| left).min(most)
    }
}

impl Budget {
    /// A budget with these limits; the clock starts now.
    pub fn new(limits: Limits) -> Self {
        // A deadline beyond the clock's range is no deadline.
        let of_time = limits
            .time
            .and_then(|time| Instant::now().checked_add(time));
        let deadline = of_time.into_iter().chain(limits.deadline).min();
        Self {
            visits: Cell::new(0),
            next_visit_check: Cell::new(0),
            steps: Cell::new(0),
            next_step_check: Cell::new(0),
            fired: Cell::new(None),
            is_short: Cell::new(false),
            ample: Cell::new(0),
            left_to_others: Cell::new(LEFT_TO_OTHERS),
            limits,
            deadline,
            pool: None,
        }
    }

    /// A budget that never stops anything.
    pub fn unlimited() -> Self {
        Self::new(Limits::default())
    }

    /// A budget with a limit on visits only.
    pub fn visits_at_most(visits: u64) -> Self {
        Self::new(Limits {
            visits: Some(visits),
            ..Limits::default()
        })
    }

    /// Counts one visit or probe. Returns `Ok(true)` if this visit was a checkpoint: a good moment
    /// to report progress.
    ///
    /// # Errors
    /// The reason to stop, if a limit has fired. The visit is then not counted.
    #[inline]
    pub fn visit(&self) -> Result<bool, Stop> {
        let visits = self.visits.get();
        let checkpoint = visits >= self.next_visit_check.get();
        if checkpoint {
            self.check_at_visit(visits)?;
        }
        self.visits.set(visits + 1);
        Ok(checkpoint)
    }

    #[cold]
    fn check_at_visit(&self, visits: u64) -> Result<(), Stop> {
        let limit = self.limits.visits.unwrap_or(u64::MAX);
        if visits >= limit {
            return Err(self.fire(Stop::Visits));
        }
        self.check()?;
        let portion = VISITS_BETWEEN_CHECKS.min(limit - visits);
        let portion = self
            .pool
            .as_ref()
            .map_or(portion, |pool| pool.take(portion));
        if portion == 0 {
            return Err(self.fire(Stop::Visits));
        }
        self.next_visit_check.set(visits.saturating_add(portion));
        Ok(())
    }

    /// Counts `n` elementary steps of a long operation. Call it before the work it pays for. Unlike
    /// visits, refused steps are counted as well.
    ///
    /// # Errors
    /// The reason to stop, if a limit has fired.
    #[inline]
    pub fn steps(&self, n: u64) -> Result<(), Stop> {
        let steps = self.steps.get().saturating_add(n);
        // Counted even if a limit fires now, so that the next call, however small, reaches the same
        // checkpoint and fails too.
        self.steps.set(steps);
        if steps >= self.next_step_check.get() {
            self.check_at_step(steps)?;
        }
        Ok(())
    }

    #[cold]
    fn check_at_step(&self, steps: u64) -> Result<(), Stop> {
        let limit = self.limits.steps.unwrap_or(u64::MAX);
        if steps > limit {
            return Err(self.fire(Stop::Time));
        }
        self.check()?;
        self.next_step_check
            .set(limit.min(steps.saturating_add(STEPS_BETWEEN_CHECKS)));
        Ok(())
    }

    /// Checks that `bytes` more fit the memory limit, before a large allocation.
    ///
    /// # Errors
    /// [`Stop::Memory`] if that would pass the limit.
    pub fn room(&self, bytes: u64) -> Result<(), Stop> {
        match self.limits.memory {
            Some(limit) if (limit.used)().saturating_add(bytes) > limit.bytes => {
                Err(self.fire(Stop::Memory))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether a cache may take `bytes` more. If not, it has to evict entries instead.
    ///
    /// # Errors
    /// [`Stop::Memory`] if that would pass the limit and caches [do not forget](Limits::forget).
    pub fn spare(&self, bytes: u64) -> Result<bool, Stop> {
        match self.forgetting() {
            Some(limit) => Ok((limit.used)().saturating_add(bytes) <= self.for_caches(limit)),
            None => self.room(bytes).map(|()| true),
        }
    }

    /// Returns whether memory was short at the last checkpoint. Then a cache should evict entries
    /// and [report it](Self::forgot).
    #[inline]
    pub fn is_short(&self) -> bool {
        self.is_short.get()
    }

    /// Reports that a cache has evicted entries. The allocator may keep the memory that they used,
    /// so memory counts as short again only when half of what is left now is used as well.
    pub fn forgot(&self) {
        self.is_short.set(false);
        if let Some(limit) = self.limits.memory {
            let used = (limit.used)();
            let left = limit.bytes.saturating_sub(used);
            let more = used.saturating_add(left / 2);
            self.ample.set(more.max(self.for_caches(limit)));
        }
    }

    /// After [`Stop::Memory`]: makes caches leave twice as much memory to the rest of the
    /// computation, and returns whether to try again: not if caches do not forget, or leave half of
    /// the memory already.
    pub fn leave_more(&self) -> bool {
        let left = self.left_to_others.get();
        if self.forgetting().is_none() || left <= MOST_LEFT_TO_OTHERS {
            return false;
        }
        self.left_to_others.set(left / 2);
        self.ample.set(0);
        self.is_short.set(true);
        self.fired.set(None);
        true
    }

    /// The limit on memory, if caches may forget.
    fn forgetting(&self) -> Option<MemoryLimit> {
        self.limits.memory.filter(|_| self.limits.forget)
    }

    /// The most bytes in use at which caches leave enough to the rest of the computation.
    fn for_caches(&self, limit: MemoryLimit) -> u64 {
        limit.bytes - limit.bytes / self.left_to_others.get()
    }

    /// Updates `is_short` from the gauge.
    fn look_for_shortage(&self) {
        if let Some(limit) = self.forgetting() {
            let (used, enough) = ((limit.used)(), self.for_caches(limit));
            if used <= enough {
                self.ample.set(enough);
            }
            self.is_short.set(used > self.ample.get());
        }
    }

    /// Checks the cancel flag, the clock and the memory gauge now.
    ///
    /// # Errors
    /// The reason to stop, if there is one.
    pub fn check(&self) -> Result<(), Stop> {
        if let Some(flag) = &self.limits.cancel
            && flag.load(Ordering::Relaxed)
        {
            return Err(self.fire(Stop::Cancelled));
        }
        if let Some(pool) = &self.pool
            && pool.is_done.load(Ordering::Relaxed)
        {
            return Err(self.fire(Stop::Cancelled));
        }
        if let Some(deadline) = self.deadline
            && Instant::now() >= deadline
        {
            return Err(self.fire(Stop::Time));
        }
        self.look_for_shortage();
        self.room(0)
    }

    #[cold]
    fn fire(&self, stop: Stop) -> Stop {
        self.fired.set(self.fired.get().or(Some(stop)));
        // The next visit and the next step check again, whichever call found the limit. Not for
        // memory: it may come back, and then counting goes on.
        if stop != Stop::Memory {
            self.next_visit_check.set(0);
            self.next_step_check.set(0);
        }
        stop
    }

    /// A budget for a part of the work, with the same clock, gauge and flag, and at most so many
    /// visits and steps, but no more than `self` has left. Call [`spend`](Self::spend) to count
    /// them in `self`.
    #[must_use]
    pub fn part(&self, visits: u64, steps: u64) -> Self {
        let left = |limit: Option<u64>, made: u64| limit.unwrap_or(u64::MAX).saturating_sub(made);
        let limits = Limits {
            visits: Some(visits.min(left(self.limits.visits, self.visits_made()))),
            steps: Some(steps.min(left(self.limits.steps, self.steps_made()))),
            time: None,
            deadline: self.deadline,
            memory: self.limits.memory,
            forget: self.limits.forget,
            cancel: self.limits.cancel.clone(),
        };
        Self {
            pool: self.pool.clone(),
            ..Self::new(limits)
        }
    }

    /// A budget for writing down what a stopped computation has found: the same gauge and flag, but
    /// no limit on visits, steps and time, which the computation may have used up.
    #[must_use]
    pub fn afterwards(&self) -> Self {
        Self::new(Limits {
            visits: None,
            steps: None,
            time: None,
            deadline: None,
            ..self.limits.clone()
        })
    }

    /// Adds the counts of a [`part`](Self::part) to those of `self`.
    ///
    /// # Errors
    /// If a limit stopped the part that would have stopped `self` as well.
    pub fn spend(&self, part: &Self) -> Result<(), Stop> {
        let made = part.visits_made();
        self.visits.set(self.visits_made() + made);
        // Visits that the part took from the common pool and did not make belong to `self` now,
        // after those that the part made.
        let over = part.next_visit_check.get().saturating_sub(made);
        let next = self.next_visit_check.get();
        self.next_visit_check.set(match self.pool {
            Some(_) => next.saturating_add(made).saturating_add(over),
            None => next,
        });
        self.steps
            .set(self.steps_made().saturating_add(part.steps_made()));
        let all = |limit: Option<u64>, made: u64| limit.is_some_and(|limit| made >= limit);
        match part.fired() {
            None => Ok(()),
            Some(Stop::Visits)
                if !all(self.limits.visits, self.visits_made()) && !self.is_drained() =>
            {
                Ok(())
            }
            Some(Stop::Time) if !all(self.limits.steps, self.steps_made()) => self.check(),
            // Only the part may have been called off.
            Some(Stop::Cancelled) => self.check(),
            Some(stop) => Err(self.fire(stop)),
        }
    }

    /// Budgets for so many threads that work on one problem, with the same clock, gauge and flag.
    /// Together they make at most the visits that `self` has left; each may make as many steps as
    /// `self` has left. Call [`spend`](Self::spend) to count them in `self`.
    #[must_use]
    pub fn shares(&self, threads: usize) -> Vec<Self> {
        let most = self.limits.visits.unwrap_or(u64::MAX);
        let pool = Arc::new(Pool {
            visits: AtomicU64::new(most.saturating_sub(self.visits_made())),
            is_done: AtomicBool::new(false),
        });
        let share = || {
            let mut share = self.part(u64::MAX, u64::MAX);
            share.limits.visits = None;
            share.pool = Some(Arc::clone(&pool));
            share
        };
        (0..threads).map(|_| share()).collect()
    }

    /// Tells the threads with other [shares](Self::shares) to stop: they find [`Stop::Cancelled`]
    /// at their next checkpoints.
    pub fn call_off(&self) {
        if let Some(pool) = &self.pool {
            pool.is_done.store(true, Ordering::Relaxed);
        }
    }

    /// Returns whether the common pool of visits is empty.
    fn is_drained(&self) -> bool {
        let pool = self.pool.as_ref();
        pool.is_some_and(|pool| pool.visits.load(Ordering::Relaxed) == 0)
    }

    /// Bytes that may still be used, if there is a limit.
    pub fn memory_left(&self) -> Option<u64> {
        let limit = self.limits.memory?;
        Some(limit.bytes.saturating_sub((limit.used)()))
    }

    /// The time left until the deadline, if there is one.
    pub fn time_left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// The first limit that has fired, if any. The interrupted search has an exact answer all the
    /// same if its bounds had met; its counters are then those of an interrupted search.
    pub fn fired(&self) -> Option<Stop> {
        self.fired.get()
    }

    /// Visits and probes counted so far.
    pub fn visits_made(&self) -> u64 {
        self.visits.get()
    }

    /// Elementary steps counted so far.
    pub fn steps_made(&self) -> u64 {
        self.steps.get()
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::unlimited()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_counts_for_the_whole() {
        let budget = Budget::visits_at_most(100);
        for round in 1..=3 {
            let part = budget.part(40, 10);
            let made = (0..1000).take_while(|_| part.visit().is_ok()).count();
            assert_eq!(made, if round < 3 { 40 } else { 20 });
            assert_eq!(part.fired(), Some(Stop::Visits));
            let spent = budget.spend(&part);
            let stop = if round < 3 { Ok(()) } else { Err(Stop::Visits) };
            assert_eq!((spent, budget.fired()), (stop, stop.err()));
        }
        assert_eq!(budget.visits_made(), 100);
        let budget = Budget::new(Limits {
            steps: Some(7),
            ..Limits::default()
        });
        let part = budget.part(1, 5);
        assert_eq!(part.steps(6), Err(Stop::Time));
        assert_eq!(budget.spend(&part), Ok(()));
        let part = budget.part(1, 5);
        assert_eq!(part.steps(2), Err(Stop::Time));
        assert_eq!(budget.spend(&part), Err(Stop::Time));
        let cancelled = Budget::new(Limits {
            cancel: Some(Arc::new(AtomicBool::new(true))),
            ..Limits::default()
        });
        let part = cancelled.part(5, 5);
        assert_eq!(part.visit(), Err(Stop::Cancelled));
        assert_eq!(cancelled.spend(&part), Err(Stop::Cancelled));
    }

    #[test]
    fn the_visit_limit_is_exact() {
        for limit in [0, 1, 255, 256, 257, 1000] {
            let budget = Budget::visits_at_most(limit);
            for _ in 0..limit {
                budget.visit().expect("within the limit");
            }
            for _ in 0..3 {
                assert_eq!(budget.visit(), Err(Stop::Visits));
            }
            assert_eq!(budget.visits_made(), limit);
        }
    }

    #[test]
    fn a_flag_set_before_the_start_stops_the_first_visit() {
        let flag = Arc::new(AtomicBool::new(true));
        let budget = Budget::new(Limits {
            cancel: Some(flag),
            ..Limits::default()
        });
        assert_eq!(budget.visit(), Err(Stop::Cancelled));
        assert_eq!(budget.steps(1), Err(Stop::Cancelled));
    }

    #[test]
    fn a_step_limit_stops_with_time_and_stays() {
        let budget = Budget::new(Limits {
            steps: Some(10_000),
            ..Limits::default()
        });
        assert_eq!(budget.steps(10_000), Ok(()));
        assert_eq!(budget.steps(1), Err(Stop::Time));
        assert_eq!(budget.steps(1), Err(Stop::Time));
    }

    #[test]
    fn what_a_look_finds_ends_the_next_visit() {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::new(Limits {
            cancel: Some(Arc::clone(&flag)),
            ..Limits::default()
        });
        assert_eq!((budget.visit(), budget.steps(1)), (Ok(true), Ok(())));
        flag.store(true, Ordering::Relaxed);
        assert_eq!((budget.visit(), budget.steps(1)), (Ok(false), Ok(())));
        assert_eq!(budget.check(), Err(Stop::Cancelled));
        assert_eq!(budget.visit(), Err(Stop::Cancelled));
        assert_eq!(budget.steps(1), Err(Stop::Cancelled));
    }

    #[test]
    fn memory_is_asked_of_the_gauge() {
        let budget = Budget::new(Limits {
            memory: Some(MemoryLimit {
                bytes: 100,
                used: || 60,
            }),
            ..Limits::default()
        });
        assert_eq!(budget.room(40), Ok(()));
        assert_eq!(budget.room(41), Err(Stop::Memory));
    }

    #[test]
    fn an_endless_time_limit_is_no_limit() {
        let budget = Budget::new(Limits {
            time: Some(Duration::MAX),
            ..Limits::default()
        });
        assert_eq!(budget.check(), Ok(()));
    }
}
