//! Limits inside one long operation: it ends soon, with the right reason, and what it leaves behind
//! is still a bound.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fixedbitset::FixedBitSet;
use meetjoin_lattice::{
    Antichain, AnyElem, AnyLattice, Budget, Dual, Families, FreeLattice, Lattice, Limits,
    MemoryLimit, Product, Stop, Words, WorldSet,
};

use crate::support::{free, join, leq, meet, step_limit, stopped_by};

const WORLDS: usize = 250;

/// `count` sets of about half of all worlds: random, so pairwise incomparable, and almost all their
/// meets are so too.
fn random_family<B: WorldSet>(lattice: &Families<B>, count: usize, seed: u64) -> Antichain<B> {
    let mut state = seed;
    let mut coin = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 63 == 1
    };
    let sets = (0..count).map(|_| {
        let worlds: Vec<usize> = (0..lattice.worlds()).filter(|_| coin()).collect();
        lattice.base().set(worlds).expect("worlds exist")
    });
    let sets: Vec<B> = sets.collect();
    let family = lattice.generated_by(sets, &Budget::unlimited());
    let family = family.expect("no limit");
    assert_eq!(family.maximal().len(), count, "pairwise incomparable");
    family
}

fn large<B: WorldSet>(count: usize) -> (Families<B>, Antichain<B>, Antichain<B>) {
    let lattice = Families::of_worlds(WORLDS).expect("it fits");
    let (a, b) = (
        random_family(&lattice, count, 1),
        random_family(&lattice, count, 2),
    );
    (lattice, a, b)
}

/// Runs a meet of 3000 by 3000 sets, which would take hours, under a limit that ends it, and says
/// why it ended.
fn stopped_meet<B: WorldSet>(limits: impl FnOnce() -> Limits) -> Stop {
    let (lattice, old, b) = large::<B>(3000);
    let mut a = old.clone();
    let start = Instant::now();
    let reason = stopped_by(lattice.meet_assign(&mut a, &b, &Budget::new(limits())));
    let spent = start.elapsed();
    assert!(spent < Duration::from_secs(2), "{spent:?}");
    // An upper bound of the result that is no higher than before: here the old value itself.
    assert_eq!(a, old);
    reason
}

fn time(limit: Duration) -> Limits {
    Limits {
        time: Some(limit),
        ..Limits::default()
    }
}

#[test]
fn a_time_limit_holds_inside_a_meet() {
    let limits = || time(Duration::from_millis(100));
    assert_eq!(stopped_meet::<Words<4>>(limits), Stop::Time);
    assert_eq!(stopped_meet::<FixedBitSet>(limits), Stop::Time);
}

#[test]
fn another_thread_can_cancel_a_meet() {
    let flag = Arc::new(AtomicBool::new(false));
    let limits = || {
        let cancel = Arc::clone(&flag);
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            cancel.store(true, Ordering::Relaxed);
        });
        Limits {
            cancel: Some(Arc::clone(&flag)),
            ..Limits::default()
        }
    };
    assert_eq!(stopped_meet::<Words<4>>(limits), Stop::Cancelled);
}

#[test]
fn a_memory_limit_holds_inside_a_meet() {
    // A gauge that shows more each time somebody looks: it takes a hundred looks to pass the limit.
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    let limits = || Limits {
        memory: Some(MemoryLimit {
            bytes: 100,
            used: || LOOKS.fetch_add(1, Ordering::Relaxed),
        }),
        ..Limits::default()
    };
    assert_eq!(stopped_meet::<Words<4>>(limits), Stop::Memory);
    assert_eq!(LOOKS.load(Ordering::Relaxed), 102);
}

#[test]
fn other_long_operations_stop_too() {
    let (lattice, a, b) = large::<Words<4>>(3000);
    let expired = || Budget::new(time(Duration::ZERO));
    let mut join = a.clone();
    let stopped = lattice.join_assign(&mut join, &b, &expired());
    assert_eq!(stopped_by(stopped), Stop::Time);
    assert!(leq(&lattice, &a, &join));
    assert_eq!(stopped_by(lattice.leq(&a, &b, &expired())), Stop::Time);
    let sets = a.maximal().iter().copied();
    assert_eq!(
        stopped_by(lattice.generated_by(sets, &expired())),
        Stop::Time
    );
}

/// Stops meet and join at many step limits and checks each time that what is left is a bound on the
/// right side, that the same limit leaves the same, and that the first limit that does not stop is
/// exactly what the operation costs.
pub(crate) fn check_stops<L: Lattice>(lattice: &L, a: &L::Elem, b: &L::Elem) {
    type Operation<L> =
        fn(&L, &mut <L as Lattice>::Elem, &<L as Lattice>::Elem, &Budget) -> Result<(), Stop>;
    let operations: [(Operation<L>, L::Elem, bool); 2] = [
        (L::meet_assign, meet(lattice, a, b), true),
        (L::join_assign, join(lattice, a, b), false),
    ];
    for (operation, result, downwards) in operations {
        let cost = {
            let budget = Budget::unlimited();
            operation(lattice, &mut a.clone(), b, &budget).expect("no limit");
            budget.steps_made()
        };
        assert!(cost > 200, "{cost} steps are no long operation");
        let run = |limit| {
            let mut left = a.clone();
            let done = operation(lattice, &mut left, b, &step_limit(limit));
            (left, done)
        };
        let limits = (0..cost).step_by(1 + cost as usize / 150).chain([cost - 1]);
        for limit in limits {
            let (left, done) = run(limit);
            assert_eq!(done, Err(Stop::Time));
            let (low, high) = if downwards {
                (&result, a)
            } else {
                (a, &result)
            };
            assert!(leq(lattice, low, &left) && leq(lattice, &left, high));
            assert_eq!(run(limit), (left, done), "the same limit leaves the same");
        }
        assert_eq!(run(cost), (result, Ok(())));
    }
}

#[test]
fn whatever_a_step_limit_leaves_is_a_bound() {
    fn check_families<B: WorldSet>() {
        let lattice = Families::<B>::of_worlds(40).expect("it fits");
        let (a, b) = (
            random_family(&lattice, 12, 3),
            random_family(&lattice, 9, 4),
        );
        check_stops(&lattice, &a, &b);
        check_stops(&Dual(&lattice), &a, &b);
        check_stops(
            &(&lattice, Dual(&lattice)),
            &(a.clone(), b.clone()),
            &(b.clone(), a.clone()),
        );
        check_stops(
            &[&lattice; 2],
            &[a.clone(), b.clone()],
            &[b.clone(), a.clone()],
        );
        let list = |x: &Antichain<B>, y: &Antichain<B>| Box::from([x.clone(), y.clone()]);
        check_stops(&Product::power(&lattice, 2), &list(&a, &b), &list(&b, &a));
    }
    check_families::<Words<1>>();
    check_families::<FixedBitSet>();
    let lattice = Families::of_worlds(40).expect("it fits");
    let (a, b) = (
        random_family(&lattice, 12, 3),
        random_family(&lattice, 9, 4),
    );
    let any = AnyLattice::families(40);
    check_stops(&any, &AnyElem::SmallFamily(a), &AnyElem::SmallFamily(b));
}

#[test]
fn a_stopped_value_of_the_free_lattice_is_a_bound() {
    let lattice = FreeLattice::of_vectors(3);
    let value = |shift: i64| {
        let vector = |i: i64, j: i64| [i + shift, 5 * j - i, (3 * i + 7 * j + shift) % 11];
        free(&lattice, (0..8).map(|i| (0..3).map(move |j| vector(i, j))))
    };
    check_stops(&lattice, &value(0), &value(2));
    check_stops(&Dual(&lattice), &value(0), &value(2));
    // A packet alone: its own join, then the base's, is what gets stopped.
    let packet = |sign: i64| free(&lattice, [(0..40).map(|i| [i, -i, sign * i * i % 17])]);
    let (a, b) = (packet(1), packet(-1));
    let cost = |budget: &Budget| {
        let mut a = a.clone();
        let done = lattice.meet_assign(&mut a, &b, budget);
        (a, done, budget.steps_made())
    };
    let (result, _, steps) = cost(&Budget::unlimited());
    for limit in (0..steps).step_by(13) {
        let (left, done, _) = cost(&step_limit(limit));
        assert_eq!(done, Err(Stop::Time));
        assert!(leq(&lattice, &result, &left) && leq(&lattice, &left, &a));
    }
}

fn all_fail<T: Debug + PartialEq>(mut operation: impl FnMut(u64) -> Result<T, Stop>, why: Stop) {
    for n in [1, 0, 100, 1] {
        assert_eq!(operation(n), Err(why));
    }
}

#[test]
fn a_limit_on_steps_that_has_fired_stays_fired() {
    let budget = step_limit(10_000);
    assert_eq!(budget.steps(9_000), Ok(()));
    assert_eq!(budget.steps(1_001), Err(Stop::Time));
    all_fail(|n| budget.steps(n), Stop::Time);

    let budget = Budget::new(time(Duration::ZERO));
    assert_eq!(budget.steps(0), Err(Stop::Time));
    all_fail(|n| budget.steps(n), Stop::Time);
    all_fail(|_| budget.visit(), Stop::Time);
}

#[test]
fn a_limit_that_fires_between_two_checkpoints_stays_fired() {
    let flag = Arc::new(AtomicBool::new(false));
    let budget = Budget::new(Limits {
        cancel: Some(Arc::clone(&flag)),
        ..Limits::default()
    });
    assert_eq!(budget.steps(1), Ok(()));
    flag.store(true, Ordering::Relaxed);
    assert_eq!(budget.steps(1), Ok(()), "nobody looks yet");
    assert_eq!(budget.steps(10_000), Err(Stop::Cancelled));
    all_fail(|n| budget.steps(n), Stop::Cancelled);
}

#[test]
fn the_reasons_have_their_words_and_sentences() {
    let reasons = [
        (Stop::Visits, "visits", "the limit on visits was reached"),
        (Stop::Time, "time", "the time limit was reached"),
        (Stop::Memory, "memory", "the memory limit was reached"),
        (
            Stop::Cancelled,
            "cancelled",
            "the computation was cancelled",
        ),
        (Stop::Lattice, "lattice", "the lattice's own table is full"),
        (
            Stop::Cycle,
            "cycle",
            "a line of play came back to a position",
        ),
    ];
    for (stop, word, sentence) in reasons {
        assert_eq!((stop.word(), stop.to_string().as_str()), (word, sentence));
    }
}
