//! The positions of a strategy.

use meetjoin::dag::Kind;

use crate::answer::NodeText;

/// A position that play by a strategy can reach.
#[derive(Clone, Debug)]
pub struct StrategyNode {
    /// What it is called.
    pub name: NodeText,
    /// What it is.
    pub kind: Kind,
    /// Whether the player moves whose strategy it is.
    pub is_own: bool,
    /// The positions that may follow: one where the player moves whose strategy it is, all where the other does, none at the end.
    pub next: Vec<Follow>,
}

/// A move and where it leads.
#[derive(Clone, Debug)]
pub struct Follow {
    /// What the move is called.
    pub by: String,
    /// The place of the position.
    pub to: usize,
}
