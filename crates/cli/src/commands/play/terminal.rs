//! A game against the program, in lines of text: the person names a move, the program answers, and
//! the board is drawn again.

use std::io;

use meetjoin_dag::Kind;
use meetjoin_games::Refusal;
use meetjoin_lattice::{Budget, Limits};
use meetjoin_problems::play::{Analysing, Board, player};

use super::said::{Course, PATIENCE, Said, ask};
use crate::arguments::args::{PlayArgs, SideWord};
use crate::process::failure::Failure;
use crate::process::memory::METER;
use crate::process::progress::ProgressLine;
use crate::process::{limits, output};

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
    let moves = format!("{called} from 1 to {}", game.numbers());
    let mut course = Course::new(game);
    let mut input = io::stdin().lock();
    output::tell(&format!(
        "You are {}. Name a {moves}. h: a hint, u: a move back, q: leave.\n{}",
        player(person).unwrap_or("a spectator"),
        course.now.draw()
    ))?;
    loop {
        let now = &*course.now;
        let Some(mover) = player(now.to_move()) else {
            let meaning = now.result();
            return output::tell(&format!("The game is over: {meaning}.\n"));
        };
        let number = if now.to_move() == person {
            match ask(&mut input, &format!("{mover}'s {called}: "), &moves)? {
                Said::Move(number) => number,
                Said::Quit => return Ok(()),
                Said::Undo => {
                    course.go_back(|game| game.to_move() == person);
                    output::tell(&course.now.draw())?;
                    continue;
                }
                Said::Hint => {
                    let (number, found) = think(now, args, &limits);
                    output::tell(&format!("{called} {number} ({found})\n"))?;
                    continue;
                }
            }
        } else {
            let (number, found) = think(now, args, &limits);
            output::tell(&format!("{mover} plays {called} {number} ({found}).\n"))?;
            number
        };
        match now.play(number) {
            Ok(next) => {
                output::tell(&next.draw())?;
                course.go_to(next);
            }
            Err(Refusal::Unknown) => output::tell(&format!(
                "{called} {number} is none of the {called}s 1 to {}.\n",
                now.numbers()
            ))?,
            Err(why) => output::tell(&format!("{called} {number}: {why}.\n"))?,
        }
    }
}

/// The move that the program would make, and what it thinks of the position.
fn think(game: &dyn Board, args: &PlayArgs, limits: &Limits) -> (u32, String) {
    let mut line = ProgressLine::new();
    let (number, found) = limits::thinking(|| {
        game.think(Analysing {
            budget: &Budget::new(limits.clone()),
            meter: METER,
            depth: args.depth,
            threads: args.threads.unwrap_or_default().0,
            progress: Some(&mut line),
        })
    });
    (number, found.text())
}
