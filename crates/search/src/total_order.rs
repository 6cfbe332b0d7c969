//! Searches that need a total order.

mod border;

pub use border::Border;
