//! Problems ready to be searched: explicit graphs, games, boards.

pub(crate) mod any_board;
pub(crate) mod board;
pub mod explicit;
pub mod game;
pub mod instance;
pub(crate) mod settled;
