//! The titles of problems, for pages and drawings.

use serde_json::Value;

use crate::source::Source;

/// Letters of a note that a title holds.
const TITLE: usize = 120;

impl Source {
    /// A title of one line for pages and drawings: the note of the problem or the keys of the game,
    /// or else the name of its file.
    pub fn title(&self, file: Option<&str>) -> String {
        let note = match self {
            Self::Problem(problem) => problem.note().map(str::to_owned),
            Self::Outcomes(problem) => problem.note().map(str::to_owned),
            Self::Game(game) => of_keys(&game.compact()),
        };
        let note = note.filter(|note| !note.trim().is_empty());
        let title = note.as_deref().or(file).unwrap_or("a problem");
        let words: Vec<&str> = title.split_whitespace().collect();
        let words = words.join(" ");
        match words.char_indices().nth(TITLE) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words,
        }
    }
}

/// A game and its keys in words: "racing: deck 10, goal 2, hand 1 2, lead 3, lattice families".
fn of_keys(compact: &str) -> Option<String> {
    let keys: Value = serde_json::from_str(compact).ok()?;
    let keys = keys.as_object()?;
    let mut others: Vec<(&String, &Value)> = keys
        .iter()
        .filter(|(key, value)| !matches!(key.as_str(), "format" | "game") && !value.is_null())
        .collect();
    // The lattice matters least to a player.
    others.sort_by_key(|(key, _)| *key == "lattice");
    let others: Vec<String> = others
        .into_iter()
        .map(|(key, value)| format!("{key} {}", in_words(value)))
        .collect();
    let game = keys.get("game").map_or_else(String::new, in_words);
    Some(format!("{game}: {}", others.join(", ")))
}

/// The value of a key: lists without brackets, objects with their type first.
fn in_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(Value::to_string).collect();
            items.join(" ")
        }
        Value::Object(keys) => {
            let kind = keys.get("type").and_then(Value::as_str).map(str::to_owned);
            let others = keys.iter().filter(|(key, _)| *key != "type");
            let others = others.map(|(key, value)| format!("{key} {value}"));
            let words: Vec<String> = kind.into_iter().chain(others).collect();
            words.join(" ")
        }
        other => other.to_string(),
    }
}
