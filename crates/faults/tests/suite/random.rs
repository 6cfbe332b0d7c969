//! Random trees of up to 16 events against enumeration.

use std::collections::HashSet;

use meetjoin_faults::tree::FaultTree;
use meetjoin_faults::tree::{Argument, BasicEvent, Connective, Gate};
use meetjoin_faults::{Analysis, BigUint, Literal, Sets, fault_tree_from_text};
use meetjoin_lattice::{Budget, Limits};
use proptest::prelude::*;

use crate::enumeration::{dual, minimal, primes, probability, table};

/// A tree: how many events, and for each gate a number for its connective and numbers for its
/// arguments.
fn tree(most_events: usize, negations: bool) -> impl Strategy<Value = FaultTree> {
    let gate = (any::<u16>(), prop::collection::vec(any::<u16>(), 1..5));
    let gates = prop::collection::vec(gate, 1..14);
    (
        1..=most_events,
        gates,
        prop::collection::vec(0.0..=1.0, most_events),
    )
        .prop_map(move |(events, gates, probabilities)| {
            let built = gates.iter().enumerate().map(|(number, (kind, selectors))| {
                let argument = |selector: &u16| {
                    let selector = usize::from(*selector);
                    // Mostly the gates just before, so that the top leads to most of them; now and
                    // then a constant.
                    match selector % 16 {
                        0 => Argument::Constant(selector / 16 % 2 == 0),
                        1..=8 if number > 0 => {
                            Argument::Gate((number - 1 - selector / 16 % number.min(4)) as u32)
                        }
                        _ => Argument::Event((selector / 16 % events) as u32),
                    }
                };
                let mut arguments: Vec<Argument> = selectors.iter().map(argument).collect();
                let kinds = if negations { 7 } else { 3 };
                let connective = match kind % kinds {
                    0 => Connective::And,
                    1 => Connective::Or,
                    2 => Connective::AtLeast(u32::from(*kind) / 7 % (arguments.len() as u32 + 1)),
                    3 => Connective::Xor,
                    4 => Connective::Nand,
                    5 => Connective::Nor,
                    _ => {
                        arguments.truncate(1);
                        Connective::Not
                    }
                };
                Gate {
                    name: None,
                    connective,
                    arguments,
                }
            });
            let gates: Vec<Gate> = built.collect();
            let event = |(number, p): (usize, &f64)| BasicEvent {
                name: format!("e{number}"),
                probability: Some(*p),
            };
            let events = probabilities
                .iter()
                .take(events)
                .enumerate()
                .map(event)
                .collect();
            let top = Argument::Gate(gates.len() as u32 - 1);
            FaultTree::new(gates, events, top).expect("it is sound")
        })
}

fn probabilities(tree: &FaultTree) -> Vec<f64> {
    tree.events()
        .iter()
        .map(|event| event.probability.expect("each has one"))
        .collect()
}

fn bits(set: &[Literal], positive: bool) -> u32 {
    set.iter()
        .filter(|literal| literal.positive == positive)
        .map(|literal| 1 << literal.event)
        .sum()
}

/// All sets by size, checked against the order and the counts, as events that occur and events that
/// do not.
fn listed(analysis: &Analysis) -> Vec<(u32, u32)> {
    let budget = Budget::unlimited();
    let mut sets = analysis.by_size(u32::MAX, &budget).expect("no limit");
    let (mut found, mut order) = (Vec::new(), 0);
    let mut counts = analysis.by_order(&budget).expect("no limit");
    while let Some(set) = sets.next_set(&budget).expect("no limit") {
        assert!(set.len() >= order, "the smallest come first");
        order = set.len();
        assert!(set.is_sorted());
        counts[order] -= 1_u32;
        found.push((bits(&set, true), bits(&set, false)));
    }
    assert!(
        counts.iter().all(|count| *count == BigUint::default()),
        "left over: {counts:?}"
    );
    found.sort_unstable();
    found
}

/// The same by probability.
fn listed_by_probability(analysis: &Analysis, events: &[f64]) -> Vec<(u32, u32)> {
    let budget = Budget::unlimited();
    let mut sets = analysis.by_probability(events, &budget).expect("no limit");
    let (mut found, mut last) = (Vec::new(), f64::INFINITY);
    while let Some((set, product)) = sets.next_set(&budget).expect("no limit") {
        assert!(
            product <= last * (1.0 + 1e-12),
            "the most probable come first: {product} after {last}"
        );
        last = product;
        found.push((bits(&set, true), bits(&set, false)));
    }
    found.sort_unstable();
    found
}

fn positive(sets: Vec<u32>) -> Vec<(u32, u32)> {
    let mut sets: Vec<(u32, u32)> = sets.into_iter().map(|set| (set, 0)).collect();
    sets.sort_unstable();
    sets
}

fn check(tree: &FaultTree) {
    let budget = Budget::unlimited();
    let table = table(tree);
    let events = probabilities(tree);
    let analysis = Analysis::of(tree, Sets::Cuts, &budget);
    assert_eq!(analysis.stop, None);
    let cuts = positive(minimal(&table));
    assert_eq!(listed(&analysis), cuts);
    assert_eq!(listed_by_probability(&analysis, &events), cuts);
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-12;
    let top = probability(&table, &events, None);
    let (lower, upper) = analysis.probability(&events, &budget).expect("no limit");
    assert!(
        near(lower, top) && near(upper, top),
        "{lower} {upper} {top}"
    );
    let mut important = vec![false; events.len()];
    for i in analysis.importance(&events, &budget).expect("no limit") {
        let event = i.event as usize;
        important[event] = true;
        let [with, without] =
            [true, false].map(|state| probability(&table, &events, Some((event, state))));
        assert!(near(i.birnbaum, with - without), "{i:?} {with} {without}");
        if top > 1e-6 {
            assert!((i.fussell_vesely.expect("not 0") - (top - without) / top).abs() < 1e-6);
            assert!((i.risk_achievement.expect("not 0") - with / top).abs() < 1e-6);
        }
        // Nothing is left, or something is, and rounding does not decide that.
        assert_eq!(
            i.risk_reduction.is_none(),
            without <= 0.0,
            "{i:?} {without}"
        );
        if without > 1e-6 {
            assert!(
                (i.risk_reduction.expect("not 0") - top / without).abs() < 1e-6 * top / without
            );
        }
    }
    for event in (0..events.len()).filter(|&event| !important[event]) {
        let depends = (0..table.len()).any(|s| table[s] != table[s ^ (1 << event)]);
        assert!(!depends, "event {event} matters");
    }
    let paths = Analysis::of(tree, Sets::Paths, &budget);
    assert_eq!(listed(&paths), positive(minimal(&dual(&table))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn coherent_trees(tree in tree(9, false)) {
        check(&tree);
    }

    #[test]
    fn trees_with_negations(tree in tree(8, true)) {
        check(&tree);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn sixteen_events(tree in tree(16, true)) {
        check(&tree);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn prime_implicants(tree in tree(6, true)) {
        let table = table(&tree);
        let analysis = Analysis::of(&tree, Sets::PrimeImplicants, &Budget::unlimited());
        let primes = primes(&table, tree.events().len());
        assert_eq!(listed(&analysis), primes);
        assert_eq!(listed_by_probability(&analysis, &probabilities(&tree)), primes);
    }

    #[test]
    fn a_stop_leaves_true_bounds(tree in tree(8, true), steps in 0_u64..400) {
        let budget = Budget::new(Limits { steps: Some(steps), ..Limits::default() });
        let analysis = Analysis::of(&tree, Sets::Cuts, &budget);
        let events = probabilities(&tree);
        let table = table(&tree);
        let free = Budget::unlimited();
        let (lower, upper) = analysis.probability(&events, &free).expect("no limit");
        let top = probability(&table, &events, None);
        prop_assert!(lower <= top + 1e-12 && top <= upper + 1e-12);
        let cuts = positive(minimal(&table));
        prop_assert!(listed(&analysis).iter().all(|set| cuts.contains(set)));
        prop_assert!(analysis.stop.is_some() || listed(&analysis) == cuts);
    }
}

/// Where all events are as probable, all sets are: the search goes on to one of them, and does not
/// begin all of them.
#[test]
fn sets_as_probable_as_all_others_come_at_once() {
    for p in [0.1_f64, 0.3, 0.5] {
        let gates: Vec<String> = (0..40).map(|gate| format!("g{gate}")).collect();
        let mut text = format!("top = and {}\n", gates.join(" "));
        for gate in gates {
            text += &format!("{gate} = or {gate}a {gate}b {gate}c\n");
            text += &format!("{gate}a = {p}\n{gate}b = {p}\n{gate}c = {p}\n");
        }
        let tree = fault_tree_from_text(&text, None).expect("a tree");
        let analysis = Analysis::of(&tree, Sets::Cuts, &Budget::unlimited());
        let steps = Limits {
            steps: Some(20_000),
            ..Limits::default()
        };
        let (budget, events) = (Budget::new(steps), probabilities(&tree));
        let mut sets = analysis
            .by_probability(&events, &budget)
            .expect("few steps");
        let mut met = HashSet::new();
        for _ in 0..50 {
            let next = sets.next_set(&budget).expect("few steps");
            let (set, probability) = next.expect("there are 3^40");
            assert!((probability / p.powi(40) - 1.0).abs() < 1e-12);
            assert_eq!(set.len(), 40);
            met.insert(set);
        }
        assert_eq!(met.len(), 50, "each is another");
    }
}
