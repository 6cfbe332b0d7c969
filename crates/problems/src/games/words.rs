//! Argument values that games share, on the command line and in problem files.

use clap::ValueEnum;
use meetjoin_lattice::AnyLattice;
use serde::{Deserialize, Serialize};

#[allow(missing_docs)] // its variants say it all
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SetLattice {
    /// Sets of variables or worlds.
    Powerset,
    /// Families of sets of variables or worlds.
    Families,
}

impl SetLattice {
    /// The lattice over so many worlds.
    pub(crate) fn over(self, worlds: usize) -> AnyLattice {
        match self {
            Self::Powerset => AnyLattice::powerset(worlds),
            Self::Families => AnyLattice::families(worlds),
        }
    }
}

#[allow(missing_docs)] // its variants say it all
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CriteriaLattice {
    /// Outcomes of the dominance algebra, for `meetjoin packets`.
    Dominance,
    /// The free distributive lattice over the outcomes.
    Free,
    /// Meet and join in each criterion.
    Product,
}

/// The lattice of a game whose values are integers: a key in files, without an argument.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IntegerLattice {
    /// A chain of integers.
    #[default]
    Chain,
}
