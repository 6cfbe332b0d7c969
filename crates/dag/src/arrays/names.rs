//! The names of all nodes.
//!
//! Names made by programs are mostly consecutive integers, which take no memory. Names in a file
//! are arrays, read on demand.

use std::borrow::Cow;

use crate::arrays::frozen::Frozen;
use crate::arrays::name::NodeName;

/// The name of each node, by its number.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Names {
    /// A list of names.
    List(Vec<NodeName>),
    /// Consecutive integers.
    From {
        /// The name of the first node.
        first: i64,
        /// The number of names.
        count: usize,
    },
    /// Integers.
    Integers(Frozen<i64>),
    /// Each name as bytes: a text with a 0 before it, or the eight bytes of an integer, the lowest
    /// first, with a 1 before them.
    Bytes {
        /// Where the bytes of each name end.
        ends: Frozen<u64>,
        /// The bytes of all names.
        bytes: Frozen<u8>,
    },
}

impl Names {
    /// The number of names.
    pub fn len(&self) -> usize {
        match self {
            Self::List(names) => names.len(),
            Self::From { count, .. } => *count,
            Self::Integers(names) => names.len(),
            Self::Bytes { ends, .. } => ends.len(),
        }
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of the node with this number.
    pub fn get(&self, node: usize) -> Option<Cow<'_, NodeName>> {
        match self {
            Self::List(names) => names.get(node).map(Cow::Borrowed),
            Self::From { first, count } => {
                let name = first.wrapping_add(integer(node));
                (node < *count).then_some(Cow::Owned(NodeName::Int(name)))
            }
            Self::Integers(names) => Some(Cow::Owned(NodeName::Int(*names.get(node)?))),
            Self::Bytes { ends, .. } => {
                let known = (node < ends.len()).then(|| self.of_bytes(node));
                // Bytes that are no valid name are replaced by the node's number.
                known.map(|name| Cow::Owned(name.unwrap_or(NodeName::Int(integer(node)))))
            }
        }
    }

    /// The name encoded as bytes; `None` if they are no valid name.
    pub fn of_bytes(&self, node: usize) -> Option<NodeName> {
        let Self::Bytes { ends, bytes } = self else {
            return None;
        };
        let begin = match node.checked_sub(1) {
            None => 0,
            Some(before) => usize::try_from(*ends.get(before)?).ok()?,
        };
        let end = usize::try_from(*ends.get(node)?).ok()?;
        match bytes.get(begin..end)?.split_first()? {
            // Copied before validation: the bytes of a mapped file may change, and a `str` must
            // stay valid UTF-8.
            (0, text) => Some(NodeName::Text(
                String::from_utf8(text.to_vec()).ok()?.into(),
            )),
            (1, number) => Some(NodeName::Int(i64::from_le_bytes(number.try_into().ok()?))),
            _ => None,
        }
    }

    /// All names.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, NodeName>> {
        (0..self.len()).filter_map(|node| self.get(node))
    }
}

/// The number of a node as an integer; it always fits.
fn integer(node: usize) -> i64 {
    i64::try_from(node).unwrap_or(i64::MAX)
}

/// Consecutive integers take no memory.
impl From<Vec<NodeName>> for Names {
    fn from(names: Vec<NodeName>) -> Self {
        let Some(&NodeName::Int(first)) = names.first() else {
            return Self::List(names);
        };
        let consecutive = names.iter().enumerate().all(|(place, name)| {
            let expected = first.checked_add(integer(place));
            matches!(name, NodeName::Int(name) if Some(*name) == expected)
        });
        if consecutive {
            let count = names.len();
            Self::From { first, count }
        } else {
            Self::List(names)
        }
    }
}

/// Compares names, not representations.
impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for Names {}
