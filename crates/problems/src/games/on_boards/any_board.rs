//! All board games as one type, so that searches and the code around them are compiled once.
//!
//! Idea: a position is [packed](PackedPosition), and each game unpacks its own. A call about a
//! position costs one branch. The games are those of [`with_each_board`].

use std::fmt;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_games::{
    self as games, Numbered, PackedPosition, Packs, Playable, Refusal, StaticEvaluation, Symmetric,
};
use meetjoin_lattice::{Budget, Chain, Interval, Stop};

use crate::games::on_boards::board::BoardGame;
use crate::with_each_board;

/// An enum of games over packed positions.
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

#[inline]
fn pack<G: Packs>(_: &G, position: &G::Node) -> PackedPosition {
    G::pack(position)
}

#[inline]
fn unpack<G: Packs>(_: &G, node: &PackedPosition) -> G::Node {
    G::unpack(node)
}

/// A number of one game as a number for all games.
#[inline]
fn wide(number: impl Into<i16>) -> i16 {
    number.into()
}

/// A number for all games as one of a game whose type holds it.
fn narrow<T: TryFrom<i16> + Default>(number: i16) -> T {
    T::try_from(number).unwrap_or_default()
}

/// Implements the methods that all games delegate alike.
macro_rules! boards {
    ([$($(#[$help:meta])* $game:ident: $args:ty),*]) => {
        any! {
            /// Any board game, with its values as numbers of one type.
            AnyBoard: $($game(games::$game, Chain<i16>)),*
        }

        any! {
            /// Any board game with all legal moves.
            AnyRules: $($game(<games::$game as BoardGame>::Rules)),*
        }

        $(impl From<games::$game> for AnyBoard {
            fn from(game: games::$game) -> Self {
                let chain = game.lattice();
                let chain = Chain::new(wide(*chain.lo()), wide(*chain.hi()));
                let in_order = || unreachable!("the ends are in order, as they were");
                Self::$game(game, chain.unwrap_or_else(in_order))
            }
        })*

        impl Valuation<PackedPosition> for AnyBoard {
            type Lattice = Chain<i16>;

            #[inline]
            fn lattice(&self) -> &Chain<i16> {
                match self {
                    $(Self::$game(_, chain) => chain),*
                }
            }

            #[inline]
            fn leaf(&self, node: &PackedPosition) -> i16 {
                match self { $(Self::$game(game, _) => wide(game.leaf(&unpack(game, node)))),* }
            }

            fn never_bottom(&self) -> bool {
                match self { $(Self::$game(game, _) => game.never_bottom()),* }
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
                match self {
                    $(Self::$game(game, _) => {
                        let (chain, position) = (*game.lattice(), unpack(game, node));
                        let bounds = game.bounds(&chain, &position, budget)?;
                        Ok(bounds.map(|known| Interval::new(wide(*known.lower()), wide(*known.upper()))))
                    }),*
                }
            }
        }

        impl StaticEvaluation<PackedPosition> for AnyBoard {
            #[inline]
            fn evaluate(&self, node: &PackedPosition) -> i16 {
                match self { $(Self::$game(game, _) => wide(game.evaluate(&unpack(game, node)))),* }
            }
        }

        impl Numbered for AnyBoard {
            fn bits(&self) -> u32 {
                match self { $(Self::$game(game, _) => game.bits()),* }
            }

            fn number(&self, node: &PackedPosition) -> u128 {
                match self { $(Self::$game(game, _) => game.number(&unpack(game, node))),* }
            }

            fn position(&self, number: u128) -> PackedPosition {
                match self { $(Self::$game(game, _) => pack(game, &game.position(number))),* }
            }
        }

        impl Playable for AnyBoard {
            fn move_word(&self) -> &'static str {
                match self { $(Self::$game(game, _) => game.move_word()),* }
            }

            fn numbers(&self) -> u32 {
                match self { $(Self::$game(game, _) => game.numbers()),* }
            }

            fn play(&self, node: &PackedPosition, number: u32) -> Result<PackedPosition, Refusal> {
                match self { $(Self::$game(game, _) => Ok(pack(game, &game.play(&unpack(game, node), number)?))),* }
            }

            fn to_move(&self, node: &PackedPosition) -> Kind {
                match self { $(Self::$game(game, _) => game.to_move(&unpack(game, node))),* }
            }

            fn from_position(self, node: PackedPosition) -> Self {
                match self { $(Self::$game(game, _) => game.from_position(unpack(&game, &node)).into()),* }
            }

            fn draw(&self, node: &PackedPosition, out: &mut dyn fmt::Write) -> fmt::Result {
                match self { $(Self::$game(game, _) => game.draw(&unpack(game, node), out)),* }
            }
        }

        impl BoardGame for AnyBoard {
            type Number = i16;
            type Rules = AnyRules;

            fn title(&self) -> &'static str {
                match self { $(Self::$game(game, _) => game.title()),* }
            }

            fn step(&self) -> u32 {
                match self { $(Self::$game(game, _) => game.step()),* }
            }

            fn rules(&self) -> AnyRules {
                match self { $(Self::$game(game, _) => AnyRules::$game(game.rules())),* }
            }

            fn judged(self) -> Self {
                match self { $(Self::$game(game, _) => game.judged().into()),* }
            }

            fn plain(&self, judged: i16) -> i16 {
                match self { $(Self::$game(game, _) => wide(game.plain(narrow(judged)))),* }
            }

            fn is_decided(&self, judged: i16) -> bool {
                match self { $(Self::$game(game, _) => game.is_decided(narrow(judged))),* }
            }

            fn meaning(&self, value: i16) -> String {
                match self { $(Self::$game(game, _) => game.meaning(narrow(value))),* }
            }
        }
    };
}

with_each_board!(boards!());
