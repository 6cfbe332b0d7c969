//! From the free lattice over vectors to one number for each criterion.
//!
//! Idea: to look at one criterion alone is a monotone map from vectors to a chain, so it extends to a homomorphism of the free lattice
//! ([`Disjunctive::weigh`](crate::Disjunctive::weigh)): the greatest over the packets of the least over their vectors. All criteria together are a homomorphism f into
//! the product of chains. The value of a graph in the product takes one number for each criterion and node, and says what MAX gets who cares for that one alone.
//!
//! *Above.* Let `u_i` be the vector with `m_i` in place i and infinity elsewhere. A packet lies below the outcome `u_i` exactly if one of its vectors
//! does, that is, if the least i-th component of its vectors is at most `m_i`. So `x <= u_i` exactly if `f_i(x) <= m_i`, and the greatest x with `f(x) <= m` is the
//! meet of all `u_i`: one packet. If `m_i` is infinity then nothing is asked for, and the empty packet, which lies below no outcome, is allowed too: there
//! i is left out.
//!
//! *Below.* Let `w_i` be the vector with `m_i` in place i and minus infinity elsewhere. The outcome `w_i` lies below a packet exactly if it does below each of its
//! vectors, that is, if the least i-th component is at least `m_i`. So `w_i <= x` exactly if `m_i <= f_i(x)`, and the least x with `m <= f(x)` is the
//! join of all `w_i`: a packet for each criterion. If `m_i` is minus infinity, i is left out.
//!
//! Cost: the image looks at each number of each packet once; a bound is at most K vectors of K numbers.
//!
//! Source: see the [module above](super).

use super::unlimited;
use crate::{Antichain, Budget, Chain, Extended, FreeLattice, Lattice, Product, Relaxation};

/// The criteria of the free lattice over vectors, each for itself. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Criteria<'a> {
    lattice: &'a FreeLattice,
    image: Product<Chain<Extended>>,
}

type Vector = Box<[Extended]>;

impl<'a> Criteria<'a> {
    /// The criteria of this lattice.
    pub fn of(lattice: &'a FreeLattice) -> Self {
        Self {
            lattice,
            image: Product::power(Chain::unbounded(), lattice.vectors().dims()),
        }
    }

    /// For each criterion that is not worth `infinity`, the vector that is worth as much there and `infinity` elsewhere.
    fn single_criteria(numbers: &[Extended], infinity: Extended) -> impl Iterator<Item = Vector> {
        let each = numbers.iter().enumerate();
        let each = each.filter(move |(_, number)| **number != infinity);
        each.map(move |(place, number)| {
            let mut vector: Vector = std::iter::repeat_n(infinity, numbers.len()).collect();
            vector[place] = *number;
            vector
        })
    }
}

impl Relaxation<FreeLattice> for Criteria<'_> {
    type Image = Product<Chain<Extended>>;

    fn image(&self) -> &Product<Chain<Extended>> {
        &self.image
    }

    fn image_of(&self, value: &Antichain<Antichain<Vector>>) -> Vector {
        let mut greatest = self.image.bottom();
        for packet in value.maximal() {
            for (place, number) in greatest.iter_mut().enumerate() {
                let numbers = packet.maximal().iter().map(|vector| vector[place]);
                let least = numbers.min().unwrap_or(Extended::PosInf);
                *number = least.max(*number);
            }
        }
        greatest
    }

    fn above(&self, numbers: &Vector) -> Antichain<Antichain<Vector>> {
        let vectors = Self::single_criteria(numbers, Extended::PosInf);
        let packet = self.lattice.packet(vectors, &Budget::unlimited());
        self.lattice.principal(unlimited(packet))
    }

    fn below(&self, numbers: &Vector) -> Antichain<Antichain<Vector>> {
        let vectors = Self::single_criteria(numbers, Extended::NegInf);
        let packets = vectors.map(|vector| self.lattice.single(vector));
        unlimited(self.lattice.generated_by(packets, &Budget::unlimited()))
    }
}
