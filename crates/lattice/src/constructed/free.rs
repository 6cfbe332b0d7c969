//! The free distributive lattice over a poset, in disjunctive and in conjunctive normal form.
//!
//! Problem: outcomes are only partially ordered, say by several criteria, with no weights given
//! beforehand. What is a position worth?
//!
//! Idea: an expression. The free distributive lattice over a poset X has all expressions of
//! elements of X (*outcomes*) with meet and join, two of them equal exactly if they must be in
//! every distributive lattice. Each element is a join of *packets*, and a packet is the meet of its
//! outcomes: the disjunctive normal form. Mirrored, it is a meet of *clauses*, each the join of its
//! outcomes.
//!
//! A packet P lies below a packet Q exactly if every outcome of Q has one in P below it, so only
//! its minimal outcomes count: packets are [`DownSets`] of X upside down. They can meet (put both
//! together), so [`DownSets`] of packets are a lattice; of it only maximal packets count. Both
//! antichains are kept reduced and sorted, so each element has one representation. The conjunctive
//! form is the disjunctive one over X upside down, turned round.
//!
//! Universal property: every monotone map f from X into a distributive lattice L extends in exactly
//! one way to a homomorphism that keeps bottom and top: [`weigh`](Disjunctive::weigh), the join
//! over packets of the meet over outcomes of f. So the value of an AND-OR graph, computed once,
//! answers every weighting. A conversion between the two forms is a weighing as well, into the
//! other form.
//!
//! Cost: join and meet as [`DownSets`]. The normal forms of one element can differ exponentially in
//! size (the meet of n joins of two has 2^n packets), so conversions take a budget.
//!
//! Source: the linear lattice of a partial order: Couwenberg (2011); packets: Dasgupta,
//! Chakrabarti, DeSarkar (1996), where absorption is weaker and the result no lattice.

use smallvec::{SmallVec, smallvec};

use crate::orders::poset::filed;
use crate::{
    Antichain, Budget, DistributiveLattice, DownSets, Dual, MeetSemilattice, Place, Poset,
    Reversed, Shadow, Stop, Vectors,
};

/// Packets of outcomes: a packet is the meet of its outcomes, kept as the antichain of the minimal
/// ones.
///
/// P lies below Q exactly if every outcome of Q has one in P below it. The empty packet is the
/// greatest. Packets can meet but not join.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packets<P> {
    /// A packet holds with an outcome all that lie above it.
    outcomes: DownSets<Reversed<P>>,
}

impl<P: Poset> Poset for Packets<P> {
    type Elem = Antichain<P::Elem>;

    #[inline]
    fn below(&self, a: &Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<bool, Stop> {
        self.outcomes.is_contained(b, a, budget)
    }

    fn has_shadows(&self) -> bool {
        self.poset().has_shadows()
    }

    /// The coordinate-wise minimum of the outcomes.
    fn shadow(&self, a: &Self::Elem) -> Shadow {
        self.outcomes.upper_corner(a).map(|n| !n)
    }

    /// The first outcome, and the coordinate-wise minimum.
    fn place(&self, a: &Self::Elem) -> Place {
        let first = a.maximal().first();
        let first = first.map_or([i64::MAX; 4], |x| self.poset().shadow(x));
        filed(first, self.shadow(a))
    }

    /// Each outcome, and the coordinate-wise minimum.
    fn reach(&self, a: &Self::Elem) -> SmallVec<[Place; 2]> {
        if a.maximal().is_empty() {
            return smallvec![self.place(a)];
        }
        let corner = self.shadow(a);
        let outcomes = a.maximal().iter();
        outcomes
            .map(|x| filed(self.poset().shadow(x), corner))
            .collect()
    }
}

impl<P> Packets<P> {
    fn poset(&self) -> &P {
        &self.outcomes.base().0
    }
}

impl<P: Poset> MeetSemilattice for Packets<P> {
    fn greatest(&self) -> Self::Elem {
        DownSets::<Reversed<P>>::empty()
    }

    fn meet_into(&self, a: &mut Self::Elem, b: &Self::Elem, budget: &Budget) -> Result<(), Stop> {
        self.outcomes.unite(a, b, budget)
    }

    /// Drops the outcomes that `other` implies.
    fn raised(
        &self,
        a: &Self::Elem,
        other: &Self::Elem,
        budget: &Budget,
    ) -> Result<Option<Self::Elem>, Stop> {
        self.outcomes.without_contained(a, other, budget)
    }
}

/// The free distributive lattice over `P` in disjunctive normal form: an element is the join of its
/// packets.
///
/// No packet is the bottom, one empty packet the top.
///
/// ```
/// use meetjoin_lattice::{Budget, Chain, Extended, FreeLattice, Lattice};
///
/// let free = FreeLattice::of_vectors(2);
/// let vector = |x, y| free.outcome(Box::from([x, y].map(Extended::Finite)));
/// let budget = Budget::unlimited();
/// // What MAX gets who may choose (3, 3), or let MIN choose between (9, 1) and (1, 9).
/// let mut value = vector(9, 1);
/// free.meet_assign(&mut value, &vector(1, 9), &budget)?;
/// free.join_assign(&mut value, &vector(3, 3), &budget)?;
/// // One value for all weights.
/// let weigh = |x: i64, y: i64| {
///     let sum = |v: &Box<[Extended]>| match v[..] {
///         [Extended::Finite(a), Extended::Finite(b)] => Extended::Finite(x * a + y * b),
///         _ => Extended::NegInf,
///     };
///     free.weigh(&value, &Chain::unbounded(), sum, &budget)
/// };
/// assert_eq!(weigh(1, 1)?, Extended::Finite(10)); // MIN chooses
/// assert_eq!(weigh(1, 0)?, Extended::Finite(3)); // (3, 3)
/// # Ok::<(), meetjoin_lattice::Stop>(())
/// ```
pub type Disjunctive<P> = DownSets<Packets<P>>;

/// The free distributive lattice over `P` in conjunctive normal form: an element is the meet of its
/// clauses, and a clause the join of its outcomes, kept as the antichain of the maximal ones.
///
/// One empty clause is the bottom, no clause the top.
pub type Conjunctive<P> = Dual<DownSets<Packets<Reversed<P>>>>;

/// The free distributive lattice over vectors of integers under dominance, in disjunctive normal
/// form.
pub type FreeLattice = Disjunctive<Vectors>;

/// An element of either form: its packets, or its clauses.
type Form<P> = Antichain<Antichain<<P as Poset>::Elem>>;

impl FreeLattice {
    /// The free lattice over vectors of `dims` integers.
    pub fn of_vectors(dims: usize) -> Self {
        Self::free_over(Vectors::new(dims))
    }

    /// The vectors it is free over.
    pub fn vectors(&self) -> &Vectors {
        self.poset()
    }
}

impl<P: Poset> Disjunctive<P> {
    /// The free lattice over this poset.
    pub fn free_over(poset: P) -> Self {
        let outcomes = DownSets::over(Reversed(poset));
        Self::over(Packets { outcomes })
    }

    /// The poset it is free over.
    pub fn poset(&self) -> &P {
        self.base().poset()
    }

    /// The element that stands for an outcome: the embedding of the poset.
    pub fn outcome(&self, outcome: P::Elem) -> Form<P> {
        self.principal(self.single(outcome))
    }

    /// The packet of one outcome.
    pub fn single(&self, outcome: P::Elem) -> Antichain<P::Elem> {
        self.base().outcomes.principal(outcome)
    }

    /// The packet of these outcomes. [`principal`](DownSets::principal) makes an element of one
    /// packet, and [`generated_by`](DownSets::generated_by) of several.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn packet(
        &self,
        outcomes: impl IntoIterator<Item = P::Elem>,
        budget: &Budget,
    ) -> Result<Antichain<P::Elem>, Stop> {
        self.base().outcomes.generated_by(outcomes, budget)
    }

    /// The value of an element when each outcome x is worth `f(x)`: the join over its packets of
    /// the meet over their outcomes.
    ///
    /// If `f` is monotone, this is the homomorphism that extends it, so meets, joins and the values
    /// of whole AND-OR graphs go to those of the weighed leaves. `f` is asked once for each outcome
    /// of each packet.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn weigh<L: DistributiveLattice>(
        &self,
        value: &Form<P>,
        lattice: &L,
        mut f: impl FnMut(&P::Elem) -> L::Elem,
        budget: &Budget,
    ) -> Result<L::Elem, Stop> {
        let mut join = lattice.bottom();
        for packet in value.maximal() {
            let mut meet = lattice.top();
            for outcome in packet.maximal() {
                budget.steps(1)?;
                lattice.meet_assign(&mut meet, &f(outcome), budget)?;
            }
            lattice.join_assign(&mut join, &meet, budget)?;
        }
        Ok(join)
    }

    /// This free lattice in conjunctive normal form.
    pub fn conjunctive(&self) -> Conjunctive<P>
    where
        P: Clone,
    {
        Conjunctive::free_over(self.poset().clone())
    }

    /// An element in conjunctive normal form. It can be exponentially larger.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn to_conjunctive(&self, value: &Form<P>, budget: &Budget) -> Result<Form<P>, Stop>
    where
        P: Clone,
    {
        let other = self.conjunctive();
        self.weigh(value, &other, |x| other.outcome(x.clone()), budget)
    }

    /// The free lattice over the poset upside down, in conjunctive normal form: the dual lattice.
    /// The dual of an element, with meet and join exchanged, has the same data; only what was a
    /// packet is now a clause.
    pub fn mirrored(&self) -> Conjunctive<Reversed<P>>
    where
        P: Clone,
    {
        Conjunctive::free_over(Reversed(self.poset().clone()))
    }
}

impl<P: Poset> Conjunctive<P> {
    /// The free lattice over this poset.
    pub fn free_over(poset: P) -> Self {
        Self(Disjunctive::free_over(Reversed(poset)))
    }

    /// The poset it is free over.
    pub fn poset(&self) -> &P {
        &self.0.poset().0
    }

    /// The element that stands for an outcome: the embedding of the poset.
    pub fn outcome(&self, outcome: P::Elem) -> Form<P> {
        self.0.outcome(outcome)
    }

    /// The clause of these outcomes.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn clause(
        &self,
        outcomes: impl IntoIterator<Item = P::Elem>,
        budget: &Budget,
    ) -> Result<Antichain<P::Elem>, Stop> {
        self.0.packet(outcomes, budget)
    }

    /// The meet of these clauses.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn meet_of(
        &self,
        clauses: impl IntoIterator<Item = Antichain<P::Elem>>,
        budget: &Budget,
    ) -> Result<Form<P>, Stop> {
        self.0.generated_by(clauses, budget)
    }

    /// The value of an element when each outcome x is worth `f(x)`: the meet over its clauses of
    /// the join over their outcomes. See [`Disjunctive::weigh`].
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn weigh<L: DistributiveLattice>(
        &self,
        value: &Form<P>,
        lattice: &L,
        f: impl FnMut(&P::Elem) -> L::Elem,
        budget: &Budget,
    ) -> Result<L::Elem, Stop> {
        self.0.weigh(value, &Dual(lattice), f, budget)
    }

    /// This free lattice in disjunctive normal form.
    pub fn disjunctive(&self) -> Disjunctive<P>
    where
        P: Clone,
    {
        Disjunctive::free_over(self.poset().clone())
    }

    /// An element in disjunctive normal form. It can be exponentially larger.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn to_disjunctive(&self, value: &Form<P>, budget: &Budget) -> Result<Form<P>, Stop>
    where
        P: Clone,
    {
        let other = self.disjunctive();
        self.weigh(value, &other, |x| other.outcome(x.clone()), budget)
    }
}
