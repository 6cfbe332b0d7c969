//! Fault trees as attack trees: an event is an action, and its probability is that it succeeds.

use meetjoin_faults::FaultTree;
use meetjoin_faults::tree::{Argument, Connective};

use crate::tree::{AttackTree, AttackTreeError, Attribute, Kind, Node, Rule};

/// Why a fault tree is no attack tree.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultTreeAsAttack {
    /// A gate that attack trees do not have.
    #[error(
        "{called} is a {connective:?} gate, and attack trees have only AND, OR and K-of-N gates; \
         `meetjoin cuts` reads it as a fault tree", connective = connective.to_string()
    )]
    Connective {
        /// The gate, or the gate in which the formula stands that it is.
        called: String,
        /// What it is.
        connective: Connective,
    },
    /// An attribute that is declared for it from without.
    #[error("the attribute {0:?} is for a domain of ADTool, and fault trees have none")]
    Attribute(String),
    /// Anything else.
    #[error(transparent)]
    Tree(#[from] AttackTreeError),
}

/// The attack tree of a fault tree; `p` is its attribute, if all events have a probability. It has
/// no domains, so `domains` must be empty.
///
/// # Errors
/// If it has gates that attack trees do not have, or `domains` is not empty.
pub fn from_fault_tree(
    tree: &FaultTree,
    domains: &[Attribute],
) -> Result<AttackTree, FaultTreeAsAttack> {
    if let Some(domain) = domains.first() {
        return Err(FaultTreeAsAttack::Attribute(domain.name.clone()));
    }
    let gates = tree.gates().len() as u32;
    let events = tree.events().len() as u32;
    let has_values = tree
        .events()
        .iter()
        .all(|event| event.probability.is_some());
    // Constants that a gate mentions, in this order.
    let mut constants: Vec<bool> = Vec::new();
    let mut number = |argument: &Argument| match *argument {
        Argument::Gate(gate) => gate,
        Argument::Event(event) => gates + event,
        Argument::Constant(constant) => {
            let known = constants.iter().position(|&known| known == constant);
            let place = known.unwrap_or_else(|| {
                constants.push(constant);
                constants.len() - 1
            });
            gates + events + place as u32
        }
    };
    let node = |name: String, kind, arguments, values| Node {
        name,
        kind,
        arguments,
        counters: Vec::new(),
        values,
        damage: 0.0,
    };
    let none = || vec![None; usize::from(has_values)];
    let mut nodes = Vec::new();
    for (place, gate) in tree.gates().iter().enumerate() {
        let name = gate.name.clone().unwrap_or_else(|| format!("gate {place}"));
        let kind = match gate.connective {
            Connective::And => Kind::And,
            Connective::Or => Kind::Or,
            Connective::AtLeast(0) => Kind::Constant(true),
            Connective::AtLeast(least) => Kind::AtLeast(least),
            connective => {
                let called = called(tree, place as u32);
                return Err(FaultTreeAsAttack::Connective { called, connective });
            }
        };
        let arguments = match kind {
            Kind::Constant(_) => Vec::new(),
            _ => gate.arguments.iter().map(&mut number).collect(),
        };
        nodes.push(node(name, kind, arguments, none()));
    }
    for event in tree.events() {
        let values = if has_values {
            vec![event.probability]
        } else {
            none()
        };
        nodes.push(node(event.name.clone(), Kind::Action, Vec::new(), values));
    }
    let top = number(&tree.top());
    for constant in constants {
        let kind = Kind::Constant(constant);
        nodes.push(node(constant.to_string(), kind, Vec::new(), none()));
    }
    let top = if let Argument::Gate(_) = tree.top() {
        top
    } else {
        // A root that is no gate gets one.
        nodes.push(node("top".to_owned(), Kind::Or, vec![top], none()));
        nodes.len() as u32 - 1
    };
    let attributes = has_values.then(|| Attribute {
        name: "p".to_owned(),
        rule: Rule::Product,
    });
    let attributes = attributes.into_iter().collect();
    Ok(AttackTree::rooted(nodes, attributes, top)?)
}

/// A gate by its name, or a formula by the name of the gate that it is in.
fn called(tree: &FaultTree, gate: u32) -> String {
    let name = |gate: u32| tree.gates()[gate as usize].name.as_deref();
    if let Some(name) = name(gate) {
        return format!("the gate {name:?}");
    }
    let mut around = vec![None; tree.gates().len()];
    for (number, gate) in (0..).zip(tree.gates()) {
        for argument in &gate.arguments {
            if let Argument::Gate(inner) = *argument {
                around[inner as usize] = Some(number);
            }
        }
    }
    let mut at = gate;
    while let Some(next) = around[at as usize] {
        if let Some(name) = name(next) {
            return format!("a formula in the gate {name:?}");
        }
        at = next;
    }
    "a formula".to_owned()
}
