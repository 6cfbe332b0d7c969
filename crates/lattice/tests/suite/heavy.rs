//! The heavy parts of families: a lattice, the image of the families under a homomorphism, and
//! bounds when stopped.

use fixedbitset::FixedBitSet;
use meetjoin_lattice::{
    Antichain, Budget, Families, HeavyFamilies, Lattice, TooHeavy, Weights, Words, WorldSet,
};
use proptest::prelude::*;

use crate::laws::families;
use crate::support::{join, leq, meet, prove, step_limit, word};

fn part<B: WorldSet>(heavy: &HeavyFamilies<'_, B>, family: &Antichain<B>) -> Antichain<B> {
    let part = heavy.heavy_part(family, &Budget::unlimited());
    part.expect("no limit")
}

/// Proves the heavy parts of all families, and that taking them is a homomorphism onto them.
fn check<B: WorldSet>(worlds: usize, universe: &[usize], weights: &[u64], threshold: u64) {
    let (lattice, all) = families::<B>(worlds);
    let universe = lattice.base().set(universe.iter().copied());
    let universe = universe.expect("worlds exist");
    let weights = Weights::new(weights.iter().copied()).expect("they are small");
    let heavy = HeavyFamilies::new(&lattice, universe, &weights, threshold);
    let mut parts: Vec<Antichain<B>> = all.iter().map(|family| part(&heavy, family)).collect();
    for (a, x) in all.iter().zip(&parts) {
        let mut sets = x.maximal().iter();
        assert!(
            sets.all(|set| weights.of_set(set) >= threshold && set.is_subset(heavy.universe()))
        );
        for (b, y) in all.iter().zip(&parts) {
            assert_eq!(part(&heavy, &join(&lattice, a, b)), join(&heavy, x, y));
            assert_eq!(part(&heavy, &meet(&lattice, a, b)), meet(&heavy, x, y));
        }
    }
    assert_eq!(part(&heavy, &lattice.top()), heavy.top());
    parts.sort();
    parts.dedup();
    prove(&heavy, &parts, true);
}

#[test]
fn heavy_parts_are_a_distributive_image_of_the_families() {
    for threshold in [0, 1, 2, 3, 4, 6, 7, 10, u64::MAX] {
        check::<Words<1>>(3, &[0, 1, 2], &[1, 1, 1], threshold);
        check::<Words<2>>(3, &[0, 1, 2], &[4, 2, 1], threshold);
        check::<FixedBitSet>(3, &[0, 1, 2], &[3, 3, 0], threshold);
        check::<Words<1>>(3, &[0, 2], &[1, 5, 2], threshold);
        check::<Words<1>>(3, &[], &[1, 5, 2], threshold);
    }
}

#[test]
fn with_the_threshold_0_nothing_is_dropped() {
    let (lattice, all) = families::<Words<1>>(3);
    let weights = Weights::equal(3);
    let heavy = HeavyFamilies::new(&lattice, word(0b111), &weights, 0);
    for family in &all {
        assert_eq!(part(&heavy, family), *family);
    }
}

#[test]
fn weights_that_add_up_to_too_much_are_refused() {
    assert_eq!(Weights::new([u64::MAX, 1]), Err(TooHeavy));
    let most = Weights::new([u64::MAX - 1, 1, 0]).expect("it fits");
    assert_eq!(most.of_set(&word(0b111)), u64::MAX);
    assert_eq!((most.worlds(), most.of_world(3)), (3, 0));
    // The whole universe is as heavy as a number can be.
    let lattice = Families::<Words<1>>::of_worlds(3).expect("it fits");
    let heavy = HeavyFamilies::new(&lattice, word(0b111), &most, u64::MAX);
    assert!(heavy.is_heavy(&word(0b011)) && !heavy.is_heavy(&word(0b101)));
}

/// Families over ten worlds and a threshold.
fn masks() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(0_u64..1024, 0..12)
}

proptest! {
    #[test]
    fn a_stopped_operation_leaves_a_heavy_part_between_old_and_new(
        (a, b) in (masks(), masks()),
        weights in prop::collection::vec(0_u64..4, 10),
        threshold in 0_u64..12,
    ) {
        let lattice = Families::<Words<1>>::of_worlds(10).expect("it fits");
        let weights = Weights::new(weights).expect("they are small");
        let heavy = HeavyFamilies::new(&lattice, word(1023), &weights, threshold);
        let family = |masks: &[u64]| {
            let family = lattice.generated_by(masks.iter().map(|m| word(*m)), &Budget::unlimited());
            part(&heavy, &family.expect("no limit"))
        };
        let (a, b) = (family(&a), family(&b));
        let (joined, met) = (join(&heavy, &a, &b), meet(&heavy, &a, &b));
        for steps in 0..60 {
            let mut x = a.clone();
            let stopped = heavy.join_assign(&mut x, &b, &step_limit(steps)).is_err();
            prop_assert!(leq(&heavy, &a, &x) && leq(&heavy, &x, &joined));
            prop_assert!(stopped || x == joined);
            prop_assert_eq!(&part(&heavy, &x), &x);
            let mut x = a.clone();
            let stopped = heavy.meet_assign(&mut x, &b, &step_limit(steps)).is_err();
            prop_assert!(leq(&heavy, &met, &x) && leq(&heavy, &x, &a));
            prop_assert!(stopped || x == met);
            prop_assert_eq!(&part(&heavy, &x), &x);
        }
    }
}

proptest! {
    /// What many sets generate is what they generate one by one, however often each comes.
    #[test]
    fn many_sets_at_once(sets in proptest::collection::vec(0_u64..1 << 12, 0..300)) {
        let families = Families::<Words<1>>::of_worlds(12).expect("it fits");
        let budget = Budget::unlimited();
        let sets: Vec<Words<1>> = sets.into_iter().map(|set| Words([set])).collect();
        let one_by_one = families.generated_by(sets.iter().copied(), &budget);
        prop_assert_eq!(families.generated_by_many(sets, &budget), one_by_one);
    }
}
