//! The last tricks of a deal, all suits, with trumps or without.
//!
//! [`game`] is the play as a graph, [`values`] has its leaves and the tricks with all cards seen,
//! and [`heaviest`] finds its heaviest set: `together` asks whether one strategy wins some layouts,
//! a [hitting set](meetjoin_search::cores::hitting) is what at least is lost, and `plan` is the
//! strategy. `rules` has the rules of a trick, `subgame` what is left to play, whatever the cards
//! are called, and `states` the table of what is known with all cards seen. [`answer`] puts
//! together what is printed.

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
