//! The two players.

/// Whose side one is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// MAX, who moves at OR nodes and wants much.
    Max,
    /// MIN, who moves at AND nodes and wants little: the dual of the problem.
    Min,
}
