//! Tic-tac-toe, and what a value means.

use meetjoin::file::GameFile;
use meetjoin::games::TicTacToe;
use serde_json::Value;

use super::super::Made;
use super::BoardGame;

pub(crate) fn read(file: GameFile) -> Made {
    super::read(file, |_| Ok(Ok(TicTacToe::new())))
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
