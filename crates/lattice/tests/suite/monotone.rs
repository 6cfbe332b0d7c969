//! Functions as diagrams against truth tables.

use meetjoin_lattice::diagram::{Function, Functions};
use meetjoin_lattice::{Budget, Lattice, Limits, Monotone, Stop, laws};
use proptest::prelude::*;

const EVENTS: u32 = 6;

/// A join of meets of literals.
fn sets() -> impl Strategy<Value = Vec<Vec<i64>>> {
    let literal = (1..=i64::from(EVENTS), any::<bool>())
        .prop_map(|(event, sign)| if sign { event } else { -event });
    prop::collection::vec(prop::collection::vec(literal, 0..4), 0..6)
}

fn is_true(sets: &[Vec<i64>], point: u32) -> bool {
    let holds = |&literal: &i64| (point >> (literal.unsigned_abs() - 1) & 1 == 1) == (literal > 0);
    sets.iter().any(|set| set.iter().all(holds))
}

fn table(sets: &[Vec<i64>]) -> Vec<bool> {
    (0..1 << EVENTS).map(|point| is_true(sets, point)).collect()
}

fn of(lattice: &Monotone, sets: &[Vec<i64>]) -> Function {
    lattice
        .of_sets(sets, &Budget::unlimited())
        .expect("no limit")
}

fn table_of(lattice: &Monotone, value: Function) -> Vec<bool> {
    let sets = lattice
        .sets(value, usize::MAX, &Budget::unlimited())
        .expect("no limit");
    table(&sets.expect("no limit"))
}

proptest! {
    #[test]
    fn operations_are_those_of_truth_tables(a in sets(), b in sets()) {
        let (lattice, budget) = (Monotone::new(EVENTS), Budget::unlimited());
        let [x, y] = [&a, &b].map(|sets| of(&lattice, sets));
        let [ta, tb] = [&a, &b].map(|sets| table(sets));
        prop_assert_eq!(table_of(&lattice, x), ta.clone());
        let each = |f: fn(bool, bool) -> bool| ta.iter().zip(&tb).map(|(&a, &b)| f(a, b)).collect::<Vec<bool>>();
        let (mut meet, mut join) = (x, x);
        lattice.meet_assign(&mut meet, &y, &budget).expect("no limit");
        lattice.join_assign(&mut join, &y, &budget).expect("no limit");
        prop_assert_eq!(table_of(&lattice, meet), each(|a, b| a && b));
        prop_assert_eq!(table_of(&lattice, join), each(|a, b| a || b));
        prop_assert_eq!(lattice.leq(&x, &y, &budget), Ok(ta.iter().zip(&tb).all(|(a, b)| a <= b)));
        prop_assert_eq!(x == y, ta == tb);
    }

    #[test]
    fn laws_hold(a in sets(), b in sets(), c in sets()) {
        let lattice = Monotone::new(EVENTS);
        let elements = [&a, &b, &c].map(|sets| of(&lattice, sets));
        laws::check_lattice(&lattice, &elements).expect("a lattice");
        laws::check_distributive(&lattice, &elements).expect("distributive");
    }

    #[test]
    fn what_is_in_use_survives_a_collection(a in sets(), b in sets()) {
        let (lattice, budget) = (Monotone::new(EVENTS), Budget::unlimited());
        let x = of(&lattice, &a);
        of(&lattice, &b);
        lattice.collect(&[x]);
        prop_assert_eq!(table_of(&lattice, x), table(&a));
        prop_assert_eq!(of(&lattice, &a), x);
        let mut join = of(&lattice, &b);
        lattice.join_assign(&mut join, &x, &budget).expect("no limit");
        let both = [a, b].concat();
        prop_assert_eq!(table_of(&lattice, join), table(&both));
    }

    #[test]
    fn a_stop_changes_nothing(a in sets(), b in sets(), steps in 0_u64..20) {
        let lattice = Monotone::new(EVENTS);
        let [x, y] = [&a, &b].map(|sets| of(&lattice, sets));
        let budget = Budget::new(Limits { steps: Some(steps), ..Limits::default() });
        let mut meet = x;
        if let Err(stop) = lattice.meet_assign(&mut meet, &y, &budget) {
            prop_assert_eq!((stop, meet), (Stop::Time, x));
        }
        lattice.meet_assign(&mut meet, &y, &Budget::unlimited()).expect("no limit");
        let met = table(&a).iter().zip(table(&b)).map(|(&a, b)| a && b).collect::<Vec<bool>>();
        prop_assert_eq!(table_of(&lattice, meet), met);
    }
}

#[test]
fn values_that_fit_no_list() {
    // One of two, 40 times: 2^40 sets of 40 events, in 80 nodes.
    let (lattice, budget) = (Monotone::new(80), Budget::unlimited());
    let mut value = lattice.top();
    for pair in 0..40 {
        let pair = of(&lattice, &[vec![2 * pair + 1], vec![2 * pair + 2]]);
        lattice
            .meet_assign(&mut value, &pair, &budget)
            .expect("no limit");
    }
    assert_eq!(lattice.sets(value, 1000, &budget), Ok(Err(1 << 40)));
    let full = lattice.sets(lattice.top(), 1, &budget);
    assert_eq!(full, Ok(Ok(vec![Vec::new()])));
}

#[test]
fn a_hundred_thousand_variables_need_no_stack() {
    let (lattice, budget) = (Monotone::new(100_000), Budget::unlimited());
    let all: Vec<i64> = (1..=100_000).rev().collect();
    let mut value = of(&lattice, &[all]);
    lattice
        .join_assign(&mut value, &of(&lattice, &[vec![1]]), &budget)
        .expect("no limit");
    assert_eq!(value, of(&lattice, &[vec![1]]));
}

/// Levels are doubled for literals, and the last ones are taken by what is no node.
#[test]
fn an_event_whose_level_there_is_not_is_refused() -> Result<(), Stop> {
    let (lattice, free) = (Monotone::new(u32::MAX), Budget::unlimited());
    let last = i64::from(u32::MAX);
    assert_eq!(lattice.of_sets(&[vec![last]], &free), Err(Stop::Lattice));
    for (event, has_literals) in [(last - 1, false), (1 << 31, false), ((1 << 31) - 1, true)] {
        let value = lattice.of_sets(&[vec![event]], &free)?;
        let sets = lattice.sets(value, 1, &free);
        let expected = has_literals.then(|| Ok(vec![vec![event]]));
        assert_eq!(sets, expected.ok_or(Stop::Lattice), "{event}");
    }
    Ok(())
}

#[test]
fn the_last_variable_stays_the_same_function() -> Result<(), Stop> {
    let (mut functions, free) = (Functions::default(), Budget::unlimited());
    let last = functions.variable(u32::MAX - 2, &free)?;
    functions.collect(&[last]);
    assert_eq!(functions.variable(u32::MAX - 2, &free), Ok(last));
    assert_eq!(functions.negated(u32::MAX - 1, &free), Err(Stop::Lattice));
    Ok(())
}
