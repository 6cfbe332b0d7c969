#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod asking;
pub mod book;
pub mod bridge;
pub mod examples;
#[cfg(feature = "faults")]
pub mod faults;
pub mod pages;
#[cfg(feature = "seam")]
pub mod play;
#[cfg(feature = "seam")]
pub mod solve;
