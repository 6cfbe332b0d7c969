//! Problems that a game generates: their files name the game and its keys, in place of nodes.
//!
//! This crate knows no games. It reads the file, and whoever knows the game takes its keys one by one, each as the type it needs; what
//! is left over at the end is unknown to the game.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::error::ProblemError;

/// A game's part of a problem file: its name, and its keys with their values as JSON text. The key `lattice` is one of them.
#[derive(Debug)]
pub struct GameFile {
    name: String,
    keys: Vec<(String, Box<RawValue>)>,
}

impl GameFile {
    pub(crate) fn new(name: String, keys: Vec<(String, Box<RawValue>)>) -> Self {
        Self { name, keys }
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes the value of a key.
    ///
    /// # Errors
    /// If the key is missing, or its value is of another type.
    pub fn take<T: DeserializeOwned>(&mut self, key: &str) -> Result<T, ProblemError> {
        self.take_optional(key)?.ok_or_else(|| {
            ProblemError::new(format!("the game `{}` needs the key `{key}`", self.name))
        })
    }

    /// Takes the value of a key that may be missing.
    ///
    /// # Errors
    /// If its value is of another type.
    pub fn take_optional<T: DeserializeOwned>(
        &mut self,
        key: &str,
    ) -> Result<Option<T>, ProblemError> {
        let Some(place) = self.keys.iter().position(|(known, _)| known == key) else {
            return Ok(None);
        };
        let (_, json) = self.keys.remove(place);
        serde_json::from_str(json.get()).map(Some).map_err(|error| {
            let text = error.to_string();
            // The place is one in the value, not in the file.
            let text = text.split(" at line ").next().unwrap_or(&text);
            ProblemError::new(format!("`{key}`: {text}"))
        })
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// If there is a key that nobody has taken.
    pub fn finish(self) -> Result<(), ProblemError> {
        match self.keys.first() {
            None => Ok(()),
            Some((key, _)) => Err(ProblemError::new(format!(
                "unknown key `{key}` of the game `{}`",
                self.name
            ))),
        }
    }
}
