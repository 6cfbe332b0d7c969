//! Certificates that no set of a value is heavier than something: they pass where that is true, and
//! no change to one makes it show what is not.

mod hidden;

use std::io::Cursor;
use std::num::NonZero;

use meetjoin_catalogue::method::DEFAULT;
use meetjoin_check::NoHeavier;
use meetjoin_explain::{Verified, verify, write_no_heavier};
use meetjoin_lattice::{AnyElem, Budget, Interval, WorldSet};
use meetjoin_problems::Source;
use meetjoin_solve::{Heaviest, HeaviestRequest, Instance, Meter, Request, Value};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The heaviest set of an instance whose values are families, by its own weights.
pub(super) fn heaviest(instance: &dyn Instance) -> Heaviest {
    let request = HeaviestRequest {
        budget: &Budget::unlimited(),
        meter: Meter::NONE,
        threads: NonZero::<usize>::MIN,
        top: None,
        weights: None,
        strategy: false,
    };
    instance.heaviest(request).expect("families")
}

/// The certificate that nothing is heavier, or why there is none.
pub(super) fn certified(
    instance: &dyn Instance,
    digest: &str,
    claim: NoHeavier,
) -> Result<String, String> {
    let (mut text, free) = (Vec::new(), Budget::unlimited());
    write_no_heavier(instance, digest.to_owned(), claim, true, &free, &mut text)
        .map_err(|error| error.to_string())?;
    Ok(String::from_utf8(text).expect("text"))
}

fn family(rng: &mut ChaCha8Rng, worlds: u32) -> String {
    let set = |rng: &mut ChaCha8Rng| {
        let worlds = (1..=worlds).filter(|_| rng.random_bool(0.6));
        let worlds: Vec<String> = worlds.map(|world| world.to_string()).collect();
        format!("[{}]", worlds.join(","))
    };
    let sets: Vec<String> = (0..rng.random_range(1..4)).map(|_| set(rng)).collect();
    format!("[{}]", sets.join(","))
}

/// A random problem as a file: inner nodes have some of the later nodes as children.
fn problem(worlds: u32, rng: &mut ChaCha8Rng) -> String {
    let (inner, leaves) = (rng.random_range(1..14), rng.random_range(2..10));
    let mut nodes = Vec::new();
    for node in 0..inner {
        let child = |_| rng.random_range(node + 1..=inner + leaves - 1).to_string();
        let children: Vec<String> = (0..3).map(child).collect();
        let kind = if rng.random_bool(0.5) { "or" } else { "and" };
        let children = children.join(",");
        nodes.push(format!(
            r#"{{"id":{node},"kind":"{kind}","children":[{children}]}}"#
        ));
    }
    for leaf in inner..inner + leaves {
        let value = family(rng, worlds);
        nodes.push(format!(r#"{{"id":{leaf},"kind":"leaf","value":{value}}}"#));
    }
    let nodes = nodes.join(",");
    format!(
        r#"{{"format":"meetjoin-problem/1","lattice":{{"type":"families","v":{worlds}}},"root":0,"nodes":[{nodes}]}}"#
    )
}

struct Case {
    instance: Box<dyn Instance>,
    digest: String,
    /// The maximal sets of the value.
    sets: Vec<Vec<usize>>,
}

impl Case {
    fn new(json: &str) -> Self {
        let source = Source::read(json.as_bytes()).expect("a problem");
        let digest = source.digest();
        let instance = source.instance().expect("a lattice");
        let free = Budget::unlimited();
        let answer = instance
            .solve(Request::new(DEFAULT, &free))
            .expect("solved");
        let Interval::Exact(Value::Element { element, .. }) = answer.root.value else {
            panic!("exact")
        };
        let sets = match element {
            AnyElem::SmallFamily(family) => family
                .maximal()
                .iter()
                .map(|set| set.ones().collect())
                .collect(),
            AnyElem::Family(family) => {
                let sets = family.maximal().iter();
                sets.map(|set| WorldSet::ones(set).collect()).collect()
            }
            _ => panic!("a family"),
        };
        Self {
            instance,
            digest,
            sets,
        }
    }

    /// The weight of the heaviest set.
    fn heaviest(&self, weights: Option<&[u64]>) -> u64 {
        let weight = |world: &usize| weights.map_or(1, |weights| weights[*world]);
        let sets = self.sets.iter();
        let sets = sets.map(|set| set.iter().map(weight).sum());
        sets.max().unwrap_or(0)
    }

    fn write(&self, than: u64, weights: Option<&[u64]>) -> Result<String, String> {
        let claim = NoHeavier {
            than,
            weights: weights.map(<[u64]>::to_vec),
        };
        certified(&*self.instance, &self.digest, claim)
    }

    fn verify(&self, text: &str) -> Result<Verified, String> {
        let free = Budget::unlimited();
        let verified = verify(&*self.instance, Cursor::new(text), &free);
        verified.map_err(|error| error.to_string())
    }
}

fn weights(worlds: u32, rng: &mut ChaCha8Rng) -> Option<Vec<u64>> {
    let weigh = rng.random_bool(0.7);
    weigh.then(|| (0..worlds).map(|_| rng.random_range(0..6)).collect())
}

const WORLDS: [u32; 4] = [3, 5, 9, 66];

#[test]
fn the_heaviest_weight_is_shown_and_nothing_less() {
    let (mut shown, mut light) = (0, 0);
    for worlds in WORLDS {
        let rng = &mut ChaCha8Rng::seed_from_u64(19);
        for _ in 0..60 {
            let case = Case::new(&problem(worlds, rng));
            let weights = weights(worlds, rng);
            let weights = weights.as_deref();
            let heaviest = case.heaviest(weights);
            for than in [heaviest, heaviest + 1, u64::MAX] {
                let text = case.write(than, weights).expect("true");
                let verified = case
                    .verify(&text)
                    .unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(verified.answer, Some(true), "{text}");
                assert_eq!(verified.no_heavier_than, Some(than));
                assert!(
                    verified
                        .json()
                        .contains(&format!(r#""no_heavier_than":{than},"result":"proved""#))
                );
                shown += 1;
            }
            if heaviest > 0 {
                let error = case.write(heaviest - 1, weights).expect_err("not true");
                assert!(error.contains("some set weighs more than"), "{error}");
                light += 1;
            }
        }
    }
    assert!(shown > 600 && light > 200, "{shown} {light}");
}

/// What a text that passed claims, by its header.
fn claimed(text: &str) -> (u64, Option<Vec<u64>>) {
    let header = text.lines().nth(1).expect("a header");
    let header: serde_json::Value = serde_json::from_str(header).expect("JSON");
    let claim = &header["no_heavier"];
    let weights = claim["weights"].as_array();
    let weights = weights.map(|list| list.iter().map(|w| w.as_u64().expect("a number")).collect());
    (claim["than"].as_u64().expect("a number"), weights)
}

/// Whether what a mutant that passed shows is so.
fn is_true(case: &Case, verified: &Verified, text: &str) -> bool {
    if verified.no_heavier_than.is_none() || verified.answer.is_none() {
        // It shows nothing of weights.
        return true;
    }
    let (than, weights) = claimed(text);
    case.heaviest(weights.as_deref()) <= than
}

/// One change somewhere.
fn mutated(text: &str, worlds: u32, rng: &mut ChaCha8Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = rng.random_range(1..lines.len());
    let other = rng.random_range(1..lines.len());
    let is_value = lines[place].starts_with('[');
    match rng.random_range(0..12) {
        0 => drop(lines.remove(place)),
        1 => lines.insert(place, lines[place].clone()),
        2 => lines.swap(place, other),
        _ if is_value => lines[place] = family(rng, worlds),
        _ if place == 1 => {
            // Numbers of the header, the weight and the weights among them.
            let digits = lines[1].char_indices().skip(80);
            let digits: Vec<usize> = digits
                .filter(|(_, c)| c.is_ascii_digit())
                .map(|(at, _)| at)
                .collect();
            if let Some(at) = digits.get(rng.random_range(0..digits.len().max(1))) {
                let digit = rng.random_range(0..10).to_string();
                lines[1].replace_range(*at..=*at, &digit);
            }
        }
        _ => {
            let mut fields: Vec<String> = lines[place].split(' ').map(str::to_owned).collect();
            let field = rng.random_range(0..fields.len());
            match rng.random_range(0..4) {
                0 => drop(fields.remove(field)),
                1 => fields.insert(field, fields[field].clone()),
                2 => ["-", "b", "0", "4294967295"][rng.random_range(0..4)]
                    .clone_into(&mut fields[field]),
                _ => fields[field] = rng.random_range(0..6).to_string(),
            }
            lines[place] = fields.join(" ");
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn mutations() {
    let (mut rejected, mut still_true, mut same) = (0, 0, 0);
    for worlds in WORLDS {
        let rng = &mut ChaCha8Rng::seed_from_u64(23);
        for _ in 0..60 {
            let case = Case::new(&problem(worlds, rng));
            let weights = weights(worlds, rng);
            let than = case.heaviest(weights.as_deref());
            let text = case.write(than, weights.as_deref()).expect("true");
            for _ in 0..60 {
                let mutant = mutated(&text, worlds, rng);
                if mutant == text {
                    same += 1;
                    continue;
                }
                match case.verify(&mutant) {
                    Ok(verified) => {
                        assert!(
                            is_true(&case, &verified, &mutant),
                            "{text}\nbecame\n{mutant}"
                        );
                        still_true += 1;
                    }
                    Err(error) => {
                        let placed = error.starts_with("line ") || error.starts_with("step ");
                        assert!(placed || error.contains("no step"), "{error}");
                        rejected += 1;
                    }
                }
            }
        }
    }
    println!("{rejected} rejected, {still_true} true, {same} the same");
    assert!(
        rejected + still_true > 10_000 && still_true > 100,
        "{rejected} {still_true}"
    );
}

/// MAX chooses between one set of three worlds and one of two.
const CHOICE: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"families","v":5},"root":"r","nodes":[{"id":"r","kind":"or","children":["x","y"]},{"id":"x","kind":"leaf","value":[[1,2,3]]},{"id":"y","kind":"leaf","value":[[4,5]]}]}"#;

/// The family without sets.
const NOTHING: &str = "\"bottom\"";

/// A certificate of these lines, for the claim that nothing is heavier.
fn forged(case: &Case, claim: &str, values: &[&str], steps: &[&str]) -> String {
    let digest = &case.digest;
    let (count, numbers) = (steps.len(), values.len());
    format!(
        "meetjoin-certificate/2\n{{\"problem\":\"{digest}\",\"at_least\":null,\"no_heavier\":{claim},\"values\":{numbers},\"steps\":{count}}}\n{}\n{}\nend\n",
        values.join("\n"),
        steps.join("\n")
    )
}

#[test]
fn an_adversary() {
    let case = Case::new(CHOICE);
    let three = r#"{"than":3,"weights":null}"#;
    let two = r#"{"than":2,"weights":null}"#;
    let steps = ["- 0 1 2", "- 0", "- 0"];
    let shown = |text: &str| case.verify(text).map(|verified| verified.answer);
    assert_eq!(
        shown(&forged(&case, three, &[NOTHING], &steps)),
        Ok(Some(true))
    );
    // The empty set weighs nothing.
    assert_eq!(
        shown(&forged(&case, three, &["[]"], &steps)),
        Ok(Some(true))
    );
    // The heavier leaf is said to be light.
    let told = shown(&forged(&case, two, &[NOTHING], &steps)).expect_err("false");
    assert!(
        told.starts_with("step 1 (x): its upper bound does not follow"),
        "{told}"
    );
    // It is left out.
    let told = shown(&forged(&case, two, &[NOTHING], &["- 0 - 1", "- 0"])).expect_err("false");
    assert!(told.starts_with("step 0 (r): its upper bound does not follow"));
    // Without any reason.
    let told = shown(&forged(&case, two, &[NOTHING], &["- 0"])).expect_err("false");
    assert!(told.starts_with("step 0 (r): its upper bound does not follow"));
    // All worlds together weigh no more: that needs no reason.
    let five = r#"{"than":5,"weights":null}"#;
    assert_eq!(
        shown(&forged(&case, five, &[NOTHING], &["- 0"])),
        Ok(Some(true))
    );
    let four = r#"{"than":4,"weights":null}"#;
    let told = shown(&forged(&case, four, &[NOTHING], &["- 0"])).expect_err("no reason");
    assert!(told.starts_with("step 0 (r): its upper bound does not follow"));
    // A set is left, so nothing is shown.
    let steps = ["- 0 1 2", "- 0", "- 1"];
    let rest = forged(&case, two, &[r#"["7"]"#, NOTHING], &steps);
    assert_eq!(shown(&rest), Ok(None));
    // Weights of other worlds, weights that are too large, two claims, a problem without families.
    let places = [
        r#"{"than":3,"weights":[1,1,1]}"#,
        r#"{"than":3,"weights":[18446744073709551615,1,1,1,1]}"#,
        r#"{"than":-1,"weights":null}"#,
        r#"{"than":3,"more":1}"#,
    ];
    for claim in places {
        let told = shown(&forged(&case, claim, &[NOTHING], &["- 0"])).expect_err("wrong");
        assert!(told.starts_with("line 2: "), "{claim}: {told}");
    }
    let both = forged(&case, three, &[NOTHING], &["- 0"])
        .replace("null,\"no_heavier", "[[1]],\"no_heavier");
    assert!(shown(&both).expect_err("two").starts_with("line 2: "));
    let numbers = r#"{"format":"meetjoin-problem/1","lattice":{"type":"chain"},"root":"r","nodes":[{"id":"r","kind":"leaf","value":3}]}"#;
    let other = Source::read(numbers.as_bytes()).expect("a problem");
    let digest = other.digest();
    let text = forged(&case, three, &[], &["- -"]).replace(&case.digest, &digest);
    let other = other.instance().expect("a lattice");
    let told = verify(&*other, Cursor::new(text), &Budget::unlimited());
    assert!(told.expect_err("wrong").to_string().starts_with("line 2: "));
}
