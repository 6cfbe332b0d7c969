//! One suite over every lattice of the crate: laws, literal representations, limits, and answers
//! worked out by hand.

mod any;
mod birkhoff;
mod broken;
mod budget;
mod finite;
mod free;
mod heavy;
mod join_primes;
mod known;
mod laws;
mod monotone;
mod orders;
mod properties;
mod relaxation;
mod support;
mod wrappers;
