//! Board games: their arguments, and what they share.

pub(crate) mod boards;
pub mod connect_four;
pub mod hexapawn;
pub mod kalah;
mod levels;
mod moves;
pub mod tic_tac_toe;
