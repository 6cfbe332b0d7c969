//! Every relaxation commutes with meet and join, and its bounds are the adjoints: for all elements
//! of small lattices.

use fixedbitset::FixedBitSet;
use meetjoin_lattice::{
    Antichain, Budget, Families, Lattice, Membership, Relaxation, Words, WorldSet, laws,
};
use proptest::prelude::*;

use crate::laws::families;
use crate::support::{leq, worlds};

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

proptest! {
    #[test]
    fn random_families(
        all in prop::collection::vec(prop::collection::vec(0..128_u64, 0..5), 2..8),
        asked in prop::collection::vec(0..128_u64, 0..6),
    ) {
        let lattice = Families::<Words<1>>::of_worlds(7).expect("it fits");
        let budget = Budget::unlimited();
        let family = |sets: Vec<u64>| {
            let sets = sets.into_iter().map(|word| Words([word]));
            lattice.generated_by(sets, &budget).expect("no limit")
        };
        let all: Vec<Antichain<Words<1>>> = all.into_iter().map(family).collect();
        let asked = asked.into_iter().map(|word| Words([word]));
        let asked = Membership::<_, Words<1>>::of(&lattice, asked, usize::MAX).expect("it fits");
        let images: Vec<_> = all.iter().map(|x| asked.image_of(x)).collect();
        check(&lattice, &asked, &all, &images);
    }
}
