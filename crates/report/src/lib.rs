#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod json;
pub mod line;
mod meter;
mod near;
pub mod page;
pub mod picture;
pub mod progress;
mod text;

pub use json::{json_line, raw};
pub use meter::{Measured, Measuring, Meter};
pub use near::{meant, nearest};
pub use text::{aligned, counted, fraction, one_line, other_encoding, percent};
