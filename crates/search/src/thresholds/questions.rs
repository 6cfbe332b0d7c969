//! Valuations that ask a graph over families for something simpler: the union of its value, or which of k sets belong to it.
//!
//! Idea: both are homomorphisms, so they may be taken at the leaves. "Does X belong to the family?" is one bit, k sets are k bits, and a leaf
//! answers all k at once: X lies below a maximal set M unless it has a world outside M, so for each such world the bits of the sets that have it
//! are struck out.
//!
//! Cost: at a leaf, for each of its maximal sets, k / 64 word operations for each world outside it.
//!
//! Needs: nothing of the graph. Each pass is a search by [`alpha_beta_duo`], with entries of its own in the cache.

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Families, Interval, Lattice, Powerset, Stop, Words, WorldSet,
};

use super::fresh::{Fresh, Numbered};
use crate::engine::Stores;
use crate::observer::Nodes;
use crate::{Env, Observer, Outcome, Window, alpha_beta_duo};

/// A graph whose values are families, and where caches come from.
pub(super) struct Game<'a, D, V, S> {
    pub(super) dag: &'a D,
    pub(super) valuation: &'a V,
    pub(super) stores: &'a S,
    pub(super) budget: &'a Budget,
}

/// The caches of the passes, by how many words answer: made when first used, and kept.
pub(super) struct Caches<N, S: Stores<N>> {
    one: Option<Cache<N, S, 1>>,
    two: Option<Cache<N, S, 2>>,
    four: Option<Cache<N, S, 4>>,
    eight: Option<Cache<N, S, 8>>,
}

type Cache<N, S, const W: usize> = <S as Stores<N>>::Store<Numbered<Interval<Words<W>>>>;

impl<N, S: Stores<N>> Caches<N, S> {
    /// None yet.
    pub(super) fn new() -> Self {
        Self {
            one: None,
            two: None,
            four: None,
            eight: None,
        }
    }
}

/// The union of the sets of each family.
struct Unions<'a, V, B> {
    valuation: &'a V,
    sets: &'a Powerset<B>,
}

impl<N, B, V> Valuation<N> for Unions<'_, V, B>
where
    B: WorldSet,
    V: Valuation<N, Lattice = Families<B>>,
{
    type Lattice = Powerset<B>;

    fn lattice(&self) -> &Powerset<B> {
        self.sets
    }

    fn leaf(&self, node: &N) -> B {
        let family = self.valuation.leaf(node);
        let mut union = self.sets.bottom();
        for set in family.maximal() {
            union.union_with(set);
        }
        union
    }
}

/// Which of k sets belong to each family.
struct Membership<'a, V, B, const W: usize> {
    valuation: &'a V,
    answers: Powerset<Words<W>>,
    /// The worlds that some set has.
    worlds: B,
    /// For each world, the sets that have it.
    having: Vec<Words<W>>,
}

impl<B: WorldSet, V, const W: usize> Membership<'_, V, B, W> {
    fn members(&self, family: &Antichain<B>) -> Words<W> {
        let mut members = self.answers.bottom();
        for set in family.maximal() {
            let mut outside = self.worlds.clone();
            outside.subtract(set);
            let mut below = self.answers.top();
            for world in outside.ones() {
                below.subtract(&self.having[world]);
            }
            members.union_with(&below);
        }
        members
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
    /// The union of the value of the root.
    pub(super) fn union<O: Observer<D::Node, Antichain<B>>>(&self, observer: &mut O) -> Outcome<B> {
        let valuation = Unions {
            valuation: self.valuation,
            sets: self.valuation.lattice().base(),
        };
        let window = Window::full(valuation.sets);
        let env = Env::new(self.budget).with_store(self.stores.store::<Interval<B>>());
        let mut env = env.with_observer(Nodes::new(observer));
        alpha_beta_duo(self.dag, &valuation, &window, &mut env)
    }

    /// Which of these sets, at most [`MOST`], belong to the value of the root. Each pass has another number.
    pub(super) fn ask<O: Observer<D::Node, Antichain<B>>>(
        &self,
        sets: &[B],
        pass: u64,
        caches: &mut Caches<D::Node, S>,
        observer: &mut O,
    ) -> Result<Vec<bool>, Stop> {
        let Caches {
            one,
            two,
            four,
            eight,
        } = caches;
        match sets.len() {
            0..=64 => self.pass(sets, pass, one, observer),
            65..=128 => self.pass(sets, pass, two, observer),
            129..=256 => self.pass(sets, pass, four, observer),
            _ => self.pass(sets, pass, eight, observer),
        }
    }

    fn pass<O: Observer<D::Node, Antichain<B>>, const W: usize>(
        &self,
        sets: &[B],
        pass: u64,
        cache: &mut Option<Cache<D::Node, S, W>>,
        observer: &mut O,
    ) -> Result<Vec<bool>, Stop> {
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
        let cache = cache.get_or_insert_with(|| self.stores.store());
        let env = Env::new(self.budget).with_store(Fresh::new(cache, pass));
        let mut env = env.with_observer(Nodes::new(observer));
        let outcome = alpha_beta_duo(self.dag, &valuation, &window, &mut env);
        if let Some(stop) = outcome.stop {
            return Err(stop);
        }
        let members = outcome.value.lower();
        Ok((0..sets.len()).map(|i| members.contains(i)).collect())
    }
}

/// The most sets that one pass asks for: 512, as bits of eight machine words.
pub(super) const MOST: usize = 512;
