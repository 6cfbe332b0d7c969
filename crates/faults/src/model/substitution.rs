//! Substitutions: what is known of a system besides its fault tree.
//!
//! A substitution without sources is part of the logic: where its hypothesis holds, its target does
//! too. The top is then asked for together with that implication. One with sources is applied to
//! cut sets when all are found: in each set that fulfils the hypothesis, the target replaces the
//! sources. [`substituted`] applies them to a set.
//!
//! The format gives several of them no order, so they must not need one: what one exchanges, no
//! other may ask for ([`in_each_others_way`]).

use std::collections::BTreeSet;

use crate::map::{Map, Set};
use crate::tree::{Argument, Connective, Gate};

use super::formula::{ModelGate, Operand};
use super::names::Symbol;
use super::place::Place;

/// A substitution.
#[derive(Clone, Debug)]
pub(crate) struct Substitution {
    pub(crate) name: Symbol,
    pub(crate) place: Place,
    pub(crate) hypothesis: Operand,
    /// Basic events; none if it is part of the logic.
    pub(crate) sources: Vec<u32>,
    pub(crate) target: Operand,
}

/// The top together with the substitutions that are part of the logic.
pub(crate) fn under(
    substitutions: &[Substitution],
    top: Argument,
    argument: impl Fn(&Operand) -> Argument,
    gates: &mut Vec<Gate>,
) -> Argument {
    let mut add = |connective, arguments| {
        gates.push(Gate {
            name: None,
            connective,
            arguments,
        });
        Argument::Gate(gates.len() as u32 - 1)
    };
    let mut all = vec![top];
    for substitution in substitutions.iter().filter(|s| s.sources.is_empty()) {
        let not = add(Connective::Not, vec![argument(&substitution.hypothesis)]);
        let target = argument(&substitution.target);
        all.push(add(Connective::Or, vec![not, target]));
    }
    if all.len() == 1 {
        return top;
    }
    add(Connective::And, all)
}

/// A set of events after the substitutions with sources, one after the other; `None` if it is no
/// cut set any more. `holds` says whether a hypothesis holds of a set.
pub(crate) fn substituted(
    substitutions: &[Substitution],
    mut set: BTreeSet<u32>,
    holds: impl Fn(Operand, &BTreeSet<u32>) -> bool,
) -> Option<BTreeSet<u32>> {
    for substitution in substitutions.iter().filter(|s| !s.sources.is_empty()) {
        if !holds(substitution.hypothesis, &set) {
            continue;
        }
        for source in &substitution.sources {
            set.remove(source);
        }
        match substitution.target {
            Operand::Event(event) => {
                set.insert(event);
            }
            Operand::Constant(false) => return None,
            _ => {}
        }
    }
    Some(set)
}

/// Two substitutions of cut sets that depend on which comes first.
pub(crate) struct InTheWay {
    /// The event that the one puts into sets, or takes out of them.
    pub(crate) event: u32,
    /// Its number, and what the event is there.
    pub(crate) exchanges: (usize, &'static str),
    /// The number of the other, and what the event is there.
    pub(crate) asks: (usize, &'static str),
}

/// Two substitutions with sources of which one exchanges an event that the other asks for.
pub(crate) fn in_each_others_way(
    substitutions: &[Substitution],
    gates: &[ModelGate],
) -> Option<InTheWay> {
    let all = substitutions.iter().enumerate();
    let exchanging: Vec<(usize, &Substitution)> =
        all.filter(|(_, s)| !s.sources.is_empty()).collect();
    let (mut puts, mut takes) = (Map::<u32, Vec<usize>>::default(), Map::default());
    for (number, substitution) in &exchanging {
        if let Operand::Event(event) = substitution.target {
            puts.entry(event).or_default().push(*number);
        }
        for &source in &substitution.sources {
            let by: &mut Vec<usize> = takes.entry(source).or_default();
            by.push(*number);
        }
    }
    for &(number, substitution) in &exchanging {
        let other = |by: &Map<u32, Vec<usize>>, event: u32| {
            let mut by = by.get(&event)?.iter().copied();
            by.find(|&other| other != number)
        };
        let found = |event, exchanges, asks| {
            Some(InTheWay {
                event,
                exchanges,
                asks: (number, asks),
            })
        };
        for &event in &substitution.sources {
            if let Some(by) = other(&puts, event) {
                return found(event, (by, "the target"), "a source");
            }
        }
        for event in events_below(substitution.hypothesis, gates) {
            if let Some(by) = other(&puts, event) {
                return found(event, (by, "the target"), "in the hypothesis");
            }
            if let Some(by) = other(&takes, event) {
                return found(event, (by, "a source"), "in the hypothesis");
            }
        }
    }
    None
}

/// The basic events below an operand.
fn events_below(operand: Operand, gates: &[ModelGate]) -> Vec<u32> {
    let (mut known, mut events, mut stack) = (Set::default(), Vec::new(), vec![operand]);
    while let Some(operand) = stack.pop() {
        if !known.insert(operand) {
            continue;
        }
        match operand {
            Operand::Gate(gate) => stack.extend(&gates[gate as usize].operands),
            Operand::Event(event) => events.push(event),
            Operand::House(_) | Operand::Constant(_) => {}
        }
    }
    events.sort_unstable();
    events
}
