//! Games whose positions are numbers: so they can be sent to other machines, sorted, and kept on
//! disk in few bytes.

use meetjoin_dag::AndOrDag;

/// A game whose positions are numbers.
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
    /// Every number of a position is below 2 to this power.
    fn bits(&self) -> u32;

    /// The number of a position; no other position of the game has it.
    fn number(&self, position: &Self::Node) -> u128;

    /// The position with this number. Any position, or none in particular, if there is no such.
    fn position(&self, number: u128) -> Self::Node;
}
