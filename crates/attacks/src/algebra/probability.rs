//! The probability that an attacker who tries every action succeeds.
//!
//! This is at least the success probability of the best attack, and mostly more: an attacker who
//! tries everything has other ways when one fails.

use meetjoin_lattice::{Budget, Stop};

use super::Algebra;

/// Numbers by leaf: each action succeeds independently of all others.
#[derive(Clone, Copy, Debug)]
pub struct Probability<'a> {
    /// By node of the tree.
    pub leaves: &'a [f64],
}

impl Algebra for Probability<'_> {
    type Value = f64;

    fn never(&self) -> f64 {
        0.0
    }

    fn always(&self) -> f64 {
        1.0
    }

    fn leaf(&self, node: u32) -> f64 {
        self.leaves[node as usize]
    }

    fn choose(&self, variable: &f64, high: &f64, low: &f64, _: &Budget) -> Result<f64, Stop> {
        // A variable near 1 may have lost what its opposite is made of. That is small beside the
        // rest: helping the attacker never makes an attack fail, so `low` is at most `high`.
        Ok(variable * high + (1.0 - variable) * low)
    }
}
