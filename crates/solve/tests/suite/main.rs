//! Any problem by any algorithm, as its users meet it: answers, proofs and plans, checked by the
//! rules alone.
#![allow(missing_docs)]

mod brief;
mod game_files;
mod packets;
mod race;
mod requests;
mod tricks;
