//! Reads structs from objects alone, where serde also takes an array of the values of their fields.

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

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
