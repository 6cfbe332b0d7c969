//! How many minimal attacks there are.

use meetjoin_lattice::{Budget, Stop};
use num_bigint::BigUint;

use super::Algebra;

/// Integers with addition and multiplication.
#[derive(Clone, Copy, Debug)]
pub struct Count;

impl Algebra for Count {
    type Value = BigUint;

    const OVER_SETS: bool = true;

    fn never(&self) -> BigUint {
        BigUint::ZERO
    }

    fn always(&self) -> BigUint {
        BigUint::from(1_u32)
    }

    fn leaf(&self, _: u32) -> BigUint {
        self.always()
    }

    fn choose(
        &self,
        variable: &BigUint,
        high: &BigUint,
        low: &BigUint,
        _: &Budget,
    ) -> Result<BigUint, Stop> {
        Ok(variable * high + low)
    }
}
