//! Certificates, strategies and drawings, checked by the rules alone.
#![allow(missing_docs)]

mod certificates;
mod hasse;
mod pictures;
mod racing_plans;
