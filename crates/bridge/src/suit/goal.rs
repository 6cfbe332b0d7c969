//! What one can want of a suit.

/// What is asked of a suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// At least so many tricks.
    Tricks(u8),
    /// As many as possible on average.
    Average,
}
