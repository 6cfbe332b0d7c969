//! Questions about bridge: suits and endings.

pub mod ending;
pub mod suit;

use meetjoin_lattice::Budget;
use serde::Deserialize;

use crate::asking::{self, Answered, Memory};

/// A question about bridge.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Question {
    Suit(suit::Question),
    Ending(ending::Question),
}

/// Answers a question.
///
/// # Errors
/// The sentence that says why it cannot be answered.
pub fn answer(bytes: &[u8], memory: Memory) -> Result<Answered, String> {
    let asked = asking::read::<Question>(bytes, memory)?;
    match asked.ask {
        Question::Suit(question) => suit::answer(&question, &Budget::new(asked.limits)),
        Question::Ending(question) => ending::answer(&question, asked.limits),
    }
}
