//! From families of sets to sets: the union.
//!
//! Cost: the image takes a union of the maximal sets; a bound has one set or none.
//!
//! Source: see the [module above](super).

use crate::{Antichain, Families, Lattice, Powerset, Relaxation, WorldSet};

/// From families of sets to sets: the union. A game in which one strategy must serve in all worlds
/// becomes the game in which each world has a strategy of its own.
///
/// Above a set lies the family of all its subsets. Below it lies the join of its singletons. With
/// more than one world that antichain costs more than it is worth, and this relaxation answers with
/// the bottom or, if no family is the bottom, with the family of the empty set.
#[derive(Clone, Debug)]
pub struct Unions<'a, B> {
    families: &'a Families<B>,
    never_bottom: bool,
}

impl<'a, B: WorldSet> Unions<'a, B> {
    /// The unions of these families. `never_bottom`: none of them is the bottom, so that each
    /// contains the empty set.
    pub fn of(families: &'a Families<B>, never_bottom: bool) -> Self {
        Self {
            families,
            never_bottom,
        }
    }
}

impl<B: WorldSet> Relaxation<Families<B>> for Unions<'_, B> {
    type Image = Powerset<B>;

    fn image(&self) -> &Powerset<B> {
        self.families.base()
    }

    #[inline]
    fn image_of(&self, family: &Antichain<B>) -> B {
        let Some((first, rest)) = family.maximal().split_first() else {
            return self.families.base().bottom();
        };
        let mut union = first.clone();
        for set in rest {
            union.union_with(set);
        }
        union
    }

    #[inline]
    fn above(&self, set: &B) -> Antichain<B> {
        // The bottom and the family of the empty set have the same union, and this is the greater
        // one.
        self.families.principal(set.clone())
    }

    #[inline]
    fn below(&self, set: &B) -> Antichain<B> {
        let mut worlds = set.ones();
        match (worlds.next(), worlds.next()) {
            (Some(_), None) => self.families.principal(set.clone()),
            _ if self.never_bottom => self.families.principal(self.families.base().bottom()),
            _ => self.families.bottom(),
        }
    }
}
