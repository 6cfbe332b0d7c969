//! The last tricks of a deal, all suits, with trumps or without.
//!
//! [`game`] is the play as a graph, [`values`] has its leaves and the double-dummy tricks (those
//! with all cards seen), and [`heaviest`] finds its heaviest set: `together` asks whether one
//! strategy wins some layouts, a [hitting set](meetjoin_families::cores::hitting) bounds from below
//! what is lost, and `plan` extracts the strategy. `rules` has the rules of a trick, `subgame` what
//! is left to play with the cards renumbered, and `states` the double-dummy table. [`answer`]
//! assembles what is printed.

pub mod answer;
pub mod asked;
pub mod game;
pub mod heaviest;
mod page;
mod plan;
mod rules;
mod states;
mod subgame;
mod together;
pub mod values;

pub use answer::{AlphaMu, EndingAnswer, EndingRequest, LayoutRow, answered, ending, first_cards};
pub use game::{Ending, EndingError, EndingGame, EndingLayout, EndingPosition};
pub use heaviest::{
    EndingChoice, EndingFirstTie, EndingHeaviest, EndingOrders, EndingReasons, EndingWatch,
    EndingWay, heaviest_of_ending,
};
pub use plan::LineNode;
pub use values::{AllSeen, EndingFamilies, EndingSeen};
