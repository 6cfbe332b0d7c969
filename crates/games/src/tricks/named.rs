//! Reads maps with the key in errors about a value: serde's errors name neither the field of a
//! struct nor, inside another value, the line. A key that appears twice is refused, where serde's
//! maps keep the last value.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

/// A map whose values have their keys in errors.
pub(super) struct Named<A> {
    map: A,
    key: String,
    met: HashSet<String>,
}

impl<A> Named<A> {
    pub(super) fn new(map: A) -> Self {
        Self {
            map,
            key: String::new(),
            met: HashSet::new(),
        }
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Named<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let Some(key) = self.map.next_key::<String>()? else {
            return Ok(None);
        };
        if !self.met.insert(key.clone()) {
            return Err(A::Error::custom(format_args!(
                "the key `{key}` appears twice"
            )));
        }
        self.key.clone_from(&key);
        seed.deserialize(StringDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        let value = self.map.next_value_seed(seed);
        value.map_err(|error| A::Error::custom(format_args!("{}: {error}", self.key)))
    }
}

/// Reads a value from a map, with keys in errors, and each key only once.
///
/// # Errors
/// Those of the values, and of a key that appears twice.
pub fn named<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    struct OfMap<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for OfMap<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(Named::new(map)))
        }
    }

    deserializer.deserialize_map(OfMap(PhantomData))
}
