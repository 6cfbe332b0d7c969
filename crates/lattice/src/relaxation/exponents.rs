//! From the divisors of a number to the exponents of its primes: an isomorphism.
//!
//! Idea: a divisor of n is a product of powers of the primes p1, .., pk of n. Greatest common divisor and least common multiple take minimum and maximum
//! of the exponents, so the divisors are a product of chains, and both bounds are the divisor itself.
//!
//! Cost: at most 64 divisions to and fro. To make it, n is factored.
//!
//! Source: see the [module above](super).

use crate::factors::primes_of;
use crate::{Budget, Chain, Divisors, Product, Relaxation, Stop};

/// The exponents of the divisors of a number. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Exponents {
    /// Ascending.
    primes: Box<[u64]>,
    image: Product<Chain<u8>>,
}

impl Exponents {
    /// The exponents of these divisors.
    ///
    /// # Errors
    /// When the budget ends the factorisation.
    pub fn of(divisors: &Divisors, budget: &Budget) -> Result<Self, Stop> {
        let factors = primes_of(divisors.n(), budget)?;
        let runs = || factors.chunk_by(|p, q| p == q);
        // At most 63 of them.
        let chains = runs().filter_map(|run| Chain::new(0, run.len() as u8));
        Ok(Self {
            primes: runs().map(|run| run[0]).collect(),
            image: Product::new(chains),
        })
    }

    /// The primes, ascending.
    pub fn primes(&self) -> &[u64] {
        &self.primes
    }

    fn divisor(&self, exponents: &[u8]) -> u64 {
        let each = self.primes.iter().zip(exponents);
        each.map(|(prime, &exponent)| prime.pow(exponent.into()))
            .product()
    }
}

/// How often the prime divides a number.
fn exponent(prime: u64, mut number: u64) -> u8 {
    let mut exponent = 0;
    while number > 0 && number.is_multiple_of(prime) {
        number /= prime;
        exponent += 1;
    }
    exponent
}

impl Relaxation<Divisors> for Exponents {
    type Image = Product<Chain<u8>>;

    fn image(&self) -> &Product<Chain<u8>> {
        &self.image
    }

    fn image_of(&self, divisor: &u64) -> Box<[u8]> {
        let each = self.primes.iter();
        each.map(|&prime| exponent(prime, *divisor)).collect()
    }

    fn above(&self, exponents: &Box<[u8]>) -> u64 {
        self.divisor(exponents)
    }

    fn below(&self, exponents: &Box<[u8]>) -> u64 {
        self.divisor(exponents)
    }
}
