#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod certificate;
pub mod drawn;
mod explain;
pub mod hasse;
pub mod layout;
mod no_heavier;
pub mod picture;
pub mod strategy;
pub mod trace;
mod unfolded;

pub use certificate::{
    Unwritten, Verified, WrittenCertificate, share_deadline, verify, write_certificate, write_proof,
};
pub use explain::{Explanation, explain};
pub use no_heavier::write_no_heavier;
pub use strategy::{Strategy, StrategyRequest, strategy};
pub use trace::trace;
