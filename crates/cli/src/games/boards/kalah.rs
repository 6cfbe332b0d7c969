//! Kalah: sizes, the rule of capture, and what a value means.

use meetjoin::file::GameFile;
use meetjoin::games::kalah::{Capture, Kalah};
use serde_json::{Value, json};

use super::super::{Made, sentence};
use super::BoardGame;
use crate::args::{CaptureWord, KalahArgs};

pub(super) fn game(args: &KalahArgs) -> Result<Kalah, String> {
    made(args.pits, args.seeds, args.capture)
}

pub(crate) fn read(file: GameFile) -> Made {
    super::read(file, |file| {
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
