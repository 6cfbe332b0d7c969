//! Relaxations: lattice homomorphisms with their two adjoints, so that a cheap answer in one lattice bounds a dear one in another.
//!
//! Problem: to compute in families of sets is dear, to compute in sets is cheap.
//!
//! Idea: a homomorphism f from L to M commutes with meet and join, so the value of a graph in M, whose leaves are the images of the leaves, is the
//! image of its value in L, at every node. If f(v) is m, then v lies between the least element whose image is at least m and the greatest one
//! whose image is at most m. These two maps back are the adjoints of f.
//!
//! Invariant: `below(m) <= x <= above(m)` whenever `image_of(x) == m`; [`crate::laws::check_relaxation`] tests it.
//!
//! Cost: as each relaxation says.
//!
//! Source: the adjoints of a map between lattices (residuated maps): Blyth, Janowitz (1972); bounds from an abstraction of the values rather than of
//! the graph: the theory chapter.

use crate::{Antichain, ElemOf, Families, Lattice, Powerset, WorldSet};

/// A lattice homomorphism from `L`, with bounds on the elements that have a given image.
pub trait Relaxation<L: Lattice> {
    /// The lattice that it goes to.
    type Image: Lattice;

    /// The lattice that it goes to.
    fn image(&self) -> &Self::Image;

    /// The image of an element: commutes with meet and join.
    fn image_of(&self, element: &L::Elem) -> ElemOf<Self::Image>;

    /// The greatest element whose image is at most this, or something above it.
    fn above(&self, image: &ElemOf<Self::Image>) -> L::Elem;

    /// The least element whose image is at least this, or something below it.
    fn below(&self, image: &ElemOf<Self::Image>) -> L::Elem;
}

/// From families of sets to sets: the union. A game in which one strategy must do in all worlds becomes the game in which each world has its own.
///
/// Above a set lies the family of all its subsets. Below it lies the join of its singletons; with more than one world that is an antichain
/// that costs more than it says, and this relaxation answers with the bottom.
#[derive(Clone, Debug)]
pub struct Unions<'a, B> {
    families: &'a Families<B>,
    never_bottom: bool,
}

impl<'a, B: WorldSet> Unions<'a, B> {
    /// The unions of these families. `never_bottom`: none of them is the bottom, so that each contains the empty set.
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
        // The bottom and the family of the empty set have the same union, and this is the greater one.
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
