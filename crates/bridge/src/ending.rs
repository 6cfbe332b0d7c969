//! The last tricks of a deal, all suits, with trumps or without.
//!
//! [`game`] is the play as a graph, [`values`] has its leaves and the tricks with all cards seen,
//! and [`heaviest`] finds its heaviest set. `rules` has the rules of a trick, `subgame` what is
//! left to play, whatever the cards are called, and `factors` families as products. [`answer`] puts
//! together what is printed.

pub mod answer;
pub mod asked;
mod factors;
pub mod game;
pub mod heaviest;
mod page;
mod rules;
mod subgame;
pub mod values;

pub use answer::{AlphaMu, EndingAnswer, EndingRequest, LayoutRow, LineNode, answered, ending};
pub use game::{Ending, EndingError, EndingGame, EndingLayout, EndingPosition};
pub use heaviest::{EndingHeaviest, heaviest_of_ending};
pub use values::{AllSeen, EndingFamilies, EndingSeen};
