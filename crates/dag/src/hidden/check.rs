//! Checks the rules of a game with hidden cards by visiting each position once.
//!
//! Idea: a depth-first walk without recursion, which finds cycles. The contract of [`HiddenGame`]
//! is checked for each position and each of its moves.
//!
//! Cost: a call for each move and world, and a set of worlds for each position on the path.

use std::collections::HashMap;

use meetjoin_lattice::{Budget, Stop, TooHeavy, Weights};

use super::game::{HiddenGame, Turn};

/// Why the rules make no game with hidden cards. Positions and worlds are named as the game names
/// them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HiddenError {
    /// No world.
    #[error("the game has no world, and needs at least one")]
    NoWorld,
    /// Nothing to win.
    #[error("the most points are 0, and must be at least 1")]
    NoPoints,
    /// Weights overflow.
    #[error(transparent)]
    TooHeavy(#[from] TooHeavy),
    /// Every world weighs nothing.
    #[error("every world weighs 0")]
    Weightless,
    /// The number of worlds is not always the same.
    #[error("the game had {before} worlds when it began, and has {now} now")]
    WorldsChanged {
        /// The number at first.
        before: usize,
        /// The number later.
        now: usize,
    },
    /// The start does not fit a world.
    #[error("the start {position} is impossible in world {world}")]
    ImpossibleStart {
        /// The start.
        position: String,
        /// The world.
        world: String,
    },
    /// The game is not over, and there is no move.
    #[error("at {position} the game is not over, and there is no move")]
    NoMove {
        /// The position.
        position: String,
    },
    /// A move that is possible in no world that is left.
    #[error("at {position} the move {made} is possible in no world")]
    ImpossibleMove {
        /// The position.
        position: String,
        /// The move.
        made: String,
    },
    /// A move of MAX that is not possible in every world that is left.
    #[error(
        "at {position} the move {made} of MAX is impossible in world {world}: what she may do must not depend on what she does not see"
    )]
    HiddenMove {
        /// The position.
        position: String,
        /// The move.
        made: String,
        /// The world.
        world: String,
    },
    /// A world in which MIN has no move.
    #[error("at {position} MIN has no move in world {world}")]
    Stuck {
        /// The position.
        position: String,
        /// The world.
        world: String,
    },
    /// A world that was ruled out is possible again.
    #[error("after {made} at {position} world {world} is possible, and before it was not")]
    Returns {
        /// The position.
        position: String,
        /// The move.
        made: String,
        /// The world.
        world: String,
    },
    /// More points than there are.
    #[error("at {position} MAX has {points} points in world {world}, and the most are {most}")]
    TooManyPoints {
        /// The position.
        position: String,
        /// The world.
        world: String,
        /// Her points.
        points: u32,
        /// The most points.
        most: u32,
    },
    /// A position that can be reached from itself.
    #[error("the game does not end: {position} comes after itself")]
    Endless {
        /// The position.
        position: String,
    },
    /// The budget ended the check before anything was found.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// A position on the path.
struct Frame<P> {
    position: P,
    moves: Vec<P>,
    next: usize,
}

/// Checks every position of a game, and returns their number.
///
/// # Errors
/// The first violation; or why the budget ended the check before one was found.
pub fn check<G: HiddenGame>(game: &G, budget: &Budget) -> Result<usize, HiddenError> {
    let worlds = game.worlds();
    if worlds == 0 {
        return Err(HiddenError::NoWorld);
    }
    if game.most_points() == 0 {
        return Err(HiddenError::NoPoints);
    }
    let weights = Weights::new((0..worlds).map(|world| game.weight(world)))?;
    if (0..worlds).all(|world| weights.of_world(world) == 0) {
        return Err(HiddenError::Weightless);
    }
    let start = game.start();
    let left = possible(game, &start, worlds)?;
    if let Some(world) = (0..worlds).find(|world| !has(&left, *world)) {
        return Err(HiddenError::ImpossibleStart {
            position: position_name(game, &start),
            world: world_name(game, world),
        });
    }
    // Whether the walk has left each position met so far.
    let mut done: HashMap<G::Position, bool> = HashMap::new();
    let mut open = vec![looked_at(game, start.clone(), worlds, budget)?];
    done.insert(start, false);
    while let Some(frame) = open.last_mut() {
        let Some(next) = frame.moves.get(frame.next).cloned() else {
            done.insert(frame.position.clone(), true);
            open.pop();
            continue;
        };
        frame.next += 1;
        match done.get(&next) {
            Some(true) => {}
            Some(false) => {
                let position = position_name(game, &next);
                return Err(HiddenError::Endless { position });
            }
            None => {
                let frame = looked_at(game, next.clone(), worlds, budget)?;
                done.insert(next, false);
                open.push(frame);
            }
        }
    }
    Ok(done.len())
}

/// Checks the moves and points of a position, and makes it a frame.
fn looked_at<G: HiddenGame>(
    game: &G,
    position: G::Position,
    worlds: usize,
    budget: &Budget,
) -> Result<Frame<G::Position>, HiddenError> {
    budget.steps(1 + worlds as u64 / 64)?;
    let left = possible(game, &position, worlds)?;
    let name = || position_name(game, &position);
    let turn = game.turn(&position);
    let mut moves = Vec::new();
    if turn == Turn::Over {
        let most = game.most_points();
        for world in (0..worlds).filter(|world| has(&left, *world)) {
            let by_world = game.points(&position, world);
            let in_all = game.points_in_all(&position).unwrap_or(by_world);
            let points = by_world.max(in_all);
            if points > most {
                return Err(HiddenError::TooManyPoints {
                    position: name(),
                    world: world_name(game, world),
                    points,
                    most,
                });
            }
        }
    } else {
        game.moves(&position, &mut moves);
        if moves.is_empty() {
            return Err(HiddenError::NoMove { position: name() });
        }
        let mut allowed = vec![0; left.len()];
        for next in &moves {
            let after = possible(game, next, worlds)?;
            let made = || move_name(game, &position, next);
            if after.iter().all(|word| *word == 0) {
                let (position, made) = (name(), made());
                return Err(HiddenError::ImpossibleMove { position, made });
            }
            if let Some(world) = (0..worlds).find(|w| has(&after, *w) && !has(&left, *w)) {
                return Err(HiddenError::Returns {
                    position: name(),
                    made: made(),
                    world: world_name(game, world),
                });
            }
            let lacking = (0..worlds).find(|w| has(&left, *w) && !has(&after, *w));
            if let (Turn::Max, Some(world)) = (turn, lacking) {
                return Err(HiddenError::HiddenMove {
                    position: name(),
                    made: made(),
                    world: world_name(game, world),
                });
            }
            (allowed.iter_mut().zip(&after)).for_each(|(all, word)| *all |= word);
        }
        if let Some(world) = (0..worlds).find(|w| has(&left, *w) && !has(&allowed, *w)) {
            return Err(HiddenError::Stuck {
                position: name(),
                world: world_name(game, world),
            });
        }
    }
    Ok(Frame {
        position,
        moves,
        next: 0,
    })
}

/// The worlds in which a position is possible. Checks that their number has not changed.
fn possible<G: HiddenGame>(
    game: &G,
    position: &G::Position,
    worlds: usize,
) -> Result<Vec<u64>, HiddenError> {
    let now = game.worlds();
    if now != worlds {
        let before = worlds;
        return Err(HiddenError::WorldsChanged { before, now });
    }
    let mut words = vec![0; worlds.div_ceil(64)];
    game.possible(position, &mut words);
    let most = words.iter().rposition(|word| *word != 0);
    let highest = most.map(|place| 64 * place + words[place].ilog2() as usize);
    match highest {
        Some(world) if world >= worlds => Err(HiddenError::WorldsChanged {
            before: worlds,
            now: world + 1,
        }),
        _ => Ok(words),
    }
}

fn has(words: &[u64], world: usize) -> bool {
    words[world / 64] >> (world % 64) & 1 == 1
}

fn position_name<G: HiddenGame>(game: &G, position: &G::Position) -> String {
    let mut name = String::new();
    // Writing to a `String` cannot fail; if the game returns an error, the name ends there.
    let _ = game.name(position, &mut name);
    name
}

fn move_name<G: HiddenGame>(game: &G, from: &G::Position, to: &G::Position) -> String {
    let mut name = String::new();
    let _ = game.move_name(from, to, &mut name);
    name
}

fn world_name<G: HiddenGame>(game: &G, world: usize) -> String {
    let mut name = String::new();
    let _ = game.world_name(world, &mut name);
    name
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// What is wrong with a game of two worlds, in which MAX moves from 0 to 1, where it is over.
    #[derive(Clone, Copy, PartialEq)]
    enum Wrong {
        Nothing,
        Worlds,
        HighWorld,
        Start,
        NoMove,
        Returns,
        Endless,
    }

    struct Broken {
        wrong: Wrong,
        asked: Cell<usize>,
    }

    impl HiddenGame for Broken {
        type Position = u8;

        fn worlds(&self) -> usize {
            self.asked.set(self.asked.get() + 1);
            if self.wrong == Wrong::Worlds && self.asked.get() > 20 {
                3
            } else {
                2
            }
        }

        fn start(&self) -> u8 {
            0
        }

        fn turn(&self, position: &u8) -> Turn {
            match position {
                0 if self.wrong == Wrong::Returns => Turn::Min,
                0 | 1 => Turn::Max,
                _ => Turn::Over,
            }
        }

        fn moves(&self, position: &u8, out: &mut Vec<u8>) {
            match self.wrong {
                Wrong::NoMove if *position == 1 => {}
                Wrong::Endless if *position == 1 => out.push(0),
                Wrong::Returns if *position == 0 => out.extend([1, 3]),
                _ => out.push(position + 1),
            }
        }

        fn is_possible(&self, position: &u8, world: usize) -> bool {
            match (self.wrong, position) {
                (Wrong::Start, 0) | (Wrong::Returns, 1) => world == 0,
                _ => true,
            }
        }

        fn possible(&self, position: &u8, words: &mut [u64]) {
            for world in 0..2 {
                words[0] |= u64::from(self.is_possible(position, world)) << world;
            }
            if self.wrong == Wrong::HighWorld && *position == 2 {
                words[0] |= 1 << 5;
            }
        }

        fn points(&self, _: &u8, world: usize) -> u32 {
            world as u32
        }
    }

    #[test]
    fn what_a_table_cannot_have_wrong_is_found_in_rules() {
        let said = |wrong| {
            let game = Broken {
                wrong,
                asked: Cell::new(0),
            };
            let checked = check(&game, &Budget::unlimited());
            checked.map_err(|error| error.to_string())
        };
        assert_eq!(said(Wrong::Nothing), Ok(3));
        let is = |wrong, sentence: &str| assert_eq!(said(wrong), Err(sentence.to_owned()));
        let now = "the game had 2 worlds when it began, and has";
        is(Wrong::HighWorld, &format!("{now} 6 now"));
        is(Wrong::Start, "the start 0 is impossible in world 1");
        is(
            Wrong::NoMove,
            "at 1 the game is not over, and there is no move",
        );
        is(
            Wrong::Returns,
            "after 2 at 1 world 1 is possible, and before it was not",
        );
        is(
            Wrong::Endless,
            "the game does not end: 0 comes after itself",
        );
    }

    #[test]
    fn worlds_that_change_their_number_are_found() {
        let mut found = None;
        // A change is found whenever it comes.
        for asked in 0..20 {
            let game = Broken {
                wrong: Wrong::Worlds,
                asked: Cell::new(asked),
            };
            found = check(&game, &Budget::unlimited()).err().or(found);
        }
        let changed = HiddenError::WorldsChanged { before: 2, now: 3 };
        assert_eq!(found, Some(changed));
    }
}
