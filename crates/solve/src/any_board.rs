//! Any of the board games as one type, so that searches and all that is around them are compiled once.
//!
//! Idea: a position is [packed](PackedPosition), and the game that is asked makes its own of it. A question about a position costs one jump.

use std::fmt;

use meetjoin::dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin::games::{
    ConnectFour, ConnectFourByRules, Kalah, Numbered, PackedPosition, Packs, Playable, Refusal,
    StaticEvaluation, Symmetric, TicTacToe,
};
use meetjoin::lattice::{Budget, Chain, Interval, Stop};

use crate::board::BoardGame;

/// The positions of one of several games.
macro_rules! any {
    ($(#[$doc:meta])* $any:ident: $($name:ident($($part:ty),*)),*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)] // one for each game
        pub enum $any {
            $($name($($part),*)),*
        }

        impl AndOrDag for $any {
            type Node = PackedPosition;

            fn root(&self) -> PackedPosition {
                match self {
                    $(Self::$name(game, ..) => pack(game, &game.root())),*
                }
            }

            #[inline]
            fn kind(&self, node: &PackedPosition) -> Kind {
                match self {
                    $(Self::$name(game, ..) => game.kind(&unpack(game, node))),*
                }
            }

            fn children(&self, node: &PackedPosition, out: &mut Vec<PackedPosition>) {
                match self {
                    $(Self::$name(game, ..) => game.expand(&unpack(game, node), out)),*
                }
            }

            #[inline]
            fn is_shared(&self, node: &PackedPosition) -> bool {
                match self {
                    $(Self::$name(game, ..) => game.is_shared(&unpack(game, node))),*
                }
            }

            fn name(&self, node: &PackedPosition, out: &mut dyn fmt::Write) -> fmt::Result {
                match self {
                    $(Self::$name(game, ..) => game.name(&unpack(game, node), out)),*
                }
            }

            fn move_name(
                &self,
                from: &PackedPosition,
                to: &PackedPosition,
                out: &mut dyn fmt::Write,
            ) -> fmt::Result {
                match self {
                    $(Self::$name(game, ..) => {
                        game.move_name(&unpack(game, from), &unpack(game, to), out)
                    }),*
                }
            }
        }

        impl Symmetric for $any {
            fn canonical(&self, node: &PackedPosition) -> PackedPosition {
                match self {
                    $(Self::$name(game, ..) => pack(game, &game.canonical(&unpack(game, node)))),*
                }
            }

            fn images(&self, node: &PackedPosition) -> Option<u32> {
                match self {
                    $(Self::$name(game, ..) => game.images(&unpack(game, node))),*
                }
            }
        }
    };
}

any! {
    /// Any board game, with its values among numbers of one type.
    AnyBoard: ConnectFour(ConnectFour, Chain<i16>), Kalah(Kalah, Chain<i16>), TicTacToe(TicTacToe, Chain<i16>)
}

any! {
    /// The same with all legal moves.
    AnyRules: ConnectFour(ConnectFourByRules), Kalah(Kalah), TicTacToe(TicTacToe)
}

#[inline]
fn pack<G: Packs>(_: &G, position: &G::Node) -> PackedPosition {
    G::pack(position)
}

#[inline]
fn unpack<G: Packs>(_: &G, node: &PackedPosition) -> G::Node {
    G::unpack(node)
}

/// A number of a game as one of any game.
#[inline]
fn wide(number: impl Into<i16>) -> i16 {
    number.into()
}

/// The same number in a game that has it.
fn narrow<T: TryFrom<i16> + Default>(number: i16) -> T {
    T::try_from(number).unwrap_or_default()
}

/// A question that each game answers in the same way.
macro_rules! ask {
    ($any:expr, $game:ident => $answer:expr) => {
        match $any {
            AnyBoard::ConnectFour($game, _) => $answer,
            AnyBoard::Kalah($game, _) => $answer,
            AnyBoard::TicTacToe($game, _) => $answer,
        }
    };
}

macro_rules! from {
    ($($game:ident),*) => {
        $(impl From<$game> for AnyBoard {
            fn from(game: $game) -> Self {
                let chain = game.lattice();
                let chain = Chain::new(wide(*chain.lo()), wide(*chain.hi()));
                let in_order = || unreachable!("the ends are in order, as they were");
                Self::$game(game, chain.unwrap_or_else(in_order))
            }
        })*
    };
}

from!(ConnectFour, Kalah, TicTacToe);

impl Valuation<PackedPosition> for AnyBoard {
    type Lattice = Chain<i16>;

    #[inline]
    fn lattice(&self) -> &Chain<i16> {
        let (Self::ConnectFour(_, chain) | Self::Kalah(_, chain) | Self::TicTacToe(_, chain)) =
            self;
        chain
    }

    #[inline]
    fn leaf(&self, node: &PackedPosition) -> i16 {
        ask!(self, game => wide(game.leaf(&unpack(game, node))))
    }

    fn never_bottom(&self) -> bool {
        ask!(self, game => game.never_bottom())
    }
}

impl Heuristic<PackedPosition, Chain<i16>> for AnyBoard {
    #[inline]
    fn bounds(
        &mut self,
        _: &Chain<i16>,
        node: &PackedPosition,
        budget: &Budget,
    ) -> Result<Option<Interval<i16>>, Stop> {
        ask!(self, game => {
            let (chain, position) = (*game.lattice(), unpack(game, node));
            let bounds = game.bounds(&chain, &position, budget)?;
            Ok(bounds.map(|bounds| Interval::new(wide(*bounds.lower()), wide(*bounds.upper()))))
        })
    }
}

impl StaticEvaluation<PackedPosition> for AnyBoard {
    #[inline]
    fn evaluate(&self, node: &PackedPosition) -> i16 {
        ask!(self, game => wide(game.evaluate(&unpack(game, node))))
    }
}

impl Numbered for AnyBoard {
    fn bits(&self) -> u32 {
        ask!(self, game => game.bits())
    }

    fn number(&self, node: &PackedPosition) -> u128 {
        ask!(self, game => game.number(&unpack(game, node)))
    }

    fn position(&self, number: u128) -> PackedPosition {
        ask!(self, game => pack(game, &game.position(number)))
    }
}

impl Playable for AnyBoard {
    fn move_word(&self) -> &'static str {
        ask!(self, game => game.move_word())
    }

    fn numbers(&self) -> u32 {
        ask!(self, game => game.numbers())
    }

    fn play(&self, node: &PackedPosition, number: u32) -> Result<PackedPosition, Refusal> {
        ask!(self, game => Ok(pack(game, &game.play(&unpack(game, node), number)?)))
    }

    fn to_move(&self, node: &PackedPosition) -> Kind {
        ask!(self, game => game.to_move(&unpack(game, node)))
    }

    fn from_position(self, node: PackedPosition) -> Self {
        ask!(self, game => game.from_position(unpack(&game, &node)).into())
    }

    fn draw(&self, node: &PackedPosition, out: &mut dyn fmt::Write) -> fmt::Result {
        ask!(self, game => game.draw(&unpack(game, node), out))
    }
}

impl BoardGame for AnyBoard {
    type Number = i16;
    type Rules = AnyRules;

    fn title(&self) -> &'static str {
        ask!(self, game => game.title())
    }

    fn step(&self) -> u32 {
        ask!(self, game => game.step())
    }

    fn rules(&self) -> AnyRules {
        match self {
            Self::ConnectFour(game, _) => AnyRules::ConnectFour(game.rules()),
            Self::Kalah(game, _) => AnyRules::Kalah(game.rules()),
            Self::TicTacToe(game, _) => AnyRules::TicTacToe(game.rules()),
        }
    }

    fn judged(self) -> Self {
        ask!(self, game => game.judged().into())
    }

    fn plain(&self, judged: i16) -> i16 {
        ask!(self, game => wide(game.plain(narrow(judged))))
    }

    fn is_decided(&self, judged: i16) -> bool {
        ask!(self, game => game.is_decided(narrow(judged)))
    }

    fn meaning(&self, value: i16) -> String {
        ask!(self, game => game.meaning(narrow(value)))
    }
}
