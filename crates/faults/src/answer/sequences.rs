//! The sequences of the event trees of a model: how probable each is, and its minimal cut sets.

use std::io::{self, Write};

use meetjoin_lattice::{Budget, Stop};
use meetjoin_report::one_line;
use num_bigint::BigUint;
use serde::Serialize;

use crate::diagram::{Analysis, Sets};
use crate::model::sequences::{FoundSequence, FoundSequences, SequenceIs, SequencesError};
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
        let FoundSequences { sequences, parts } = model.sequences(&state, list, budget)?;
        let mut solved_parts: Vec<Option<Solved>> = vec![None; parts.len()];
        for found in sequences {
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
                SequenceIs::Tree(tree) => match solved(&tree, list, budget) {
                    Ok(found) => {
                        sequence.count = Some(found.count.to_string());
                        sequence.probability = found.probability;
                        sequence.sets = found.sets;
                    }
                    Err(stop) => answer.stop = answer.stop.or(Some(stop)),
                },
                SequenceIs::Parts(numbers) => {
                    match product(&numbers, &parts, &mut solved_parts, budget) {
                        Ok((count, probability)) => {
                            sequence.count = Some(count.to_string());
                            sequence.probability = probability;
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

/// A tree that is solved.
#[derive(Clone, Debug)]
struct Solved {
    count: BigUint,
    probability: Option<f64>,
    sets: Option<Vec<Vec<String>>>,
}

/// Solves the tree of a sequence.
fn solved(tree: &FaultTree, list: bool, budget: &Budget) -> Result<Solved, Stop> {
    let analysis = Analysis::of(tree, Sets::Cuts, budget);
    if let Some(stop) = analysis.stop {
        return Err(stop);
    }
    let known: Option<Vec<f64>> = tree
        .events()
        .iter()
        .map(|event| event.probability)
        .collect();
    let probability = match known {
        Some(events) => Some(analysis.probability(&events, budget)?.0),
        None => None,
    };
    let mut found = Solved {
        count: analysis.by_order(budget)?.iter().sum(),
        probability,
        sets: None,
    };
    if list {
        let name = |literal: &Literal| tree.events()[literal.event as usize].name.clone();
        let mut sets = Vec::new();
        let mut stream = analysis.by_size(u32::MAX, budget)?;
        while let Some(set) = stream.next_set(budget)? {
            sets.push(set.iter().map(name).collect());
        }
        found.sets = Some(sets);
    }
    Ok(found)
}

/// All of some parts that share no event: sets go together with sets, and probabilities multiply.
fn product(
    numbers: &[usize],
    parts: &[FaultTree],
    solved_parts: &mut [Option<Solved>],
    budget: &Budget,
) -> Result<(BigUint, Option<f64>), Stop> {
    let (mut count, mut probability) = (BigUint::from(1_u32), Some(1.0));
    for &number in numbers {
        let part = match &mut solved_parts[number] {
            Some(part) => part,
            empty => empty.insert(solved(&parts[number], false, budget)?),
        };
        count *= &part.count;
        probability = probability
            .zip(part.probability)
            .map(|(all, part)| all * part);
    }
    Ok((count, probability))
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
