//! What a search leaves for others to check: strategies, and certificates.

pub mod certify;
pub mod strategy;
