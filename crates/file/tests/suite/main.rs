//! Files: what may be written, what is refused and how, and that what is printed can be read.
#![allow(missing_docs)]

mod binary;
mod checkpoints;
mod dot;
mod errors;
mod files;
mod game_keys;
mod points_by_world;
mod readable;
mod round_trips;
mod streams;
mod values;
