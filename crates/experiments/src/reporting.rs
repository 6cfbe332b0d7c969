//! The report: statements, tables and plots.

pub(crate) mod bars;
pub(crate) mod claims;
pub(crate) mod compare;
pub(crate) mod grid;
pub(crate) mod growth;
pub(crate) mod page;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod summary;
