//! Splits a range of numbers, for a search that bisects a chain.
//!
//! Idea: the middle, but further from zero if that is possible: values far from zero mean an early
//! end of a game, which is cheap to prove or to refute, and what is found on the way helps with
//! values near zero. Ranges with an infinite end are split by doubling.
//!
//! Cost: a value in a range of n is found with about `2 log2(n)` questions.
//!
//! Source: the thresholds of Pons's solver of Connect Four; doubling is that of the multi-valued
//! proof searches in Hsu's slides.

use std::fmt::Debug;

/// A number type whose ranges can be split. A type without a good split takes the defaults:
/// `impl Split for MyNumber {}`.
pub trait Split: Ord + Clone + Debug + Send + Sync + 'static {
    /// A number from `lower` to `upper` at which the range is split, where `None` is an infinite
    /// end and `lower` is less than `upper`. `None` if there is none.
    fn split(_lower: Option<&Self>, _upper: Option<&Self>) -> Option<Self> {
        None
    }

    /// The split as two neighbours, of which at least one lies between the two numbers. `None` if
    /// the steps between the numbers cannot be counted, or there are none.
    fn halves(_lower: &Self, _upper: &Self) -> Option<Halves<Self>> {
        None
    }
}

/// Two neighbours in a chain, with nothing between them: any element is at most `below` or at least
/// `above`, so the window between them asks a yes-or-no question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halves<E> {
    /// The greatest element of the lower half.
    pub below: E,
    /// The least element of the upper half.
    pub above: E,
    /// The number of steps from neighbour to neighbour in both halves together.
    pub steps: u64,
}

impl<E> Halves<E> {
    /// These neighbours in another chain of the same order.
    pub fn map<F>(self, image: impl Fn(E) -> F) -> Halves<F> {
        Halves {
            below: image(self.below),
            above: image(self.above),
            steps: self.steps,
        }
    }

    /// These neighbours in the dual.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self {
            below: self.above,
            above: self.below,
            steps: self.steps,
        }
    }
}

macro_rules! integers {
    ($($type:ty),*) => {
        $(
            impl Split for $type {
                #[allow(unused_comparisons, clippy::allow_attributes)] // for unsigned numbers
                fn split(lower: Option<&Self>, upper: Option<&Self>) -> Option<Self> {
                    Some(match (lower.copied(), upper.copied()) {
                        (Some(lower), Some(upper)) => {
                            let middle = lower.midpoint(upper);
                            if middle <= 0 {
                                middle.min(lower / 2)
                            } else {
                                middle.max(upper / 2)
                            }
                        }
                        (Some(lower), None) => lower.max(1).saturating_mul(2),
                        (None, Some(upper)) => upper.min((0 as $type).saturating_sub(1)).saturating_mul(2),
                        (None, None) => 0,
                    })
                }

                // It cannot fail for some of the types.
                #[allow(clippy::unnecessary_fallible_conversions, clippy::allow_attributes)]
                fn halves(lower: &Self, upper: &Self) -> Option<Halves<Self>> {
                    let steps = u64::try_from(upper.abs_diff(*lower)).ok()?;
                    let last = upper.checked_sub(1)?;
                    let below = Self::split(Some(lower), Some(upper))?.min(last);
                    Some(Halves { below, above: below + 1, steps })
                }
            }
        )*
    };
}

integers!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

impl Split for bool {}
impl Split for String {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_split_within_its_ends() {
        for lower in -20..20_i8 {
            for upper in lower + 1..=20 {
                let split = i8::split(Some(&lower), Some(&upper)).expect("an integer");
                assert!((lower..=upper).contains(&split), "{lower} {split} {upper}");
                let halves = i8::halves(&lower, &upper).expect("an integer");
                assert!(lower <= halves.below && halves.above <= upper);
                assert_eq!(halves.above - halves.below, 1);
                assert_eq!(halves.steps, u64::from(upper.abs_diff(lower)));
                assert!(halves.below == split || halves.above == split);
            }
        }
        let ends = [
            (i64::MIN, i64::MAX),
            (i64::MIN, i64::MIN + 1),
            (i64::MAX - 1, i64::MAX),
        ];
        for (lower, upper) in ends {
            let split = i64::split(Some(&lower), Some(&upper)).expect("an integer");
            assert!((lower..=upper).contains(&split));
            let halves = i64::halves(&lower, &upper).expect("an integer");
            assert_eq!(halves.steps, upper.abs_diff(lower));
            assert!(lower <= halves.below && halves.below < halves.above && halves.above <= upper);
        }
        assert_eq!(u128::halves(&0, &u128::MAX), None);
        assert_eq!(u8::split(Some(&0), Some(&9)), Some(4));
    }

    #[test]
    fn values_far_from_zero_come_first() {
        let split = |lower, upper| i32::split(Some(&lower), Some(&upper));
        assert_eq!(split(-18, 18), Some(-9));
        assert_eq!(split(-8, 18), Some(9));
        assert_eq!(split(-8, 9), Some(-4));
        assert_eq!(split(-3, 9), Some(4));
    }
}
