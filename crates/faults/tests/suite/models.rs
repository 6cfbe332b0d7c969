//! Random models with every construct against a plain evaluation of all states: 1,000 of each kind.

use std::rc::Rc;

use meetjoin_faults::{Analysis, Model, ModelReader, Sets, State, tree_of};
use meetjoin_lattice::Budget;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::plain::{Expr, Formula, weight};

const CASES: u64 = 1000;
const TIME: f64 = 137.31;

pub fn model(files: &[String]) -> Result<Model, String> {
    let mut reader = ModelReader::new();
    for file in files {
        reader
            .read(file.as_bytes())
            .map_err(|wrong| wrong.to_string())?;
    }
    reader.finish(None).map_err(|wrong| wrong.to_string())
}

/// P(top) of the gate `top`.
pub fn probability(model: &Model, top: &str) -> Result<f64, String> {
    let budget = Budget::unlimited();
    let state = State::at(TIME);
    let tree = tree_of(model, Some(top), &state, Sets::Cuts, &budget);
    let tree = tree.map_err(|wrong| wrong.to_string())?;
    let events: Vec<f64> = tree
        .events()
        .iter()
        .map(|e| e.probability.expect("known"))
        .collect();
    let analysis = Analysis::of(&tree, Sets::Cuts, &budget);
    Ok(analysis.probability(&events, &budget).expect("no limit").0)
}

pub fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) + 1e-14
}

#[test]
fn expressions() {
    let (mut values, mut none) = (0, 0);
    for seed in 0..4 * CASES {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut parameters: Vec<(String, Rc<Expr>)> = Vec::new();
        let mut definitions = Vec::new();
        for number in 0..3 {
            let expression = Expr::random(&mut random, 3, &parameters);
            let value = expression.value(TIME, 0.0);
            if !value.is_some_and(f64::is_finite) {
                continue;
            }
            let name = format!("p{number}");
            definitions.push(format!(
                "<define-parameter name=\"{name}\">{}</define-parameter>",
                expression.xml()
            ));
            parameters.push((name, Rc::new(expression)));
        }
        // The last is defined before the first.
        definitions.reverse();
        let expression = Expr::random(&mut random, 4, &parameters);
        let text = format!(
            "<opsa-mef><define-fault-tree name=\"t\"><define-gate name=\"top\"><event name=\"e\"/></define-gate></define-fault-tree>\
             <model-data><define-basic-event name=\"e\">{}</define-basic-event>{}</model-data></opsa-mef>",
            expression.xml(),
            definitions.concat()
        );
        let found = probability(
            &model(std::slice::from_ref(&text)).expect("it is read"),
            "top",
        );
        let value = expression.value(TIME, 0.0);
        // A floor or a division by nearly nothing may hang on the last digit.
        let hangs = [1e-12, -1e-12]
            .iter()
            .any(|&off| match (expression.value(TIME, off), value) {
                (Some(a), Some(b)) => (a - b).abs() > 1e-10 * b.abs(),
                (a, b) => a.is_some() || b.is_some(),
            });
        if hangs {
            continue;
        }
        match value {
            Some(value) if (0.0..=1.0).contains(&value) => {
                values += 1;
                let found = found.unwrap_or_else(|wrong| panic!("{seed}: {wrong}: {text}"));
                assert!(near(found, value), "{seed}: {found} and {value}: {text}");
            }
            // Rounding may decide at the ends.
            Some(value) if (-1e-9..1.0 + 1e-9).contains(&value) => {}
            Some(_) => {
                none += 1;
                let wrong = found.expect_err("no probability");
                assert!(wrong.contains("does not lie in 0..1"), "{seed}: {wrong}");
            }
            None => {
                none += 1;
                let wrong = found.expect_err(&format!("no value: {text}"));
                assert!(wrong.contains("has no value"), "{seed}: {wrong}: {text}");
            }
        }
    }
    assert!(values > CASES && none > CASES, "{values} {none}");
}

/// A model in up to three files: formulas, houses, and components in components with private names.
#[test]
fn formulas_components_and_files() {
    for seed in 0..CASES {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let sizes = (
            random.random_range(1..7),
            random.random_range(0..3),
            random.random_range(1..8),
        );
        let (events, houses, gates) = sizes;
        let states: Vec<bool> = (0..houses)
            .map(|_| random.random_range(0..2) == 0)
            .collect();
        let probabilities: Vec<f64> = (0..events)
            .map(|_| f64::from(random.random_range(1..20)) / 20.0)
            .collect();
        let formulas: Vec<Formula> = (0..gates)
            .map(|gate| Formula::random(&mut random, 2, (events, houses, gate)))
            .collect();
        // Containers: 0 is the tree, and each other lies in one before it.
        let parents: Vec<usize> = (1..4).map(|c| random.random_range(0..c)).collect();
        let path = |container: usize| {
            let (mut at, mut path) = (container, format!("c{container}"));
            while at > 0 {
                at = parents[at - 1];
                path = format!("c{at}.{path}");
            }
            path
        };
        let home: Vec<usize> = (0..events + houses + gates)
            .map(|_| random.random_range(0..4))
            .collect();
        let private: Vec<bool> = home
            .iter()
            .map(|_| random.random_range(0..2) == 0)
            .collect();
        let place = |formula: &Formula| match formula {
            Formula::Event(event) => ("basic-event", format!("e{event}"), *event),
            Formula::House(house) => ("house-event", format!("h{house}"), events + house),
            Formula::Gate(gate) => ("gate", format!("g{gate}"), events + houses + gate),
            _ => unreachable!("a leaf"),
        };
        // A private name by its path, a public one as it is.
        let name = |formula: &Formula| {
            let (kind, name, number) = place(formula);
            let name = if private[number] {
                format!("{}.{name}", path(home[number]))
            } else {
                name
            };
            format!("<{kind} name=\"{name}\"/>")
        };
        let role = |number: usize| if private[number] { "private" } else { "public" };
        let mut inside = vec![String::new(); 4];
        let mut data = String::new();
        for (event, p) in probabilities.iter().enumerate() {
            let text = format!(
                "<define-basic-event name=\"e{event}\" role=\"{}\"><float value=\"{p}\"/></define-basic-event>",
                role(event)
            );
            if private[event] {
                inside[home[event]].push_str(&text);
            } else {
                data.push_str(&text);
            }
        }
        for (house, state) in states.iter().enumerate() {
            let number = events + house;
            inside[home[number]].push_str(&format!("<define-house-event name=\"h{house}\" role=\"{}\"><constant value=\"{state}\"/></define-house-event>", role(number)));
        }
        for (gate, formula) in formulas.iter().enumerate() {
            let number = events + houses + gate;
            inside[home[number]].push_str(&format!(
                "<define-gate name=\"g{gate}\" role=\"{}\">{}</define-gate>",
                role(number),
                formula.xml(&name)
            ));
        }
        // The innermost first.
        for container in (1..4).rev() {
            let text = format!(
                "<define-component name=\"c{container}\">{}</define-component>",
                inside[container]
            );
            inside[parents[container - 1]].push_str(&text);
        }
        let tree = format!(
            "<opsa-mef><define-fault-tree name=\"c0\">{}</define-fault-tree></opsa-mef>",
            inside[0]
        );
        let data = format!("<opsa-mef><model-data>{data}</model-data></opsa-mef>");
        let mut files = vec![tree, data];
        if random.random_range(0..2) == 0 {
            files.reverse();
        }
        let last = events + houses + gates - 1;
        let top = if private[last] {
            format!("{}.g{}", path(home[last]), gates - 1)
        } else {
            format!("g{}", gates - 1)
        };
        let read = model(&files).unwrap_or_else(|wrong| panic!("{seed}: {wrong}: {files:?}"));
        let found =
            probability(&read, &top).unwrap_or_else(|wrong| panic!("{seed}: {wrong}: {files:?}"));
        let sum: f64 = (0..1_u32 << events)
            .filter(|&state| formulas[gates - 1].holds(state, &states, &formulas))
            .map(|state| weight(state, &probabilities))
            .sum();
        assert!(near(found, sum), "{seed}: {found} and {sum}: {files:?}");
    }
}

/// Whether all of a set occur.
fn covers(state: u32, set: u32) -> bool {
    state & set == set
}

/// Implications beside the tree, and substitutions of what stands in its sets.
#[test]
fn substitutions() {
    let event = |e: &usize| format!("<basic-event name=\"e{e}\"/>");
    let (mut refused, mut several) = (0, 0);
    for seed in 0..2 * CASES {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let events: usize = random.random_range(4..7);
        // Half of the models ask for other events than they exchange.
        let asked: u32 = if random.random_range(0..2) == 0 {
            3
        } else {
            u32::MAX
        };
        let exchanged = if asked == 3 { !3 } else { u32::MAX };
        let mut some = |of: u32| {
            let all = (1..1_u32 << events).filter(|set| set & of == *set);
            let all: Vec<u32> = all.collect();
            all[random.random_range(0..all.len())]
        };
        let sets: Vec<[u32; 3]> = (0..3)
            .map(|_| [some(asked), some(exchanged), some(exchanged)])
            .collect();
        let probabilities: Vec<f64> = (0..events)
            .map(|_| f64::from(random.random_range(1..20)) / 20.0)
            .collect();
        // A sum of products, so that its sets are seen.
        let products: Vec<u32> = (0..random.random_range(1..6))
            .map(|_| random.random_range(1..1_u32 << events))
            .collect();
        let with_sources = random.random_range(0..2) == 0;
        let mut substitutions = Vec::new();
        for &[hypothesis, source, target] in &sets[..random.random_range(1..4)] {
            let is_and = random.random_range(0..2) == 0;
            let source = if with_sources { source } else { 0 };
            let target = match random.random_range(0..4) {
                0 => None,
                _ => Some(target.trailing_zeros() as usize),
            };
            substitutions.push((hypothesis, is_and, source, target));
        }
        // The format gives them no order, so it must not matter.
        let needs_order = with_sources
            && (0..substitutions.len()).any(|one| {
                (0..substitutions.len())
                    .filter(|&other| other != one)
                    .any(|other| {
                        let (_, _, takes, puts) = substitutions[one];
                        let (asks, _, sources, _) = substitutions[other];
                        let puts = puts.map_or(0, |event| 1 << event);
                        (takes | puts) & asks != 0 || puts & sources != 0
                    })
            });
        let of = |set: u32| -> Vec<String> {
            (0..events)
                .filter(|e| set >> e & 1 == 1)
                .map(|e| event(&e))
                .collect()
        };
        let mut text =
            String::from("<opsa-mef><define-fault-tree name=\"t\"><define-gate name=\"top\"><or>");
        for &product in &products {
            text.push_str(&format!("<and>{}</and>", of(product).concat()));
        }
        text.push_str("</or></define-gate></define-fault-tree>");
        let mut defined = Vec::new();
        for (number, &(hypothesis, is_and, source, target)) in substitutions.iter().enumerate() {
            let word = if is_and { "and" } else { "or" };
            let source = if source == 0 {
                String::new()
            } else {
                format!("<source>{}</source>", of(source).concat())
            };
            let target = target.map_or("<constant value=\"false\"/>".to_owned(), |e| event(&e));
            defined.push(format!(
                "<define-substitution name=\"s{number}\"><hypothesis><{word}>{}</{word}></hypothesis>{source}<target>{target}</target></define-substitution>",
                of(hypothesis).concat()
            ));
        }
        let tree = std::mem::take(&mut text);
        text.push_str("<model-data>");
        for (number, p) in probabilities.iter().enumerate() {
            text.push_str(&format!(
                "<define-basic-event name=\"e{number}\"><float value=\"{p}\"/></define-basic-event>"
            ));
        }
        text.push_str("</model-data></opsa-mef>");
        let forwards = [&tree, &defined.concat(), &text]
            .map(String::as_str)
            .concat();
        defined.reverse();
        let backwards = [&tree, &defined.concat(), &text]
            .map(String::as_str)
            .concat();
        if needs_order {
            refused += 1;
            for text in [forwards, backwards] {
                let said = model(std::slice::from_ref(&text)).expect_err("an order matters");
                assert!(said.contains("which comes first"), "{seed}: {said}: {text}");
            }
            continue;
        }
        several += usize::from(with_sources && substitutions.len() > 1);
        let holds = |(set, is_and): (u32, bool), state: u32| {
            if is_and {
                state & set == set
            } else {
                state & set != 0
            }
        };
        let is_top: Box<dyn Fn(u32) -> bool> = if with_sources {
            // The minimal sets, each rewritten in turn.
            let minimal = products
                .iter()
                .filter(|&&p| products.iter().all(|&q| q == p || q & p != q));
            let rewritten: Vec<u32> = minimal
                .filter_map(|&product| {
                    let mut set = product;
                    for &(hypothesis, is_and, source, target) in &substitutions {
                        if holds((hypothesis, is_and), set) {
                            set = (set & !source) | 1 << target?;
                        }
                    }
                    Some(set)
                })
                .collect();
            Box::new(move |state| rewritten.iter().any(|&set| covers(state, set)))
        } else {
            Box::new(|state| {
                products.iter().any(|&p| covers(state, p))
                    && substitutions.iter().all(|&(h, is_and, _, target)| {
                        !holds((h, is_and), state) || target.is_some_and(|e| state >> e & 1 == 1)
                    })
            })
        };
        let sum: f64 = (0..1_u32 << events)
            .filter(|&state| is_top(state))
            .map(|state| weight(state, &probabilities))
            .sum();
        for text in [forwards, backwards] {
            let read = model(std::slice::from_ref(&text))
                .unwrap_or_else(|wrong| panic!("{seed}: {wrong}: {text}"));
            let found =
                probability(&read, "top").unwrap_or_else(|wrong| panic!("{seed}: {wrong}: {text}"));
            assert!(near(found, sum), "{seed}: {found} and {sum}: {text}");
        }
    }
    assert!(refused > 100 && several > 50, "{refused} {several}");
}
