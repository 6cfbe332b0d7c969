//! A game against the program, in lines of text: whoever is to move names a move, the program answers, and the board is drawn again.

use std::io::{self, BufRead, Read};
use std::time::Duration;

use meetjoin::dag::Kind;
use meetjoin::games::Refusal;
use meetjoin::lattice::{Budget, Limits, Stop};
use meetjoin::search::BoundedTables;

use super::{Judgement, Searching, TABLE_BYTES, board, player, watch};
use crate::args::{PlayArgs, SideWord};
use crate::failure::Failure;
use crate::games::boards::settled::best_known;
use crate::games::boards::{BoardGame, Positions};
use crate::{interrupt, output};

/// How long the program thinks about a move, where neither a time nor a depth is given.
const PATIENCE: Duration = Duration::from_secs(2);
/// Moves ahead, where no depth is given; no game here takes so many.
const DEEPEST: u32 = 1000;

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
pub(super) fn play<G: BoardGame>(game: G, args: &PlayArgs) -> Result<(), Failure> {
    let mut limits = interrupt::limits(&args.limits)?;
    if args.depth.is_none() {
        limits.time = limits.time.or(Some(PATIENCE));
    }
    let person = match args.side {
        Some(SideWord::Max) => Kind::Or,
        Some(SideWord::Min) => Kind::And,
        None => game.to_move(&game.root()),
    };
    let called = G::MOVE;
    let numbers = game.numbers();
    let mut past: Vec<G> = Vec::new();
    let mut now = game;
    let mut input = io::stdin().lock();
    output::print(&format!(
        "You are {}. Name a {called} from 1 to {numbers}; h is for a hint, u takes a move back, q leaves.\n{}",
        player(person).unwrap_or("a spectator"),
        board(&now, &now.root())
    ))?;
    loop {
        let position = now.root();
        let Some(mover) = player(now.to_move(&position)) else {
            let meaning = now.meaning(now.leaf(&position));
            return output::print(&format!("The game is over: {meaning}.\n"));
        };
        let number = if now.to_move(&position) == person {
            output::print(&format!("{mover}'s {called}: "))?;
            let said = interrupt::waiting(|| next_said(&mut input)).map_err(|error| {
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
                        if now.to_move(&now.root()) == person {
                            break;
                        }
                    }
                    output::print(&board(&now, &now.root()))?;
                    continue;
                }
                Said::Hint => {
                    let (number, found) = think(now, args, &limits)?;
                    let found = found.text(&now);
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
            let (number, found) = think(now, args, &limits)?;
            let found = found.text(&now);
            output::print(&format!("{mover} plays {called} {number} ({found}).\n"))?;
            number
        };
        match now.play(&position, number) {
            Ok(next) => {
                past.push(now);
                now = now.from_position(next);
                output::print(&board(&now, &now.root()))?;
            }
            Err(Refusal::Unknown) => output::print(&format!(
                "{called} {number} is none of the {called}s 1 to {numbers}.\n"
            ))?,
            Err(why) => output::print(&format!("{called} {number}: {why}.\n"))?,
        }
    }
}

/// The move that the program would make, and what it thinks of the position.
fn think<G: BoardGame>(
    game: G,
    args: &PlayArgs,
    limits: &Limits,
) -> Result<(u32, Judgement<G::Number>), Failure> {
    let tables = BoundedTables {
        bytes: interrupt::table_bytes(&args.limits, TABLE_BYTES),
    };
    let subject = Positions {
        dag: game,
        game,
        tables,
        counts: false,
    };
    let budget = Budget::new(limits.clone());
    let mut searching = Searching {
        game,
        budget: &budget,
        tables,
        watch: watch(&subject),
    };
    let (found, line) = searching.deepened(args.depth.unwrap_or(DEEPEST));
    searching.watch.line.finish();
    if found.stop == Some(Stop::Cancelled) {
        return Err(Failure::Stopped);
    }
    // Without time for a single move ahead, what is known without search must do; so it does where all moves are worth the same.
    let best = || best_known(game, &game.root(), &budget).map(|(number, _)| number);
    let number = line.first().copied().or_else(best);
    Ok((number.unwrap_or(1), found))
}
