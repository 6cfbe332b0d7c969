//! Fault trees against literal enumeration, and against known answers.
#![allow(missing_docs, unreachable_pub)]

mod aralia;
mod bad_models;
mod common_causes;
mod enumeration;
mod event_trees;
mod models;
mod plain;
mod random;
mod readers;
mod scram;
mod uncertain;
