//! Numbers of as many bits as a difference needs.
//!
//! Problem: how much an event matters is the difference of two probabilities. If these are nearly
//! equal, their difference as `f64` is what rounding has left.
//!
//! Idea: what is generic over [`Real`] is computed with `f64` first, once more with [`Extended`]
//! numbers if too many bits were lost, and with [`Wide`] ones if these are still too few.

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

/// A number of 128 bits, `digits` times two to the power of `exponent`; the first bit is set, or
/// all are 0. Importance of a diagram of three million nodes takes 9 % more time where these are
/// needed, and with 256 bits of [`Wide`] instead it took three times as long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extended {
    digits: u128,
    exponent: i64,
    is_negative: bool,
}

impl Extended {
    fn normal(digits: u128, exponent: i64, is_negative: bool) -> Self {
        let shift = digits.leading_zeros() % u128::BITS;
        Self {
            digits: digits << shift,
            exponent: exponent - i64::from(shift),
            is_negative,
        }
    }
}

impl Real for Extended {
    /// A product or a sum may lose two.
    const BITS: i32 = 126;
    const STEPS: u64 = 4;

    fn of(number: f64) -> Self {
        let (digits, exponent) = parts(number);
        Self::normal(digits.into(), exponent, false)
    }

    fn plus(&self, other: &Self) -> Self {
        let (high, low) = match (self.digits, other.digits) {
            (0, _) => return *other,
            (_, 0) => return *self,
            (one, two) if (self.exponent, one) >= (other.exponent, two) => (self, other),
            _ => (other, self),
        };
        let apart = u32::try_from(high.exponent - low.exponent).unwrap_or(u32::MAX);
        let part = low.digits.checked_shr(apart).unwrap_or(0);
        if high.is_negative != low.is_negative {
            return Self::normal(high.digits - part, high.exponent, high.is_negative);
        }
        let (digits, is_over) = high.digits.overflowing_add(part);
        if is_over {
            let digits = (digits >> 1) | 1 << (u128::BITS - 1);
            return Self::normal(digits, high.exponent + 1, high.is_negative);
        }
        Self { digits, ..*high }
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(&Self {
            is_negative: !other.is_negative,
            ..*other
        })
    }

    fn times(&self, other: &Self) -> Self {
        // The upper half of the product of halves.
        let halves = |digits: u128| (digits >> 64, digits & u128::from(u64::MAX));
        let ((high, low), (other_high, other_low)) = (halves(self.digits), halves(other.digits));
        let (one, two) = (halves(high * other_low), halves(low * other_high));
        let carry = (one.1 + two.1 + ((low * other_low) >> 64)) >> 64;
        Self::normal(
            high * other_high + one.0 + two.0 + carry,
            self.exponent + other.exponent + i64::from(u128::BITS),
            self.is_negative != other.is_negative,
        )
    }

    fn value(&self) -> f64 {
        value(self.digits, self.exponent, self.is_negative)
    }
}

/// A number that is not negative as digits times a power of two.
fn parts(number: f64) -> (u64, i64) {
    let (bits, hidden) = (number.to_bits(), 1 << 52);
    let (exponent, digits) = ((bits >> 52).cast_signed(), bits % hidden);
    // The least numbers have no hidden bit.
    let (digits, exponent) = match exponent {
        0 => (digits, 1),
        exponent => (digits + hidden, exponent),
    };
    (digits, exponent - 1075)
}

/// The number that is nearest to digits times a power of two.
fn value(digits: u128, exponent: i64, is_negative: bool) -> f64 {
    // In two steps, for the whole power may be too small where the number is not.
    let exponent = exponent.clamp(-4000, 4000) as i32;
    let half = exponent / 2;
    let value = digits as f64 * 2_f64.powi(half) * 2_f64.powi(exponent - half);
    if is_negative { -value } else { value }
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
        let (digits, exponent) = parts(number);
        Self {
            digits: digits.into(),
            exponent,
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
        let first = u64::try_from(self.digits.magnitude() >> excess).unwrap_or_default();
        let is_negative = self.digits.sign() == Sign::Minus;
        value(first.into(), self.exponent + excess, is_negative)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // numbers are exact here
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Compares numbers of a kind with `f64`, of which the numbers are nearly as exact.
    fn check<R: Real>(a: f64, b: f64, small: u64) -> Result<(), TestCaseError> {
        let (a, b) = (a.abs() % 1.0, b.abs() % 1.0);
        for number in [a, f64::from_bits(small), f64::MIN_POSITIVE, 0.0, 1.0] {
            prop_assert_eq!(R::of(number).value(), number);
        }
        let (wide, other) = (R::of(a), R::of(b));
        prop_assert!((wide.times(&other).value() - a * b).abs() <= 1e-15 * a * b + 1e-320);
        prop_assert!((wide.plus(&other).value() - (a + b)).abs() <= 1e-15 * (a + b));
        prop_assert_eq!(wide.minus(&other).value(), a - b);
        // (1 + x) (1 - x) - 1 is -x x, which `f64` cannot tell from 0.
        let (one, x) = (R::of(1.0), R::of((a + 1.0) * 1e-9));
        let product = one.plus(&x).times(&one.minus(&x));
        let square = x.times(&x).value();
        prop_assert!((product.minus(&one).value() + square).abs() <= 1e-15 * square);
        Ok(())
    }

    proptest! {
        #[test]
        fn numbers_are_those_that_are_written(a: f64, b: f64, small in 0_u64..1 << 53) {
            check::<Extended>(a, b, small)?;
            check::<Wide<2048>>(a, b, small)?;
        }

        #[test]
        fn two_kinds_agree(numbers: [f64; 6]) {
            fn sum<R: Real>(numbers: &[f64]) -> [f64; 2] {
                let mut sum = (R::of(0.0), R::of(0.0));
                for two in numbers.windows(2) {
                    let product = R::of(two[0]).times(&R::of(two[1]));
                    sum.0 = sum.0.plus(&product).minus(&R::of(two[1]));
                    sum.1 = sum.1.plus(&product).plus(&R::of(two[1]));
                }
                [sum.0.value(), sum.1.value()]
            }
            let numbers = numbers.map(|number| number.abs() % 1.0);
            let [one, of] = sum::<Extended>(&numbers);
            let [exact, same] = sum::<Wide<2048>>(&numbers);
            prop_assert!((of - same).abs() <= 1e-15 * of);
            prop_assert!((one - exact).abs() <= 1e-15 * one.abs() + 1e-37 * of);
        }
    }
}
