//! The interface of a search, in and out: the environment, an observer, an order of children, and
//! the outcome.

pub mod env;
pub mod observer;
pub mod order;
pub mod outcome;
pub mod proof_numbers;
