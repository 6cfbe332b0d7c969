//! Certificates: proofs of the value of a root, in steps that can be checked one at a time.
//!
//! Problem: an interval of the root is only as trustworthy as the search that found it.
//!
//! Idea: the value is at least l if it is at least each of the join-primes below l, and at most u
//! if it is at most each meet-prime above u. Each of these is a claim that is true or false of
//! every node, so many claims are decided by one search over sets
//! ([`Powerset`](meetjoin_lattice::Powerset)), whatever the lattice is. After the search, reasons
//! are collected from the root down: a claim "at least t" needs one child of an OR node and all
//! children of an AND node, a claim "at most m" the reverse. A node is asked for all claims that
//! are needed of it at once, so it appears once.
//!
//! Leaves are preferred as children, then nodes that the certificate has already, so a certificate
//! is often far smaller than the searched graph.
//!
//! Where primes do not determine a value (tables that are not distributive), or are not available,
//! the certificate is the value of each node ([`by_values`]).
//!
//! Cost: a search over sets for each 512 claims, and the certificate. In families of sets there is
//! a claim for each minimal set outside the upper bound, and there can be many.
//!
//! Needs: [`JoinPrimes`](meetjoin_lattice::JoinPrimes) and
//! [`MeetPrimes`](meetjoin_lattice::MeetPrimes); any graph.

mod bounds;
mod claims;
mod growing;
mod values;

pub use bounds::by_bounds;
pub use claims::certify;
pub use growing::{Certified, CertifiedStep, NoCertificate};
pub use values::by_values;
