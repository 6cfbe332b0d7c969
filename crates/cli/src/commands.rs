//! One file a command that answers a question.

pub(crate) mod attacks;
pub(crate) mod cluster;
pub(crate) mod cuts;
pub(crate) mod ending;
pub(crate) mod packets;
pub(crate) mod play;
pub(crate) mod prove;
pub(crate) mod sequences;
pub(crate) mod solve;
pub(crate) mod suit;
pub(crate) mod trace;
pub(crate) mod verify;
