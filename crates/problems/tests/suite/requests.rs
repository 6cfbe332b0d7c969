//! What users ask of a problem before and after a search: a title, an algorithm that it admits, the
//! claim of a certificate, true bounds where a limit stopped it.

use std::num::NonZero;

use meetjoin_catalogue::method::algorithm;
use meetjoin_lattice::Budget;
use meetjoin_problems::Source;
use meetjoin_solve::{HeaviestRequest, Meter, Request};
use serde_json::Value;

fn source(note: &str, lattice: &str, values: [&str; 2]) -> Source {
    let [x, y] = values;
    let file = format!(
        r#"{{"format":"meetjoin-problem/1","note":{note:?},"lattice":{lattice},"root":"r","nodes":[
            {{"id":"r","kind":"or","children":["x","y"]}},
            {{"id":"x","kind":"leaf","value":{x}}},{{"id":"y","kind":"leaf","value":{y}}}]}}"#
    );
    Source::read(file.as_bytes()).expect("a problem")
}

#[test]
fn a_title_is_a_note_or_the_keys_of_a_game_or_the_name_of_a_file() {
    let of_note = |note: &str| source(note, r#"{"type":"chain"}"#, ["3", "7"]);
    let noted = of_note("Two\n leaves ");
    assert_eq!(noted.title(Some("file.json")), "Two leaves");
    let long = of_note(&"word ".repeat(100)).title(None);
    assert!(long.ends_with('…') && long.chars().count() == 121, "{long}");
    assert_eq!(of_note(" ").title(Some("file.json")), "file.json");
    assert_eq!(of_note("").title(None), "a problem");
    let game = br#"{"format":"meetjoin-problem/1","game":"racing","deck":6,"goal":2,"hand":[1,2],"lead":3,"lattice":{"type":"families"}}"#;
    let game = Source::read(&game[..]).expect("a game");
    let title = game.title(Some("file.json"));
    assert!(
        title.starts_with("racing: deck 6, goal 2, hand 1 2"),
        "{title}"
    );
    assert!(title.ends_with("lattice families"), "{title}");
}

#[test]
fn every_lattice_admits_the_suitable_algorithm() {
    // M3 is not distributive.
    let covers = r#"[["0","a"],["0","b"],["0","c"],["a","1"],["b","1"],["c","1"]]"#;
    let m3 = format!(r#"{{"type":"table","elements":["0","a","b","c","1"],"covers":{covers}}}"#);
    for (lattice, values, id) in [
        (r#"{"type":"chain"}"#, ["3", "7"], "alpha-beta-duo"),
        (&*m3, [r#""a""#, r#""b""#], "minimax-cached"),
    ] {
        let problem = source("", lattice, values).instance().expect("a problem");
        let suitable = problem.suitable();
        assert_eq!(suitable.id, id);
        assert_eq!(problem.admits(&suitable), Ok(()));
    }
}

#[test]
fn a_certificate_of_heaviest_sets_claims_what_is_known() {
    let families = r#"{"type":"families","v":3}"#;
    let heaviest = |visits: u64| {
        let problem = source("", families, ["[[1],[2,3]]", "[[2]]"]).instance();
        let budget = Budget::visits_at_most(visits);
        let request = HeaviestRequest {
            budget: &budget,
            meter: Meter::NONE,
            threads: NonZero::<usize>::MIN,
            top: Some(2),
            weights: Some(vec![7, 2, 3]),
            strategy: false,
        };
        let found = problem.expect("a problem").heaviest(request);
        let found = found.expect("families");
        (found.bound, found.stop, found.no_heavier())
    };
    let (_, stop, claim) = heaviest(1000);
    assert_eq!((stop, claim.than), (None, 7));
    assert_eq!(claim.weights, Some(vec![7, 2, 3]));
    let (bound, stop, claim) = heaviest(0);
    assert!(stop.is_some());
    assert_eq!(claim.than, bound);
}

/// A chain of three, and a square with a diagonal of its own on top.
const TABLES: [(usize, [[u8; 5]; 5]); 2] = [
    (
        3,
        [
            [1, 1, 1, 0, 0],
            [0, 1, 1, 0, 0],
            [0, 0, 1, 0, 0],
            [0; 5],
            [0; 5],
        ],
    ),
    (
        5,
        [
            [1, 1, 1, 1, 1],
            [0, 1, 0, 1, 1],
            [0, 0, 1, 1, 1],
            [0, 0, 0, 1, 1],
            [0, 0, 0, 0, 1],
        ],
    ),
];

#[test]
fn elements_bound_the_value_of_a_table_after_any_number_of_visits() {
    for (size, leq) in TABLES {
        let rows: Vec<&[u8]> = leq[..size].iter().map(|row| &row[..size]).collect();
        for (a, b, c) in (0..size.pow(3)).map(|i| (i % size, i / size % size, i / size / size)) {
            let table = format!(
                r#"{{"format":"meetjoin-problem/1","lattice":{{"type":"table","size":{size},"leq":{rows:?}}},"root":0,"nodes":[
                {{"id":0,"kind":"or","children":[1,2]}},{{"id":1,"kind":"and","children":[3,4]}},{{"id":2,"kind":"leaf","value":{a}}},
                {{"id":3,"kind":"leaf","value":{b}}},{{"id":4,"kind":"leaf","value":{c}}}]}}"#
            );
            let after = |visits: u64, id: &str| -> Value {
                let problem = Source::read(table.as_bytes()).expect("a problem");
                let budget = Budget::visits_at_most(visits);
                let request = Request::new(*algorithm(id).expect("it exists"), &budget);
                let answer = problem.instance().expect("a problem").solve(request);
                let answer = answer.expect("every table admits it").json();
                serde_json::from_str(&answer).expect("JSON")
            };
            let number = |value: &Value| -> usize {
                let number = value.as_u64().expect("an element");
                number.try_into().expect("a small one")
            };
            let value = number(&after(u64::MAX, "minimax-cached")["value"]);
            for id in ["df-pn", "proof-number", "alpha-beta-duo"] {
                for visits in 0.. {
                    let found = after(visits, id);
                    let below = |a: usize, b: usize| leq[a][b] == 1;
                    let (lower, upper) = (number(&found["lower"]), number(&found["upper"]));
                    assert!(
                        below(lower, value) && below(value, upper),
                        "{id} {visits}: {found} {table}"
                    );
                    assert_eq!(found["exact"], lower == upper, "{found}");
                    assert_eq!(found["stop"].is_null(), lower == upper, "{found}");
                    if lower == upper {
                        break;
                    }
                }
            }
        }
    }
}
