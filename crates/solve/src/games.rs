//! The games: one file for each, one table of their names in files, one list of their arguments.

mod boards;
pub mod connect_four;
pub mod criteria;
pub mod hexapawn;
pub mod kalah;
pub mod racing;
pub mod random;
pub mod tic_tac_toe;
pub mod uniform;
pub mod words;

use clap::Subcommand;
use meetjoin::file::GameFile;

use crate::game::Made;

pub(crate) use boards::Positions;
pub use boards::{SymmetryArgs, of_positions, to_depth};

/// A game by its arguments.
#[derive(Debug, Subcommand)]
pub enum GameArgs {
    /// Racing, the card game with hidden hands (Li et al. 2022).
    Racing(racing::RacingArgs),
    /// A random layered graph (Li et al. 2022).
    Random(random::RandomArgs),
    /// A random tree whose outcomes have several criteria.
    Criteria(criteria::CriteriaArgs),
    /// A uniform tree whose leaves are integers, alternately MAX's and MIN's.
    Uniform(uniform::UniformArgs),
    /// Hexapawn, a chess of pawns in which MAX wants to capture many and to lose few.
    Hexapawn(hexapawn::HexapawnArgs),
    /// Connect Four, on boards of up to 7 columns and 6 rows.
    ConnectFour(SymmetryArgs<connect_four::ConnectFourArgs>),
    /// Kalah(m, n), a game of sowing seeds (Irving, Donkers, Uiterwijk 2000).
    Kalah(kalah::KalahArgs),
    /// Tic-tac-toe.
    TicTacToe(SymmetryArgs<tic_tac_toe::TicTacToeArgs>),
}

/// Makes a game from the keys of a problem file.
type Read = fn(GameFile) -> Made;

/// The games by the names that problem files give them.
const GAMES: [(&str, Read); 8] = [
    ("racing", racing::read),
    ("random", random::read),
    ("criteria", criteria::read),
    ("uniform", uniform::read),
    ("hexapawn", hexapawn::read),
    ("connect-four", connect_four::read),
    ("kalah", kalah::read),
    ("tic-tac-toe", tic_tac_toe::read),
];

/// The game of a problem file.
///
/// # Errors
/// If there is no such game, or it is none by its keys.
pub fn from_file(file: GameFile) -> Made {
    if let Some((_, read)) = GAMES.iter().find(|(name, _)| *name == file.name()) {
        return read(file);
    }
    let names = GAMES.map(|(name, _)| format!("`{name}`"));
    let [names @ .., last] = &names;
    let (name, names) = (file.name(), names.join(", "));
    Err(format!(
        "unknown game `{name}`; there are {names} and {last}"
    ))
}

/// The game of a command line.
///
/// # Errors
/// If the arguments make no game.
pub fn from_args(args: &GameArgs) -> Made {
    match args {
        GameArgs::Racing(args) => racing::from_args(args),
        GameArgs::Random(args) => Ok(random::from_args(args)),
        GameArgs::Criteria(args) => Ok(criteria::from_args(args)),
        GameArgs::Uniform(args) => Ok(uniform::from_args(args)),
        GameArgs::Hexapawn(args) => hexapawn::from_args(args),
        GameArgs::ConnectFour(args) => connect_four::from_args(args),
        GameArgs::Kalah(args) => kalah::from_args(args),
        GameArgs::TicTacToe(args) => tic_tac_toe::from_args(args),
    }
}
