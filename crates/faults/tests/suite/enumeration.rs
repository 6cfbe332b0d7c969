//! A fault tree by its definition: every point of the truth table. Shares no code with the crate.

use meetjoin_faults::tree::FaultTree;
use meetjoin_faults::tree::{Argument, Connective};

/// The truth table: entry `s` is the top where exactly the events in the bits of `s` occur.
pub fn table(tree: &FaultTree) -> Vec<bool> {
    let order = tree.upwards().expect("no cycle");
    (0..1_u32 << tree.events().len())
        .map(|point| {
            let mut gates = vec![false; tree.gates().len()];
            let value = |argument: &Argument, gates: &[bool]| match *argument {
                Argument::Event(event) => point >> event & 1 == 1,
                Argument::Gate(gate) => gates[gate as usize],
                Argument::Constant(constant) => constant,
            };
            for &gate in &order {
                let parts = &tree.gates()[gate as usize];
                let count = parts.arguments.iter().filter(|a| value(a, &gates)).count();
                gates[gate as usize] = match parts.connective {
                    Connective::And => count == parts.arguments.len(),
                    Connective::Or => count > 0,
                    Connective::AtLeast(least) => count >= least as usize,
                    Connective::Not | Connective::Nor => count == 0,
                    Connective::Xor => count % 2 == 1,
                    Connective::Nand => count < parts.arguments.len(),
                };
            }
            value(&tree.top(), &gates)
        })
        .collect()
}

/// The probability of the top, with one event fixed if one is named.
pub fn probability(table: &[bool], events: &[f64], fixed: Option<(usize, bool)>) -> f64 {
    let of = |point: usize| -> f64 {
        let factor = |(event, p): (usize, &f64)| {
            let occurs = point >> event & 1 == 1;
            match fixed {
                Some((same, state)) if same == event => f64::from(u8::from(state == occurs)),
                _ if occurs => *p,
                _ => 1.0 - p,
            }
        };
        events.iter().enumerate().map(factor).product()
    };
    (0..table.len()).filter(|&point| table[point]).map(of).sum()
}

/// The minimal points that are true, sorted.
pub fn minimal(table: &[bool]) -> Vec<u32> {
    let truths: Vec<u32> = (0..table.len() as u32)
        .filter(|&s| table[s as usize])
        .collect();
    let is_minimal = |&&s: &&u32| truths.iter().all(|&t| t == s || t & s != t);
    truths.iter().filter(is_minimal).copied().collect()
}

/// The table of what is true unless the complement of the point makes the top true.
pub fn dual(table: &[bool]) -> Vec<bool> {
    table.iter().rev().map(|value| !value).collect()
}

/// The prime implicants: events that must occur and events that must not, sorted.
pub fn primes(table: &[bool], events: usize) -> Vec<(u32, u32)> {
    let all = 1_u32 << events;
    let implies =
        |yes: u32, no: u32| (0..all).all(|s| s & yes != yes || s & no != 0 || table[s as usize]);
    let mut found = Vec::new();
    for yes in 0..all {
        for no in (0..all).filter(|no| no & yes == 0) {
            let shorter = |event: u32| {
                let bit = 1 << event;
                (yes & bit != 0 && implies(yes & !bit, no))
                    || (no & bit != 0 && implies(yes, no & !bit))
            };
            if implies(yes, no) && !(0..events as u32).any(shorter) {
                found.push((yes, no));
            }
        }
    }
    found
}
