//! Any text as a certificate of a small problem: refused, or true of it.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use meetjoin_catalogue::method::{DEFAULT, algorithm};
use meetjoin_explain::{verify, write_certificate};
use meetjoin_fuzz::{LATTICES, altered, limits, problem};
use meetjoin_lattice::{Budget, Lattice as _};
use meetjoin_problems::Source;
use meetjoin_solve::{Request, Value};

static PROBLEMS: LazyLock<Vec<(String, String)>> =
    LazyLock::new(|| (0..LATTICES.len()).map(problem).collect());

fuzz_target!(|input: (u8, Vec<(u8, u16, u8)>, &[u8])| {
    let (which, edits, text) = input;
    let (file, digest) = &PROBLEMS[usize::from(which) % PROBLEMS.len()];
    let instance = Source::read(file.as_bytes())
        .and_then(Source::instance)
        .expect("a problem");
    // A true certificate with edits, or any text.
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
        altered(true_one, &edits)
    } else {
        text.to_vec()
    };
    let free = Budget::unlimited();
    let Ok(verified) = verify(&*instance, &*certificate, &limits()) else {
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
