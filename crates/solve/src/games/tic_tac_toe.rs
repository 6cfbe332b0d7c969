//! Tic-tac-toe, and what a value means.

use clap::Args;
use meetjoin::file::GameFile;
use meetjoin::games::TicTacToe;
use serde_json::Value;

use super::boards::{self, SymmetryArgs, board};
use crate::board::BoardGame;
use crate::game::Made;

#[derive(Args, Debug)]
#[allow(missing_docs)] // they would become the help of the command
pub struct TicTacToeArgs {
    /// The cells of the moves so far, one digit each, from 1 to 9, row by row: 519.
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub moves: String,
}

/// The game of a problem file.
pub(super) fn read(file: GameFile) -> Made {
    boards::read(file, |_| Ok(Ok(TicTacToe::new())))
}

impl BoardGame for TicTacToe {
    type Number = i8;
    type Rules = Self;

    const NAME: &'static str = "tic-tac-toe";

    fn rules(&self) -> Self {
        *self
    }

    fn keys(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    fn meaning(&self, value: i8) -> String {
        match value {
            1 => "MAX wins",
            -1 => "MIN wins",
            _ => "a draw",
        }
        .to_owned()
    }
}

/// The game of a command line.
pub(super) fn from_args(args: &SymmetryArgs<TicTacToeArgs>) -> Made {
    board(TicTacToe::new(), &args.game.moves, args.up_to_symmetry)
}
