//! How many sets there are, in all and of each order.
//!
//! Idea: the orders of the sets below a node are a polynomial whose coefficient k counts those of
//! order k. A module's polynomial takes the place of the variable that stands for it, so no set of
//! a module is ever multiplied out.

use meetjoin_lattice::diagram::Listing;
use meetjoin_lattice::{Budget, Stop};
use num_bigint::BigUint;

/// A number that may be too large for its type.
pub(crate) trait Count: Clone {
    fn of(small: u32) -> Self;
    fn is_zero(&self) -> bool;
    /// `None` if the sum is too large.
    fn plus(&self, other: &Self) -> Option<Self>;
    fn times(&self, other: &Self) -> Option<Self>;
}

impl Count for u64 {
    fn of(small: u32) -> Self {
        small.into()
    }

    fn is_zero(&self) -> bool {
        *self == 0
    }

    #[inline]
    fn plus(&self, other: &Self) -> Option<Self> {
        self.checked_add(*other)
    }

    #[inline]
    fn times(&self, other: &Self) -> Option<Self> {
        self.checked_mul(*other)
    }
}

impl Count for BigUint {
    fn of(small: u32) -> Self {
        small.into()
    }

    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    fn plus(&self, other: &Self) -> Option<Self> {
        Some(self + other)
    }

    fn times(&self, other: &Self) -> Option<Self> {
        Some(self * other)
    }
}

/// Coefficients from that of order 0 on.
pub(crate) type Polynomial<N> = Vec<N>;

/// The polynomial of a family, where each level counts as `weights` say. `None` within if a number
/// is too large for the type.
pub(crate) fn by_order<N: Count>(
    sets: &Listing,
    weights: &[&[N]],
    budget: &Budget,
) -> Result<Option<Polynomial<N>>, Stop> {
    // A polynomial is dropped when the last parent has seen it.
    let mut uses = vec![0_u32; sets.nodes.len() + 2];
    for node in &sets.nodes {
        uses[node.high as usize] += 1;
        uses[node.low as usize] += 1;
    }
    let root = sets.roots[0] as usize;
    uses[root] += 1;
    let mut values: Vec<Polynomial<N>> = vec![Vec::new(), vec![N::of(1)]];
    values.resize(sets.nodes.len() + 2, Vec::new());
    for (place, node) in (2..).zip(&sets.nodes) {
        let (high, low) = (node.high as usize, node.low as usize);
        let weight = weights[node.level as usize];
        budget.steps(1 + (weight.len() * values[high].len()) as u64)?;
        uses[low] -= 1;
        let mut sum = if uses[low] == 0 {
            std::mem::take(&mut values[low])
        } else {
            values[low].clone()
        };
        if !add_product(&mut sum, weight, &values[high]) {
            return Ok(None);
        }
        uses[high] -= 1;
        if uses[high] == 0 {
            values[high] = Vec::new();
        }
        values[place] = sum;
    }
    Ok(Some(std::mem::take(&mut values[root])))
}

/// Adds a product; `false` if a number is too large.
fn add_product<N: Count>(sum: &mut Polynomial<N>, a: &[N], b: &[N]) -> bool {
    let length = (a.len() + b.len()).saturating_sub(1);
    if sum.len() < length {
        sum.resize(length, N::of(0));
    }
    // The inner loop runs over the longer one: in chains of modules it is very long, and the other
    // very short.
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    for (i, x) in a.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
        for (y, place) in b.iter().zip(&mut sum[i..]) {
            match x.times(y).and_then(|product| place.plus(&product)) {
                Some(new) => *place = new,
                None => return false,
            }
        }
    }
    true
}
