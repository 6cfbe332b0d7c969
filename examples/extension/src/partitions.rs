//! A lattice: who is connected with whom among eight stations.
//!
//! An element says of each station which group it belongs to, and names a group by its first
//! station. The join of two connects what either of them connects, by and by; the meet connects
//! what both connect. This lattice is not distributive, so alpha-beta has no business here, and
//! the type says so: it has no `impl DistributiveLattice`.

use meetjoin::lattice::{Budget, Lattice, Stop};

/// Stations.
pub const STATIONS: usize = 8;

/// The first station of the group of each.
pub type Groups = [u8; STATIONS];

/// Partitions of the stations, from "nobody with anybody" to "all together".
pub struct Partitions;

/// The stations in which only these two are connected.
pub fn cable(one: usize, other: usize) -> Groups {
    let mut groups = Partitions.bottom();
    groups[one.max(other)] = one.min(other) as u8;
    groups
}

impl Lattice for Partitions {
    type Elem = Groups;

    fn bottom(&self) -> Groups {
        std::array::from_fn(|station| station as u8)
    }

    fn top(&self) -> Groups {
        [0; STATIONS]
    }

    fn leq(&self, a: &Groups, b: &Groups, _: &Budget) -> Result<bool, Stop> {
        Ok((0..STATIONS).all(|station| b[station] == b[usize::from(a[station])]))
    }

    fn join_assign(&self, a: &mut Groups, b: &Groups, _: &Budget) -> Result<(), Stop> {
        for station in 0..STATIONS {
            // The groups of the station and of its partner in `b` become one.
            let (one, other) = (a[station], a[usize::from(b[station])]);
            let (first, second) = (one.min(other), one.max(other));
            for group in a.iter_mut().filter(|group| **group == second) {
                *group = first;
            }
        }
        Ok(())
    }

    fn meet_assign(&self, a: &mut Groups, b: &Groups, _: &Budget) -> Result<(), Stop> {
        let old = *a;
        for station in 0..STATIONS {
            let together = |other: &usize| old[*other] == old[station] && b[*other] == b[station];
            let first = (0..station).find(together).unwrap_or(station);
            a[station] = first as u8;
        }
        Ok(())
    }
}
