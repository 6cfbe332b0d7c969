//! An attack tree while it is read.

use std::collections::HashMap;

use meetjoin_report::meant;

use crate::tree::{AttackTree, AttackTreeError, Attribute, DAMAGE, Kind, Node};

/// A place in a text: bytes before it.
pub(super) type Spot = usize;

/// What is wrong, and where in the text.
#[derive(Debug)]
pub(super) struct Wrong {
    what: String,
    spot: Option<Spot>,
}

impl Wrong {
    pub(super) fn at(spot: Spot, what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            spot: Some(spot),
        }
    }

    pub(super) fn whole(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            spot: None,
        }
    }

    /// With line and column.
    pub(super) fn of(self, text: &str) -> AttackTreeFileError {
        let Self { what, spot } = self;
        let place = spot.map(|spot| {
            let before = text.get(..spot).unwrap_or(text);
            let start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let column = before[start..].chars().count() + 1;
            (before.matches('\n').count() + 1, column)
        });
        AttackTreeFileError { what, place }
    }
}

/// What is wrong with the file of an attack tree, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}{}", shown_place(*.place))]
pub struct AttackTreeFileError {
    what: String,
    place: Option<(usize, usize)>,
}

fn shown_place(place: Option<(usize, usize)>) -> String {
    place.map_or_else(String::new, |(line, column)| {
        format!(" (line {line} column {column})")
    })
}

impl AttackTreeFileError {
    /// Line and column, from 1, if it has a place.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.place
    }
}

/// What is known of a name so far.
#[derive(Debug)]
struct DraftNode {
    node: Node,
    spot: Spot,
    /// Whether it is defined.
    is_defined: bool,
    /// Values by name, each with its place.
    values: Vec<(String, f64, Spot)>,
}

/// Nodes and names so far. A name that is never defined is an action.
#[derive(Debug, Default)]
pub(super) struct Draft {
    nodes: Vec<DraftNode>,
    names: HashMap<String, u32>,
    pub(super) attributes: Vec<(Attribute, Spot)>,
    /// Countermeasures, and what they counter.
    counters: Vec<(u32, u32)>,
    /// The root, if the file says it.
    pub(super) root: Option<u32>,
}

impl Draft {
    /// The node with a name, new or not.
    pub(super) fn mention(&mut self, name: &str, spot: Spot) -> u32 {
        if let Some(&number) = self.names.get(name) {
            return number;
        }
        let number = self.nodes.len() as u32;
        self.names.insert(name.to_owned(), number);
        self.nodes.push(DraftNode {
            node: Node {
                name: name.to_owned(),
                kind: Kind::Action,
                arguments: Vec::new(),
                counters: Vec::new(),
                values: Vec::new(),
                damage: 0.0,
            },
            spot,
            is_defined: false,
            values: Vec::new(),
        });
        number
    }

    /// Defines a name, for the first time.
    pub(super) fn define(&mut self, name: &str, kind: Kind, spot: Spot) -> Result<u32, Wrong> {
        let number = self.mention(name, spot);
        let draft = &mut self.nodes[number as usize];
        if draft.is_defined {
            return Err(Wrong::at(spot, format!("{name:?} is defined twice")));
        }
        draft.is_defined = true;
        draft.node.kind = kind;
        draft.spot = spot;
        Ok(number)
    }

    /// Returns whether a node is defined.
    pub(super) fn is_defined(&self, number: u32) -> bool {
        self.nodes[number as usize].is_defined
    }

    /// Sets the kind of a name that may be defined as a gate later.
    pub(super) fn set_kind(&mut self, number: u32, kind: Kind) {
        self.nodes[number as usize].node.kind = kind;
    }

    pub(super) fn kind(&self, number: u32) -> Kind {
        self.nodes[number as usize].node.kind
    }

    pub(super) fn arguments(&self, number: u32) -> &[u32] {
        &self.nodes[number as usize].node.arguments
    }

    pub(super) fn add_argument(&mut self, gate: u32, argument: u32) {
        self.nodes[gate as usize].node.arguments.push(argument);
    }

    pub(super) fn add_counter(&mut self, counter: u32, of: u32) {
        self.counters.push((counter, of));
    }

    /// Gives a node a value, which must be new, or the same once more if it `may_repeat`.
    pub(super) fn value(
        &mut self,
        number: u32,
        attribute: &str,
        value: f64,
        spot: Spot,
        may_repeat: bool,
    ) -> Result<(), Wrong> {
        let draft = &mut self.nodes[number as usize];
        let mut known = draft.values.iter();
        if let Some((_, before, _)) = known.find(|(name, ..)| name == attribute) {
            #[allow(clippy::float_cmp)] // the same text makes the same number
            if may_repeat && *before == value {
                return Ok(());
            }
            let name = &draft.node.name;
            let what = format!("{name:?} has two values for {attribute:?}");
            return Err(Wrong::at(spot, what));
        }
        draft.values.push((attribute.to_owned(), value, spot));
        Ok(())
    }

    /// The tree, if everything fits.
    pub(super) fn finish(mut self, top: Option<&str>) -> Result<AttackTree, Wrong> {
        for (counter, of) in std::mem::take(&mut self.counters) {
            let counters = &mut self.nodes[of as usize].node.counters;
            if !counters.contains(&counter) {
                counters.push(counter);
            }
        }
        let mut attributes: Vec<Attribute> = Vec::new();
        for (attribute, spot) in self.attributes {
            let name = &attribute.name;
            if name == DAMAGE {
                let what = format!("{DAMAGE:?} is no attribute of attacks: nodes have it");
                return Err(Wrong::at(spot, what));
            }
            if attributes.iter().any(|other| other.name == *name) {
                let what = format!("the attribute {name:?} is declared twice");
                return Err(Wrong::at(spot, what));
            }
            attributes.push(attribute);
        }
        let places: HashMap<&str, usize> = attributes
            .iter()
            .enumerate()
            .map(|(place, attribute)| (attribute.name.as_str(), place))
            .collect();
        let mut nodes = Vec::with_capacity(self.nodes.len());
        let mut spots = Vec::with_capacity(self.nodes.len());
        let mut value_spots = HashMap::new();
        for (number, draft) in self.nodes.into_iter().enumerate() {
            let mut node = draft.node;
            node.values = vec![None; attributes.len()];
            let is_leaf = matches!(node.kind, Kind::Action | Kind::Defence);
            for (attribute, value, spot) in draft.values {
                if attribute == DAMAGE {
                    node.damage = value;
                } else if let (Some(&place), true) = (places.get(attribute.as_str()), is_leaf) {
                    node.values[place] = Some(value);
                } else if is_leaf {
                    let what = format!(
                        "there is no attribute {attribute:?}{}: declare it first",
                        meant(
                            &attribute,
                            attributes.iter().map(|known| known.name.as_str())
                        )
                    );
                    return Err(Wrong::at(spot, what));
                } else {
                    let what = format!(
                        "{:?} is a gate, and its {attribute} follows from what it leads to",
                        node.name
                    );
                    return Err(Wrong::at(spot, what));
                }
                value_spots.insert((number as u32, attribute), spot);
            }
            spots.push(draft.spot);
            nodes.push(node);
        }
        let named = self.root.map(|root| nodes[root as usize].name.clone());
        let top = top.or(named.as_deref());
        AttackTree::new(nodes, attributes, top).map_err(|error| {
            let of_value = match &error {
                AttackTreeError::Value {
                    node, attribute, ..
                } => value_spots.get(&(*node, attribute.clone())).copied(),
                _ => None,
            };
            let spot = of_value.or_else(|| Some(spots[error.node()? as usize]));
            Wrong {
                what: error.to_string(),
                spot,
            }
        })
    }
}
