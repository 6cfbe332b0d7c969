//! Questions about fault trees and attack trees.

pub mod attacks;
pub mod cuts;

use meetjoin_lattice::Budget;
use serde::Deserialize;

use crate::asking::{self, Answered, Memory};

/// A question about a tree.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Question {
    Cuts(cuts::Question),
    Attacks(attacks::Question),
}

/// Answers a question.
///
/// # Errors
/// The sentence that says why it cannot be answered.
pub fn answer(bytes: &[u8], memory: Memory) -> Result<Answered, String> {
    let asked = asking::read::<Question>(bytes, memory)?;
    let budget = Budget::new(asked.limits);
    match asked.ask {
        Question::Cuts(question) => cuts::answer(&question, asked.file, &budget, memory.meter),
        Question::Attacks(question) => {
            attacks::answer(&question, asked.file, &budget, memory.meter)
        }
    }
}

/// The sentence about a file, as the command has it: with its name, if it has one.
fn about(name: &str, error: impl std::fmt::Display) -> String {
    if name.is_empty() {
        error.to_string()
    } else {
        format!("{name}: {error}")
    }
}

/// What begins as a problem file, which is a graph and no tree of these.
fn is_problem_file(bytes: &[u8]) -> bool {
    let bare = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bare.trim_ascii_start().starts_with(b"{")
}

const PROBLEM_FILE: &str = "this is a problem file, which the command takes for a tree and this page does not: it takes Open-PSA, Galileo, ADTool and plain text";
