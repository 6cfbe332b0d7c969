#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod json;
mod meter;
pub mod page;
pub mod picture;
mod text;

pub use json::{json_line, raw};
pub use meter::{Measured, Measuring, Meter};
pub use text::{aligned, fraction, one_line, percent};
