//! Lattices and values as JSON text: the two columns of the table in the description of the file format.
//!
//! Values are read from the *text* of their JSON, one small typed parse a value, and never through a tree of JSON values. That keeps
//! numbers exact (a number beyond 64 bits must not become a float in silence), costs no memory, and cannot overflow the stack, because
//! the depth of a parse is that of the lattice, not that of the text.
//!
//! The one subtle point: a chain holds integers until some value in the file is a decimal. [`Numbers`] follows a lattice through the
//! reading of a file and remembers which of its chains have seen one; [`settle`] then turns these into decimals.

mod numbers;
mod read_lattice;
mod read_value;
mod write_lattice;
mod write_value;

use std::fmt::{Display, Write};

pub use read_lattice::{LatticeError, lattice_from_json};
pub use read_value::{ValueError, read_value};
pub use write_lattice::lattice_to_json;
pub use write_value::{write_input, write_readable, write_value};

pub(crate) use numbers::{Numbers, settle, settle_value};
pub(crate) use read_lattice::{parse_dominance, parse_lattice};
pub(crate) use read_value::{read_outcome, read_raw};

/// JSON text for a message: on one line and not too long.
fn shown(json: &str) -> String {
    const MOST: usize = 60;
    let mut text = String::new();
    for (place, c) in json.trim().chars().enumerate() {
        if place == MOST {
            text.push_str("...");
            break;
        }
        text.push(if c.is_control() { ' ' } else { c });
    }
    text
}

/// Text as a JSON string.
pub(crate) fn push_json_string(text: &str, out: &mut String) {
    // Writing a string to memory cannot fail.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

/// Appends anything that can be printed.
pub(crate) fn push(out: &mut String, value: impl Display) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
}
