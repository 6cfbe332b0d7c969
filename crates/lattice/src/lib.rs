#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod any;
pub mod birkhoff;
pub mod budget;
pub mod chain;
pub mod divisors;
pub mod down_sets;
pub mod dual;
mod factors;
pub mod finite;
pub mod finite_poset;
pub mod free;
pub mod heap_bytes;
pub mod heavy;
pub mod interned;
pub mod join_primes;
pub mod lattice;
pub mod laws;
pub mod poset;
pub mod powerset;
pub mod product;
pub mod relaxation;
mod shadows;
pub mod total;

pub use any::{AnyElem, AnyLattice};
pub use birkhoff::Birkhoff;
pub use budget::{Budget, Limits, MemoryLimit, Stop};
pub use chain::{Bool, Chain, Decimal, Extended};
pub use divisors::Divisors;
pub use down_sets::{Antichain, DownSets, Families};
pub use dual::Dual;
pub use finite::{Distributive, FiniteLattice, Forbidden, NotDistributive, Sublattice};
pub use finite_poset::{FiniteError, FinitePoset};
pub use fixedbitset::FixedBitSet;
pub use free::{Conjunctive, Disjunctive, FreeLattice, Packets};
pub use heap_bytes::HeapBytes;
pub use heavy::{HeavyFamilies, TooHeavy, Weights};
pub use interned::{Id, Interned, Room};
pub use join_primes::{JoinPrimes, MeetPrimes};
pub use lattice::{DistributiveLattice, ElemOf, Interval, Lattice, Shown, TotalOrder, Within};
pub use poset::{MeetSemilattice, Place, Poset, Reversed, Shadow, Vectors};
pub use powerset::{Powerset, TooManyWorlds, Words, WorldSet};
pub use product::Product;
pub use relaxation::{Criteria, Exponents, Membership, Relaxation, SomeWorlds, Unions};
pub use total::{Licensed, NotTotal, Total};
