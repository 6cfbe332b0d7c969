//! Cards, deals, and the play of a single suit.
//!
//! Declarer sees her two hands, and asks how to play them against the cards of the defenders, which
//! she does not see.
//!
//! Declarer is OR, the defenders are AND. They play *best defence* (Frank and Basin 1998): they see
//! all cards and know declarer's strategy, which is a function of what she has seen. So a strategy
//! guarantees each layout of the missing cards a number of tricks, and the value of the game is the
//! family of sets of layouts in which one strategy reaches a goal. The heaviest set of that family
//! is the greatest chance.
//!
//! [`cards`] has cards as people write them, [`deal`] deals of all suits, [`suit`] the layouts of
//! one suit and their weights, [`game`] the play as a game with hidden cards, and [`perfect`] the
//! game with all cards seen, from which [`bounds`] has bounds of positions.
//!
//! *Rule 8.* Cards of the defenders between which declarer has none count as one kind, and a layout
//! is how many of each kind West has. A strategy that treats equal cards differently wins no more:
//! the proof is in [`ending::heaviest`](crate::ending::heaviest), and here it does not matter which
//! defender wins a trick. Where single equal cards are known to lie with one defender it does not
//! apply, and what could be gained there is left out.

pub mod bounds;
pub mod cards;
pub mod deal;
pub mod game;
pub mod perfect;
pub mod suit;

pub use bounds::{SeenCards, SuitFamilies};
pub use cards::{Card, Cards, CardsError, named_cards, two_hands};
pub use deal::{Deal, DealCard, DealError, DealHand, SUITS, Seat, trump_of};
pub use game::{Defender, Move, Stage, SuitGame, SuitPosition};
pub use perfect::DoubleDummy;
pub use suit::{Counts, Hand, Knowledge, Layout, Suit, SuitError};
