//! Numbers of a chain: integers until a decimal shows up.
//!
//! A chain holds integers until some value in the file is a decimal. [`Numbers`] accompanies a
//! lattice while a file is read and records which of its chains have decimals; [`settle`] then
//! converts these.

use std::cell::Cell;

use meetjoin_lattice::{AnyElem, AnyLattice, Chain, Decimal, Dual, Extended, Product};

use crate::error::ValueError;

/// All integers up to this size are exact as 64-bit floats.
const LARGEST_EXACT: u64 = 1 << 53;

/// A number in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(Extended),
    /// A literal with a point or an exponent.
    Decimal(Decimal),
}

/// Reads a number or `"-inf"` or `"+inf"`. `None` for anything else, also for an integer beyond 64
/// bits and a decimal beyond floats.
pub(crate) fn number(json: &str) -> Option<Number> {
    if json.starts_with('"') {
        let text: std::borrow::Cow<'_, str> = serde_json::from_str(json).ok()?;
        return match &*text {
            "-inf" => Some(Number::Integer(Extended::NegInf)),
            "+inf" => Some(Number::Integer(Extended::PosInf)),
            _ => None,
        };
    }
    if !json.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return None;
    }
    if json.contains(['.', 'e', 'E']) {
        let value: f64 = json.parse().ok().filter(|value: &f64| value.is_finite())?;
        return Decimal::new(value).map(Number::Decimal);
    }
    json.parse()
        .ok()
        .map(|value| Number::Integer(Extended::Finite(value)))
}

/// An integer as a decimal; `None` beyond 2^53.
pub(crate) fn to_decimal(value: Extended) -> Option<Decimal> {
    match value {
        Extended::NegInf => Some(Decimal::NEG_INF),
        Extended::PosInf => Some(Decimal::POS_INF),
        Extended::Finite(value) if value.unsigned_abs() <= LARGEST_EXACT => {
            Decimal::new(value as f64)
        }
        Extended::Finite(_) => None,
    }
}

/// The error for integers that [`to_decimal`] refuses.
pub(crate) fn too_large(value: Extended) -> ValueError {
    ValueError::new(
        &value.to_string(),
        "an integer up to 2^53 in size, as it must be among decimals",
    )
}

/// The chains of a lattice that may still turn out to hold decimals. It has the structure of the
/// lattice.
#[derive(Clone, Debug)]
pub(crate) enum Numbers {
    /// No chain in this part can change.
    Fixed,
    /// A chain of integers, and whether a decimal has been seen among its values.
    Open(Cell<bool>),
    /// The factors of a product.
    Parts(Vec<Numbers>),
}

impl Numbers {
    /// Returns whether any chain has a decimal.
    pub(crate) fn any_decimal(&self) -> bool {
        match self {
            Self::Fixed => false,
            Self::Open(decimal) => decimal.get(),
            Self::Parts(parts) => parts.iter().any(Self::any_decimal),
        }
    }

    pub(crate) fn part(&self, place: usize) -> &Self {
        match self {
            Self::Parts(parts) => parts.get(place).unwrap_or(&Self::Fixed),
            Self::Fixed | Self::Open(_) => &Self::Fixed,
        }
    }
}

/// The lattice in which chains with decimals are chains of decimals.
pub(crate) fn settle(lattice: AnyLattice, numbers: &Numbers) -> Result<AnyLattice, ValueError> {
    Ok(match lattice {
        AnyLattice::Integers(chain) if numbers.any_decimal() => {
            let end = |value: Extended| to_decimal(value).ok_or_else(|| too_large(value));
            let (lo, hi) = (end(*chain.lo())?, end(*chain.hi())?);
            // Conversion keeps the order, so the ends stay in order.
            AnyLattice::Decimals(Chain::new(lo, hi).unwrap_or_else(Chain::decimals))
        }
        AnyLattice::Product(product) if numbers.any_decimal() => {
            let factors = product.factors().iter().enumerate();
            let settled =
                factors.map(|(place, factor)| settle(factor.clone(), numbers.part(place)));
            AnyLattice::Product(Product::new(settled.collect::<Result<Vec<_>, _>>()?))
        }
        AnyLattice::Dual(dual) => AnyLattice::Dual(Box::new(Dual(settle(dual.0, numbers)?))),
        other => other,
    })
}

/// A value that was read before the lattice was settled.
pub(crate) fn settle_value(lattice: &AnyLattice, value: AnyElem) -> Result<AnyElem, ValueError> {
    Ok(match (lattice, value) {
        (AnyLattice::Decimals(_), AnyElem::Integer(value)) => {
            AnyElem::Decimal(to_decimal(value).ok_or_else(|| too_large(value))?)
        }
        (AnyLattice::Product(product), AnyElem::Tuple(values)) => {
            let pairs = product.factors().iter().zip(values);
            let settled = pairs.map(|(factor, value)| settle_value(factor, value));
            AnyElem::Tuple(settled.collect::<Result<_, _>>()?)
        }
        (AnyLattice::Dual(dual), value) => settle_value(&dual.0, value)?,
        (_, value) => value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_judged_by_their_text() {
        let integer = |value| Some(Number::Integer(Extended::Finite(value)));
        let decimal = |value| Decimal::new(value).map(Number::Decimal);
        for (json, expected) in [
            ("0", integer(0)),
            ("-0", integer(0)),
            ("9223372036854775807", integer(i64::MAX)),
            ("-9223372036854775808", integer(i64::MIN)),
            ("9223372036854775808", None),
            ("18446744073709551616", None),
            ("1.0", decimal(1.0)),
            ("-0.0", decimal(0.0)),
            ("1e3", decimal(1000.0)),
            ("1E-400", decimal(0.0)),
            ("1e400", None),
            ("0.1", decimal(0.1)),
            // A parser that rounds twice gets this one wrong.
            ("0.3e0", decimal(0.3)),
            ("\"-inf\"", Some(Number::Integer(Extended::NegInf))),
            ("\"+inf\"", Some(Number::Integer(Extended::PosInf))),
            ("\"inf\"", None),
            ("\"1\"", None),
            ("true", None),
            ("[1]", None),
        ] {
            assert_eq!(number(json), expected, "{json}");
        }
    }

    #[test]
    fn exact_integers_become_decimals() {
        let limit = 1_i64 << 53;
        for (value, fits) in [
            (limit, true),
            (-limit, true),
            (limit + 1, false),
            (i64::MIN, false),
        ] {
            assert_eq!(
                to_decimal(Extended::Finite(value)).is_some(),
                fits,
                "{value}"
            );
        }
    }
}
