//! The sequences of the event trees of a model: how probable each is, and its minimal cut sets.

use std::io::{self, Write};

use meetjoin_lattice::{Budget, Stop};
use meetjoin_report::one_line;
use meetjoin_report::progress::{Listener, Moment};
use num_bigint::BigUint;
use serde::Serialize;

use crate::diagram::{Analysis, Chance, Sets};
use crate::model::common_cause::left_out;
use crate::model::sequences::{FoundSequence, FoundSequences, SequenceIs, SequencesError};
use crate::model::{Model, State};
use crate::rewrite::Literal;
use crate::tree::{FaultTree, Taken};

/// A sequence and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SequenceAnswer {
    /// The event tree in which it stands.
    pub event_tree: String,
    /// The initiating event.
    pub initiating_event: String,
    /// The alignment, if the model has phases.
    pub alignment: Option<String>,
    /// The phase.
    pub phase: Option<String>,
    /// Its name.
    pub name: String,
    /// Its probability given the initiating event, if known.
    pub probability: Option<f64>,
    /// How many minimal cut sets it has; none where it is a probability alone.
    pub count: Option<String>,
    /// The sets, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sets: Option<Vec<Vec<String>>>,
}

/// All sequences of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequences {
    /// In the order in which they are met.
    pub sequences: Vec<SequenceAnswer>,
    /// Groups of events with a common cause that the answer leaves out, since they were not asked
    /// for.
    pub groups_left_out: usize,
    /// The limit that left something out, if one did.
    pub stop: Option<Stop>,
}

/// Finds the sequences of a model, in each phase if it has any. The listener is told the current
/// one.
///
/// # Errors
/// What is wrong with the model.
pub fn find_sequences(
    model: &Model,
    mission_time: f64,
    list: bool,
    budget: &Budget,
    listener: Listener,
) -> Result<Sequences, SequencesError> {
    let phases = model.phases();
    let mut states: Vec<(Option<(String, String)>, State)> = phases
        .iter()
        .map(|phase| {
            let names = (phase.alignment.to_owned(), phase.name.to_owned());
            (Some(names), phase.state(mission_time))
        })
        .collect();
    if states.is_empty() {
        states.push((None, State::at(mission_time)));
    }
    let mut answer = Sequences {
        sequences: Vec::new(),
        groups_left_out: model.groups.len(),
        stop: None,
    };
    for (names, state) in states {
        let (alignment, phase) = names.unzip();
        let FoundSequences { sequences, parts } = model.sequences(&state, list, budget)?;
        let mut parts = Parts::new(&parts);
        let all = sequences.len();
        for (place, found) in sequences.into_iter().enumerate() {
            listener.tell(|| Moment {
                doing: format!("{} of {}", found.name, found.event_tree),
                counted: format!("sequence {} of {all}", place + 1),
                ..Moment::default()
            });
            let FoundSequence {
                event_tree,
                initiating_event,
                name,
                what,
            } = found;
            let mut sequence = SequenceAnswer {
                event_tree,
                initiating_event,
                alignment: alignment.clone(),
                phase: phase.clone(),
                name,
                probability: None,
                count: None,
                sets: None,
            };
            match what {
                SequenceIs::Probability(p) => sequence.probability = Some(p),
                SequenceIs::Formula { tree, parts: of } => {
                    match parts.sequence(&tree, &of, list, budget) {
                        Ok(found) => {
                            sequence.count = Some(found.count.to_string());
                            sequence.probability = found.probability;
                            sequence.sets = found.sets;
                        }
                        Err(stop) => answer.stop = answer.stop.or(Some(stop)),
                    }
                }
            }
            answer.sequences.push(sequence);
        }
    }
    Ok(answer)
}

/// A sequence that is solved.
struct Solved {
    count: BigUint,
    probability: Option<f64>,
    sets: Option<Vec<Vec<String>>>,
}

/// A part that is solved.
#[derive(Clone, Debug)]
enum Part {
    /// It is the same whatever happens.
    Constant(bool),
    /// It is more than that.
    Open {
        chance: Option<Chance>,
        /// Whether it is true where no event occurs.
        at_rest: bool,
        /// How many minimal sets it has, or its negation if it is true at rest.
        count: BigUint,
    },
}

/// Parts of sequences, each solved when it is first asked for.
///
/// Let all parts be false where no event occurs. Then the minimal sets of a formula over the parts
/// are its minimal sets over events that stand for them, each such event replaced by any minimal
/// set of its part: a minimal point takes a minimal point of each part that is true, and no event
/// of the others. That holds even with negations.
struct Parts<'p> {
    trees: &'p [FaultTree],
    solved: Vec<Option<Part>>,
}

impl<'p> Parts<'p> {
    fn new(trees: &'p [FaultTree]) -> Self {
        let solved = vec![None; trees.len()];
        Self { trees, solved }
    }

    fn part(&mut self, number: usize, budget: &Budget) -> Result<&Part, Stop> {
        match &mut self.solved[number] {
            Some(part) => Ok(part),
            empty => Ok(empty.insert(part(&self.trees[number], budget)?)),
        }
    }

    /// Solves the tree of a sequence, of which some events stand for parts.
    fn sequence(
        &mut self,
        tree: &FaultTree,
        parts: &[Option<usize>],
        list: bool,
        budget: &Budget,
    ) -> Result<Solved, Stop> {
        let mut taken = vec![Taken::AsItIs; parts.len()];
        let mut chances = chances(tree);
        let mut counts = vec![BigUint::from(1_u32); parts.len()];
        let mut negated = vec![false; parts.len()];
        for (event, number) in parts.iter().enumerate() {
            let Some(number) = *number else { continue };
            match self.part(number, budget)? {
                Part::Constant(constant) => {
                    taken[event] = Taken::Constant(*constant);
                    chances[event] = Some(Chance::of(f64::from(u8::from(*constant))));
                }
                Part::Open {
                    chance,
                    at_rest,
                    count,
                } => {
                    chances[event] = *chance;
                    counts[event].clone_from(count);
                    negated[event] = *at_rest;
                }
            }
        }
        let tree = tree.taken(&taken);
        let analysis = complete(&tree, budget)?;
        let chance = chance(&analysis, &chances, budget)?;
        let count = if negated.contains(&true) {
            let taken = negated.iter().map(|&negated| {
                if negated {
                    Taken::Negated
                } else {
                    Taken::AsItIs
                }
            });
            let tree = tree.taken(&taken.collect::<Vec<_>>());
            complete(&tree, budget)?.count(&counts, budget)?
        } else {
            analysis.count(&counts, budget)?
        };
        let sets = if list {
            Some(sets(&analysis, &tree, budget)?)
        } else {
            None
        };
        Ok(Solved {
            count,
            probability: chance.map(|chance| chance.yes),
            sets,
        })
    }
}

/// Solves a tree whole.
fn complete(tree: &FaultTree, budget: &Budget) -> Result<Analysis, Stop> {
    let analysis = Analysis::of(tree, Sets::Cuts, budget);
    match analysis.stop {
        Some(stop) => Err(stop),
        None => Ok(analysis),
    }
}

/// Solves a part.
fn part(tree: &FaultTree, budget: &Budget) -> Result<Part, Stop> {
    let analysis = complete(tree, budget)?;
    let by_order = analysis.by_order(budget)?;
    let mut count: BigUint = by_order.iter().sum();
    if count == BigUint::default() {
        return Ok(Part::Constant(false));
    }
    let at_rest = by_order[0] != BigUint::default();
    if at_rest {
        let negation = complete(&tree.negation(), budget)?;
        count = negation.by_order(budget)?.iter().sum();
        if count == BigUint::default() {
            return Ok(Part::Constant(true));
        }
    }
    let chance = chance(&analysis, &chances(tree), budget)?;
    Ok(Part::Open {
        chance,
        at_rest,
        count,
    })
}

/// The chances of the events of a tree that have a probability.
fn chances(tree: &FaultTree) -> Vec<Option<Chance>> {
    let events = tree.events().iter();
    events
        .map(|event| event.probability.map(Chance::of))
        .collect()
}

/// The chance of a tree that is solved, if all events have one on which it depends.
fn chance(
    analysis: &Analysis,
    events: &[Option<Chance>],
    budget: &Budget,
) -> Result<Option<Chance>, Stop> {
    let variables = analysis.variables();
    if variables
        .iter()
        .any(|&event| events[event as usize].is_none())
    {
        return Ok(None);
    }
    let events = events
        .iter()
        .map(|chance| chance.unwrap_or(Chance::never()));
    let events: Vec<Chance> = events.collect();
    Ok(Some(analysis.chance(&events, budget)?.0))
}

/// The minimal sets of a tree, the smallest first.
fn sets(analysis: &Analysis, tree: &FaultTree, budget: &Budget) -> Result<Vec<Vec<String>>, Stop> {
    let name = |literal: &Literal| tree.events()[literal.event as usize].name.clone();
    let mut sets = Vec::new();
    let mut stream = analysis.by_size(u32::MAX, budget)?;
    while let Some(set) = stream.next_set(budget)? {
        sets.push(set.iter().map(name).collect());
    }
    Ok(sets)
}

#[derive(Serialize)]
struct Json<'a> {
    format: &'a str,
    sequences: &'a [SequenceAnswer],
    stop: Option<&'a str>,
}

impl Sequences {
    /// One JSON object, `meetjoin-sequences/1`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let json = Json {
            format: "meetjoin-sequences/1",
            sequences: &self.sequences,
            stop: self.stop.map(Stop::word),
        };
        serde_json::to_writer(&mut *out, &json)?;
        writeln!(out)
    }

    /// Lines for people.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{:<13} {:<10} sequence", "probability", "cut sets")?;
        for sequence in &self.sequences {
            let p = sequence
                .probability
                .map_or("-".to_owned(), |p| format!("{p:.6e}"));
            let count = sequence.count.as_deref().unwrap_or("-");
            let mut name = format!(
                "{} ({}, after {}",
                sequence.name, sequence.event_tree, sequence.initiating_event
            );
            if let (Some(alignment), Some(phase)) = (&sequence.alignment, &sequence.phase) {
                name = format!("{name}, {alignment}: {phase}");
            }
            writeln!(out, "{p:<13} {count:<10} {})", one_line(&name))?;
            for set in sequence.sets.iter().flatten() {
                writeln!(out, "{:24} {{{}}}", "", one_line(&set.join(", ")))?;
            }
        }
        if let Some(left_out) = left_out(self.groups_left_out) {
            writeln!(out, "common causes: {left_out} (use --ccf)")?;
        }
        if let Some(stop) = self.stop {
            writeln!(out, "stopped: {stop}")?;
        }
        Ok(())
    }
}
