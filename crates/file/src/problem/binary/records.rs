//! Values as words: one word for values of 64 bits, several for large sets and for tuples.
//!
//! Every pattern of words is read as some value, and each value that can be written has exactly one
//! pattern.

use meetjoin_lattice::{
    Antichain, AnyElem, AnyLattice, Decimal, Extended, Lattice, Powerset, Words, WorldSet,
};

/// The number of words in a value of the lattice; `None` if values have no common size.
pub(super) fn width(lattice: &AnyLattice) -> Option<usize> {
    Some(match lattice {
        AnyLattice::Bool(_)
        | AnyLattice::Integers(_)
        | AnyLattice::Decimals(_)
        | AnyLattice::SmallPowerset(_)
        | AnyLattice::SmallFamilies(_)
        | AnyLattice::Divisors(_)
        | AnyLattice::Finite(_) => 1,
        AnyLattice::Powerset(sets) => sets.worlds().div_ceil(64),
        AnyLattice::Families(families) => families.worlds().div_ceil(64),
        AnyLattice::Product(product) => {
            let widths = product.factors().iter().map(width);
            widths.sum::<Option<usize>>()?
        }
        AnyLattice::Dual(dual) => width(&dual.0)?,
        AnyLattice::Free(_) | AnyLattice::Monotone(_) => return None,
    })
}

/// Appends the words of a value. `None` if it has no words, as families of several sets; then some
/// words may have been appended.
pub(super) fn push(lattice: &AnyLattice, value: &AnyElem, out: &mut Vec<u64>) -> Option<()> {
    match (lattice, value) {
        (AnyLattice::Dual(dual), value) => push(&dual.0, value, out)?,
        (AnyLattice::Product(product), AnyElem::Tuple(values)) => {
            for (factor, value) in product.factors().iter().zip(values) {
                push(factor, value, out)?;
            }
        }
        (_, AnyElem::Bool(value)) => out.push(u64::from(*value)),
        (_, AnyElem::Integer(value)) => {
            let word = match value {
                Extended::NegInf => i64::MIN,
                Extended::PosInf => i64::MAX,
                Extended::Finite(i64::MIN | i64::MAX) => return None,
                Extended::Finite(value) => *value,
            };
            out.push(word.cast_unsigned());
        }
        (_, AnyElem::Decimal(value)) => out.push(value.get().to_bits()),
        (_, AnyElem::SmallSet(set)) => out.push(set.0[0]),
        (AnyLattice::Powerset(sets), AnyElem::Set(set)) => push_set(sets.worlds(), set, out),
        (_, AnyElem::SmallFamily(family)) => out.push(only(family)?.0[0]),
        (AnyLattice::Families(families), AnyElem::Family(family)) => {
            push_set(families.worlds(), only(family)?, out);
        }
        (_, AnyElem::Divisor(value)) => out.push(*value),
        (_, AnyElem::Element(value)) => out.push(u64::from(*value)),
        (
            _,
            AnyElem::Tuple(_)
            | AnyElem::Set(_)
            | AnyElem::Family(_)
            | AnyElem::Free(_)
            | AnyElem::Function(_),
        ) => return None,
    }
    Some(())
}

/// The maximal set of a family that has exactly one.
fn only<B>(family: &Antichain<B>) -> Option<&B> {
    match family.maximal() {
        [set] => Some(set),
        _ => None,
    }
}

fn push_set(worlds: usize, set: &impl WorldSet, out: &mut Vec<u64>) {
    let begin = out.len();
    out.resize(begin + worlds.div_ceil(64), 0);
    for world in set.ones() {
        out[begin + world / 64] |= 1 << (world % 64);
    }
}

/// The value of these words, or the nearest valid one.
pub(super) fn read(lattice: &AnyLattice, words: &[u64]) -> AnyElem {
    let word = words.first().copied().unwrap_or_default();
    match lattice {
        AnyLattice::Bool(_) => AnyElem::Bool(word != 0),
        AnyLattice::Integers(chain) => {
            let value = match word.cast_signed() {
                i64::MIN => Extended::NegInf,
                i64::MAX => Extended::PosInf,
                value => Extended::Finite(value),
            };
            AnyElem::Integer(value.clamp(*chain.lo(), *chain.hi()))
        }
        AnyLattice::Decimals(chain) => {
            let value = Decimal::new(f64::from_bits(word)).unwrap_or(*chain.lo());
            AnyElem::Decimal(value.clamp(*chain.lo(), *chain.hi()))
        }
        AnyLattice::SmallPowerset(sets) => AnyElem::SmallSet(small_set(sets, word)),
        AnyLattice::Powerset(sets) => AnyElem::Set(set(sets, words)),
        AnyLattice::SmallFamilies(families) => {
            AnyElem::SmallFamily(families.principal(small_set(families.base(), word)))
        }
        AnyLattice::Families(families) => {
            AnyElem::Family(families.principal(set(families.base(), words)))
        }
        AnyLattice::Product(product) => {
            let mut rest = words;
            let part = |factor: &AnyLattice| {
                let width = width(factor).unwrap_or_default().min(rest.len());
                let (words, others) = rest.split_at(width);
                rest = others;
                read(factor, words)
            };
            AnyElem::Tuple(product.factors().iter().map(part).collect())
        }
        AnyLattice::Divisors(divisors) => {
            AnyElem::Divisor(if divisors.contains(word) { word } else { 1 })
        }
        AnyLattice::Dual(dual) => read(&dual.0, words),
        AnyLattice::Finite(table) => {
            let known = usize::try_from(word).is_ok_and(|element| element < table.size());
            AnyElem::Element(if known { word as u32 } else { 0 })
        }
        AnyLattice::Free(_) | AnyLattice::Monotone(_) => lattice.bottom(),
    }
}

fn small_set(sets: &Powerset<Words<1>>, word: u64) -> Words<1> {
    let Words([all]) = sets.top();
    Words([word & all])
}

fn set<B: WorldSet>(sets: &Powerset<B>, words: &[u64]) -> B {
    let worlds = sets.worlds().min(64 * words.len());
    let there = |world: &usize| words[world / 64] >> (world % 64) & 1 == 1;
    let set = sets.set((0..worlds).filter(there));
    set.unwrap_or_else(|| sets.bottom())
}
