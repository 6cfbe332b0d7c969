//! Knowledge of positions of racing without search: the heuristics.

pub(crate) mod both_hands;
pub mod bounds;
pub mod decided;
pub(crate) mod imagined_hand;
pub(crate) mod of_worlds;
pub mod one_strategy;
pub(crate) mod ranks;
