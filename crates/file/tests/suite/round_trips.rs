//! Random lattices, values and problems: what is written can be read, and is the same.

use std::collections::BTreeMap;

use meetjoin_dag::{GraphBuilder, Kind, NodeId, NodeName, Problem, Valuation};
use meetjoin_file::{
    lattice_from_json, lattice_to_json, print_value, read_problem, read_value, write_binary,
    write_problem, write_value,
};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Interval, Lattice};
use proptest::collection::vec;
use proptest::prelude::*;

/// A lattice as JSON, with a strategy for the JSON of its values.
#[derive(Clone, Debug)]
struct Described {
    lattice: String,
    values: BoxedStrategy<String>,
}

fn described(
    lattice: impl Into<String>,
    values: impl Strategy<Value = String> + 'static,
) -> Described {
    let ends = prop_oneof![Just("\"bottom\"".to_owned()), Just("\"top\"".to_owned())];
    Described {
        lattice: lattice.into(),
        values: prop_oneof![6 => values, 1 => ends].boxed(),
    }
}

fn list(items: impl IntoIterator<Item = impl ToString>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(","))
}

fn set(v: usize) -> impl Strategy<Value = String> {
    let most = v.min(5);
    proptest::sample::subsequence((1..=v).collect::<Vec<_>>(), 0..=most).prop_map(list)
}

fn integer() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (-20..20_i64).prop_map(|n| n.to_string()),
        1 => any::<i64>().prop_map(|n| n.to_string()),
        1 => Just("\"-inf\"".to_owned()),
        1 => Just("\"+inf\"".to_owned()),
    ]
}

fn decimal() -> impl Strategy<Value = String> {
    prop_oneof![
        (-20..20_i64).prop_map(|n| n.to_string()),
        any::<f64>()
            .prop_filter("finite", |x| x.is_finite())
            .prop_map(|x| format!("{x:?}")),
        (-1000..1000_i32).prop_map(|n| format!("{n}e-3")),
    ]
}

fn vectors(dims: usize) -> impl Strategy<Value = String> {
    vec(-3..4_i32, dims).prop_map(list)
}

/// A lattice that is no product and no dual.
fn simple() -> impl Strategy<Value = Described> {
    let worlds = prop_oneof![0..6_usize, Just(64), Just(65), Just(130)];
    prop_oneof![
        Just(described(
            r#"{"type":"bool"}"#,
            any::<bool>().prop_map(|b| b.to_string())
        )),
        Just(described(r#"{"type":"chain"}"#, integer())),
        (-20..0_i64, 0..20_i64).prop_map(|(lo, hi)| described(
            format!(r#"{{"type":"chain","lo":{lo},"hi":{hi}}}"#),
            (lo..=hi).prop_map(|n| n.to_string())
        )),
        // The decimal end decides that these are decimals, whatever the values are.
        Just(described(
            r#"{"type":"chain","lo":-1e308}"#,
            decimal().prop_filter("in range", |x| x.parse().is_ok_and(|x: f64| x >= -1e308))
        )),
        worlds
            .clone()
            .prop_map(|v| described(format!(r#"{{"type":"powerset","v":{v}}}"#), set(v))),
        worlds.prop_map(|v| described(
            format!(r#"{{"type":"families","v":{v}}}"#),
            prop_oneof![set(v), vec(set(v), 1..6).prop_map(list)]
        )),
        (0..4_usize).prop_map(|k| described(
            format!(r#"{{"type":"product","dims":{k},"lo":-20}}"#),
            vec(-20..20_i64, k).prop_map(list)
        )),
        Just(described(
            r#"{"type":"divisors","n":5040}"#,
            prop::sample::select(vec![1, 2, 3, 12, 35, 504, 5040]).prop_map(|d| d.to_string())
        )),
        (1..4_usize).prop_map(|k| described(
            format!(r#"{{"type":"free","dims":{k}}}"#),
            prop_oneof![
                vectors(k),
                vec(vec(vectors(k), 0..4).prop_map(list), 0..4).prop_map(list)
            ]
        )),
        Just(described(
            r#"{"type":"table","size":5,"leq":[[1,1,1,1,1],[0,1,1,0,1],[0,0,1,0,1],[0,0,0,1,1],[0,0,0,0,1]]}"#,
            (0..5_u8).prop_map(|n| n.to_string())
        )),
        Just(described(
            r#"{"type":"table","elements":["0","a","\\","é","1"],"covers":[["0","a"],["0","\\"],["0","é"],["a","1"],["\\","1"],["é","1"]]}"#,
            prop::sample::select(vec!["0", "a", "\\\\", "é", "1"]).prop_map(|n| format!("\"{n}\""))
        )),
    ]
}

/// Any lattice, two levels of products and duals deep.
fn any_lattice() -> impl Strategy<Value = Described> {
    simple().prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| described(
                format!(r#"{{"type":"dual","of":{}}}"#, inner.lattice),
                inner.values
            )),
            vec(inner, 0..3).prop_map(|parts| {
                let lattices = list(parts.iter().map(|part| part.lattice.clone()));
                let values: Vec<_> = parts.into_iter().map(|part| part.values).collect();
                described(
                    format!(r#"{{"type":"product","of":{lattices}}}"#),
                    values.prop_map(list),
                )
            }),
        ]
    })
}

/// A lattice and some of its values, as JSON.
pub(crate) fn lattice_and_values() -> impl Strategy<Value = (String, Vec<String>)> {
    any_lattice().prop_flat_map(|d| (Just(d.lattice), vec(d.values, 1..8)))
}

fn written(
    write: fn(&AnyLattice, &AnyElem, &mut String),
    lattice: &AnyLattice,
    value: &AnyElem,
) -> String {
    let mut out = String::new();
    write(lattice, value, &mut out);
    out
}

/// What there is to know of a node, without its number.
type Known = (
    Kind,
    bool,
    Vec<NodeName>,
    Option<AnyElem>,
    Option<Interval<AnyElem>>,
);

fn by_name(problem: &Problem<AnyLattice>) -> BTreeMap<NodeName, Known> {
    let name = |node: NodeId| problem.node_name(node).into_owned();
    let graph = problem.graph();
    let known = |node: NodeId| {
        let children = graph.row(node).iter().map(|child| name(*child)).collect();
        let value = (graph.kind(node) == Kind::Leaf).then(|| problem.leaf(&node));
        let bounds = problem.bounds_of(node).cloned();
        (
            graph.kind(node),
            graph.is_shared(node),
            children,
            value,
            bounds,
        )
    };
    graph
        .nodes()
        .map(|node| (name(node), known(node)))
        .collect()
}

/// A name that may be hard to write.
fn name() -> impl Strategy<Value = NodeName> {
    prop_oneof![
        any::<i64>().prop_map(NodeName::from),
        (-3..20_i64).prop_map(NodeName::from),
        ".{0,4}".prop_map(|text| NodeName::from(text.as_str())),
    ]
}

fn problem() -> impl Strategy<Value = Problem<AnyLattice>> {
    let nodes = vec(
        (name(), any::<u8>(), vec(any::<prop::sample::Index>(), 1..4)),
        1..12,
    );
    let note = prop::option::of(".{0,8}");
    (lattice_and_values(), nodes, note, any::<u64>()).prop_map(
        |((lattice, values), nodes, note, bits)| {
            let lattice = lattice_from_json(&lattice).expect("a lattice");
            let read = |json: &String| read_value(&lattice, json).expect("a value");
            let values: Vec<AnyElem> = values.iter().map(read).collect();
            let mut builder = GraphBuilder::new();
            let mut defined: Vec<NodeName> = Vec::new();
            for (name, kind, children) in nodes {
                if defined.contains(&name) {
                    continue;
                }
                let children: Vec<NodeName> = match defined.len() {
                    0 => Vec::new(),
                    known => children
                        .iter()
                        .map(|child| defined[child.index(known)].clone())
                        .collect(),
                };
                let leaf = values[usize::from(kind) % values.len()].clone();
                let added = match kind % 3 {
                    0 if !children.is_empty() => builder.and(name.clone(), children),
                    1 if !children.is_empty() => builder.or(name.clone(), children),
                    _ => builder.leaf(name.clone(), leaf),
                };
                added.expect("a node");
                defined.push(name);
            }
            let root = defined.last().expect("a node");
            let built = builder.build(root).expect("a graph");
            let budget = Budget::unlimited();
            let mut bounds = Vec::new();
            for (place, node) in built.graph.nodes().enumerate() {
                if built.graph.leaf_ordinal(node).is_none() && bits >> place & 1 == 1 {
                    let lower = values[place % values.len()].clone();
                    let mut upper = lower.clone();
                    let other = &values[(bits as usize).wrapping_add(place) % values.len()];
                    lattice
                        .join_assign(&mut upper, other, &budget)
                        .expect("no limit");
                    if lower != lattice.bottom() || upper != lattice.top() {
                        bounds.push((node, Interval::new(lower, upper)));
                    }
                }
            }
            Problem::new(built.graph, built.ids, lattice, built.values)
                .expect("it fits")
                .with_bounds(bounds)
                .with_note(note)
        },
    )
}

proptest! {
    #[test]
    fn lattices_and_values((lattice, values) in lattice_and_values()) {
        let lattice = lattice_from_json(&lattice).expect("a lattice");
        let again = lattice_from_json(&lattice_to_json(&lattice));
        prop_assert_eq!(again.as_ref(), Ok(&lattice));
        for json in values {
            let value = read_value(&lattice, &json).expect("a value");
            let input = written(write_value, &lattice, &value);
            prop_assert_eq!(read_value(&lattice, &input), Ok(value.clone()), "{} as {}", json, input);
            // What is printed is JSON, and the same when it is printed again.
            let printed = written(print_value, &lattice, &value);
            prop_assert!(serde_json::from_str::<serde_json::Value>(&printed).is_ok(), "{}", printed);
            if printed == input {
                prop_assert_eq!(read_value(&lattice, &printed), Ok(value));
            }
        }
    }

    #[test]
    fn problems(problem in problem()) {
        let mut file = Vec::new();
        write_problem(&problem, &mut file).expect("memory takes it");
        let again = read_problem(&file[..]);
        let again = again.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&again, &problem);
        // In a binary file nodes are in another order, and nothing else differs.
        let mut binary = Vec::new();
        write_binary(&problem, &mut binary).expect("memory takes it");
        let mapped = read_problem(&binary[..]);
        let mapped = mapped.map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(mapped.lattice(), problem.lattice());
        prop_assert_eq!((mapped.note(), mapped.world_names()), (problem.note(), problem.world_names()));
        prop_assert_eq!(by_name(&mapped), by_name(&problem));
        prop_assert_eq!(mapped.node_name(mapped.graph().root()), problem.node_name(problem.graph().root()));
        let mut file = Vec::new();
        write_problem(&mapped, &mut file).expect("memory takes it");
        prop_assert_eq!(read_problem(&file[..]).expect("a problem"), mapped);
    }
}
