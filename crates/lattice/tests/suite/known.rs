//! Answers worked out by hand, where no shared case has one.

use meetjoin_lattice::{
    Antichain, AnyElem, AnyLattice, Bool, Budget, Chain, Decimal, Divisors, Dual, ElemOf, Extended,
    Families, FreeLattice, Lattice, Powerset, Product, Words,
};

use crate::support::{covers, free, join, leq, m3, meet, n5, word};

/// `(a, b, a meet b, a join b)`.
type Row<L> = (ElemOf<L>, ElemOf<L>, ElemOf<L>, ElemOf<L>);

/// Checks such rows, and that the order follows from them.
fn check<L: Lattice>(lattice: &L, rows: &[Row<L>]) {
    for (a, b, lower, upper) in rows {
        assert_eq!(&meet(lattice, a, b), lower, "{a:?} meet {b:?}");
        assert_eq!(&join(lattice, a, b), upper, "{a:?} join {b:?}");
        assert_eq!(leq(lattice, a, b), a == lower, "{a:?} <= {b:?}");
        assert_eq!(leq(lattice, b, a), b == lower, "{b:?} <= {a:?}");
    }
}

#[test]
fn a_dual_chain_has_the_lesser_number_on_top() {
    let dual = Dual(Chain::new(0, 9).expect("in order"));
    check(&dual, &[(3, 7, 7, 3), (0, 9, 9, 0), (4, 4, 4, 4)]);
    assert_eq!((dual.bottom(), dual.top()), (9, 0));
    // A chain cut at 0 and 9 has its own ends, not those of the machine's integers.
    assert_eq!((dual.0.bottom(), dual.0.top()), (0, 9));
}

#[test]
fn infinities_are_not_the_ends_of_the_machine_integers() {
    use Extended::{Finite, NegInf, PosInf};
    let (least, most) = (Finite(i64::MIN), Finite(i64::MAX));
    check(
        &Chain::unbounded(),
        &[
            (most, PosInf, most, PosInf),
            (NegInf, least, NegInf, least),
            (NegInf, PosInf, NegInf, PosInf),
            (Finite(-3), Finite(2), Finite(-3), Finite(2)),
        ],
    );
    let shown = [NegInf, least, Finite(0), PosInf].map(|e| e.to_string());
    assert_eq!(shown, ["-inf", "-9223372036854775808", "0", "+inf"]);
}

#[test]
fn decimals_are_compared_as_the_floats_they_are() {
    let d = |f: f64| Decimal::new(f).expect("a number");
    // 0.1 + 0.2 is the float just above 0.3; 2^53 + 1 is no float.
    let rows = [
        (d(0.1 + 0.2), d(0.3), d(0.3), d(0.300_000_000_000_000_04)),
        (d(-0.0), d(0.0), d(0.0), d(-0.0)),
        (d(-1.5), d(f64::NEG_INFINITY), Decimal::NEG_INF, d(-1.5)),
        (d(f64::MAX), d(f64::INFINITY), d(f64::MAX), Decimal::POS_INF),
        (
            d(9_007_199_254_740_993.0),
            d(9_007_199_254_740_992.0),
            d(9_007_199_254_740_992.0),
            d(9_007_199_254_740_992.0),
        ),
    ];
    check(&Chain::decimals(), &rows);
    assert!(d(-0.0).get().is_sign_positive());
}

#[test]
fn divisors_by_their_prime_factors() {
    // 360 = 2^3 3^2 5.
    let rows = [
        (12, 90, 6, 180),
        (8, 45, 1, 360),
        (24, 36, 12, 72),
        (1, 5, 1, 5),
    ];
    check(&Divisors::of(360).expect("positive"), &rows);
    // 2^64 - 1 = 3 5 17 257 641 65537 6700417: products of the two would overflow if taken first.
    let most = Divisors::of(u64::MAX).expect("positive");
    let (a, b) = (u64::MAX / 3, u64::MAX / 5);
    check(
        &most,
        &[(a, b, u64::MAX / 15, u64::MAX), (u64::MAX, a, a, u64::MAX)],
    );
    assert!(most.contains(6_700_417) && !most.contains(2) && !most.contains(0));
}

#[test]
fn sets_across_machine_words() {
    let lattice = Powerset::<Words<2>>::new(128).expect("it fits");
    let set = |worlds: &[usize]| lattice.set(worlds.iter().copied()).expect("worlds exist");
    let (a, b) = (set(&[0, 63, 64]), set(&[63, 64, 127]));
    check(&lattice, &[(a, b, set(&[63, 64]), set(&[0, 63, 64, 127]))]);
    assert_eq!(lattice.top(), Words([u64::MAX; 2]));
}

/// A family over four worlds.
fn family(masks: &[u64]) -> Antichain<Words<1>> {
    let lattice = Families::<Words<1>>::of_worlds(4).expect("it fits");
    let family = lattice.generated_by(masks.iter().copied().map(word), &Budget::unlimited());
    family.expect("no limit")
}

#[test]
fn families_by_their_maximal_sets() {
    let lattice = Families::<Words<1>>::of_worlds(4).expect("it fits");
    let f = family;
    let rows = [
        // {01, 2} and {12}: the sets in both are {1} and {2}.
        (
            f(&[0b011, 0b100]),
            f(&[0b110]),
            f(&[0b010, 0b100]),
            f(&[0b011, 0b110]),
        ),
        // {012} and {01, 12, 02}: one contains all of the other.
        (
            f(&[0b111]),
            f(&[0b011, 0b110, 0b101]),
            f(&[0b011, 0b110, 0b101]),
            f(&[0b111]),
        ),
        // Disjoint sets have the empty set in common, which is not nothing.
        (f(&[0b0011]), f(&[0b1100]), f(&[0]), f(&[0b0011, 0b1100])),
        (f(&[0]), f(&[]), f(&[]), f(&[0])),
        // {01, 23} and {12, 03}: all four pairs of neighbours meet in single worlds.
        (
            f(&[0b0011, 0b1100]),
            f(&[0b0110, 0b1001]),
            f(&[1, 2, 4, 8]),
            f(&[0b0011, 0b1100, 0b0110, 0b1001]),
        ),
    ];
    check(&lattice, &rows);
    assert_eq!((lattice.bottom(), lattice.top()), (f(&[]), f(&[0b1111])));
    assert_eq!(lattice.worlds(), 4);
}

#[test]
fn packets_of_vectors() {
    let lattice = FreeLattice::of_vectors(2);
    let value = |packets: &[&[[i64; 2]]]| free(&lattice, packets.iter().copied());
    let (up, right) = (value(&[&[[0, 2]]]), value(&[&[[2, 0]]]));
    let (both, either) = (value(&[&[[0, 2], [2, 0]]]), value(&[&[[0, 2]], &[[2, 0]]]));
    let (one, two) = (value(&[&[[1, 1]]]), value(&[&[[2, 2]]]));
    let three = value(&[&[[0, 2], [1, 1], [2, 0]]]);
    let rows = [
        (up.clone(), right.clone(), both.clone(), either.clone()),
        // Comparable vectors behave as they do under dominance.
        (one.clone(), two.clone(), one.clone(), two.clone()),
        // (1,1) does not lie above the meet of (0,2) and (2,0): a game that reaches one of the two
        // never reaches (1,1).
        (
            both.clone(),
            one.clone(),
            three.clone(),
            value(&[&[[0, 2], [2, 0]], &[[1, 1]]]),
        ),
        // MAX((2,0), MIN((2,0),(0,2))) absorbs.
        (right.clone(), both.clone(), both.clone(), right.clone()),
        (either.clone(), two.clone(), either.clone(), two.clone()),
        (value(&[]), value(&[&[]]), value(&[]), value(&[&[]])),
        (two.clone(), value(&[&[]]), two, value(&[&[]])),
    ];
    check(&lattice, &rows);
    assert_eq!(
        value(&[&[[0, 2], [2, 0], [2, 2]]]),
        both,
        "only minimal vectors"
    );
    assert_eq!(
        (lattice.bottom(), lattice.top()),
        (value(&[]), value(&[&[]]))
    );
    // MAX((0,3), MIN(MAX((1,1), MIN((0,2),(2,0))))): (0,3) absorbs the packet, because (0,2) is
    // worse.
    let inner = join(&lattice, &one, &both);
    let root = join(&lattice, &value(&[&[[0, 3]]]), &inner);
    assert_eq!(root, value(&[&[[0, 3]], &[[1, 1]]]));
    assert_eq!(lattice.vectors().dims(), 2);
}

#[test]
fn a_product_of_a_truth_value_a_divisor_and_a_set() {
    let lattice = AnyLattice::Product(Product::new([
        AnyLattice::Bool(Bool),
        AnyLattice::Divisors(Divisors::of(12).expect("positive")),
        AnyLattice::Dual(Box::new(Dual(AnyLattice::powerset(3)))),
    ]));
    let tuple = |b, d, mask| {
        let set = AnyElem::SmallSet(word(mask));
        AnyElem::Tuple(Box::from([AnyElem::Bool(b), AnyElem::Divisor(d), set]))
    };
    let rows = [
        (
            tuple(true, 4, 0b001),
            tuple(false, 6, 0b011),
            tuple(false, 2, 0b011),
            tuple(true, 12, 0b001),
        ),
        (
            tuple(false, 1, 0b100),
            tuple(true, 3, 0b000),
            tuple(false, 1, 0b100),
            tuple(true, 3, 0b000),
        ),
    ];
    check(&lattice, &rows);
    assert_eq!(lattice.bottom(), tuple(false, 1, 0b111));
    assert_eq!(lattice.top(), tuple(true, 12, 0));
    // In an array of one type, without heap.
    let array = [
        Chain::new(0, 5).expect("in order"),
        Chain::new(-5, 0).expect("in order"),
    ];
    check(&array, &[([1, -2], [3, -4], [1, -4], [3, -2])]);
    assert_eq!((array.bottom(), array.top()), ([0, -5], [5, 0]));
}

#[test]
fn a_lattice_drawn_by_its_covers() {
    // A square on a stalk, with a roof: 0 < s < a, b < r < 1, listed in no order.
    let lattice = covers("r b 1 0 a s", "0 < s < a < r < 1, s < b < r");
    let n = |name: &str| {
        let names = lattice.names().expect("named");
        names
            .iter()
            .position(|other| other == name)
            .expect("listed") as u32
    };
    let rows = [
        ("a", "b", "s", "r"),
        ("0", "b", "0", "b"),
        ("r", "a", "a", "r"),
        ("s", "1", "s", "1"),
    ];
    check(
        &lattice,
        &rows.map(|(a, b, lower, upper)| (n(a), n(b), n(lower), n(upper))),
    );
    assert_eq!((lattice.bottom(), lattice.top()), (n("0"), n("1")));
    assert_eq!(lattice.check_distributive(), Ok(()));
}

#[test]
fn the_smallest_trees_on_which_unlicensed_pruning_goes_wrong_have_these_values() {
    // AND(1, OR(AND(2,0),3)) over M3, AND(2, OR(AND(3,0),1)) over N5, AND(1,OR(AND(OR(1,4),2),3))
    // over M3.
    let m3 = m3();
    let inner = join(&m3, &meet(&m3, &2, &0), &3);
    assert_eq!(meet(&m3, &1, &inner), 0);
    let n5 = n5();
    let inner = join(&n5, &meet(&n5, &3, &0), &1);
    assert_eq!(meet(&n5, &2, &inner), 1);
    let inner = join(&m3, &meet(&m3, &join(&m3, &1, &4), &2), &3);
    assert_eq!(meet(&m3, &1, &inner), 1);
}
