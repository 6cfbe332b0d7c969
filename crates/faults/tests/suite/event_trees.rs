//! Random event trees against a plain walk in every state of the events.

use std::collections::BTreeMap;

use meetjoin_faults::find_sequences;
use meetjoin_lattice::Budget;
use meetjoin_report::progress::Listener;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::models::{model, near};
use crate::plain::{Formula, weight};

const EVENTS: usize = 4;
const HOUSES: usize = 2;
const SEQUENCES: usize = 3;

/// What is done on a way.
enum Do {
    Collect(Formula),
    House(usize, bool),
    Factor(f64),
    /// If a functional event of the way is in a state.
    If(usize, usize, Vec<Do>, Vec<Do>),
    /// A rule, which collects a formula.
    Rule,
}

enum Way {
    Fork(usize, Vec<(Vec<Do>, Way)>),
    /// A named branch.
    Branch,
    End(usize),
}

struct Tree {
    gates: Vec<Formula>,
    rule: Formula,
    initial: (Vec<Do>, Way),
    branch: (Vec<Do>, Way),
    ends: Vec<Vec<Do>>,
}

struct Made<'r> {
    random: &'r mut ChaCha8Rng,
    factors: bool,
    /// Functional events that have a fork so far.
    forked: Vec<usize>,
}

impl Made<'_> {
    fn one(&mut self, depth: u32) -> Do {
        match self.random.random_range(0..6) {
            0 => Do::House(
                self.random.random_range(0..HOUSES),
                self.random.random_range(0..2) == 0,
            ),
            1 if depth > 0 && !self.forked.is_empty() => {
                let event = self.forked[self.random.random_range(0..self.forked.len())];
                let state = self.random.random_range(0..2);
                Do::If(
                    event,
                    state,
                    vec![self.one(depth - 1)],
                    vec![self.one(depth - 1)],
                )
            }
            _ if self.factors => Do::Factor(f64::from(self.random.random_range(1..10)) / 10.0),
            2 => Do::Rule,
            _ => Do::Collect(Formula::random(self.random, 1, (EVENTS, HOUSES, 2))),
        }
    }

    fn all(&mut self) -> Vec<Do> {
        let count = self.random.random_range(0..3);
        (0..count).map(|_| self.one(1)).collect()
    }

    fn way(&mut self, event: usize, branch: bool) -> (Vec<Do>, Way) {
        let done = self.all();
        let way = match self.random.random_range(0..4) {
            0 if branch => Way::Branch,
            1 | 2 if event < 3 => {
                self.forked.push(event);
                let paths = (0..2).map(|_| self.way(event + 1, branch)).collect();
                self.forked.pop();
                Way::Fork(event, paths)
            }
            _ => Way::End(self.random.random_range(0..SEQUENCES)),
        };
        (done, way)
    }
}

fn name(formula: &Formula) -> String {
    match formula {
        Formula::Event(event) => format!("<basic-event name=\"e{event}\"/>"),
        Formula::House(house) => format!("<house-event name=\"h{house}\"/>"),
        Formula::Gate(gate) => format!("<gate name=\"g{gate}\"/>"),
        _ => unreachable!("a leaf"),
    }
}

fn written(all: &[Do]) -> String {
    let one = |instruction: &Do| match instruction {
        Do::Collect(formula) => {
            format!("<collect-formula>{}</collect-formula>", formula.xml(&name))
        }
        Do::House(house, state) => format!(
            "<set-house-event name=\"h{house}\"><constant value=\"{state}\"/></set-house-event>"
        ),
        Do::Factor(factor) => {
            format!("<collect-expression><float value=\"{factor}\"/></collect-expression>")
        }
        Do::Rule => "<rule name=\"r\"/>".to_owned(),
        Do::If(event, state, yes, no) => format!(
            "<if><test-functional-event name=\"f{event}\" state=\"s{state}\"/><block>{}</block><block>{}</block></if>",
            written(yes),
            written(no)
        ),
    };
    all.iter().map(one).collect()
}

fn written_way((all, way): &(Vec<Do>, Way)) -> String {
    let target = match way {
        Way::End(end) => format!("<sequence name=\"q{end}\"/>"),
        Way::Branch => "<branch name=\"b\"/>".to_owned(),
        Way::Fork(event, paths) => {
            let path = |(state, way): (usize, &(Vec<Do>, Way))| {
                format!("<path state=\"s{state}\">{}</path>", written_way(way))
            };
            let paths: String = paths.iter().enumerate().map(path).collect();
            format!("<fork functional-event=\"f{event}\">{paths}</fork>")
        }
    };
    written(all) + &target
}

/// Where a walk is.
#[derive(Clone)]
struct Walk {
    holds: bool,
    factor: f64,
    houses: Vec<bool>,
    states: BTreeMap<usize, usize>,
}

fn follow(tree: &Tree, all: &[Do], state: u32, walk: &mut Walk) {
    for instruction in all {
        match instruction {
            Do::Collect(formula) => walk.holds &= formula.holds(state, &walk.houses, &tree.gates),
            Do::Rule => walk.holds &= tree.rule.holds(state, &walk.houses, &tree.gates),
            Do::House(house, is) => walk.houses[*house] = *is,
            Do::Factor(factor) => walk.factor *= factor,
            Do::If(event, which, yes, no) => {
                let is = walk.states.get(event) == Some(which);
                follow(tree, if is { yes } else { no }, state, walk);
            }
        }
    }
}

/// For each sequence whether a way of which everything holds leads to it, and the sum of factors.
fn walk(
    tree: &Tree,
    (all, way): &(Vec<Do>, Way),
    state: u32,
    mut walk: Walk,
    found: &mut [(bool, f64, bool)],
) {
    follow(tree, all, state, &mut walk);
    match way {
        Way::Branch => self::walk(tree, &tree.branch, state, walk, found),
        Way::Fork(event, paths) => {
            for (number, path) in paths.iter().enumerate() {
                let mut next = walk.clone();
                next.states.insert(*event, number);
                self::walk(tree, path, state, next, found);
            }
        }
        Way::End(end) => {
            follow(tree, &tree.ends[*end], state, &mut walk);
            let (holds, sum, met) = &mut found[*end];
            (*holds, *met) = (*holds || walk.holds, true);
            *sum += walk.factor;
        }
    }
}

#[test]
fn random_event_trees() {
    let (mut compared, mut refused) = (0, 0);
    for seed in 0..1000 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let factors = random.random_range(0..3) == 0;
        let gates: Vec<Formula> = (0..2)
            .map(|gate| Formula::random(&mut random, 2, (EVENTS, HOUSES, gate)))
            .collect();
        let rule = Formula::random(&mut random, 1, (EVENTS, HOUSES, 2));
        let mut made = Made {
            random: &mut random,
            factors,
            forked: Vec::new(),
        };
        let tree = Tree {
            gates,
            rule,
            initial: made.way(0, true),
            // What is tested must have a fork somewhere.
            branch: (made.all(), Way::End(0)),
            ends: (0..SEQUENCES).map(|_| made.all()).collect(),
        };
        let probabilities: Vec<f64> = (0..EVENTS)
            .map(|_| f64::from(random.random_range(1..20)) / 20.0)
            .collect();
        let gates: String = tree
            .gates
            .iter()
            .enumerate()
            .map(|(gate, formula)| {
                format!(
                    "<define-gate name=\"g{gate}\">{}</define-gate>",
                    formula.xml(&name)
                )
            })
            .collect();
        let events: String = probabilities.iter().enumerate()
            .map(|(event, p)| format!("<define-basic-event name=\"e{event}\"><float value=\"{p}\"/></define-basic-event>"))
            .collect();
        let houses: String = (0..HOUSES)
            .map(|h| format!("<define-house-event name=\"h{h}\"/>"))
            .collect();
        let functional: String = (0..3)
            .map(|f| format!("<define-functional-event name=\"f{f}\"/>"))
            .collect();
        let ends: String = tree
            .ends
            .iter()
            .enumerate()
            .map(|(end, all)| {
                format!(
                    "<define-sequence name=\"q{end}\">{}</define-sequence>",
                    written(all)
                )
            })
            .collect();
        let phases = "<define-alignment name=\"a\"><define-phase name=\"off\" time-fraction=\"0.25\"/><define-phase name=\"on\" time-fraction=\"0.75\"><set-house-event name=\"h0\"><constant value=\"true\"/></set-house-event></define-phase></define-alignment>";
        let text = format!(
            "<opsa-mef><define-initiating-event name=\"i\" event-tree=\"t\"/><define-event-tree name=\"t\">{functional}{ends}\
             <define-branch name=\"b\">{}</define-branch><initial-state>{}</initial-state></define-event-tree>\
             <define-rule name=\"r\"><collect-formula>{}</collect-formula></define-rule>{phases}\
             <define-fault-tree name=\"ft\">{gates}{houses}</define-fault-tree><model-data>{events}</model-data></opsa-mef>",
            written_way(&tree.branch),
            written_way(&tree.initial),
            tree.rule.xml(&name)
        );
        let budget = Budget::unlimited();
        let read = model(std::slice::from_ref(&text))
            .unwrap_or_else(|wrong| panic!("{seed}: {wrong}: {text}"));
        // A sequence whose ways have more than 1 together is refused.
        let found = match find_sequences(&read, 10.0, false, &budget, Listener::NONE) {
            Ok(found) => Some(found),
            Err(wrong) if wrong.to_string().contains("together, above 1") => None,
            Err(wrong) => panic!("{seed}: {wrong}: {text}"),
        };
        let mut most = 0.0_f64;
        for (phase, on) in [("off", false), ("on", true)] {
            let mut sums = [0.0; SEQUENCES];
            let mut last = vec![(false, 0.0, false); SEQUENCES];
            for state in 0..1_u32 << EVENTS {
                let mut ends = vec![(false, 0.0, false); SEQUENCES];
                let start = Walk {
                    holds: true,
                    factor: 1.0,
                    houses: vec![on, false],
                    states: BTreeMap::new(),
                };
                walk(&tree, &tree.initial, state, start, &mut ends);
                for (sum, end) in sums.iter_mut().zip(&ends) {
                    *sum += if end.0 {
                        weight(state, &probabilities)
                    } else {
                        0.0
                    };
                }
                last = ends;
            }
            for (end, (_, sum_of_factors, met)) in last.into_iter().enumerate() {
                most = most.max(sum_of_factors);
                let Some(found) = &found else { continue };
                let answer = found.sequences.iter().find(|answer| {
                    answer.name == format!("q{end}") && answer.phase.as_deref() == Some(phase)
                });
                assert_eq!(answer.is_some(), met, "{seed}: q{end}: {text}");
                let Some(answer) = answer else { continue };
                let p = answer.probability.expect("it is known");
                // A sequence without a factor is certain, one or many times over.
                let expected = if answer.count.is_none() {
                    sum_of_factors
                } else {
                    sums[end]
                };
                assert!(
                    near(p, expected),
                    "{seed}: q{end}: {p} and {expected}: {text}"
                );
                assert!(p < 1.0 + 1e-8, "{seed}: q{end}: {p}: {text}");
                compared += 1;
            }
        }
        assert!(found.is_some() || most > 1.0, "{seed}: {text}");
        refused += usize::from(found.is_none());
    }
    assert!(compared > 2000 && refused > 5, "{compared}, {refused}");
}
