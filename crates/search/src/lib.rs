#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod alpha_beta;
pub mod alpha_beta_duo;
pub mod alpha_mu;
pub mod bounded;
pub mod by_levels;
pub mod certify;
mod company;
pub mod dense;
mod driver;
pub mod engine;
pub mod env;
pub mod families;
pub mod heaviest;
pub mod horizon;
pub mod interned;
pub mod method;
pub mod minimax;
pub mod observer;
pub mod order;
pub mod others;
pub mod outcome;
pub mod proof;
pub mod pruning;
pub mod relaxed;
pub mod shared;
pub mod sharing;
mod sides;
mod slots;
pub mod solve;
pub mod store;
pub mod stores;
pub mod strategy;
pub mod table;
pub mod threads;
pub mod thresholds;
pub mod total_order;
mod waiting;

pub use alpha_beta::{FailHard, FailSoft, FromHeuristic, Initial, alpha_beta, alpha_beta_cached};
pub use alpha_beta_duo::{
    Duo, alpha_beta_duo, alpha_beta_duo_as, alpha_beta_duo_plain, alpha_beta_duo_published,
};
pub use bounded::{BoundedTable, BoundedTables};
pub use dense::Dense;
pub use env::{Env, Tools};
pub use families::solve_families;
pub use heaviest::{Heaviest, heaviest};
pub use horizon::{At, Estimate, Horizon, OfPositions};
pub use interned::{InternedBounds, Interning};
pub use minimax::{minimax, minimax_cached};
pub use observer::{Call, Counts, Exit, Observer, Progress, Visited};
pub use order::{BestMoves, Order};
pub use outcome::{Outcome, Window};
pub use relaxed::{Image, Relaxed};
pub use shared::{SharedTable, SharedView};
pub use sharing::{SharedStores, Sharing};
pub use solve::{Solvable, solve};
pub use store::{Entries, Slot, Store};
pub use stores::{DenseStores, Stores, Tables};
pub use table::Table;
pub use thresholds::{ByThresholds, families_by_thresholds};
