//! All searches, generic over the subject; those of the important lattices are compiled here.

pub mod compiled;
pub mod events;
pub(crate) mod found;
pub mod run;
pub mod subject;
