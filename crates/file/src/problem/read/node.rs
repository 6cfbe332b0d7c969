//! One node of a file: its keys in any order.
//!
//! The id may come last, but every error should name it. So errors after which the text can still
//! be parsed are deferred to the end of the node.

use std::fmt;

use meetjoin_dag::{GraphError, Kind, Mention, NameView, NodeName};
use meetjoin_report::meant;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::draft::{Draft, Role};
use super::keys::{OneOf, twice, unknown_key};

const KEYS: [&str; 7] = ["id", "kind", "children", "value", "lower", "upper", "note"];

const KIND: OneOf = OneOf(
    &["and", "or", "leaf"],
    "a kind, which is \"and\", \"or\" or \"leaf\"",
);

/// Reads one node into a draft.
pub(super) struct Node<'a>(pub(super) &'a mut Draft);

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a node: an object with `id`, `kind` and `children` or `value`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let draft = self.0;
        let mut seen = [false; KEYS.len()];
        let mut complaint: Option<A::Error> = None;
        let mut id: Option<Mention> = None;
        let mut kind: Option<Kind> = None;
        let mut values: [Option<Box<RawValue>>; 3] = [None, None, None];
        while let Some(key) = map.next_key_seed(OneOf(&KEYS, "a key"))? {
            let key = match key {
                Ok(key) if !std::mem::replace(&mut seen[key], true) => KEYS[key],
                other => {
                    let problem = match other {
                        Ok(key) => twice(KEYS[key]),
                        Err(key) => unknown_key(&key),
                    };
                    complaint.get_or_insert(problem);
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            match key {
                "id" => {
                    let (names, nodes) = (&mut draft.names, &mut draft.nodes);
                    id = Some(map.next_value_seed(Id(|id: NameView<'_>| names.define(id, nodes)))?);
                    draft.current_node = draft.current_node.map(|(place, _)| (place, id));
                }
                "kind" => match map.next_value_seed(KIND)? {
                    Ok(place) => kind = Some([Kind::And, Kind::Or, Kind::Leaf][place]),
                    Err(other) => {
                        complaint.get_or_insert(A::Error::custom(format_args!(
                            "unknown kind {other:?}{}, expected \"and\", \"or\" or \"leaf\"",
                            meant(&other, KIND.0.iter().copied())
                        )));
                    }
                },
                "children" => map.next_value_seed(Children(draft))?,
                "value" => values[0] = Some(map.next_value()?),
                "lower" => values[1] = Some(map.next_value()?),
                "upper" => values[2] = Some(map.next_value()?),
                // The note of a node is for readers of the file only.
                _ => drop(map.next_value_seed(OneOf(&[], "a text"))?),
            }
        }
        let missing = |key| A::Error::custom(format_args!("the node has no key `{key}`"));
        if let Some(complaint) = complaint {
            return Err(complaint);
        }
        let id = id.ok_or_else(|| missing("id"))?;
        let kind = kind.ok_or_else(|| missing("kind"))?;
        let (is, needed, refused): (_, _, &[&str]) = match kind {
            Kind::Leaf => ("a leaf", "value", &["children", "lower", "upper"]),
            Kind::And | Kind::Or => ("an inner node", "children", &["value"]),
        };
        for (key, seen) in KEYS.iter().zip(seen) {
            if seen && refused.contains(key) {
                return Err(A::Error::custom(format_args!("{is} cannot have `{key}`")));
            }
            if !seen && *key == needed {
                return Err(missing(needed));
            }
        }
        let node = draft.nodes.close(id, kind).map_err(|error| {
            A::Error::custom(match error {
                GraphError::Duplicate(_) => "the id is used twice".to_owned(),
                GraphError::Childless(_) => "an inner node needs a child".to_owned(),
                GraphError::NoMemory => GraphError::<NodeName>::NoMemory.to_string(),
                _ => GraphError::<NodeName>::TooLarge.to_string(),
            })
        })?;
        for (role, json) in [Role::Value, Role::Lower, Role::Upper]
            .into_iter()
            .zip(values)
        {
            if let Some(json) = json {
                let taken = draft.take(node, role, json.get());
                taken.map_err(A::Error::custom)?;
            }
        }
        Ok(())
    }
}

/// Reads an id and applies a function to it. `None` when numbers run out.
pub(super) struct Id<F>(pub(super) F);

impl<T, F: FnOnce(NameView<'_>) -> Option<T>> Id<F> {
    #[inline]
    fn take<E: Error>(self, name: NameView<'_>) -> Result<T, E> {
        (self.0)(name).ok_or_else(|| {
            let most = u32::MAX - 1;
            E::custom(format_args!(
                "there is not enough memory for the ids, or they are more than {most}"
            ))
        })
    }
}

impl<'de, T, F: FnOnce(NameView<'_>) -> Option<T>> DeserializeSeed<'de> for Id<F> {
    type Value = T;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<T, F: FnOnce(NameView<'_>) -> Option<T>> Visitor<'_> for Id<F> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an id, which is a 64-bit integer or a text")
    }

    #[inline]
    fn visit_i64<E: Error>(self, id: i64) -> Result<T, E> {
        self.take(NameView::Int(id))
    }

    #[inline]
    fn visit_u64<E: Error>(self, id: u64) -> Result<T, E> {
        match i64::try_from(id) {
            Ok(id) => self.take(NameView::Int(id)),
            Err(_) => Err(E::custom(format_args!(
                "the id {id} is beyond 64-bit integers, which end at {}",
                i64::MAX
            ))),
        }
    }

    #[inline]
    fn visit_str<E: Error>(self, id: &str) -> Result<T, E> {
        self.take(NameView::Text(id))
    }
}

/// Reads a list of ids into the open row.
struct Children<'a>(&'a mut Draft);

impl<'de> DeserializeSeed<'de> for Children<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Children<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of ids")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let (names, nodes) = (&mut self.0.names, &mut self.0.nodes);
        loop {
            let child = Id(|id: NameView<'_>| names.mention(id, nodes));
            let Some(child) = seq.next_element_seed(child)? else {
                break;
            };
            let pushed = nodes.push_child(child);
            pushed.map_err(Error::custom)?;
        }
        Ok(())
    }
}
