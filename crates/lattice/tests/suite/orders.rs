//! All small orders: what is accepted as a lattice, its meets and joins, and whether it is
//! distributive, against brute force.

use std::collections::BTreeSet;

use meetjoin_lattice::{Distributive, FiniteError, FiniteLattice, Lattice, laws};
use proptest::prelude::*;

use crate::support::{elements, inclusion, join, leq, meet, place};

/// The greatest of the common lower bounds of a and b in an order, if there is one.
fn greatest_below(leq: &[Vec<bool>], a: usize, b: usize) -> Option<usize> {
    let common = (0..leq.len()).filter(|&c| leq[c][a] && leq[c][b]);
    let common: Vec<usize> = common.collect();
    let above_all = |&g: &usize| common.iter().all(|&c| leq[c][g]);
    common.iter().copied().find(above_all)
}

fn turned(leq: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let column = |b: usize| leq.iter().map(|row| row[b]).collect();
    (0..leq.len()).map(column).collect()
}

/// Whether it is an order, by the three definitions.
fn is_order(leq: &[Vec<bool>]) -> bool {
    let all = || 0..leq.len();
    all().all(|a| {
        leq[a][a]
            && all().all(|b| {
                !(a != b && leq[a][b] && leq[b][a])
                    && all().all(|c| !(leq[a][b] && leq[b][c]) || leq[a][c])
            })
    })
}

/// Checks what was made of a relation against brute force; whether it was accepted.
fn check(relation: &[Vec<bool>]) -> bool {
    let number = |text: &String| text.parse::<usize>().expect("elements are numbers");
    let up = turned(relation);
    match FiniteLattice::from_leq(relation) {
        Ok(lattice) => {
            assert!(is_order(relation));
            for a in 0..relation.len() {
                for b in 0..relation.len() {
                    let (x, y) = (a as u32, b as u32);
                    assert_eq!(leq(&lattice, &x, &y), relation[a][b]);
                    let found = greatest_below(relation, a, b);
                    assert_eq!(Some(meet(&lattice, &x, &y) as usize), found);
                    let found = greatest_below(&up, a, b);
                    assert_eq!(Some(join(&lattice, &x, &y) as usize), found);
                    assert!(leq(&lattice, &lattice.bottom(), &x));
                    assert!(leq(&lattice, &x, &lattice.top()));
                }
            }
            return true;
        }
        Err(FiniteError::NoMeet(a, b)) => {
            assert!(is_order(relation));
            assert_eq!(greatest_below(relation, number(&a), number(&b)), None);
        }
        Err(FiniteError::NoJoin(a, b)) => {
            assert!(is_order(relation));
            assert_eq!(greatest_below(&up, number(&a), number(&b)), None);
        }
        Err(FiniteError::NotReflexive(a)) => assert!(!relation[number(&a)][number(&a)]),
        Err(FiniteError::NotAntisymmetric(a, b)) => {
            let (a, b) = (number(&a), number(&b));
            assert!(a != b && relation[a][b] && relation[b][a]);
        }
        Err(FiniteError::NotTransitive(a, b, c)) => {
            let [a, b, c] = [a, b, c].map(|text| number(&text));
            assert!(relation[a][b] && relation[b][c] && !relation[a][c]);
        }
        Err(other) => panic!("{other}"),
    }
    false
}

#[test]
fn of_all_relations_on_a_few_points_exactly_the_lattices_are_accepted() {
    // Labelled lattices: on four points 24 chains and 12 squares.
    for (n, lattices) in [(1_u32, 1), (2, 2), (3, 6), (4, 36)] {
        let relation = |code: u32| {
            let row = |a| (0..n).map(|b| code >> (a * n + b) & 1 == 1).collect();
            (0..n).map(row).collect::<Vec<Vec<bool>>>()
        };
        let accepted = (0..1_u32 << (n * n)).filter(|&code| check(&relation(code)));
        assert_eq!(accepted.count(), lattices);
    }
}

#[test]
fn all_closure_systems_on_four_points_are_lattices_and_rightly_called_distributive_or_not() {
    let mut systems = BTreeSet::new();
    for chosen in 0..1_u32 << 15 {
        // The whole set belongs to every system.
        let mut sets: BTreeSet<u32> = (0..15).filter(|s| chosen >> s & 1 == 1).collect();
        sets.insert(15);
        let closed = sets
            .iter()
            .all(|a| sets.iter().all(|b| sets.contains(&(a & b))));
        if closed {
            systems.insert(Vec::from_iter(sets));
        }
    }
    assert_eq!(systems.len(), 2480, "the Moore families on four points");
    let mut distributive = 0;
    for sets in &systems {
        assert!(check(&inclusion(sets)));
        let lattice = FiniteLattice::from_leq(&inclusion(sets)).expect("a lattice");
        for a in sets {
            for b in sets {
                let (x, y) = (place(sets, a), place(sets, b));
                assert_eq!(meet(&lattice, &x, &y), place(sets, &(a & b)));
                let closed = sets.iter().filter(|s| (a | b) & !**s == 0);
                let hull = closed.fold(15, |all, s| all & s);
                assert_eq!(join(&lattice, &x, &y), place(sets, &hull));
            }
        }
        let by_law = laws::check_distributive(&lattice, &elements(&lattice));
        let by_irreducibles = lattice.check_distributive();
        assert_eq!(by_law.is_ok(), by_irreducibles.is_ok());
        match by_irreducibles {
            Ok(()) => distributive += 1,
            Err(witness) => {
                let [a, b, c] = witness.elements.each_ref();
                let left = meet(&lattice, a, &join(&lattice, b, c));
                let right = join(&lattice, &meet(&lattice, a, b), &meet(&lattice, a, c));
                assert_ne!(left, right, "{witness}");
            }
        }
    }
    assert!(distributive > 100 && distributive < 2380, "{distributive}");
}

/// The down-sets of the order on `points` points that some pairs i < j generate, as bit masks,
/// ascending.
fn down_sets(points: u32, pairs: &[bool]) -> Vec<u32> {
    let below: Vec<(u32, u32)> = (0..points)
        .flat_map(|j| (0..j).map(move |i| (i, j)))
        .collect();
    let below = below.into_iter().zip(pairs).filter(|(_, chosen)| **chosen);
    let below: Vec<(u32, u32)> = below.map(|(pair, _)| pair).collect();
    let closed = |set: &u32| {
        below
            .iter()
            .all(|(i, j)| set >> j & 1 == 0 || set >> i & 1 == 1)
    };
    (0..1 << points).filter(closed).collect()
}

proptest! {
    #[test]
    fn down_sets_of_an_order_are_a_distributive_lattice_however_it_is_given(
        points in 1_u32..=5,
        pairs in prop::collection::vec(any::<bool>(), 10),
        shuffle in any::<prop::sample::Index>(),
    ) {
        let mut sets = down_sets(points, &pairs);
        let turn = shuffle.index(sets.len());
        sets.rotate_left(turn); // numbers need not follow the order
        let by_order = FiniteLattice::from_leq(&inclusion(&sets)).expect("a lattice");
        // One down-set covers another if it has one point more.
        let names: Vec<String> = sets.iter().map(|set| format!("{set:b}")).collect();
        let mut covers = Vec::new();
        for (a, low) in names.iter().zip(&sets) {
            for (b, high) in names.iter().zip(&sets) {
                if low & !high == 0 && (high & !low).is_power_of_two() {
                    covers.push((a.clone(), b.clone()));
                }
            }
        }
        let by_covers = FiniteLattice::from_covers(&names, &covers).expect("a lattice");
        for lattice in [&by_order, &by_covers] {
            for (x, a) in (0..).zip(&sets) {
                for (y, b) in (0..).zip(&sets) {
                    prop_assert_eq!(leq(lattice, &x, &y), a & !b == 0);
                    prop_assert_eq!(meet(lattice, &x, &y), place(&sets, &(a & b)));
                    prop_assert_eq!(join(lattice, &x, &y), place(&sets, &(a | b)));
                }
            }
            prop_assert_eq!(lattice.bottom(), place(&sets, &0));
            prop_assert_eq!(lattice.top(), place(&sets, &((1 << points) - 1)));
            prop_assert!(Distributive::try_from(lattice.clone()).is_ok());
        }
    }

    #[test]
    fn random_orders_are_judged_rightly(points in 5_usize..=8, bits in any::<u64>()) {
        // A random relation upwards, closed under transitivity, between a bottom and a top: often a
        // lattice, often not.
        let mut relation: Vec<Vec<bool>> = (0..points)
            .map(|a| {
                let chosen = |b| bits >> (a * points + b) & 1 == 1;
                let row = |b| a == b || a == 0 || b == points - 1 || (a < b && chosen(b));
                (0..points).map(row).collect()
            })
            .collect();
        relation[points - 1] = (0..points).map(|b| b == points - 1).collect();
        for via in 0..points {
            let onward = relation[via].clone();
            for row in relation.iter_mut().filter(|row| row[via]) {
                row.iter_mut().zip(&onward).for_each(|(a, b)| *a |= b);
            }
        }
        check(&relation);
    }
}
