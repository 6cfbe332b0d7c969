//! The two players.

use meetjoin_dag::Kind;

/// Whose packets they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Moves at OR nodes and wants outcomes that dominate.
    Max,
    /// Moves at AND nodes and wants outcomes that are dominated.
    Min,
}

impl Player {
    /// The other one.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::Max => Self::Min,
            Self::Min => Self::Max,
        }
    }

    /// Who moves at a node of this kind. A leaf counts as MAX's, where it matters at all.
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::And => Self::Min,
            Kind::Or | Kind::Leaf => Self::Max,
        }
    }
}
