//! Problems ready to be searched: explicit graphs, and what one asks of any.

pub mod explicit;
pub mod instance;
