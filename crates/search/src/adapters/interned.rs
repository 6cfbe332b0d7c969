//! Searches over ids: any algorithm, over any lattice whose elements are stored once.
//!
//! Problem: a search in a dear lattice copies and compares large values, and its cache holds two of them for each node.
//!
//! Idea: the same graph with the ids of an [`Interned`] lattice as values. A leaf's value is looked up by its hash; everything else a
//! search does with a 32-bit number.
//!
//! Invariant: the value of a graph over ids is the id of its value. A leaf for whose value there is no room is worth [`Id::NONE`], with which no
//! operation works: a search stops there, and what it can say of the root is said without that leaf.
//!
//! Cost: a hash of its value for each visit of a leaf; for the rest see [`Interned`].
//!
//! ```
//! use meetjoin_dag::{AndOrDag, Valuation};
//! use meetjoin_lattice::{Budget, ElemOf, Families, Interned, Words};
//! use meetjoin_search::{Env, Interning, Outcome, Table, Window, alpha_beta_duo};
//!
//! fn solve<G>(game: &G, budget: &Budget) -> Outcome<ElemOf<G::Lattice>>
//! where
//!     G: AndOrDag + Valuation<<G as AndOrDag>::Node, Lattice = Families<Words<16>>>,
//! {
//!     let ids = Interned::new(game.lattice());
//!     let values = Interning::new(game, &ids, budget);
//!     let mut env = Env::new(budget).with_store(Table::new());
//!     let outcome = alpha_beta_duo(game, &values, &Window::full(&ids), &mut env);
//!     values.outcome(&outcome)
//! }
//! ```

use std::hash::Hash;

use meetjoin_dag::{Heuristic, Valuation};
use meetjoin_lattice::{Budget, ElemOf, HeapBytes, Id, Interned, Interval, Lattice, Stop};

use crate::Outcome;

/// The values of a graph as ids. See the [module page](self).
#[derive(Debug)]
pub struct Interning<'a, V, L: Lattice> {
    valuation: &'a V,
    lattice: &'a Interned<L>,
    budget: &'a Budget,
}

impl<'a, V, L: Lattice> Interning<'a, V, L> {
    /// The values of `valuation` as ids of `lattice`, which has the same elements and may have served others before. `budget` is asked for
    /// the room that leaves take.
    pub fn new(valuation: &'a V, lattice: &'a Interned<L>, budget: &'a Budget) -> Self {
        Self {
            valuation,
            lattice,
            budget,
        }
    }

    /// An outcome over ids as one over elements. A bound without an element says nothing, and becomes bottom or top.
    pub fn outcome(&self, outcome: &Outcome<Id>) -> Outcome<L::Elem> {
        let intervals = [&outcome.value, &outcome.clipped];
        let lost = intervals.iter().any(|known| {
            let bounds = [known.lower(), known.upper()];
            bounds.contains(&&Id::NONE)
        });
        let stop = outcome.stop.or(lost.then_some(Stop::Lattice));
        Outcome {
            value: self.interval(&outcome.value),
            clipped: self.interval(&outcome.clipped),
            stop: stop.map(|stop| match self.budget.fired() {
                // The room that a leaf was refused.
                Some(Stop::Memory) if stop == Stop::Lattice => Stop::Memory,
                _ => stop,
            }),
        }
    }

    /// An interval of ids as one of elements.
    fn interval(&self, interval: &Interval<Id>) -> Interval<L::Elem> {
        let lattice = self.lattice.lattice();
        let element = |id: &Id| self.lattice.element(*id).cloned();
        let lower = element(interval.lower()).unwrap_or_else(|| lattice.bottom());
        let upper = element(interval.upper()).unwrap_or_else(|| lattice.top());
        Interval::new(lower, upper)
    }
}

impl<N, V, L> Valuation<N> for Interning<'_, V, L>
where
    V: Valuation<N>,
    L: Lattice<Elem = ElemOf<V::Lattice>>,
    L::Elem: Hash + HeapBytes,
{
    type Lattice = Interned<L>;

    fn lattice(&self) -> &Interned<L> {
        self.lattice
    }

    fn leaf(&self, node: &N) -> Id {
        let value = self.valuation.leaf(node);
        let id = self.lattice.intern(&value, self.budget);
        id.unwrap_or(Id::NONE)
    }

    fn never_bottom(&self) -> bool {
        self.valuation.never_bottom()
    }
}

/// The bounds of a heuristic as ids.
#[derive(Debug)]
pub struct InternedBounds<'a, H, M> {
    heuristic: H,
    lattice: &'a M,
}

impl<'a, H, M> InternedBounds<'a, H, M> {
    /// The bounds that `heuristic` knows in `lattice`.
    pub fn new(heuristic: H, lattice: &'a M) -> Self {
        Self { heuristic, lattice }
    }
}

impl<N, H, M, L> Heuristic<N, Interned<L>> for InternedBounds<'_, H, M>
where
    H: Heuristic<N, M>,
    M: Lattice<Elem = L::Elem>,
    L: Lattice<Elem: Hash + HeapBytes>,
{
    fn bounds(
        &mut self,
        ids: &Interned<L>,
        node: &N,
        budget: &Budget,
    ) -> Result<Option<Interval<Id>>, Stop> {
        let Some(known) = self.heuristic.bounds(self.lattice, node, budget)? else {
            return Ok(None);
        };
        let lower = ids.intern(known.lower(), budget)?;
        let upper = ids.intern(known.upper(), budget)?;
        Ok(Some(Interval::new(lower, upper)))
    }
}
