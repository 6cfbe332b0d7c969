//! Total orders known at run time: the licence [`TotalOrder`] as the result of a check.
//!
//! Problem: a file names a lattice, and whether any two of its elements are comparable turns out
//! only then. A powerset of one world is a chain, and so are the divisors of 64.
//!
//! Idea: as with [`Distributive`](crate::Distributive), a wrapper that only a check can make; a
//! failed check names two incomparable elements.
//!
//! Cost: the check is quadratic for tables, takes up to 2^20 trial divisions for divisors, and is
//! immediate for all others; a comparison takes one or two of the lattice's own.

use std::cmp::Ordering;

use crate::contracts::lattice::same_lattice;
use crate::{
    AnyElem, AnyLattice, Budget, DistributiveLattice, FiniteLattice, Halves, Lattice, Shown, Stop,
    TotalOrder,
};

/// Why a lattice gets no licence as a total order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotTotal {
    /// Neither of two elements lies above the other. They are written as in problem files.
    #[error("the lattice is no total order: {0} and {1} are incomparable")]
    Incomparable(String, String),
    /// The divisors of a number that is too hard to factor.
    #[error(
        "the divisors of {n} are not known to be a total order: it has no prime factor below 2^20"
    )]
    Unknown {
        /// The number.
        n: u64,
    },
}

impl NotTotal {
    #[allow(clippy::needless_pass_by_value)] // texts, numbers and format arguments
    fn new(a: impl ToString, b: impl ToString) -> Self {
        Self::Incomparable(a.to_string(), b.to_string())
    }
}

/// A lattice that has been *checked* to be a total order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total<L>(L);

impl<L> Total<L> {
    /// The lattice.
    pub fn get(&self) -> &L {
        &self.0
    }

    /// The lattice without its licence.
    pub fn into_inner(self) -> L {
        self.0
    }
}

impl FiniteLattice {
    /// Checks that any two elements are comparable.
    ///
    /// # Errors
    /// Two that are not.
    pub fn check_total(&self) -> Result<(), NotTotal> {
        let size = self.size() as u32;
        for b in 0..size {
            for a in 0..b {
                let meet = self.meet(a, b);
                if meet != a && meet != b {
                    return Err(NotTotal::new(self.show(a), self.show(b)));
                }
            }
        }
        Ok(())
    }
}

impl AnyLattice {
    /// Checks that any two elements are comparable.
    ///
    /// # Errors
    /// Two that are not.
    pub fn check_total(&self) -> Result<(), NotTotal> {
        let sets = |worlds: usize, a: &str, b: &str| {
            if worlds > 1 {
                Err(NotTotal::new(a, b))
            } else {
                Ok(())
            }
        };
        match self {
            Self::Bool(_) | Self::Integers(_) | Self::Decimals(_) => Ok(()),
            Self::SmallPowerset(l) => sets(l.worlds(), "[1]", "[2]"),
            Self::Powerset(l) => sets(l.worlds(), "[1]", "[2]"),
            Self::Monotone(l) => match l.events() {
                // With negations even one event gives more than a chain.
                0 => Ok(()),
                1 => Err(NotTotal::new("[[1]]", "[[-1]]")),
                _ => Err(NotTotal::new("[[1]]", "[[2]]")),
            },
            Self::SmallFamilies(l) => sets(l.worlds(), "[[1]]", "[[2]]"),
            Self::Families(l) => sets(l.worlds(), "[[1]]", "[[2]]"),
            Self::Product(product) => {
                // A factor with one element does not matter.
                let factors = product.factors().iter().enumerate();
                let mut wide = factors.filter(|(_, factor)| factor.bottom() != factor.top());
                match (wide.next(), wide.next()) {
                    (Some((i, _)), Some((j, _))) => Err(NotTotal::new(
                        format_args!("what is best in factor {} alone", i + 1),
                        format_args!("what is best in factor {} alone", j + 1),
                    )),
                    (Some((_, only)), None) => only.check_total(),
                    (None, _) => Ok(()),
                }
            }
            Self::Divisors(divisors) => check_prime_power(divisors.n()),
            Self::Dual(dual) => dual.0.check_total(),
            Self::Finite(table) => table.check_total(),
            Self::Free(free) => match free.vectors().dims() {
                0 | 1 => Ok(()),
                dims => {
                    let unit = |i: usize| {
                        let ones = (0..dims).map(|k| if k == i { "1" } else { "0" });
                        format!("[{}]", ones.collect::<Vec<_>>().join(","))
                    };
                    Err(NotTotal::new(unit(0), unit(1)))
                }
            },
        }
    }
}

/// Returns whether `n` is a power of a prime, which makes its divisors a chain.
fn check_prime_power(n: u64) -> Result<(), NotTotal> {
    let factors = 2..1 << 20;
    let factor = factors
        .take_while(|p| *p <= n / p)
        .find(|p| n.is_multiple_of(*p));
    let Some(p) = factor else {
        // No factor up to its root: 1 or a prime.
        return if n >> 40 == 0 {
            Ok(())
        } else {
            Err(NotTotal::Unknown { n })
        };
    };
    let mut rest = n;
    while rest.is_multiple_of(p) {
        rest /= p;
    }
    if rest == 1 {
        Ok(())
    } else {
        Err(NotTotal::new(p, rest))
    }
}

impl TryFrom<AnyLattice> for Total<AnyLattice> {
    type Error = NotTotal;

    fn try_from(lattice: AnyLattice) -> Result<Self, NotTotal> {
        lattice.check_total()?;
        Ok(Self(lattice))
    }
}

impl<L: Lattice> Lattice for Total<L> {
    same_lattice!(self, self.0);
}

impl<L: Lattice> DistributiveLattice for Total<L> {}

impl TotalOrder for Total<AnyLattice> {
    fn compare(&self, a: &AnyElem, b: &AnyElem) -> Ordering {
        self.0.compare(a, b)
    }

    fn split(&self, lower: &AnyElem, upper: &AnyElem) -> Option<AnyElem> {
        self.0.split(lower, upper)
    }

    fn halves(&self, lower: &AnyElem, upper: &AnyElem) -> Option<Halves<AnyElem>> {
        self.0.halves(lower, upper)
    }
}

impl AnyLattice {
    /// Compares two elements of a total order.
    fn compare(&self, a: &AnyElem, b: &AnyElem) -> Ordering {
        match (self, a, b) {
            (Self::Bool(_), AnyElem::Bool(a), AnyElem::Bool(b)) => a.cmp(b),
            (Self::Integers(_), AnyElem::Integer(a), AnyElem::Integer(b)) => a.cmp(b),
            (Self::Decimals(_), AnyElem::Decimal(a), AnyElem::Decimal(b)) => a.cmp(b),
            _ if a == b => Ordering::Equal,
            // Without a limit nothing stops it.
            (lattice, ..) => match lattice.leq(a, b, &Budget::unlimited()) {
                Ok(true) => Ordering::Less,
                _ => Ordering::Greater,
            },
        }
    }

    /// Splits the range between two elements of a total order.
    fn split(&self, lower: &AnyElem, upper: &AnyElem) -> Option<AnyElem> {
        match (self, lower, upper) {
            (Self::Integers(chain), AnyElem::Integer(lower), AnyElem::Integer(upper)) => {
                chain.split(lower, upper).map(AnyElem::Integer)
            }
            (Self::Decimals(chain), AnyElem::Decimal(lower), AnyElem::Decimal(upper)) => {
                chain.split(lower, upper).map(AnyElem::Decimal)
            }
            (Self::Dual(dual), ..) => dual.0.split(upper, lower),
            _ => None,
        }
    }

    /// The split as two neighbours.
    fn halves(&self, lower: &AnyElem, upper: &AnyElem) -> Option<Halves<AnyElem>> {
        match (self, lower, upper) {
            (Self::Integers(chain), AnyElem::Integer(lower), AnyElem::Integer(upper)) => {
                Some(chain.halves(lower, upper)?.map(AnyElem::Integer))
            }
            (Self::Dual(dual), ..) => Some(dual.0.halves(upper, lower)?.mirrored()),
            _ => None,
        }
    }
}

/// A lattice chosen at run time whose licence is checked where it is used: one type, so that each
/// search is compiled once for all of them.
///
/// [`Distributive`](crate::Distributive) and [`Total`] prove by their types that the check was
/// made; use them where the lattice has one use. Before running an algorithm on a `Licensed`
/// lattice, call [`check_distributive`](AnyLattice::check_distributive) or
/// [`check_total`](AnyLattice::check_total).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Licensed<L = AnyLattice>(pub L);

impl<L: Lattice> Lattice for Licensed<L> {
    same_lattice!(self, self.0);
}

impl<L: Lattice> DistributiveLattice for Licensed<L> {}

impl TotalOrder for Licensed {
    fn compare(&self, a: &AnyElem, b: &AnyElem) -> Ordering {
        self.0.compare(a, b)
    }

    fn split(&self, lower: &AnyElem, upper: &AnyElem) -> Option<AnyElem> {
        self.0.split(lower, upper)
    }

    fn halves(&self, lower: &AnyElem, upper: &AnyElem) -> Option<Halves<AnyElem>> {
        self.0.halves(lower, upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chain, Divisors, Dual, FreeLattice, Product};

    fn chain() -> AnyLattice {
        AnyLattice::Integers(Chain::unbounded())
    }

    fn divisors(n: u64) -> AnyLattice {
        AnyLattice::Divisors(Divisors::of(n).expect("positive"))
    }

    #[test]
    fn chains_in_disguise_are_found() {
        let point = AnyLattice::powerset(0);
        for lattice in [
            chain(),
            AnyLattice::Dual(Box::new(Dual(chain()))),
            AnyLattice::powerset(1),
            AnyLattice::families(1),
            AnyLattice::Product(Product::new(vec![point.clone(), chain(), point])),
            divisors(1),
            divisors(64),
            divisors(1_099_511_627_689),
            AnyLattice::Free(FreeLattice::of_vectors(1)),
        ] {
            assert_eq!(lattice.check_total(), Ok(()), "{lattice:?}");
        }
    }

    #[test]
    fn other_lattices_have_two_incomparable_elements() {
        let table = FiniteLattice::from_covers(
            &["0", "a", "b", "1"],
            &[("0", "a"), ("0", "b"), ("a", "1"), ("b", "1")],
        );
        for (lattice, a, b) in [
            (AnyLattice::powerset(2), "[1]", "[2]"),
            (AnyLattice::families(70), "[[1]]", "[[2]]"),
            (divisors(12), "2", "3"),
            (AnyLattice::Finite(table.expect("a lattice")), "a", "b"),
            (
                AnyLattice::Free(FreeLattice::of_vectors(3)),
                "[1,0,0]",
                "[0,1,0]",
            ),
        ] {
            let witness = lattice.check_total().expect_err("no chain");
            assert_eq!(witness, NotTotal::new(a, b));
        }
        let square = AnyLattice::Product(Product::power(chain(), 2));
        assert!(square.check_total().is_err());
    }

    #[test]
    fn a_large_prime_is_not_known() {
        let n = 18_446_744_073_709_551_557;
        assert_eq!(divisors(n).check_total(), Err(NotTotal::Unknown { n }));
    }

    #[test]
    fn comparison_follows_the_lattice() {
        let dual = AnyLattice::Dual(Box::new(Dual(chain())));
        let total = Total::try_from(dual).expect("a chain");
        let number = |n| AnyElem::Integer(crate::Extended::Finite(n));
        assert_eq!(total.compare(&number(1), &number(2)), Ordering::Greater);
        assert_eq!(total.compare(&number(2), &number(2)), Ordering::Equal);
        assert_eq!(total.compare(&number(2), &number(1)), Ordering::Less);
    }
}
