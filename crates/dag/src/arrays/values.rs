//! The values of all leaves.
//!
//! A list of them, or an array of words in a file, from which a value is made when it is asked for.
//! What makes it is one function, so that no search is compiled for one more kind of values.

use std::borrow::Cow;
use std::fmt::{self, Debug};
use std::sync::Arc;

use crate::arrays::frozen::Frozen;

/// The value of each leaf, by its ordinal.
#[derive(Clone, Debug)]
pub enum Values<E> {
    /// All of them.
    List(Vec<E>),
    /// As words in a file.
    Records(Records<E>),
}

/// Makes a value of its words.
pub type ReadWords<E> = dyn Fn(&[u64]) -> E + Send + Sync;

/// Values as so many words each.
pub struct Records<E> {
    /// All words.
    pub words: Frozen<u64>,
    /// How many of them are a value.
    pub width: usize,
    /// How many values there are.
    pub count: usize,
    /// Makes a value of its words, whatever they are.
    pub read: Arc<ReadWords<E>>,
    /// What takes the place of a value that is not there.
    pub none: Arc<dyn Fn() -> E + Send + Sync>,
    /// Whether no value is the bottom; otherwise that is not known.
    pub never_bottom: bool,
}

impl<E: Clone> Values<E> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::List(values) => values.len(),
            Self::Records(records) => records.count,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One value.
    ///
    /// # Panics
    /// If a list has none with this ordinal.
    #[inline]
    pub fn get(&self, ordinal: usize) -> E {
        match self {
            Self::List(values) => values[ordinal].clone(),
            Self::Records(records) => records.get(ordinal),
        }
    }

    /// All of them.
    pub fn list(&self) -> Cow<'_, [E]> {
        match self {
            Self::List(values) => Cow::Borrowed(values),
            Self::Records(records) => (0..records.count).map(|place| records.get(place)).collect(),
        }
    }
}

impl<E> Records<E> {
    /// One value.
    #[inline(never)]
    pub fn get(&self, ordinal: usize) -> E {
        let begin = ordinal.saturating_mul(self.width);
        match self.words.get(begin..begin.saturating_add(self.width)) {
            Some(words) if ordinal < self.count => (self.read)(words),
            _ => (self.none)(),
        }
    }

    /// Converts every value; of values in a file, when it is read.
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

/// Whichever way they are held.
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
