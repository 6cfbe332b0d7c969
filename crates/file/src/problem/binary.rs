//! Problem files that are not read but mapped into memory: `meetjoin-problem` as bytes.
//!
//! Problem: a graph of 10^8 nodes has gigabytes of JSON, and reading it takes minutes, for a search
//! that may visit one node in a thousand.
//!
//! Idea: the file has the arrays of the graph, of its names and of its values in their memory
//! layout, and a header with their positions. Parts that a search does not access are never read.
//!
//! Trust: a file is validated once on opening ([`Trust::Checked`]): its checksum, the form of its
//! graph, values in the lattice, distinct names. With [`Trust::Trusted`] only the header, the
//! lattice, texts and bounds are validated. If the rest is invalid, a search may find wrong values;
//! nothing worse, since every number is made valid as it is read.
//!
//! The book describes the layout under "Problem files that are mapped into memory"; `header.rs`
//! defines it.

mod header;
mod meta;
mod order;
mod read;
mod records;
mod write;

pub use header::MAGIC;
pub use read::{Trust, read_binary};
pub use write::{write_binary, write_binary_outcomes};
