#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod asking;
pub mod bridge;
pub mod examples;
pub mod faults;
pub mod pages;
pub mod play;
pub mod solve;
