//! Board games.

pub mod connect_four;
pub mod hexapawn;
pub mod kalah;
pub mod packed;
pub mod tic_tac_toe;
