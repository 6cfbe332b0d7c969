//! A module solved: its function and its minimal sets as diagrams, and what their levels stand for.

use meetjoin_lattice::diagram::Listing;

use crate::map::{Map, Set};
use crate::rewrite::formula::{Formula, Node, Part};

/// What a variable of a module stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A basic event.
    Event(u32),
    /// The module with this number.
    Module(u32),
}

/// A member of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// The number of the event.
    pub event: u32,
    /// Whether it occurs; if not, that it does not.
    pub positive: bool,
}

/// What a level of a family stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// An event that occurs, or does not.
    Literal(Literal),
    /// Any set of the module with this number.
    Module(u32),
}

/// A part of the tree that shares no event with the rest.
#[derive(Clone, Debug)]
pub struct Module {
    /// By level of the function.
    pub variables: Vec<Variable>,
    /// The function, or a lower bound of it.
    pub function: Listing,
    /// An upper bound of the function, if the function is not known.
    pub upper: Option<Listing>,
    /// By level of the sets.
    pub choices: Vec<Choice>,
    /// The minimal sets.
    pub sets: Listing,
}

impl Module {
    /// The modules that it has as variables.
    pub(crate) fn inner(&self) -> impl Iterator<Item = usize> {
        self.choices.iter().filter_map(|choice| match *choice {
            Choice::Module(inner) => Some(inner as usize),
            Choice::Literal(_) => None,
        })
    }
}

/// What a level of a family stands for.
pub(crate) fn choice(variable: Variable, positive: bool) -> Choice {
    match variable {
        Variable::Event(event) => Choice::Literal(Literal { event, positive }),
        Variable::Module(module) => Choice::Module(module),
    }
}

/// What the levels stand for when variables go in this order.
pub(crate) fn levels(formula: &Formula, order: &[Node], modules: &Map<Node, u32>) -> Vec<Variable> {
    let mut variables = Vec::new();
    let mut seen = Set::<u32>::default();
    for &node in order {
        match *formula.part(node) {
            Part::Literal { event, .. } => {
                if seen.insert(event) {
                    variables.push(Variable::Event(event));
                }
            }
            _ => variables.push(Variable::Module(modules[&node])),
        }
    }
    variables
}
