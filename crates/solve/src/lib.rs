#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod answer;
mod any_board;
mod board;
pub mod bounds;
pub mod brief;
mod checkpoint;
mod compiled;
mod events;
pub mod explicit;
mod found;
pub mod game;
pub mod games;
pub mod heaviest;
pub mod instance;
pub mod layered;
mod levels;
pub mod packets;
pub mod plan;
pub mod play;
pub mod prove;
pub mod request;
mod run;
mod settled;
mod side;
pub mod source;
mod subject;
mod tables;
pub mod unfold;
mod unvisited;
pub mod value;

pub use answer::{Answer, Facts, Found, NodeText, Stats, algorithms};
pub use any_board::AnyBoard;
pub use board::{BoardGame, Number};
pub use brief::brief_json;
pub use checkpoint::{Checkpoint, CheckpointError, Checkpointed};
pub use compiled::Compiled;
pub use explicit::{explicit, explicit_over};
pub use game::Game;
pub use heaviest::{Heaviest, HeaviestRequest};
pub use instance::Instance;
pub use layered::{Layered, Nodes, Place};
pub use meetjoin_report::Meter;
pub use plan::{Follow, StrategyNode};
pub use prove::{Claim, Decider, ProofFormat, Proved};
pub use request::{
    CountNodes, Form, HEAD_START, Known, MOST_THREADS, Moment, PositionCache, Progress, Refused,
    Request,
};
pub use source::{Source, digest};
pub use unfold::{Side, Unfold};
pub use value::{Domain, Names, Value};
