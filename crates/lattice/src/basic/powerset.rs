//! Powersets: sets of worlds `0..v`, ordered by inclusion. Meet is intersection, join is union.
//!
//! Two representations of one idea, chosen by [`WorldSet`]: [`Words`], up to `64 N` worlds in `N`
//! machine words, which lives in registers and needs no heap; and [`FixedBitSet`], whose size is
//! known at run time.
//!
//! Cost: one machine instruction for 64 worlds (wider with vector units). Only sets whose size is
//! known at run time charge the budget, as they may have millions of worlds.

use std::fmt::{self, Debug};

use fixedbitset::FixedBitSet;

use crate::{Budget, DistributiveLattice, Lattice, Shown, Stop};

/// A set of worlds, numbered from 0. All sets of one lattice are made for the same number of
/// worlds.
pub trait WorldSet: Clone + Ord + Debug + Send + Sync + 'static {
    /// The most worlds such a set can hold; `None` without limit.
    const MOST: Option<usize>;

    /// The empty set among `worlds` worlds.
    fn empty(worlds: usize) -> Self;

    /// Adds a world.
    ///
    /// # Panics
    /// If the set has no room for it.
    fn insert(&mut self, world: usize);

    /// Removes a world, if it is there.
    fn remove(&mut self, world: usize);

    /// Returns whether the world is in the set.
    fn contains(&self, world: usize) -> bool;

    /// Returns whether every world of `self` is in `other`.
    fn is_subset(&self, other: &Self) -> bool;

    /// Adds the worlds of `other`.
    fn union_with(&mut self, other: &Self);

    /// Keeps only the worlds of `other`.
    fn intersect_with(&mut self, other: &Self);

    /// Removes the worlds of `other`.
    fn subtract(&mut self, other: &Self);

    /// The worlds in the set, ascending.
    fn ones(&self) -> impl Iterator<Item = usize>;

    /// Adds worlds 64 at a time: bit `i` of `word` stands for world `64 place + i`.
    ///
    /// # Panics
    /// If the set has no room for one of them.
    fn insert_word(&mut self, place: usize, word: u64) {
        for world in Words([word]).ones() {
            self.insert(64 * place + world);
        }
    }

    /// The worlds of the set as words of 64 bits.
    fn words(&self) -> impl Iterator<Item = u64>;

    /// The number of worlds in the set.
    fn count(&self) -> usize {
        self.ones().count()
    }

    /// The set of all `worlds` worlds.
    fn full(worlds: usize) -> Self {
        let mut set = Self::empty(worlds);
        (0..worlds).for_each(|world| set.insert(world));
        set
    }
}

/// A set of at most `64 N` worlds in `N` machine words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Words<const N: usize>(pub [u64; N]);

impl<const N: usize> Debug for Words<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.ones()).finish()
    }
}

impl<const N: usize> WorldSet for Words<N> {
    const MOST: Option<usize> = Some(64 * N);

    #[inline]
    fn empty(_: usize) -> Self {
        Self([0; N])
    }

    #[inline]
    fn insert(&mut self, world: usize) {
        self.0[world / 64] |= 1 << (world % 64);
    }

    #[inline]
    fn remove(&mut self, world: usize) {
        if let Some(word) = self.0.get_mut(world / 64) {
            *word &= !(1 << (world % 64));
        }
    }

    #[inline]
    fn contains(&self, world: usize) -> bool {
        world < 64 * N && self.0[world / 64] >> (world % 64) & 1 == 1
    }

    #[inline]
    fn is_subset(&self, other: &Self) -> bool {
        // No early exit: a loop over a few words without branches are faster than one mispredicted
        // branch.
        let mut outside = 0;
        for (place, word) in self.0.iter().enumerate() {
            outside |= word & !other.0[place];
        }
        outside == 0
    }

    #[inline]
    fn union_with(&mut self, other: &Self) {
        for (place, word) in self.0.iter_mut().enumerate() {
            *word |= other.0[place];
        }
    }

    #[inline]
    fn intersect_with(&mut self, other: &Self) {
        for (place, word) in self.0.iter_mut().enumerate() {
            *word &= other.0[place];
        }
    }

    #[inline]
    fn subtract(&mut self, other: &Self) {
        for (place, word) in self.0.iter_mut().enumerate() {
            *word &= !other.0[place];
        }
    }

    fn ones(&self) -> impl Iterator<Item = usize> {
        let ones = |(place, word): (usize, &u64)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let world = 64 * place + rest.trailing_zeros() as usize;
                let found = (rest != 0).then_some(world);
                rest &= rest.wrapping_sub(1);
                found
            })
        };
        self.0.iter().enumerate().flat_map(ones)
    }

    #[inline]
    fn insert_word(&mut self, place: usize, word: u64) {
        if word != 0 {
            self.0[place] |= word;
        }
    }

    fn words(&self) -> impl Iterator<Item = u64> {
        self.0.iter().copied()
    }

    #[inline]
    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

impl WorldSet for FixedBitSet {
    const MOST: Option<usize> = None;

    fn empty(worlds: usize) -> Self {
        Self::with_capacity(worlds)
    }

    fn insert(&mut self, world: usize) {
        Self::insert(self, world);
    }

    fn remove(&mut self, world: usize) {
        if world < self.len() {
            Self::remove(self, world);
        }
    }

    fn contains(&self, world: usize) -> bool {
        Self::contains(self, world)
    }

    fn is_subset(&self, other: &Self) -> bool {
        Self::is_subset(self, other)
    }

    fn union_with(&mut self, other: &Self) {
        Self::union_with(self, other);
    }

    fn intersect_with(&mut self, other: &Self) {
        Self::intersect_with(self, other);
    }

    fn subtract(&mut self, other: &Self) {
        Self::difference_with(self, other);
    }

    fn ones(&self) -> impl Iterator<Item = usize> {
        Self::ones(self)
    }

    fn insert_word(&mut self, place: usize, word: u64) {
        let room = self.len().saturating_sub(64 * place);
        assert!(
            room >= 64 || word >> room == 0,
            "the set has no room for these worlds"
        );
        if usize::BITS == 64 && word != 0 {
            self.as_mut_slice()[place] |= word as usize;
        } else {
            for world in Words([word]).ones() {
                Self::insert(self, 64 * place + world);
            }
        }
    }

    fn words(&self) -> impl Iterator<Item = u64> {
        let blocks = self.as_slice().chunks(64 / usize::BITS as usize);
        blocks.map(|blocks| {
            let blocks = blocks.iter().rev();
            blocks.fold(0_u64, |word, &block| {
                word.wrapping_shl(usize::BITS) | block as u64
            })
        })
    }

    fn count(&self) -> usize {
        self.count_ones(..)
    }
}

/// More worlds than the representation holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{worlds} worlds are more than the {most} this set type holds")]
pub struct TooManyWorlds {
    /// The number of worlds asked for.
    pub worlds: usize,
    /// The most worlds the representation holds.
    pub most: usize,
}

/// All subsets of the worlds `0..v`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Powerset<B> {
    worlds: usize,
    full: B,
}

impl<B: WorldSet> Powerset<B> {
    /// The powerset of `worlds` worlds.
    ///
    /// # Errors
    /// If the representation cannot hold so many.
    pub fn new(worlds: usize) -> Result<Self, TooManyWorlds> {
        match B::MOST {
            Some(most) if worlds > most => Err(TooManyWorlds { worlds, most }),
            _ => Ok(Self {
                worlds,
                full: B::full(worlds),
            }),
        }
    }

    /// The number of worlds.
    pub fn worlds(&self) -> usize {
        self.worlds
    }

    /// The set of these worlds; `None` if one of them does not exist.
    pub fn set(&self, worlds: impl IntoIterator<Item = usize>) -> Option<B> {
        let mut set = B::empty(self.worlds);
        for world in worlds {
            if world >= self.worlds {
                return None;
            }
            set.insert(world);
        }
        Some(set)
    }

    /// Charges for an operation on whole sets: a step for each [`WORLDS_OF_A_STEP`] worlds. Sets of
    /// a fixed number of words, and short ones, cost nothing.
    #[inline]
    fn charge(&self, budget: &Budget) -> Result<(), Stop> {
        if B::MOST.is_some() {
            return Ok(());
        }
        match self.worlds / WORLDS_OF_A_STEP {
            0 => Ok(()),
            steps => budget.steps(steps as u64),
        }
    }
}

/// Worlds that one step pays for: sixteen words take some nanoseconds.
const WORLDS_OF_A_STEP: usize = 1024;

impl<B: WorldSet> Lattice for Powerset<B> {
    type Elem = B;

    #[inline]
    fn bottom(&self) -> B {
        B::empty(self.worlds)
    }

    #[inline]
    fn top(&self) -> B {
        self.full.clone()
    }

    #[inline]
    fn leq(&self, a: &B, b: &B, _: &Budget) -> Result<bool, Stop> {
        Ok(a.is_subset(b))
    }

    #[inline]
    fn join_assign(&self, a: &mut B, b: &B, budget: &Budget) -> Result<(), Stop> {
        self.charge(budget)?;
        a.union_with(b);
        Ok(())
    }

    #[inline]
    fn meet_assign(&self, a: &mut B, b: &B, budget: &Budget) -> Result<(), Stop> {
        self.charge(budget)?;
        a.intersect_with(b);
        Ok(())
    }

    #[inline]
    fn rank(&self, set: &B) -> u64 {
        set.count() as u64
    }

    /// Adds all worlds outside `within` to an item.
    #[inline]
    fn shorten(&self, a: &B, shown: Shown<'_, B>, _: &Budget) -> Result<Option<B>, Stop> {
        let Shown::Item { within } = shown else {
            return Ok(None);
        };
        let mut raised = self.full.clone();
        raised.subtract(within);
        raised.union_with(a);
        Ok(Some(raised))
    }
}

impl<B: WorldSet> DistributiveLattice for Powerset<B> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_type_that_is_too_small_is_refused() {
        let refused = Powerset::<Words<1>>::new(65);
        assert_eq!(
            refused,
            Err(TooManyWorlds {
                worlds: 65,
                most: 64
            })
        );
        assert_eq!(
            Powerset::<Words<1>>::new(64).map(|l| l.top()),
            Ok(Words([u64::MAX]))
        );
        assert!(Powerset::<FixedBitSet>::new(1000).is_ok());
    }

    #[test]
    fn a_world_outside_is_refused() {
        let lattice = Powerset::<Words<2>>::new(70).expect("it fits");
        assert_eq!(lattice.set([0, 70]), None);
        let set = lattice.set([0, 69]).expect("both exist");
        assert_eq!(set.ones().collect::<Vec<_>>(), [0, 69]);
    }
}
