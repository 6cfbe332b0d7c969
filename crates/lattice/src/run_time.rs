//! The lattice chosen at run time, the licences that checks grant it, and join-primes of every
//! lattice.

pub mod any;
pub mod join_primes;
pub mod total;
