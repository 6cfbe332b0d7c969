//! Random problems with all that the tests ask of them.

use std::io::Cursor;

use meetjoin_catalogue::method::DEFAULT;
use meetjoin_dag::Problem;
use meetjoin_explain::{Verified, verify, write_certificate, write_proof};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Lattice};
use meetjoin_problems::Source;
use meetjoin_solve::{Answer, Claim, Decider, Instance, Meter, ProofFormat, Request, Value};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A lattice as a file has it, and a maker of values.
pub(crate) type Row = (&'static str, fn(&mut ChaCha8Rng) -> String);

fn set(rng: &mut ChaCha8Rng, worlds: u32) -> String {
    let worlds: Vec<String> = (1..=worlds)
        .filter(|_| rng.random_bool(0.5))
        .map(|w| w.to_string())
        .collect();
    format!("[{}]", worlds.join(","))
}

fn family(rng: &mut ChaCha8Rng, worlds: u32) -> String {
    let sets: Vec<String> = (0..rng.random_range(0..4))
        .map(|_| set(rng, worlds))
        .collect();
    format!("[{}]", sets.join(","))
}

/// An outcome of the dominance algebra.
fn outcome(rng: &mut ChaCha8Rng) -> String {
    format!("[{},{}]", rng.random_range(0..5), rng.random_range(0..5))
}

/// The dominance algebra, which is no lattice: problems of it are certified over the free lattice.
pub(crate) const DOMINANCE: Row = (r#"{"type":"dominance","dims":2}"#, outcome);

pub(crate) const LATTICES: &[Row] = &[
    (r#"{"type":"bool"}"#, |rng| rng.random_bool(0.5).to_string()),
    (r#"{"type":"chain"}"#, |rng| {
        rng.random_range(-5..6).to_string()
    }),
    (r#"{"type":"chain","lo":-4.5,"hi":4.5}"#, |rng| {
        format!("{:?}", f64::from(rng.random_range(-9..10)) / 2.0)
    }),
    (r#"{"type":"powerset","v":5}"#, |rng| set(rng, 5)),
    (r#"{"type":"powerset","v":70}"#, |rng| set(rng, 70)),
    (r#"{"type":"families","v":4}"#, |rng| family(rng, 4)),
    (r#"{"type":"families","v":66}"#, |rng| family(rng, 66)),
    (r#"{"type":"free","dims":2}"#, |rng| {
        let packets = (0..rng.random_range(1..4)).map(|_| {
            let outcomes = (0..rng.random_range(1..3)).map(|_| outcome(rng));
            format!("[{}]", outcomes.collect::<Vec<_>>().join(","))
        });
        format!("[{}]", packets.collect::<Vec<_>>().join(","))
    }),
    (r#"{"type":"divisors","n":360}"#, |rng| {
        [
            1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 18, 20, 24, 36, 40, 45, 60, 72, 90, 120, 180, 360,
        ][rng.random_range(0..23)]
        .to_string()
    }),
    (
        r#"{"type":"product","of":[{"type":"chain"},{"type":"powerset","v":3}]}"#,
        |rng| format!("[{},{}]", rng.random_range(0..4), set(rng, 3)),
    ),
    (r#"{"type":"dual","of":{"type":"powerset","v":4}}"#, |rng| {
        set(rng, 4)
    }),
    // N5, which is not distributive.
    (
        r#"{"type":"table","size":5,"leq":[[1,1,1,1,1],[0,1,1,0,1],[0,0,1,0,1],[0,0,0,1,1],[0,0,0,0,1]]}"#,
        |rng| rng.random_range(0..5).to_string(),
    ),
    (
        r#"{"type":"table","size":4,"leq":[[1,1,1,1],[0,1,0,1],[0,0,1,1],[0,0,0,1]]}"#,
        |rng| rng.random_range(0..4).to_string(),
    ),
];

/// A random problem as a file: inner nodes have some of the later nodes as children.
pub(crate) fn problem((lattice, value): Row, seed: u64) -> String {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let (inner, leaves) = (rng.random_range(1..14), rng.random_range(1..10));
    let mut nodes = Vec::new();
    for node in 0..inner {
        let children: Vec<String> = (0..rng.random_range(1..4))
            .map(|_| rng.random_range(node + 1..=inner + leaves - 1).to_string())
            .collect();
        let kind = if rng.random_bool(0.5) { "or" } else { "and" };
        nodes.push(format!(
            r#"{{"id":{node},"kind":"{kind}","children":[{}]}}"#,
            children.join(",")
        ));
    }
    for leaf in inner..inner + leaves {
        nodes.push(format!(
            r#"{{"id":{leaf},"kind":"leaf","value":{}}}"#,
            value(rng)
        ));
    }
    format!(
        r#"{{"format":"meetjoin-problem/1","lattice":{lattice},"root":0,"nodes":[{}]}}"#,
        nodes.join(",")
    )
}

/// A problem with all that the tests ask of it.
pub(crate) struct Case {
    pub(crate) problem: Problem<AnyLattice>,
    pub(crate) instance: Box<dyn Instance>,
    pub(crate) digest: String,
    pub(crate) answer: Answer,
}

pub(crate) fn case(json: &str) -> Case {
    let source = Source::read(json.as_bytes()).expect("a problem");
    let digest = source.digest();
    // The same problem over the lattice in which it is certified.
    let problem = json.replace(r#""dominance""#, r#""free""#);
    let Ok(Source::Problem(problem)) = Source::read(problem.as_bytes()) else {
        panic!("with all its nodes")
    };
    let instance = source.certified().expect("a lattice");
    let free = Budget::unlimited();
    let mut algorithm = DEFAULT;
    if instance.admits(&algorithm).is_err() {
        algorithm = *meetjoin_catalogue::method::algorithm("minimax-cached").expect("known");
    }
    let answer = instance
        .solve(Request::new(algorithm, &free))
        .expect("solved");
    Case {
        problem: *problem,
        instance,
        digest,
        answer,
    }
}

pub(crate) fn element(value: &Value) -> &AnyElem {
    match value {
        Value::Element { element, .. } => element,
        Value::Sets { .. } | Value::End { .. } => panic!("of a file"),
    }
}

impl Case {
    pub(crate) fn value(&self) -> &AnyElem {
        element(self.answer.root.value.exact().expect("exact"))
    }

    pub(crate) fn leq(&self, a: &AnyElem, b: &AnyElem) -> bool {
        self.problem.lattice().leq(a, b, &Budget::unlimited()) == Ok(true)
    }

    pub(crate) fn certificate(&self) -> String {
        let mut text = Vec::new();
        let free = Budget::unlimited();
        write_certificate(
            &*self.instance,
            self.digest.clone(),
            &self.answer.root.value,
            true,
            &free,
            &mut text,
        )
        .expect("a certificate");
        String::from_utf8(text).expect("text")
    }

    pub(crate) fn verify(&self, text: &str) -> Result<Verified, String> {
        let free = Budget::unlimited();
        verify(&*self.instance, Cursor::new(text), &free).map_err(|error| error.to_string())
    }

    /// Whether what was verified is so.
    pub(crate) fn is_true(&self, verified: &Verified) -> bool {
        let claimed = verified.claim.as_ref().zip(verified.answer);
        self.leq(element(verified.value.lower()), self.value())
            && self.leq(self.value(), element(verified.value.upper()))
            && claimed
                .is_none_or(|(claim, answer)| self.leq(element(claim), self.value()) == answer)
    }
}

/// Proofs and disproofs of join-primes as certificates.
pub(crate) fn proofs(case: &Case) -> Vec<String> {
    use meetjoin_file::print_value;
    use meetjoin_lattice::JoinPrimes;

    let (lattice, free) = (case.problem.lattice(), Budget::unlimited());
    let mut primes = lattice
        .join_primes_below(&lattice.top(), &free)
        .unwrap_or_default();
    primes.extend(
        lattice
            .join_primes_below(case.value(), &free)
            .unwrap_or_default(),
    );
    primes.truncate(4);
    let mut texts = Vec::new();
    for prime in primes {
        let mut json = String::new();
        print_value(lattice, &prime, &mut json);
        for by in [Decider::DfPn, Decider::ProofNumber] {
            let proved = case.instance.prove(Claim {
                at_least: &json,
                by,
                budget: &free,
                meter: Meter::NONE,
                threads: std::num::NonZero::<usize>::MIN,
                proof: Some(ProofFormat::Certificate),
                progress: None,
            });
            let certificate = proved.expect("decided").certificate.expect("a certificate");
            let mut text = Vec::new();
            write_proof(&*case.instance, case.digest.clone(), certificate, &mut text)
                .expect("written");
            texts.push(String::from_utf8(text).expect("text"));
        }
    }
    texts
}

pub(crate) const SMALL: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"chain"},"root":"r","nodes":[{"id":"r","kind":"or","children":["a","y"]},{"id":"a","kind":"and","children":["x","y"]},{"id":"x","kind":"leaf","value":3},{"id":"y","kind":"leaf","value":7}]}"#;
