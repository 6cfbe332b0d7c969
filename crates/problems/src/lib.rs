#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod game;
pub mod games;
pub mod packets;
pub mod play;
pub mod source;

pub use game::Game;
pub use games::ending::{FirstCard, PlayNode, TricksAnswer, first_cards, tricks};
pub use games::hidden::hidden;
pub use games::on_boards::any_board::AnyBoard;
pub use games::on_boards::board::{BoardGame, Number};
pub use source::{Source, digest};
