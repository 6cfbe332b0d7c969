#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod answer;
mod any_board;
mod board;
pub mod bounds;
pub mod brief;
pub mod certificate;
mod checkpoint;
mod compiled;
pub mod drawn;
mod events;
pub mod explain;
pub mod explicit;
mod found;
pub mod game;
pub mod games;
pub mod hasse;
pub mod heaviest;
pub mod instance;
pub mod layered;
pub mod layout;
mod levels;
pub mod no_heavier;
pub mod packets;
mod plan;
pub mod play;
pub mod prove;
pub mod request;
mod run;
mod settled;
mod side;
pub mod source;
pub mod strategy;
mod subject;
mod tables;
pub mod trace;
pub mod unfold;
mod unvisited;
pub mod value;

pub use answer::{Answer, Facts, Found, NodeText, Stats, algorithms};
pub use any_board::AnyBoard;
pub use board::{BoardGame, Number};
pub use brief::brief_json;
pub use certificate::{Verified, WrittenCertificate, verify, write_certificate, write_proof};
pub use checkpoint::{Checkpoint, CheckpointError, Checkpointed};
pub use compiled::Compiled;
pub use explain::{Explanation, explain};
pub use explicit::{explicit, explicit_over};
pub use game::Game;
pub use heaviest::{Heaviest, HeaviestRequest};
pub use instance::Instance;
pub use layered::{Layered, Nodes, Place};
pub use meetjoin_report::Meter;
pub use no_heavier::write_no_heavier;
pub use plan::{Follow, StrategyNode};
pub use prove::{Claim, Decider, ProofFormat, Proved};
pub use request::{
    CountNodes, Form, HEAD_START, Known, Moment, PositionCache, Progress, Refused, Request,
};
pub use source::{Source, digest};
pub use strategy::{Strategy, StrategyRequest, strategy};
pub use trace::trace;
pub use unfold::{Side, Unfold};
pub use value::{Domain, Names, Value};
