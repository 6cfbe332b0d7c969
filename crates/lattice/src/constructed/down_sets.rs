//! Down-sets of a poset, each written as the antichain of its maximal elements: families of sets,
//! packets, the free lattice.
//!
//! Problem: in a game with hidden information a strategy wins in a *set* of worlds, and the value
//! of a position is the *family* of all sets that one strategy can win: an element of `2^(2^S)`.
//! Written out, such a family is hopelessly large; and meet taken on raw sets of sets, as the
//! literature prints it, is no lattice operation at all (`{{1},{2}}` meet itself would contain the
//! empty set).
//!
//! Idea: a family that contains with each set all its subsets is given by its maximal sets. Join is
//! union, meet is all pairwise meets, both reduced to maximal elements. Nothing in this needs
//! *sets*: union works over any [`Poset`], and meet over any base that can meet and compare, a
//! [`MeetSemilattice`]. Over a powerset it gives [`Families`]; over packets of outcomes (themselves
//! down-sets, upside down) it gives the [free lattice](crate::constructed::free).
//!
//! Invariant: an [`Antichain`] is reduced and sorted at every moment, also when the budget stops an
//! operation half way, so `==` is equality in the lattice.
//!
//! Cost: small antichains are compared element by element. In large ones, each element is searched
//! in an index of the other antichain, in about log n steps where elements cast
//! [shadows](Poset::shadow), so a join of n and m elements takes (n + m) log (n + m). Meet: n m
//! base meets, except for elements that lie below the other antichain; many meets are reduced in
//! blocks that are joined like the runs of a merge sort. Each comparison is charged to the budget,
//! so limits hold inside a meet of thousands by thousands.
//!
//! Needs: a base [`Poset`]; to be a lattice, a base [`MeetSemilattice`]. Any [`Lattice`] whose
//! elements have some total order `Ord` (used only to have one representation) is both. The
//! down-sets are distributive whatever the base is, because they are sets under union and
//! intersection.
//!
//! Source: families as values of games with hidden information: Ginsberg (2001), Li et al. (2022),
//! with the correction described in the errata chapter. Joining runs of doubling size: Bentley,
//! Saxe (1980).

use smallvec::{SmallVec, smallvec};

use crate::orders::shadows::{FEW, Finder};
use crate::{
    Budget, DistributiveLattice, Lattice, MeetSemilattice, Poset, Powerset, Shadow, Shown, Stop,
    TooManyWorlds, WorldSet,
};

/// The elements of an antichain; a single one needs no heap.
type Elements<E> = SmallVec<[E; 1]>;

/// Maximal elements, pairwise incomparable, in ascending `Ord` order.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Antichain<E>(Elements<E>);

impl<E: Clone> Clone for Antichain<E> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Reuses the heap memory of `self`.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<E> Antichain<E> {
    /// The maximal elements.
    pub fn maximal(&self) -> &[E] {
        &self.0
    }
}

/// All finitely generated down-sets of `P`: a lattice if `P` can meet.
///
/// The bottom is the empty down-set (no maximal element at all), which lies below the down-set of
/// the base's bottom alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DownSets<P> {
    base: P,
}

/// Families of sets of worlds that are closed under subsets, by their maximal sets: the lattice
/// `2^(2^S)` of Li et al.
pub type Families<B> = DownSets<Powerset<B>>;

impl<B: WorldSet> Families<B> {
    /// The families over `worlds` worlds.
    ///
    /// # Errors
    /// If the representation cannot hold so many worlds.
    pub fn of_worlds(worlds: usize) -> Result<Self, TooManyWorlds> {
        Powerset::new(worlds).map(Self::over)
    }

    /// The number of worlds.
    pub fn worlds(&self) -> usize {
        self.base.worlds()
    }

    /// The smallest family that has these sets, as by [`generated_by`](Self::generated_by), but
    /// faster for many sets.
    ///
    /// A set above x lacks no world that x has. So each set is indexed under the rarest of the
    /// worlds that it lacks, and x is compared only with sets indexed under worlds that x lacks.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn generated_by_many(
        &self,
        mut sets: Vec<B>,
        budget: &Budget,
    ) -> Result<Antichain<B>, Stop> {
        if sets.len() <= FEW {
            return self.generated_by(sets, budget);
        }
        let worlds = self.worlds();
        let all = self.base.top();
        let lacking = |set: &B| {
            let mut lacking = all.clone();
            lacking.subtract(set);
            lacking
        };
        let mut often = vec![0_usize; worlds];
        for set in &sets {
            lacking(set).ones().for_each(|world| often[world] += 1);
        }
        budget.steps((sets.len() * 16) as u64)?;
        // Larger ones first: nothing that comes later lies above what is kept.
        sets.sort_unstable();
        sets.dedup();
        sets.sort_by_cached_key(|set| std::cmp::Reverse(set.count()));
        let mut filed: Vec<Vec<B>> = vec![Vec::new(); worlds];
        let mut maximal: Elements<B> = SmallVec::new();
        for set in sets {
            let lacking = lacking(&set);
            let mut compared = 1;
            let is_below = lacking.ones().any(|world| {
                compared += filed[world].len() as u64;
                filed[world].iter().any(|other| set.is_subset(other))
            });
            budget.steps(compared)?;
            if is_below {
                continue;
            }
            let Some(rarest) = lacking.ones().min_by_key(|world| often[*world]) else {
                return Ok(self.top());
            };
            filed[rarest].push(set.clone());
            maximal.push(set);
        }
        maximal.sort_unstable();
        Ok(Antichain(maximal))
    }

    /// The family of all sets that contain none of `sets`. Its maximal sets are the complements of
    /// the minimal transversals of `sets`, of which there can be exponentially many (Berge's
    /// algorithm: one meet for each set).
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn avoiding<'a>(
        &self,
        sets: impl IntoIterator<Item = &'a B>,
        budget: &Budget,
    ) -> Result<Antichain<B>, Stop>
    where
        B: 'a,
    {
        let mut all = self.top();
        for set in sets {
            self.meet_assign(&mut all, &self.not_containing(set, budget)?, budget)?;
        }
        Ok(all)
    }

    /// The family of all sets that do not contain `set`. Its maximal sets lack one world of `set`
    /// each.
    pub(crate) fn not_containing(&self, set: &B, budget: &Budget) -> Result<Antichain<B>, Stop> {
        budget.steps(set.ones().count() as u64)?;
        let without = |world| {
            let mut rest = self.base.top();
            let mut one = self.base.bottom();
            one.insert(world);
            rest.subtract(&one);
            rest
        };
        // They are pairwise incomparable.
        let mut sets: Elements<B> = set.ones().map(without).collect();
        sets.sort_unstable();
        Ok(Antichain(sets))
    }

    /// The minimal sets that are not in the family, ascending. There can be exponentially many.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn minimal_outside(&self, family: &Antichain<B>, budget: &Budget) -> Result<Vec<B>, Stop> {
        let complement = |set: &B| {
            let mut rest = self.base.top();
            rest.subtract(set);
            rest
        };
        // A set is outside exactly if its complement contains no complement of a maximal set.
        let complements: Vec<B> = family.maximal().iter().map(complement).collect();
        let avoiding = self.avoiding(&complements, budget)?;
        let mut outside: Vec<B> = avoiding.maximal().iter().map(complement).collect();
        outside.sort_unstable();
        Ok(outside)
    }
}

impl<P> DownSets<P> {
    /// The down-sets of `base`.
    pub fn over(base: P) -> Self {
        Self { base }
    }

    /// The base.
    pub fn base(&self) -> &P {
        &self.base
    }
}

impl<P: Poset> DownSets<P> {
    /// The down-set of one element.
    pub fn principal(&self, element: P::Elem) -> Antichain<P::Elem> {
        Antichain(smallvec![element])
    }

    /// The smallest down-set that contains these elements.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn generated_by(
        &self,
        elements: impl IntoIterator<Item = P::Elem>,
        budget: &Budget,
    ) -> Result<Antichain<P::Elem>, Stop> {
        let mut gathered = Gathered::new(&self.base);
        for element in elements {
            gathered.add(element, budget)?;
        }
        gathered.finish(budget)
    }

    /// The empty down-set.
    pub(crate) fn empty() -> Antichain<P::Elem> {
        Antichain(SmallVec::new())
    }

    /// Returns whether every element of `a` lies below one of `b`.
    #[inline]
    pub(crate) fn is_contained(
        &self,
        a: &Antichain<P::Elem>,
        b: &Antichain<P::Elem>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        // Small antichains are compared very often: no overhead here.
        if let ([x], [y]) = (&a.0[..], &b.0[..]) {
            budget.steps(1)?;
            return self.base.below(x, y, budget);
        }
        if a.0.len() > FEW && b.0.len() > FEW {
            return self.is_contained_in_large(a, b, budget);
        }
        all(&a.0, |x| {
            budget.steps(b.0.len() as u64)?;
            some(&b.0, |y| self.base.below(x, y, budget))
        })
    }

    #[cold]
    fn is_contained_in_large(
        &self,
        a: &Antichain<P::Elem>,
        b: &Antichain<P::Elem>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let in_b = Finder::new(&self.base, &b.0, a.0.len(), budget)?;
        all(&a.0, |x| in_b.some_above(x, budget))
    }

    /// Sets `a` to the union of both. On `Err` it lies between its old value and the union.
    pub(crate) fn unite(
        &self,
        a: &mut Antichain<P::Elem>,
        b: &Antichain<P::Elem>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        if a.0.is_empty() {
            a.0.clone_from(&b.0);
            return Ok(());
        }
        if self.base.has_shadows() && a.0.len().saturating_mul(b.0.len()) > FEW * FEW {
            let (keep_a, keep_b) = maximal_of_both(&self.base, &a.0, &b.0, budget)?;
            let kept = kept(&b.0, keep_b).cloned();
            a.0 = merge(std::mem::take(&mut a.0), keep_a, kept);
            return Ok(());
        }
        // After each element, `a` is the join of its old value with a part of b.
        for y in &b.0 {
            insert(&self.base, &mut a.0, y.clone(), budget)?;
        }
        Ok(())
    }

    /// `a` without the maximal elements that `other` contains: it generates the least down-set that
    /// gives the same union with `other`. `None` if that is all of `a`.
    pub(crate) fn without_contained(
        &self,
        a: &Antichain<P::Elem>,
        other: &Antichain<P::Elem>,
        budget: &Budget,
    ) -> Result<Option<Antichain<P::Elem>>, Stop> {
        let in_other = Finder::new(&self.base, &other.0, a.0.len(), budget)?;
        let mut keep = Vec::with_capacity(a.0.len());
        for x in &a.0 {
            keep.push(!in_other.some_above(x, budget)?);
        }
        let rest = || Antichain(kept(&a.0, keep.iter().copied()).cloned().collect());
        Ok((!keep.iter().all(|keep| *keep)).then(rest))
    }

    /// The coordinate-wise maximum of all shadows.
    pub(crate) fn upper_corner(&self, a: &Antichain<P::Elem>) -> Shadow {
        let mut corner = [i64::MIN; 4];
        for x in &a.0 {
            for (c, s) in corner.iter_mut().zip(self.base.shadow(x)) {
                *c = (*c).max(s);
            }
        }
        corner
    }
}

#[inline]
fn some<T>(items: &[T], mut test: impl FnMut(&T) -> Result<bool, Stop>) -> Result<bool, Stop> {
    for item in items {
        if test(item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[inline]
fn all<T>(items: &[T], mut test: impl FnMut(&T) -> Result<bool, Stop>) -> Result<bool, Stop> {
    Ok(!some(items, |item| Ok(!test(item)?))?)
}

/// Adds an element to a list and keeps the list reduced and sorted. On `Err` the list is as it was.
fn insert<P: Poset>(
    base: &P,
    maximal: &mut Elements<P::Elem>,
    element: P::Elem,
    budget: &Budget,
) -> Result<(), Stop> {
    budget.steps(2 * maximal.len() as u64 + 1)?;
    let mut covered: SmallVec<[usize; 8]> = SmallVec::new();
    for (i, old) in maximal.iter().enumerate() {
        if base.below(&element, old, budget)? {
            return Ok(());
        }
        if base.below(old, &element, budget)? {
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

/// Which elements of two antichains are maximal among all. An element of both is marked in `b`
/// only.
fn maximal_of_both<P: Poset>(
    base: &P,
    a: &[P::Elem],
    b: &[P::Elem],
    budget: &Budget,
) -> Result<(Vec<bool>, Vec<bool>), Stop> {
    // Charged here, because the merge below must not fail half way.
    budget.steps((a.len() + b.len()) as u64)?;
    budget.room(((a.len() + b.len()) * size_of::<P::Elem>()) as u64)?;
    let in_b = Finder::new(base, b, a.len(), budget)?;
    let mut keep_a = Vec::with_capacity(a.len());
    for x in a {
        keep_a.push(!in_b.some_above(x, budget)?);
    }
    let in_a = Finder::new(base, a, b.len(), budget)?;
    let mut keep_b = Vec::with_capacity(b.len());
    for y in b {
        keep_b.push(!in_a.some_above_among(y, |i| keep_a[i], budget)?);
    }
    Ok((keep_a, keep_b))
}

/// The items whose mark is set.
fn kept<T>(
    items: impl IntoIterator<Item = T>,
    keep: impl IntoIterator<Item = bool>,
) -> impl Iterator<Item = T> {
    let marked = items.into_iter().zip(keep);
    marked.filter_map(|(item, keep)| keep.then_some(item))
}

/// Merges what is kept of two sorted lists.
fn merge<E: Ord>(a: Elements<E>, keep_a: Vec<bool>, b: impl Iterator<Item = E>) -> Elements<E> {
    let (mut a, mut b) = (kept(a, keep_a).peekable(), b.peekable());
    let mut merged = SmallVec::new();
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x < y => a.next(),
            (Some(_), None) => a.next(),
            _ => b.next(),
        };
        let Some(element) = next else {
            return merged;
        };
        merged.push(element);
    }
}

/// Reduces a stream of elements: a small antichain holds the latest, and antichains of doubling
/// size the rest, so that each element takes part in few joins.
struct Gathered<'a, P: Poset> {
    base: &'a P,
    latest: Elements<P::Elem>,
    /// Antichains, each with the number of joins that made it, which decreases along the list.
    runs: Vec<(u32, Elements<P::Elem>)>,
}

impl<'a, P: Poset> Gathered<'a, P> {
    fn new(base: &'a P) -> Self {
        Self {
            base,
            latest: SmallVec::new(),
            runs: Vec::new(),
        }
    }

    fn add(&mut self, element: P::Elem, budget: &Budget) -> Result<(), Stop> {
        insert(self.base, &mut self.latest, element, budget)?;
        if self.latest.len() < FEW || !self.base.has_shadows() {
            return Ok(());
        }
        let mut run = std::mem::take(&mut self.latest);
        let mut joins = 0;
        while let Some((_, other)) = self.runs.pop_if(|(other, _)| *other == joins) {
            run = join(self.base, other, run, budget)?;
            joins += 1;
        }
        self.runs.push((joins, run));
        Ok(())
    }

    fn finish(mut self, budget: &Budget) -> Result<Antichain<P::Elem>, Stop> {
        let mut all = self.latest;
        while let Some((_, run)) = self.runs.pop() {
            all = join(self.base, run, all, budget)?;
        }
        Ok(Antichain(all))
    }
}

/// The maximal elements of two antichains.
fn join<P: Poset>(
    base: &P,
    a: Elements<P::Elem>,
    b: Elements<P::Elem>,
    budget: &Budget,
) -> Result<Elements<P::Elem>, Stop> {
    let (keep_a, keep_b) = maximal_of_both(base, &a, &b, budget)?;
    Ok(merge(a, keep_a, kept(b, keep_b)))
}

impl<M: MeetSemilattice> DownSets<M> {
    /// Raises each maximal element, if `other` has a greatest one: elements that differ only
    /// outside of that become equal.
    fn raised(
        &self,
        a: &Antichain<M::Elem>,
        other: &Antichain<M::Elem>,
        budget: &Budget,
    ) -> Result<Option<Antichain<M::Elem>>, Stop> {
        let [within] = &other.0[..] else {
            return Ok(None);
        };
        let mut raised = Gathered::new(&self.base);
        for x in &a.0 {
            let higher = self.base.raised(x, within, budget)?;
            raised.add(higher.unwrap_or_else(|| x.clone()), budget)?;
        }
        raised.finish(budget).map(Some)
    }
}

impl<M: MeetSemilattice> Lattice for DownSets<M> {
    type Elem = Antichain<M::Elem>;

    #[inline]
    fn bottom(&self) -> Self::Elem {
        Self::empty()
    }

    #[inline]
    fn top(&self) -> Self::Elem {
        self.principal(self.base.greatest())
    }

    /// One more than the rank of its largest element.
    #[inline]
    fn rank(&self, a: &Self::Elem) -> u64 {
        let ranks = a.0.iter().map(|x| self.base.magnitude(x).saturating_add(1));
        ranks.max().unwrap_or_default()
    }

    fn leq(&self, a: &Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
        self.is_contained(a, b, budget)
    }

    fn join_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        self.unite(a, b, budget)
    }

    fn meet_assign(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        if let ([x], [y]) = (&mut a.0[..], &b.0[..]) {
            return self.base.meet_into(x, y, budget);
        }
        // Built apart, because a part of the pairwise meets would lie *below* the result.
        let mut meets = Gathered::new(&self.base);
        let in_a = Finder::new(&self.base, &a.0, b.0.len(), budget)?;
        let in_b = Finder::new(&self.base, &b.0, a.0.len(), budget)?;
        let mut rest: SmallVec<[&M::Elem; 8]> = SmallVec::new();
        for y in &b.0 {
            // Worth asking only if it is cheap.
            if in_a.has_tree() && in_a.some_above(y, budget)? {
                meets.add(y.clone(), budget)?;
            } else {
                rest.push(y);
            }
        }
        for x in &a.0 {
            if in_b.some_above(x, budget)? {
                // Then x itself is the largest of its meets.
                meets.add(x.clone(), budget)?;
                continue;
            }
            for y in &rest {
                let mut meet = x.clone();
                self.base.meet_into(&mut meet, y, budget)?;
                meets.add(meet, budget)?;
            }
        }
        *a = meets.finish(budget)?;
        Ok(())
    }

    #[inline]
    fn shorten(
        &self,
        a: &Self::Elem,
        shown: Shown<'_, Self::Elem>,
        budget: &Budget,
    ) -> Result<Option<Self::Elem>, Stop> {
        if a.0.len() <= 1 {
            return Ok(None);
        }
        match shown {
            Shown::Lower { alpha, upper } if a != upper => self.without_contained(a, alpha, budget),
            Shown::Upper { beta, lower } if a != lower => self.raised(a, beta, budget),
            _ => Ok(None),
        }
    }
}

impl<M: MeetSemilattice> DistributiveLattice for DownSets<M> {}

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

    /// All pairs {i, j}, which are pairwise incomparable.
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
