//! The games: one file for each, with a struct of its arguments, which are also its keys in problem
//! files, and one list of all.

pub mod criteria;
pub mod fault_tree;
pub(crate) mod on_boards;
mod positions;
pub mod random;
pub mod uniform;
mod with_hands;
pub mod words;

use clap::Subcommand;
use meetjoin_file::GameFile;
use serde::Deserialize;

use crate::game::{Made, sentence};
use crate::with_each_board;

pub(crate) use on_boards::boards::Positions;
pub use on_boards::boards::{BoardArgs, SymmetryArgs, from_the_root, to_depth};
pub use on_boards::*;
pub use with_hands::{ending, hidden, race, racing, tricks};

/// Defines [`GameArgs`] and [`made`]: games of all kinds, and each board game.
macro_rules! games {
    ([$($(#[$help:meta])* $board:ident: $args:ty),*]) => {
        /// A game by its arguments, or by the keys of a problem file, which has the same names.
        #[derive(Clone, Debug, Subcommand, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum GameArgs {
            /// Racing, the card game with hidden hands (Li et al. 2022).
            Racing(racing::RacingArgs),
            /// A game with hidden cards, node by node: in files only.
            #[command(skip)]
            Hidden(hidden::HiddenArgs),
            /// The last tricks of a game of tricks, whose rules are values: in files only.
            #[command(skip)]
            Tricks(tricks::TricksArgs),
            /// A random layered graph (Li et al. 2022).
            Random(random::RandomArgs),
            /// A random tree whose outcomes have several criteria.
            Criteria(criteria::CriteriaArgs),
            /// A uniform tree with integer leaves, in which MAX and MIN alternate.
            Uniform(uniform::UniformArgs),
            /// A random fault tree; its value is the Boolean function of its top event.
            FaultTree(fault_tree::FaultTreeArgs),
            /// Hexapawn, chess with pawns only, in which MAX wants to capture many pawns and to
            /// lose few.
            Hexapawn(hexapawn::HexapawnArgs),
            $($(#[$help])* $board(<$args as BoardArgs>::Command)),*
        }

        /// The game with these arguments.
        ///
        /// # Errors
        /// If the arguments do not make a game.
        pub fn made(args: GameArgs) -> Made {
            match args {
                GameArgs::Racing(args) => racing::made(&args),
                GameArgs::Hidden(args) => hidden::made(args),
                GameArgs::Tricks(args) => tricks::made(args),
                GameArgs::Random(args) => Ok(Box::new(args)),
                GameArgs::Criteria(args) => Ok(Box::new(args)),
                GameArgs::Uniform(args) => Ok(Box::new(args)),
                GameArgs::FaultTree(args) => Ok(Box::new(args)),
                GameArgs::Hexapawn(args) => hexapawn::made(args),
                $(GameArgs::$board(args) => on_boards::boards::made(<$args>::of_command(args))),*
            }
        }
    };
}
with_each_board!(games!());

/// The game of a problem file.
///
/// # Errors
/// If there is no such game, or its keys do not make a game.
pub fn from_file(file: &GameFile) -> Made {
    made(file.read().map_err(sentence)?)
}
