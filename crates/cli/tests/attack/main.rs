//! Attacks that go on for as long as they are given: `cargo xtask ci --attack [SECONDS] [--seed N]`
//! runs each of them, and prints the seed with which it can be run again.
//!
//! `ATTACK_SECONDS` and `ATTACK_SEED` say how long and with which numbers, `ATTACK_PROGRAM` which
//! program is attacked, if not the one that was built with these tests.
#![allow(missing_docs, unreachable_pub)]

mod damaged;
mod held;
mod killed;
mod lines;
mod strangers;
mod support;
mod trees;
