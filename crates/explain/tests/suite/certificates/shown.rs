//! Certificates show the value, or the bounds that were known when a limit fired.

use std::io::Cursor;

use meetjoin_explain::{verify, write_certificate};
use meetjoin_lattice::{Budget, Interval, Lattice, Stop};
use meetjoin_solve::Value;

use super::cases::{LATTICES, SMALL, case, element, problem, proofs};

#[test]
fn certificates_show_the_value() {
    for row in LATTICES {
        for seed in 0..60 {
            let json = problem(*row, seed);
            let case = case(&json);
            let text = case.certificate();
            let verified = case
                .verify(&text)
                .unwrap_or_else(|error| panic!("{error}\n{json}\n{text}"));
            let shown = verified.value.exact().map(element);
            assert_eq!(shown, Some(case.value()), "{json}\n{text}");
            assert_eq!(text.lines().filter(|line| *line == "end").count(), 1);
        }
    }
}

#[test]
fn proofs_are_certificates() {
    let mut count = 0;
    for row in LATTICES {
        for seed in 0..20 {
            let case = case(&problem(*row, seed));
            for text in proofs(&case) {
                let verified = case
                    .verify(&text)
                    .unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert!(
                    verified.answer.is_some() && case.is_true(&verified),
                    "{text}"
                );
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}

/// Bounds of a search that was stopped are certified as far as they go.
#[test]
fn bounds_are_certified() {
    for row in LATTICES.iter().take(5) {
        for seed in 0..20 {
            let mut case = case(&problem(*row, seed));
            let exact = case.answer.root.value.exact().expect("exact").clone();
            let lattice = case.problem.lattice().clone();
            let Value::Element { domain, .. } = &exact else {
                panic!("of a file")
            };
            let end = |element| Value::Element {
                element,
                domain: domain.clone(),
            };
            for bounds in [
                Interval::Between {
                    lower: exact.clone(),
                    upper: end(lattice.top()),
                },
                Interval::Between {
                    lower: end(lattice.bottom()),
                    upper: exact.clone(),
                },
            ] {
                case.answer.root.value = bounds.clone();
                let verified = case.verify(&case.certificate()).expect("right");
                assert_eq!(element(verified.value.lower()), element(bounds.lower()));
                assert_eq!(element(verified.value.upper()), element(bounds.upper()));
            }
        }
    }
}

/// Wherever a limit ends the search for a certificate, what is written passes, and what it shows is
/// true.
#[test]
fn stopped_searches_are_certified() {
    let (mut stopped, mut more) = (0, 0);
    let distributive = |row: &str| !row.contains("\"size\":5");
    for row in LATTICES.iter().filter(|row| distributive(row.0)) {
        for seed in 0..20 {
            let case = case(&problem(*row, seed));
            for visits in 0..40 {
                let mut text = Vec::new();
                let written = write_certificate(
                    &*case.instance,
                    case.digest.clone(),
                    &case.answer.root.value,
                    true,
                    &Budget::visits_at_most(visits),
                    &mut text,
                );
                let written = written.expect("a certificate");
                let text = String::from_utf8(text).expect("text");
                let verified = case
                    .verify(&text)
                    .unwrap_or_else(|error| panic!("{error} after {visits} visits\n{text}"));
                assert!(case.is_true(&verified), "{text}");
                if written.stop.is_none() {
                    assert!(verified.value.exact().is_some(), "{text}");
                    break;
                }
                assert_eq!(written.stop, Some(Stop::Visits));
                stopped += 1;
                let lattice = case.problem.lattice();
                let (lower, upper) = (verified.value.lower(), verified.value.upper());
                more += usize::from(
                    *element(lower) != lattice.bottom() || *element(upper) != lattice.top(),
                );
            }
        }
    }
    println!("{stopped} stopped, {more} of them with bounds that say something");
    assert!(stopped > 1_000 && more > 300, "{stopped} {more}");
}

/// A limit while a certificate is read or checked is a sentence.
#[test]
fn limits_while_verifying() {
    let case = case(SMALL);
    let text = case.certificate();
    let stopped = Budget::visits_at_most(1);
    let error = verify(&*case.instance, Cursor::new(&text), &stopped).expect_err("stopped");
    assert!(
        error
            .to_string()
            .starts_with("the check has not come to its end"),
        "{error}"
    );
}
