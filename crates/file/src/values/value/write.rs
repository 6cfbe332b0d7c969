//! Writes a value so that [`read_value`](super::read_value) reads it back.

use meetjoin_lattice::diagram::Function;
use meetjoin_lattice::{
    Antichain, AnyElem, AnyLattice, Budget, Decimal, Extended, FiniteLattice, Monotone, WorldSet,
};

use super::diagram::push_diagram;
use crate::text::{JSON, push, push_json_string, push_list};

/// Appends a value as compact JSON that [`read_value`](crate::read_value()) reads back, in the form
/// of problem files: sets as ascending lists.
pub fn write_value(lattice: &AnyLattice, value: &AnyElem, out: &mut String) {
    write_json(
        lattice,
        value,
        Form::Exact(End::Bottom, Functions::Listed),
        out,
    );
}

/// The form in which a value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As in answers, not to be read back.
    Printed,
    /// To be read back. The end is the name of the bottom of the value's lattice, which in a dual
    /// is `"top"`, because names refer to the ends of the whole lattice.
    Exact(End, Functions),
}

/// An end of a lattice, as values name it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Bottom,
    Top,
}

impl End {
    fn name(self) -> &'static str {
        match self {
            Self::Bottom => "bottom",
            Self::Top => "top",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Bottom => Self::Top,
            Self::Top => Self::Bottom,
        }
    }
}

/// The functions that are listed set by set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Functions {
    /// All that answers would list, for human readers.
    Listed,
    /// Small ones, which are cheap to write.
    Small,
}

/// Appends a value as JSON that [`read_value`](crate::read_value()) reads back, in few characters:
/// a set of worlds is a hexadecimal number, whose bit 0 stands for world 1.
pub fn write_compact(lattice: &AnyLattice, value: &AnyElem, out: &mut String) {
    match (lattice, value) {
        (AnyLattice::SmallPowerset(_), AnyElem::SmallSet(set)) => push_bits(set, out),
        (AnyLattice::Powerset(_), AnyElem::Set(set)) => push_bits(set, out),
        (AnyLattice::SmallFamilies(_), AnyElem::SmallFamily(family)) => push_sets(family, out),
        (AnyLattice::Families(_), AnyElem::Family(family)) => push_sets(family, out),
        _ => write_json(
            lattice,
            value,
            Form::Exact(End::Bottom, Functions::Small),
            out,
        ),
    }
}

/// The digits of a set, in quotes, without leading zeros.
pub(super) fn push_bits<B: WorldSet>(set: &B, out: &mut String) {
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

pub(super) fn push_sets<B: WorldSet>(family: &Antichain<B>, out: &mut String) {
    if family.maximal().is_empty() {
        push_json_string("bottom", out);
    } else {
        push_list(family.maximal(), JSON, out, push_bits);
    }
}

pub(super) fn write_json(lattice: &AnyLattice, value: &AnyElem, form: Form, out: &mut String) {
    match (lattice, value) {
        (AnyLattice::Dual(dual), value) => {
            let turned = match form {
                Form::Printed => form,
                Form::Exact(end, functions) => Form::Exact(end.other(), functions),
            };
            write_json(&dual.0, value, turned, out);
        }
        (AnyLattice::Product(product), AnyElem::Tuple(values)) => {
            let form = match form {
                Form::Printed => form,
                Form::Exact(_, functions) => Form::Exact(End::Bottom, functions),
            };
            let pairs = product.factors().iter().zip(values);
            push_list(pairs, JSON, out, |(factor, value), out| {
                write_json(factor, value, form, out);
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
        (_, AnyElem::SmallFamily(family)) => push_family(family, form, out),
        (_, AnyElem::Family(family)) => push_family(family, form, out),
        (AnyLattice::Monotone(lattice), AnyElem::Function(value)) => {
            push_function(lattice, *value, form, out);
        }
        (_, AnyElem::Divisor(value)) => push(out, value),
        (_, AnyElem::Free(packets)) => push_list(packets.maximal(), JSON, out, |packet, out| {
            push_list(packet.maximal(), JSON, out, |outcome, out| {
                push_list(outcome, JSON, out, |&number, out| {
                    push_extended(number, out);
                });
            });
        }),
        // An element of another lattice: there is no sensible text, but this must not fail.
        (_, AnyElem::Tuple(_) | AnyElem::Element(_) | AnyElem::Function(_)) => out.push_str("null"),
    }
}

pub(super) fn push_extended(value: Extended, out: &mut String) {
    match value {
        Extended::Finite(value) => push(out, value),
        infinite => push(out, format_args!("\"{infinite}\"")),
    }
}

/// The shortest text that reads back as the same float, and as a decimal: with a point or an
/// exponent.
pub(super) fn push_decimal(value: Decimal, out: &mut String) {
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

/// The most sets that answers list; more are counted.
pub(super) const MOST_SETS: usize = 10_000;
/// The most nodes, and sets, of a diagram that is listed set by set in text to be read back.
const SMALL: usize = 64;

/// The minimal sets of a function, or their number; an unlimited budget does not stop.
pub(super) fn sets_of(
    lattice: &Monotone,
    value: Function,
    most: usize,
) -> Result<Vec<Vec<i64>>, u128> {
    lattice
        .sets(value, most, &Budget::unlimited())
        .unwrap_or(Err(u128::MAX))
}

/// Appends the minimal sets of a function; if there are many, their number in answers, and the
/// diagram in text to be read back.
fn push_function(lattice: &Monotone, value: Function, form: Form, out: &mut String) {
    if let Form::Exact(end, functions) = form {
        if value == Function::FALSE {
            return push_json_string(end.name(), out);
        }
        let listing = lattice.listing(value);
        let is_small = listing.nodes.len() <= SMALL;
        let most = match functions {
            Functions::Listed => MOST_SETS,
            Functions::Small if is_small => SMALL,
            Functions::Small => return push_diagram(&listing, out),
        };
        return match sets_of(lattice, value, most) {
            Ok(sets) => push_sets_of_events(&sets, out),
            Err(_) => push_diagram(&listing, out),
        };
    }
    match sets_of(lattice, value, MOST_SETS) {
        Ok(sets) => push_sets_of_events(&sets, out),
        Err(count) => push(out, format_args!("{{\"count\":\"{count}\"}}")),
    }
}

fn push_sets_of_events(sets: &[Vec<i64>], out: &mut String) {
    push_list(sets, JSON, out, |set, out| {
        push_list(set, JSON, out, |event, out| push(out, event));
    });
}

/// The maximal sets in ascending order of their lists.
pub(super) fn sorted_sets<B: WorldSet>(family: &Antichain<B>) -> Vec<&B> {
    let mut sets: Vec<&B> = family.maximal().iter().collect();
    sets.sort_by(|a, b| a.ones().cmp(b.ones()));
    sets
}

fn push_family<B: WorldSet>(family: &Antichain<B>, form: Form, out: &mut String) {
    match form {
        Form::Exact(end, _) if family.maximal().is_empty() => push_json_string(end.name(), out),
        _ => push_list(sorted_sets(family), JSON, out, push_set),
    }
}

pub(super) fn name_of(lattice: &FiniteLattice, element: u32) -> Option<&str> {
    let names = lattice.names()?;
    names.get(element as usize).map(String::as_str)
}
