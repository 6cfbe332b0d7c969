//! `meetjoin play`: what a position and each of its moves is worth, or a game against the program;
//! racing is always one.

mod picture;
mod race;
mod said;
mod terminal;

use meetjoin_lattice::Budget;
use meetjoin_problems::games::BoardArgs;
use meetjoin_problems::play::{self, Analysing, Board};
use meetjoin_problems::with_each_board;

use crate::arguments::args::{PlayArgs, PlayGame, PlayedArgs};
use crate::process::failure::Failure;
use crate::process::memory::METER;
use crate::process::progress::ProgressLine;
use crate::process::{limits, output};

/// A board after the moves so far, and how it is to be played.
fn board<A: BoardArgs>(args: &PlayedArgs<A>) -> Result<(Box<dyn Board>, &PlayArgs), Failure> {
    let board = play::board(&args.game).map_err(Failure::Input)?;
    Ok((board, &args.play))
}

/// The board of one of the games, unless it is racing.
macro_rules! board_of {
    ($game:ident, [$($(#[$help:meta])* $board:ident: $args:ty),*]) => {
        match $game {
            $(PlayGame::$board(args) => board(args),)*
            PlayGame::Racing(args) => return race::play(args),
        }
    };
}

pub(crate) fn run(game: &PlayGame) -> Result<(), Failure> {
    let (board, args) = with_each_board!(board_of!(game,))?;
    if args.interactive {
        return terminal::play(board, args);
    }
    if args.picture.is_some() && !matches!(game, PlayGame::ConnectFour(_)) {
        let why = "--picture draws positions of Connect Four, and of no other game";
        return Err(Failure::Input(why.to_owned()));
    }
    output::try_paths([], [&args.picture])?;
    let budget = Budget::new(limits::of_command(&args.limits)?);
    let mut line = ProgressLine::new();
    let request = Analysing {
        budget: &budget,
        meter: METER,
        depth: args.depth,
        threads: args.threads.unwrap_or_default().0,
        progress: Some(&mut line),
    };
    let analysis = limits::searching(|| board.analyse(request));
    let svg = || picture::svg(&board.draw(), &analysis);
    let written = output::replace_all(args.picture.iter().map(|file| (file, svg())));
    output::print_answer(
        args.json,
        || analysis.json(),
        || analysis.text(args.verbose),
    )?;
    written?;
    if !args.json {
        output::tell_written(&args.picture)?;
    }
    Failure::unless_complete(analysis.is_complete())
}
