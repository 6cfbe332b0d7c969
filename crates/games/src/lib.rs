#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod connect_four;
pub mod criteria;
pub mod hexapawn;
pub mod kalah;
pub mod numbered;
pub mod packed;
pub mod play;
pub mod quotient;
pub mod racing;
pub mod random;
pub mod tic_tac_toe;
pub mod uniform;

pub use connect_four::{
    ConnectFour, ConnectFourByRules, ConnectFourError, ConnectFourPosition, Scoring,
};
pub use criteria::{Correlation, CriteriaError, CriteriaParameters, CriteriaTree};
pub use hexapawn::{Hexapawn, HexapawnError, HexapawnPosition};
pub use kalah::{Capture, Kalah, KalahError, KalahPosition};
pub use numbered::Numbered;
pub use packed::{PackedPosition, Packs};
pub use play::{IllegalMove, Playable, Refusal, StaticEvaluation, random_play};
pub use quotient::{NoSymmetry, Quotient, Symmetric};
pub use racing::{
    HandClass, NoValues, OneStrategy, PerfectInformation, Racing, RacingError, RacingFamilies,
    RacingPosition, RacingSets, WinningHands,
};
pub use random::{RandomDag, RandomError, RandomParameters};
pub use tic_tac_toe::{TicTacToe, TicTacToePosition};
pub use uniform::{ChildOrder, LeafValues, UniformError, UniformParameters, UniformTree};
