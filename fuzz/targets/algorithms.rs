//! A random graph over a lattice of files, under every algorithm and any limit: exact answers equal
//! plain evaluation, bounds contain it.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use meetjoin_catalogue::method::{ALGORITHMS, algorithm};
use meetjoin_fuzz::LATTICES;
use meetjoin_lattice::{Budget, Lattice as _, Limits};
use meetjoin_problems::Source;
use meetjoin_solve::{Found, Request, Value};

#[derive(Arbitrary, Debug)]
struct Input {
    lattice: u8,
    /// Whether a node is AND, and its children, counted back from itself.
    inner: Vec<(bool, Vec<u8>)>,
    leaves: Vec<u8>,
    algorithm: u8,
    visits: Option<u16>,
    steps: Option<u16>,
    moves: bool,
}

/// The problem as a file: the leaves first, each inner node with children before it, the root last.
fn file(input: &Input) -> Option<String> {
    let (lattice, values) = LATTICES[usize::from(input.lattice) % LATTICES.len()];
    let (leaves, inner) = (
        input.leaves.get(..8.min(input.leaves.len()))?,
        input.inner.get(..12.min(input.inner.len()))?,
    );
    if leaves.is_empty() {
        return None;
    }
    let mut nodes: Vec<String> = Vec::new();
    for value in leaves {
        let value = values[usize::from(*value) % values.len()];
        nodes.push(format!(
            r#"{{"id":{},"kind":"leaf","value":{value}}}"#,
            nodes.len()
        ));
    }
    for (is_and, children) in inner {
        let before = nodes.len();
        let children: Vec<String> = children
            .iter()
            .take(4)
            .map(|back| (before - 1 - usize::from(*back) % before).to_string())
            .collect();
        let kind = if *is_and { "and" } else { "or" };
        nodes.push(format!(
            r#"{{"id":{before},"kind":"{kind}","children":[{}]}}"#,
            children.join(",")
        ));
    }
    let root = nodes.len() - 1;
    Some(format!(
        r#"{{"format":"meetjoin-problem/1","lattice":{lattice},"root":{root},"nodes":[{}]}}"#,
        nodes.join(",")
    ))
}

fuzz_target!(|input: Input| {
    let Some(file) = file(&input) else { return };
    let Ok(source) = Source::read(file.as_bytes()) else {
        return;
    };
    let instance = source.instance().expect("values of a lattice");
    let free = Budget::unlimited();
    let plain = algorithm("minimax-cached").copied().expect("an algorithm");
    let plain = instance
        .solve(Request::new(plain, &free))
        .expect("it runs on every lattice");
    let Some(Value::Element {
        element: value,
        domain,
    }) = plain.root.value.exact()
    else {
        panic!("nothing stops it");
    };
    let chosen = ALGORITHMS[usize::from(input.algorithm) % ALGORITHMS.len()];
    // Without a cache, visits grow with the number of paths.
    let most = input.visits.map_or(20_000, u64::from);
    let budget = Budget::new(Limits {
        visits: Some(most),
        steps: input.steps.map(u64::from),
        ..Limits::default()
    });
    let mut request = Request::new(chosen, &budget);
    request.moves = input.moves;
    let Ok(answer) = instance.solve(request) else {
        return;
    };
    let Found {
        value: found, stop, ..
    } = &answer.root;
    let (Value::Element { element: lower, .. }, Value::Element { element: upper, .. }) =
        (found.lower(), found.upper())
    else {
        panic!("values of files");
    };
    assert_eq!(
        domain.lattice.leq(lower, value, &free),
        Ok(true),
        "{} on {file}",
        chosen.id
    );
    assert_eq!(
        domain.lattice.leq(value, upper, &free),
        Ok(true),
        "{} on {file}",
        chosen.id
    );
    assert_eq!(
        stop.is_some(),
        found.exact().is_none(),
        "{} on {file}",
        chosen.id
    );
    assert!(serde_json::from_str::<serde_json::Value>(&answer.json()).is_ok());
});
