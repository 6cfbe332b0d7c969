//! Numbers that look random, the same in each run and on every platform.
//!
//! For a search that goes different ways, where any will do.
//!
//! Source: Marsaglia (2003), with shifts of 13, 7 and 17.

/// A generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Begins with a seed, which is not 0.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, in all bits.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below this, which is not 0: of the upper bits of the next one.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() >> 33) as usize % limit
    }
}
