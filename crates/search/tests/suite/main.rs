//! One suite over every algorithm: each is compared with plain evaluation, on the same graphs, in
//! every lattice, with and without limits.
#![allow(unreachable_pub, missing_docs)]

mod agreement;
mod by_levels;
mod cases;
mod deepening;
mod depth;
mod errata;
mod interruption;
mod paper;
mod proof;
mod pruning;
mod relaxations;
mod relaxed;
mod sessions;
mod sss_2;
mod support;
mod total_order;
