#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod checkpoint;
pub mod dot;
mod error;
mod object;
mod problem;
mod shape;
mod text;
mod values;

pub use dot::Dot;
pub use error::{ProblemError, ValueError};
pub use object::object;
pub use problem::binary::{MAGIC, Trust, read_binary, write_binary, write_binary_outcomes};
pub use problem::game::GameFile;
pub use problem::open::{open_problem_file, read_problem, read_problem_file};
pub use problem::outcomes::guaranteed;
pub use problem::problem_file::{OutcomeVectors, PROBLEM_FORMAT, ProblemFile};
pub use problem::write::{push_outcome, write_outcomes, write_problem};
pub use shape::Shape;
pub use text::write_name;
pub use values::read_lattice::{LatticeError, lattice_from_json};
pub use values::value::{
    Written, print_value, read_readable, read_value, readable_lines, write_compact, write_readable,
    write_value,
};
pub use values::write_lattice::lattice_to_json;
