#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod answers;
mod asked;
pub mod bounds;
pub mod games;
mod instances;
mod nodes;
pub mod packets;
pub mod play;
mod searching;
pub mod source;

pub use answers::answer::{Answer, Facts, Found, NodeText, Stats, algorithms};
pub use answers::brief::brief_json;
pub use answers::checkpoint::{Checkpoint, CheckpointError, Checkpointed};
pub use answers::request::{
    CountNodes, Form, HEAD_START, Known, MOST_THREADS, Moment, PositionCache, Progress, Refused,
    Request,
};
pub use answers::value::{Domain, Names, Value};
pub use answers::{answer, brief, request, value};
pub use asked::heaviest::{Heaviest, HeaviestRequest};
pub use asked::prove::{Claim, Decider, ProofFormat, Proved};
pub use asked::tricks::{FirstCard, PlayNode, TricksAnswer, first_cards, tricks};
pub use asked::{heaviest, prove};
pub use games::hidden::hidden;
pub use instances::any_board::AnyBoard;
pub use instances::board::{BoardGame, Number};
pub use instances::explicit::{explicit, explicit_over};
pub use instances::game::Game;
pub use instances::instance::Instance;
pub use instances::{explicit, game, instance};
pub use meetjoin_report::Meter;
pub use nodes::layered::{Layered, Place};
pub use nodes::plan::{Follow, StrategyNode};
pub use nodes::side::Side;
pub use nodes::view::{Key, Nodes};
pub use nodes::{layered, plan, view};
pub use searching::compiled::Compiled;
pub use source::{Source, digest};
