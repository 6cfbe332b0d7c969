//! Deterministic pseudorandom numbers, the same in each run and on every platform.
//!
//! For searches that make arbitrary choices.
//!
//! Source: Marsaglia (2003), with shifts of 13, 7 and 17.

/// A pseudorandom number generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with a seed, which is not 0.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number; all bits are used.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `limit`, which is not 0, from the upper bits of the next number.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() >> 33) as usize % limit
    }
}
