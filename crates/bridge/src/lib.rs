#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod ending;
pub mod play;
pub mod suit;

pub use ending::{
    AllSeen, Ending, EndingChoice, EndingError, EndingFamilies, EndingFirstTie, EndingGame,
    EndingHeaviest, EndingLayout, EndingOrders, EndingPosition, EndingReasons, EndingSeen,
    EndingWatch, EndingWay, heaviest_of_ending,
};
pub use play::{
    Card, Cards, CardsError, Counts, Deal, DealCard, DealError, DealHand, Defender, DoubleDummy,
    Hand, Knowledge, Layout, Move, SUITS, Seat, SeenCards, Stage, Suit, SuitError, SuitFamilies,
    SuitGame, SuitPosition, named_cards, trump_of, two_hands,
};
