#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod json;
mod meter;
pub mod page;
mod text;

pub use json::{json_line, raw};
pub use meter::{Measured, Measuring, Meter};
pub use text::{aligned, one_line};
