//! Kalah: sizes, the rule of capture, and what a value means.

use clap::Args;
use meetjoin::file::GameFile;
use meetjoin::games::kalah::{Capture, Kalah};
use serde_json::{Value, json};

use super::boards::{self, board};
use crate::board::BoardGame;
use crate::game::{Made, sentence};

#[derive(Args, Debug)]
#[allow(missing_docs)] // they would become the help of the command
pub struct KalahArgs {
    /// Pits of each player, m.
    #[arg(
        long,
        value_name = "M",
        default_value_t = 6,
        allow_negative_numbers = true
    )]
    pub pits: u32,

    /// Seeds in each pit, n.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        allow_negative_numbers = true
    )]
    pub seeds: u32,

    /// The pits of the moves so far, one digit each, from 1 for the one farthest from the mover's store: 362.
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub moves: String,

    /// When a last seed that falls into an own empty pit goes to the store with all seeds opposite.
    #[arg(long, value_enum, default_value = "always")]
    pub capture: CaptureWord,
}

#[allow(missing_docs)] // its variants say it all
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaptureWord {
    /// Always.
    #[default]
    Always,
    /// Only if there are seeds opposite.
    Seeds,
}

/// The game from its beginning.
///
/// # Errors
/// If there is no such board.
pub fn game(args: &KalahArgs) -> Result<Kalah, String> {
    made(args.pits, args.seeds, args.capture)
}

/// The game of a problem file.
pub(super) fn read(file: GameFile) -> Made {
    boards::read(file, |file| {
        let (pits, seeds) = (file.take("pits")?, file.take("seeds")?);
        let capture: Option<CaptureWord> = file.take_optional("capture")?;
        Ok(made(pits, seeds, capture.unwrap_or_default()))
    })
}

fn made(pits: u32, seeds: u32, capture: CaptureWord) -> Result<Kalah, String> {
    let start = Kalah::new(pits, seeds).map_err(sentence)?;
    Ok(start.with_capture(match capture {
        CaptureWord::Always => Capture::Always,
        CaptureWord::Seeds => Capture::Seeds,
    }))
}

impl BoardGame for Kalah {
    type Number = i16;
    type Rules = Self;

    const NAME: &'static str = "kalah";
    const HAS_SYMMETRY: bool = false;

    fn rules(&self) -> Self {
        *self
    }

    fn keys(&self) -> Vec<(&'static str, Value)> {
        let capture = match self.capture() {
            Capture::Always => "always",
            Capture::Seeds => "seeds",
        };
        vec![
            ("pits", json!(self.pits())),
            ("seeds", json!(self.seeds() / (2 * self.pits()))),
            ("capture", json!(capture)),
        ]
    }

    fn meaning(&self, value: i16) -> String {
        match value {
            0 => "a draw".to_owned(),
            1.. => format!("MAX wins by {value}"),
            _ => format!("MIN wins by {}", -value),
        }
    }
}

/// The game of a command line.
pub(super) fn from_args(args: &KalahArgs) -> Made {
    board(game(args)?, &args.moves, false)
}
