//! Answers as their users read them, and games of their own.
#![allow(missing_docs)]

mod brief;
mod own_game;
