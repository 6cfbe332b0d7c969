//! Keys as machine words, and which worker owns them.

use std::fmt::Debug;
use std::ops::Range;

/// Parts of a level. A key is in one part whatever the number of workers, so a run can go on with
/// any number.
pub(crate) const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 10;

/// A key as a machine word: of 64 bits if the problem's keys fit, else of 128.
pub(crate) trait Key: Copy + Ord + Debug + Send + 'static {
    /// Bytes of a word.
    const BYTES: usize;

    fn from_wide(wide: u128) -> Self;

    fn wide(self) -> u128;

    /// The part of every level that the key is in.
    fn part(self) -> usize;
}

impl Key for u64 {
    const BYTES: usize = 8;

    fn from_wide(wide: u128) -> Self {
        wide as Self
    }

    fn wide(self) -> u128 {
        self.into()
    }

    /// The high bits of a product by an odd number without pattern depend on all bits of the key.
    #[inline]
    fn part(self) -> usize {
        let mixed = (self ^ self >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - PART_BITS)) as usize
    }
}

impl Key for u128 {
    const BYTES: usize = 16;

    fn from_wide(wide: u128) -> Self {
        wide
    }

    fn wide(self) -> u128 {
        self
    }

    #[inline]
    fn part(self) -> usize {
        let high = ((self >> 64) as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (high.rotate_left(32) ^ self as u64).part()
    }
}

/// The parts that a worker owns.
pub(crate) fn parts_of(worker: usize, workers: usize) -> Range<usize> {
    let begin = |worker: usize| (worker * PARTS).div_ceil(workers);
    begin(worker)..begin(worker + 1)
}

/// Who owns a part.
#[inline]
pub(crate) fn owner(part: usize, workers: usize) -> usize {
    part * workers / PARTS
}

/// Keys as bytes.
pub(crate) fn to_bytes<K: Key>(keys: &[K]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(keys.len() * K::BYTES);
    for key in keys {
        bytes.extend_from_slice(&key.wide().to_le_bytes()[..K::BYTES]);
    }
    bytes
}

/// Keys from bytes; an incomplete word at the end is dropped.
pub(crate) fn from_bytes<K: Key>(bytes: &[u8]) -> impl Iterator<Item = K> {
    bytes.chunks_exact(K::BYTES).map(|word| {
        let mut wide = [0; 16];
        wide[..K::BYTES].copy_from_slice(word);
        K::from_wide(u128::from_le_bytes(wide))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_one_owner() {
        for workers in 1..=PARTS {
            let mut next = 0;
            for worker in 0..workers {
                let parts = parts_of(worker, workers);
                assert_eq!(parts.start, next);
                assert!(parts.clone().all(|part| owner(part, workers) == worker));
                next = parts.end;
            }
            assert_eq!(next, PARTS);
        }
    }

    #[test]
    fn keys_are_what_their_bytes_say() {
        let keys = [0, 1, u64::MAX, 1 << 49];
        assert!(from_bytes::<u64>(&to_bytes(&keys)).eq(keys));
        let keys = [0, u128::MAX, 1 << 77];
        assert!(from_bytes::<u128>(&to_bytes(&keys)).eq(keys));
    }
}
