//! Any text as a certificate of a small problem: refused, or true of it.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use meetjoin::lattice::{Budget, Lattice as _};
use meetjoin::search::method::{DEFAULT, algorithm};
use meetjoin_fuzz::{LATTICES, limits};
use meetjoin_solve::{Request, Source, Value, verify, write_certificate};

/// A problem over a lattice, with its digest.
fn problem(lattice: usize) -> (String, String) {
    let (lattice, values) = LATTICES[lattice];
    let leaves: Vec<String> = (0..6)
        .map(|i| format!(r#"{{"id":{},"kind":"leaf","value":{}}}"#, i + 5, values[i]))
        .collect();
    let text = format!(
        r#"{{"format":"meetjoin-problem/1","lattice":{lattice},"root":1,"nodes":[{{"id":1,"kind":"or","children":[2,3]}},
        {{"id":2,"kind":"and","children":[5,6,4]}},{{"id":3,"kind":"and","children":[4,7,8]}},{{"id":4,"kind":"or","children":[9,10]}},{}]}}"#,
        leaves.join(",")
    );
    let digest = Source::read(text.as_bytes()).expect("a problem").digest();
    (text, digest)
}

static PROBLEMS: LazyLock<Vec<(String, String)>> =
    LazyLock::new(|| (0..LATTICES.len()).map(problem).collect());

fuzz_target!(|input: (u8, Vec<(u8, u16, u8)>, &[u8])| {
    let (which, edits, text) = input;
    let (file, digest) = &PROBLEMS[usize::from(which) % PROBLEMS.len()];
    let instance = Source::read(file.as_bytes())
        .and_then(Source::instance)
        .expect("a problem");
    // One that is true, and edited; or any text.
    let certificate = if text.is_empty() {
        let free = Budget::unlimited();
        let answer = instance.solve(Request::new(DEFAULT, &free));
        let Ok(answer) = answer else { return };
        let mut true_one = Vec::new();
        let written = write_certificate(
            &*instance,
            digest.clone(),
            &answer.root.value,
            true,
            &free,
            &mut true_one,
        );
        if written.is_err() {
            return;
        }
        for (how, place, byte) in &edits {
            let place = usize::from(*place) % true_one.len().max(1);
            match how % 4 {
                0 => true_one.truncate(place),
                1 => true_one.insert(place, *byte),
                2 if !true_one.is_empty() => drop(true_one.remove(place)),
                _ if !true_one.is_empty() => true_one[place] = *byte,
                _ => {}
            }
        }
        true_one
    } else {
        text.to_vec()
    };
    let free = Budget::unlimited();
    let Ok(verified) = verify(&*instance, digest, &*certificate, &limits()) else {
        return;
    };
    let plain = algorithm("minimax").copied().expect("an algorithm");
    let Ok(answer) = instance.solve(Request::new(plain, &free)) else {
        return;
    };
    let (lower, value, upper) = (
        verified.value.lower(),
        answer.root.value.lower(),
        verified.value.upper(),
    );
    let (
        Value::Element {
            element: lower,
            domain,
        },
        Value::Element { element: value, .. },
        Value::Element { element: upper, .. },
    ) = (lower, value, upper)
    else {
        panic!("values of files");
    };
    assert_eq!(domain.lattice.leq(lower, value, &free), Ok(true));
    assert_eq!(domain.lattice.leq(value, upper, &free), Ok(true));
});
