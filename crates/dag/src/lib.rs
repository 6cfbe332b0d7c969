#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod builder;
pub mod dot;
mod error;
pub mod graph;
mod interner;
mod numbering;
pub mod problem;
pub mod rows;
pub mod statistics;
mod traits;

pub use builder::{Built, GraphBuilder};
pub use dot::Dot;
pub use error::GraphError;
pub use graph::{DenseNode, Graph, NodeId};
pub use problem::{
    GameFile, LatticeError, Misfit, NodeName, OutcomeVectors, PROBLEM_FORMAT, Problem,
    ProblemError, ProblemFile, ValueError, lattice_from_json, lattice_to_json, push_outcome,
    read_problem, read_problem_file, read_value, write_input, write_outcomes, write_problem,
    write_readable, write_value,
};
pub use rows::Rows;
pub use statistics::Statistics;
pub use traits::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
