//! The interface of a search: its environment, observers, orders of children, and the outcome.

pub mod env;
pub mod observer;
pub mod order;
pub mod outcome;
pub mod proof_numbers;
