//! Fault trees against literal enumeration, and against known answers.
#![allow(missing_docs, unreachable_pub)]
// Models are written as text, piece by piece, and evaluated by the letters of the format.
#![allow(
    clippy::format_collect,
    clippy::format_push_string,
    clippy::many_single_char_names,
    clippy::float_cmp
)]

mod aralia;
mod bad_models;
mod common_causes;
mod enumeration;
mod event_trees;
mod exact;
mod models;
mod pages;
mod periodic_tests;
mod pictures;
mod plain;
mod random;
mod readers;
mod scram;
mod sequences;
mod uncertain;
