//! Attack trees against literal enumeration, and against known answers.
#![allow(missing_docs, unreachable_pub)]

mod adtool;
mod enumeration;
mod hitting;
mod known;
mod office;
mod readers;
mod set_algebra;
mod stopped;
