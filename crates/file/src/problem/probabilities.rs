//! Probabilities of events, and a check that a lattice has these events.

use std::fmt;

use meetjoin_dag::Problem;
use meetjoin_lattice::{AnyLattice, Lattice};
use meetjoin_report::counted;
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::{Serialize, Serializer};

use crate::error::ProblemError;

/// A number in 0..=1; deserializing any other is an error with its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probability(f64);

impl Serialize for Probability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

impl<'de> Deserialize<'de> for Probability {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = Probability;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a probability in 0..1 or null")
            }

            fn visit_f64<E: Error>(self, p: f64) -> Result<Probability, E> {
                if (0.0..=1.0).contains(&p) {
                    // No negative zero, which would be printed with its sign.
                    return Ok(Probability(p.abs()));
                }
                Err(E::invalid_value(Unexpected::Float(p), &self))
            }

            fn visit_u64<E: Error>(self, p: u64) -> Result<Probability, E> {
                self.visit_f64(p as f64)
            }

            fn visit_i64<E: Error>(self, p: i64) -> Result<Probability, E> {
                self.visit_f64(p as f64)
            }
        }
        deserializer.deserialize_f64(Number)
    }
}

/// Checks the probabilities of a file: the lattice must have functions of as many events.
pub(crate) fn checked(
    lattice: &AnyLattice,
    read: Vec<Option<Probability>>,
) -> Result<Vec<Option<f64>>, ProblemError> {
    let AnyLattice::Monotone(functions) = lattice else {
        return Err(ProblemError::new(
            "`probabilities` are those of events, but the values of this lattice are no functions of events; `monotone` has such values",
        ));
    };
    let (found, events) = (read.len(), functions.events());
    if found != events as usize {
        return Err(ProblemError::new(format!(
            "`probabilities` has {} for {}",
            counted(found, "entry"),
            counted(events, "event")
        )));
    }
    Ok(read.into_iter().map(|p| p.map(|p| p.0)).collect())
}

/// The probabilities of a problem, for a file.
pub(crate) fn to_write<L: Lattice>(problem: &Problem<L>) -> Option<Vec<Option<Probability>>> {
    let probabilities = problem.probabilities()?;
    Some(probabilities.iter().map(|p| p.map(Probability)).collect())
}
