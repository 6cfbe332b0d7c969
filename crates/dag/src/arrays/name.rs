//! The names of nodes.

use std::fmt;
use std::hash::{Hash, Hasher};

/// The name of a node, which is its id in a problem file: a 64-bit integer or a text. `1` and `"1"`
/// differ.
///
/// `Display` prints a text without quotes; `Debug` adds them, for messages in which `1` and `"1"`
/// must differ.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeName {
    /// An integer.
    Int(i64),
    /// A text.
    Text(Box<str>),
}

impl NodeName {
    /// The name, borrowed.
    pub fn view(&self) -> NameView<'_> {
        match self {
            Self::Int(number) => NameView::Int(*number),
            Self::Text(text) => NameView::Text(text),
        }
    }
}

/// Hashes like [`NameView`], by which names are looked up.
impl Hash for NodeName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.view().hash(state);
    }
}

impl From<i64> for NodeName {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<&str> for NodeName {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl fmt::Display for NodeName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => number.fmt(out),
            Self::Text(text) => text.fmt(out),
        }
    }
}

impl fmt::Debug for NodeName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => number.fmt(out),
            Self::Text(text) => fmt::Debug::fmt(text, out),
        }
    }
}

/// A borrowed name, for looking names up without allocating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameView<'a> {
    /// An integer.
    Int(i64),
    /// A text.
    Text(&'a str),
}

impl NameView<'_> {
    /// The name with its own copy of the text.
    pub fn to_name(self) -> NodeName {
        match self {
            Self::Int(number) => NodeName::Int(number),
            Self::Text(text) => NodeName::Text(text.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_as_small_as_its_text() {
        assert_eq!(size_of::<NodeName>(), size_of::<Box<str>>());
    }

    #[test]
    fn numbers_and_texts_differ_in_messages_only() {
        let (number, text) = (NodeName::from(1), NodeName::from("1"));
        assert_ne!(number, text);
        assert_eq!(
            (number.to_string(), text.to_string()),
            ("1".into(), "1".into())
        );
        assert_eq!(format!("{number:?} {text:?}"), r#"1 "1""#);
    }
}
