//! The claim that no set of the root's value exceeds a weight.
//!
//! Idea: removing all sets that weigh no more is a homomorphism of families of sets of worlds
//! ([`HeavyFamilies`]). So a certificate of this claim is about the families without the light
//! sets, and its root has no sets left.

use meetjoin_lattice::{
    AnyElem, AnyLattice, Budget, FixedBitSet, HeavyFamilies, Lattice, Stop, Weights, Words,
};
use serde::{Deserialize, Serialize};

/// The claim that no set of worlds in the root's value weighs more than this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct NoHeavier {
    /// The weight.
    pub than: u64,
    /// The weights of worlds; by default each weighs 1.
    pub weights: Option<Vec<u64>>,
}

impl NoHeavier {
    /// The weights of the worlds of a lattice; `None` if it has no families over as many worlds, or
    /// the sum is too large.
    pub fn weights(&self, lattice: &AnyLattice) -> Option<Weights> {
        let worlds = match lattice {
            AnyLattice::SmallFamilies(families) => families.base().worlds(),
            AnyLattice::Families(families) => families.base().worlds(),
            _ => return None,
        };
        match &self.weights {
            None => Some(Weights::equal(worlds)),
            Some(weights) if weights.len() == worlds => Weights::new(weights.iter().copied()).ok(),
            Some(_) => None,
        }
    }
}

/// The families of sets that are heavier.
pub(crate) enum Heavier<'a> {
    Small(HeavyFamilies<'a, Words<1>>),
    Large(HeavyFamilies<'a, FixedBitSet>),
}

impl<'a> Heavier<'a> {
    /// `None` if the lattice has no families.
    pub(crate) fn new(lattice: &'a AnyLattice, weights: &'a Weights, than: u64) -> Option<Self> {
        let least = than.saturating_add(1);
        Some(match lattice {
            AnyLattice::SmallFamilies(families) => {
                let all = families.base().top();
                Self::Small(HeavyFamilies::new(families, all, weights, least))
            }
            AnyLattice::Families(families) => {
                let all = families.base().top();
                Self::Large(HeavyFamilies::new(families, all, weights, least))
            }
            _ => return None,
        })
    }

    /// A family without its light sets.
    pub(crate) fn part(&self, value: &AnyElem, budget: &Budget) -> Result<AnyElem, Stop> {
        Ok(match (self, value) {
            (Self::Small(heavy), AnyElem::SmallFamily(family)) => {
                AnyElem::SmallFamily(heavy.heavy_part(family, budget)?)
            }
            (Self::Large(heavy), AnyElem::Family(family)) => {
                AnyElem::Family(heavy.heavy_part(family, budget)?)
            }
            // Values are elements of the lattice.
            _ => value.clone(),
        })
    }
}
