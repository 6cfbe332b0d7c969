//! Board games.

pub mod connect_four;
pub mod hexapawn;
pub mod kalah;
pub mod packed;
pub mod tic_tac_toe;

pub use connect_four::{
    ConnectFour, ConnectFourByRules, ConnectFourError, ConnectFourPosition, Scoring,
};
pub use hexapawn::{Hexapawn, HexapawnError, HexapawnPosition};
pub use kalah::{Capture, Kalah, KalahError, KalahPosition};
pub use packed::{PackedPosition, Packs};
pub use tic_tac_toe::{TicTacToe, TicTacToePosition};
