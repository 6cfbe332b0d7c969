//! The one place that searches, generic over what a problem is: compiled here for the lattices and
//! games that matter, and nowhere else.

pub(crate) mod compiled;
pub(crate) mod events;
pub(crate) mod found;
pub(crate) mod run;
pub(crate) mod subject;
pub(crate) mod tables;
