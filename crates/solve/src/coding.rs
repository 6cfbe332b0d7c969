//! Elements of lattices as bytes, for checkpoints.
//!
//! Every function that reads takes any bytes, and returns an element of the lattice or nothing.

use meetjoin::file::checkpoint::{pull, push, unzigzag, zigzag};
use meetjoin::file::{read_value, write_value};
use meetjoin::lattice::{Antichain, AnyElem, AnyLattice, Budget, Families, WorldSet};
use meetjoin::search::proof::Integer;

pub(crate) fn write_integer<T: Integer>(value: T, out: &mut Vec<u8>) {
    push(out, zigzag(value.into()));
}

pub(crate) fn read_integer<T: Integer>(mut bytes: &[u8]) -> Option<T> {
    let value = unzigzag(pull(&mut bytes)?);
    T::try_from(value).ok().filter(|_| bytes.is_empty())
}

/// How many worlds there are, and how far each is from the one before.
pub(crate) fn write_set<B: WorldSet>(set: &B, out: &mut Vec<u8>) {
    push(out, set.count() as u128);
    let mut next = 0;
    for world in set.ones() {
        push(out, (world - next) as u128);
        next = world + 1;
    }
}

/// A set from the front of the bytes.
fn pull_set<B: WorldSet>(worlds: usize, bytes: &mut &[u8]) -> Option<B> {
    let (mut set, mut next) = (B::empty(worlds), 0_usize);
    for _ in 0..pull(bytes)? {
        let world = next.checked_add(usize::try_from(pull(bytes)?).ok()?)?;
        if world >= worlds {
            return None;
        }
        set.insert(world);
        next = world + 1;
    }
    Some(set)
}

pub(crate) fn read_set<B: WorldSet>(worlds: usize, mut bytes: &[u8]) -> Option<B> {
    let set = pull_set(worlds, &mut bytes)?;
    bytes.is_empty().then_some(set)
}

/// One maximal set after the other.
pub(crate) fn write_family<B: WorldSet>(family: &Antichain<B>, out: &mut Vec<u8>) {
    for set in family.maximal() {
        write_set(set, out);
    }
}

pub(crate) fn read_family<B: WorldSet>(
    lattice: &Families<B>,
    mut bytes: &[u8],
) -> Option<Antichain<B>> {
    let mut sets: Vec<B> = Vec::new();
    while !bytes.is_empty() {
        sets.push(pull_set(lattice.worlds(), &mut bytes)?);
    }
    // Without limits there is no stop.
    lattice.generated_by(sets, &Budget::unlimited()).ok()
}

/// As in files.
pub(crate) fn write_any(lattice: &AnyLattice, value: &AnyElem, out: &mut Vec<u8>) {
    let mut text = String::new();
    write_value(lattice, value, &mut text);
    out.extend(text.as_bytes());
}

pub(crate) fn read_any(lattice: &AnyLattice, bytes: &[u8]) -> Option<AnyElem> {
    read_value(lattice, str::from_utf8(bytes).ok()?).ok()
}
