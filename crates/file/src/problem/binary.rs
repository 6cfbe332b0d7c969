//! Problem files that are not read but mapped into memory: `meetjoin-problem` as bytes.
//!
//! Problem: a graph of 10^8 nodes has gigabytes of JSON, and to read it takes minutes, for a search
//! that may look at one node in a thousand.
//!
//! Idea: the file has the arrays of the graph, of its names and of its values as they lie in
//! memory, and a header that says where. What a search does not look at is never read.
//!
//! Trust: a file is gone through once on opening ([`Trust::Checked`]): its checksum, that its graph
//! is one, that values lie in the lattice, that names differ. With [`Trust::Trusted`] only the
//! header, the lattice, texts and bounds are looked at. Should the rest lie, a search finds
//! something else than whoever wrote the file meant; nothing worse, since every number is made to
//! fit as it is read.
//!
//! The layout is written down in the book, under "Problem files that are mapped into memory";
//! `header.rs` is that table.

mod header;
mod meta;
mod order;
mod read;
mod records;
mod write;

pub use header::MAGIC;
pub use read::{Trust, read_binary};
pub use write::{write_binary, write_binary_outcomes};
