//! Panels, their lines, and when each point is measured.

pub(crate) mod header;
pub(crate) mod job;
pub(crate) mod lineup;
pub(crate) mod panel;
pub(crate) mod quantity;
pub(crate) mod row;
pub(crate) mod schedule;
pub(crate) mod survey;
