//! The steps of workers: expand levels, evaluate them, and answer questions.

pub(crate) mod evaluate;
pub(crate) mod expand;
pub(crate) mod question;
pub(crate) mod worker;
