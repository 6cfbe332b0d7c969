#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod basic;
mod constructed;
mod contracts;
pub mod diagram;
pub mod laws;
mod orders;
pub mod relaxation;
mod run_time;

pub use basic::chain::{Bool, Chain, Decimal, Extended};
pub use basic::divisors::Divisors;
pub use basic::dual::Dual;
pub use basic::powerset::{Powerset, TooManyWorlds, Words, WorldSet};
pub use basic::product::Product;
pub use basic::{chain, divisors, dual, powerset, product};
pub use constructed::birkhoff::Birkhoff;
pub use constructed::down_sets::{Antichain, DownSets, Families};
pub use constructed::finite::{
    Distributive, FiniteLattice, Forbidden, NotDistributive, Sublattice,
};
pub use constructed::free::{Conjunctive, Disjunctive, FreeLattice, Packets};
pub use constructed::heavy::{HeavyFamilies, TooHeavy, Weights};
pub use constructed::monotone::Monotone;
pub use constructed::{birkhoff, down_sets, finite, free, heavy, monotone};
pub use contracts::budget::{Budget, Limits, MemoryLimit, Stop};
pub use contracts::lattice::{
    DistributiveLattice, ElemOf, Interval, Lattice, Shown, TotalOrder, Within,
};
pub use contracts::split::{Halves, Split};
pub use contracts::{budget, lattice, split};
pub use fixedbitset::FixedBitSet;
pub use orders::finite_poset::{FiniteError, FinitePoset};
pub use orders::poset::{MeetSemilattice, Place, Poset, Reversed, Shadow, Vectors};
pub use orders::{finite_poset, poset};
pub use relaxation::Relaxation;
pub use relaxation::membership::Membership;
pub use relaxation::unions::Unions;
pub use run_time::any::{AnyElem, AnyLattice};
pub use run_time::join_primes::{JoinPrimes, MeetPrimes};
pub use run_time::total::{Licensed, NotTotal, Total};
pub use run_time::{any, join_primes, total};
