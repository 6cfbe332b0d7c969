//! Finds which of k sets belong to the value of a graph over families, in one search over machine
//! words.
//!
//! Idea: the answer is a homomorphism, so it may be taken at the leaves. "Does X belong to the
//! family?" is one bit, k sets are k bits, and a leaf answers all k at once: X lies below a maximal
//! set M unless it has a world outside M, so for each such world the bits of the sets that have it
//! are cleared.
//!
//! Cost: at a leaf, for each of its maximal sets, k / 64 word operations for each world outside it.
//!
//! Needs: any graph. Each pass is a search by [`alpha_beta_duo_as`], with entries of its own in the
//! cache.

use std::cell::RefCell;

use meetjoin_dag::{AndOrDag, Heuristic, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Families, Interval, Lattice, Powerset, Stop, Words, WorldSet,
};
use meetjoin_search::observer::Nodes;
use meetjoin_search::{Duo, Env, Observer, Stores, Window, alpha_beta_duo_as};

use super::fresh::{Fresh, Numbered};

/// A graph whose values are families, and the factory of caches.
pub(crate) struct Game<'a, D, V, S> {
    pub(crate) dag: &'a D,
    pub(crate) valuation: &'a V,
    pub(crate) stores: &'a S,
    pub(crate) duo: Duo,
    pub(crate) budget: &'a Budget,
}

/// The caches of passes with one word of answers and with eight: made when first used, and kept.
pub(crate) struct Caches<N, S: Stores<N>> {
    /// Whether each thread has its own.
    are_own: bool,
    one: Option<Cache<N, S, 1>>,
    eight: Option<Cache<N, S, 8>>,
}

type Cache<N, S, const W: usize> = <S as Stores<N>>::Store<Numbered<Interval<Words<W>>>>;

impl<N, S: Stores<N>> Caches<N, S> {
    /// No caches yet, for passes that all threads make together.
    pub(crate) fn shared() -> Self {
        Self {
            are_own: false,
            one: None,
            eight: None,
        }
    }

    /// No caches yet, for passes that one thread makes alone.
    pub(crate) fn own() -> Self {
        Self {
            are_own: true,
            ..Self::shared()
        }
    }
}

/// Maps families to which of k sets belong to them.
struct Membership<'a, V, B, const W: usize> {
    valuation: &'a V,
    answers: Powerset<Words<W>>,
    /// The worlds in any of the sets.
    worlds: B,
    /// For each world, the sets that have it.
    having: Vec<Words<W>>,
}

impl<B: WorldSet, V, const W: usize> Membership<'_, V, B, W> {
    /// The sets that lie below this one.
    fn below(&self, set: &B) -> Words<W> {
        let mut outside = self.worlds.clone();
        outside.subtract(set);
        let mut below = self.answers.top();
        for world in outside.ones() {
            below.subtract(&self.having[world]);
        }
        below
    }

    fn members(&self, family: &Antichain<B>) -> Words<W> {
        let mut members = self.answers.bottom();
        for set in family.maximal() {
            members.union_with(&self.below(set));
        }
        members
    }
}

/// Bounds of the answers at a node by its union: a set that belongs lies below the union.
struct ByUnions<'a, 'h, V, B, H, const W: usize> {
    membership: &'h Membership<'a, V, B, W>,
    unions: &'h mut H,
}

impl<N, V, B, H, const W: usize> Heuristic<N, Powerset<Words<W>>> for ByUnions<'_, '_, V, B, H, W>
where
    B: WorldSet,
    V: Valuation<N, Lattice = Families<B>>,
    H: Heuristic<N, Families<B>>,
{
    fn bounds(
        &mut self,
        _: &Powerset<Words<W>>,
        node: &N,
        budget: &Budget,
    ) -> Result<Option<Interval<Words<W>>>, Stop> {
        let families = self.membership.valuation.lattice();
        let known = self.unions.bounds(families, node, budget)?;
        let members = |family: &Antichain<B>| self.membership.members(family);
        Ok(known.map(|known| match known {
            Interval::Exact(value) => Interval::Exact(members(&value)),
            Interval::Between { lower, upper } => Interval::new(members(&lower), members(&upper)),
        }))
    }
}

impl<N, B, V, const W: usize> Valuation<N> for Membership<'_, V, B, W>
where
    B: WorldSet,
    V: Valuation<N, Lattice = Families<B>>,
{
    type Lattice = Powerset<Words<W>>;

    fn lattice(&self) -> &Self::Lattice {
        &self.answers
    }

    #[inline]
    fn leaf(&self, node: &N) -> Words<W> {
        self.members(&self.valuation.leaf(node))
    }
}

impl<D, V, S, B> Game<'_, D, V, S>
where
    D: AndOrDag,
    B: WorldSet,
    V: Valuation<D::Node, Lattice = Families<B>>,
    S: Stores<D::Node>,
{
    /// Finds which of these sets, at most [`MOST`], belong to the value of the root. Each pass must
    /// have a new number.
    pub(crate) fn ask<H, O>(
        &self,
        sets: &[B],
        pass: u64,
        caches: &mut Caches<D::Node, S>,
        unions: &mut H,
        observer: &RefCell<O>,
    ) -> Answers
    where
        H: Heuristic<D::Node, Families<B>>,
        O: Observer<D::Node, Antichain<B>>,
    {
        let Caches {
            are_own,
            one,
            eight,
        } = caches;
        let (stores, are_own) = (self.stores, *are_own);
        if sets.len() <= 64 {
            let cache = one.get_or_insert_with(|| made(stores, are_own));
            return self.pass(sets, pass, cache, unions, observer);
        }
        let cache = eight.get_or_insert_with(|| made(stores, are_own));
        self.pass(sets, pass, cache, unions, observer)
    }

    fn pass<H, O, const W: usize>(
        &self,
        sets: &[B],
        pass: u64,
        cache: &mut Cache<D::Node, S, W>,
        unions: &mut H,
        observer: &RefCell<O>,
    ) -> Answers
    where
        H: Heuristic<D::Node, Families<B>>,
        O: Observer<D::Node, Antichain<B>>,
    {
        let base = self.valuation.lattice().base();
        let width = Powerset::new(sets.len());
        let width = width.unwrap_or_else(|_| unreachable!("no more sets than bits"));
        let mut valuation = Membership::<V, B, W> {
            valuation: self.valuation,
            having: vec![width.bottom(); base.worlds()],
            answers: width,
            worlds: base.bottom(),
        };
        for (i, set) in sets.iter().enumerate() {
            valuation.worlds.union_with(set);
            set.ones()
                .for_each(|world| valuation.having[world].insert(i));
        }
        let window = Window::full(&valuation.answers);
        let env = Env::new(self.budget).with_store(Fresh::new(cache, pass));
        let heuristic = ByUnions {
            membership: &valuation,
            unions,
        };
        let env = env.with_heuristic(heuristic);
        let mut env = env.with_observer(Nodes::new(observer));
        let outcome = alpha_beta_duo_as(self.dag, &valuation, &window, self.duo, &mut env);
        let bits = |set: &Words<W>| (0..sets.len()).map(|i| set.contains(i)).collect();
        Answers {
            belonging: bits(outcome.value.lower()),
            possible: bits(outcome.value.upper()),
            stop: outcome.stop,
        }
    }
}

/// A cache for passes.
fn made<N, S: Stores<N>, const W: usize>(stores: &S, is_own: bool) -> Cache<N, S, W> {
    if is_own { stores.own() } else { stores.store() }
}

/// The answers of a pass for each set.
pub(crate) struct Answers {
    /// It belongs.
    pub(crate) belonging: Vec<bool>,
    /// It may belong: the same, unless the pass was stopped.
    pub(crate) possible: Vec<bool>,
    pub(crate) stop: Option<Stop>,
}

/// The most sets that one pass asks for: 512, as bits of eight machine words.
pub const MOST: usize = 512;
