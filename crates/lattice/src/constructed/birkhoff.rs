//! Birkhoff's theorem: a finite distributive lattice as a lattice of sets.
//!
//! Problem: a table of n elements takes 4 n^2 bytes, and every meet and join is a random access to
//! it.
//!
//! Idea: write each element as the set of the join-irreducibles below it. In a distributive lattice
//! meet then is intersection and join is union, so a search runs on machine words in a
//! [`Powerset`]. The sets that stand for elements are the down-sets of join-irreducibles; the
//! element of a set is found by binary search.
//!
//! Cost: building takes n r look-ups for r join-irreducibles, and r bits for each element; log n
//! comparisons lead from a set to its element. A lattice of n elements has between log n and n - 1
//! join-irreducibles: a chain is better off as a table.
//!
//! Needs: [`Distributive`]; in other lattices joins are larger than unions.
//!
//! Source: Birkhoff (1937).

use crate::{Distributive, FiniteLattice, Lattice, Powerset, TooManyWorlds, WorldSet};

/// The isomorphism of a distributive table with a lattice of sets of its join-irreducibles.
///
/// ```
/// use meetjoin_lattice::{Birkhoff, Distributive, FiniteLattice, Words};
///
/// let square = [("0", "a"), ("0", "b"), ("a", "1"), ("b", "1")];
/// let square = FiniteLattice::from_covers(&["0", "a", "b", "1"], &square)?;
/// let birkhoff = Birkhoff::<Words<1>>::new(&Distributive::try_from(square)?)?;
/// assert_eq!(birkhoff.join_irreducibles(), [1, 2]);
/// assert_eq!(birkhoff.set(3), Some(&Words([0b11])));
/// assert_eq!(birkhoff.element(&Words([0b10])), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Birkhoff<B> {
    irreducibles: Box<[u32]>,
    powerset: Powerset<B>,
    /// The set of each element.
    sets: Box<[B]>,
    /// The elements, ascending by their sets.
    by_set: Box<[u32]>,
}

impl<B: WorldSet> Birkhoff<B> {
    /// Finds the join-irreducibles of the table and the set of each element. World i stands for the
    /// i-th join-irreducible.
    ///
    /// # Errors
    /// If there are more join-irreducibles than the sets can hold.
    pub fn new(table: &Distributive<FiniteLattice>) -> Result<Self, TooManyWorlds> {
        let table = table.get();
        let irreducibles = table.join_irreducibles().into_boxed_slice();
        let powerset = Powerset::<B>::new(irreducibles.len())?;
        let set_of = |element| {
            let mut set: B = powerset.bottom();
            let below = irreducibles.iter().enumerate();
            let below = below.filter(|&(_, &j)| table.is_below(j, element));
            below.for_each(|(world, _)| set.insert(world));
            set
        };
        let sets: Box<[B]> = (0..table.size() as u32).map(set_of).collect();
        let mut by_set: Box<[u32]> = (0..table.size() as u32).collect();
        by_set.sort_unstable_by_key(|&element| &sets[element as usize]);
        Ok(Self {
            irreducibles,
            powerset,
            sets,
            by_set,
        })
    }

    /// The join-irreducibles, ascending by number.
    pub fn join_irreducibles(&self) -> &[u32] {
        &self.irreducibles
    }

    /// The powerset to search in.
    pub fn powerset(&self) -> &Powerset<B> {
        &self.powerset
    }

    /// The set that stands for an element; `None` if there is no such element.
    pub fn set(&self, element: u32) -> Option<&B> {
        self.sets.get(element as usize)
    }

    /// The element that a set stands for; `None` if it is no down-set of join-irreducibles.
    pub fn element(&self, set: &B) -> Option<u32> {
        let place = self
            .by_set
            .binary_search_by_key(&set, |&e| &self.sets[e as usize]);
        place.ok().map(|place| self.by_set[place])
    }

    /// The least element above a set, which need not be a down-set: the join of its irreducibles.
    /// `None` if a world of the set stands for no irreducible.
    pub fn least_above(&self, set: &B) -> Option<u32> {
        self.join(set, |_| true)
    }

    /// The greatest element below a set, which need not be a down-set: the join of the irreducibles
    /// whose down-sets lie in it. `None` as above.
    pub fn greatest_below(&self, set: &B) -> Option<u32> {
        self.join(set, |down_set| down_set.is_subset(set))
    }

    /// The join of those irreducibles of a set whose down-sets pass `wanted`.
    fn join(&self, set: &B, wanted: impl Fn(&B) -> bool) -> Option<u32> {
        let mut join = self.powerset.bottom();
        for world in set.ones() {
            let down_set = self.set(*self.irreducibles.get(world)?)?;
            if wanted(down_set) {
                join.union_with(down_set);
            }
        }
        self.element(&join)
    }
}
