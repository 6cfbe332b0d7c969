//! A problem under construction, and decisions deferred to the end of the file.

use std::borrow::Cow;

use meetjoin_dag::{Graph, Kind, Mention, NodeId, NodeName, Numbering, Problem};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Interval, Lattice};

use super::names::Names;
use crate::error::{ProblemError, ValueError};
use crate::problem::probabilities::{self, Probability};
use crate::problem::worlds::check_worlds;
use crate::values::numbers::{Numbers, settle, settle_value};
use crate::values::read_lattice::{LatticeError, parse_dominance, parse_lattice};
use crate::values::value::read::{read_outcome, read_raw};

/// The role of a value for its node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    Value,
    Lower,
    Upper,
}

impl Role {
    /// Its name in messages.
    fn words(self) -> &'static str {
        match self {
            Self::Value => "the value",
            Self::Lower => "the lower bound",
            Self::Upper => "the upper bound",
        }
    }
}

/// The content read so far.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) names: Names,
    pub(super) nodes: Numbering,
    pub(super) format_seen: bool,
    pub(super) root: Option<NodeName>,
    pub(super) worlds: Option<Vec<String>>,
    pub(super) probabilities: Option<Vec<Option<Probability>>>,
    pub(super) note: Option<String>,
    pub(super) nodes_seen: bool,
    /// The key of the file whose value is being read, for messages.
    pub(super) current_key: Option<&'static str>,
    /// The node that is being read, for messages: its index in the list, from 1, and its id once
    /// that is known.
    pub(super) current_node: Option<(usize, Option<Mention>)>,
    lattice: Option<(AnyLattice, Numbers)>,
    /// Whether leaves are outcomes of the dominance algebra; then `lattice` is the free lattice
    /// over these.
    pub(super) dominance: bool,
    /// By leaf ordinal.
    values: Vec<AnyElem>,
    bounds: Vec<DraftBounds>,
    raw: RawValues,
}

struct DraftBounds {
    node: NodeId,
    lower: Option<AnyElem>,
    upper: Option<AnyElem>,
}

/// The texts of values that came before the lattice, one after the other.
#[derive(Default)]
struct RawValues {
    text: String,
    /// Where the text of each value ends, with its node and role.
    ends: Vec<(u64, NodeId, Role)>,
}

impl Draft {
    /// The part that is being read, for messages.
    pub(super) fn current(&self) -> Option<String> {
        let Some((place, mention)) = self.current_node else {
            return self.current_key.map(|key| format!("`{key}`"));
        };
        let id = mention.and_then(|mention| self.names.get(mention));
        Some(match id {
            Some(id) => format!("node {id:?}"),
            None => format!("node number {place} of the list"),
        })
    }

    pub(super) fn set_lattice(&mut self, json: &str) -> Result<(), LatticeError> {
        self.lattice = Some(match parse_lattice(json) {
            Err(LatticeError::Dominance) => {
                self.dominance = true;
                (AnyLattice::Free(parse_dominance(json)?), Numbers::Fixed)
            }
            read => read?,
        });
        Ok(())
    }

    /// Adds a value or bound: parses it if the lattice is known, or keeps its text. The values of a
    /// node must be consecutive.
    pub(super) fn take(&mut self, node: NodeId, role: Role, json: &str) -> Result<(), String> {
        let Some((lattice, numbers)) = &self.lattice else {
            let room = self.raw.text.try_reserve(json.len());
            room.and(self.raw.ends.try_reserve(1))
                .map_err(|_| no_memory())?;
            self.raw.text.push_str(json);
            let end = self.raw.text.len() as u64;
            self.raw.ends.push((end, node, role));
            return Ok(());
        };
        let read = match lattice {
            AnyLattice::Free(free) if self.dominance => {
                if role != Role::Value {
                    return Err("outcomes of the dominance algebra have no bounds".to_owned());
                }
                read_outcome(free, json)
            }
            lattice => read_raw(lattice, numbers, json),
        };
        let value = read.map_err(|error| misread(role, &error))?;
        match (role, self.bounds.last_mut()) {
            (Role::Value, _) => {
                self.values.try_reserve(1).map_err(|_| no_memory())?;
                self.values.push(value);
            }
            (Role::Upper, Some(bounds)) if bounds.node == node => {
                // Checked here so that the error has a position; integers next to decimals must
                // wait until they are converted.
                if !numbers.any_decimal() {
                    check_order(lattice, bounds.lower.as_ref(), Some(&value))?;
                }
                bounds.upper = Some(value);
            }
            _ => {
                let (lower, upper) = match role {
                    Role::Lower => (Some(value), None),
                    Role::Value | Role::Upper => (None, Some(value)),
                };
                self.bounds.try_reserve(1).map_err(|_| no_memory())?;
                self.bounds.push(DraftBounds { node, lower, upper });
            }
        }
        Ok(())
    }

    /// The problem, if everything fits together.
    pub(super) fn finish(mut self) -> Result<Problem<AnyLattice>, ProblemError> {
        let missing = |key| ProblemError::new(format!("the problem has no key `{key}`"));
        if !self.format_seen {
            return Err(missing("format"));
        }
        if self.lattice.is_none() {
            return Err(missing("lattice"));
        }
        let root = self.root.take().ok_or_else(|| missing("root"))?;
        if !self.nodes_seen {
            return Err(missing("nodes"));
        }
        let nodes = std::mem::take(&mut self.nodes);
        let names = std::mem::take(&mut self.names);
        let (graph, ids) = names
            .build(nodes, &root)
            .map_err(|error| ProblemError::new(error.to_string()))?;
        let at = |node: NodeId, message: String| {
            let id = ids
                .get(node.index())
                .map_or(NodeName::Int(0), Cow::into_owned);
            ProblemError::new(format!("node {id:?}: {message}"))
        };
        self.read_raw_values()
            .map_err(|(node, error)| at(node, error))?;
        let (lattice, numbers) = self.lattice.ok_or_else(|| missing("lattice"))?;
        let decimals = numbers.any_decimal();
        let lattice = settle(lattice, &numbers)
            .map_err(|error| ProblemError::new(format!("an end of the chain: {error}")))?;
        if decimals {
            let settled = self.values.into_iter().enumerate().map(|(ordinal, value)| {
                settle_value(&lattice, value)
                    .map_err(|error| at(leaf_at(&graph, ordinal), misread(Role::Value, &error)))
            });
            self.values = settled.collect::<Result<_, _>>()?;
        }
        if let Some(worlds) = &self.worlds {
            check_worlds(&lattice, worlds)?;
        }
        let probabilities = self.probabilities.take();
        let probabilities = probabilities.map(|read| probabilities::checked(&lattice, read));
        let probabilities = probabilities.transpose()?;
        let mut bounds = Vec::with_capacity(self.bounds.len());
        for draft in self.bounds {
            let node = draft.node;
            let interval = interval(&lattice, draft).map_err(|error| at(node, error))?;
            bounds.extend(interval.map(|interval| (node, interval)));
        }
        let problem = Problem::from_parts(graph, ids, lattice, self.values.into())
            .map_err(|misfit| ProblemError::new(misfit.to_string()))?;
        let problem = problem
            .with_worlds(self.worlds)
            .with_probabilities(probabilities)
            .with_note(self.note);
        Ok(if bounds.is_empty() {
            problem
        } else {
            problem.with_bounds(bounds)
        })
    }

    /// Parses the texts kept so far, now that the lattice is known.
    fn read_raw_values(&mut self) -> Result<(), (NodeId, String)> {
        let RawValues { text, ends } = std::mem::take(&mut self.raw);
        let mut start = 0;
        for (end, node, role) in ends {
            let end = end as usize;
            self.take(node, role, &text[start..end])
                .map_err(|error| (node, error))?;
            start = end;
        }
        Ok(())
    }
}

fn no_memory() -> String {
    "there is not enough memory for the values".to_owned()
}

fn misread(role: Role, error: &ValueError) -> String {
    format!("{} {error}", role.words())
}

/// The node of a leaf ordinal, by linear search; for messages only.
fn leaf_at(graph: &Graph, ordinal: usize) -> NodeId {
    let mut leaves = graph.nodes().filter(|&node| graph.kind(node) == Kind::Leaf);
    leaves.nth(ordinal).unwrap_or(graph.root())
}

/// The bounds of a node; `None` if they are trivial.
fn interval(lattice: &AnyLattice, draft: DraftBounds) -> Result<Option<Interval<AnyElem>>, String> {
    let settled = |role: Role, bound: Option<AnyElem>| {
        let settled = bound.map(|bound| settle_value(lattice, bound)).transpose();
        settled.map_err(|error| misread(role, &error))
    };
    let lower = settled(Role::Lower, draft.lower)?;
    let upper = settled(Role::Upper, draft.upper)?;
    check_order(lattice, lower.as_ref(), upper.as_ref())?;
    let (bottom, top) = (lattice.bottom(), lattice.top());
    let (lower, upper) = (lower.unwrap_or(bottom), upper.unwrap_or(top));
    if lower == lattice.bottom() && upper == lattice.top() {
        return Ok(None);
    }
    Ok(Some(Interval::new(lower, upper)))
}

fn check_order(
    lattice: &AnyLattice,
    lower: Option<&AnyElem>,
    upper: Option<&AnyElem>,
) -> Result<(), String> {
    let (Some(lower), Some(upper)) = (lower, upper) else {
        return Ok(());
    };
    match lattice.leq(lower, upper, &Budget::unlimited()) {
        Ok(true) => Ok(()),
        Ok(false) => Err("the lower bound does not lie below the upper bound".to_owned()),
        Err(stop) => Err(format!("the bounds cannot be compared: {stop}")),
    }
}
