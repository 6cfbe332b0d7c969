//! Down-sets of a lattice, each written as the antichain of its maximal elements: families of sets, and the free distributive lattice.
//!
//! Problem: in a game with hidden information a strategy wins in a *set* of worlds, and a position is worth the *family* of all sets that
//! one strategy can win: an element of `2^(2^S)`. Written out, such a family is hopelessly large; and meet taken on raw sets of
//! sets, as the literature prints it, is no lattice operation at all (`{{1},{2}}` meet itself would contain the empty set).
//!
//! Idea: a family that contains with each set all its subsets is given by its maximal sets. Join is union, meet is all pairwise meets,
//! both reduced to maximal elements. Nothing in this needs *sets*: it works over any base lattice `L` that can meet and compare. Over
//! a powerset it gives [`Families`]; over packets of outcomes (themselves down-sets, upside down) it gives [`FreeLattice`].
//!
//! Invariant: an [`Antichain`] is reduced and sorted at every moment, also when the budget stops an operation half way, so `==` is
//! equality in the lattice.
//!
//! Cost: join of antichains of n and m elements: up to n m comparisons. Meet: n m base meets, each compared with the result so far.
//! Each comparison is charged to the budget, so limits hold inside a meet of thousands by thousands.
//!
//! Needs: any base [`Lattice`] whose elements have some total order `Ord` (used only to have one representation). The down-sets are
//! distributive whatever the base is, because they are sets under union and intersection.
//!
//! Source: families as values of games with hidden information: Ginsberg (2001), Li et al. (2022), with the correction described in
//! the errata chapter; the free (linear) lattice of a poset: Couwenberg (2011).

use smallvec::{SmallVec, smallvec};

use crate::{
    Budget, Chain, DistributiveLattice, Dual, Extended, Lattice, Powerset, Product, Stop,
    TooManyWorlds, WorldSet,
};

/// Maximal elements, pairwise incomparable, in ascending `Ord` order. One element needs no heap.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Antichain<E>(SmallVec<[E; 1]>);

impl<E> Antichain<E> {
    /// The maximal elements.
    pub fn maximal(&self) -> &[E] {
        &self.0
    }
}

/// The lattice of all finitely generated down-sets of `L`.
///
/// The bottom is the empty down-set (no maximal element at all), which lies below the down-set of the base's bottom alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DownSets<L> {
    base: L,
}

/// Families of sets of worlds that are closed under subsets, by their maximal sets: the lattice `2^(2^S)` of Li et al.
pub type Families<B> = DownSets<Powerset<B>>;

/// Vectors of integers under dominance.
pub type Vectors = Product<Chain<Extended>>;

/// Packets of vectors: a packet is the meet of its outcomes, kept as the antichain of the minimal ones. P lies below Q exactly if
/// every outcome of Q has one in P below it. These are the down-sets of the *dual* order, upside down.
pub type Packets = Dual<DownSets<Dual<Vectors>>>;

/// The free distributive lattice over vectors of integers, in disjunctive normal form: an element is the join of its packets.
pub type FreeLattice = DownSets<Packets>;

impl<B: WorldSet> Families<B> {
    /// The families over `worlds` worlds.
    ///
    /// # Errors
    /// If the representation cannot hold so many worlds.
    pub fn of_worlds(worlds: usize) -> Result<Self, TooManyWorlds> {
        Powerset::new(worlds).map(Self::over)
    }

    /// How many worlds there are.
    pub fn worlds(&self) -> usize {
        self.base.worlds()
    }
}

impl FreeLattice {
    /// The free lattice over vectors of `dims` integers.
    pub fn of_vectors(dims: usize) -> Self {
        let vectors = Product::power(Chain::unbounded(), dims);
        Self::over(Dual(DownSets::over(Dual(vectors))))
    }

    /// The vectors it is free over.
    pub fn vectors(&self) -> &Vectors {
        &self.base.0.base.0
    }

    /// The packet of these outcomes.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn packet(
        &self,
        outcomes: impl IntoIterator<Item = Box<[Extended]>>,
        budget: &Budget,
    ) -> Result<Antichain<Box<[Extended]>>, Stop> {
        self.base.0.generated_by(outcomes, budget)
    }
}

impl<L: Lattice<Elem: Ord>> DownSets<L> {
    /// The down-sets of `base`.
    pub fn over(base: L) -> Self {
        Self { base }
    }

    /// The base lattice.
    pub fn base(&self) -> &L {
        &self.base
    }

    /// The down-set of one element.
    pub fn principal(&self, element: L::Elem) -> Antichain<L::Elem> {
        Antichain(smallvec![element])
    }

    /// The smallest down-set that contains these elements.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn generated_by(
        &self,
        elements: impl IntoIterator<Item = L::Elem>,
        budget: &Budget,
    ) -> Result<Antichain<L::Elem>, Stop> {
        let mut maximal = SmallVec::new();
        for element in elements {
            self.insert(&mut maximal, element, budget)?;
        }
        Ok(Antichain(maximal))
    }

    /// Adds an element to a reduced, sorted list and keeps it so. On `Err` the list is as it was.
    fn insert(
        &self,
        maximal: &mut SmallVec<[L::Elem; 1]>,
        element: L::Elem,
        budget: &Budget,
    ) -> Result<(), Stop> {
        budget.steps(2 * maximal.len() as u64 + 1)?;
        let mut covered: SmallVec<[usize; 8]> = SmallVec::new();
        for (i, old) in maximal.iter().enumerate() {
            if self.base.leq(&element, old, budget)? {
                return Ok(());
            }
            if self.base.leq(old, &element, budget)? {
                covered.push(i);
            }
        }
        if !covered.is_empty() {
            let mut covered = covered.into_iter().peekable();
            let mut i = 0;
            maximal.retain(|_| {
                let keep = covered.next_if_eq(&i).is_none();
                i += 1;
                keep
            });
        }
        let place = maximal.partition_point(|old| *old < element);
        maximal.insert(place, element);
        Ok(())
    }

    /// Whether some element of `b` lies above `x`.
    fn some_above(
        &self,
        x: &L::Elem,
        b: &Antichain<L::Elem>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        budget.steps(b.0.len() as u64)?;
        for y in &b.0 {
            if self.base.leq(x, y, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<L: Lattice<Elem: Ord>> Lattice for DownSets<L> {
    type Elem = Antichain<L::Elem>;

    #[inline]
    fn bottom(&self) -> Self::Elem {
        Antichain(SmallVec::new())
    }

    #[inline]
    fn top(&self) -> Self::Elem {
        self.principal(self.base.top())
    }

    fn leq(&self, a: &Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
        for x in &a.0 {
            if !self.some_above(x, b, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn join_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        if a.0.is_empty() {
            a.0.clone_from(&b.0);
            return Ok(());
        }
        // One element of b after the other: after each, `a` is a join of its old value with a part of b.
        for y in &b.0 {
            self.insert(&mut a.0, y.clone(), budget)?;
        }
        Ok(())
    }

    fn meet_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        if let ([x], [y]) = (&mut a.0[..], &b.0[..]) {
            return self.base.meet_assign(x, y, budget);
        }
        // Built apart, because a part of the pairwise meets would lie *below* the result.
        let mut meets = SmallVec::new();
        for x in &a.0 {
            if self.some_above(x, b, budget)? {
                // Then x itself is the largest of its meets.
                self.insert(&mut meets, x.clone(), budget)?;
                continue;
            }
            for y in &b.0 {
                let mut meet = x.clone();
                self.base.meet_assign(&mut meet, y, budget)?;
                self.insert(&mut meets, meet, budget)?;
            }
        }
        a.0 = meets;
        Ok(())
    }
}

impl<L: Lattice<Elem: Ord>> DistributiveLattice for DownSets<L> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Words};

    fn family(sets: &[&[usize]]) -> Antichain<Words<1>> {
        let lattice = Families::of_worlds(10).expect("it fits");
        let sets = sets.iter().map(|set| {
            lattice
                .base()
                .set(set.iter().copied())
                .expect("worlds exist")
        });
        lattice
            .generated_by(sets, &Budget::unlimited())
            .expect("no limit")
    }

    #[test]
    fn meet_with_itself_changes_nothing() {
        // The printed operation gives {{1},{2},{}} here (see the errata chapter).
        let lattice = Families::<Words<1>>::of_worlds(10).expect("it fits");
        let mut a = family(&[&[1], &[2]]);
        let same = a.clone();
        lattice
            .meet_assign(&mut a, &same, &Budget::unlimited())
            .expect("no limit");
        assert_eq!(a, same);
    }

    #[test]
    fn meet_keeps_the_maximal_intersections() {
        let lattice = Families::<Words<1>>::of_worlds(10).expect("it fits");
        let mut a = family(&[&[1, 2, 3], &[4, 5]]);
        lattice
            .meet_assign(&mut a, &family(&[&[2, 3, 4], &[5]]), &Budget::unlimited())
            .expect("no limit");
        assert_eq!(a, family(&[&[2, 3], &[4], &[5]]));
    }

    #[test]
    fn the_family_of_the_empty_set_is_not_the_bottom() {
        let lattice = Families::<Words<1>>::of_worlds(3).expect("it fits");
        assert_ne!(lattice.bottom(), family(&[&[]]));
        assert_eq!(family(&[&[]]).maximal().len(), 1);
    }

    /// n sets that are pairwise incomparable: {i, j} with i + j odd would do; here all pairs.
    fn pairs(lattice: &Families<Words<4>>, from: usize, to: usize) -> Antichain<Words<4>> {
        let pairs = (from..to).flat_map(|i| (from..i).map(move |j| [i, j]));
        let sets = pairs.map(|pair| lattice.base().set(pair).expect("worlds exist"));
        lattice
            .generated_by(sets, &Budget::unlimited())
            .expect("no limit")
    }

    #[test]
    fn a_stopped_operation_leaves_an_antichain_between_old_and_new() {
        let lattice = Families::<Words<4>>::of_worlds(200).expect("it fits");
        let free = Budget::unlimited();
        let (old, other) = (pairs(&lattice, 0, 12), pairs(&lattice, 6, 20));
        let mut join = old.clone();
        lattice
            .join_assign(&mut join, &other, &free)
            .expect("no limit");
        let mut meet = old.clone();
        lattice
            .meet_assign(&mut meet, &other, &free)
            .expect("no limit");
        let mut stopped = 0;
        for steps in (0..40_000).step_by(97) {
            let budget = || {
                Budget::new(Limits {
                    steps: Some(steps),
                    ..Limits::default()
                })
            };
            let mut a = old.clone();
            stopped += u32::from(lattice.join_assign(&mut a, &other, &budget()).is_err());
            assert_eq!(lattice.leq(&old, &a, &free), Ok(true));
            assert_eq!(lattice.leq(&a, &join, &free), Ok(true));
            let reduced = lattice.generated_by(a.maximal().iter().copied(), &free);
            assert_eq!(reduced, Ok(a));
            let mut a = old.clone();
            stopped += u32::from(lattice.meet_assign(&mut a, &other, &budget()).is_err());
            assert_eq!(lattice.leq(&meet, &a, &free), Ok(true));
            assert_eq!(lattice.leq(&a, &old, &free), Ok(true));
        }
        assert!(stopped > 10, "the limits of this test never fire");
    }
}
