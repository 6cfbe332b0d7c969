//! A tree as a formula, simplified before any diagram is made of it.
//!
//! [`formula`] has AND and OR over events and negated events with equal parts shared, [`simplify`]
//! its rewritings, [`modules`] the parts that share no event with the rest ([`module`] is one of
//! them), and [`order`] the orders of variables that walks of the gates give.

pub mod formula;
pub mod module;
pub mod modules;
pub mod order;
pub mod simplify;

pub use formula::Formula;
pub use module::Literal;
