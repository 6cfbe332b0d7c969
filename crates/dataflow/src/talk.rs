//! How processes find each other, and how workers talk.

pub(crate) mod network;
pub(crate) mod rounds;
