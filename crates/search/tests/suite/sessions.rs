//! A session, against a model that knows the values: searches by any algorithm, in any window,
//! stopped anywhere or cancelled, over caches that they share and that forget.
//!
//! What must hold after every step: the outcome contains the truth, no limit means an exact answer,
//! and all that is remembered is true. A failure is shrunk to the shortest session that shows it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use meetjoin_dag::NodeId;
use meetjoin_lattice::{Budget, Chain, ElemOf, Interval, Lattice, Limits, Words};
use meetjoin_search::{Dense, Observer, Slot, Store, Table, Window};
use proptest::prelude::*;

use crate::interruption::{check_memory, check_outcome};
use crate::support::graphs::any_graph;
use crate::support::{ENGINES, Game, Memory, Runs, chain_engines, sets};

/// One step of a session.
#[derive(Clone, Debug)]
enum Step {
    /// A search: by which algorithm, in which window if it takes one, with which limits.
    Search {
        algorithm: prop::sample::Index,
        window: Option<(u8, u8)>,
        visits: Option<u64>,
        steps: Option<u64>,
        /// The visit at which somebody cancels.
        cancel: Option<u64>,
        /// Children in the opposite order.
        backwards: bool,
    },
    /// The caches keep the entries of the nodes whose bit is set, and forget the others.
    Forget(u64),
}

fn any_step() -> impl Strategy<Value = Step> {
    let limit = || prop::option::of(0..300_u64);
    let search = (
        any::<prop::sample::Index>(),
        prop::option::of(any::<(u8, u8)>()),
        limit(),
        limit(),
        limit(),
        any::<bool>(),
    );
    let search =
        search.prop_map(
            |(algorithm, window, visits, steps, cancel, backwards)| Step::Search {
                algorithm,
                window,
                visits,
                steps,
                cancel,
                backwards,
            },
        );
    prop_oneof![4 => search, 1 => any::<u64>().prop_map(Step::Forget)]
}

/// Cancels at a visit.
struct Canceller {
    left: Option<u64>,
    flag: Arc<AtomicBool>,
}

impl<E> Observer<NodeId, E> for Canceller {
    fn enter(&mut self, _: &NodeId, _: Option<(&E, &E)>) {
        self.left = self.left.map(|left| left.saturating_sub(1));
        if self.left == Some(0) {
            self.flag.store(true, Ordering::Relaxed);
        }
    }
}

/// The entries of some nodes.
fn forget<E: Clone>(
    memory: &Memory<E>,
    nodes: impl Iterator<Item = NodeId>,
    keep: u64,
    count: usize,
) -> Memory<E> {
    let free = Budget::unlimited();
    let mut kept = Memory {
        exact: Table::new(),
        duo: Table::new(),
        dense: Dense::new(count),
    };
    for node in nodes.filter(|node| keep >> (node.index() % 64) & 1 == 1) {
        if let Some(value) = memory.exact.get(&node).1 {
            let slot = kept.exact.get(&node).0;
            kept.exact
                .put(slot, &node, value.clone(), &free)
                .expect("no limit");
        }
        if let Some(value) = memory.duo.get(&node).1 {
            let slot = kept.duo.get(&node).0;
            kept.duo
                .put(slot, &node, value.clone(), &free)
                .expect("no limit");
        }
        if let Some(value) = memory.dense.get(&node).1 {
            kept.dense
                .put(Slot::NONE, &node, value.clone(), &free)
                .expect("no limit");
        }
    }
    kept
}

/// Goes through a session, and ends it with a search that nothing stops.
fn session<L: Lattice, E: Runs<L>>(
    game: &Game<L>,
    engines: &[E],
    elem: impl Fn(u8) -> ElemOf<L>,
    steps: &[Step],
) {
    let nodes = game.graph.node_count();
    let full = Window::full(&game.lattice);
    let mut memory = Memory::new(nodes);
    for step in steps {
        let Step::Search {
            algorithm,
            window,
            visits,
            steps,
            cancel,
            backwards,
        } = step
        else {
            let Step::Forget(keep) = step else { continue };
            memory = forget(&memory, game.graph.nodes(), *keep, nodes);
            continue;
        };
        let engine = *algorithm.get(engines);
        let window = match window {
            Some((alpha, beta)) if engine.takes_window() => Window {
                alpha: elem(*alpha),
                beta: elem(*beta),
            },
            _ => full.clone(),
        };
        let flag = Arc::new(AtomicBool::new(false));
        // Without a cache paths multiply, and a session is to be short.
        let most = if engine.is_uncached() {
            Some(visits.unwrap_or(2_000))
        } else {
            *visits
        };
        let budget = Budget::new(Limits {
            visits: most,
            steps: *steps,
            cancel: Some(Arc::clone(&flag)),
            ..Limits::default()
        });
        let canceller = Canceller {
            left: *cancel,
            flag,
        };
        let what = format!("{engine:?}, {step:?}");
        let order = |_: &NodeId, _: meetjoin_dag::Kind, children: &mut [NodeId]| {
            if *backwards {
                children.reverse();
            }
        };
        let outcome = engine.run(game, &window, &mut memory, &budget, canceller, order);
        check_outcome(game, &window, &outcome, &what);
        check_memory(game, &memory, &what);
        if (most, steps, cancel) == (None, &None, &None) {
            assert_eq!(outcome.stop, None, "{what}");
        }
    }
    for &engine in engines.iter().filter(|engine| !engine.is_uncached()) {
        let outcome = engine.run(game, &full, &mut memory, &Budget::unlimited(), (), ());
        assert_eq!(
            outcome.exact(),
            Some(&game.value()),
            "{engine:?} at the end"
        );
        check_memory(game, &memory, "at the end");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn over_sets(
        graph in any_graph(),
        words in prop::collection::vec(0..32_u64, 1..8),
        bounds in prop::option::of((0..32_u64, 0..32_u64)),
        steps in prop::collection::vec(any_step(), 1..12),
    ) {
        let values = (0..graph.leaf_count()).map(|i| Words([words[i % words.len()]])).collect();
        let mut game = Game { values, graph, lattice: sets(5), bounds: None };
        if let Some((alpha, beta)) = bounds {
            let loosen = |v: Words<1>| Interval::new(Words([v.0[0] & alpha]), Words([v.0[0] | beta]));
            game.bounds = Some(game.all_values().into_iter().map(loosen).collect());
        }
        session(&game, &ENGINES, |n| Words([u64::from(n % 32)]), &steps);
    }

    #[test]
    fn over_numbers(
        graph in any_graph(),
        numbers in prop::collection::vec(-9..10_i64, 1..8),
        steps in prop::collection::vec(any_step(), 1..12),
    ) {
        let lattice = Chain::new(-9, 9).expect("in order");
        let values = (0..graph.leaf_count()).map(|i| numbers[i % numbers.len()]).collect();
        let game = Game { values, graph, lattice, bounds: None };
        session(&game, &chain_engines(), |n| i64::from(n % 19) - 9, &steps);
    }
}
