//! Families of sets as products.
//!
//! Problem: what a defender's next cards tell parts the layouts, and in each part declarer chooses
//! for herself. So a family of thousands of sets often is made of a few choices: one of these sets
//! here, with any of those there.
//!
//! Idea: a family is the product of its projections onto *blocks* of worlds if the projections have
//! as many sets, multiplied, as the family has; for the family is part of that product. Two worlds
//! of different blocks are in as many sets together as the product of their own numbers says, so
//! worlds for which this does not hold come into one block.
//!
//! Cost: for each pair of worlds that are in some and not in all sets a pass over the sets, 64 at a
//! time.

use std::collections::BTreeSet;

use meetjoin_lattice::WorldSet;

/// One of the choices that a product is made of.
pub(super) struct Factor<B> {
    /// The worlds that it is about.
    pub(super) block: B,
    /// The sets of them.
    pub(super) sets: Vec<B>,
}

/// A family of sets, each of which comes once, as a product of as many factors as can be found. The
/// worlds that are in no block are in all sets.
pub(super) fn factors<B: WorldSet>(sets: &[B], worlds: usize) -> Vec<Factor<B>> {
    let columns = columns(sets, worlds);
    let mut found = Vec::new();
    for block in blocks(sets.len() as u64, &columns, worlds) {
        let inside = |set: &B| {
            let mut set = set.clone();
            set.intersect_with(&block);
            set
        };
        let sets: BTreeSet<B> = sets.iter().map(inside).collect();
        let sets = sets.into_iter().collect();
        found.push(Factor { block, sets });
    }
    let mut numbers = found.iter().map(|factor| factor.sets.len());
    if numbers.try_fold(1_usize, usize::checked_mul) == Some(sets.len()) {
        return found;
    }
    vec![Factor {
        block: B::full(worlds),
        sets: sets.to_vec(),
    }]
}

/// In which sets a world is.
struct Column {
    bits: Vec<u64>,
    count: u64,
}

fn columns<B: WorldSet>(sets: &[B], worlds: usize) -> Vec<Column> {
    let mut bits = vec![vec![0_u64; sets.len().div_ceil(64)]; worlds];
    for (number, set) in sets.iter().enumerate() {
        for world in set.ones() {
            bits[world][number / 64] |= 1 << (number % 64);
        }
    }
    let counted = bits.into_iter().map(|bits| Column {
        count: bits.iter().map(|word| u64::from(word.count_ones())).sum(),
        bits,
    });
    counted.collect()
}

/// Worlds that depend on each other.
fn blocks<B: WorldSet>(all: u64, columns: &[Column], worlds: usize) -> Vec<B> {
    let varying = columns.iter().enumerate();
    let varying = varying.filter(|(_, column)| column.count < all);
    let mut blocks: Vec<Vec<(usize, &Column)>> = Vec::new();
    for (world, own) in varying {
        let depends = |(_, other): &(usize, &Column)| {
            let both = own.bits.iter().zip(&other.bits);
            let both: u64 = both.map(|(a, b)| u64::from((a & b).count_ones())).sum();
            both * all != own.count * other.count
        };
        let mut block = vec![(world, own)];
        blocks.retain_mut(|other| {
            let joins = other.iter().any(depends);
            if joins {
                block.append(other);
            }
            !joins
        });
        blocks.push(block);
    }
    let as_set = |block: Vec<(usize, &Column)>| {
        let mut set = B::empty(worlds);
        for (world, _) in block {
            set.insert(world);
        }
        set
    };
    blocks.into_iter().map(as_set).collect()
}

#[cfg(test)]
mod tests {
    use meetjoin_lattice::Words;

    use super::*;

    #[test]
    fn a_product_is_found_and_nothing_else_is_taken_for_one() {
        let family =
            |sets: &[u64]| -> Vec<Words<1>> { sets.iter().map(|set| Words([*set])).collect() };
        let sizes = |sets: &[u64]| -> Vec<usize> {
            let mut sizes: Vec<usize> = factors(&family(sets), 6)
                .iter()
                .map(|factor| factor.sets.len())
                .collect();
            sizes.sort_unstable();
            sizes
        };
        // One of two below, one of three above, and world 5 in all.
        let product: Vec<u64> = [0b01, 0b10]
            .iter()
            .flat_map(|low| [0b001, 0b010, 0b100].map(|high| 1 << 5 | high << 2 | low))
            .collect();
        assert_eq!(sizes(&product), [2, 3]);
        // Without one of its sets it is none.
        assert_eq!(sizes(&product[1..]), [5]);
        // A world that is in no set is a factor with one set, which is empty.
        assert_eq!(sizes(&[0b1_1111]), [1]);
        // In pairs these are independent, and the three together are not.
        assert_eq!(sizes(&[0b000, 0b011, 0b101, 0b110]), [4]);
        assert_eq!(sizes(&[]), [0]);
    }
}
