//! Known answers of independent programs: values over every lattice, and exact call counts and
//! final caches of Algorithms 1 and 2.

use meetjoin_dag::{AndOrDag, NodeId, Problem};
use meetjoin_file::{print_value, read_problem, read_value};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Interval, Licensed};
use meetjoin_search::{
    Counts, Env, Exit, FailSoft, Observer, Store, Table, Visited, Window, alpha_beta,
    alpha_beta_duo_plain, minimax, minimax_cached,
};
use serde_json::{Map, Value, json};

use crate::support::{Algorithm, ENGINES, Game, Memory, Runs, cases};

/// The cases of a file, each split into a problem file and the rest.
fn load(file: &str) -> Vec<(Problem<AnyLattice>, Map<String, Value>)> {
    let text: Value = serde_json::from_str(&cases(file)).expect("valid JSON");
    let list = text["cases"].as_array().expect("a list of cases").clone();
    assert!(!list.is_empty());
    list.into_iter()
        .map(|case| {
            let Value::Object(mut rest) = case else {
                panic!("a case is an object")
            };
            let mut problem = json!({"format": "meetjoin-problem/1"});
            for key in ["lattice", "root", "nodes"] {
                problem[key] = rest.remove(key).expect("a problem has it");
            }
            let problem = problem.to_string();
            (
                read_problem(problem.as_bytes()).expect("a fine problem"),
                rest,
            )
        })
        .collect()
}

fn game(problem: &Problem<AnyLattice>) -> Result<Game<Licensed>, AnyElem> {
    let free = Budget::unlimited();
    let any = minimax_cached(
        problem,
        problem,
        &mut Env::new(&free).with_store(Table::new()),
    );
    let value = any.exact().expect("no limit").clone();
    if problem.lattice().check_distributive().is_err() {
        return Err(value);
    }
    let values = problem.values().list().to_vec();
    let game = Game {
        graph: problem.graph().clone(),
        lattice: Licensed(problem.lattice().clone()),
        values,
        bounds: None,
    };
    assert_eq!(game.value(), value);
    Ok(game)
}

#[test]
fn explicit_problems_over_every_lattice_have_the_known_values() {
    let (mut distributive, mut other) = (0, 0);
    for (problem, rest) in load("explicit.json") {
        // Compared as printed: in a file `[]` is the family of the empty set, printed it is the
        // bottom.
        let expected = rest["expected"].to_string();
        let printed = |value: Option<&AnyElem>| {
            let mut text = String::new();
            print_value(problem.lattice(), value.expect("exact"), &mut text);
            text
        };
        let (id, note) = (&rest["id"], rest["note"].as_str().expect("a note"));
        match game(&problem) {
            Ok(game) => {
                for engine in ENGINES {
                    // 2^60 paths: only a cache or a cut gets through.
                    if note.starts_with("ladder") && engine.is_uncached() {
                        continue;
                    }
                    let outcome = engine.solve(&game);
                    assert_eq!(printed(outcome.exact()), expected, "{id} {engine:?}");
                }
                distributive += 1;
            }
            Err(value) => {
                assert_eq!(printed(Some(&value)), expected, "{id}");
                let free = Budget::unlimited();
                let plain = minimax(&problem, &problem, &mut Env::new(&free));
                assert_eq!(printed(plain.exact()), expected, "{id}");
                other += 1;
            }
        }
    }
    assert!(
        distributive >= 45 && other >= 7,
        "{distributive} and {other} cases"
    );
}

/// What was returned for the root.
struct Returned(Option<(AnyElem, AnyElem)>);

impl Observer<NodeId, AnyElem> for Returned {
    fn exit(&mut self, _: &NodeId, result: Exit<'_, AnyElem>) {
        self.0 = Some(match result {
            Exit::Value(value) => (value.clone(), value.clone()),
            Exit::Bounds(lower, upper) => (lower.clone(), upper.clone()),
        });
    }
}

#[test]
fn algorithms_1_and_2_make_exactly_the_known_calls() {
    for (problem, rest) in load("li_dag.json") {
        let id = &rest["id"];
        let read = |value: &Value| {
            read_value(problem.lattice(), &value.to_string()).expect("a fine value")
        };
        let count = |key: &str| rest[key].as_u64().expect("a count");
        let game = game(&problem).expect("powersets are distributive");
        let (free, full) = (Budget::unlimited(), Window::full(&game.lattice));
        let observers = || (Counts::default(), Visited::default());

        let mut env = Env::new(&free).with_observer(observers());
        let outcome = alpha_beta(&game, &game, &full, FailSoft, &mut env);
        let (counts, visited) = env.observer;
        assert_eq!(outcome.exact(), Some(&read(&rest["value"])), "{id}");
        assert_eq!(counts.visits, count("AB_calls"), "{id}");
        assert_eq!(visited.len() as u64, count("AB_distinct"), "{id}");

        let mut env = Env::new(&free)
            .with_store(Table::new())
            .with_observer(observers());
        let outcome = alpha_beta_duo_plain(&game, &game, &full, &mut env);
        let (counts, visited) = env.observer;
        assert_eq!(outcome.exact(), Some(&read(&rest["value"])), "{id}");
        assert_eq!(counts.visits, count("ABD_calls"), "{id}");
        assert_eq!(visited.len() as u64, count("ABD_distinct"), "{id}");
        let cache = rest["ABD_cache"].as_array().expect("a cache");
        assert_eq!(Store::len(&env.store), cache.len(), "{id}");
        for entry in cache {
            let name = entry[0].to_string();
            let is_it = |node: &NodeId| {
                let mut shown = String::new();
                problem.name(node, &mut shown).is_ok() && shown == name
            };
            let node = problem
                .graph()
                .nodes()
                .find(is_it)
                .expect("the node exists");
            let expected = Interval::new(read(&entry[1]), read(&entry[2]));
            assert_eq!(env.store.get(&node).1, Some(&expected), "{id} node {name}");
        }

        let given = &rest["window"];
        let window = Window {
            alpha: read(&given["alpha"]),
            beta: read(&given["beta"]),
        };
        let mut env = Env::new(&free).with_observer(Returned(None));
        let outcome = alpha_beta(&game, &game, &window, FailSoft, &mut env);
        let returned = env.observer.0.expect("the root was left").0;
        assert_eq!(returned, read(&given["AB_returns"]), "{id}");
        let clipped = game.clip(&window, &game.value());
        assert_eq!(outcome.clipped, Interval::Exact(clipped.clone()), "{id}");
        let mut env = Env::new(&free)
            .with_store(Table::new())
            .with_observer(Returned(None));
        let outcome = alpha_beta_duo_plain(&game, &game, &window, &mut env);
        let expected = &given["ABD_returns"];
        let expected = (read(&expected[0]), read(&expected[1]));
        assert_eq!(env.observer.0, Some(expected), "{id}");
        assert_eq!(outcome.clipped, Interval::Exact(clipped), "{id}");
    }
}

#[test]
fn the_copies_in_the_repository_are_the_known_answers() {
    // `cases` prefers the files beside the project; when they are there, the copies must not have
    // drifted.
    for file in ["explicit.json", "li_dag.json", "pruning.json"] {
        let copy = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/").to_owned() + file;
        let copy = std::fs::read_to_string(copy).expect("the repository keeps a copy");
        assert_eq!(copy, cases(file), "{file}");
    }
}

#[test]
fn one_memory_serves_all_engines_on_the_known_problems() {
    for (problem, rest) in load("explicit.json") {
        if rest["note"]
            .as_str()
            .is_some_and(|note| note.starts_with("ladder"))
        {
            continue;
        }
        let Ok(game) = game(&problem) else { continue };
        let (value, full) = (game.value(), Window::full(&game.lattice));
        let mut memory = Memory::new(game.graph.node_count());
        let free = Budget::unlimited();
        for engine in ENGINES.into_iter().rev().chain(ENGINES) {
            let outcome = engine.run(&game, &full, &mut memory, &free, (), ());
            assert_eq!(outcome.exact(), Some(&value), "{} {engine:?}", rest["id"]);
        }
    }
}
