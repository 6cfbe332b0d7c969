//! Random elements of large lattices, against literal representations and against what defines each
//! construction.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use meetjoin_lattice::{
    Antichain, Bool, Budget, Chain, DownSets, Dual, Extended, Families, FreeLattice, Interval,
    Lattice, Powerset, Product, Within, Words, WorldSet,
};
use proptest::prelude::*;

use crate::support::{Free, check_same, free, join, leq, meet, word, worlds};

/// The generating sets of a family over seven worlds, as bit masks.
fn generators() -> impl Strategy<Value = Vec<u64>> {
    // Half of them sparse, so that small sets, and the empty one, occur.
    let mask = prop_oneof![
        0_u64..128,
        prop::sample::select(vec![0_u64, 1, 2, 4, 8, 16, 32, 64])
    ];
    prop::collection::vec(mask, 0..9)
}

/// The family that these sets generate, with the worlds `apart` worlds apart.
fn family<B: WorldSet>(lattice: &Families<B>, masks: &[u64], apart: usize) -> Antichain<B> {
    let set = |mask: &u64| lattice.base().set(worlds(*mask).map(|w| w * apart));
    let sets = masks.iter().map(|mask| set(mask).expect("worlds exist"));
    let family = lattice.generated_by(sets, &Budget::unlimited());
    family.expect("no limit")
}

/// A family written out: bit s says that the set with mask s belongs to it.
fn literal(masks: &[u64]) -> u128 {
    let inside = |s: u64| masks.iter().any(|mask| s & !mask == 0);
    (0..128)
        .filter(|&s| inside(s))
        .fold(0, |all, s| all | 1 << s)
}

/// The maximal sets as lists of worlds, in an order that no representation knows of.
fn listed<B: WorldSet>(family: &Antichain<B>, apart: usize) -> BTreeSet<Vec<usize>> {
    let list = |set: &B| set.ones().map(|w| w / apart).collect();
    family.maximal().iter().map(list).collect()
}

/// Meet, join (as lists) and leq of two families in one representation.
fn results<B: WorldSet>(
    lattice: &Families<B>,
    a: &[u64],
    b: &[u64],
    apart: usize,
) -> (BTreeSet<Vec<usize>>, BTreeSet<Vec<usize>>, bool) {
    let (a, b) = (family(lattice, a, apart), family(lattice, b, apart));
    let meet = listed(&meet(lattice, &a, &b), apart);
    let join = listed(&join(lattice, &a, &b), apart);
    (meet, join, leq(lattice, &a, &b))
}

proptest! {
    #[test]
    fn families_are_sets_of_sets(a in generators(), b in generators()) {
        let lattice = Families::<Words<1>>::of_worlds(7).expect("it fits");
        let written = |f: &Antichain<Words<1>>| literal(&f.maximal().iter().map(|set| set.0[0]).collect::<Vec<_>>());
        let (x, y) = (family(&lattice, &a, 1), family(&lattice, &b, 1));
        let (all_a, all_b) = (literal(&a), literal(&b));
        prop_assert_eq!(written(&x), all_a);
        prop_assert_eq!(x == y, all_a == all_b);
        prop_assert_eq!(leq(&lattice, &x, &y), all_a & !all_b == 0);
        for (result, expected) in
            [(meet(&lattice, &x, &y), all_a & all_b), (join(&lattice, &x, &y), all_a | all_b)]
        {
            prop_assert_eq!(written(&result), expected);
            // One representation each: made from all its sets in another order, it is the same.
            let all: Vec<u64> = (0..128).filter(|s| expected >> s & 1 == 1).collect();
            prop_assert_eq!(&family(&lattice, &all, 1), &result);
            let sets = result.maximal();
            prop_assert!(sets.is_sorted());
            let related = sets.iter().map(|s| sets.iter().filter(|t| s.is_subset(t)).count());
            prop_assert_eq!(related.sum::<usize>(), sets.len());
        }
    }

    #[test]
    fn families_do_not_depend_on_the_representation(a in generators(), b in generators()) {
        let small = Families::<Words<1>>::of_worlds(7).expect("it fits");
        let expected = results(&small, &a, &b, 1);
        for apart in [1, 18] {
            // Up to 127 worlds: two words, and the middle set across both.
            let wide = Families::<Words<2>>::of_worlds(7 * apart).expect("it fits");
            prop_assert_eq!(&results(&wide, &a, &b, apart), &expected);
            let free = Families::<FixedBitSet>::of_worlds(7 * apart).expect("it fits");
            prop_assert_eq!(&results(&free, &a, &b, apart), &expected);
        }
    }

    #[test]
    fn complement_turns_a_powerset_upside_down(sets in prop::collection::vec(any::<[u64; 2]>(), 4)) {
        let lattice = Powerset::<Words<2>>::new(128).expect("it fits");
        let sets: Vec<Words<2>> = sets.into_iter().map(Words).collect();
        check_same(&lattice, &Dual(&lattice), &sets, |set| Words(set.0.map(|word| !word)));
    }

    #[test]
    fn a_powerset_is_a_power_of_truth(masks in prop::collection::vec(0_u64..1 << 10, 4)) {
        let lattice = Powerset::<Words<1>>::new(10).expect("it fits");
        let sets: Vec<Words<1>> = masks.into_iter().map(word).collect();
        check_same(&lattice, &Product::power(Bool, 10), &sets, |set| {
            (0..10).map(|w| set.contains(w)).collect()
        });
        check_same(&lattice, &[Bool; 10], &sets, |set| std::array::from_fn(|w| set.contains(w)));
    }

    #[test]
    fn the_dual_of_a_product_is_the_product_of_the_duals(
        vectors in prop::collection::vec(prop::array::uniform3(-2_i64..3), 5),
    ) {
        let chain = Chain::new(-2, 2).expect("in order");
        let product = Product::power(chain, 3);
        let of_duals = Product::power(Dual(chain), 3);
        let lists: Vec<Box<[i64]>> = vectors.iter().map(|v| Box::from(&v[..])).collect();
        check_same(&Dual(&product), &of_duals, &lists, Clone::clone);
        // Negation turns a symmetric chain round; order of factors does not matter.
        check_same(&Dual(&product), &product, &lists, |v| v.iter().map(|n| -n).collect());
        check_same(&(chain, (chain, Dual(chain))), &((Dual(chain), chain), chain), &pairs(&vectors), |&(a, (b, c))| ((c, b), a));
    }

    #[test]
    fn a_window_shows_upper_meet_lower_join_value(
        [a, b, v] in prop::array::uniform3(generators()),
    ) {
        let lattice = Families::<Words<1>>::of_worlds(7).expect("it fits");
        let [a, b, v] = [a, b, v].map(|masks| family(&lattice, &masks, 1));
        let (lower, upper) = (meet(&lattice, &a, &b), join(&lattice, &a, &b));
        let budget = Budget::unlimited();
        let clipped = Within::new(&lattice, &budget).clip(&lower, &v, &upper);
        let clipped = clipped.expect("no limit");
        prop_assert_eq!(&clipped, &meet(&lattice, &upper, &join(&lattice, &lower, &v)));
        prop_assert_eq!(&clipped, &join(&lattice, &lower, &meet(&lattice, &upper, &v)));
        let interval = Interval::new(lower.clone(), upper.clone());
        prop_assert_eq!(interval.exact().is_some(), lower == upper);
        prop_assert_eq!((interval.lower(), interval.upper()), (&lower, &upper));
    }
}

fn pairs(vectors: &[[i64; 3]]) -> Vec<(i64, (i64, i64))> {
    vectors.iter().map(|&[a, b, c]| (a, (b, c))).collect()
}

/// Packets of plane vectors.
fn packets() -> impl Strategy<Value = Vec<Vec<[i64; 2]>>> {
    let packet = prop::collection::vec(prop::array::uniform2(0_i64..5), 0..4);
    prop::collection::vec(packet, 0..5)
}

/// The homomorphism into a chain that extends a monotone function: the greatest over all packets of
/// the least over their vectors.
fn extend(value: &Free, f: impl Fn(&[Extended]) -> Extended) -> Extended {
    let packet = |p: &Antichain<Box<[Extended]>>| {
        let least = p.maximal().iter().map(|v| f(v)).min();
        least.unwrap_or(Extended::PosInf)
    };
    let greatest = value.maximal().iter().map(packet).max();
    greatest.unwrap_or(Extended::NegInf)
}

/// A monotone function: a weighted sum, a rank in one component, or the lesser of the two.
fn monotone(kind: u8, weights: [i64; 2], v: &[Extended]) -> Extended {
    let [Extended::Finite(x), Extended::Finite(y)] = *v else {
        panic!("plane vectors are finite: {v:?}")
    };
    let (x, y) = (x * weights[0], y * weights[1]);
    Extended::Finite(match kind {
        0 => x + y,
        1 => x.max(y),
        _ => x.min(y),
    })
}

proptest! {
    #[test]
    fn the_free_lattice_extends_monotone_functions_and_nothing_else(
        a in packets(),
        b in packets(),
        kind in 0_u8..3,
        weights in prop::array::uniform2(0_i64..4),
    ) {
        let lattice = FreeLattice::of_vectors(2);
        let (x, y) = (free(&lattice, a), free(&lattice, b));
        let value = |e: &Free| extend(e, |v| monotone(kind, weights, v));
        prop_assert_eq!(value(&meet(&lattice, &x, &y)), value(&x).min(value(&y)));
        prop_assert_eq!(value(&join(&lattice, &x, &y)), value(&x).max(value(&y)));
        prop_assert_eq!(value(&lattice.bottom()), Extended::NegInf);
        prop_assert_eq!(value(&lattice.top()), Extended::PosInf);
        // Free: x lies below y exactly if it does under every homomorphism, and those that ask
        // "above some vector of a packet of x" are enough.
        let separated = x.maximal().iter().any(|packet| {
            let above = |v: &[Extended]| {
                let below_v = |p: &[Extended]| p.iter().zip(v).all(|(p, v)| p <= v);
 let above_some = packet.maximal().iter().any(|p| below_v(p));
 Extended::Finite(i64::from(above_some))
            };
            extend(&x, above) > extend(&y, above)
        });
        prop_assert_eq!(leq(&lattice, &x, &y), !separated);
        // Minimal vectors in a packet, maximal packets in a value, each once and in order.
        for value in [meet(&lattice, &x, &y), join(&lattice, &x, &y), x] {
            prop_assert!(value.maximal().is_sorted());
            let again = lattice.generated_by(value.maximal().iter().rev().cloned(), &Budget::unlimited());
            prop_assert_eq!(again, Ok(value));
        }
    }

    #[test]
    fn down_sets_of_a_chain_are_the_chain_with_a_new_bottom(numbers in prop::collection::vec(0_i64..100, 4)) {
        let chain = Chain::new(0, 99).expect("in order");
        let lattice = DownSets::over(chain);
        let with_bottom = Chain::new(-1, 99).expect("in order");
        let all: Vec<_> = numbers.into_iter().map(|n| lattice.principal(n)).chain([lattice.bottom()]).collect();
        check_same(&lattice, &with_bottom, &all, |d| d.maximal().first().copied().unwrap_or(-1));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn large_families_meet_and_join_as_the_plain_definition_says(
        sets in prop::collection::vec(any::<[u64; 2]>(), 70),
    ) {
        let lattice = Families::<Words<2>>::of_worlds(128).expect("it fits");
        let family = |sets: &[[u64; 2]]| {
            let sets = sets.iter().copied().map(Words);
            lattice.generated_by(sets, &Budget::unlimited()).expect("no limit")
        };
        let maximal = |all: BTreeSet<[u64; 2]>| -> Vec<Words<2>> {
            let inside = |[a, b]: &[u64; 2], [c, d]: &[u64; 2]| a & !c == 0 && b & !d == 0;
            let kept = all.iter().filter(|x| all.iter().filter(|y| inside(x, y)).count() == 1);
            kept.copied().map(Words).collect()
        };
        let (a, b) = sets.split_at(40);
        let pairs = a.iter().flat_map(|x| b.iter().map(|y| [x[0] & y[0], x[1] & y[1]]));
        let result = meet(&lattice, &family(a), &family(b));
        prop_assert_eq!(result.maximal(), maximal(pairs.collect()));
        prop_assert!(result.maximal().len() > 1000);
        let result = join(&lattice, &family(a), &family(b));
        prop_assert_eq!(result.maximal(), maximal(sets.iter().copied().collect()));
    }
}
