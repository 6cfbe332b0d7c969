//! Reads maps with the key in errors about a value: serde's errors name neither the field of a
//! struct nor, inside another value, the line. A key that appears twice is refused, where serde's
//! maps keep the last value. And reads structs from objects alone, where serde also takes an array
//! of the values of their fields.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::forward_to_deserialize_any;

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

/// Reads a struct from an object. Its `expecting` says in errors what the object must be.
///
/// # Errors
/// If there is something else, and those of the struct.
pub fn object<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    struct OnlyObjects<D>(D);

    impl<'de, D: Deserializer<'de>> Deserializer<'de> for OnlyObjects<D> {
        type Error = D::Error;

        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.deserialize_map(visitor)
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            option unit unit_struct newtype_struct seq tuple tuple_struct map struct enum
            identifier ignored_any
        }
    }

    T::deserialize(OnlyObjects(deserializer))
}
