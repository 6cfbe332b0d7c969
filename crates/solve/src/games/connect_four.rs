//! Connect Four: boards, scorings, and what a value means.

use clap::Args;
use meetjoin::file::GameFile;
use meetjoin::games::connect_four::{
    ConnectFour, ConnectFourByRules, MOST_COLUMNS, MOST_ROWS, Scoring,
};
use serde_json::{Value, json};

use super::boards::{self, SymmetryArgs, board};
use crate::board::BoardGame;
use crate::game::{Made, sentence};

#[derive(Args, Debug)]
#[allow(missing_docs)] // they would become the help of the command
pub struct ConnectFourArgs {
    /// Columns of the board.
    #[arg(
        long,
        value_name = "C",
        default_value_t = 7,
        allow_negative_numbers = true
    )]
    pub columns: u32,

    /// Rows of the board.
    #[arg(
        long,
        value_name = "R",
        default_value_t = 6,
        allow_negative_numbers = true
    )]
    pub rows: u32,

    /// The columns of the moves so far, one digit each, from 1 on the left: 4453.
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub moves: String,

    /// What a game is worth.
    #[arg(long, value_enum, default_value = "distance")]
    pub scoring: ScoringWord,
}

#[allow(missing_docs)] // its variants say it all
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoringWord {
    /// 1 plus the stones that the winner has in hand: more for a sooner win.
    #[default]
    Distance,
    /// 1, 0 or -1.
    Outcome,
}

/// The game from its beginning.
///
/// # Errors
/// If there is no such board.
pub fn game(args: &ConnectFourArgs) -> Result<ConnectFour, String> {
    made(args.columns, args.rows, args.scoring)
}

/// The game of a problem file.
pub(super) fn read(file: GameFile) -> Made {
    boards::read(file, |file| {
        let columns: Option<u32> = file.take_optional("columns")?;
        let rows: Option<u32> = file.take_optional("rows")?;
        let scoring: Option<ScoringWord> = file.take_optional("scoring")?;
        let (columns, rows) = (columns.unwrap_or(MOST_COLUMNS), rows.unwrap_or(MOST_ROWS));
        Ok(made(columns, rows, scoring.unwrap_or_default()))
    })
}

fn made(columns: u32, rows: u32, scoring: ScoringWord) -> Result<ConnectFour, String> {
    let empty = ConnectFour::new(columns, rows).map_err(sentence)?;
    Ok(empty.with_scoring(match scoring {
        ScoringWord::Distance => Scoring::Distance,
        ScoringWord::Outcome => Scoring::Outcome,
    }))
}

impl BoardGame for ConnectFour {
    type Number = i8;
    type Rules = ConnectFourByRules;

    const NAME: &'static str = "connect-four";

    fn rules(&self) -> ConnectFourByRules {
        self.by_rules()
    }

    fn keys(&self) -> Vec<(&'static str, Value)> {
        let scoring = if self.scoring() == Scoring::Outcome {
            "outcome"
        } else {
            "distance"
        };
        vec![
            ("columns", json!(self.columns())),
            ("rows", json!(self.rows())),
            ("scoring", json!(scoring)),
        ]
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

/// The game of a command line.
pub(super) fn from_args(args: &SymmetryArgs<ConnectFourArgs>) -> Made {
    let SymmetryArgs {
        game: args,
        up_to_symmetry,
    } = args;
    board(game(args)?, &args.moves, *up_to_symmetry)
}
