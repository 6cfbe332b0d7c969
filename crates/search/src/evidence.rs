//! Evidence for an answer that can be checked independently: strategies and certificates.

pub mod certify;
pub mod strategy;
