//! The sequences of the event trees of a model: how probable each is, and its minimal cut sets.

use std::io::{self, Write};

use meetjoin_lattice::{Budget, Stop};
use meetjoin_report::one_line;
use serde::Serialize;

use crate::diagram::{Analysis, Sets};
use crate::model::sequences::{FoundSequence, SequenceIs, SequencesError};
use crate::model::{Model, State};
use crate::rewrite::Literal;
use crate::tree::FaultTree;

/// A sequence and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SequenceAnswer {
    /// The event tree in which it stands.
    pub event_tree: String,
    /// What it begins with.
    pub initiating_event: String,
    /// The alignment, if the model has phases.
    pub alignment: Option<String>,
    /// The phase.
    pub phase: Option<String>,
    /// Its name.
    pub name: String,
    /// How probable it is, if that is known: of the initiating event, which is taken as certain.
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
    /// What kept some of it back.
    pub stop: Option<Stop>,
}

/// Finds the sequences of a model, in each phase if it has any.
///
/// # Errors
/// What is wrong with the model.
pub fn find_sequences(
    model: &Model,
    mission_time: f64,
    list: bool,
    budget: &Budget,
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
        stop: None,
    };
    for (names, state) in states {
        let (alignment, phase) = names.unzip();
        for found in model.sequences(&state, budget)? {
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
                SequenceIs::Tree(tree) => {
                    if let Err(stop) = solved(&tree, &mut sequence, list, budget) {
                        answer.stop = answer.stop.or(Some(stop));
                    }
                }
            }
            answer.sequences.push(sequence);
        }
    }
    Ok(answer)
}

/// Solves the tree of a sequence.
fn solved(
    tree: &FaultTree,
    sequence: &mut SequenceAnswer,
    list: bool,
    budget: &Budget,
) -> Result<(), Stop> {
    let analysis = Analysis::of(tree, Sets::Cuts, budget);
    if let Some(stop) = analysis.stop {
        return Err(stop);
    }
    let count: num_bigint::BigUint = analysis.by_order(budget)?.iter().sum();
    sequence.count = Some(count.to_string());
    let known: Option<Vec<f64>> = tree
        .events()
        .iter()
        .map(|event| event.probability)
        .collect();
    if let Some(events) = known {
        sequence.probability = Some(analysis.probability(&events, budget)?.0);
    }
    if list {
        let name = |literal: &Literal| tree.events()[literal.event as usize].name.clone();
        let mut sets = Vec::new();
        let mut stream = analysis.by_size(u32::MAX, budget)?;
        while let Some(set) = stream.next_set(budget)? {
            sets.push(set.iter().map(name).collect());
        }
        sequence.sets = Some(sets);
    }
    Ok(())
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
        if let Some(stop) = self.stop {
            writeln!(out, "stopped: {stop}")?;
        }
        Ok(())
    }
}
