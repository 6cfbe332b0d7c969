//! Names of worlds: as many as a lattice has worlds, and all different, as sets are printed and
//! read by name.

use std::collections::HashSet;

use meetjoin_lattice::AnyLattice;
use meetjoin_report::counted;

use crate::error::ProblemError;

/// Checks that the lattice has sets over exactly as many worlds as there are names, and that no two
/// have the same name.
pub(crate) fn check_worlds(lattice: &AnyLattice, names: &[String]) -> Result<(), ProblemError> {
    let mut met = HashSet::new();
    if let Some(twice) = names.iter().find(|name| !met.insert(name.as_str())) {
        return Err(ProblemError::new(format!(
            "`worlds` has the name {twice:?} twice; give each world a name of its own"
        )));
    }
    let names = names.len();
    let mut counts = Vec::new();
    worlds_of(lattice, &mut counts);
    match counts.iter().find(|&&worlds| worlds != names) {
        None if counts.is_empty() => Err(ProblemError::new(
            "`worlds` names the elements of sets, but the values of this lattice are no sets",
        )),
        None => Ok(()),
        Some(worlds) => Err(ProblemError::new(format!(
            "`worlds` has {} for {}",
            counted(names, "name"),
            counted(worlds, "world")
        ))),
    }
}

/// The numbers of worlds of all set lattices within a lattice.
fn worlds_of(lattice: &AnyLattice, counts: &mut Vec<usize>) {
    match lattice {
        AnyLattice::SmallPowerset(l) => counts.push(l.worlds()),
        AnyLattice::Powerset(l) => counts.push(l.worlds()),
        AnyLattice::SmallFamilies(l) => counts.push(l.worlds()),
        AnyLattice::Families(l) => counts.push(l.worlds()),
        AnyLattice::Monotone(l) => counts.push(l.events() as usize),
        AnyLattice::Product(product) => {
            for factor in product.factors() {
                worlds_of(factor, counts);
            }
        }
        AnyLattice::Dual(dual) => worlds_of(&dual.0, counts),
        _ => {}
    }
}
