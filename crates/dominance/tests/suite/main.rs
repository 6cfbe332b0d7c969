//! The dominance algebra: known answers, laws, theorems, and every erratum of the paper with its
//! smallest counterexample.
#![allow(unreachable_pub, missing_docs)]

mod cases;
mod errata;
mod laws;
mod limits;
mod literal;
mod posets;
mod printed;
mod random;
mod support;
mod theorems;
mod weights;
