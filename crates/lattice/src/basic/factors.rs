//! The prime powers of a 64-bit number.
//!
//! Problem: the join-primes among the divisors of n are its prime powers, and n may be the product
//! of two primes of 32 bits, for which trial division takes seconds.
//!
//! Idea: take out small factors by trial division; test what is left by Miller and Rabin, which is
//! exact below 2^64 with the first twelve primes as bases; split composite numbers by Pollard's
//! rho, with the constants 1, 2, .. in turn, so that factoring is deterministic.
//!
//! Cost: about the fourth root of n steps, which are charged to the budget.
//!
//! Source: Pollard (1975); the bases: Sorenson, Webster (2017).

use crate::{Budget, Stop};

/// Bound of the trial division.
const SMALL: u64 = 256;
/// Bases with which the Miller-Rabin test is exact below 2^64.
const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];

/// For each prime that divides `n`, the greatest power of it that does, ascending by prime. Empty
/// for 0.
pub(crate) fn prime_powers(n: u64, budget: &Budget) -> Result<Vec<u64>, Stop> {
    let primes = primes_of(n, budget)?;
    let runs = primes.chunk_by(|p, q| p == q);
    Ok(runs.map(|run| run.iter().product()).collect())
}

/// The primes whose product is `n`, ascending. Empty for 0.
pub(crate) fn primes_of(n: u64, budget: &Budget) -> Result<Vec<u64>, Stop> {
    let mut primes = Vec::new();
    let mut rest = n.max(1);
    for p in 2..SMALL {
        while rest.is_multiple_of(p) {
            rest /= p;
            primes.push(p);
        }
    }
    let mut open = vec![rest];
    while let Some(part) = open.pop() {
        if part == 1 {
            continue;
        }
        if is_prime(part) {
            primes.push(part);
        } else {
            let factor = factor_of(part, budget)?;
            open.extend([factor, part / factor]);
        }
    }
    primes.sort_unstable();
    Ok(primes)
}

fn times(a: u64, b: u64, n: u64) -> u64 {
    // A remainder modulo n fits 64 bits.
    (u128::from(a) * u128::from(b) % u128::from(n)) as u64
}

fn power(mut base: u64, mut exponent: u64, n: u64) -> u64 {
    let mut power = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = times(power, base, n);
        }
        base = times(base, base, n);
        exponent /= 2;
    }
    power
}

/// Returns whether `n`, which has no small factor, is prime.
fn is_prime(n: u64) -> bool {
    if n < SMALL * SMALL {
        return n > 1;
    }
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut x = power(base, (n - 1) >> twos, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        (1..twos).any(|_| {
            x = times(x, x, n);
            x == n - 1
        })
    })
}

/// A proper factor of a composite number without small factors.
fn factor_of(n: u64, budget: &Budget) -> Result<u64, Stop> {
    // Pollard's rho finds the square of a prime last.
    let root = n.isqrt();
    if root * root == n {
        return Ok(root);
    }
    let mut constant = 0;
    loop {
        constant += 1;
        let step = |x: u64| {
            let next = u128::from(x) * u128::from(x) + u128::from(constant % n);
            (next % u128::from(n)) as u64
        };
        let (mut slow, mut fast) = (2, 2);
        loop {
            budget.steps(1)?;
            slow = step(slow);
            fast = step(step(fast));
            let factor = gcd(slow.abs_diff(fast), n);
            if factor == n {
                break;
            }
            if factor > 1 {
                return Ok(factor);
            }
        }
    }
}

/// The greatest common divisor.
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn powers(n: u64) -> Vec<u64> {
        prime_powers(n, &Budget::unlimited()).expect("no limit")
    }

    #[test]
    fn small_numbers_agree_with_trial_division() {
        for n in 1..70_000 {
            let mut rest = n;
            let mut expected = Vec::new();
            for p in 2..=n {
                if p * p > rest {
                    break;
                }
                let before = rest;
                while rest % p == 0 {
                    rest /= p;
                }
                if before > rest {
                    expected.push(before / rest);
                }
            }
            if rest > 1 {
                expected.push(rest);
            }
            assert_eq!(powers(n), expected, "{n}");
        }
    }

    #[test]
    fn large_numbers_are_factored() {
        let (p, q) = (4_294_967_291, 4_294_967_279);
        assert_eq!(powers(p * q), [q, p]);
        assert_eq!(powers(p * p), [p * p]);
        assert_eq!(powers(u64::MAX), [3, 5, 17, 257, 641, 65_537, 6_700_417]);
        assert_eq!(powers(1 << 63), [1 << 63]);
        let prime = 18_446_744_073_709_551_557;
        assert_eq!(powers(prime), [prime]);
        // Carmichael numbers, and a strong pseudoprime to the first nine bases.
        assert_eq!(powers(561), [3, 11, 17]);
        assert_eq!(
            powers(3_825_123_056_546_413_051),
            [149_491, 747_451, 34_233_211]
        );
        assert_eq!(powers(1009 * 1009 * 1009), [1009 * 1009 * 1009]);
    }
}
