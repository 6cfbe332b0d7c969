//! Df-pn: a path in memory and a table that evicts entries, on one thread or several.

pub(crate) mod df_pn;
pub(crate) mod proof_table;
pub(crate) mod shared_part;
