//! Graphs: rows become one, and a graph seen through another is asked for everything that it knows.
#![allow(missing_docs)]

mod rows;
mod rules;
mod wrappers;
