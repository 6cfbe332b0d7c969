#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod builder;
mod error;
mod form;
pub mod frozen;
pub mod graph;
pub mod interner;
mod name;
mod names;
mod node;
pub mod numbering;
pub mod problem;
mod row;
pub mod rows;
pub mod statistics;
mod traits;
mod values;

pub use builder::{Built, GraphBuilder};
pub use error::GraphError;
pub use form::FormError;
pub use frozen::{Bytes, Frozen};
pub use graph::Graph;
pub use interner::Interner;
pub use name::{NameView, NodeName};
pub use names::Names;
pub use node::{DenseNode, NodeId};
pub use numbering::{Mention, Numbering};
pub use problem::{Misfit, Problem};
pub use row::Row;
pub use rows::Rows;
pub use statistics::Statistics;
pub use traits::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
pub use values::{ReadWords, Records, Values};
