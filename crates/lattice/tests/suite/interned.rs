//! The hash-consed lattice does what the lattice in it does, with any room for results, and keeps to its contract when it is stopped.

use std::fmt::Debug;
use std::hash::Hash;

use fixedbitset::FixedBitSet;
use meetjoin_lattice::{
    AnyLattice, Bool, Budget, Chain, Divisors, Dual, FreeLattice, HeapBytes, Id, Interned,
    JoinPrimes, Lattice, MeetPrimes, Powerset, Product, Room, Stop, TotalOrder, Words, laws,
};
use proptest::prelude::*;

use crate::laws::families;
use crate::support::{
    Listed, check_same, closure, elements, free, leq, m3, n5, partitions, prove_listed, step_limit,
    worlds,
};

/// Proves the laws for ids, compares all operations with those of the lattice, and calls `more` with both.
fn check<L: Lattice<Elem: Hash + HeapBytes>>(
    lattice: &L,
    elements: &[L::Elem],
    distributive: bool,
    more: impl Fn(&Interned<&L>, &[Id]),
) {
    let free = Budget::unlimited();
    for results in [0, 1, 7, usize::MAX] {
        let room = Room {
            results,
            ..Room::default()
        };
        let ids = Interned::with_room(lattice, room);
        let id = |element: &L::Elem| ids.intern(element, &free).expect("no limit");
        check_same(lattice, &ids, elements, id);
        // Now from the tables of results, as far as they remember.
        check_same(lattice, &ids, elements, id);
        let all: Vec<Id> = elements.iter().map(id).collect();
        let listed = Listed::of(&ids, &all);
        prove_listed(&listed, &listed.elements(), distributive);
        prove_listed(&Dual(&listed), &listed.elements(), distributive);
        laws::check_rank(&listed, &listed.elements()).expect("ranks");
        for (id, element) in all.iter().zip(elements) {
            assert_eq!(ids.element(*id), Some(element));
            assert_eq!(ids.rank(id), lattice.rank(element));
        }
        assert!(ids.bytes() > 0);
        more(&ids, &all);
    }
}

fn check_chain<L: TotalOrder<Elem: Hash + HeapBytes>>(lattice: &L, elements: &[L::Elem]) {
    check(lattice, elements, true, |ids, all| {
        laws::check_total_order(ids, all).expect("a chain");
    });
}

fn check_primes<L>(lattice: &L, elements: &[L::Elem])
where
    L: JoinPrimes<Elem: Hash + HeapBytes> + MeetPrimes,
{
    check(lattice, elements, true, |ids, all| {
        let listed = Listed::with_primes(ids, all);
        let all = listed.elements();
        laws::check_join_primes(&listed, &all).expect("join-primes");
        laws::check_decomposition(&listed, &all).expect("parts");
        laws::check_join_primes(&Dual(&listed), &all).expect("meet-primes");
    });
}

#[test]
fn chains_have_ids() {
    check_chain(&Bool, &[false, true]);
    let chain = Chain::new(-3, 4).expect("in order");
    check_chain(&chain, &(-3..=4).collect::<Vec<_>>());
    check_chain(&Dual(chain), &(-3..=4).collect::<Vec<_>>());
    let names = Chain::new("a".to_owned(), "c".to_owned()).expect("in order");
    check_chain(&names, &["a", "ab", "b", "c"].map(str::to_owned));
}

#[test]
fn sets_and_families_have_ids() {
    let sets = Powerset::<Words<1>>::new(4).expect("it fits");
    check_primes(&sets, &(0..16).map(|w| Words([w])).collect::<Vec<_>>());
    let large = Powerset::<FixedBitSet>::new(3).expect("it fits");
    let all = (0..8).map(|mask| large.set(worlds(mask)).expect("worlds exist"));
    check_primes(&large, &all.collect::<Vec<_>>());
    let (lattice, all) = families::<Words<2>>(3);
    check_primes(&lattice, &all);
    let (lattice, all) = families::<FixedBitSet>(3);
    check_primes(&lattice, &all);
}

#[test]
fn the_free_lattice_has_ids() {
    let lattice = FreeLattice::of_vectors(2);
    let outcomes = [[0, 2], [1, 1], [2, 0]].map(|vector| free(&lattice, [[vector]]));
    let all = closure(&lattice, outcomes);
    check(&lattice, &all, true, |_, _| {});
}

#[test]
fn products_divisors_and_tables_have_ids() {
    let divisors = Divisors::of(60).expect("positive");
    let all: Vec<u64> = (1..=60).filter(|&d| divisors.contains(d)).collect();
    check_primes(&divisors, &all);
    let pairs = all.iter().flat_map(|&d| [(d, false), (d, true)]);
    check_primes(&(divisors, Bool), &pairs.collect::<Vec<_>>());
    let grid = Product::power(Chain::new(0, 3).expect("in order"), 2);
    let points = (0..16).map(|i| Box::from([i % 4, i / 4]));
    check_primes(&grid, &points.collect::<Vec<_>>());
    let any = AnyLattice::families(2);
    let sets = [vec![], vec![0], vec![1], vec![0, 1]];
    let sets = sets.map(|set| any.set(set).expect("worlds exist"));
    check_primes(&any, &closure(&any, sets));
    for (table, distributive) in [(m3(), false), (n5(), false), (partitions(), false)] {
        check(&table, &elements(&table), distributive, |_, _| {});
    }
}

/// What an operation leaves when it is stopped after so many steps.
fn stopped<L>(lattice: &L, all: &[L::Elem], steps: u64)
where
    L: Lattice<Elem: Hash + HeapBytes + Debug>,
{
    let ids = Interned::new(lattice);
    let free = Budget::unlimited();
    let id = |element: &L::Elem| ids.intern(element, &free).expect("no limit");
    for x in all {
        for y in all {
            let (old, other) = (id(x), id(y));
            let mut a = old;
            match ids.join_assign(&mut a, &other, &step_limit(steps)) {
                Ok(()) => assert!(leq(&ids, &other, &a)),
                Err(stop) => assert_eq!(stop, Stop::Time),
            }
            let mut join = x.clone();
            lattice.join_assign(&mut join, y, &free).expect("no limit");
            assert!(leq(&ids, &old, &a) && leq(&ids, &a, &id(&join)));
            let mut a = old;
            match ids.meet_assign(&mut a, &other, &step_limit(steps)) {
                Ok(()) => assert!(leq(&ids, &a, &other)),
                Err(stop) => assert_eq!(stop, Stop::Time),
            }
            let mut meet = x.clone();
            lattice.meet_assign(&mut meet, y, &free).expect("no limit");
            assert!(leq(&ids, &a, &old) && leq(&ids, &id(&meet), &a));
        }
    }
}

#[test]
fn a_stopped_operation_leaves_an_element_between_old_and_new() {
    let (lattice, all) = families::<Words<1>>(3);
    for steps in 0..12 {
        stopped(&lattice, &all, steps);
    }
}

proptest! {
    #[test]
    fn random_families(words in prop::collection::vec(prop::collection::vec(0..256_u64, 0..6), 2..12)) {
        let lattice = meetjoin_lattice::Families::<Words<1>>::of_worlds(8).expect("it fits");
        let budget = Budget::unlimited();
        let all = words.into_iter().map(|sets| {
            let sets = sets.into_iter().map(|w| Words([w]));
            lattice.generated_by(sets, &budget).expect("no limit")
        });
        let all: Vec<_> = all.collect();
        let ids = Interned::with_room(&lattice, Room { results: 16, ..Room::default() });
        for _ in 0..2 {
            check_same(&lattice, &ids, &all, |a| ids.intern(a, &budget).expect("no limit"));
        }
    }
}
