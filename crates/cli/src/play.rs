//! `meetjoin play`: what a position and each of its moves is worth, or a game against the program.

mod terminal;

use meetjoin::games::{ConnectFour, IllegalMove, Kalah, Playable as _, TicTacToe};
use meetjoin::lattice::Budget;
use meetjoin_solve::games::{connect_four, kalah};
use meetjoin_solve::play::{Analysing, Board};

use crate::args::{PlayArgs, PlayGame, PlayedArgs};
use crate::failure::Failure;
use crate::memory::METER;
use crate::progress::ProgressLine;
use crate::{interrupt, output};

pub(crate) fn run(game: &PlayGame) -> Result<(), Failure> {
    let illegal = |error: IllegalMove| Failure::Input(error.to_string());
    let (board, args): (Box<dyn Board>, &PlayArgs) = match game {
        PlayGame::ConnectFour(PlayedArgs { game, play }) => {
            let empty: ConnectFour = connect_four::game(game).map_err(Failure::Input)?;
            (Box::new(empty.after(&game.moves).map_err(illegal)?), play)
        }
        PlayGame::Kalah(PlayedArgs { game, play }) => {
            let start: Kalah = kalah::game(game).map_err(Failure::Input)?;
            (Box::new(start.after(&game.moves).map_err(illegal)?), play)
        }
        PlayGame::TicTacToe(PlayedArgs { game, play }) => {
            let board = TicTacToe::new().after(&game.moves);
            (Box::new(board.map_err(illegal)?), play)
        }
    };
    if args.interactive {
        return terminal::play(board, args);
    }
    let budget = Budget::new(interrupt::limits(&args.limits)?);
    let mut line = ProgressLine::new();
    let analysis = board.analyse(Analysing {
        budget: &budget,
        meter: METER,
        depth: args.depth,
        progress: Some(&mut line),
    });
    line.finish();
    output::print(&if args.json {
        analysis.json()
    } else {
        analysis.text()
    })?;
    if analysis.is_complete() {
        Ok(())
    } else {
        Err(Failure::Stopped)
    }
}
