//! The values of all leaves.
//!
//! Values are a list, or an array of words in a file that are decoded on access. The decoder is a
//! function pointer, so searches are not compiled again for values in files.

use std::borrow::Cow;
use std::fmt::{self, Debug};
use std::sync::Arc;

use crate::arrays::frozen::Frozen;

/// The value of each leaf, by its ordinal.
#[derive(Clone, Debug)]
pub enum Values<E> {
    /// All of them.
    List(Vec<E>),
    /// Words in a file.
    Records(Records<E>),
}

/// Decodes a value.
pub type ReadWords<E> = dyn Fn(&[u64]) -> E + Send + Sync;

/// Values of a fixed number of words each.
pub struct Records<E> {
    /// All words.
    pub words: Frozen<u64>,
    /// The number of words in a value.
    pub width: usize,
    /// The number of values.
    pub count: usize,
    /// Decodes any words, valid or not.
    pub read: Arc<ReadWords<E>>,
    /// Stands in for a missing value.
    pub none: Arc<dyn Fn() -> E + Send + Sync>,
    /// Whether it is known that no value is the bottom.
    pub never_bottom: bool,
}

impl<E: Clone> Values<E> {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::List(values) => values.len(),
            Self::Records(records) => records.count,
        }
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value with this ordinal.
    ///
    /// # Panics
    /// If a list has no value with this ordinal.
    #[inline]
    pub fn get(&self, ordinal: usize) -> E {
        match self {
            Self::List(values) => values[ordinal].clone(),
            Self::Records(records) => records.get(ordinal),
        }
    }

    /// All values.
    pub fn list(&self) -> Cow<'_, [E]> {
        match self {
            Self::List(values) => Cow::Borrowed(values),
            Self::Records(records) => (0..records.count).map(|place| records.get(place)).collect(),
        }
    }
}

impl<E> Records<E> {
    /// The value with this ordinal.
    #[inline(never)]
    pub fn get(&self, ordinal: usize) -> E {
        let begin = ordinal.saturating_mul(self.width);
        match self.words.get(begin..begin.saturating_add(self.width)) {
            Some(words) if ordinal < self.count => (self.read)(words),
            _ => (self.none)(),
        }
    }

    /// Converts every value; values in a file are converted on access.
    pub(crate) fn map<F: 'static>(
        self,
        convert: impl Fn(E) -> F + Send + Sync + 'static,
    ) -> Records<F>
    where
        E: 'static,
    {
        let convert = Arc::new(convert);
        let (read, none, also) = (self.read, self.none, Arc::clone(&convert));
        Records {
            words: self.words,
            width: self.width,
            count: self.count,
            read: Arc::new(move |words| convert(read(words))),
            none: Arc::new(move || also(none())),
            never_bottom: self.never_bottom,
        }
    }
}

impl<E> Clone for Records<E> {
    fn clone(&self) -> Self {
        Self {
            words: self.words.clone(),
            width: self.width,
            count: self.count,
            read: Arc::clone(&self.read),
            none: Arc::clone(&self.none),
            never_bottom: self.never_bottom,
        }
    }
}

impl<E: Debug> Debug for Records<E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = (0..self.count).map(|place| self.get(place));
        out.debug_list().entries(values).finish()
    }
}

/// Compares values, not representations.
impl<E: Clone + PartialEq> PartialEq for Values<E> {
    fn eq(&self, other: &Self) -> bool {
        self.list() == other.list()
    }
}

impl<E: Clone + Eq> Eq for Values<E> {}

impl<E> From<Vec<E>> for Values<E> {
    fn from(values: Vec<E>) -> Self {
        Self::List(values)
    }
}
