//! Certificates and strategies of random problems over every lattice: they pass, they show the
//! value, and no change to one makes it show anything that is not true.

mod adversary;
mod cases;
mod mutations;
mod no_heavier;
mod shown;
mod strategies;
mod tricks;
