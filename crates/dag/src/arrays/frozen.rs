//! Immutable arrays, in memory or in a mapped file.
//!
//! Problem: a file with a graph of 10^8 nodes has its arrays in the layout that a search reads, and
//! copying them takes longer than many a search. But with a second type of graph, for files, every
//! search would be compiled twice.
//!
//! Idea: an array is a pointer, its length, and a shared owner: a list, or a file mapped into
//! memory. Reading takes no branch on the kind of owner, and a clone shares the owner.

use std::fmt::{self, Debug};
use std::ops::{Deref, Range};
use std::sync::Arc;

use yoke::Yoke;
use yoke::erased::ErasedArcCart;
use zerocopy::{FromBytes, Immutable};

/// Bytes of a file or of a list, which neither change nor move.
pub type Bytes = dyn AsRef<[u8]> + Send + Sync;

/// An immutable array. See the [module page](self).
pub struct Frozen<T: 'static>(Yoke<&'static [T], ErasedArcCart>);

impl<T: Send + Sync + 'static> Frozen<T> {
    /// A part of some bytes, in place. `None` if the range ends beyond the bytes, is not aligned
    /// for `T`, or is not a whole number of them.
    pub fn part(bytes: Arc<Bytes>, range: Range<usize>) -> Option<Self>
    where
        T: FromBytes + Immutable,
    {
        // The owner is erased below, which needs a sized type.
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
