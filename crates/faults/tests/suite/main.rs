//! Fault trees against literal enumeration, and against known answers.
#![allow(missing_docs, unreachable_pub)]

mod aralia;
mod enumeration;
mod random;
mod readers;
