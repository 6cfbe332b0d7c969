//! An algorithm, a lattice and a graph of one's own, held against the specification.

mod absorbing;
mod partitions;
mod plans;

use meetjoin::lattice::{Budget, Lattice, laws};
use meetjoin::search::{Counts, Env, Table, minimax_cached};

use absorbing::absorbing;
use partitions::{Partitions, STATIONS, cable};
use plans::Plans;

fn main() {
    // A lattice of one's own is checked before it is believed: all cables, and pairs of them.
    let pairs = (0..STATIONS).flat_map(|one| (0..one).map(move |other| cable(one, other)));
    let cables: Vec<_> = pairs.collect();
    let budget = Budget::unlimited();
    let mut elements = cables.clone();
    for (place, one) in cables.iter().enumerate() {
        for other in cables.iter().skip(place).step_by(5) {
            let mut both = *one;
            assert_eq!(Partitions.join_assign(&mut both, other, &budget), Ok(()));
            elements.push(both);
        }
    }
    assert_eq!(laws::check_lattice(&Partitions, &elements), Ok(()));
    assert!(laws::check_distributive(&Partitions, &elements).is_err());

    let (mut all, mut needed) = (0, 0);
    for seed in 0..1000 {
        let plans = Plans {
            seed,
            levels: 9,
            width: 12,
        };
        let env = || Env::new(&budget).with_observer(Counts::default());
        let mut specification = env().with_store(Table::new());
        let expected = minimax_cached(&plans, &plans, &mut specification);
        let mut own = env().with_store(Table::new());
        let found = absorbing(&plans, &plans, &mut own);
        assert!(
            found.exact().is_some() && found.exact() == expected.exact(),
            "seed {seed}"
        );
        all += specification.observer.visits;
        needed += own.observer.visits;

        // The driver stops it at any visit, with bounds that hold.
        for visits in (1..own.observer.visits).step_by(7) {
            let few = Budget::visits_at_most(visits);
            let stopped = absorbing(&plans, &plans, &mut Env::new(&few).with_store(Table::new()));
            let (lower, upper) = (stopped.value.lower(), stopped.value.upper());
            let below = |a, b| Partitions.leq(a, b, &budget) == Ok(true);
            assert!(
                found
                    .exact()
                    .is_some_and(|value| below(lower, value) && below(value, upper)),
                "seed {seed}, {visits} visits"
            );
        }
    }
    println!("1000 plans: {all} visits by the definition, {needed} with cuts at top and bottom");
}
