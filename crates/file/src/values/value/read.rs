//! Reads a value from its JSON text.
//!
//! It is parsed from the *text*, by one small typed parse per value, and never through a tree of
//! JSON values. That keeps numbers exact (a number beyond 64 bits must not silently become a
//! float), needs no extra memory, and cannot overflow the stack, because the depth of a parse is
//! that of the lattice, not that of the text.

use std::borrow::Cow;

use meetjoin_lattice::diagram::Function;
use meetjoin_lattice::{
    AnyElem, AnyLattice, Budget, Chain, Decimal, Extended, Families, FiniteLattice, FreeLattice,
    Lattice, Monotone, Powerset, Stop, WorldSet,
};
use serde_json::value::RawValue;

use super::diagram::read_diagram;
use crate::error::ValueError;
use crate::values::numbers::{Number, Numbers, number, to_decimal, too_large};

/// Reads a value of the lattice from JSON, as leaf values are written in a problem file.
///
/// # Errors
/// If the text is not JSON, or no value of this lattice.
///
/// ```
/// use meetjoin_file::{lattice_from_json, print_value, read_value};
///
/// let lattice = lattice_from_json(r#"{"type": "families", "v": 4}"#)?;
/// let value = read_value(&lattice, "[[3, 4], [2], [1, 2]]")?;
/// let mut text = String::new();
/// print_value(&lattice, &value, &mut text);
/// assert_eq!(text, "[[1,2],[3,4]]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_value(lattice: &AnyLattice, json: &str) -> Result<AnyElem, ValueError> {
    let raw: &RawValue =
        serde_json::from_str(json).map_err(|_| ValueError::new(json, "JSON text"))?;
    read_raw(lattice, &Numbers::Fixed, raw.get())
}

/// Reads a value from valid JSON, while it is undecided whether chains hold integers or decimals.
pub(crate) fn read_raw(
    lattice: &AnyLattice,
    numbers: &Numbers,
    json: &str,
) -> Result<AnyElem, ValueError> {
    if json.starts_with('"') {
        match &*text(json) {
            "bottom" => return Ok(lattice.bottom()),
            "top" => return Ok(lattice.top()),
            _ => {}
        }
    }
    Ok(match lattice {
        AnyLattice::Bool(_) => AnyElem::Bool(match json {
            "true" => true,
            "false" => false,
            _ => return Err(ValueError::new(json, "`true` or `false`")),
        }),
        AnyLattice::Integers(chain) => return integer(chain, numbers, json),
        AnyLattice::Decimals(chain) => AnyElem::Decimal(decimal(chain, json)?),
        AnyLattice::SmallPowerset(l) => AnyElem::SmallSet(set(l, json)?),
        AnyLattice::Powerset(l) => AnyElem::Set(set(l, json)?),
        AnyLattice::SmallFamilies(l) => AnyElem::SmallFamily(family(l, json)?),
        AnyLattice::Families(l) => AnyElem::Family(family(l, json)?),
        AnyLattice::Product(product) => {
            let factors = product.factors();
            let values: Option<Vec<&RawValue>> = serde_json::from_str(json).ok();
            let values = values
                .filter(|values| values.len() == factors.len())
                .ok_or_else(|| {
                    ValueError::new(json, format!("a list of {} values", factors.len()))
                })?;
            let pairs = factors.iter().zip(values).enumerate();
            let read = |(place, (factor, value)): (usize, (&AnyLattice, &RawValue))| {
                read_raw(factor, numbers.part(place), value.get())
            };
            AnyElem::Tuple(pairs.map(read).collect::<Result<_, _>>()?)
        }
        AnyLattice::Divisors(divisors) => {
            let value = json.parse().ok().filter(|&value| divisors.contains(value));
            AnyElem::Divisor(value.ok_or_else(|| {
                ValueError::new(json, format!("a positive divisor of {}", divisors.n()))
            })?)
        }
        AnyLattice::Monotone(l) => AnyElem::Function(function(l, json)?),
        AnyLattice::Dual(dual) => return read_raw(&dual.0, numbers, json),
        AnyLattice::Finite(finite) => AnyElem::Element(element(finite, json)?),
        AnyLattice::Free(free) => {
            let value = free_element(free, json)?;
            AnyElem::Free(value.ok_or_else(|| {
                let dims = free.vectors().dims();
                let expected = format!("a vector of {dims} integers or a list of packets of them");
                ValueError::new(json, expected)
            })?)
        }
    })
}

/// A JSON string as text; anything else gives the empty text.
fn text(json: &str) -> Cow<'_, str> {
    serde_json::from_str::<BorrowedText<'_>>(json).map_or_else(|_| "".into(), |text| text.0)
}

/// Borrows unless an escape forces a copy, which `Cow` alone does not do.
#[derive(serde::Deserialize)]
pub(super) struct BorrowedText<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

fn integer(chain: &Chain<Extended>, numbers: &Numbers, json: &str) -> Result<AnyElem, ValueError> {
    let outside = |kind: &str| {
        let range = format!("{kind} from {} to {}", chain.lo(), chain.hi());
        ValueError::new(json, range)
    };
    match (number(json), numbers) {
        (Some(Number::Integer(value)), _) if chain.contains(&value) => {
            if numbers.any_decimal() && to_decimal(value).is_none() {
                return Err(too_large(value));
            }
            Ok(AnyElem::Integer(value))
        }
        (Some(Number::Decimal(value)), Numbers::Open(decimal)) => {
            let end = |end: Extended| to_decimal(end).ok_or_else(|| too_large(end));
            if value < end(*chain.lo())? || value > end(*chain.hi())? {
                return Err(outside("a number"));
            }
            decimal.set(true);
            Ok(AnyElem::Decimal(value))
        }
        (_, Numbers::Open(_)) => Err(outside("a 64-bit integer or a decimal")),
        _ => Err(outside("a 64-bit integer")),
    }
}

fn decimal(chain: &Chain<Decimal>, json: &str) -> Result<Decimal, ValueError> {
    let value = match number(json) {
        Some(Number::Integer(value)) => Some(to_decimal(value).ok_or_else(|| too_large(value))?),
        Some(Number::Decimal(value)) => Some(value),
        None => None,
    };
    value.filter(|value| chain.contains(value)).ok_or_else(|| {
        let end = |end: &Decimal| match end.get() {
            end if end.is_finite() => format!("{end:?}"),
            end => format!("{end:+}"),
        };
        let (lo, hi) = (end(chain.lo()), end(chain.hi()));
        ValueError::new(json, format!("a number from {lo} to {hi}"))
    })
}

/// An ascending list of distinct integers in `1..=v` as a set.
fn worlds<B: WorldSet>(lattice: &Powerset<B>, list: &[u64]) -> Option<B> {
    let ascending = list.first() != Some(&0) && list.is_sorted_by(|a, b| a < b);
    let worlds = list
        .iter()
        .map(|&world| usize::try_from(world - 1).unwrap_or(usize::MAX));
    if ascending { lattice.set(worlds) } else { None }
}

fn list_of_worlds(worlds: usize) -> String {
    format!("an ascending list of distinct integers from 1 to {worlds}")
}

/// The set encoded as a hexadecimal number, whose bit 0 stands for world 1: in lower case, without
/// leading zeros.
fn bits<B: WorldSet>(lattice: &Powerset<B>, digits: &str) -> Option<B> {
    if digits.starts_with('0') && digits != "0" || digits.is_empty() {
        return None;
    }
    let (mut set, most) = (B::empty(lattice.worlds()), lattice.worlds());
    for (place, digits) in digits.as_bytes().rchunks(16).enumerate() {
        let mut word = 0;
        for digit in digits {
            let digit = match digit {
                b'0'..=b'9' => digit - b'0',
                b'a'..=b'f' => digit - b'a' + 10,
                _ => return None,
            };
            word = word << 4 | u64::from(digit);
        }
        let room = most.saturating_sub(64 * place);
        if room < 64 && word >> room != 0 {
            return None;
        }
        set.insert_word(place, word);
    }
    Some(set)
}

pub(super) fn set<B: WorldSet>(lattice: &Powerset<B>, json: &str) -> Result<B, ValueError> {
    if json.starts_with('"') {
        let set = bits(lattice, &text(json));
        return set.ok_or_else(|| {
            let worlds = lattice.worlds();
            let expected = format!("a hexadecimal number of at most {worlds} bits, in small letters and without leading zeros");
            ValueError::new(json, expected)
        });
    }
    let list: Option<Vec<u64>> = serde_json::from_str(json).ok();
    list.and_then(|list| worlds(lattice, &list))
        .ok_or_else(|| ValueError::new(json, list_of_worlds(lattice.worlds())))
}

fn family<B: WorldSet>(
    lattice: &Families<B>,
    json: &str,
) -> Result<<Families<B> as Lattice>::Elem, ValueError> {
    let base = lattice.base();
    let list_of_numbers: Option<Vec<&RawValue>> = json
        .strip_prefix('[')
        .filter(|rest| rest.trim_start().starts_with('"'))
        .and_then(|_| serde_json::from_str(json).ok());
    if let Some(numbers) = list_of_numbers {
        let sets = numbers.iter().map(|number| set(base, number.get()));
        return lattice
            .generated_by(sets.collect::<Result<Vec<B>, _>>()?, &Budget::unlimited())
            .map_err(|stop| stopped(json, stop));
    }
    let is_list_of_lists = json
        .strip_prefix('[')
        .is_some_and(|rest| rest.trim_start().starts_with('['));
    if !is_list_of_lists {
        return set(base, json).map(|set| lattice.principal(set));
    }
    let lists: Option<Vec<Vec<u64>>> = serde_json::from_str(json).ok();
    let sets = lists.and_then(|lists| {
        let sets = lists.iter().map(|list| worlds(base, list));
        sets.collect::<Option<Vec<B>>>()
    });
    let sets = sets.ok_or_else(|| {
        let expected = format!("a list of sets, each {}", list_of_worlds(base.worlds()));
        ValueError::new(json, expected)
    })?;
    lattice
        .generated_by(sets, &Budget::unlimited())
        .map_err(|stop| stopped(json, stop))
}

/// A family as [`push_sets`](super::write::push_sets) writes it.
pub(super) fn family_or_bottom<B: WorldSet>(
    lattice: &Families<B>,
    json: &str,
) -> Result<<Families<B> as Lattice>::Elem, ValueError> {
    match json {
        "\"bottom\"" => Ok(lattice.bottom()),
        _ => family(lattice, json),
    }
}

/// An event, a set of events, a list of sets, or a diagram; a negative number is an event that does
/// not occur.
fn function(lattice: &Monotone, json: &str) -> Result<Function, ValueError> {
    if json.starts_with('{') {
        let function = read_diagram(lattice, json, &Budget::unlimited());
        return function
            .map_err(|stop| stopped(json, stop))?
            .ok_or_else(|| ValueError::new(json, "a diagram of events of this lattice"));
    }
    let sets = if let Ok(event) = serde_json::from_str::<i64>(json) {
        Some(vec![vec![event]])
    } else if let Ok(set) = serde_json::from_str::<Vec<i64>>(json) {
        Some(vec![set])
    } else {
        serde_json::from_str::<Vec<Vec<i64>>>(json).ok()
    };
    let exists = |event: &i64| (1..=u64::from(lattice.events())).contains(&event.unsigned_abs());
    let sets = sets.filter(|sets| sets.iter().flatten().all(exists));
    let sets = sets.ok_or_else(|| {
        let events = lattice.events();
        let expected = format!("an event from 1 to {events}, a list of events, or a list of such lists, where -k is event k not occurring");
        ValueError::new(json, expected)
    })?;
    let function = lattice.of_sets(&sets, &Budget::unlimited());
    function.map_err(|stop| stopped(json, stop))
}

/// An unlimited budget stops nothing; if a lattice does, that is an error of this value.
fn stopped(json: &str, stop: Stop) -> ValueError {
    ValueError::new(json, format!("a value that can be built: {stop}"))
}

fn element(lattice: &FiniteLattice, json: &str) -> Result<u32, ValueError> {
    let found = match lattice.names() {
        Some(names) if json.starts_with('"') => {
            let name = text(json);
            names.iter().position(|other| *other == *name)
        }
        Some(_) => None,
        None => json.parse().ok().filter(|&number| number < lattice.size()),
    };
    // The size of a table is far below 2^32.
    found.map(|number| number as u32).ok_or_else(|| {
        let expected = match lattice.names() {
            Some(_) => "the name of an element of the table".to_owned(),
            None => format!(
                "the number of an element of the table, 0 to {}",
                lattice.size() - 1
            ),
        };
        ValueError::new(json, expected)
    })
}

type FreeElem = <FreeLattice as Lattice>::Elem;

/// An element of the free lattice: one outcome, or a list of packets. `Ok(None)` if the text is
/// neither.
fn free_element(lattice: &FreeLattice, json: &str) -> Result<Option<FreeElem>, ValueError> {
    let budget = Budget::unlimited();
    let stopped = |stop| stopped(json, stop);
    let Some(parts) = list(json) else {
        return Ok(None);
    };
    let dims = lattice.vectors().dims();
    if parts
        .first()
        .is_some_and(|part| !part.get().starts_with('['))
    {
        let Some(outcome) = vector(dims, json) else {
            return Ok(None);
        };
        let packet = lattice.packet([outcome], &budget).map_err(stopped)?;
        return Ok(Some(lattice.principal(packet)));
    }
    let mut packets = Vec::with_capacity(parts.len());
    for part in parts {
        let outcomes = list(part.get()).and_then(|outcomes| {
            let outcomes = outcomes.iter().map(|outcome| vector(dims, outcome.get()));
            outcomes.collect::<Option<Vec<_>>>()
        });
        let Some(outcomes) = outcomes else {
            return Ok(None);
        };
        packets.push(lattice.packet(outcomes, &budget).map_err(stopped)?);
    }
    lattice
        .generated_by(packets, &budget)
        .map(Some)
        .map_err(stopped)
}

/// Reads an outcome of the dominance algebra, as the element of the free lattice that it is.
pub(crate) fn read_outcome(lattice: &FreeLattice, json: &str) -> Result<AnyElem, ValueError> {
    let dims = lattice.vectors().dims();
    let outcome = vector(dims, json)
        .ok_or_else(|| ValueError::new(json, format!("a list of {dims} 64-bit integers")))?;
    let packet = lattice.packet([outcome], &Budget::unlimited());
    let packet = packet.map_err(|stop| stopped(json, stop))?;
    Ok(AnyElem::Free(lattice.principal(packet)))
}

fn list(json: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(json).ok()
}

fn vector(dims: usize, json: &str) -> Option<Box<[Extended]>> {
    let parts = list(json)?;
    let numbers = parts.iter().map(|part| match number(part.get()) {
        Some(Number::Integer(value @ Extended::Finite(_))) => Some(value),
        _ => None,
    });
    numbers
        .collect::<Option<Box<[_]>>>()
        .filter(|numbers| numbers.len() == dims)
}
