#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod any;
pub mod budget;
mod chain;
mod divisors;
mod down_sets;
mod dual;
mod finite;
mod lattice;
pub mod laws;
mod powerset;
mod product;

pub use any::{AnyElem, AnyLattice};
pub use budget::{Budget, Limits, MemoryLimit, Stop};
pub use chain::{Bool, Chain, Decimal, Extended};
pub use divisors::Divisors;
pub use down_sets::{Antichain, DownSets, Families, FreeLattice, Packets, Vectors};
pub use dual::Dual;
pub use finite::{Distributive, FiniteError, FiniteLattice, NotDistributive};
pub use fixedbitset::FixedBitSet;
pub use lattice::{DistributiveLattice, ElemOf, Interval, Lattice, TotalOrder, Within};
pub use powerset::{Powerset, TooManyWorlds, Words, WorldSet};
pub use product::Product;
