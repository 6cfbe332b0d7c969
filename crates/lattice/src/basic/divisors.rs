//! The divisors of a number, ordered by divisibility. Meet is the greatest common divisor, join the
//! least common multiple.
//!
//! Isomorphic to a product of chains, one for each prime, so it is distributive. Cost: Euclid's
//! algorithm, a logarithmic number of divisions.

use crate::basic::factors::gcd;
use crate::{Budget, DistributiveLattice, Lattice, Stop};

/// The positive divisors of a positive 64-bit number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divisors {
    n: u64,
}

impl Divisors {
    /// The divisors of `n`; `None` for 0.
    pub fn of(n: u64) -> Option<Self> {
        (n > 0).then_some(Self { n })
    }

    /// The number itself, which is the top.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Returns whether `d` is an element.
    pub fn contains(&self, d: u64) -> bool {
        d > 0 && self.n.is_multiple_of(d)
    }
}

impl Lattice for Divisors {
    type Elem = u64;

    fn bottom(&self) -> u64 {
        1
    }

    fn top(&self) -> u64 {
        self.n
    }

    fn leq(&self, a: &u64, b: &u64, _: &Budget) -> Result<bool, Stop> {
        Ok(b.is_multiple_of(*a))
    }

    fn join_assign(&self, a: &mut u64, b: &u64, _: &Budget) -> Result<(), Stop> {
        // The least common multiple divides n, so it cannot overflow.
        *a = *a / gcd(*a, *b) * b;
        Ok(())
    }

    fn meet_assign(&self, a: &mut u64, b: &u64, _: &Budget) -> Result<(), Stop> {
        *a = gcd(*a, *b);
        Ok(())
    }
}

impl DistributiveLattice for Divisors {}
