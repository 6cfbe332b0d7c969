//! From families of sets to sets of k: which of k given sets belong.
//!
//! Idea: whether a set X belongs to a family is a homomorphism to truth and falsehood, because X
//! belongs to a union if it belongs to one of the two, and to an intersection if it belongs to
//! both. With k sets it goes to the subsets of k: an operation for each 64 of them.
//!
//! *Below.* All X_i with i in m belong to F exactly if the family that they generate lies below F;
//! so that family is the least.
//!
//! *Above.* The greatest family to which no X_i outside m belongs is the meet, over these, of the
//! family of all sets that do not contain X_i: all worlds but one of X_i, in turn. That can have
//! exponentially many maximal sets. A meet of only some of these families lies above it and is a
//! bound as well. They are taken in order of the size of X_i, until the meet could have more than a
//! given number of maximal sets. An X_i of one world costs nothing: it just excludes that world.
//!
//! Cost: the image compares k sets with the maximal sets of a family. Above: at most k meets of
//! families whose number of maximal sets is limited.
//!
//! Source: see the [module above](super); membership of all sets at once:
//! [`JoinPrimes`](crate::JoinPrimes).

use super::unlimited;
use crate::{
    Antichain, Budget, Families, Lattice, Powerset, Relaxation, Stop, TooManyWorlds, WorldSet,
};

/// Which of some sets `B` belong to a family, as a set `C`. See the [module page](self).
#[derive(Clone, Debug)]
pub struct Membership<'a, B, C> {
    families: &'a Families<B>,
    sets: Box<[B]>,
    /// Indices of the sets, from the smallest set to the largest.
    by_size: Box<[usize]>,
    most: usize,
    image: Powerset<C>,
}

impl<'a, B: WorldSet, C: WorldSet> Membership<'a, B, C> {
    /// Asks for these sets. Upper bounds have at most `most` maximal sets, or one.
    ///
    /// # Errors
    /// If `C` cannot hold so many sets.
    pub fn of(
        families: &'a Families<B>,
        sets: impl IntoIterator<Item = B>,
        most: usize,
    ) -> Result<Self, TooManyWorlds> {
        let sets: Box<[B]> = sets.into_iter().collect();
        let image = Powerset::new(sets.len())?;
        let mut by_size: Box<[usize]> = (0..sets.len()).collect();
        by_size.sort_unstable_by_key(|&i| (sets[i].count(), i));
        Ok(Self {
            families,
            sets,
            by_size,
            most,
            image,
        })
    }

    /// The family that avoids sets outside `belonging`, from the smallest on, while it stays small.
    fn avoiding(&self, belonging: &C, budget: &Budget) -> Result<Antichain<B>, Stop> {
        let mut family = self.families.top();
        for &i in self.by_size.iter().filter(|&&i| !belonging.contains(i)) {
            let worlds = self.sets[i].count();
            if family.maximal().len().saturating_mul(worlds) > self.most.max(1) {
                break;
            }
            let without = self.families.not_containing(&self.sets[i], budget)?;
            self.families.meet_assign(&mut family, &without, budget)?;
        }
        Ok(family)
    }
}

impl<B: WorldSet, C: WorldSet> Relaxation<Families<B>> for Membership<'_, B, C> {
    type Image = Powerset<C>;

    fn image(&self) -> &Powerset<C> {
        &self.image
    }

    fn image_of(&self, family: &Antichain<B>) -> C {
        let mut belonging = self.image.bottom();
        for (i, asked) in self.sets.iter().enumerate() {
            if family.maximal().iter().any(|set| asked.is_subset(set)) {
                belonging.insert(i);
            }
        }
        belonging
    }

    fn above(&self, belonging: &C) -> Antichain<B> {
        unlimited(self.avoiding(belonging, &Budget::unlimited()))
    }

    fn below(&self, belonging: &C) -> Antichain<B> {
        let sets = belonging.ones().filter_map(|i| self.sets.get(i));
        unlimited(
            self.families
                .generated_by(sets.cloned(), &Budget::unlimited()),
        )
    }
}
