//! Reads a lattice from its JSON object.
//!
//! Limits: one line of text can ask for a lattice that no memory holds, or nest lattices until
//! their operations overflow the stack. So depth is limited, and every part is charged to one
//! allowance before it is built.

use std::cell::Cell;
use std::fmt::{self, Display};

use meetjoin_lattice::{
    AnyLattice, Bool, Chain, Divisors, Dual, Extended, FiniteError, FiniteLattice, FreeLattice,
    Lattice, Monotone, Product,
};
use meetjoin_report::meant;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::ValueError;
use crate::text::shown;
use crate::values::numbers::{Number, Numbers, number, to_decimal, too_large};

/// How deep lattices may be nested. The operations of a lattice recurse into its parts.
const MOST_NESTED: usize = 64;
/// The most bits that the lattice of a file may take by itself. One line of text can ask for more
/// than any memory.
const MOST_BITS: u64 = 1 << 33;
/// The number of sets of worlds that any use of a powerset holds at once: its ends, windows, and
/// some leaves.
const SETS: u64 = 64;
/// The most bits of one dimension of a product.
const BITS_OF_A_CHAIN: u64 = 1 << 10;

const TYPES: &str = "`bool`, `chain`, `powerset`, `families`, `monotone`, `product`, `divisors`, `dual`, `free` and `table`";

/// Why a text describes no lattice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LatticeError {
    /// Not a JSON object.
    #[error("the lattice `{0}` is not a JSON object")]
    NotAnObject(String),
    /// A type that does not exist.
    #[error("unknown lattice `{0}`{meant}; there are {TYPES}", meant = meant(.0, TYPES.split('`').skip(1).step_by(2)))]
    UnknownType(String),
    /// The dominance algebra, which is no lattice.
    #[error("`dominance` is no lattice; `meetjoin packets` solves such problems")]
    Dominance,
    /// A key that must be there.
    #[error("the lattice has no key `{0}`")]
    MissingKey(&'static str),
    /// A key that does not belong there.
    #[error("unknown key `{0}` in the lattice")]
    UnknownKey(String),
    /// Two keys that exclude each other.
    #[error("the keys `{0}` and `{1}` of the lattice do not go together")]
    NotTogether(&'static str, &'static str),
    /// A key that occurs twice.
    #[error("the key `{0}` appears twice in the lattice")]
    DuplicateKey(String),
    /// A key with an invalid value.
    #[error("`{key}` of the lattice is `{found}`, not {expected}")]
    BadKey {
        /// The key.
        key: &'static str,
        /// Its value in the text.
        found: String,
        /// What it should have been.
        expected: &'static str,
    },
    /// A number that cannot be an end of a chain of decimals.
    #[error(transparent)]
    Number(#[from] ValueError),
    /// The bottom of a chain above its top.
    #[error("`lo` of the lattice lies above `hi`")]
    EmptyChain,
    /// A table that is no lattice.
    #[error(transparent)]
    Table(#[from] FiniteError),
    /// An element called `bottom` or `top` that is something else.
    #[error(
        "the element `{0}` of the table is not the {0}, but its name means that in every lattice"
    )]
    MisleadingName(String),
    /// An element called `bottom` or `top` in a dual, whose other end that is.
    #[error(
        "the table has an element `{0}`, which is not the {0} of its dual, but its name means that in every lattice"
    )]
    MisleadingInDual(&'static str),
    /// Lattices are nested too deeply.
    #[error("lattices are nested more than {MOST_NESTED} deep")]
    TooDeep,
    /// More memory than a lattice may take.
    #[error("the lattice is too large: it would take more than {} MiB by itself", MOST_BITS >> 23)]
    TooLarge,
}

/// Reads a lattice from the JSON of a problem file.
///
/// # Errors
/// If it is not JSON or describes no lattice.
pub fn lattice_from_json(json: &str) -> Result<AnyLattice, LatticeError> {
    parse_lattice(json).map(|(lattice, _)| lattice)
}

/// The lattice, and which of its chains may turn out to hold decimals.
pub(crate) fn parse_lattice(json: &str) -> Result<(AnyLattice, Numbers), LatticeError> {
    let mut room = MOST_BITS;
    parse(json, MOST_NESTED, &mut room)
}

/// The free lattice over the outcomes of the dominance algebra, which is no lattice itself.
pub(crate) fn parse_dominance(json: &str) -> Result<FreeLattice, LatticeError> {
    let mut keys = Keys::of(json)?;
    if keys.required::<String>("type", "a text")? != "dominance" {
        // It may only occur as the whole lattice.
        return Err(LatticeError::Dominance);
    }
    keys.optional::<String>("name", "a text")?;
    let mut room = MOST_BITS;
    let free = keys.free(&mut room)?;
    keys.finish().map(|()| free)
}

fn parse(json: &str, depth: usize, room: &mut u64) -> Result<(AnyLattice, Numbers), LatticeError> {
    let depth = depth.checked_sub(1).ok_or(LatticeError::TooDeep)?;
    let mut keys = Keys::of(json)?;
    let kind: String = keys.required("type", "a text")?;
    // Free text for people, as in `{"name": "M3", ..}`.
    keys.optional::<String>("name", "a text")?;
    let fixed = |lattice| (lattice, Numbers::Fixed);
    let found = match kind.as_str() {
        "bool" => fixed(AnyLattice::Bool(Bool)),
        "chain" => chain(&mut keys)?,
        "powerset" => fixed(AnyLattice::powerset(keys.worlds(room)?)),
        "families" => fixed(AnyLattice::families(keys.worlds(room)?)),
        "monotone" => {
            let events = keys.worlds(room)?;
            let events = u32::try_from(events).map_err(|_| LatticeError::TooLarge)?;
            fixed(AnyLattice::Monotone(Monotone::new(events)))
        }
        "product" => product(&mut keys, depth, room)?,
        "divisors" => {
            let expected = "a positive 64-bit integer";
            let n = keys.required("n", expected)?;
            let divisors = Divisors::of(n).ok_or_else(|| bad_key("n", &n, expected))?;
            fixed(AnyLattice::Divisors(divisors))
        }
        "dual" => {
            let of: &RawValue = keys.required("of", "a lattice")?;
            let (lattice, numbers) = parse(of.get(), depth, room)?;
            if let AnyLattice::Finite(table) = &lattice {
                let names = table.names().unwrap_or_default();
                let is_end = |end: &&str| names.iter().any(|name| name == end);
                if let Some(end) = ["bottom", "top"].into_iter().find(is_end) {
                    return Err(LatticeError::MisleadingInDual(end));
                }
            }
            (AnyLattice::Dual(Box::new(Dual(lattice))), numbers)
        }
        "free" => fixed(AnyLattice::Free(keys.free(room)?)),
        "table" => fixed(AnyLattice::Finite(table(&mut keys, room)?)),
        "dominance" => return Err(LatticeError::Dominance),
        _ => return Err(LatticeError::UnknownType(kind)),
    };
    keys.finish().map(|()| found)
}

/// Charges the allowance for the memory of a lattice.
fn take(room: &mut u64, bits: u64, times: u64) -> Result<(), LatticeError> {
    let bits = bits.saturating_mul(times);
    *room = room.checked_sub(bits).ok_or(LatticeError::TooLarge)?;
    Ok(())
}

fn chain(keys: &mut Keys<'_>) -> Result<(AnyLattice, Numbers), LatticeError> {
    let (lo, hi) = keys.ends()?;
    if let (Number::Integer(lo), Number::Integer(hi)) = (lo, hi) {
        let chain = Chain::new(lo, hi).ok_or(LatticeError::EmptyChain)?;
        let numbers = Numbers::Open(Cell::new(false));
        return Ok((AnyLattice::Integers(chain), numbers));
    }
    let decimal = |end| match end {
        Number::Integer(value) => to_decimal(value).ok_or_else(|| too_large(value)),
        Number::Decimal(value) => Ok(value),
    };
    let chain = Chain::new(decimal(lo)?, decimal(hi)?).ok_or(LatticeError::EmptyChain)?;
    Ok((AnyLattice::Decimals(chain), Numbers::Fixed))
}

fn product(
    keys: &mut Keys<'_>,
    depth: usize,
    room: &mut u64,
) -> Result<(AnyLattice, Numbers), LatticeError> {
    let factors: Option<Vec<&RawValue>> = keys.optional("of", "a list of lattices")?;
    let Some(factors) = factors else {
        let dims = keys.dims(room)?;
        let chain = AnyLattice::Integers(integer_chain(keys)?);
        // These stay integers: the format says so.
        let product = Product::power(chain, dims);
        return Ok((AnyLattice::Product(product), Numbers::Fixed));
    };
    keys.not_beside("of", &["dims", "lo", "hi"])?;
    take(room, BITS_OF_A_CHAIN, factors.len() as u64)?;
    let factors = factors
        .iter()
        .map(|factor| parse(factor.get(), depth, room));
    let factors = factors.collect::<Result<Vec<_>, _>>()?;
    let (factors, numbers): (Vec<_>, Vec<_>) = factors.into_iter().unzip();
    Ok((
        AnyLattice::Product(Product::new(factors)),
        Numbers::Parts(numbers),
    ))
}

fn integer_chain(keys: &mut Keys<'_>) -> Result<Chain<Extended>, LatticeError> {
    let (lo, hi) = keys.ends()?;
    let integer = |key, end| match end {
        Number::Integer(value) => Ok(value),
        Number::Decimal(value) => {
            let found = format!("{:?}", value.get());
            Err(bad_key(key, &found, "a 64-bit integer"))
        }
    };
    Chain::new(integer("lo", lo)?, integer("hi", hi)?).ok_or(LatticeError::EmptyChain)
}

fn table(keys: &mut Keys<'_>, room: &mut u64) -> Result<FiniteLattice, LatticeError> {
    let Some(elements) = keys.optional::<Vec<String>>("elements", "a list of texts")? else {
        const BITS: &str = "a list of lists of 0 and 1";
        let expected = "the number of rows of `leq`";
        let size: u64 = keys.required("size", expected)?;
        let leq: Vec<Vec<u8>> = keys.required("leq", BITS)?;
        keys.not_beside("size", &["covers"])?;
        let bit = |&entry: &u8| match entry {
            0 | 1 => Ok(entry == 1),
            _ => Err(bad_key("leq", &format!("[..{entry}..]"), BITS)),
        };
        let row = |row: &Vec<u8>| row.iter().map(bit).collect();
        let leq = leq.iter().map(row).collect::<Result<Vec<Vec<bool>>, _>>()?;
        if leq.len() as u64 != size {
            return Err(bad_key("size", &size, expected));
        }
        take(room, 32, size.saturating_mul(size))?;
        return Ok(FiniteLattice::from_leq(&leq)?);
    };
    keys.not_beside("elements", &["size", "leq"])?;
    let covers: Vec<(String, String)> = keys.required("covers", "a list of pairs of elements")?;
    let size = elements.len() as u64;
    take(room, 32, size.saturating_mul(size))?;
    let lattice = FiniteLattice::from_covers(&elements, &covers)?;
    for (name, end) in [("bottom", lattice.bottom()), ("top", lattice.top())] {
        let named = elements.iter().position(|element| element == name);
        if named.is_some_and(|element| element != end as usize) {
            return Err(LatticeError::MisleadingName(name.to_owned()));
        }
    }
    Ok(lattice)
}

/// The keys of an object and the texts of their values; each is removed as it is read.
struct Keys<'a> {
    pairs: Vec<(String, &'a RawValue)>,
    duplicate: Option<String>,
}

impl<'a> Keys<'a> {
    fn of(json: &'a str) -> Result<Self, LatticeError> {
        let keys: Self =
            serde_json::from_str(json).map_err(|_| LatticeError::NotAnObject(shown(json)))?;
        match keys.duplicate {
            Some(key) => Err(LatticeError::DuplicateKey(key)),
            None => Ok(keys),
        }
    }

    /// Finishes: there must be no unread keys.
    fn finish(self) -> Result<(), LatticeError> {
        match self.pairs.into_iter().next() {
            Some((key, _)) => Err(LatticeError::UnknownKey(key)),
            None => Ok(()),
        }
    }

    /// Checks that none of these keys is present, which belong to another notation than `key`.
    fn not_beside(&self, key: &'static str, others: &[&'static str]) -> Result<(), LatticeError> {
        let is_there = |name: &str| self.pairs.iter().any(|(there, _)| there == name);
        match others.iter().find(|&&other| is_there(other)) {
            Some(other) => Err(LatticeError::NotTogether(key, other)),
            None => Ok(()),
        }
    }

    fn raw(&mut self, key: &str) -> Option<&'a RawValue> {
        let place = self.pairs.iter().position(|(other, _)| other == key)?;
        Some(self.pairs.remove(place).1)
    }

    fn optional<T: Deserialize<'a>>(
        &mut self,
        key: &'static str,
        expected: &'static str,
    ) -> Result<Option<T>, LatticeError> {
        let Some(raw) = self.raw(key) else {
            return Ok(None);
        };
        match serde_json::from_str(raw.get()) {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(bad_key(key, &raw, expected)),
        }
    }

    fn required<T: Deserialize<'a>>(
        &mut self,
        key: &'static str,
        expected: &'static str,
    ) -> Result<T, LatticeError> {
        let value = self.optional(key, expected)?;
        value.ok_or(LatticeError::MissingKey(key))
    }

    /// The number of worlds, after charging the allowance.
    fn worlds(&mut self, room: &mut u64) -> Result<usize, LatticeError> {
        let worlds: usize = self.required("v", "a number of worlds")?;
        take(room, SETS, worlds as u64)?;
        Ok(worlds)
    }

    /// The free lattice over vectors with the dimensions of the key.
    fn free(&mut self, room: &mut u64) -> Result<FreeLattice, LatticeError> {
        match self.dims(room)? {
            // `[]` would be both the only vector and the bottom.
            0 => Err(bad_key("dims", &0, "a positive integer")),
            dims => Ok(FreeLattice::of_vectors(dims)),
        }
    }

    /// The number of dimensions, after charging the allowance.
    fn dims(&mut self, room: &mut u64) -> Result<usize, LatticeError> {
        let dims: usize = self.required("dims", "a number of dimensions")?;
        take(room, BITS_OF_A_CHAIN, dims as u64)?;
        Ok(dims)
    }

    /// The ends of a chain.
    fn ends(&mut self) -> Result<(Number, Number), LatticeError> {
        let mut end = |key, missing| match self.raw(key) {
            None => Ok(Number::Integer(missing)),
            Some(raw) => number(raw.get()).ok_or_else(|| bad_key(key, &raw, "a 64-bit number")),
        };
        Ok((end("lo", Extended::NegInf)?, end("hi", Extended::PosInf)?))
    }
}

fn bad_key(key: &'static str, found: &dyn Display, expected: &'static str) -> LatticeError {
    LatticeError::BadKey {
        key,
        found: shown(&found.to_string()),
        expected,
    }
}

impl<'de> Deserialize<'de> for Keys<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Keys<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys<'de>, A::Error> {
                let mut keys = Keys {
                    pairs: Vec::new(),
                    duplicate: None,
                };
                while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
                    if keys.pairs.iter().any(|(other, _)| *other == key) {
                        keys.duplicate = Some(key);
                    } else if keys.pairs.len() < 32 {
                        // No lattice has so many keys, so the search above stays short and an
                        // unknown key is still left over.
                        keys.pairs.push((key, value));
                    }
                }
                Ok(keys)
            }
        }
        deserializer.deserialize_map(Object)
    }
}
