//! Traits of games besides their rules: numbers of positions, symmetry, moves for people.

pub mod numbered;
pub mod play;
pub mod quotient;
