//! Tic-tac-toe, and what a value means.

use std::ops::Not;

use clap::Args;
use meetjoin_games::TicTacToe;
use serde::{Deserialize, Serialize};

use super::boards::{BoardArgs, SymmetryArgs};
use crate::game::lattice_key;
use crate::games::on_boards::board::BoardGame;
use crate::games::words::IntegerLattice;

#[derive(Args, Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // they would become the help of the command
pub struct TicTacToeArgs {
    /// The cells of the moves so far, one digit each, from 1 to 9, row by row, as in 519.
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    #[serde(default)]
    pub moves: String,

    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Not::not")]
    pub up_to_symmetry: bool,

    #[arg(skip)]
    #[serde(with = "lattice_key")]
    pub lattice: IntegerLattice,
}

impl BoardArgs for TicTacToeArgs {
    type Game = TicTacToe;
    type Command = SymmetryArgs<Self>;

    fn of_command(command: SymmetryArgs<Self>) -> Self {
        command.complete()
    }

    fn start(&self) -> Result<TicTacToe, String> {
        Ok(TicTacToe::new())
    }

    fn moves(&mut self) -> &mut String {
        &mut self.moves
    }

    fn one_image(&mut self) -> Option<&mut bool> {
        Some(&mut self.up_to_symmetry)
    }
}

impl BoardGame for TicTacToe {
    type Number = i8;
    type Rules = Self;

    fn title(&self) -> &'static str {
        "tic-tac-toe"
    }

    fn rules(&self) -> Self {
        *self
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
