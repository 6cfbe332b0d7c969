//! Traits of games: numbers of positions, symmetry, and play by people.

pub mod numbered;
pub mod play;
pub mod quotient;
