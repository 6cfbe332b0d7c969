//! Whatever is changed in a certificate, it is rejected with a place, or what it shows is true.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::cases::{DOMINANCE, LATTICES, Row, case, problem, proofs};

/// One change somewhere: a field is another one, or gone, or there twice; a line is another one, or
/// gone, or there twice.
fn mutated(text: &str, row: Row, rng: &mut ChaCha8Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = rng.random_range(0..lines.len());
    let values = text
        .lines()
        .nth(1)
        .and_then(|header| {
            header
                .split("\"values\":")
                .nth(1)?
                .split(',')
                .next()?
                .parse::<usize>()
                .ok()
        })
        .unwrap_or(0);
    match rng.random_range(0..10) {
        0 => drop(lines.remove(place)),
        1 => lines.insert(place, lines[place].clone()),
        2 => {
            let other = rng.random_range(0..lines.len());
            lines.swap(place, other);
        }
        _ if place >= 2 && place < 2 + values => lines[place] = (row.1)(rng),
        _ => {
            let mut fields: Vec<String> = lines[place].split(' ').map(str::to_owned).collect();
            let field = rng.random_range(0..fields.len());
            match rng.random_range(0..4) {
                0 => drop(fields.remove(field)),
                1 => fields.insert(field, fields[field].clone()),
                2 => {
                    let odd = ["-", "b", "0", "4294967295", "18446744073709551616", "x"];
                    odd[rng.random_range(0..6)].clone_into(&mut fields[field]);
                }
                _ => fields[field] = rng.random_range(0..6).to_string(),
            }
            lines[place] = fields.join(" ");
        }
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

/// Whatever is changed, a certificate is rejected with a place, or is true.
#[test]
fn mutations() {
    let (mut rejected, mut still_true, mut same) = (0, 0, 0);
    for row in LATTICES.iter().chain([&DOMINANCE]) {
        let rng = &mut ChaCha8Rng::seed_from_u64(7);
        for seed in 0..24 {
            let case = case(&problem(*row, seed));
            let mut texts = proofs(&case);
            texts.truncate(2);
            texts.push(case.certificate());
            for text in texts {
                for _ in 0..24 {
                    let mutant = mutated(&text, *row, rng);
                    if mutant == text {
                        same += 1;
                        continue;
                    }
                    match case.verify(&mutant) {
                        Ok(verified) => {
                            assert!(case.is_true(&verified), "{text}\nbecame\n{mutant}");
                            still_true += 1;
                        }
                        Err(error) => {
                            let placed = error.starts_with("line ") || error.starts_with("step ");
                            assert!(
                                placed || error.contains("join-prime") || error.contains("no step"),
                                "{error}"
                            );
                            assert!(!error.contains('\n') && error.len() < 400, "{error}");
                            rejected += 1;
                        }
                    }
                }
            }
        }
    }
    println!("{rejected} rejected, {still_true} true, {same} the same");
    assert!(
        rejected + still_true > 10_000 && rejected > 3 * still_true,
        "{rejected} {still_true}"
    );
}
