//! Connect Four: boards, scorings, and what a value means.

use std::ops::Not;

use clap::Args;
use meetjoin_games::connect_four::{
    ConnectFour, ConnectFourByRules, MOST_COLUMNS, MOST_ROWS, Scoring,
};
use serde::{Deserialize, Serialize};

use super::boards::{BoardArgs, SymmetryArgs};
use crate::game::{lattice_key, sentence};
use crate::games::on_boards::board::BoardGame;
use crate::games::words::IntegerLattice;

#[derive(Args, Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // they would become the help of the command
pub struct ConnectFourArgs {
    /// Number of columns of the board.
    #[arg(
        long,
        value_name = "C",
        default_value_t = MOST_COLUMNS,
        allow_negative_numbers = true
    )]
    #[serde(default = "most_columns")]
    pub columns: u32,

    /// Number of rows of the board.
    #[arg(
        long,
        value_name = "R",
        default_value_t = MOST_ROWS,
        allow_negative_numbers = true
    )]
    #[serde(default = "most_rows")]
    pub rows: u32,

    /// The value of a finished game.
    #[arg(long, value_enum, default_value = "distance")]
    #[serde(default)]
    pub scoring: Scoring,

    /// The columns of the moves so far, one digit each, from 1 on the left, as in 4453.
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

fn most_columns() -> u32 {
    MOST_COLUMNS
}

fn most_rows() -> u32 {
    MOST_ROWS
}

impl BoardArgs for ConnectFourArgs {
    type Game = ConnectFour;
    type Command = SymmetryArgs<Self>;

    fn of_command(command: SymmetryArgs<Self>) -> Self {
        command.complete()
    }

    fn start(&self) -> Result<ConnectFour, String> {
        let empty = ConnectFour::new(self.columns, self.rows).map_err(sentence)?;
        Ok(empty.with_scoring(self.scoring))
    }

    fn moves(&mut self) -> &mut String {
        &mut self.moves
    }

    fn one_image(&mut self) -> Option<&mut bool> {
        Some(&mut self.up_to_symmetry)
    }
}

impl BoardGame for ConnectFour {
    type Number = i8;
    type Rules = ConnectFourByRules;

    fn title(&self) -> &'static str {
        "connect-four"
    }

    fn step(&self) -> u32 {
        2
    }

    fn rules(&self) -> ConnectFourByRules {
        self.by_rules()
    }

    fn judged(self) -> Self {
        self.with_scoring(Scoring::Apart)
    }

    fn plain(&self, judged: i8) -> i8 {
        let won = self.judged().won(judged);
        won.and_then(|(_, stones)| self.win(stones))
            .unwrap_or(judged)
    }

    fn is_decided(&self, judged: i8) -> bool {
        self.judged().won(judged).is_some()
    }

    fn meaning(&self, value: i8) -> String {
        let winner = match value.signum() {
            1 => "MAX wins",
            -1 => "MIN wins",
            _ => return "a draw".to_owned(),
        };
        match self.won(value) {
            Some((_, stones)) => format!("{winner} with stone {stones}"),
            None => winner.to_owned(),
        }
    }
}
