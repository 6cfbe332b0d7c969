//! How processes find each other, and how workers talk.

pub(crate) mod connection;
pub(crate) mod greeting;
pub(crate) mod network;
pub(crate) mod rounds;
