#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod answer;
mod board;
pub mod bounds;
pub mod compiled;
pub mod cuts;
pub mod ending;
pub mod explicit;
pub mod game;
pub mod games;
pub mod heaviest;
pub mod instance;
mod levels;
mod measuring;
pub mod packets;
pub mod page;
pub mod play;
pub mod prove;
pub mod request;
mod run;
mod settled;
pub mod source;
mod subject;
pub mod suit;
mod tables;
pub mod text;
pub mod value;

pub use answer::{Answer, Facts, Found, NodeText, Stats, algorithms};
pub use board::{BoardGame, Number};
pub use compiled::Compiled;
pub use cuts::{Cuts, CutsRequest};
pub use explicit::{explicit, explicit_over};
pub use game::Game;
pub use heaviest::{Heaviest, HeaviestRequest};
pub use instance::Instance;
pub use prove::{Claim, Decider, ProofFormat, Proved};
pub use request::{CountNodes, Known, Meter, Moment, PositionCache, Progress, Refused, Request};
pub use source::Source;
pub use value::{Domain, Names, Value};
