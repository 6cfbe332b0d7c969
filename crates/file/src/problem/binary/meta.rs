//! The parts of a file that are no arrays: lattice, names of worlds, probabilities of events, note.

use std::cell::Cell;

use meetjoin_lattice::AnyLattice;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::ProblemError;
use crate::problem::probabilities::Probability;
use crate::values::numbers::{Numbers, settle};
use crate::values::read_lattice::{LatticeError, parse_dominance, parse_lattice};

/// The section as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct Meta {
    /// As in a problem file.
    pub(super) lattice: Box<RawValue>,
    /// For each chain in the lattice, from left to right, whether its numbers are decimals.
    pub(super) decimals: Vec<bool>,
    /// The names of the worlds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) worlds: Option<Vec<String>>,
    /// The probabilities of events.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) probabilities: Option<Vec<Option<Probability>>>,
    /// Free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

/// The lattice, and whether it is the free lattice that stands for the dominance algebra.
pub(super) fn lattice(meta: &Meta) -> Result<(AnyLattice, bool), ProblemError> {
    let wrong = |error: &dyn std::fmt::Display| ProblemError::new(error.to_string());
    match parse_lattice(meta.lattice.get()) {
        Err(LatticeError::Dominance) => {
            let free = parse_dominance(meta.lattice.get()).map_err(|error| wrong(&error))?;
            Ok((AnyLattice::Free(free), true))
        }
        Err(error) => Err(wrong(&error)),
        Ok((lattice, numbers)) => {
            let mut flags = meta.decimals.iter().copied();
            mark(&lattice, &numbers, &mut flags);
            let lattice = settle(lattice, &numbers);
            Ok((lattice.map_err(|error| wrong(&error))?, false))
        }
    }
}

/// Lists for each chain, from left to right, whether its numbers are decimals.
pub(super) fn decimals(lattice: &AnyLattice, out: &mut Vec<bool>) {
    match lattice {
        AnyLattice::Integers(_) => out.push(false),
        AnyLattice::Decimals(_) => out.push(true),
        AnyLattice::Product(product) => {
            for factor in product.factors() {
                decimals(factor, out);
            }
        }
        AnyLattice::Dual(dual) => decimals(&dual.0, out),
        _ => {}
    }
}

/// Marks the chains that hold decimals.
fn mark(lattice: &AnyLattice, numbers: &Numbers, flags: &mut dyn Iterator<Item = bool>) {
    match (lattice, numbers) {
        (AnyLattice::Integers(_) | AnyLattice::Decimals(_), numbers) => {
            let flag = flags.next().unwrap_or(false);
            if let Numbers::Open(decimal) = numbers {
                Cell::set(decimal, flag);
            }
        }
        (AnyLattice::Product(product), numbers) => {
            for (place, factor) in product.factors().iter().enumerate() {
                mark(factor, numbers.part(place), flags);
            }
        }
        (AnyLattice::Dual(dual), numbers) => mark(&dual.0, numbers, flags),
        _ => {}
    }
}
