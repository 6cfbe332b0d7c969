//! Evidence for an answer, which others can check: strategies, and certificates.

pub mod certify;
pub mod strategy;
