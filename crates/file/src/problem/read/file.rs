//! The file as a whole: its keys in any order.

use std::fmt;

use meetjoin_dag::NameView;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::draft::Draft;
use super::keys::{OneOf, twice, unknown_key};
use super::node::{Id, Node};
use crate::problem::game::GameFile;
use crate::problem::problem_file::PROBLEM_FORMAT;
use crate::values::read_lattice::LatticeError;

const KEYS: [&str; 8] = [
    "format",
    "lattice",
    "root",
    "nodes",
    "note",
    "worlds",
    "probabilities",
    "game",
];

/// Reads the whole file into a draft, or into the keys of a game.
pub(super) struct File<'a>(pub(super) &'a mut Draft);

impl<'de> DeserializeSeed<'de> for File<'_> {
    type Value = Option<GameFile>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Option<GameFile>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for File<'_> {
    type Value = Option<GameFile>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "an object with the keys of `{PROBLEM_FORMAT}`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<GameFile>, A::Error> {
        let draft = self.0;
        let mut seen = [false; KEYS.len()];
        // The keys of a game are parsed by the game, and `game` may come after them.
        let mut others: Vec<(String, Box<RawValue>)> = Vec::new();
        let mut game: Option<String> = None;
        // A lattice without the number of worlds: an error, unless a game knows that number.
        let mut incomplete = None;
        while let Some(key) = map.next_key_seed(OneOf(&KEYS, "a key"))? {
            let key = match key {
                Ok(key) => key,
                Err(key) if draft.nodes_seen && game.is_none() => return Err(unknown_key(&key)),
                Err(key) => {
                    if others.iter().any(|(other, _)| *other == key) {
                        return Err(twice(&key));
                    }
                    others.push((key, map.next_value()?));
                    continue;
                }
            };
            if std::mem::replace(&mut seen[key], true) {
                return Err(twice(KEYS[key]));
            }
            draft.current_key = Some(KEYS[key]);
            match KEYS[key] {
                "format" => {
                    let format: String = map.next_value()?;
                    draft.current_key = None;
                    if format != PROBLEM_FORMAT {
                        return Err(A::Error::custom(format_args!(
                            "unknown format {format:?}, expected {PROBLEM_FORMAT:?}"
                        )));
                    }
                    draft.format_seen = true;
                }
                "lattice" => {
                    let json: Box<RawValue> = map.next_value()?;
                    draft.current_key = None;
                    if game.is_none() {
                        match draft.set_lattice(json.get()) {
                            Err(error @ LatticeError::MissingKey("v")) if !draft.nodes_seen => {
                                incomplete = Some(error);
                            }
                            read => read.map_err(A::Error::custom)?,
                        }
                    }
                    if !draft.nodes_seen {
                        others.push((KEYS[key].to_owned(), json));
                    }
                }
                "root" => {
                    let root = Id(|id: NameView<'_>| Some(id.to_name()));
                    draft.root = Some(map.next_value_seed(root)?);
                }
                "nodes" => {
                    // Fails early, before reading gigabytes.
                    if game.is_none() && (incomplete.is_some() || unknown(&others).is_some()) {
                        draft.current_key = None;
                        break;
                    }
                    map.next_value_seed(Nodes(draft))?;
                    draft.nodes_seen = true;
                }
                "note" => draft.note = Some(map.next_value()?),
                "worlds" => draft.worlds = Some(map.next_value()?),
                "probabilities" => draft.probabilities = Some(map.next_value()?),
                _ => game = Some(map.next_value()?),
            }
            draft.current_key = None;
        }
        match game {
            Some(_) if draft.nodes_seen => Err(A::Error::custom(
                "a problem has either the key `nodes` or the key `game`",
            )),
            Some(_) if draft.root.is_some() => Err(unknown_key("root")),
            Some(_) if draft.worlds.is_some() => Err(unknown_key("worlds")),
            Some(_) if draft.probabilities.is_some() => Err(unknown_key("probabilities")),
            Some(game) => Ok(Some(GameFile::new(game, others))),
            None => match (unknown(&others), incomplete) {
                (Some(key), _) => Err(unknown_key(key)),
                (None, Some(error)) => Err(A::Error::custom(error)),
                (None, None) => Ok(None),
            },
        }
    }
}

/// The first key that no explicit problem has.
fn unknown(others: &[(String, Box<RawValue>)]) -> Option<&str> {
    let mut keys = others.iter().map(|(key, _)| key.as_str());
    keys.find(|&key| key != "lattice")
}

/// The list of nodes.
struct Nodes<'a>(&'a mut Draft);

impl<'de> DeserializeSeed<'de> for Nodes<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Nodes<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        for place in 1.. {
            self.0.current_node = Some((place, None));
            if seq.next_element_seed(Node(self.0))?.is_none() {
                break;
            }
        }
        self.0.current_node = None;
        Ok(())
    }
}
