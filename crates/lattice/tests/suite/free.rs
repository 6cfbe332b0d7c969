//! The free distributive lattice over posets: counted, converted, weighed, and its large operations
//! against plain ones.

use std::collections::BTreeSet;

use meetjoin_lattice::{
    Antichain, Budget, Chain, Conjunctive, Disjunctive, Dual, Extended, Families, FinitePoset,
    FreeLattice, Lattice, Poset, Powerset, Reversed, Stop, Words,
};
use proptest::prelude::*;

use crate::budget::check_stops;
use crate::support::{
    Free, check_same, closure, free, join, leq, meet, prove, step_limit, word, worlds,
};

type Form = Antichain<Antichain<u32>>;

fn antichain(n: usize) -> FinitePoset {
    let order: Vec<Vec<bool>> = (0..n).map(|a| (0..n).map(|b| a == b).collect()).collect();
    FinitePoset::from_leq(&order).expect("an order")
}

/// All joins of meets of outcomes; then makes sure that no meet or join with an outcome leads out.
fn everything<P: Poset<Elem = u32>>(lattice: &Disjunctive<P>, n: u32) -> BTreeSet<Form> {
    let budget = Budget::unlimited();
    let mut found = BTreeSet::from([lattice.bottom()]);
    for mask in 0..1 << n {
        let outcomes = (0..n).filter(|x| mask >> x & 1 == 1);
        let packet = lattice.packet(outcomes, &budget).expect("no limit");
        let packet = lattice.principal(packet);
        let more: Vec<Form> = found.iter().map(|e| join(lattice, e, &packet)).collect();
        found.extend(more);
    }
    for x in (0..n).map(|x| lattice.outcome(x)) {
        for e in &found {
            assert!(found.contains(&meet(lattice, e, &x)));
            assert!(found.contains(&join(lattice, e, &x)));
        }
    }
    assert!(found.contains(&lattice.top()));
    found
}

#[test]
fn over_antichains_there_are_as_many_elements_as_dedekind_numbers() {
    for (n, count) in [(0, 2), (1, 3), (2, 6), (3, 20), (4, 168), (5, 7581)] {
        let lattice = Disjunctive::free_over(antichain(n));
        let all = everything(&lattice, n as u32);
        assert_eq!(all.len(), count, "{n} points");
        if n < 5 {
            // Nothing but what the outcomes generate.
            let generated = closure(&lattice, (0..n as u32).map(|x| lattice.outcome(x)));
            assert_eq!(generated.into_iter().collect::<BTreeSet<_>>(), all);
        }
    }
}

/// All orders of n points in which smaller ones have smaller numbers.
fn orders(n: usize) -> Vec<Vec<Vec<bool>>> {
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let order = |mask: usize| {
        let mut leq: Vec<Vec<bool>> = (0..n).map(|a| (0..n).map(|b| a == b).collect()).collect();
        for (i, &(a, b)) in pairs.iter().enumerate() {
            leq[a][b] = mask >> i & 1 == 1;
        }
        leq
    };
    let all = (0..1 << pairs.len()).map(order);
    all.filter(|leq| FinitePoset::from_leq(leq).is_ok())
        .collect()
}

/// The subsets of `0..n` that contain with each element all below it, as bit masks, by trying all.
fn down_sets(n: usize, below: impl Fn(usize, usize) -> bool) -> Vec<u32> {
    let closed = |mask: &u32| {
        let inside = |a: usize| mask >> a & 1 == 1;
        (0..n).all(|b| !inside(b) || (0..n).all(|a| !below(a, b) || inside(a)))
    };
    (0..1_u32 << n).filter(closed).collect()
}

#[test]
fn over_any_small_poset_the_elements_are_the_down_sets_of_its_down_sets() {
    let mut posets = 0;
    for n in 0..=4 {
        for leq in orders(n) {
            let sets = down_sets(n, |a, b| leq[a][b]);
            let count = down_sets(sets.len(), |i, j| sets[i] & !sets[j] == 0).len();
            let poset = FinitePoset::from_leq(&leq).expect("an order");
            let all = everything(&Disjunctive::free_over(poset), n as u32);
            assert_eq!(all.len(), count, "{leq:?}");
            posets += 1;
        }
    }
    assert!(posets > 50, "{posets}");
}

#[test]
fn both_normal_forms_are_the_same_distributive_lattice() {
    let budget = Budget::unlimited();
    for leq in orders(3) {
        let poset = FinitePoset::from_leq(&leq).expect("an order");
        let dnf = Disjunctive::free_over(poset.clone());
        let cnf: Conjunctive<FinitePoset> = dnf.conjunctive();
        assert_eq!(cnf.poset(), &poset);
        assert_eq!(cnf.disjunctive(), dnf);
        let all: Vec<Form> = everything(&dnf, 3).into_iter().collect();
        prove(&dnf, &all, true);
        let to_cnf = |e: &Form| dnf.to_conjunctive(e, &budget).expect("no limit");
        check_same(&dnf, &cnf, &all, to_cnf);
        let converted: Vec<Form> = all.iter().map(to_cnf).collect();
        prove(&cnf, &converted, true);
        for (e, c) in all.iter().zip(&converted) {
            assert_eq!(&cnf.to_disjunctive(c, &budget).expect("no limit"), e);
        }
        for x in 0..3 {
            assert_eq!(to_cnf(&dnf.outcome(x)), cnf.outcome(x));
            for y in 0..3 {
                let embedded = dnf.outcome(x);
                let below = crate::support::leq(&dnf, &embedded, &dnf.outcome(y));
                assert_eq!(below, leq[x as usize][y as usize]);
            }
        }
    }
}

#[test]
fn the_dual_has_the_same_data() {
    let budget = Budget::unlimited();
    for leq in orders(3) {
        let poset = FinitePoset::from_leq(&leq).expect("an order");
        let lattice = Disjunctive::free_over(poset.clone());
        let all: Vec<Form> = everything(&lattice, 3).into_iter().collect();
        let mirrored = lattice.mirrored();
        check_same(&Dual(&lattice), &mirrored, &all, Clone::clone);
        // In disjunctive form: the free lattice over the poset upside down.
        let upside_down = Disjunctive::free_over(Reversed(poset));
        check_same(&Dual(&lattice), &upside_down, &all, |e| {
            mirrored.to_disjunctive(e, &budget).expect("no limit")
        });
    }
}

#[test]
fn the_forms_can_differ_exponentially_and_a_budget_stops_that() {
    let lattice = Disjunctive::free_over(antichain(60));
    let cnf = lattice.conjunctive();
    let unlimited = Budget::unlimited();
    let clauses = |n: u32| {
        let clause = |i: u32| {
            cnf.clause([2 * i, 2 * i + 1], &unlimited)
                .expect("no limit")
        };
        cnf.meet_of((0..n).map(clause), &unlimited)
            .expect("no limit")
    };
    let small = cnf
        .to_disjunctive(&clauses(10), &unlimited)
        .expect("no limit");
    assert_eq!(small.maximal().len(), 1 << 10);
    assert_eq!(
        lattice.to_conjunctive(&small, &step_limit(100_000)),
        Err(Stop::Time)
    );
    assert_eq!(lattice.to_conjunctive(&small, &unlimited), Ok(clauses(10)));
    let stopped = cnf.to_disjunctive(&clauses(30), &step_limit(1_000_000));
    assert_eq!(stopped, Err(Stop::Time));
}

/// Sets under inclusion, as bit masks: a user's type that is no lattice here.
#[derive(Clone, Debug)]
struct Inclusion;

impl Poset for Inclusion {
    type Elem = u8;

    fn below(&self, a: &u8, b: &u8, _: &Budget) -> Result<bool, Stop> {
        Ok(a & !b == 0)
    }
}

#[test]
fn a_lattice_is_a_poset_as_well() {
    let sets = Powerset::<Words<1>>::new(3).expect("it fits");
    let (over_sets, over_type) = (
        Disjunctive::free_over(sets),
        Disjunctive::free_over(Inclusion),
    );
    let budget = Budget::unlimited();
    let all = closure(&over_type, [1, 2, 4, 3].map(|x| over_type.outcome(x)));
    check_same(&over_type, &over_sets, &all, |e| {
        let outcome = |x: &u8| over_sets.outcome(word(u64::from(*x)));
        over_type
            .weigh(e, &over_sets, outcome, &budget)
            .expect("no limit")
    });
}

/// A tree in postfix order: a leaf is pushed, AND and OR combine the last two.
#[derive(Clone, Copy, Debug)]
enum Step {
    Leaf([i64; 3]),
    And,
    Or,
}

fn tree() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => prop::array::uniform3(0_i64..5).prop_map(Step::Leaf),
        1 => Just(Step::And),
        1 => Just(Step::Or),
    ];
    prop::collection::vec(step, 1..40)
}

/// The value of the tree; what is left over at the end is joined.
fn minimax<L: Lattice>(lattice: &L, tree: &[Step], leaf: impl Fn([i64; 3]) -> L::Elem) -> L::Elem {
    let mut stack = Vec::new();
    for step in tree {
        let value = match (step, stack.len()) {
            (Step::Leaf(x), _) => leaf(*x),
            (_, 0 | 1) => continue,
            (kind, n) => {
                let last = stack.split_off(n - 2);
                let (a, b): (&L::Elem, &L::Elem) = (&last[0], &last[1]);
                if matches!(kind, Step::And) {
                    meet(lattice, a, b)
                } else {
                    join(lattice, a, b)
                }
            }
        };
        stack.push(value);
    }
    let rest = stack.iter();
    rest.fold(lattice.bottom(), |all, value| join(lattice, &all, value))
}

fn vector(x: [i64; 3]) -> Box<[Extended]> {
    x.map(Extended::Finite).into()
}

proptest! {
    /// The universal property: one value answers every monotone question about the tree, in either
    /// form.
    #[test]
    fn the_value_of_a_tree_weighed_is_the_value_of_the_weighed_tree(
        tree in tree(),
        weights in prop::array::uniform3(0_i64..4),
        kind in 0..4,
        above in 0_u64..1 << 20,
    ) {
        let lattice = FreeLattice::of_vectors(3);
        let budget = Budget::unlimited();
        let value = minimax(&lattice, &tree, |x| lattice.outcome(vector(x)));
        let cnf = lattice.conjunctive();
        let in_cnf = minimax(&cnf, &tree, |x| cnf.outcome(vector(x)));
        prop_assert_eq!(lattice.to_conjunctive(&value, &budget), Ok(in_cnf.clone()));
        prop_assert_eq!(cnf.to_disjunctive(&in_cnf, &budget), Ok(value.clone()));
        let numbers = |v: &[Extended]| -> [i64; 3] {
            std::array::from_fn(|i| match v[i] {
                Extended::Finite(n) => n,
                _ => panic!("finite leaves"),
            })
        };
        let chain = Chain::unbounded();
        let f = |x: [i64; 3]| {
            let [a, b, c] = std::array::from_fn(|i| x[i] * weights[i]);
            Extended::Finite(match kind {
                0 => a + b + c,
                1 => a.max(b).max(c),
                2 => a.min(b + c),
                _ => a * b + c,
            })
        };
        let expected = minimax(&chain, &tree, f);
        let weighed = lattice.weigh(&value, &chain, |v| f(numbers(v)), &budget);
        prop_assert_eq!(weighed, Ok(expected));
        let weighed = cnf.weigh(&in_cnf, &chain, |v| f(numbers(v)), &budget);
        prop_assert_eq!(weighed, Ok(expected));
        // Into a lattice that is no chain: which of twenty points lie below.
        let sets = Powerset::<Words<1>>::new(20).expect("it fits");
        let g = |x: [i64; 3]| {
            let point = |w: &usize| [w % 4, w / 4 % 3, w / 12 % 2].map(|n| i64::try_from(n).expect("small"));
            let below = |w: &usize| (0..3).all(|i| point(w)[i] <= x[i]);
            sets.set(worlds(above).filter(below)).expect("worlds exist")
        };
        let weighed = lattice.weigh(&value, &sets, |v| g(numbers(v)), &budget);
        prop_assert_eq!(weighed, Ok(minimax(&sets, &tree, g)));
    }
}

/// Numbers that look random.
fn numbers(seed: u64) -> impl FnMut(i64) -> i64 {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33).cast_signed() % below
    }
}

/// Packets of random vectors, which on a plane are pairwise incomparable.
fn random(
    lattice: &FreeLattice,
    packets: usize,
    outcomes: usize,
    range: i64,
    plane: bool,
    seed: u64,
) -> Vec<Antichain<Box<[Extended]>>> {
    let dims = lattice.vectors().dims();
    let mut number = numbers(seed);
    let mut vector = || {
        let mut v: Vec<i64> = (0..dims).map(|_| number(range)).collect();
        if plane {
            v[0] = -v[1..].iter().sum::<i64>();
        }
        v.into_iter().map(Extended::Finite).collect()
    };
    let budget = Budget::unlimited();
    let packet = |_| lattice.packet((0..outcomes).map(|_| vector()), &budget);
    (0..packets)
        .map(packet)
        .map(|p| p.expect("no limit"))
        .collect()
}

/// The maximal packets by the definition.
fn plainly(dims: usize, packets: &[Antichain<Box<[Extended]>>]) -> Vec<Antichain<Box<[Extended]>>> {
    let below = |p: &Antichain<Box<[Extended]>>, q: &Antichain<Box<[Extended]>>| {
        let dominated = |x: &[Extended], y: &[Extended]| (0..dims).all(|i| x[i] <= y[i]);
        q.maximal()
            .iter()
            .all(|y| p.maximal().iter().any(|x| dominated(x, y)))
    };
    let all: BTreeSet<_> = packets.iter().cloned().collect();
    let maximal = all
        .iter()
        .filter(|p| all.iter().all(|q| q == *p || !below(p, q)));
    maximal.cloned().collect()
}

#[test]
fn large_joins_meets_and_comparisons_are_those_of_the_definition() {
    let budget = Budget::unlimited();
    for (dims, outcomes, range, plane) in [
        (1, 1, 100, false),
        (2, 2, 40, false),
        (2, 1, 400, true),
        (3, 1, 30, true),
        (3, 2, 12, false),
        (3, 3, 40, true),
        (5, 1, 6, false),
        (6, 2, 5, true),
    ] {
        let lattice = FreeLattice::of_vectors(dims);
        let p = random(&lattice, 400, outcomes, range, plane, 1);
        let mut q = random(&lattice, 300, outcomes, range, plane, 2);
        q.extend_from_slice(&p[..100]);
        let of = |packets: &[_]| {
            lattice
                .generated_by(packets.iter().cloned(), &budget)
                .expect("no limit")
        };
        let (a, b) = (of(&p), of(&q));
        assert_eq!(a.maximal(), plainly(dims, &p));
        let both: Vec<_> = p.iter().chain(&q).cloned().collect();
        let joined = join(&lattice, &a, &b);
        assert_eq!(joined.maximal(), plainly(dims, &both));
        assert!(leq(&lattice, &a, &joined) && leq(&lattice, &b, &joined));
        assert_eq!(leq(&lattice, &joined, &a), joined == a);
        // Meets of some hundred by some ten.
        let few = of(&q[280..320]);
        let met = meet(&lattice, &a, &few);
        let mut pairs = BTreeSet::new();
        for x in a.maximal() {
            for y in few.maximal() {
                let outcomes = x.maximal().iter().chain(y.maximal()).cloned();
                pairs.insert(lattice.packet(outcomes, &budget).expect("no limit"));
            }
        }
        if pairs.len() < 3000 {
            assert_eq!(
                met.maximal(),
                plainly(dims, &pairs.into_iter().collect::<Vec<_>>())
            );
        }
        assert!(leq(&lattice, &met, &a) && leq(&lattice, &met, &few));
        assert_eq!(join(&lattice, &met, &a), a);
        assert_eq!(meet(&lattice, &joined, &a), a);
    }
}

#[test]
fn a_stopped_large_operation_leaves_a_bound() {
    let lattice = FreeLattice::of_vectors(3);
    let value = |packets, seed| -> Free {
        let packets = random(&lattice, packets, 2, 1000, true, seed);
        lattice
            .generated_by(packets, &Budget::unlimited())
            .expect("no limit")
    };
    check_stops(&lattice, &value(30, 1), &value(40, 2));
}

#[test]
fn a_meet_of_a_hundred_million_packets_is_stopped() {
    let lattice = FreeLattice::of_vectors(3);
    let value = |seed| {
        let packets = random(&lattice, 10_000, 1, 1_000_000, true, seed);
        let value = lattice
            .generated_by(packets, &Budget::unlimited())
            .expect("no limit");
        assert_eq!(value.maximal().len(), 10_000);
        value
    };
    let (old, b) = (value(1), value(2));
    let mut a = old.clone();
    assert_eq!(
        lattice.meet_assign(&mut a, &b, &step_limit(5_000_000)),
        Err(Stop::Time)
    );
    assert_eq!(a, old);
    // Their join, and a meet with what lies above, take far fewer steps than there are pairs.
    let steps = |operation: &dyn Fn(&Budget) -> Result<(), Stop>| {
        let budget = Budget::unlimited();
        operation(&budget).expect("no limit");
        budget.steps_made()
    };
    let joined = join(&lattice, &old, &b);
    assert_eq!(joined.maximal().len(), 20_000);
    let for_join = steps(&|budget| lattice.join_assign(&mut old.clone(), &b, budget));
    assert!(for_join < 4_000_000, "{for_join}");
    let for_meet = steps(&|budget| lattice.meet_assign(&mut old.clone(), &joined, budget));
    assert!(for_meet > for_join);
}

#[test]
fn infinite_components_keep_their_order() {
    let lattice = FreeLattice::of_vectors(5);
    let ends = [
        Extended::NegInf,
        Extended::Finite(i64::MIN),
        Extended::Finite(3),
        Extended::PosInf,
    ];
    let vector = |mut n: usize| -> Box<[Extended]> {
        let mut next = || {
            n /= 4;
            ends[n % 4]
        };
        (0..5).map(|_| next()).collect()
    };
    let budget = Budget::unlimited();
    let packets: Vec<_> = (0..4096)
        .step_by(7)
        .map(|n| lattice.single(vector(n)))
        .collect();
    let value = lattice
        .generated_by(packets.clone(), &budget)
        .expect("no limit");
    assert_eq!(value.maximal(), plainly(5, &packets));
}

#[test]
fn families_and_free_lattices_share_one_antichain() {
    // The free lattice over n points and the families over n worlds are the same: a packet stands
    // for the points that it does not have.
    let families = Families::<Words<1>>::of_worlds(3).expect("it fits");
    let lattice = Disjunctive::free_over(antichain(3));
    let all: Vec<Form> = everything(&lattice, 3).into_iter().collect();
    let budget = Budget::unlimited();
    check_same(&lattice, &families, &all, |e| {
        let set = |p: &Antichain<u32>| {
            let absent = (0..3).filter(|w| !p.maximal().contains(w));
            families
                .base()
                .set(absent.map(|w| w as usize))
                .expect("worlds exist")
        };
        families
            .generated_by(e.maximal().iter().map(set), &budget)
            .expect("no limit")
    });
}

#[test]
fn free_is_spelled_out() {
    let lattice = FreeLattice::of_vectors(2);
    let value = free(
        &lattice,
        [vec![[1, 2], [2, 1], [3, 3]], vec![[0, 5]], vec![[0, 4]]],
    );
    assert_eq!(value, free(&lattice, [vec![[0, 5]], vec![[1, 2], [2, 1]]]));
    let cnf = lattice
        .to_conjunctive(&value, &Budget::unlimited())
        .expect("no limit");
    let clause = |clause: &Antichain<Box<[Extended]>>| clause.maximal().len();
    assert_eq!(cnf.maximal().iter().map(clause).collect::<Vec<_>>(), [2, 2]);
}
