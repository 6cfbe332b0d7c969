//! What a lattice says besides its operations is said by every lattice made of it: nothing fails
//! where it is forgotten, only searches are slower.

use std::cmp::Ordering;

use meetjoin_lattice::{
    AnyElem, AnyLattice, Bool, Budget, Chain, Distributive, Dual, Extended, Families, FixedBitSet,
    FreeLattice, HeavyFamilies, Lattice, Powerset, Product, Shown, Total, TotalOrder, Weights,
    Words, laws,
};

use crate::laws::families;
use crate::support::{closure, free};

/// Checks that ranks tell elements apart, and that some are shortened from either side; and the
/// laws of both.
fn check<L: Lattice>(lattice: &L, elements: &[L::Elem]) {
    laws::check_rank(lattice, elements).expect("ranks");
    assert!(lattice.rank(&lattice.bottom()) < lattice.rank(&lattice.top()));
    laws::check_shortening(lattice, elements).expect("shortening");
    let budget = Budget::unlimited();
    let (bottom, top) = (lattice.bottom(), lattice.top());
    let (mut lower, mut upper) = (0, 0);
    for a in elements {
        for b in elements {
            let shorter = |shown| {
                let shorter = lattice.shorten(a, shown, &budget);
                usize::from(shorter.expect("no limit").is_some())
            };
            lower += shorter(Shown::Lower {
                alpha: b,
                upper: &top,
            });
            upper += shorter(Shown::Upper {
                beta: b,
                lower: &bottom,
            });
        }
    }
    assert!(lower > 0 && upper > 0, "{lower} and {upper} are shortened");
}

/// The same for the dual, which has ranks turned round.
fn check_both<L: Lattice>(lattice: &L, elements: &[L::Elem]) {
    check(lattice, elements);
    check(&Dual(lattice), elements);
}

#[test]
fn wrappers_of_families() {
    let (lattice, all) = families::<Words<1>>(3);
    check_both(&&lattice, &all);
    check(&Dual(Dual(&lattice)), &all);
    let weights = Weights::equal(3);
    let heavy = HeavyFamilies::new(&lattice, Words([0b111]), &weights, 1);
    let part = |family| heavy.heavy_part(family, &Budget::unlimited());
    let parts: Vec<_> = all.iter().map(|f| part(f).expect("no limit")).collect();
    check(&heavy, &parts);
    // Within a universe that is smaller.
    let few = HeavyFamilies::new(&lattice, Words([0b011]), &weights, 0);
    let part = |family| few.heavy_part(family, &Budget::unlimited());
    let parts: Vec<_> = all.iter().map(|f| part(f).expect("no limit")).collect();
    laws::check_shortening(&few, &parts).expect("shortening");
}

#[test]
fn products_of_families() {
    let (lattice, all) = families::<Words<1>>(2);
    let pairs = || all.iter().flat_map(|a| all.iter().map(move |b| (a, b)));
    let pair: Vec<_> = pairs().map(|(a, b)| (a.clone(), b.clone())).collect();
    check(&(&lattice, &lattice), &pair);
    let arrays: Vec<_> = pairs().map(|(a, b)| [a.clone(), b.clone()]).collect();
    check(&[&lattice; 2], &arrays);
    let lists: Vec<Box<[_]>> = arrays.iter().map(|a| Box::from(&a[..])).collect();
    check(&Product::power(&lattice, 2), &lists);
}

#[test]
fn the_lattice_chosen_at_run_time() {
    let (_, small) = families::<Words<1>>(3);
    let small: Vec<AnyElem> = small.into_iter().map(AnyElem::SmallFamily).collect();
    let any = AnyLattice::families(3);
    check(&any, &small);
    check(&AnyLattice::Dual(Box::new(Dual(any.clone()))), &small);
    let licensed = Distributive::try_from(any.clone()).expect("distributive");
    check(&licensed, &small);
    let one = AnyLattice::Product(Product::new([any]));
    let tuples = small.iter().map(|f| AnyElem::Tuple(Box::from([f.clone()])));
    check(&one, &tuples.collect::<Vec<_>>());
    let (large, all) = families::<FixedBitSet>(3);
    let all: Vec<AnyElem> = all.into_iter().map(AnyElem::Family).collect();
    check(&AnyLattice::Families(large), &all);
    let free_lattice = FreeLattice::of_vectors(2);
    let all = closure(
        &free_lattice,
        (0..3).map(|i| free(&free_lattice, [[[i, 2 - i]]])),
    );
    let all: Vec<AnyElem> = all.into_iter().map(AnyElem::Free).collect();
    let any = AnyLattice::Free(free_lattice);
    laws::check_shortening(&any, &all).expect("shortening");
    // A chain has no lists.
    let total = Total::try_from(AnyLattice::families(1)).expect("a chain");
    assert!(total.rank(&total.bottom()) < total.rank(&total.top()));
}

/// Checks that the middle of two elements is told through what is made of a chain, and the
/// neighbours there.
fn check_split<L: TotalOrder>(chain: &L, [lower, middle, upper]: [&L::Elem; 3]) {
    assert_eq!(chain.split(lower, upper).as_ref(), Some(middle));
    let halves = chain
        .halves(lower, upper)
        .expect("integers have neighbours");
    assert_eq!(halves.steps, 100);
    assert_eq!(chain.compare(&halves.below, &halves.above), Ordering::Less);
    assert!(halves.below == *middle || halves.above == *middle);
    assert_eq!(chain.compare(lower, &halves.below), Ordering::Less);
    assert_eq!(chain.compare(&halves.above, upper), Ordering::Less);
}

#[test]
fn wrappers_of_chains_split() {
    let chain = Chain::new(0, 100).expect("in order");
    check_split(&&chain, [&0, &50, &100]);
    check_split(&Dual(&chain), [&100, &50, &0]);
    check_split(&Dual(Dual(&chain)), [&0, &50, &100]);
    let numbers = [0, 50, 100].map(|number| AnyElem::Integer(Extended::Finite(number)));
    let [lower, middle, upper] = &numbers;
    let ends = [0, 100].map(Extended::Finite);
    let any = AnyLattice::Integers(Chain::new(ends[0], ends[1]).expect("in order"));
    let total = Total::try_from(any.clone()).expect("a chain");
    check_split(&total, [lower, middle, upper]);
    let dual = AnyLattice::Dual(Box::new(Dual(any)));
    let total = Total::try_from(dual).expect("a chain");
    check_split(&total, [upper, middle, lower]);
}

#[test]
fn the_parts_of_a_bound_are_dropped_and_raised() {
    let lattice = Families::<Words<1>>::of_worlds(4).expect("it fits");
    let budget = Budget::unlimited();
    let family = |sets: &[u64]| {
        let sets = sets.iter().map(|set| Words([*set]));
        lattice.generated_by(sets, &budget).expect("no limit")
    };
    let a = family(&[0b0011, 0b0101, 0b1001]);
    let (alpha, top) = (family(&[0b0111]), lattice.top());
    let shown = Shown::Lower {
        alpha: &alpha,
        upper: &top,
    };
    assert_eq!(
        lattice.shorten(&a, shown, &budget),
        Ok(Some(family(&[0b1001])))
    );
    // Two of the three sets are the same within {0, 1}.
    let (beta, bottom) = (family(&[0b0011]), lattice.bottom());
    let shown = Shown::Upper {
        beta: &beta,
        lower: &bottom,
    };
    assert_eq!(
        lattice.shorten(&a, shown, &budget),
        Ok(Some(family(&[0b1111])))
    );
    // Sets themselves, and families of one set, are as short as they get.
    assert_eq!(lattice.shorten(&alpha, shown, &budget), Ok(None));
    let sets = Powerset::<Words<1>>::new(4).expect("it fits");
    let (full, empty) = (sets.top(), sets.bottom());
    let shown = Shown::Upper {
        beta: &full,
        lower: &empty,
    };
    assert_eq!(sets.shorten(&Words([1]), shown, &budget), Ok(None));
    assert_eq!(Bool.rank(&true), 0);
}
