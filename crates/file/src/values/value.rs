//! Values as text: one pair of functions for all text that is read back.
//!
//! Problem: an answer prints the bottom of families as `[]`, which input reads as the family that
//! holds the empty set, and counts the sets of a large function instead of listing them. Text that
//! is to be read back must not be written like that.
//!
//! Idea: [`Written`] writes an element so that it reads back as the same element, and nothing else
//! writes values to files, checkpoints, levels of a cluster or certificates. A lattice chosen at
//! run time and the lattices that searches are compiled for use the same text. Output for `--json`
//! has another function, [`print_value`], and is never read back. Text for people is read back by
//! [`read_readable`], where they ask for a value that an answer prints.
//!
//! Invariant: `read(write(x)) == x` for every lattice and every construction of lattices.

pub(crate) mod diagram;
pub(crate) mod print;
pub(crate) mod read;
pub(crate) mod readable;
pub(crate) mod sets;
pub(crate) mod write;

use meetjoin_lattice::{
    AnyElem, AnyLattice, Chain, Extended, Families, Lattice, Licensed, Powerset, WorldSet,
};

pub use print::{print_value, readable_lines, write_readable};
pub use read::read_value;
pub use readable::read_readable;
pub use write::{write_compact, write_value};

use crate::values::numbers::{Number, number};

/// A lattice whose elements are written as text and read back.
pub trait Written: Lattice {
    /// Appends an element, as [`write_compact`] does for a lattice chosen at run time.
    fn write(&self, element: &Self::Elem, out: &mut String);

    /// The element written as this text; `None` if the text is invalid.
    fn read(&self, text: &str) -> Option<Self::Elem>;
}

impl Written for AnyLattice {
    fn write(&self, element: &AnyElem, out: &mut String) {
        write_compact(self, element, out);
    }

    fn read(&self, text: &str) -> Option<AnyElem> {
        read_value(self, text).ok()
    }
}

impl Written for Licensed {
    fn write(&self, element: &AnyElem, out: &mut String) {
        write_compact(&self.0, element, out);
    }

    fn read(&self, text: &str) -> Option<AnyElem> {
        read_value(&self.0, text).ok()
    }
}

/// Integers of any size, as those of [`AnyLattice::Integers`]. Numbers are clamped to the chain,
/// because known bounds of a position may lie outside of it.
impl<T: Ord + Copy + Into<i128> + TryFrom<i128>> Written for Chain<T>
where
    Self: Lattice<Elem = T>,
{
    fn write(&self, element: &T, out: &mut String) {
        match Extended::try_from(Into::<i128>::into(*element)) {
            Ok(number) => write::push_extended(number, out),
            Err(number) => crate::text::push(out, number),
        }
    }

    fn read(&self, text: &str) -> Option<T> {
        let value = match number(text) {
            Some(Number::Integer(value)) => value.into(),
            _ => text.parse().ok()?,
        };
        let value = T::try_from(value).ok()?;
        Some(value.clamp(*self.lo(), *self.hi()))
    }
}

impl<B: WorldSet> Written for Powerset<B> {
    fn write(&self, element: &B, out: &mut String) {
        write::push_bits(element, out);
    }

    fn read(&self, text: &str) -> Option<B> {
        read::set(self, text).ok()
    }
}

impl<B: WorldSet> Written for Families<B> {
    fn write(&self, element: &Self::Elem, out: &mut String) {
        write::push_sets(element, out);
    }

    fn read(&self, text: &str) -> Option<Self::Elem> {
        read::family_or_bottom(self, text).ok()
    }
}
