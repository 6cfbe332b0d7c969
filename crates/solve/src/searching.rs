//! All searches, generic over the problem, compiled here for the important lattices and games.

pub(crate) mod compiled;
pub(crate) mod events;
pub(crate) mod found;
pub(crate) mod run;
pub(crate) mod subject;
