//! Board games: their arguments, and what they share.

pub(crate) mod any_board;
pub(crate) mod board;
pub(crate) mod boards;
pub mod connect_four;
pub mod hexapawn;
pub mod kalah;
mod levels;
mod moves;
pub(crate) mod settled;
pub mod tic_tac_toe;

/// Calls a macro with the tokens given and a list of the board games: for each its help on the
/// command line, the name of its type in `meetjoin-games`, and its arguments
/// ([`BoardArgs`](crate::games::BoardArgs)). It is the only such list: the games of files and of
/// the command line, those that are played, and [`AnyBoard`](crate::AnyBoard) are made of it.
#[macro_export]
macro_rules! with_each_board {
    ($name:ident!($($given:tt)*)) => {
        $name! { $($given)* [
            /// Connect Four, on boards of up to 7 columns and 6 rows.
            ConnectFour: $crate::games::connect_four::ConnectFourArgs,
            /// Kalah(m, n), a game of sowing seeds (Irving, Donkers, Uiterwijk 2000).
            Kalah: $crate::games::kalah::KalahArgs,
            /// Tic-tac-toe.
            TicTacToe: $crate::games::tic_tac_toe::TicTacToeArgs
        ] }
    };
}
