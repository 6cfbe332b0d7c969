//! Connect Four: boards, scorings, and what a value means.

use meetjoin::file::GameFile;
use meetjoin::games::connect_four::{
    ConnectFour, ConnectFourByRules, MOST_COLUMNS, MOST_ROWS, Scoring,
};
use serde_json::{Value, json};

use super::super::{Made, sentence};
use super::BoardGame;
use crate::args::{ConnectFourArgs, ScoringWord};

pub(super) fn game(args: &ConnectFourArgs) -> Result<ConnectFour, String> {
    made(args.columns, args.rows, args.scoring)
}

pub(crate) fn read(file: GameFile) -> Made {
    super::read(file, |file| {
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
