#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod answer;
mod board;
pub mod bounds;
pub mod brief;
pub mod certificate;
mod checkpoint;
mod coding;
mod compiled;
pub mod cuts;
pub mod drawn;
pub mod ending;
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
mod measuring;
pub mod packets;
pub mod page;
mod plan;
pub mod play;
pub mod prove;
pub mod request;
mod run;
mod settled;
pub mod source;
pub mod strategy;
mod subject;
pub mod suit;
mod tables;
pub mod text;
pub mod trace;
pub mod unfold;
mod unvisited;
pub mod value;

pub use answer::{Answer, Facts, Found, NodeText, Stats, algorithms};
pub use board::{BoardGame, Number};
pub use brief::brief_json;
pub use certificate::{Verified, verify, write_certificate, write_proof};
pub use checkpoint::{Checkpoint, CheckpointError, Checkpointed};
pub use compiled::Compiled;
pub use cuts::{Cuts, CutsRequest};
pub use explain::explain;
pub use explicit::{explicit, explicit_over};
pub use game::Game;
pub use heaviest::{Heaviest, HeaviestRequest};
pub use instance::Instance;
pub use layered::{Layered, Nodes, Place};
pub use plan::{Follow, StrategyNode};
pub use prove::{Claim, Decider, ProofFormat, Proved};
pub use request::{
    CountNodes, Form, Known, Meter, Moment, PositionCache, Progress, Refused, Request,
};
pub use source::{Source, digest};
pub use strategy::{Strategy, StrategyRequest, strategy};
pub use trace::trace;
pub use unfold::{Side, Unfold};
pub use value::{Domain, Names, Value};
