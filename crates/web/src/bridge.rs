//! Questions about bridge: suits and endings.

pub mod ending;

use meetjoin_bridge::suit::request::Suits;
use serde::Deserialize;
use serde_json::Value;

use crate::asking::{self, Answered, Memory};

/// A question about bridge.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Question {
    Suit(Value),
    Ending(ending::Question),
}

/// Answers a question.
///
/// # Errors
/// The sentence that says why it cannot be answered.
pub fn answer(bytes: &[u8], memory: Memory) -> Result<Answered, String> {
    let asked = asking::read::<Question>(bytes, memory)?;
    match asked.ask {
        Question::Suit(question) => asking::of::<Suits>(question, asked.limits),
        Question::Ending(question) => ending::answer(&question, asked.limits),
    }
}
