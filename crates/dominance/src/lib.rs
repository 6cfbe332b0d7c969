#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod bottom_up;
mod choices;
pub mod compare;
mod fold;
pub mod known_preferences;
pub mod outcomes;
pub mod packets;
mod player;
pub mod procedure_f;
pub mod vectors;
pub mod weights;

pub use bottom_up::{RootMove, RootPackets, bottom_up, root_packets};
pub use compare::{
    Choice, Favouring, Lexicographic, MoveChoice, NotOffered, Preference, PreferenceError, choose,
    choose_move, compare_packets, contradiction,
};
pub use known_preferences::{
    InnerPreference, InnerPreferenceOf, Line, inner_preference, known_preferences,
};
pub use outcomes::{LeafOutcomes, OutcomeOf, OutcomesBy};
pub use packets::{Algebra, Expression, Packet};
pub use player::Player;
pub use procedure_f::{
    Event, LatticeOnly, Observe, Searched, procedure_f_deep_lattice_only, procedure_f_shallow,
};
pub use vectors::{Dominance, VectorGame, VectorGameError, outcome_text};
pub use weights::{Weighted, check_weights, guaranteed_sum, weighted_sum};
