//! Words that games share, on the command line and in problem files.

use meetjoin::lattice::AnyLattice;

#[allow(missing_docs)] // its variants say it all
#[derive(Clone, Copy, Debug, clap::ValueEnum, serde::Deserialize)]
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

    /// As problem files call it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Powerset => "powerset",
            Self::Families => "families",
        }
    }
}

#[allow(missing_docs)] // its variants say it all
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CriteriaLattice {
    /// Outcomes of the dominance algebra, for `meetjoin packets`.
    Dominance,
    /// The free distributive lattice over the outcomes.
    Free,
    /// Meet and join in each criterion.
    Product,
}

impl CriteriaLattice {
    /// As problem files call it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Dominance => "dominance",
            Self::Free => "free",
            Self::Product => "product",
        }
    }
}

/// The key `lattice` of a game whose values are integers.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LatticeWord {
    /// A chain of integers.
    Chain,
}
