//! Games whose positions have numbers, so that they can be sent to other machines, sorted, and
//! stored in few bytes.

use meetjoin_dag::AndOrDag;

/// A game whose positions have numbers.
///
/// ```
/// use meetjoin_dag::AndOrDag;
/// use meetjoin_games::{Kalah, Numbered};
///
/// let game = Kalah::new(3, 2)?;
/// let position = game.root();
/// assert_eq!(game.position(game.number(&position)), position);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Numbered: AndOrDag {
    /// All numbers of positions are below 2 to this power.
    fn bits(&self) -> u32;

    /// The unique number of a position.
    fn number(&self, position: &Self::Node) -> u128;

    /// The position with this number. Unspecified if there is none.
    fn position(&self, number: u128) -> Self::Node;
}
