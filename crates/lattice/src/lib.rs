#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod any;
pub mod budget;
pub mod chain;
pub mod divisors;
pub mod down_sets;
pub mod dual;
pub mod finite;
pub mod lattice;
pub mod laws;
pub mod powerset;
pub mod product;

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
