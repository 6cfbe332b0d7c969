//! Questions about fault trees and attack trees.

pub mod attacks;
pub mod cuts;
mod given;

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
