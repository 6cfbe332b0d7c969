//! Substitutions of cut sets, applied to the sets of a tree.

use std::collections::BTreeSet;

use meetjoin_lattice::Budget;

use crate::diagram::{Analysis, Sets};
use crate::model::formula::Operand;
use crate::model::substitution::substituted;
use crate::model::{Model, State};
use crate::tree::{Argument, Connective, FaultTree, Gate};

/// The most sets that are written out.
const MOST_SETS: usize = 1 << 22;

/// Why substitutions cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NotExchanged {
    /// A limit fired before all sets were found.
    NotSolved,
    /// Another reason.
    Because(String),
}

/// The OR of a tree's sets after the substitutions of cut sets; the tree itself if the model has
/// none.
pub(super) fn exchanged(
    model: &Model,
    tree: FaultTree,
    state: &State,
    sets: Sets,
    budget: &Budget,
) -> Result<FaultTree, NotExchanged> {
    let with_sources = |s: &&crate::model::substitution::Substitution| !s.sources.is_empty();
    if model.substitutions.iter().filter(with_sources).count() == 0 {
        return Ok(tree);
    }
    let wrong = |what: &str| Err(NotExchanged::Because(what.to_owned()));
    if sets != Sets::Cuts {
        return wrong("the model has substitutions with sources, which speak of cut sets alone");
    }
    let analysis = Analysis::of(&tree, Sets::Cuts, budget);
    if analysis.stop.is_some() {
        return Err(NotExchanged::NotSolved);
    }
    let hypotheses = Hypotheses::new(model, state);
    let mut found: BTreeSet<BTreeSet<u32>> = BTreeSet::new();
    let mut stream = analysis
        .by_size(u32::MAX, budget)
        .map_err(|_| NotExchanged::NotSolved)?;
    while let Some(set) = stream
        .next_set(budget)
        .map_err(|_| NotExchanged::NotSolved)?
    {
        let set = set.iter().map(|literal| literal.event).collect();
        let holds = |operand, set: &BTreeSet<u32>| hypotheses.holds(operand, set);
        found.extend(substituted(&model.substitutions, set, holds));
        if found.len() > MOST_SETS {
            return wrong("there are too many cut sets to apply substitutions with sources to");
        }
    }
    let mut gates = Vec::with_capacity(found.len() + 1);
    for set in &found {
        let events = set.iter().map(|&event| Argument::Event(event));
        let mut arguments: Vec<Argument> = events.collect();
        arguments.extend(arguments.is_empty().then_some(Argument::Constant(true)));
        gates.push(Gate {
            name: None,
            connective: Connective::And,
            arguments,
        });
    }
    let products = (0..gates.len() as u32).map(Argument::Gate);
    let mut arguments: Vec<Argument> = products.collect();
    arguments.extend(arguments.is_empty().then_some(Argument::Constant(false)));
    let name = match tree.top() {
        Argument::Gate(gate) => tree
            .gates()
            .get(gate as usize)
            .and_then(|gate| gate.name.clone()),
        _ => None,
    };
    gates.push(Gate {
        name,
        connective: Connective::Or,
        arguments,
    });
    let top = Argument::Gate(gates.len() as u32 - 1);
    FaultTree::new(gates, tree.events().to_vec(), top)
        .map_err(|error| NotExchanged::Because(error.to_string()))
}

/// Evaluates formulas where exactly the events of a set occur.
struct Hypotheses<'m> {
    model: &'m Model,
    houses: Vec<bool>,
}

impl<'m> Hypotheses<'m> {
    fn new(model: &'m Model, state: &State) -> Self {
        let mut houses = model.houses.clone();
        for &(house, is) in &state.houses {
            houses[house as usize] = is;
        }
        Self { model, houses }
    }

    fn holds(&self, operand: Operand, set: &BTreeSet<u32>) -> bool {
        let mut values = crate::map::Map::<u32, bool>::default();
        let mut stack = vec![operand];
        let leaf = |operand: Operand, values: &crate::map::Map<u32, bool>| match operand {
            Operand::Gate(gate) => values.get(&gate).copied(),
            Operand::Event(event) => Some(set.contains(&event)),
            Operand::House(house) => Some(self.houses[house as usize]),
            Operand::Constant(constant) => Some(constant),
        };
        while let Some(&top) = stack.last() {
            let Operand::Gate(gate) = top else {
                stack.pop();
                continue;
            };
            let gate_of = &self.model.gates[gate as usize];
            let unknown = |operand: &&Operand| leaf(**operand, &values).is_none();
            let missing: Vec<Operand> = gate_of.operands.iter().filter(unknown).copied().collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let known = gate_of
                .operands
                .iter()
                .filter_map(|&operand| leaf(operand, &values));
            let true_ones = known.filter(|value| *value).count();
            let all = gate_of.operands.len();
            let value = match gate_of.connective {
                Connective::And => true_ones == all,
                Connective::Or => true_ones > 0,
                Connective::AtLeast(least) => true_ones >= least as usize,
                Connective::Not | Connective::Nor => true_ones == 0,
                Connective::Xor => true_ones % 2 == 1,
                Connective::Nand => true_ones < all,
            };
            values.insert(gate, value);
            stack.pop();
        }
        leaf(operand, &values).unwrap_or(false)
    }
}
