//! Prints a value: as JSON in answers, which is not read back, and for people.

use meetjoin_dag::WorldNames;
use meetjoin_lattice::{AnyElem, AnyLattice};

use super::sets::{lines_of, push_element, push_family, push_name, push_set};
use super::write::{Form, MOST_SETS, name_of, push_decimal, sets_of, write_json};
use crate::text::{push, push_list};

/// Appends a value as compact JSON, as answers print it. For text to be read back use
/// [`write_value`](crate::write_value).
///
/// The bottom of a lattice of families is `[]` here, which input reads as the family that holds the
/// empty set, and a function with very many minimal sets is printed as their number.
pub fn print_value(lattice: &AnyLattice, value: &AnyElem, out: &mut String) {
    write_json(lattice, value, Form::Printed, out);
}

/// A value for people in lines, as by [`write_readable`]; a family of sets of stakes has a line for
/// each set.
pub fn readable_lines(
    lattice: &AnyLattice,
    value: &AnyElem,
    worlds: Option<&WorldNames>,
) -> Vec<String> {
    let are_stakes = worlds.is_some_and(WorldNames::are_stakes);
    match value {
        AnyElem::SmallFamily(family) if are_stakes => lines_of(family, worlds),
        AnyElem::Family(family) if are_stakes => lines_of(family, worlds),
        _ => {
            let mut text = String::new();
            write_readable(lattice, value, worlds, &mut text);
            vec![text]
        }
    }
}

/// Appends a value for people: sets as `{1,3}`, families and packets as `{1,2} {3}`, tuples and
/// vectors as `(1,2)`, the ends of the free lattice as `no packet` and `the empty packet`; with the
/// names of worlds where they are given, and sets of stakes as `{3 points in a | b; 1 in c}`.
/// [`read_readable`](crate::read_readable()) reads it back.
pub fn write_readable(
    lattice: &AnyLattice,
    value: &AnyElem,
    worlds: Option<&WorldNames>,
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
                Some(name) => push_name(name, &[',', ')'], out),
                None => push(out, element),
            }
        }
        (_, AnyElem::Bool(value)) => push(out, value),
        (_, AnyElem::Integer(value)) => push(out, value),
        (_, AnyElem::Decimal(value)) if value.get().is_finite() => push_decimal(*value, out),
        (_, AnyElem::Decimal(value)) => push(out, format_args!("{:+}", value.get())),
        (_, AnyElem::SmallSet(set)) => push_set(set, worlds, out),
        (_, AnyElem::Set(set)) => push_set(set, worlds, out),
        (_, AnyElem::SmallFamily(family)) => push_family(family, worlds, out),
        (_, AnyElem::Family(family)) => push_family(family, worlds, out),
        (AnyLattice::Monotone(lattice), AnyElem::Function(value)) => {
            match sets_of(lattice, *value, MOST_SETS) {
                Ok(sets) if sets.is_empty() => out.push_str("no set"),
                Ok(sets) => push_list(&sets, ["", " ", ""], out, |set, out| {
                    push_list(set, ["{", ",", "}"], out, |&event, out| {
                        let world = event.unsigned_abs() as usize - 1;
                        if event < 0 {
                            out.push('-');
                        }
                        push_element(world, worlds, out);
                    });
                }),
                Err(count) => push(out, format_args!("{count} sets")),
            }
        }
        (_, AnyElem::Divisor(value)) => push(out, value),
        (_, AnyElem::Free(packets)) if packets.maximal().is_empty() => {
            out.push_str("no packet");
        }
        // The top, which absorbs all other packets. In a dual it is the bottom, so it is described
        // by its content.
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
        (_, AnyElem::Tuple(_) | AnyElem::Element(_) | AnyElem::Function(_)) => out.push('?'),
    }
}
