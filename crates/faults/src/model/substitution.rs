//! Substitutions: what is known of a system besides its fault tree.
//!
//! A substitution without sources is part of the logic: where its hypothesis holds, its target does
//! too. The top is then asked for together with that implication. One with sources is applied to
//! cut sets when all are found: in each set that fulfils the hypothesis, the target replaces the
//! sources. [`substituted`] applies them to a set.

use std::collections::BTreeSet;

use crate::tree::{Argument, Connective, Gate};

use super::formula::Operand;

/// A substitution.
#[derive(Clone, Debug)]
pub(crate) struct Substitution {
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
