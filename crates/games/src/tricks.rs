//! Games of tricks with hidden hands: the rules are values, and so bridge, whist, Skat, Hearts,
//! Spades and Oh Hell are one game.

pub mod deal;
pub mod error;
pub mod file;
pub mod game;
pub mod legal;
mod named;
pub mod order;
pub mod presets;
pub mod random;
pub mod rules;
pub mod text;
mod worlds;

pub use deal::{TrickDeal, TrickHand};
pub use error::TrickError;
pub use file::{GivenRules, TrickEnding};
pub use game::{TrickPosition, Tricks};
pub use named::named;
pub use random::random_deal;
pub use rules::{Aim, CardPoints, TrickRules};
