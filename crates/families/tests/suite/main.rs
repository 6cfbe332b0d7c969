//! Values in families of sets, each way to find them: compared with plain evaluation, and with all
//! strategies of games with hidden cards.
#![allow(unreachable_pub, missing_docs)]

mod alpha_mu;
mod families;
mod heaviest;
mod hidden;
mod support;
mod thresholds;
