//! Keys of JSON objects, and what can be wrong with them.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

/// One of these keys, by its place, or the text of another one.
pub(super) struct Key(pub(super) &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Result<usize, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Result<usize, String>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        let known = self.0.iter().position(|&known| known == key);
        Ok(known.ok_or_else(|| key.to_owned()))
    }
}

pub(super) fn twice<E: Error>(key: &str) -> E {
    E::custom(format_args!("the key `{key}` appears twice"))
}

pub(super) fn unknown_key<E: Error>(key: &str) -> E {
    E::custom(format_args!("unknown key `{key}`"))
}
