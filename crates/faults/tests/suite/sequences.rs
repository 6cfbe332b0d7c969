//! Sequences of functional events that share events or do not, against all states: probabilities,
//! numbers of minimal cut sets, and the sets.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use meetjoin_faults::tree::{Argument, BasicEvent, Connective, FaultTree, Gate};
use meetjoin_faults::{
    Analysis, BigUint, FaultTreeParameters, Sets, State, find_sequences, tree_of,
};
use meetjoin_lattice::Budget;
use meetjoin_report::progress::Listener;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::models::{model, near};
use crate::plain::{Formula, weight};

/// Functional events.
const FORKS: usize = 4;
/// Events of each of them alone.
const OWN: usize = 2;
/// Events that any of them may have.
const SHARED: usize = 2;
const EVENTS: usize = FORKS * OWN + SHARED;
const SEQUENCES: usize = 3;

/// The same formula over the events of a functional event.
fn moved(formula: Formula, fork: usize) -> Formula {
    match formula {
        Formula::Event(event) if event < OWN => Formula::Event(fork * OWN + event),
        Formula::Event(event) => Formula::Event(FORKS * OWN + event - OWN),
        Formula::Of(word, least, most, below) => {
            let below = below.into_iter().map(|formula| moved(formula, fork));
            Formula::Of(word, least, most, below.collect())
        }
        leaf => leaf,
    }
}

/// What a way collects, each with whether it holds.
type Collected = Vec<(usize, bool)>;

struct Made<'r> {
    random: &'r mut ChaCha8Rng,
    collected: Collected,
    /// The ways, each with its sequence.
    ways: Vec<(Collected, usize)>,
}

impl Made<'_> {
    /// The branches from a functional event on, written.
    fn branches(&mut self, fork: usize) -> String {
        if fork == FORKS {
            let end = self.random.random_range(0..SEQUENCES);
            self.ways.push((self.collected.clone(), end));
            return format!("<sequence name=\"q{end}\"/>");
        }
        if self.random.random_range(0..6) == 0 {
            return self.branches(fork + 1);
        }
        let mut paths = String::new();
        for fails in [false, true] {
            let gate = format!("<gate name=\"g{fork}\"/>");
            let length = self.collected.len();
            let formula = match self.random.random_range(0..8) {
                0 => None,
                1 if fails => Some(format!("<not><not>{gate}</not></not>")),
                _ if fails => Some(gate),
                1 => Some(format!("<nor>{gate}</nor>")),
                _ => Some(format!("<not>{gate}</not>")),
            };
            let formula = formula.map_or(String::new(), |formula| {
                self.collected.push((fork, fails));
                format!("<collect-formula>{formula}</collect-formula>")
            });
            let below = self.branches(fork + 1);
            self.collected.truncate(length);
            paths += &format!("<path state=\"{fails}\">{formula}{below}</path>");
        }
        format!("<fork functional-event=\"f{fork}\">{paths}</fork>")
    }
}

/// The states of some that have no other as a part.
fn minimal(states: &[u32]) -> BTreeSet<u32> {
    let is_part = |a: u32, b: u32| a != b && a & b == a;
    let minimal = |&state: &u32| !states.iter().any(|&other| is_part(other, state));
    states.iter().copied().filter(minimal).collect()
}

#[test]
fn random_sequences_of_parts() {
    let (mut compared, mut largest) = (0, 0);
    for seed in 0..1000 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let shared = random.random_range(0..=SHARED);
        let formulas: Vec<Formula> = (0..FORKS)
            .map(|fork| moved(Formula::random(&mut random, 3, (OWN + shared, 0, 0)), fork))
            .collect();
        let probabilities: Vec<f64> = (0..EVENTS)
            .map(|_| f64::from(random.random_range(1..20)) / 20.0)
            .collect();
        let mut made = Made {
            random: &mut random,
            collected: Vec::new(),
            ways: Vec::new(),
        };
        let branches = made.branches(0);
        let ways = made.ways;
        let name = |formula: &Formula| match formula {
            Formula::Event(event) => format!("<basic-event name=\"e{event}\"/>"),
            _ => unreachable!("an event"),
        };
        let all = |count: usize, one: &dyn Fn(usize) -> String| -> String {
            (0..count).map(one).collect()
        };
        let gates = all(FORKS, &|gate| {
            let formula = formulas[gate].xml(&name);
            format!("<define-gate name=\"g{gate}\">{formula}</define-gate>")
        });
        let events = all(EVENTS, &|event| {
            let p = probabilities[event];
            format!(
                "<define-basic-event name=\"e{event}\"><float value=\"{p}\"/></define-basic-event>"
            )
        });
        let functional = all(FORKS, &|fork| {
            format!("<define-functional-event name=\"f{fork}\"/>")
        });
        let ends = all(SEQUENCES, &|end| {
            format!("<define-sequence name=\"q{end}\"/>")
        });
        let text = format!(
            "<opsa-mef><define-initiating-event name=\"i\" event-tree=\"t\"/><define-event-tree name=\"t\">\
             {functional}{ends}<initial-state>{branches}</initial-state></define-event-tree>\
             <define-fault-tree name=\"ft\">{gates}</define-fault-tree><model-data>{events}</model-data></opsa-mef>"
        );
        let read = model(std::slice::from_ref(&text))
            .unwrap_or_else(|wrong| panic!("{seed}: {wrong}: {text}"));
        let budget = Budget::unlimited();
        let [counted, listed] = [false, true].map(|list| {
            let found =
                find_sequences(&read, 10.0, list, &budget, Listener::NONE).expect("no limit");
            let by_name = found
                .sequences
                .into_iter()
                .map(|found| (found.name.clone(), found));
            by_name.collect::<BTreeMap<_, _>>()
        });
        for end in 0..SEQUENCES {
            let holds = |state: &u32| {
                let of_way = |(collected, to): &(Collected, usize)| {
                    *to == end
                        && collected
                            .iter()
                            .all(|&(fork, fails)| formulas[fork].holds(*state, &[], &[]) == fails)
                };
                ways.iter().any(of_way)
            };
            let states: Vec<u32> = (0..1 << EVENTS).filter(holds).collect();
            let sets = minimal(&states);
            let p: f64 = states
                .iter()
                .map(|&state| weight(state, &probabilities))
                .sum();
            let name = format!("q{end}");
            let is_met = ways.iter().any(|&(_, to)| to == end);
            assert_eq!(
                counted.contains_key(&name),
                is_met,
                "{seed}: {name}: {text}"
            );
            let (Some(counted), Some(listed)) = (counted.get(&name), listed.get(&name)) else {
                continue;
            };
            for found in [counted, listed] {
                let found_p = found.probability.expect("it is known");
                assert!(
                    near(found_p, p),
                    "{seed}: {name}: {found_p} and {p}: {text}"
                );
                let expected = sets.len().to_string();
                assert_eq!(
                    found.count.as_ref(),
                    Some(&expected),
                    "{seed}: {name}: {text}"
                );
            }
            let number = |event: &String| event[1..].parse::<u32>().expect("a number");
            let state = |set: &Vec<String>| set.iter().map(number).fold(0, |all, e| all | 1 << e);
            let found = listed
                .sets
                .as_ref()
                .expect("they are listed")
                .iter()
                .map(state);
            assert_eq!(
                found.collect::<BTreeSet<u32>>(),
                sets,
                "{seed}: {name}: {text}"
            );
            (compared, largest) = (compared + 1, largest.max(sets.len()));
        }
    }
    assert!(compared > 2000 && largest > 5, "{compared} {largest}");
}

/// The branches from a functional event on, to a sequence for each number of failures.
fn all_ways(fork: usize, forks: usize, failures: usize) -> String {
    if fork == forks {
        return format!("<sequence name=\"q{failures}\"/>");
    }
    let path = |fails: bool| {
        let gate = format!("<gate name=\"t{fork}-r1\"/>");
        let formula = if fails {
            gate
        } else {
            format!("<not>{gate}</not>")
        };
        let below = all_ways(fork + 1, forks, failures + usize::from(fails));
        format!(
            "<path state=\"{fails}\"><collect-formula>{formula}</collect-formula>{below}</path>"
        )
    };
    format!(
        "<fork functional-event=\"f{fork}\">{}{}</fork>",
        path(false),
        path(true)
    )
}

/// Ten functional events, each of which asks for a large tree of its own, and all 1,024 ways: each
/// number of failures is as probable as numbers of independent events say, and has the sets that
/// the trees have together. The tree is baobab1 where it is there, and a random one where it is
/// not.
#[test]
fn ten_functional_events() {
    const FORKS: usize = 10;
    let budget = Budget::unlimited();
    let file =
        |name: &str| std::fs::read_to_string(format!("/usr/share/scram/input/Baobab/{name}"));
    let inside = |text: &str| {
        let from = text.find("<opsa-mef>").expect("a model") + "<opsa-mef>".len();
        text[from..text.rfind("</opsa-mef>").expect("its end")].to_owned()
    };
    let files = (file("baobab1.xml"), file("baobab1-basic-events.xml"));
    let tree = if let (Ok(gates), Ok(events)) = files {
        inside(&gates) + &inside(&events)
    } else {
        let random = |seed| {
            let parameters = FaultTreeParameters {
                events: 60,
                gates: 60,
                arguments: 4,
                seed,
            };
            parameters.tree().expect("it is sound")
        };
        let is_large = |tree: &FaultTree| {
            let analysis = Analysis::of(tree, Sets::Cuts, &budget);
            let by_order = analysis.by_order(&budget).expect("no limit");
            by_order.iter().sum::<BigUint>() > BigUint::from(1000_u32)
        };
        written(&(0..100).map(random).find(is_large).expect("one of them"))
    };
    let alone = model(&[format!("<opsa-mef>{tree}</opsa-mef>")]).expect("a model");
    let state = State::at(1.0);
    let top = tree_of(&alone, Some("r1"), &state, Sets::Cuts, &budget).expect("a tree");
    let analysis = Analysis::of(&top, Sets::Cuts, &budget);
    let events: Vec<f64> = top
        .events()
        .iter()
        .filter_map(|event| event.probability)
        .collect();
    let (p, _) = analysis.probability(&events, &budget).expect("no limit");
    let sets: BigUint = analysis.by_order(&budget).expect("no limit").iter().sum();
    assert!(sets > BigUint::from(1000_u32), "{sets}");

    let mut text = String::from("<opsa-mef>");
    for fork in 0..FORKS {
        text += &tree.replace("name=\"", &format!("name=\"t{fork}-"));
    }
    text += "<define-initiating-event name=\"i\" event-tree=\"t\"/><define-event-tree name=\"t\">";
    for fork in 0..FORKS {
        text += &format!("<define-functional-event name=\"f{fork}\"/>");
    }
    for failures in 0..=FORKS {
        text += &format!("<define-sequence name=\"q{failures}\"/>");
    }
    let ways = all_ways(0, FORKS, 0);
    text += &format!("<initial-state>{ways}</initial-state></define-event-tree></opsa-mef>");
    let begin = Instant::now();
    let read = model(&[text]).expect("a model");
    let found = find_sequences(&read, 1.0, false, &budget, Listener::NONE).expect("no limit");
    eprintln!(
        "ten functional events: {:.3} s",
        begin.elapsed().as_secs_f64()
    );
    assert_eq!(found.sequences.len(), FORKS + 1);
    for sequence in found.sequences {
        let failures: u32 = sequence.name[1..].parse().expect("a number");
        let [failing, working] = [failures, FORKS as u32 - failures].map(u32::cast_signed);
        let chosen = (1..=failures).fold(1, |c, k| c * (FORKS as u32 + 1 - k) / k);
        let count = sets.pow(failures) * chosen;
        assert_eq!(sequence.count, Some(count.to_string()), "{failures}");
        let rest = (1.0 - p).powi(working);
        let expected = f64::from(chosen) * p.powi(failing) * rest;
        let found = sequence.probability.expect("it is known");
        assert!(
            near(found, expected) && found > 0.9 * expected,
            "{found} {expected}"
        );
    }
}

/// A fault tree in the format, with `r1` as its top.
fn written(tree: &FaultTree) -> String {
    let argument = |argument: &Argument| match argument {
        Argument::Gate(gate) => format!("<gate name=\"r{}\"/>", gate + 1),
        Argument::Event(event) => format!("<basic-event name=\"e{event}\"/>"),
        Argument::Constant(constant) => format!("<constant value=\"{constant}\"/>"),
    };
    let gate = |(number, gate): (usize, &Gate)| {
        let below: String = gate.arguments.iter().map(argument).collect();
        let (word, least) = match gate.connective {
            Connective::AtLeast(least) => ("atleast", format!(" min=\"{least}\"")),
            Connective::And => ("and", String::new()),
            _ => ("or", String::new()),
        };
        let name = number + 1;
        format!("<define-gate name=\"r{name}\"><{word}{least}>{below}</{word}></define-gate>")
    };
    let event = |(number, event): (usize, &BasicEvent)| {
        let p = event.probability.expect("it is drawn");
        format!(
            "<define-basic-event name=\"e{number}\"><float value=\"{p}\"/></define-basic-event>"
        )
    };
    let gates: String = tree.gates().iter().enumerate().map(gate).collect();
    let events: String = tree.events().iter().enumerate().map(event).collect();
    format!(
        "<define-fault-tree name=\"ft\">{gates}</define-fault-tree><model-data>{events}</model-data>"
    )
}

/// A chain of forks is as much work as it is long: ways that begin alike are not written out.
#[test]
fn long_chains_of_forks_take_no_square() {
    const LENGTH: usize = 100_000;
    let event = |i: usize| {
        format!("<define-basic-event name=\"e{i}\"><float value=\"1e-6\"/></define-basic-event>")
    };
    let fork = |i: usize| {
        format!(
            "<fork functional-event=\"f{i}\"><path state=\"fails\"><collect-formula><basic-event name=\"e{i}\"/></collect-formula><sequence name=\"bad\"/></path><path state=\"works\"><collect-formula><constant value=\"true\"/></collect-formula>"
        )
    };
    let functional = |i: usize| format!("<define-functional-event name=\"f{i}\"/>");
    let text = format!(
        "<opsa-mef><define-initiating-event name=\"i\" event-tree=\"t\"/><define-event-tree name=\"t\">{}<define-sequence name=\"bad\"/><define-sequence name=\"good\"/><initial-state>{}<sequence name=\"good\"/>{}</initial-state></define-event-tree><model-data>{}</model-data></opsa-mef>",
        (0..LENGTH).map(functional).collect::<String>(),
        (0..LENGTH).map(fork).collect::<String>(),
        "</path></fork>".repeat(LENGTH),
        (0..LENGTH).map(event).collect::<String>(),
    );
    let model = model(&[text]).expect("a model");
    let budget = Budget::unlimited();
    // Each with all that it collects, the ways had five billion formulas and as many states.
    let found = find_sequences(&model, 1.0, false, &budget, Listener::NONE).expect("sequences");
    let [bad, good] = &found.sequences[..] else {
        panic!("{found:?}");
    };
    let p = bad.probability.expect("known");
    let expected = -(LENGTH as f64 * (-1e-6_f64).ln_1p()).exp_m1();
    assert!((p / expected - 1.0).abs() < 1e-9, "{p} {expected}");
    assert_eq!(bad.count.as_deref(), Some("100000"));
    assert_eq!(good.probability, Some(1.0));
}
