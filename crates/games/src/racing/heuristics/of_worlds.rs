//! Both valuations of racing as one: how their values are read as lists of worlds, and what is
//! known of positions.

use std::slice;

use meetjoin_dag::{Heuristic, Valuation};
use meetjoin_lattice::{Antichain, ElemOf, WorldSet};

use super::bounds::PerfectInformation;
use crate::racing::{RacingFamilies, RacingPosition, RacingSets};

/// A valuation whose values are sets of worlds, or antichains of such sets: how both are read as
/// lists.
pub trait OfWorlds: Valuation<RacingPosition> {
    /// Whether a value has any number of sets, and not just one.
    const FAMILIES: bool;

    /// A set of worlds.
    type Set: WorldSet;

    /// What is known of positions without search.
    type Known<'s>: Heuristic<RacingPosition, Self::Lattice>
    where
        Self: 's;

    /// What perfect information says of positions: see [`PerfectInformation`].
    fn known(&self) -> Self::Known<'_>;

    /// The maximal sets of a value, in some order.
    fn maximal(value: &ElemOf<Self::Lattice>) -> &[Self::Set];

    /// The maximal sets of a value, sorted; each an ascending list of places in
    /// [`Racing::worlds`](crate::racing::Racing::worlds).
    fn sets(value: &ElemOf<Self::Lattice>) -> Vec<Vec<usize>> {
        let sets = Self::maximal(value).iter();
        let mut sets: Vec<Vec<usize>> = sets.map(|set| set.ones().collect()).collect();
        sets.sort_unstable();
        sets
    }

    /// How many worlds these have together.
    fn length(value: &ElemOf<Self::Lattice>) -> usize {
        Self::maximal(value).iter().map(WorldSet::count).sum()
    }
}

impl<B: WorldSet> OfWorlds for RacingSets<'_, B> {
    const FAMILIES: bool = false;

    type Set = B;

    type Known<'s>
        = PerfectInformation<'s, B>
    where
        Self: 's;

    fn known(&self) -> PerfectInformation<'_, B> {
        PerfectInformation::new(self)
    }

    fn maximal(value: &B) -> &[B] {
        slice::from_ref(value)
    }
}

impl<B: WorldSet> OfWorlds for RacingFamilies<'_, B> {
    const FAMILIES: bool = true;

    type Set = B;

    type Known<'s>
        = PerfectInformation<'s, B>
    where
        Self: 's;

    fn known(&self) -> PerfectInformation<'_, B> {
        PerfectInformation::new(self.as_sets())
    }

    fn maximal(value: &Antichain<B>) -> &[B] {
        value.maximal()
    }
}
