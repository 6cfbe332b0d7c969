//! Games and generators: what they draw, its shape, and positions as numbers.
#![allow(missing_docs)]

mod golden;
mod layers;
mod numbered;
mod packed;
mod tricks;
