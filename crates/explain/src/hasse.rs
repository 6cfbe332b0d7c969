//! Hasse diagrams: elements of a lattice in layers, with a line from each to those that it covers.
//!
//! Idea: what is drawn is closed under join and meet, so it starts from elements that generate it:
//! values of a problem, or what generates the whole lattice. A lattice that is too large is shown
//! by its ends and some of its smallest elements, and says so.
//!
//! Cost: the cube of the number of elements in comparisons, so ask for some dozens.

use meetjoin_lattice::{
    AnyElem, AnyLattice, Bool, Budget, Chain, ElemOf, Extended, JoinPrimes as _, Lattice, Stop,
};

use crate::layout::{Edge, Place, layered};

/// How far apart layers are.
const LAYERS: f64 = 52.0;

/// A drawing of a part of a lattice.
#[derive(Clone, Debug)]
pub struct Hasse<E> {
    /// The elements, the bottom first.
    pub elements: Vec<E>,
    /// From an element to one that it covers, among those drawn.
    pub covers: Vec<Edge>,
    /// By element those above it or equal to it.
    pub above: Vec<Vec<usize>>,
    /// Where the elements are.
    pub places: Vec<Place>,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
}

/// The elements that these generate, with bottom and top; `None` if they are more than `most`.
///
/// # Errors
/// [`Stop`] when the budget ends it.
pub fn generated<L: Lattice>(
    lattice: &L,
    generators: impl IntoIterator<Item = ElemOf<L>>,
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<ElemOf<L>>>, Stop> {
    let mut elements = vec![lattice.bottom()];
    let add = |elements: &mut Vec<_>, element| {
        if !elements.contains(&element) {
            elements.push(element);
        }
        elements.len() <= most
    };
    for value in generators.into_iter().chain([lattice.top()]) {
        if !add(&mut elements, value) {
            return Ok(None);
        }
    }
    let mut next = 0;
    while next < elements.len() {
        for other in 0..next {
            let (mut join, mut meet) = (elements[next].clone(), elements[next].clone());
            lattice.join_assign(&mut join, &elements[other], budget)?;
            lattice.meet_assign(&mut meet, &elements[other], budget)?;
            if !add(&mut elements, join) || !add(&mut elements, meet) {
                return Ok(None);
            }
        }
        next += 1;
    }
    Ok(Some(elements))
}

impl<E: Clone + Eq> Hasse<E> {
    /// Draws these elements, which differ.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn of<L: Lattice<Elem = E>>(
        lattice: &L,
        elements: Vec<E>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let mut above = vec![Vec::new(); elements.len()];
        for (a, lower) in elements.iter().enumerate() {
            for (b, upper) in elements.iter().enumerate() {
                if lattice.leq(lower, upper, budget)? {
                    above[a].push(b);
                }
            }
        }
        let strictly = |a: usize, b: usize| a != b && above[a].contains(&b);
        let mut covers: Vec<Edge> = Vec::new();
        for a in 0..elements.len() {
            for b in 0..elements.len() {
                if strictly(a, b) && !(0..elements.len()).any(|c| strictly(a, c) && strictly(c, b))
                {
                    // From the top down, as the layers go.
                    covers.push((b, a));
                }
            }
        }
        let (places, width, height) = layered(elements.len(), &covers, LAYERS);
        Ok(Self {
            elements,
            covers,
            above,
            places,
            width,
            height,
        })
    }
}

/// The whole lattice, or, if it has more than `most` elements, bottom, top and some elements
/// between; and whether it is whole.
///
/// # Errors
/// [`Stop`] when the budget ends it.
pub fn elements(
    lattice: &AnyLattice,
    most: usize,
    budget: &Budget,
) -> Result<(Vec<AnyElem>, bool), Stop> {
    let (generators, all) = generators(lattice, most, budget)?;
    if all && let Some(elements) = generated(lattice, generators.clone(), most, budget)? {
        return Ok((elements, true));
    }
    // Nothing is generated here: a drawing of elements that are no lattice by themselves.
    let mut some = vec![lattice.bottom()];
    for element in generators.into_iter().chain([lattice.top()]) {
        if !some.contains(&element) {
            some.push(element);
        }
    }
    if some.len() > SOME {
        some.drain(SOME - 1..some.len() - 1);
    }
    Ok((some, false))
}

/// Elements that are drawn of a lattice that is too large.
const SOME: usize = 8;

/// Elements that generate a lattice, if they are at most `most`; otherwise some of them. And
/// whether they are all.
fn generators(
    lattice: &AnyLattice,
    most: usize,
    budget: &Budget,
) -> Result<(Vec<AnyElem>, bool), Stop> {
    Ok(match lattice {
        AnyLattice::Bool(Bool) => (Vec::new(), true),
        AnyLattice::Integers(chain) => numbers(chain, most),
        AnyLattice::Decimals(chain) => (Vec::new(), chain.lo() == chain.hi()),
        AnyLattice::SmallPowerset(sets) => {
            worlds(lattice, sets.worlds(), most, |world| vec![world])
        }
        AnyLattice::Powerset(sets) => worlds(lattice, sets.worlds(), most, |world| vec![world]),
        AnyLattice::SmallFamilies(families) => families_of(lattice, families.worlds(), most),
        AnyLattice::Families(families) => families_of(lattice, families.worlds(), most),
        AnyLattice::Divisors(divisors) => {
            let powers = lattice.join_primes_below(&AnyElem::Divisor(divisors.n()), budget)?;
            let below = powers.into_iter().flat_map(|power| match power {
                AnyElem::Divisor(power) => powers_below(power),
                _ => Vec::new(),
            });
            (below.map(AnyElem::Divisor).collect(), true)
        }
        AnyLattice::Product(product) => {
            let factors = product.factors();
            let bottoms: Vec<AnyElem> = factors.iter().map(Lattice::bottom).collect();
            let (mut tuples, mut whole) = (Vec::new(), true);
            for (place, factor) in factors.iter().enumerate() {
                let (elements, all) = generators(factor, most, budget)?;
                whole &= all;
                for element in elements.into_iter().chain([factor.top()]) {
                    let mut tuple = bottoms.clone();
                    tuple[place] = element;
                    tuples.push(AnyElem::Tuple(tuple.into()));
                }
            }
            (tuples, whole)
        }
        AnyLattice::Dual(dual) => generators(&dual.0, most, budget)?,
        AnyLattice::Finite(table) => {
            let all = table.size() <= most;
            let shown = if all { table.size() } else { SOME };
            ((0..shown as u32).map(AnyElem::Element).collect(), all)
        }
        AnyLattice::Monotone(functions) => {
            let events = functions.events() as usize;
            let (all, mut literals) = (events <= SOME, Vec::new());
            for event in (1..)
                .take(events.min(SOME))
                .flat_map(|event| [event, -event])
            {
                let literal = functions.of_sets(&[vec![event]], budget)?;
                literals.push(AnyElem::Function(literal));
            }
            (literals, all)
        }
        _ => (Vec::new(), false),
    })
}

/// The numbers of a chain, or those next to its ends, or next to 0 if it has none.
fn numbers(chain: &Chain<Extended>, most: usize) -> (Vec<AnyElem>, bool) {
    let number = |value: i64| AnyElem::Integer(Extended::Finite(value));
    match (*chain.lo(), *chain.hi()) {
        (Extended::Finite(lo), Extended::Finite(hi)) => {
            if usize::try_from(hi.abs_diff(lo)).is_ok_and(|steps| steps < most) {
                return ((lo..=hi).map(number).collect(), true);
            }
            ([lo + 1, lo + 2, hi - 2, hi - 1].map(number).to_vec(), false)
        }
        (Extended::Finite(lo), _) => {
            let next = [lo.saturating_add(1), lo.saturating_add(2)];
            (next.map(number).to_vec(), false)
        }
        (_, Extended::Finite(hi)) => {
            let next = [hi.saturating_sub(2), hi.saturating_sub(1)];
            (next.map(number).to_vec(), false)
        }
        (lo, hi) if lo == hi => (Vec::new(), true),
        _ => ([-1, 0, 1].map(number).to_vec(), false),
    }
}

/// One element for each world, or for the first of them.
fn worlds(
    lattice: &AnyLattice,
    worlds: usize,
    most: usize,
    set: impl Fn(usize) -> Vec<usize>,
) -> (Vec<AnyElem>, bool) {
    // So many independent elements generate more than there is room for.
    let all = worlds < most;
    let shown = if all { worlds } else { SOME };
    let elements = (0..shown).filter_map(|world| lattice.set(set(world)));
    (elements.collect(), all)
}

/// Every family is a union of intersections of those that leave out one world.
fn families_of(lattice: &AnyLattice, count: usize, most: usize) -> (Vec<AnyElem>, bool) {
    if count > SOME {
        return worlds(lattice, most, most, |world| vec![world]);
    }
    let without = |world| (0..count).filter(|&other| other != world).collect();
    worlds(lattice, count, most, without)
}

/// The powers of a prime up to this one.
fn powers_below(power: u64) -> Vec<u64> {
    #[allow(clippy::cast_sign_loss)] // no power is negative, and no root of one
    let root = |exponent: u32| {
        let near = (power as f64).powf(1.0 / f64::from(exponent)).round() as u64;
        (near >= 2 && near.checked_pow(exponent) == Some(power)).then_some(near)
    };
    let prime = (1..64).rev().find_map(root).unwrap_or(power);
    let powers = std::iter::successors(Some(prime), |below| below.checked_mul(prime));
    powers.take_while(|&below| below <= power).collect()
}
