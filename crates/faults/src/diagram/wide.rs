//! Numbers of as many bits as a difference needs.
//!
//! Problem: how much an event matters is the difference of two probabilities. If these are nearly
//! equal, their difference as `f64` is what rounding has left.
//!
//! Idea: what is generic over [`Real`] is computed with `f64` first, and once more with [`Wide`]
//! numbers if too many bits were lost.

use num_bigint::{BigInt, Sign};

/// A number of a computation that may be repeated with more bits.
pub(crate) trait Real: Clone {
    /// How many bits it has.
    const BITS: i32;
    /// Elementary steps of one operation.
    const STEPS: u64;

    /// A probability as it is written, exactly.
    fn of(number: f64) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn value(&self) -> f64;
}

impl Real for f64 {
    const BITS: i32 = 53;
    const STEPS: u64 = 1;

    fn of(number: f64) -> Self {
        number
    }

    fn plus(&self, other: &Self) -> Self {
        self + other
    }

    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn value(&self) -> f64 {
        *self
    }
}

/// A number of at most so many bits, `digits` times two to the power of `exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Wide<const BITS: i32> {
    digits: BigInt,
    exponent: i64,
}

impl<const BITS: i32> Wide<BITS> {
    fn rounded(digits: BigInt, exponent: i64) -> Self {
        let excess = digits.bits().cast_signed() - i64::from(BITS);
        if excess <= 0 {
            return Self { digits, exponent };
        }
        Self {
            digits: digits >> excess,
            exponent: exponent + excess,
        }
    }

    fn is_zero(&self) -> bool {
        self.digits.sign() == Sign::NoSign
    }
}

impl<const BITS: i32> Real for Wide<BITS> {
    const BITS: i32 = BITS;
    const STEPS: u64 = BITS.unsigned_abs() as u64 / 8;

    fn of(number: f64) -> Self {
        let (bits, hidden) = (number.to_bits(), 1 << 52);
        let (exponent, digits) = ((bits >> 52).cast_signed(), bits % hidden);
        // The least numbers have no hidden bit.
        let (digits, exponent) = match exponent {
            0 => (digits, 1),
            exponent => (digits + hidden, exponent),
        };
        Self {
            digits: digits.into(),
            exponent: exponent - 1075,
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let (high, low) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let apart = high.exponent - low.exponent;
        if high.is_zero() {
            low.clone()
        } else if low.is_zero() || apart > 2 * i64::from(BITS) {
            high.clone()
        } else {
            Self::rounded((&high.digits << apart) + &low.digits, low.exponent)
        }
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(&Self {
            digits: -&other.digits,
            exponent: other.exponent,
        })
    }

    fn times(&self, other: &Self) -> Self {
        Self::rounded(&self.digits * &other.digits, self.exponent + other.exponent)
    }

    fn value(&self) -> f64 {
        let excess = (self.digits.bits().cast_signed() - 64).max(0);
        let first = u64::try_from(self.digits.magnitude() >> excess).unwrap_or_default() as f64;
        // In two steps, for the whole power may be too small where the number is not.
        let exponent = (self.exponent + excess).clamp(-4000, 4000) as i32;
        let half = exponent / 2;
        let value = first * 2_f64.powi(half) * 2_f64.powi(exponent - half);
        if self.digits.sign() == Sign::Minus {
            -value
        } else {
            value
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // numbers are exact here
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Number = Wide<256>;

    proptest! {
        #[test]
        fn numbers_are_those_that_are_written(a: f64, b: f64, small in 0_u64..1 << 53) {
            let (a, b) = (a.abs() % 1.0, b.abs() % 1.0);
            for number in [a, f64::from_bits(small), f64::MIN_POSITIVE, 0.0, 1.0] {
                prop_assert_eq!(Number::of(number).value(), number);
            }
            let (wide, other) = (Number::of(a), Number::of(b));
            prop_assert!((wide.times(&other).value() - a * b).abs() <= 1e-15 * a * b + 1e-320);
            prop_assert!((wide.plus(&other).value() - (a + b)).abs() <= 1e-15 * (a + b));
            prop_assert_eq!(wide.minus(&other).value(), a - b);
            // (1 + x) (1 - x) - 1 is -x x, which `f64` cannot tell from 0.
            let (one, x) = (Number::of(1.0), Number::of((a + 1.0) * 1e-20));
            let product = one.plus(&x).times(&one.minus(&x));
            let square = x.times(&x).value();
            prop_assert!((product.minus(&one).value() + square).abs() <= 1e-15 * square);
        }
    }
}
