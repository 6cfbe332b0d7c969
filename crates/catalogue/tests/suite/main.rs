//! Every algorithm of the catalogue by its engine: each is compared with plain evaluation, on one
//! thread and on several, with caches that forget.
#![allow(unreachable_pub, missing_docs)]

mod catalogue;
mod cycles;
mod forgetting;
mod solve;
mod support;
mod threads;
