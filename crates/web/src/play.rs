//! Questions about games that are played: what a position and each of its moves is worth, and in
//! racing what each card leaves.

mod race;

use meetjoin_lattice::Budget;
use meetjoin_problems::play::{self, Analysing, Board, Judgement};
use meetjoin_problems::with_each_board;
use serde::{Deserialize, Serialize};

use crate::asking::{self, Answered, Memory, with_more};

/// A question about a game.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Question {
    Board(BoardQuestion),
    Racing(race::Question),
}

/// A position of a board game, and how far it is looked ahead; without a depth to the end.
#[derive(Debug, Deserialize)]
struct BoardQuestion {
    depth: Option<u32>,
    #[serde(flatten)]
    game: Game,
}

/// Defines [`Game`].
macro_rules! game {
    ([$($(#[$help:meta])* $board:ident: $args:ty),*]) => {
        /// A game by the keys that it has in a problem file.
        #[derive(Debug, Deserialize)]
        #[serde(tag = "game", rename_all = "kebab-case")]
        enum Game {
            $($board($args)),*
        }

        impl Game {
            /// The board after the moves so far.
            fn board(&self) -> Result<Box<dyn Board>, String> {
                match self {
                    $(Self::$board(args) => play::board(args),)*
                }
            }
        }
    };
}
with_each_board!(game!());

/// What comes with an answer: the words that the command has for people.
#[derive(Serialize)]
struct More {
    drawing: String,
    /// How the game has ended, if it has.
    result: Option<String>,
    says: String,
    moves: Vec<String>,
}

/// Answers a question.
///
/// # Errors
/// The sentence that says why it cannot be answered.
pub fn answer(bytes: &[u8], memory: Memory) -> Result<Answered, String> {
    let asked = asking::read::<Question>(bytes, memory)?;
    let budget = Budget::new(asked.limits);
    match asked.ask {
        Question::Board(BoardQuestion { depth, game }) => {
            if depth == Some(0) {
                return Err("a search looks at least one move ahead".to_owned());
            }
            Ok(judged(&*game.board()?, depth, &budget, memory))
        }
        Question::Racing(question) => race::answer(&question, &budget),
    }
}

fn judged(board: &dyn Board, depth: Option<u32>, budget: &Budget, memory: Memory) -> Answered {
    let is_over = board.to_move() == meetjoin_dag::Kind::Leaf;
    let analysis = board.analyse(Analysing {
        budget,
        meter: memory.meter,
        depth,
        threads: std::num::NonZero::<usize>::MIN,
        progress: None,
    });
    let words = |found: &Judgement| found.text();
    let more = More {
        drawing: board.draw(),
        result: is_over.then(|| board.result()),
        says: words(&analysis.root),
        moves: analysis
            .moves
            .iter()
            .map(|(_, found)| words(found))
            .collect(),
    };
    Answered {
        text: with_more(analysis.json().as_bytes(), Some(&more)),
        is_complete: analysis.is_complete(),
    }
}
