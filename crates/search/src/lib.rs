#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod adapters;
mod caches;
mod contracts;
mod depth_first;
mod evidence;
pub mod proof;
pub mod total_order;

pub use adapters::horizon::{At, Estimate, Horizon, OfPositions};
pub use adapters::relaxed::{Image, Relaxed};
pub use adapters::{horizon, relaxed};
pub use caches::bounded::{BoundedTable, PositionTable, PositionTables};
pub use caches::dense::Dense;
pub use caches::shared::{SharedTable, SharedView};
pub use caches::sharing::{SharedStores, Sharing};
pub use caches::store::{Entries, Slot, Store};
pub use caches::stores::{DenseStores, Stores, Tables};
pub use caches::table::Table;
pub use caches::{bounded, dense, in_progress, shared, sharing, store, stores, table};
pub use contracts::env::{Env, Tools};
pub use contracts::observer::{Call, Counts, Exit, Observer, Progress, Visited};
pub use contracts::order::{BestMoves, Order};
pub use contracts::outcome::{Outcome, Window};
pub use contracts::{env, observer, order, outcome, proof_numbers};
pub use depth_first::alpha_beta::{
    FailHard, FailSoft, FromHeuristic, Initial, alpha_beta, alpha_beta_cached,
};
pub use depth_first::alpha_beta_duo::{
    Duo, alpha_beta_duo, alpha_beta_duo_as, alpha_beta_duo_plain, alpha_beta_duo_published,
};
pub use depth_first::minimax::{minimax, minimax_cached};
pub use depth_first::{alpha_beta, alpha_beta_duo, by_levels, driver, minimax, pruning, threads};
pub use evidence::{certify, strategy};
