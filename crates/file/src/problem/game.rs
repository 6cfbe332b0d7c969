//! Problems that a game generates: their files name the game and its keys, in place of nodes.
//!
//! This crate knows no games. It reads the file, and the caller's type defines the keys of a game.

use std::fmt::{self, Display};

use meetjoin_report::meant;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer,
    MapAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

use crate::error::ProblemError;

/// A game's part of a problem file: its name, and its keys with their values as JSON text. The key
/// `lattice` is one of them.
#[derive(Debug)]
pub struct GameFile {
    name: String,
    keys: Vec<(String, Box<RawValue>)>,
}

impl GameFile {
    /// A game of this name with these keys.
    pub fn new(name: String, keys: Vec<(String, Box<RawValue>)>) -> Self {
        Self { name, keys }
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads a struct that has a field for each key of the game; or an enum that has such a struct
    /// for each game, under its name.
    ///
    /// # Errors
    /// If there is no such game, a key is missing, its value is of another type, or the game has no
    /// such key.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ProblemError> {
        T::deserialize(Keys(self)).map_err(|wrong| {
            let name = &self.name;
            ProblemError::new(match wrong {
                Wrong::Missing(key) => format!("the game `{name}` needs the key `{key}`"),
                Wrong::Unknown(key, fields) => {
                    let meant = meant(&key, fields.iter().copied());
                    format!("unknown key `{key}` of the game `{name}`{meant}")
                }
                Wrong::NoGame(games) => {
                    let meant = meant(name, games.iter().copied());
                    format!("unknown game `{name}`{meant}; there are {}", listed(games))
                }
                Wrong::Value(sentence) => sentence,
            })
        })
    }
}

/// An error, before the game is named.
#[derive(Debug)]
enum Wrong {
    Missing(&'static str),
    /// Unknown; the known keys.
    Unknown(String, &'static [&'static str]),
    /// No such game; the known games.
    NoGame(&'static [&'static str]),
    Value(String),
}

impl Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Wrong {}

impl Error for Wrong {
    fn custom<T: Display>(message: T) -> Self {
        Self::Value(message.to_string())
    }

    fn missing_field(key: &'static str) -> Self {
        Self::Missing(key)
    }

    fn unknown_field(key: &str, fields: &'static [&'static str]) -> Self {
        Self::Unknown(key.to_owned(), fields)
    }

    fn unknown_variant(_: &str, games: &'static [&'static str]) -> Self {
        Self::NoGame(games)
    }
}

/// Names in a list for people.
fn listed(names: &[&str]) -> String {
    let quoted = |name: &&str| format!("`{name}`");
    let [names @ .., last] = names else {
        return "none".to_owned();
    };
    let names: Vec<String> = names.iter().map(quoted).collect();
    format!("{} and {}", names.join(", "), quoted(last))
}

/// Deserializes the keys as a struct, or the name with the keys as an enum.
struct Keys<'de>(&'de GameFile);

impl<'de> Deserializer<'de> for Keys<'de> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_map(Entries {
            left: &self.0.keys,
            fields: None,
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_map(Entries {
            left: &self.0.keys,
            fields: Some(fields),
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple tuple_struct
        map identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Keys<'de> {
    type Error = Wrong;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Wrong> {
        let name: StrDeserializer<'_, Wrong> = self.0.name.as_str().into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Keys<'de> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        self.struct_variant(&[], serde::de::IgnoredAny).map(drop)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Wrong> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.deserialize_struct("", fields, visitor)
    }
}

/// Deserializes the keys one after the other.
struct Entries<'de> {
    /// The remaining keys; the next one is the first.
    left: &'de [(String, Box<RawValue>)],
    /// The allowed keys, if they are known.
    fields: Option<&'static [&'static str]>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Wrong;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Wrong> {
        let Some((key, _)) = self.left.first() else {
            return Ok(None);
        };
        if let Some(fields) = self.fields
            && !fields.contains(&key.as_str())
        {
            return Err(Wrong::unknown_field(key, fields));
        }
        let key: StrDeserializer<'_, Wrong> = key.as_str().into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Wrong> {
        let Some(((key, json), left)) = self.left.split_first() else {
            return Err(Wrong::custom("no key has come before its value"));
        };
        self.left = left;
        seed.deserialize(&**json).map_err(|error| {
            let text = error.to_string();
            // The position in the message is relative to the value, not to the file.
            let text = text.split(" at line ").next().unwrap_or(&text);
            Wrong::Value(format!("`{key}`: {text}"))
        })
    }
}
