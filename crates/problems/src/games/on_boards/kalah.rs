//! Kalah: sizes, the rule of capture, and what a value means.

use clap::Args;
use meetjoin_games::kalah::{Capture, Kalah};
use serde::{Deserialize, Serialize};

use super::boards::BoardArgs;
use crate::game::{lattice_key, sentence};
use crate::games::on_boards::board::BoardGame;
use crate::games::words::IntegerLattice;

#[derive(Args, Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // they would become the help of the command
pub struct KalahArgs {
    /// Number of pits of each player, m.
    #[arg(
        long,
        value_name = "M",
        default_value_t = 6,
        allow_negative_numbers = true
    )]
    pub pits: u32,

    /// Number of seeds in each pit at the start, n.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        allow_negative_numbers = true
    )]
    pub seeds: u32,

    /// When to capture after the last seed falls into the mover's own empty pit: that seed and all
    /// seeds opposite go to the mover's store.
    #[arg(long, value_enum, default_value = "always")]
    #[serde(default)]
    pub capture: Capture,

    /// The pits of the moves so far, one digit each, from 1 for the one farthest from the mover's
    /// store, as in 362.
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
    #[serde(with = "lattice_key")]
    pub lattice: IntegerLattice,
}

impl BoardArgs for KalahArgs {
    type Game = Kalah;
    type Command = Self;

    fn of_command(command: Self) -> Self {
        command
    }

    fn start(&self) -> Result<Kalah, String> {
        let start = Kalah::new(self.pits, self.seeds).map_err(sentence)?;
        Ok(start.with_capture(self.capture))
    }

    fn moves(&mut self) -> &mut String {
        &mut self.moves
    }
}

impl BoardGame for Kalah {
    type Number = i16;
    type Rules = Self;

    fn title(&self) -> &'static str {
        "kalah"
    }

    fn rules(&self) -> Self {
        *self
    }

    fn meaning(&self, value: i16) -> String {
        match value {
            0 => "a draw".to_owned(),
            1.. => format!("MAX wins by {value}"),
            _ => format!("MIN wins by {}", -value),
        }
    }
}
