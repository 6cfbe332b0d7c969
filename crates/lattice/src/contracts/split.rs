//! Numbers between two others, for a search that halves what is left of a chain.
//!
//! Idea: the middle, but further from zero if that is possible: values far from zero mean an early
//! end of a game, which is cheap to prove or to refute, and what is found on the way helps with
//! those near zero. Where an end is infinite, by doubling.
//!
//! Cost: a value in a range of n is found by about `2 log2(n)` questions.
//!
//! Source: the questions that Pons asks in his solver of Connect Four; doubling is that of the
//! multi-valued proof searches in Hsu's slides.

use std::fmt::Debug;

/// A number type whose ranges can be split. One that cannot takes what stands here:
/// `impl Split for MyNumber {}`.
pub trait Split: Ord + Clone + Debug + Send + Sync + 'static {
    /// A number from `lower` to `upper` at which the range is split, where `None` is an infinite
    /// end and `lower` is less than `upper`. `None` if there is none.
    fn split(_lower: Option<&Self>, _upper: Option<&Self>) -> Option<Self> {
        None
    }
}

macro_rules! integers {
    ($($type:ty),*) => {
        $(
            impl Split for $type {
                #[allow(unused_comparisons, clippy::allow_attributes)] // of numbers without a sign
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
        }
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
