//! Chains: total orders with bounds. Meet is the minimum, join the maximum.
//!
//! [`Bool`] is a game that is won or lost; [`Chain`] serves any `Ord` type. [`Extended`] adds two
//! infinities to the integers, so that an unbounded score is not the same as `i64::MAX`;
//! [`Decimal`] is a 64-bit float without NaN, whose infinities are its own.
//!
//! Cost: one comparison per operation.

use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};

use crate::{Budget, DistributiveLattice, Halves, Lattice, Split, Stop, TotalOrder};

/// The two-element lattice: `false` below `true`. AND is AND, OR is OR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bool;

impl Lattice for Bool {
    type Elem = bool;

    #[inline]
    fn bottom(&self) -> bool {
        false
    }

    #[inline]
    fn top(&self) -> bool {
        true
    }

    #[inline]
    fn leq(&self, a: &bool, b: &bool, _: &Budget) -> Result<bool, Stop> {
        Ok(a <= b)
    }

    #[inline]
    fn join_assign(&self, a: &mut bool, b: &bool, _: &Budget) -> Result<(), Stop> {
        *a |= *b;
        Ok(())
    }

    #[inline]
    fn meet_assign(&self, a: &mut bool, b: &bool, _: &Budget) -> Result<(), Stop> {
        *a &= *b;
        Ok(())
    }
}

impl DistributiveLattice for Bool {}

impl TotalOrder for Bool {
    fn compare(&self, a: &bool, b: &bool) -> Ordering {
        a.cmp(b)
    }
}

/// The closed interval `lo..=hi` of a total order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain<T> {
    lo: T,
    hi: T,
}

impl<T: Ord> Chain<T> {
    /// The chain from `lo` to `hi`; `None` if `lo` is above `hi`.
    pub fn new(lo: T, hi: T) -> Option<Self> {
        (lo <= hi).then_some(Self { lo, hi })
    }

    /// The least element.
    pub fn lo(&self) -> &T {
        &self.lo
    }

    /// The greatest element.
    pub fn hi(&self) -> &T {
        &self.hi
    }

    /// Returns whether the value is an element.
    pub fn contains(&self, value: &T) -> bool {
        &self.lo <= value && value <= &self.hi
    }
}

impl<T: Ord + Clone + Debug + Send + Sync + 'static> Lattice for Chain<T> {
    type Elem = T;

    #[inline]
    fn bottom(&self) -> T {
        self.lo.clone()
    }

    #[inline]
    fn top(&self) -> T {
        self.hi.clone()
    }

    #[inline]
    fn leq(&self, a: &T, b: &T, _: &Budget) -> Result<bool, Stop> {
        Ok(a <= b)
    }

    #[inline]
    fn join_assign(&self, a: &mut T, b: &T, _: &Budget) -> Result<(), Stop> {
        if *a < *b {
            a.clone_from(b);
        }
        Ok(())
    }

    #[inline]
    fn meet_assign(&self, a: &mut T, b: &T, _: &Budget) -> Result<(), Stop> {
        if *b < *a {
            a.clone_from(b);
        }
        Ok(())
    }
}

impl<T: Ord + Clone + Debug + Send + Sync + 'static> DistributiveLattice for Chain<T> {}

impl<T: Split> TotalOrder for Chain<T> {
    #[inline]
    fn compare(&self, a: &T, b: &T) -> Ordering {
        a.cmp(b)
    }

    fn split(&self, lower: &T, upper: &T) -> Option<T> {
        T::split(Some(lower), Some(upper))
    }

    fn halves(&self, lower: &T, upper: &T) -> Option<Halves<T>> {
        T::halves(lower, upper)
    }
}

/// A number or one of two infinities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extended<T = i64> {
    /// Below every number.
    NegInf,
    /// A number.
    Finite(T),
    /// Above every number.
    PosInf,
}

impl<T: Ord> Chain<Extended<T>> {
    /// All numbers and both infinities.
    pub fn unbounded() -> Self {
        Self {
            lo: Extended::NegInf,
            hi: Extended::PosInf,
        }
    }
}

/// Converts to an integer; the infinities come just below and just above all 64-bit numbers.
impl From<Extended> for i128 {
    fn from(number: Extended) -> Self {
        match number {
            Extended::NegInf => Self::from(i64::MIN) - 1,
            Extended::Finite(number) => Self::from(number),
            Extended::PosInf => Self::from(i64::MAX) + 1,
        }
    }
}

impl TryFrom<i128> for Extended {
    type Error = i128;

    fn try_from(number: i128) -> Result<Self, i128> {
        let ends = [Self::NegInf, Self::PosInf];
        let end = ends
            .into_iter()
            .find(|end| Into::<i128>::into(*end) == number);
        let finite = || i64::try_from(number).ok().map(Self::Finite);
        end.or_else(finite).ok_or(number)
    }
}

impl<T: fmt::Display> fmt::Display for Extended<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NegInf => f.write_str("-inf"),
            Self::Finite(value) => value.fmt(f),
            Self::PosInf => f.write_str("+inf"),
        }
    }
}

/// A 64-bit float that is not NaN, with one zero; infinities allowed. Ordered as numbers are.
#[derive(Clone, Copy, Debug)]
pub struct Decimal(f64);

impl Decimal {
    /// Minus infinity.
    pub const NEG_INF: Self = Self(f64::NEG_INFINITY);
    /// Plus infinity.
    pub const POS_INF: Self = Self(f64::INFINITY);

    /// The number; `None` for NaN. Minus zero becomes zero.
    pub fn new(value: f64) -> Option<Self> {
        (!value.is_nan()).then_some(Self(value + 0.0))
    }

    /// The number as a float.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Decimal {}

impl Hash for Decimal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // There is one zero and no NaN, so equal numbers have equal bits.
        self.0.to_bits().hash(state);
    }
}

impl<T: Split> Split for Extended<T> {
    fn split(lower: Option<&Self>, upper: Option<&Self>) -> Option<Self> {
        let finite = |end: &Self| match end {
            Self::Finite(number) => Some(number.clone()),
            _ => None,
        };
        let (lower, upper) = (lower.and_then(finite), upper.and_then(finite));
        T::split(lower.as_ref(), upper.as_ref()).map(Self::Finite)
    }

    fn halves(lower: &Self, upper: &Self) -> Option<Halves<Self>> {
        match (lower, upper) {
            (Self::Finite(lower), Self::Finite(upper)) => {
                Some(T::halves(lower, upper)?.map(Self::Finite))
            }
            _ => None,
        }
    }
}

impl Split for Decimal {
    fn split(lower: Option<&Self>, upper: Option<&Self>) -> Option<Self> {
        let finite = |end: &Self| Some(end.get()).filter(|number| number.is_finite());
        Self::new(match (lower.and_then(finite), upper.and_then(finite)) {
            (Some(lower), Some(upper)) => lower.midpoint(upper),
            (Some(lower), None) => 2.0 * lower.max(1.0),
            (None, Some(upper)) => 2.0 * upper.min(-1.0),
            (None, None) => 0.0,
        })
    }
}

impl Chain<Decimal> {
    /// All floats and both infinities.
    pub fn decimals() -> Self {
        Self {
            lo: Decimal::NEG_INF,
            hi: Decimal::POS_INF,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_needs_its_bounds_in_order() {
        assert!(Chain::new(1, 0).is_none());
        assert!(Chain::new(0, 0).is_some());
    }

    #[test]
    fn there_is_one_zero_and_no_nan() {
        assert_eq!(Decimal::new(-0.0), Decimal::new(0.0));
        assert_eq!(Decimal::new(f64::NAN), None);
        assert!(Decimal::NEG_INF < Decimal::new(-1e308).expect("a number"));
    }

    #[test]
    fn infinite_ends_are_come_to_by_doubling() {
        let at = Extended::Finite;
        let split = |lower, upper| Extended::<i64>::split(Some(&lower), Some(&upper));
        assert_eq!(split(Extended::NegInf, Extended::PosInf), Some(at(0)));
        assert_eq!(split(at(5), Extended::PosInf), Some(at(10)));
        assert_eq!(split(at(i64::MAX), Extended::PosInf), Some(at(i64::MAX)));
        assert_eq!(split(Extended::NegInf, at(-6)), Some(at(-12)));
        assert_eq!(split(at(2), at(8)), Some(at(5)));
        let number = |value| Decimal::new(value).expect("a number");
        let split = Decimal::split(Some(&number(3.0)), Some(&Decimal::POS_INF));
        assert_eq!(split, Some(number(6.0)));
    }
}
