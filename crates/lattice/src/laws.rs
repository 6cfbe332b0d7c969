//! The laws of lattices, as checks for lattices of one's own.
//!
//! Give them a list of elements: all of a small lattice (then the check is a proof), a sample of a
//! large one. Checks look at all pairs or triples, so they cost up to the cube of the list's
//! length.
//!
//! ```
//! use meetjoin_lattice::{Chain, laws};
//!
//! let chain = Chain::new(0, 3).expect("0 <= 3");
//! let elements = [0, 1, 2, 3];
//! laws::check_lattice(&chain, &elements)?;
//! laws::check_distributive(&chain, &elements)?;
//! laws::check_total_order(&chain, &elements)?;
//! # Ok::<(), laws::Violation>(())
//! ```

use std::fmt::Debug;

use crate::{Budget, ElemOf, JoinPrimes, Lattice, Relaxation, Shown, Stop, TotalOrder};

/// A law that does not hold, and elements that show it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The law is broken.
    #[error("{law} fails for {}", elements.join(", "))]
    Law {
        /// The law, as a formula.
        law: &'static str,
        /// The elements a, b, .. of the formula.
        elements: Vec<String>,
    },
    /// An operation stopped although it had no limit.
    #[error("an operation stopped although it had no limit: {0}")]
    Stopped(#[from] Stop),
}

struct Checker<'a, L> {
    lattice: &'a L,
    budget: Budget,
}

impl<L: Lattice> Checker<'_, L> {
    fn meet(&self, a: &L::Elem, b: &L::Elem) -> Result<L::Elem, Stop> {
        let mut meet = a.clone();
        self.lattice.meet_assign(&mut meet, b, &self.budget)?;
        Ok(meet)
    }

    fn join(&self, a: &L::Elem, b: &L::Elem) -> Result<L::Elem, Stop> {
        let mut join = a.clone();
        self.lattice.join_assign(&mut join, b, &self.budget)?;
        Ok(join)
    }

    fn leq(&self, a: &L::Elem, b: &L::Elem) -> Result<bool, Stop> {
        self.lattice.leq(a, b, &self.budget)
    }
}

fn checker<L: Lattice>(lattice: &L) -> Checker<'_, L> {
    Checker {
        lattice,
        budget: Budget::unlimited(),
    }
}

fn require<E: Debug>(holds: bool, law: &'static str, elements: &[&E]) -> Result<(), Violation> {
    if holds {
        return Ok(());
    }
    let elements = elements.iter().map(|e| format!("{e:?}")).collect();
    Err(Violation::Law { law, elements })
}

/// Checks the laws of a bounded lattice: the order, the bounds, and that meet and join are greatest
/// lower and least upper bounds.
///
/// # Errors
/// The first law that fails, with the elements.
pub fn check_lattice<L: Lattice>(lattice: &L, elements: &[L::Elem]) -> Result<(), Violation> {
    let l = checker(lattice);
    let (bottom, top) = (lattice.bottom(), lattice.top());
    for a in elements {
        require(l.leq(a, a)?, "a <= a", &[a])?;
        require(l.leq(&bottom, a)?, "bottom <= a", &[a])?;
        require(l.leq(a, &top)?, "a <= top", &[a])?;
        require(
            l.meet(a, &bottom)? == bottom,
            "a meet bottom = bottom",
            &[a],
        )?;
        require(l.join(a, &top)? == top, "a join top = top", &[a])?;
        require(l.meet(a, &top)? == *a, "a meet top = a", &[a])?;
        require(l.join(a, &bottom)? == *a, "a join bottom = a", &[a])?;
        for b in elements {
            let (meet, join, leq) = (l.meet(a, b)?, l.join(a, b)?, l.leq(a, b)?);
            let both = leq && l.leq(b, a)?;
            require(
                both == (a == b),
                "a <= b and b <= a exactly if a = b",
                &[a, b],
            )?;
            require(
                leq == (meet == *a),
                "a <= b exactly if a meet b = a",
                &[a, b],
            )?;
            require(
                leq == (join == *b),
                "a <= b exactly if a join b = b",
                &[a, b],
            )?;
            require(meet == l.meet(b, a)?, "a meet b = b meet a", &[a, b])?;
            require(join == l.join(b, a)?, "a join b = b join a", &[a, b])?;
            require(l.join(a, &meet)? == *a, "a join (a meet b) = a", &[a, b])?;
            require(l.meet(a, &join)? == *a, "a meet (a join b) = a", &[a, b])?;
            for c in elements {
                let transitive = !(leq && l.leq(b, c)?) || l.leq(a, c)?;
                require(transitive, "a <= b and b <= c give a <= c", &[a, b, c])?;
                let associative = l.meet(&meet, c)? == l.meet(a, &l.meet(b, c)?)?;
                require(
                    associative,
                    "(a meet b) meet c = a meet (b meet c)",
                    &[a, b, c],
                )?;
                let associative = l.join(&join, c)? == l.join(a, &l.join(b, c)?)?;
                require(
                    associative,
                    "(a join b) join c = a join (b join c)",
                    &[a, b, c],
                )?;
            }
        }
    }
    Ok(())
}

/// Checks that meet distributes over join, and join over meet.
///
/// # Errors
/// The first law that fails, with the elements.
pub fn check_distributive<L: Lattice>(lattice: &L, elements: &[L::Elem]) -> Result<(), Violation> {
    let l = checker(lattice);
    for a in elements {
        for b in elements {
            for c in elements {
                let left = l.meet(a, &l.join(b, c)?)?;
                let right = l.join(&l.meet(a, b)?, &l.meet(a, c)?)?;
                let law = "a meet (b join c) = (a meet b) join (a meet c)";
                require(left == right, law, &[a, b, c])?;
                let left = l.join(a, &l.meet(b, c)?)?;
                let right = l.meet(&l.join(a, b)?, &l.join(a, c)?)?;
                let law = "a join (b meet c) = (a join b) meet (a join c)";
                require(left == right, law, &[a, b, c])?;
            }
        }
    }
    Ok(())
}

/// Checks that any two elements are comparable and that `compare` agrees with `leq`.
///
/// # Errors
/// The first law that fails, with the elements.
pub fn check_total_order<L: TotalOrder>(
    lattice: &L,
    elements: &[L::Elem],
) -> Result<(), Violation> {
    let l = checker(lattice);
    for a in elements {
        for b in elements {
            let (leq, geq) = (l.leq(a, b)?, l.leq(b, a)?);
            require(leq || geq, "a <= b or b <= a", &[a, b])?;
            let order = lattice.compare(a, b);
            require(
                order.is_le() == leq,
                "compare(a, b) agrees with a <= b",
                &[a, b],
            )?;
            require(
                order.is_ge() == geq,
                "compare(a, b) agrees with b <= a",
                &[a, b],
            )?;
        }
    }
    Ok(())
}

/// Checks that exactly the right elements are called join-prime, and that the maximal ones below
/// each element are found. `elements` must be the whole lattice: a sample cannot show that an
/// element is *not* join-prime. Meet-primes are checked with [`Dual`](crate::Dual).
///
/// # Errors
/// The first law that fails, with the elements.
pub fn check_join_primes<L: JoinPrimes>(
    lattice: &L,
    elements: &[L::Elem],
) -> Result<(), Violation> {
    let l = checker(lattice);
    let bottom = lattice.bottom();
    for t in elements {
        let claimed = lattice.is_join_prime(t, &l.budget)?;
        require(!(claimed && *t == bottom), "bottom is not join-prime", &[t])?;
        let mut breaks = *t == bottom;
        for a in elements {
            for b in elements {
                let broken = l.leq(t, &l.join(a, b)?)? && !l.leq(t, a)? && !l.leq(t, b)?;
                let law = "a join-prime t <= a join b gives t <= a or t <= b";
                require(!(claimed && broken), law, &[t, a, b])?;
                breaks |= broken;
            }
        }
        require(claimed || breaks, "what breaks no law is join-prime", &[t])?;
    }
    for v in elements {
        check_parts(&l, v, elements)?;
    }
    Ok(())
}

/// Checks the list of the maximal join-primes below one element.
fn check_parts<L: JoinPrimes>(
    l: &Checker<'_, L>,
    v: &L::Elem,
    elements: &[L::Elem],
) -> Result<(), Violation> {
    let parts = l.lattice.join_primes_below(v, &l.budget)?;
    for (place, part) in parts.iter().enumerate() {
        let is_prime = l.lattice.is_join_prime(part, &l.budget)?;
        require(is_prime, "each part of v is join-prime", &[v, part])?;
        require(l.leq(part, v)?, "each part of v lies below v", &[v, part])?;
        for (other_place, other) in parts.iter().enumerate() {
            let apart = place == other_place || !l.leq(part, other)?;
            let law = "no part of v lies below another";
            require(apart, law, &[v, part, other])?;
        }
    }
    for t in elements {
        if l.lattice.is_join_prime(t, &l.budget)? && l.leq(t, v)? {
            let mut found = false;
            for part in &parts {
                found |= l.leq(t, part)?;
            }
            let law = "each join-prime t <= v lies below a part of v";
            require(found, law, &[v, t])?;
        }
    }
    Ok(())
}

/// Checks that each element is the join of its parts, the maximal join-primes below it, as in a
/// distributive lattice. Any sample of elements will do.
///
/// # Errors
/// The first law that fails, with the elements.
pub fn check_decomposition<L: JoinPrimes>(
    lattice: &L,
    elements: &[L::Elem],
) -> Result<(), Violation> {
    let l = checker(lattice);
    for v in elements {
        let mut join = lattice.bottom();
        for part in lattice.join_primes_below(v, &l.budget)? {
            join = l.join(&join, &part)?;
        }
        require(join == *v, "v is the join of its parts", &[v])?;
    }
    Ok(())
}

/// Checks that a relaxation commutes with meet and join, goes from bottom to bottom and from top to
/// top, and that its bounds hold.
///
/// # Errors
/// The first law that fails, with the elements.
pub fn check_relaxation<L, R>(
    lattice: &L,
    relaxation: &R,
    elements: &[L::Elem],
) -> Result<(), Violation>
where
    L: Lattice,
    R: Relaxation<L>,
{
    let (l, m) = (checker(lattice), checker(relaxation.image()));
    let image = |a: &L::Elem| relaxation.image_of(a);
    let (bottom, top) = (lattice.bottom(), lattice.top());
    let law = "f(bottom) = bottom";
    require(image(&bottom) == m.lattice.bottom(), law, &[&bottom])?;
    require(image(&top) == m.lattice.top(), "f(top) = top", &[&top])?;
    for a in elements {
        let below = relaxation.below(&image(a));
        require(l.leq(&below, a)?, "below(f(a)) <= a", &[a, &below])?;
        let above = relaxation.above(&image(a));
        require(l.leq(a, &above)?, "a <= above(f(a))", &[a, &above])?;
        for b in elements {
            let met = image(&l.meet(a, b)?) == m.meet(&image(a), &image(b))?;
            require(met, "f(a meet b) = f(a) meet f(b)", &[a, b])?;
            let joined = image(&l.join(a, b)?) == m.join(&image(a), &image(b))?;
            require(joined, "f(a join b) = f(a) join f(b)", &[a, b])?;
        }
    }
    Ok(())
}

/// Checks that the bounds of a relaxation are its adjoints, and so the best there are:
/// `x <= above(m)` exactly if `f(x) <= m`, and `below(m) <= x` exactly if `m <= f(x)`, for these
/// elements x and m.
///
/// # Errors
/// The first law that fails, with the elements.
pub fn check_adjoints<L, R>(
    lattice: &L,
    relaxation: &R,
    elements: &[L::Elem],
    images: &[ElemOf<R::Image>],
) -> Result<(), Violation>
where
    L: Lattice,
    R: Relaxation<L>,
{
    let (l, f) = (checker(lattice), checker(relaxation.image()));
    for m in images {
        let (below, above) = (relaxation.below(m), relaxation.above(m));
        for x in elements {
            let image = relaxation.image_of(x);
            let is_above = l.leq(x, &above)? == f.leq(&image, m)?;
            require(is_above, "x <= above(m) exactly if f(x) <= m", &[x, &above])?;
            let is_below = l.leq(&below, x)? == f.leq(m, &image)?;
            require(is_below, "below(m) <= x exactly if m <= f(x)", &[x, &below])?;
        }
    }
    Ok(())
}

/// Checks that the rank is monotone.
///
/// # Errors
/// The first law that fails, with the elements.
pub fn check_rank<L: Lattice>(lattice: &L, elements: &[L::Elem]) -> Result<(), Violation> {
    let l = checker(lattice);
    for a in elements {
        for b in elements {
            let grows = !l.leq(a, b)? || lattice.rank(a) <= lattice.rank(b);
            require(grows, "a <= b gives rank(a) <= rank(b)", &[a, b])?;
        }
    }
    Ok(())
}

/// Checks [`Lattice::shorten`]: a bound changes in the right direction, what is shown of it stays,
/// and a bound that is the value itself stays.
///
/// # Errors
/// The first law that fails, with the elements.
pub fn check_shortening<L: Lattice>(lattice: &L, elements: &[L::Elem]) -> Result<(), Violation> {
    let l = checker(lattice);
    let shorten = |a: &L::Elem, shown| -> Result<L::Elem, Stop> {
        let shorter = lattice.shorten(a, shown, &l.budget)?;
        Ok(shorter.unwrap_or_else(|| a.clone()))
    };
    for a in elements {
        for b in elements {
            let mut questions = vec![(true, Shown::Item { within: b })];
            for other in elements.iter().filter(|other| *other != a) {
                let (lower, upper) = (other, other);
                questions.push((false, Shown::Lower { alpha: b, upper }));
                questions.push((true, Shown::Upper { beta: b, lower }));
            }
            for (is_upper, shown) in questions {
                let x = shorten(a, shown)?;
                let (ordered, kept) = if is_upper {
                    (l.leq(a, &x)?, l.meet(a, b)? == l.meet(&x, b)?)
                } else {
                    (l.leq(&x, a)?, l.join(a, b)? == l.join(&x, b)?)
                };
                require(ordered, "a shortened is a bound as a is", &[a, b, &x])?;
                require(kept, "a shortened looks as a does", &[a, b, &x])?;
            }
            let lower = shorten(a, Shown::Lower { alpha: b, upper: a })?;
            let upper = shorten(a, Shown::Upper { beta: b, lower: a })?;
            require(lower == *a && upper == *a, "the value itself stays", &[a])?;
        }
    }
    Ok(())
}
