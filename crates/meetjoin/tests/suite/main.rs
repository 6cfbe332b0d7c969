//! Games, lattices and searches together: known answers, brute force by the rules, and counts that
//! show a loss of pruning.
#![allow(missing_docs, unreachable_pub)]

mod board_games;
#[cfg(feature = "bridge")]
mod bridge_by_rules;
mod golden;
mod heaviest;
mod hexapawn;
mod inner_preference;
mod mtd_bi;
mod proofs;
mod racing;
mod racing_by_rules;
mod racing_perfect_information;
mod support;
mod uniform_strategies;
mod windowed_values;
mod world_by_world;
