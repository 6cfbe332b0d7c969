//! Arrays that nobody changes any more, wherever they lie.
//!
//! Problem: a graph of 10^8 nodes in a file has the arrays that a search reads already, and copying
//! them takes longer than many a search. But a second type of graph, for files, would have every
//! search compiled once more.
//!
//! Idea: an array is a pointer, its length, and whoever keeps it alive: a list, or a file that is
//! mapped into memory. To read it is one and the same thing, without a branch, and a copy of it
//! shares its owner.

use std::fmt::{self, Debug};
use std::ops::{Deref, Range};
use std::sync::Arc;

use yoke::Yoke;
use yoke::erased::ErasedArcCart;
use zerocopy::{FromBytes, Immutable};

/// Bytes that stay as they are and where they are: of a file, or of a list.
pub type Bytes = dyn AsRef<[u8]> + Send + Sync;

/// An array that nobody changes any more. See the [module page](self).
pub struct Frozen<T: 'static>(Yoke<&'static [T], ErasedArcCart>);

impl<T: Send + Sync + 'static> Frozen<T> {
    /// A part of some bytes, in place. `None` if the bytes do not reach so far, begin at an
    /// odd place for a `T`, or are no whole number of them.
    pub fn part(bytes: Arc<Bytes>, range: Range<usize>) -> Option<Self>
    where
        T: FromBytes + Immutable,
    {
        // The owner is erased below, and only what has a size can be.
        let owner = Arc::new(bytes);
        let part = Yoke::try_attach_to_cart(owner, |bytes: &Arc<Bytes>| {
            let bytes = (**bytes).as_ref().get(range).ok_or(())?;
            <[T]>::ref_from_bytes(bytes).map_err(|_| ())
        });
        Some(Self(part.ok()?.erase_arc_cart()))
    }
}

impl<T: Send + Sync + 'static> From<Vec<T>> for Frozen<T> {
    fn from(list: Vec<T>) -> Self {
        Self(Yoke::attach_to_cart(Arc::new(list), |list: &Vec<T>| &**list).erase_arc_cart())
    }
}

impl<T> Deref for Frozen<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.0.get()
    }
}

impl<T> Clone for Frozen<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: PartialEq> PartialEq for Frozen<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Frozen<T> {}

impl<T: Debug> Debug for Frozen<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}
