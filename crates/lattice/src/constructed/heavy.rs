//! Families of sets of worlds in which only the heavy sets count: worlds have weights, and sets
//! below a threshold are all one.
//!
//! Problem: the value of a game with hidden information can have thousands of maximal sets, and a
//! player wants the heaviest one: the strategy that wins with the greatest probability. Families
//! that keep every set on the way spend their time on sets that cannot be the heaviest.
//!
//! Idea: let A be the family of all sets that weigh less than a threshold t. It is an element of
//! the lattice of [`Families`], so `v -> v join A` is a homomorphism onto the interval from A to
//! the top, because families are distributive. An element of that interval is given by its maximal
//! sets of weight t and more: join is the union of the antichains, meet the pairwise intersections,
//! and what is too light is dropped. So a search over the heavy parts alone finds the heavy part of
//! the root's value, which has all its maximal sets of weight t and more; if it has none, the
//! search finds the bottom.
//!
//! Intersecting the sets of all values with a *universe* U is a homomorphism too; then only the
//! worlds of U count. If U is the union of the root's value, nothing is lost, and far fewer sets
//! are heavy.
//!
//! Invariant: an element is an antichain of subsets of the universe, each of weight t or more. A
//! set is weighed by what it *lacks* of the universe, with an early exit, so a set that is nearly
//! complete or far too light is weighed at once.
//!
//! Cost: join as in [`DownSets`](crate::DownSets). Meet of n and m sets: n m intersections, each
//! weighed; comparisons among the heavy ones only, and where there are many, only of those that
//! lack worlds in common. All are charged to the budget.
//!
//! Needs: worlds with weights whose sum fits 64 bits. The lattice is distributive as an image of
//! one that is.
//!
//! Source: thresholds as homomorphisms: the errata chapter; a join with one element as a window: Li
//! et al. (2022), Corollary 1.

use crate::{Antichain, Budget, DistributiveLattice, Families, Lattice, Shown, Stop, WorldSet};

/// Meets gathered before they are reduced to the maximal ones.
const GATHERED: usize = 1 << 14;

/// The weight of each world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    of: Box<[u64]>,
}

/// Weights whose sum is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the weights add up to more than {}", u64::MAX)]
pub struct TooHeavy;

impl Weights {
    /// The weights of the worlds 0, 1, and so on. A world may weigh nothing.
    ///
    /// # Errors
    /// If their sum does not fit 64 bits.
    pub fn new(weights: impl IntoIterator<Item = u64>) -> Result<Self, TooHeavy> {
        let of: Box<[u64]> = weights.into_iter().collect();
        let sum = of.iter().try_fold(0_u64, |sum, w| sum.checked_add(*w));
        sum.map(|_| Self { of }).ok_or(TooHeavy)
    }

    /// Every world weighs 1.
    pub fn equal(worlds: usize) -> Self {
        Self {
            of: vec![1; worlds].into(),
        }
    }

    /// The number of worlds.
    pub fn worlds(&self) -> usize {
        self.of.len()
    }

    /// The weight of a world; 0 if it does not exist.
    #[inline]
    pub fn of_world(&self, world: usize) -> u64 {
        self.of.get(world).copied().unwrap_or(0)
    }

    /// The weight of a set of worlds.
    pub fn of_set<B: WorldSet>(&self, set: &B) -> u64 {
        set.ones().map(|world| self.of_world(world)).sum()
    }
}

/// The heavy parts of families: antichains of subsets of a universe that weigh no less than a
/// threshold. See the [module page](self).
///
/// ```
/// use meetjoin_lattice::heavy::{HeavyFamilies, Weights};
/// use meetjoin_lattice::{Budget, Families, Lattice, Words};
///
/// let families = Families::<Words<1>>::of_worlds(4)?;
/// let weights = Weights::new([5, 1, 1, 1])?;
/// let heavy = HeavyFamilies::new(&families, Words([0b1111]), &weights, 3);
/// let family = families.generated_by([Words([0b0001]), Words([0b0110])], &Budget::unlimited())?;
/// // Weight 5, and weight 2.
/// let part = heavy.heavy_part(&family, &Budget::unlimited())?;
/// assert_eq!(part.maximal(), [Words([0b0001])]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HeavyFamilies<'w, B> {
    families: &'w Families<B>,
    universe: B,
    weights: &'w Weights,
    /// The most weight that a heavy set may lack of the universe; `None` if the universe itself is
    /// too light.
    slack: Option<u64>,
}

impl<'w, B: WorldSet> HeavyFamilies<'w, B> {
    /// The heavy parts of `families`, within `universe`: sets whose weight is at least `threshold`.
    /// With threshold 0, every set is heavy. If the universe is too light, the lattice has one
    /// element.
    pub fn new(
        families: &'w Families<B>,
        universe: B,
        weights: &'w Weights,
        threshold: u64,
    ) -> Self {
        let slack = weights.of_set(&universe).checked_sub(threshold);
        Self {
            families,
            universe,
            weights,
            slack,
        }
    }

    /// The worlds that count.
    pub fn universe(&self) -> &B {
        &self.universe
    }

    /// Returns whether a subset of the universe weighs enough.
    #[inline]
    pub fn is_heavy(&self, set: &B) -> bool {
        let Some(mut slack) = self.slack else {
            return false;
        };
        let mut lacking = self.universe.clone();
        lacking.subtract(set);
        for world in lacking.ones() {
            match slack.checked_sub(self.weights.of_world(world)) {
                Some(rest) => slack = rest,
                None => return false,
            }
        }
        true
    }

    /// The part of one set that lies in the universe, as a family; the bottom if that part is too
    /// light.
    pub fn principal(&self, mut set: B) -> Antichain<B> {
        set.intersect_with(&self.universe);
        if self.is_heavy(&set) {
            self.families.principal(set)
        } else {
            self.bottom()
        }
    }

    /// The image of a family: its sets within the universe, without the light ones.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn heavy_part(&self, family: &Antichain<B>, budget: &Budget) -> Result<Antichain<B>, Stop> {
        let mut part = self.bottom();
        for set in family.maximal() {
            budget.steps(1)?;
            self.families
                .unite(&mut part, &self.principal(set.clone()), budget)?;
        }
        Ok(part)
    }
}

impl<B: WorldSet> HeavyFamilies<'_, B> {
    /// Adds the sets to a family.
    fn reduce(
        &self,
        sets: &mut Vec<B>,
        family: &mut Antichain<B>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        sets.extend_from_slice(family.maximal());
        *family = self
            .families
            .generated_by_many(std::mem::take(sets), budget)?;
        Ok(())
    }
}

/// Returns whether some set of the family contains this one.
fn covers<B: WorldSet>(family: &Antichain<B>, set: &B, budget: &Budget) -> Result<bool, Stop> {
    budget.steps(family.maximal().len() as u64)?;
    Ok(family.maximal().iter().any(|other| set.is_subset(other)))
}

impl<B: WorldSet> Lattice for HeavyFamilies<'_, B> {
    type Elem = Antichain<B>;

    #[inline]
    fn bottom(&self) -> Antichain<B> {
        self.families.bottom()
    }

    #[inline]
    fn top(&self) -> Antichain<B> {
        match self.slack {
            Some(_) => self.families.principal(self.universe.clone()),
            None => self.bottom(),
        }
    }

    #[inline]
    fn leq(&self, a: &Antichain<B>, b: &Antichain<B>, budget: &Budget) -> Result<bool, Stop> {
        self.families.leq(a, b, budget)
    }

    #[inline]
    fn join_assign(
        &self,
        a: &mut Antichain<B>,
        b: &Antichain<B>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        self.families.join_assign(a, b, budget)
    }

    fn meet_assign(
        &self,
        a: &mut Antichain<B>,
        b: &Antichain<B>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        // Built apart, because a part of the pairwise meets would lie below the result.
        let mut meets = self.bottom();
        let mut gathered: Vec<B> = Vec::new();
        for x in a.maximal() {
            if gathered.len() >= GATHERED {
                self.reduce(&mut gathered, &mut meets, budget)?;
            }
            if covers(b, x, budget)? {
                // Then x itself is the largest of its meets.
                gathered.push(x.clone());
                continue;
            }
            for y in b.maximal() {
                budget.steps(1)?;
                let mut meet = x.clone();
                meet.intersect_with(y);
                if self.is_heavy(&meet) {
                    gathered.push(meet);
                }
            }
        }
        self.reduce(&mut gathered, &mut meets, budget)?;
        *a = meets;
        Ok(())
    }

    /// As the rank of families.
    #[inline]
    fn rank(&self, a: &Antichain<B>) -> u64 {
        self.families.rank(a)
    }

    fn shorten(
        &self,
        a: &Antichain<B>,
        shown: Shown<'_, Antichain<B>>,
        budget: &Budget,
    ) -> Result<Option<Antichain<B>>, Stop> {
        let shorter = self.families.shorten(a, shown, budget)?;
        match (shown, shorter) {
            // Raised beyond the universe.
            (Shown::Upper { .. }, Some(family)) => self.heavy_part(&family, budget).map(Some),
            (_, shorter) => Ok(shorter),
        }
    }
}

impl<B: WorldSet> DistributiveLattice for HeavyFamilies<'_, B> {}
