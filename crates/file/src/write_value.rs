//! Writes a value: as an answer, as input for a file, and for people.

use meetjoin_lattice::diagram::Function;
use meetjoin_lattice::{
    Antichain, AnyElem, AnyLattice, Budget, Decimal, Extended, FiniteLattice, Monotone, WorldSet,
};

use crate::text::{JSON, push, push_json_string, push_list};

/// Appends a value as compact JSON, as answers print it.
///
/// The bottom of a lattice of families is `[]` here, which a file would read as the family that holds the empty set: see [`write_input`].
pub fn write_value(lattice: &AnyLattice, value: &AnyElem, out: &mut String) {
    write_json(lattice, value, None, out);
}

/// Appends a value as compact JSON that [`read_value`](crate::read_value()) reads back. It differs from [`write_value`] only at the bottom of
/// families, which is `"bottom"` here.
pub fn write_input(lattice: &AnyLattice, value: &AnyElem, out: &mut String) {
    write_json(lattice, value, Some("bottom"), out);
}

/// Appends a value as JSON that [`read_value`](crate::read_value()) reads back, in few characters: a set of worlds is a hexadecimal number, whose bit 0 stands for world 1.
pub fn write_compact(lattice: &AnyLattice, value: &AnyElem, out: &mut String) {
    match (lattice, value) {
        (AnyLattice::SmallPowerset(_), AnyElem::SmallSet(set)) => push_bits(set, out),
        (AnyLattice::Powerset(_), AnyElem::Set(set)) => push_bits(set, out),
        (AnyLattice::SmallFamilies(_), AnyElem::SmallFamily(family)) => push_sets(family, out),
        (AnyLattice::Families(_), AnyElem::Family(family)) => push_sets(family, out),
        _ => write_input(lattice, value, out),
    }
}

/// The digits of a set, in quotes, without leading zeros.
fn push_bits<B: WorldSet>(set: &B, out: &mut String) {
    let mut digits = Vec::new();
    for world in set.ones() {
        digits.resize(world / 4 + 1, 0_u32);
        digits[world / 4] |= 1 << (world % 4);
    }
    out.push('"');
    if digits.is_empty() {
        out.push('0');
    }
    let digits = digits.iter().rev();
    out.extend(digits.filter_map(|digit| char::from_digit(*digit, 16)));
    out.push('"');
}

fn push_sets<B: WorldSet>(family: &Antichain<B>, out: &mut String) {
    if family.maximal().is_empty() {
        push_json_string("bottom", out);
    } else {
        push_list(family.maximal(), JSON, out, push_bits);
    }
}

/// `no_set`: the name by which input calls the bottom of families, should the value turn out to be that; answers have none.
fn write_json(lattice: &AnyLattice, value: &AnyElem, no_set: Option<&str>, out: &mut String) {
    match (lattice, value) {
        (AnyLattice::Dual(dual), value) => {
            // `"bottom"` means the bottom of the whole dual, which is the top of what is inside.
            let turned = no_set.map(|name| if name == "bottom" { "top" } else { "bottom" });
            write_json(&dual.0, value, turned, out);
        }
        (AnyLattice::Product(product), AnyElem::Tuple(values)) => {
            let no_set = no_set.map(|_| "bottom");
            let pairs = product.factors().iter().zip(values);
            push_list(pairs, JSON, out, |(factor, value), out| {
                write_json(factor, value, no_set, out);
            });
        }
        (AnyLattice::Finite(finite), AnyElem::Element(element)) => {
            match name_of(finite, *element) {
                Some(name) => push_json_string(name, out),
                None => push(out, element),
            }
        }
        (_, AnyElem::Bool(value)) => push(out, value),
        (_, AnyElem::Integer(value)) => push_extended(*value, out),
        (_, AnyElem::Decimal(value)) => push_decimal(*value, out),
        (_, AnyElem::SmallSet(set)) => push_set(set, out),
        (_, AnyElem::Set(set)) => push_set(set, out),
        (_, AnyElem::SmallFamily(family)) => push_family(family, no_set, out),
        (_, AnyElem::Family(family)) => push_family(family, no_set, out),
        (AnyLattice::Monotone(lattice), AnyElem::Function(value)) => {
            push_function(lattice, *value, no_set, out);
        }
        (_, AnyElem::Divisor(value)) => push(out, value),
        (_, AnyElem::Free(packets)) => push_list(packets.maximal(), JSON, out, |packet, out| {
            push_list(packet.maximal(), JSON, out, |outcome, out| {
                push_list(outcome, JSON, out, |&number, out| {
                    push_extended(number, out);
                });
            });
        }),
        // An element of another lattice: nothing sensible can be printed, and nothing should break.
        _ => out.push_str("null"),
    }
}

fn push_extended(value: Extended, out: &mut String) {
    match value {
        Extended::Finite(value) => push(out, value),
        infinite => push(out, format_args!("\"{infinite}\"")),
    }
}

/// The shortest text that reads back as the same float, and as a decimal: with a point or an exponent.
fn push_decimal(value: Decimal, out: &mut String) {
    let value = value.get();
    if value.is_finite() {
        push(out, format_args!("{value:?}"));
    } else {
        out.push_str(if value < 0.0 { "\"-inf\"" } else { "\"+inf\"" });
    }
}

fn push_set<B: WorldSet>(set: &B, out: &mut String) {
    push_list(set.ones(), JSON, out, |world, out| push(out, world + 1));
}

/// More sets than that are counted in answers, and not listed.
const MOST_SETS: usize = 10_000;

/// What an unlimited budget gives.
fn sets_of(lattice: &Monotone, value: Function, most: usize) -> Result<Vec<Vec<i64>>, u128> {
    lattice
        .sets(value, most, &Budget::unlimited())
        .unwrap_or(Err(u128::MAX))
}

/// The minimal sets of a function; in answers, if they are too many, an object that says how many. Input has all of them.
fn push_function(lattice: &Monotone, value: Function, no_set: Option<&str>, out: &mut String) {
    let most = if no_set.is_some() {
        usize::MAX
    } else {
        MOST_SETS
    };
    match (sets_of(lattice, value, most), no_set) {
        (Ok(sets), Some(name)) if sets.is_empty() => push_json_string(name, out),
        (Ok(sets), _) => push_list(&sets, JSON, out, |set, out| {
            push_list(set, JSON, out, |event, out| push(out, event));
        }),
        (Err(count), _) => push(out, format_args!("{{\"count\":\"{count}\"}}")),
    }
}

/// The maximal sets in ascending order of their lists.
fn sorted_sets<B: WorldSet>(family: &Antichain<B>) -> Vec<&B> {
    let mut sets: Vec<&B> = family.maximal().iter().collect();
    sets.sort_by(|a, b| a.ones().cmp(b.ones()));
    sets
}

fn push_family<B: WorldSet>(family: &Antichain<B>, no_set: Option<&str>, out: &mut String) {
    match no_set {
        Some(name) if family.maximal().is_empty() => push_json_string(name, out),
        _ => push_list(sorted_sets(family), JSON, out, push_set),
    }
}

fn name_of(lattice: &FiniteLattice, element: u32) -> Option<&str> {
    let names = lattice.names()?;
    names.get(element as usize).map(String::as_str)
}

/// Appends a value for people: sets as `{1,3}`, families and packets as `{1,2} {3}`, tuples and vectors as `(1,2)`, the ends of the free
/// lattice as `no packet` and `the empty packet`; with the names of worlds where they are given.
pub fn write_readable(
    lattice: &AnyLattice,
    value: &AnyElem,
    worlds: Option<&[String]>,
    out: &mut String,
) {
    match (lattice, value) {
        (AnyLattice::Dual(dual), value) => write_readable(&dual.0, value, worlds, out),
        (AnyLattice::Product(product), AnyElem::Tuple(values)) => {
            let pairs = product.factors().iter().zip(values);
            push_list(pairs, ["(", ",", ")"], out, |(factor, value), out| {
                write_readable(factor, value, worlds, out);
            });
        }
        (AnyLattice::Finite(finite), AnyElem::Element(element)) => {
            match name_of(finite, *element) {
                Some(name) => out.push_str(name),
                None => push(out, element),
            }
        }
        (_, AnyElem::Bool(value)) => push(out, value),
        (_, AnyElem::Integer(value)) => push(out, value),
        (_, AnyElem::Decimal(value)) if value.get().is_finite() => push_decimal(*value, out),
        (_, AnyElem::Decimal(value)) => push(out, format_args!("{:+}", value.get())),
        (_, AnyElem::SmallSet(set)) => push_named_set(set, worlds, out),
        (_, AnyElem::Set(set)) => push_named_set(set, worlds, out),
        (_, AnyElem::SmallFamily(family)) => push_named_family(family, worlds, out),
        (_, AnyElem::Family(family)) => push_named_family(family, worlds, out),
        (AnyLattice::Monotone(lattice), AnyElem::Function(value)) => {
            match sets_of(lattice, *value, MOST_SETS) {
                Ok(sets) if sets.is_empty() => out.push_str("no set"),
                Ok(sets) => push_list(&sets, ["", " ", ""], out, |set, out| {
                    push_list(set, ["{", ",", "}"], out, |&event, out| {
                        let world = event.unsigned_abs() as usize - 1;
                        if event < 0 {
                            out.push('-');
                        }
                        match worlds.and_then(|worlds| worlds.get(world)) {
                            Some(name) => out.push_str(name),
                            None => push(out, world + 1),
                        }
                    });
                }),
                Err(count) => push(out, format_args!("{count} sets")),
            }
        }
        (_, AnyElem::Divisor(value)) => push(out, value),
        (_, AnyElem::Free(packets)) if packets.maximal().is_empty() => {
            out.push_str("no packet");
        }
        // The top: it absorbs all others. In a dual it is the bottom, so it has no name but what it holds.
        (_, AnyElem::Free(packets)) if packets.maximal().iter().any(|p| p.maximal().is_empty()) => {
            out.push_str("the empty packet");
        }
        (_, AnyElem::Free(packets)) => {
            push_list(packets.maximal(), ["", " ", ""], out, |packet, out| {
                push_list(packet.maximal(), ["{", " ", "}"], out, |outcome, out| {
                    push_list(outcome, ["(", ",", ")"], out, |number, out| {
                        push(out, number);
                    });
                });
            });
        }
        _ => out.push('?'),
    }
}

fn push_named_set<B: WorldSet>(set: &B, worlds: Option<&[String]>, out: &mut String) {
    push_list(set.ones(), ["{", ",", "}"], out, |world, out| match worlds
        .and_then(|worlds| worlds.get(world))
    {
        Some(name) => out.push_str(name),
        None => push(out, world + 1),
    });
}

fn push_named_family<B: WorldSet>(
    family: &Antichain<B>,
    worlds: Option<&[String]>,
    out: &mut String,
) {
    if family.maximal().is_empty() {
        out.push_str("no set");
    } else {
        push_list(sorted_sets(family), ["", " ", ""], out, |set, out| {
            push_named_set(set, worlds, out);
        });
    }
}
