//! Fault trees as problems over the free distributive lattice, and back.
//!
//! A gate is an AND or an OR node, a basic event a leaf whose value is the event itself, so the
//! value of the root is the function of the top, whose minimal sets
//! [`Analysis`](crate::diagram::Analysis) finds. Problems over this lattice keep the probabilities
//! of events.

use crate::tree::FaultTree;
use crate::tree::{Argument, BasicEvent, Connective, FaultTreeError, Gate};
use meetjoin_dag::{
    AndOrDag, GraphBuilder, GraphError, Kind, NodeId, NodeName, Problem, Valuation,
};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Lattice, Monotone, Stop};

use crate::map::Map;
use crate::rewrite::formula::{Formula, Part};

/// Why a tree or a problem cannot be made into the other.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConversionError {
    /// There was no room.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// The graph is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError<NodeName>),
    /// The tree is invalid.
    #[error(transparent)]
    Tree(#[from] FaultTreeError),
}

/// The problem of a fault tree: AND, OR and events, with negations at events alone, not simplified
/// otherwise. Events are numbered in the order in which a depth-first walk meets them, and `worlds`
/// has their names. Their probabilities are kept, if any is known.
///
/// # Errors
/// If there is no room.
pub fn problem(tree: &FaultTree) -> Result<Problem<AnyLattice>, ConversionError> {
    let formula = Formula::of(tree);
    let walk = formula.walk();
    let mut numbers = Map::<u32, i64>::default();
    let (mut names, mut probabilities, mut next) = (Vec::new(), Vec::new(), 0);
    for &node in &walk {
        if let Part::Literal { event, .. } = *formula.part(node) {
            numbers.entry(event).or_insert_with(|| {
                let event = &tree.events()[event as usize];
                names.push(event.name.clone());
                probabilities.push(event.probability);
                next += 1;
                next
            });
        }
    }
    let budget = Budget::unlimited();
    let lattice = Monotone::new(names.len() as u32);
    let mut builder = GraphBuilder::new();
    // Numbered from the root down, as people read them.
    let mut ids = Map::<u32, i64>::default();
    ids.extend(walk.iter().rev().zip(0..).map(|(&node, id)| (node, id)));
    let id = |node: u32| NodeName::from(ids[&node]);
    for &node in walk.iter().rev() {
        match formula.part(node) {
            Part::Constant(constant) => {
                let value = if *constant {
                    lattice.top()
                } else {
                    lattice.bottom()
                };
                builder.leaf(id(node), AnyElem::Function(value))?;
            }
            Part::Literal { event, positive } => {
                let event = if *positive {
                    numbers[event]
                } else {
                    -numbers[event]
                };
                let value = lattice.of_sets(&[vec![event]], &budget)?;
                builder.leaf(id(node), AnyElem::Function(value))?;
            }
            Part::Gate {
                and: true,
                arguments,
            } => builder.and(id(node), arguments.iter().map(|&node| id(node)))?,
            Part::Gate {
                and: false,
                arguments,
            } => builder.or(id(node), arguments.iter().map(|&node| id(node)))?,
        }
    }
    let problem = Problem::build(builder, id(formula.root), AnyLattice::Monotone(lattice))?;
    let any_known = probabilities.iter().any(Option::is_some);
    Ok(problem
        .with_worlds((!names.is_empty()).then_some(names))
        .with_probabilities(any_known.then_some(probabilities)))
}

/// The fault tree of a problem. Where values are functions of events, its events are these; in any
/// other lattice each leaf is an event of its own, called by the name of the leaf.
///
/// # Errors
/// If there is no room.
pub fn fault_tree(problem: &Problem<AnyLattice>) -> Result<FaultTree, ConversionError> {
    let graph = problem.graph();
    let number = |node: NodeId| u32::from(node);
    let mut gates: Vec<Gate> = Vec::with_capacity(graph.node_count());
    // A gate for each node, at its number; a leaf is an OR of one argument until its function is
    // known.
    let mut leaves = Vec::new();
    for node in graph.nodes() {
        let connective = match graph.kind(node) {
            Kind::And => Connective::And,
            Kind::Or => Connective::Or,
            Kind::Leaf => {
                leaves.push(node);
                Connective::Or
            }
        };
        let row = graph.row(node);
        let arguments = row.iter().map(|&child| Argument::Gate(number(child)));
        let name = Some(problem.node_name(node).to_string());
        gates.push(Gate {
            name,
            connective,
            arguments: arguments.collect(),
        });
    }
    let mut events: Vec<BasicEvent> = Vec::new();
    let event = |name: String, probability| BasicEvent { name, probability };
    if let AnyLattice::Monotone(lattice) = problem.lattice() {
        let named = |number: u32| {
            let names = problem.world_names();
            let name = names.and_then(|names| names.get(number as usize));
            let known = problem
                .probabilities()
                .and_then(|all| all.get(number as usize));
            let name = name.map_or_else(|| (number + 1).to_string(), Into::into);
            event(name, known.copied().flatten())
        };
        events.extend((0..lattice.events()).map(named));
        let budget = Budget::unlimited();
        let add = |gates: &mut Vec<Gate>, connective, arguments| {
            gates.push(Gate {
                name: None,
                connective,
                arguments,
            });
            Argument::Gate(gates.len() as u32 - 1)
        };
        for leaf in leaves {
            let AnyElem::Function(value) = problem.leaf(&leaf) else {
                continue;
            };
            let sets = lattice
                .sets(value, usize::MAX, &budget)?
                .unwrap_or_default();
            let mut products = Vec::with_capacity(sets.len());
            for set in sets {
                let mut members = Vec::with_capacity(set.len());
                for member in set {
                    let event = Argument::Event((member.unsigned_abs() - 1) as u32);
                    members.push(if member > 0 {
                        event
                    } else {
                        add(&mut gates, Connective::Not, vec![event])
                    });
                }
                members.extend(members.is_empty().then_some(Argument::Constant(true)));
                products.push(add(&mut gates, Connective::And, members));
            }
            products.extend(products.is_empty().then_some(Argument::Constant(false)));
            gates[number(leaf) as usize].arguments = products;
        }
    } else {
        for leaf in leaves {
            gates[number(leaf) as usize].arguments = vec![Argument::Event(events.len() as u32)];
            events.push(event(problem.node_name(leaf).to_string(), None));
        }
    }
    Ok(FaultTree::new(
        gates,
        events,
        Argument::Gate(number(problem.root())),
    )?)
}
