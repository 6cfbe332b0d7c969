//! What an element holds on the heap: what a store of elements has to count. [`Interned`](crate::Interned) asks.

/// An element that says how much memory it holds besides its own size.
pub trait HeapBytes {
    /// How many bytes it holds on the heap, about. 0 unless it says otherwise.
    #[inline]
    fn heap_bytes(&self) -> u64 {
        0
    }
}

macro_rules! without_heap {
    ($($type:ty)*) => {
        $(impl HeapBytes for $type {})*
    };
}

without_heap!(() bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

impl HeapBytes for String {
    fn heap_bytes(&self) -> u64 {
        self.capacity() as u64
    }
}

impl<E: HeapBytes> HeapBytes for [E] {
    fn heap_bytes(&self) -> u64 {
        self.iter().map(E::heap_bytes).sum()
    }
}

impl<E: HeapBytes, const K: usize> HeapBytes for [E; K] {
    fn heap_bytes(&self) -> u64 {
        self[..].heap_bytes()
    }
}

impl<E: HeapBytes> HeapBytes for Box<[E]> {
    fn heap_bytes(&self) -> u64 {
        size_of_val::<[E]>(self) as u64 + (**self).heap_bytes()
    }
}

impl<A: HeapBytes, B: HeapBytes> HeapBytes for (A, B) {
    fn heap_bytes(&self) -> u64 {
        self.0.heap_bytes() + self.1.heap_bytes()
    }
}
