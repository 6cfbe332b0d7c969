//! Trees with answers that an independent program has found by enumeration.

use meetjoin_attacks::{AttackTree, List, Request, ask, from_text};
use meetjoin_lattice::{Budget, Stop};
use meetjoin_report::Meter;
use meetjoin_report::progress::Listener;
use serde_json::Value;

/// An answer as programs get it.
pub fn json(tree: &AttackTree, change: impl Fn(&mut Request<'_>)) -> Value {
    let (found, stop) = asked(tree, &Budget::unlimited(), change);
    assert_eq!(stop, None);
    found
}

/// An answer within a budget, and what ended it.
pub fn asked<'a>(
    tree: &'a AttackTree,
    budget: &'a Budget,
    change: impl Fn(&mut Request<'_>),
) -> (Value, Option<Stop>) {
    let mut request = Request {
        pareto: Vec::new(),
        best: Vec::new(),
        defences: false,
        spend: None,
        stopping: None,
        list: List::None,
        budget,
        meter: Meter::NONE,
        listener: Listener::NONE,
    };
    change(&mut request);
    let answer = ask(tree, request).expect("a question that makes sense");
    let mut out = Vec::new();
    let stop = answer.write_json(&mut out).expect("memory");
    (serde_json::from_slice(&out).expect("JSON"), stop)
}

/// Twelve digits, as the known answers have.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-12_f64.max(1e-9 * b.abs()),
        _ => a == b,
    }
}

fn check(text: &str) {
    let file: Value = serde_json::from_str(text).expect("JSON");
    let cases = file["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 60);
    for case in cases {
        let id = &case["id"];
        let tree = from_text(case["text"].as_str().expect("text"), None, &[]);
        let tree = tree.unwrap_or_else(|error| panic!("{id}: {error}"));
        if case["defended"] == true {
            let found = json(&tree, |request| request.defences = true);
            let front = found["defence_front"].as_array().expect("a front").iter();
            let front: Vec<Value> = front
                .map(|point| Value::from(vec![point["cost"].clone(), point["attack_cost"].clone()]))
                .collect();
            assert_eq!(Value::from(front), case["defence_front"], "{id}");
            let block = if found["block"].is_null() {
                Value::Null
            } else {
                found["block"]["cost"].clone()
            };
            assert_eq!(block, case["block"], "{id}");
            continue;
        }
        let found = json(&tree, |_| ());
        assert_eq!(found["count"], case["count"].to_string(), "{id}");
        for (name, value) in case["best"].as_object().expect("values") {
            assert!(same(&found["best"][name], value), "{id} {name}: {found}");
        }
        for attributes in ["cost,skill", "cost,p", "cost,skill,p"] {
            let names: Vec<String> = attributes.split(',').map(str::to_owned).collect();
            let found = json(&tree, |request| request.pareto.clone_from(&names));
            let front = found["front"].as_array().expect("a front");
            let wanted = case[attributes].as_array().expect("a front");
            assert_eq!(front.len(), wanted.len(), "{id} {attributes}");
            for (point, wanted) in front.iter().zip(wanted) {
                for (place, name) in names.iter().enumerate() {
                    assert!(
                        same(&point["values"][name], &wanted[place]),
                        "{id} {attributes}: {found}"
                    );
                }
            }
        }
    }
}

#[test]
fn known_trees() {
    check(include_str!("../../../../cases/attack_trees.json"));
}

/// The same from where it was first written, where that is at hand.
#[test]
fn known_trees_from_their_source() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/cases/attack_trees_visible.json"
    );
    if let Ok(text) = std::fs::read_to_string(path) {
        check(&text);
    }
}
