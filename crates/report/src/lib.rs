#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod contract;
mod json;
pub mod line;
mod meter;
mod near;
pub mod page;
pub mod picture;
pub mod progress;
mod text;
mod wrap;

pub use contract::{Answer, Application, Refusal, Run, request};
pub use json::{json_line, raw};
pub use meter::{Measured, Measuring, Meter};
pub use near::{did_you_mean, meant, nearest};
pub use text::{aligned, counted, fraction, one_line, other_encoding, percent};
pub use wrap::{WIDEST, fitted, unbroken, wrapped};
