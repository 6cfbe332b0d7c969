//! A game against the program, in lines of text: whoever is to move names a move, the program answers, and the board is drawn again.

use std::io::{self, BufRead, Read};
use std::time::Duration;

use meetjoin::dag::Kind;
use meetjoin::games::Refusal;
use meetjoin::lattice::{Budget, Limits, Stop};
use meetjoin_solve::play::{Analysing, Board, player};

use crate::args::{PlayArgs, SideWord};
use crate::failure::Failure;
use crate::memory::METER;
use crate::progress::ProgressLine;
use crate::{limits, output};

/// How long the program thinks about a move, where neither a time nor a depth is given.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a person says.
enum Said {
    Move(u32),
    Hint,
    Undo,
    Quit,
    Nonsense,
}

/// Bytes of a line that are kept. No move takes so many.
const LONGEST: u64 = 1024;

fn said(line: &[u8]) -> Said {
    match str::from_utf8(line).map(str::trim) {
        Ok("h" | "hint") => Said::Hint,
        Ok("u" | "undo") => Said::Undo,
        Ok("q" | "quit") => Said::Quit,
        Ok(number) => number.parse().map_or(Said::Nonsense, Said::Move),
        Err(_) => Said::Nonsense,
    }
}

/// What the next line says; `None` at the end of the input. Of a line that is too long the rest is skipped, and it is nonsense.
fn next_said(input: &mut impl BufRead) -> io::Result<Option<Said>> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
    if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Said::Nonsense));
    }
    Ok((!line.is_empty()).then(|| said(&line)))
}

/// Plays until the game is over, or the person leaves.
pub(super) fn play(game: Box<dyn Board>, args: &PlayArgs) -> Result<(), Failure> {
    let mut limits = limits::of_each(&args.limits)?;
    if args.depth.is_none() {
        limits.time = limits.time.or(Some(PATIENCE));
    }
    let person = match args.side {
        Some(SideWord::Max) => Kind::Or,
        Some(SideWord::Min) => Kind::And,
        None => game.to_move(),
    };
    let called = game.move_word();
    let numbers = game.numbers();
    let mut past: Vec<Box<dyn Board>> = Vec::new();
    let mut now = game;
    let mut input = io::stdin().lock();
    output::print(&format!(
        "You are {}. Name a {called} from 1 to {numbers}; h is for a hint, u takes a move back, q leaves.\n{}",
        player(person).unwrap_or("a spectator"),
        now.draw()
    ))?;
    loop {
        let Some(mover) = player(now.to_move()) else {
            let meaning = now.result();
            return output::print(&format!("The game is over: {meaning}.\n"));
        };
        let number = if now.to_move() == person {
            output::print(&format!("{mover}'s {called}: "))?;
            let said = limits::waiting(|| next_said(&mut input)).map_err(|error| {
                Failure::Input(format!("standard input cannot be read: {error}"))
            })?;
            let Some(said) = said else {
                return output::print("\n");
            };
            match said {
                Said::Move(number) => number,
                Said::Quit => return Ok(()),
                Said::Undo => {
                    // Back to where the person was to move before.
                    while let Some(before) = past.pop() {
                        now = before;
                        if now.to_move() == person {
                            break;
                        }
                    }
                    output::print(&now.draw())?;
                    continue;
                }
                Said::Hint => {
                    let (number, found) = think(&*now, args, &limits)?;
                    output::print(&format!("{called} {number} ({found})\n"))?;
                    continue;
                }
                Said::Nonsense => {
                    output::print(&format!(
                        "That is no {called} from 1 to {numbers}, nor h, u or q.\n"
                    ))?;
                    continue;
                }
            }
        } else {
            let (number, found) = think(&*now, args, &limits)?;
            output::print(&format!("{mover} plays {called} {number} ({found}).\n"))?;
            number
        };
        match now.play(number) {
            Ok(next) => {
                past.push(std::mem::replace(&mut now, next));
                output::print(&now.draw())?;
            }
            Err(Refusal::Unknown) => output::print(&format!(
                "{called} {number} is none of the {called}s 1 to {numbers}.\n"
            ))?,
            Err(why) => output::print(&format!("{called} {number}: {why}.\n"))?,
        }
    }
}

/// The move that the program would make, and what it thinks of the position.
fn think(game: &dyn Board, args: &PlayArgs, limits: &Limits) -> Result<(u32, String), Failure> {
    let mut line = ProgressLine::new();
    let (number, found) = game.think(Analysing {
        budget: &Budget::new(limits.clone()),
        meter: METER,
        depth: args.depth,
        progress: Some(&mut line),
    });
    line.finish();
    if found.stop == Some(Stop::Cancelled) {
        return Err(Failure::Stopped);
    }
    Ok((number, found.text()))
}
