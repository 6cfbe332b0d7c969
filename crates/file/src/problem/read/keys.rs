//! Keys of JSON objects and other fixed words, and errors of keys.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

/// Reads one of these words, as its index, or the text of another one. The second field describes
/// the words, for messages.
pub(super) struct OneOf(pub(super) &'static [&'static str], pub(super) &'static str);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = Result<usize, String>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for OneOf {
    type Value = Result<usize, String>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.1)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Self::Value, E> {
        let known = self.0.iter().position(|&known| known == word);
        Ok(known.ok_or_else(|| word.to_owned()))
    }
}

pub(super) fn twice<E: Error>(key: &str) -> E {
    E::custom(format_args!("the key `{key}` appears twice"))
}

pub(super) fn unknown_key<E: Error>(key: &str) -> E {
    E::custom(format_args!("unknown key `{key}`"))
}
