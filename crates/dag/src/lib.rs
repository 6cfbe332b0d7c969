#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod arrays;
mod cycles;
mod error;
mod explicit;
pub mod hidden;
mod rules;
mod traits;

pub use arrays::frozen;
pub use arrays::frozen::{Bytes, Frozen};
pub use arrays::name::{NameView, NodeName};
pub use arrays::names::Names;
pub use arrays::node::{DenseNode, NodeId};
pub use arrays::values::{ReadWords, Records, Values};
pub use cycles::find_cycle;
pub use error::GraphError;
pub use explicit::builder::{Built, GraphBuilder};
pub use explicit::form::FormError;
pub use explicit::graph::Graph;
pub use explicit::interner::Interner;
pub use explicit::numbering::{Mention, Numbering};
pub use explicit::problem::{Misfit, Problem};
pub use explicit::row::Row;
pub use explicit::rows::Rows;
pub use explicit::statistics::Statistics;
pub use explicit::world_names::WorldNames;
pub use explicit::{builder, graph, interner, numbering, problem, rows, statistics};
pub use hidden::check::{HiddenError, check as check_hidden};
pub use hidden::explicit::{HiddenTree, HiddenTreeBuilder, HiddenTreeError};
pub use hidden::game::{HiddenGame, Turn};
pub use hidden::graph::Played;
pub use hidden::seen::{PerfectInformation, Seen, SeesAll};
pub use hidden::stakes::{MOST_STAKES, NoStakes, Stake, Stakes};
pub use hidden::values::{HiddenFamilies, HiddenSets};
pub use rules::{RulesError, check_rules};
pub use traits::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
