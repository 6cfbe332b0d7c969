#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod answers;
mod asked;
pub mod bounds;
mod instances;
mod nodes;
mod searching;

pub use answers::answer::{Answer, Facts, Found, NodeText, Stats, algorithms};
pub use answers::brief::brief_json;
pub use answers::checkpoint::{Checkpoint, CheckpointError, Checkpointed};
pub use answers::request::{
    CountNodes, Form, HEAD_START, Known, MOST_THREADS, Moment, PositionCache, Progress, Refused,
    Request,
};
pub use answers::value::{Domain, Names, Value};
pub use answers::{answer, brief, levels, request, unvisited, value};
pub use asked::heaviest::{Heaviest, HeaviestRequest};
pub use asked::prove::{Claim, Decider, ProofFormat, Proved};
pub use asked::{heaviest, prove};
pub use instances::explicit::{explicit, explicit_over};
pub use instances::instance::Instance;
pub use instances::{explicit, instance};
pub use meetjoin_report::Meter;
pub use nodes::layered::{Layered, Place};
pub use nodes::plan::{Follow, StrategyNode};
pub use nodes::side::Side;
pub use nodes::view::{Key, Nodes};
pub use nodes::{layered, plan, view};
pub use searching::compiled::Compiled;
pub use searching::subject::Subject;
pub use searching::{compiled, events, run, subject};
