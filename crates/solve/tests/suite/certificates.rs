//! Certificates of random problems over every lattice: they pass, they show the value, and no change to one makes it show anything that is not true.

use std::io::Cursor;

use meetjoin::dag::{AndOrDag, Kind, NodeId, Problem, Valuation};
use meetjoin::lattice::{AnyElem, AnyLattice, Budget, Interval, Lattice};
use meetjoin::search::method::DEFAULT;
use meetjoin_solve::{
    Answer, Claim, Decider, Instance, Meter, ProofFormat, Request, Side, Source, Strategy,
    StrategyRequest, Value, Verified, strategy, verify, write_certificate, write_proof,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A lattice as a file has it, and a maker of values.
type Row = (&'static str, fn(&mut ChaCha8Rng) -> String);

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

const LATTICES: &[Row] = &[
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
fn problem((lattice, value): Row, seed: u64) -> String {
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
struct Case {
    problem: Problem<AnyLattice>,
    instance: Box<dyn Instance>,
    digest: String,
    answer: Answer,
}

fn case(json: &str) -> Case {
    let source = Source::read(json.as_bytes()).expect("a problem");
    let digest = source.digest();
    let Source::Problem(problem) = &source else {
        panic!("with all its nodes")
    };
    let problem = (**problem).clone();
    let instance = source.instance().expect("a lattice");
    let free = Budget::unlimited();
    let mut algorithm = DEFAULT;
    if instance.admits(&algorithm).is_err() {
        algorithm = *meetjoin::search::method::algorithm("minimax-cached").expect("known");
    }
    let answer = instance
        .solve(Request::new(algorithm, &free))
        .expect("solved");
    Case {
        problem,
        instance,
        digest,
        answer,
    }
}

fn element(value: &Value) -> &AnyElem {
    match value {
        Value::Element { element, .. } => element,
        Value::Sets { .. } | Value::End { .. } => panic!("of a file"),
    }
}

impl Case {
    fn value(&self) -> &AnyElem {
        element(self.answer.root.value.exact().expect("exact"))
    }

    fn leq(&self, a: &AnyElem, b: &AnyElem) -> bool {
        self.problem.lattice().leq(a, b, &Budget::unlimited()) == Ok(true)
    }

    fn certificate(&self) -> String {
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

    fn verify(&self, text: &str) -> Result<Verified, String> {
        let free = Budget::unlimited();
        verify(&*self.instance, &self.digest, Cursor::new(text), &free)
            .map_err(|error| error.to_string())
    }

    /// Whether what was verified is so.
    fn is_true(&self, verified: &Verified) -> bool {
        let claimed = verified.claim.as_ref().zip(verified.answer);
        self.leq(element(verified.value.lower()), self.value())
            && self.leq(self.value(), element(verified.value.upper()))
            && claimed
                .is_none_or(|(claim, answer)| self.leq(element(claim), self.value()) == answer)
    }
}

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

/// Proofs and disproofs of join-primes as certificates.
fn proofs(case: &Case) -> Vec<String> {
    use meetjoin::file::write_value;
    use meetjoin::lattice::JoinPrimes;

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
        write_value(lattice, &prime, &mut json);
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

/// One change somewhere: a field is another one, or gone, or there twice; a line is another one, or gone, or there twice.
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
    for row in LATTICES {
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

const SMALL: &str = r#"{"format":"meetjoin-problem/1","lattice":{"type":"chain"},"root":"r","nodes":[{"id":"r","kind":"or","children":["a","y"]},{"id":"a","kind":"and","children":["x","y"]},{"id":"x","kind":"leaf","value":3},{"id":"y","kind":"leaf","value":7}]}"#;

/// What somebody would write who wants to be believed.
#[test]
fn an_adversary() {
    let case = case(SMALL);
    let digest = &case.digest;
    let certificate = |header: &str, body: &str| {
        let header = header.replace("DIGEST", digest);
        format!("meetjoin-certificate/2\n{header}\n{body}")
    };
    let usual = r#"{"problem":"DIGEST","at_least":null,"values":1,"steps":2}"#;
    let good = certificate(usual, "7\n0 - - 1\n0 -\nend\n");
    assert_eq!(
        case.verify(&good)
            .map(|verified| verified.value.lower().json()),
        Ok("7".to_owned())
    );
    for (text, why) in [
        // A reason that is its own.
        (
            certificate(usual, "9\n0 - 0 0\n0 -\nend\n"),
            "line 4: `0` leads to no later step",
        ),
        // Back to an earlier step.
        (
            certificate(usual, "9\n0 - 1 -\n0 - 4294967295 -\nend\n"),
            "line 5: `4294967295` leads to no later step",
        ),
        // A step for a node that is another one.
        (
            certificate(usual, "7\n0 - 1 -\n0 -\nend\n"),
            "step 1 (a): its lower bound does not follow",
        ),
        (
            certificate(
                r#"{"problem":"DIGEST","at_least":null,"values":1,"steps":3}"#,
                "7\n0 - 1 2\n- - - 1\n0 -\nend\n",
            ),
            "",
        ),
        (
            certificate(
                r#"{"problem":"DIGEST","at_least":null,"values":1,"steps":3}"#,
                "7\n0 - 1 2\n- - 1 -\n0 -\nend\n",
            ),
            "step 1 (a): a child is another node than that of its step",
        ),
        // Claims too much.
        (
            certificate(usual, "8\n0 - - 1\n0 -\nend\n"),
            "step 1 (y): its lower bound does not follow",
        ),
        // At most 3, with the child left out that is worth more.
        (
            certificate(
                r#"{"problem":"DIGEST","at_least":null,"values":1,"steps":3}"#,
                "3\n- 0 1 -\n- 0 1 -\n- 0\nend\n",
            ),
            "step 0 (r): its upper bound does not follow",
        ),
        // One child fewer than there are.
        (
            certificate(usual, "7\n0 - 1\n0 -\nend\n"),
            "step 0 (r): the node has another number of children",
        ),
        // A bound that nobody stated.
        (
            certificate(
                r#"{"problem":"DIGEST","at_least":null,"values":1,"steps":1}"#,
                "9\n0 - b\nend\n",
            ),
            "step 0 (r): the problem states no bound of the node",
        ),
        // A value outside the lattice.
        (
            certificate(usual, "[1]\n0 - - 1\n0 -\nend\n"),
            "line 3: `[1]` is not a 64-bit integer",
        ),
        (
            certificate(usual, "7\n1 - - 1\n0 -\nend\n"),
            "line 4: `1` is no number of a value; there are 1",
        ),
        // Another problem.
        (
            certificate(&usual.replace("DIGEST", "ab"), "7\n0 - - 1\n0 -\nend\n"),
            "line 2: this is a certificate of another problem",
        ),
        // Sizes that lie.
        (
            certificate(
                &usual.replace(":1,", ":18446744073709551615,"),
                "7\n0 - - 1\n0 -\nend\n",
            ),
            "line 4: `0 - - 1` is not",
        ),
        (
            certificate(
                &usual.replace(":2}", ":18446744073709551615}"),
                "7\n0 - - 1\n0 -\nend\n",
            ),
            "line 6: `end` is no number of a value",
        ),
        (
            certificate(&usual.replace(":2}", ":1}"), "7\n0 - - 1\n0 -\nend\n"),
            "line 4: `1` leads to no later step",
        ),
        (
            certificate(&usual.replace(":2}", ":0}"), "7\nend\n"),
            "the certificate has no step",
        ),
        (
            certificate(&usual.replace(":2}", ":3}"), "7\n0 - - 1\n0 -\n- -\nend\n"),
            "step 2: no earlier step leads to it",
        ),
        // Versions, ends and beginnings.
        (
            good.replace("certificate/2", "certificate/3"),
            "line 1: this is a certificate of another version",
        ),
        (format!("{SMALL}\n"), "line 1: this is no certificate"),
        (format!("{good} "), "line 6: nothing may come after `end`"),
        (
            good.replace("end\n", "end"),
            "line 6: the certificate ends before its end",
        ),
        // A claim that is no question.
        (
            certificate(
                &usual.replace("null", "\"bottom\""),
                "true\n0 - - 1\n0 -\nend\n",
            ),
            "what the certificate claims is not join-prime",
        ),
    ] {
        match case.verify(&text) {
            Ok(_) if why.is_empty() => {}
            Ok(verified) => panic!("{text}\npassed: {verified:?}"),
            Err(error) => assert!(
                !why.is_empty() && error.contains(why),
                "{error}\nin place of {why}\n{text}"
            ),
        }
    }
    for end in 0..good.len() {
        assert!(case.verify(&good[..end]).is_err(), "{}", &good[..end]);
    }
}

/// A limit while a certificate is read or checked is a sentence.
#[test]
fn limits_while_verifying() {
    let case = case(SMALL);
    let text = case.certificate();
    let stopped = Budget::visits_at_most(1);
    let error =
        verify(&*case.instance, &case.digest, Cursor::new(&text), &stopped).expect_err("stopped");
    assert!(
        error
            .to_string()
            .starts_with("the check has not come to its end"),
        "{error}"
    );
}

fn request<'a>(side: Side, of: Option<&'a str>, budget: &'a Budget) -> StrategyRequest<'a> {
    StrategyRequest {
        side,
        of,
        stated: true,
        budget,
    }
}

/// Plays a strategy against every reply: from the root by one move of the player, by all of the other, to ends that are worth what it promises.
fn play_out(case: &Case, found: &Strategy) -> usize {
    let problem = &case.problem;
    let node = |name: &str| {
        problem
            .graph()
            .nodes()
            .find(|node| problem.node_name(*node).to_string() == name)
            .expect("a node")
    };
    assert_eq!(node(&found.nodes[0].name.text), problem.root());
    let mut lines = 0;
    let mut open = vec![0];
    let mut children: Vec<NodeId> = Vec::new();
    while let Some(place) = open.pop() {
        let here = &found.nodes[place];
        let at = node(&here.name.text);
        assert_eq!(here.kind, problem.kind(&at));
        let follows: Vec<NodeId> = here
            .next
            .iter()
            .map(|follow| node(&found.nodes[follow.to].name.text))
            .collect();
        children.clear();
        match problem.kind(&at) {
            Kind::Leaf => {
                let (value, of) = (problem.leaf(&at), element(&found.of));
                match found.side {
                    Side::Max => assert!(case.leq(of, &value)),
                    Side::Min => assert!(case.leq(&value, of)),
                }
                lines += 1;
                continue;
            }
            kind => {
                problem.children(&at, &mut children);
                assert!(follows.iter().all(|follow| children.contains(follow)));
                if (kind == Kind::Or) == (found.side == Side::Max) {
                    assert_eq!(follows.len(), 1);
                } else {
                    assert!(children.iter().all(|child| follows.contains(child)));
                }
            }
        }
        open.extend(here.next.iter().map(|follow| follow.to));
    }
    lines
}

#[test]
fn strategies_of_both_players_do_what_they_promise() {
    use meetjoin::file::write_value;
    use meetjoin::lattice::{Dual, JoinPrimes};

    let (mut found, mut lines) = (0, 0);
    for row in LATTICES {
        for seed in 0..20 {
            let case = case(&problem(*row, seed));
            // Meet-primes of families over many worlds are too many to be listed.
            let few = !row.0.contains("\"v\":66");
            for side in [Side::Max, Side::Min]
                .into_iter()
                .take(1 + usize::from(few))
            {
                let lattice = case.problem.lattice();
                let seen = match side {
                    Side::Max => lattice.clone(),
                    Side::Min => AnyLattice::Dual(Box::new(Dual(lattice.clone()))),
                };
                let free = Budget::unlimited();
                let primes = seen
                    .join_primes_below(case.value(), &free)
                    .expect("no limit");
                for prime in primes.iter().take(6) {
                    let mut json = String::new();
                    write_value(lattice, prime, &mut json);
                    let plan = strategy(
                        &*case.instance,
                        &case.answer.root.value,
                        &request(side, Some(&json), &free),
                    )
                    .expect("a strategy");
                    assert_eq!(element(&plan.of), prime);
                    lines += play_out(&case, &plan);
                    found += 1;
                    assert!(!plan.text().is_empty() && plan.dot().starts_with("digraph"));
                }
                let any = strategy(
                    &*case.instance,
                    &case.answer.root.value,
                    &request(side, None, &free),
                );
                assert_eq!(any.is_ok(), !primes.is_empty());
                // What the value does not have is refused, and what it has is named.
                for other in seen
                    .join_primes_below(&seen.top(), &free)
                    .expect("no limit")
                    .iter()
                    .take(4)
                {
                    let has = match side {
                        Side::Max => case.leq(other, case.value()),
                        Side::Min => case.leq(case.value(), other),
                    };
                    if has {
                        continue;
                    }
                    let mut json = String::new();
                    write_value(lattice, other, &mut json);
                    let error = strategy(
                        &*case.instance,
                        &case.answer.root.value,
                        &request(side, Some(&json), &free),
                    )
                    .expect_err("refused");
                    assert!(error.to_string().contains("guarantee"), "{error}");
                }
            }
        }
    }
    println!("{found} strategies, {lines} lines played out");
    assert!(found > 600, "{found}");
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
