//! The two players.

/// One of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// MAX, who moves at OR nodes and prefers greater values.
    Max,
    /// MIN, who moves at AND nodes and prefers smaller values: MAX in the dual problem.
    Min,
}
