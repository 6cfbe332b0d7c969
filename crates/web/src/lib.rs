#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod asking;
pub mod bridge;
pub mod pages;
