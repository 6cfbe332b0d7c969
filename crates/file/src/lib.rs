#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod binary;
pub mod checkpoint;
pub mod dot;
mod error;
mod game;
mod numbers;
mod open;
mod outcomes;
mod probabilities;
mod problem_file;
mod read;
mod read_lattice;
mod text;
mod value;
mod worlds;
mod write;
mod write_lattice;

pub use binary::{MAGIC, Trust, read_binary, write_binary, write_binary_outcomes};
pub use dot::Dot;
pub use error::{ProblemError, ValueError};
pub use game::GameFile;
pub use open::{open_problem_file, read_problem, read_problem_file};
pub use outcomes::guaranteed;
pub use problem_file::{OutcomeVectors, PROBLEM_FORMAT, ProblemFile};
pub use read_lattice::{LatticeError, lattice_from_json};
pub use text::write_name;
pub use value::{Written, print_value, read_value, write_compact, write_readable, write_value};
pub use write::{push_outcome, write_outcomes, write_problem};
pub use write_lattice::lattice_to_json;
