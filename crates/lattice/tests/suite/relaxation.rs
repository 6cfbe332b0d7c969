//! Every relaxation commutes with meet and join, and its bounds are the adjoints: for all elements of small lattices.

use fixedbitset::FixedBitSet;
use meetjoin_lattice::{
    Antichain, Budget, Chain, Criteria, Divisors, Exponents, Extended, Families, FreeLattice,
    Lattice, Membership, Powerset, Product, Relaxation, SomeWorlds, Words, WorldSet, laws,
};
use proptest::prelude::*;

use crate::laws::families;
use crate::support::{Free, check_same, closure, free, leq, worlds};

fn check<L: Lattice, R: Relaxation<L>>(
    lattice: &L,
    relaxation: &R,
    elements: &[L::Elem],
    images: &[<R::Image as Lattice>::Elem],
) {
    laws::check_relaxation(lattice, relaxation, elements).expect("a relaxation");
    laws::check_adjoints(lattice, relaxation, elements, images).expect("adjoints");
}

#[test]
fn criteria_relax_the_free_lattice() {
    use Extended::{Finite, NegInf, PosInf};
    // All elements that these outcomes make, the infinite ones among them.
    let lattice = FreeLattice::of_vectors(2);
    let finite = [[0, 2], [1, 1], [2, 0]].map(|vector| free(&lattice, [[vector]]));
    let infinite = [[PosInf, PosInf], [NegInf, NegInf], [PosInf, Finite(0)]];
    let infinite = infinite.map(|vector| lattice.outcome(vector.into()));
    let all = closure(&lattice, finite.into_iter().chain(infinite));
    let numbers = [NegInf, Finite(0), Finite(1), Finite(2), Finite(3), PosInf];
    let images = numbers
        .iter()
        .flat_map(|&x| numbers.map(|y| Box::from([x, y])));
    check(
        &lattice,
        &Criteria::of(&lattice),
        &all,
        &images.collect::<Vec<_>>(),
    );

    let three = FreeLattice::of_vectors(3);
    let outcomes = [[0, 1, 2], [1, 2, 0], [2, 0, 1]].map(|vector| free(&three, [[vector]]));
    let all = closure(&three, outcomes);
    let images = all.iter().map(|x| Criteria::of(&three).image_of(x));
    check(
        &three,
        &Criteria::of(&three),
        &all,
        &images.collect::<Vec<_>>(),
    );

    let none = FreeLattice::of_vectors(0);
    let all = [none.bottom(), none.top(), none.outcome(Box::default())];
    laws::check_relaxation(&none, &Criteria::of(&none), &all[..2]).expect("a relaxation");
}

#[test]
fn exponents_are_the_divisors_in_another_form() {
    let budget = Budget::unlimited();
    for n in [1, 2, 49, 60, 360, 1 << 10] {
        let lattice = Divisors::of(n).expect("positive");
        let all: Vec<u64> = (1..=n).filter(|&d| lattice.contains(d)).collect();
        let exponents = Exponents::of(&lattice, &budget).expect("no limit");
        let image = |d: &u64| exponents.image_of(d);
        let images: Vec<_> = all.iter().map(image).collect();
        check(&lattice, &exponents, &all, &images);
        check_same(&lattice, exponents.image(), &all, image);
        for (d, image) in all.iter().zip(&images) {
            assert_eq!((exponents.above(image), exponents.below(image)), (*d, *d));
        }
    }
    let large = 4_294_967_291_u64 * 4_294_967_279;
    let lattice = Divisors::of(large).expect("positive");
    let exponents = Exponents::of(&lattice, &budget).expect("no limit");
    assert_eq!(exponents.primes(), [4_294_967_279, 4_294_967_291]);
    assert_eq!(exponents.above(&Box::from([1, 1])), large);
    let chains = Product::power(Chain::new(0, 1).expect("in order"), 2);
    assert_eq!(exponents.image(), &chains);
}

#[test]
fn some_worlds_relax_sets_and_families() {
    fn check_all<B: WorldSet, C: WorldSet>() {
        let (lattice, all) = families::<B>(3);
        let sets = |v: usize| (0..1 << v).map(worlds);
        for kept in sets(3) {
            let kept = lattice.base().set(kept).expect("worlds exist");
            let some = SomeWorlds::<B, C>::of(&lattice, &kept).expect("it fits");
            let few = kept.count();
            let subsets = sets(few).map(|set| {
                let base = Powerset::<C>::new(few).expect("it fits");
                base.set(set).expect("worlds exist")
            });
            let every = sets(3).map(|set| lattice.base().set(set).expect("worlds exist"));
            let every: Vec<B> = every.collect();
            check(lattice.base(), &some, &every, &subsets.collect::<Vec<_>>());
            let images = if few == 0 {
                let image = Families::<C>::of_worlds(0).expect("it fits");
                vec![image.bottom(), image.top()]
            } else {
                families::<C>(few).1
            };
            check(&lattice, &some, &all, &images);
        }
    }
    check_all::<Words<1>, Words<1>>();
    check_all::<FixedBitSet, Words<1>>();
    check_all::<Words<2>, FixedBitSet>();
    let (large, _) = families::<FixedBitSet>(3);
    let all = large.base().top();
    assert!(SomeWorlds::<_, Words<1>>::of(&large, &all).is_ok());
    let larger = Families::<FixedBitSet>::of_worlds(65).expect("no limit");
    assert!(SomeWorlds::<_, Words<1>>::of(&larger, &larger.base().top()).is_err());
}

#[test]
fn membership_relaxes_families() {
    fn check_all<B: WorldSet>() {
        let (lattice, all) = families::<B>(3);
        let set = |mask| lattice.base().set(worlds(mask)).expect("worlds exist");
        // Any two or three sets, asked for in any order; one twice.
        for chosen in 0..8 * 8 * 8 {
            let asked = [chosen & 7, chosen >> 3 & 7, chosen >> 6];
            let asked = asked.map(set);
            let images: Vec<Words<1>> = (0..8).map(|word| Words([word])).collect();
            let exact = Membership::of(&lattice, asked.clone(), usize::MAX).expect("it fits");
            check(&lattice, &exact, &all, &images);
            for most in [0, 1, 2] {
                let short = Membership::of(&lattice, asked.clone(), most).expect("it fits");
                laws::check_relaxation(&lattice, &short, &all).expect("a relaxation");
                for image in &images {
                    let above = short.above(image);
                    assert!(above.maximal().len() <= most.max(1));
                    assert!(leq(&lattice, &exact.above(image), &above));
                }
            }
        }
        // All sets tell the whole family.
        let every = Membership::<B, Words<1>>::of(&lattice, (0..8).map(set), usize::MAX);
        let every = every.expect("it fits");
        for family in &all {
            let image = every.image_of(family);
            assert_eq!(&every.above(&image), family);
            assert_eq!(&every.below(&image), family);
        }
        assert!(Membership::<B, Words<1>>::of(&lattice, (0..65).map(|i| set(i & 7)), 1).is_err());
    }
    check_all::<Words<1>>();
    check_all::<FixedBitSet>();
}

/// A relaxation may be one of several lattices.
fn image_of<L: Lattice, R: Relaxation<L>>(
    relaxation: &R,
    _: &L,
    element: &L::Elem,
) -> <R::Image as Lattice>::Elem {
    relaxation.image_of(element)
}

/// The join of random packets.
fn random_element(lattice: &FreeLattice, packets: &[Vec<[i64; 3]>]) -> Free {
    free(lattice, packets.iter().cloned())
}

proptest! {
    #[test]
    fn criteria_of_random_elements(
        all in prop::collection::vec(prop::collection::vec(prop::collection::vec(any::<[u8; 3]>(), 1..4), 0..4), 2..8),
    ) {
        let lattice = FreeLattice::of_vectors(3);
        let all: Vec<Free> = all
            .iter()
            .map(|packets| {
                let numbers = |v: &[u8; 3]| v.map(|n| i64::from(n % 5));
                let packets: Vec<Vec<_>> = packets.iter().map(|p| p.iter().map(numbers).collect()).collect();
                random_element(&lattice, &packets)
            })
            .collect();
        let criteria = Criteria::of(&lattice);
        let images: Vec<_> = all.iter().map(|x| criteria.image_of(x)).collect();
        check(&lattice, &criteria, &all, &images);
    }

    #[test]
    fn random_families(
        all in prop::collection::vec(prop::collection::vec(0..128_u64, 0..5), 2..8),
        asked in prop::collection::vec(0..128_u64, 0..6),
        kept in 0..128_u64,
    ) {
        let lattice = Families::<Words<1>>::of_worlds(7).expect("it fits");
        let budget = Budget::unlimited();
        let family = |sets: Vec<u64>| {
            let sets = sets.into_iter().map(|word| Words([word]));
            lattice.generated_by(sets, &budget).expect("no limit")
        };
        let all: Vec<Antichain<Words<1>>> = all.into_iter().map(family).collect();
        let some = SomeWorlds::<_, Words<1>>::of(&lattice, &Words([kept])).expect("it fits");
        let images: Vec<_> = all.iter().map(|x| image_of(&some, &lattice, x)).collect();
        check(&lattice, &some, &all, &images);
        let asked = asked.into_iter().map(|word| Words([word]));
        let asked = Membership::<_, Words<1>>::of(&lattice, asked, usize::MAX).expect("it fits");
        let images: Vec<_> = all.iter().map(|x| asked.image_of(x)).collect();
        check(&lattice, &asked, &all, &images);
    }
}
