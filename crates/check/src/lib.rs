#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod certificate;
pub mod check;
pub mod weight;
mod write;

pub use certificate::{Certificate, CertificateError, FORMAT, Step};
pub use check::{Checked, Rejected, check};
pub use weight::NoHeavier;
