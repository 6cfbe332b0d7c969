//! The two players.

use meetjoin_dag::Kind;

/// The owner of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Moves at OR nodes and prefers dominating outcomes.
    Max,
    /// Moves at AND nodes and prefers dominated outcomes.
    Min,
}

impl Player {
    /// The other player.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::Max => Self::Min,
            Self::Min => Self::Max,
        }
    }

    /// The player at a node of this kind. A leaf counts as MAX's, where it matters at all.
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::And => Self::Min,
            Kind::Or | Kind::Leaf => Self::Max,
        }
    }
}
