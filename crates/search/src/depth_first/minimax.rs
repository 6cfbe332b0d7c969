//! Minimax without pruning: the definition of a graph's value, and the specification of every other
//! algorithm.
//!
//! v(leaf) is given, v(AND node) is the meet and v(OR node) the join of the children's values.
//! [`minimax`] follows the definition and visits a node once for every path to it;
//! [`minimax_cached`] ("MMC") remembers each value.
//!
//! Needs: any [`Lattice`](meetjoin_lattice::Lattice). Nothing is pruned, so nothing needs
//! distributivity.
//!
//! Cost: uncached, as many visits as there are paths in the graph; cached, one more than there are
//! edges, and an entry for each inner node reached.
//!
//! Source: Li, Zanuttini, Cazenave, Ventos (2022), section 3; MMC in section 6.

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{ElemOf, Interval, Stop, Within};

use crate::depth_first::driver::{Bounds, Frame, Pair, Search, Technique, combine};
use crate::depth_first::sides::Sides;
use crate::{Observer, Outcome, Slot, Store, Tools};

/// The value of the root by its definition, without a cache. Store and heuristic of the environment
/// must be absent.
pub fn minimax<D, V, T>(dag: &D, valuation: &V, env: &mut T) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store = (), Heuristic = ()>,
{
    minimax_cached(dag, valuation, env)
}

/// The value of the root, each node evaluated once ("MMC"). The store holds exact values; a
/// heuristic must be absent.
pub fn minimax_cached<D, V, T>(dag: &D, valuation: &V, env: &mut T) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, ElemOf<V::Lattice>>, Heuristic = ()>,
{
    let mut search = Search::new(dag, valuation, env);
    let caller = Minimax.blank(&search);
    let (value, stop) = search.run(&mut Minimax, caller, |c| Interval::Exact(c.value));
    Outcome::of_full_window(value, stop)
}

struct Minimax;

struct Local<E> {
    /// Meet or join of the values of finished children.
    value: E,
    slot: Slot,
}

impl<D, V, T> Technique<D, V, T> for Minimax
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, ElemOf<V::Lattice>>>,
{
    type Local = Local<ElemOf<V::Lattice>>;
    type Entry = ElemOf<V::Lattice>;

    const SHARES: bool = true;

    fn blank(&self, search: &Search<'_, D, V, T>) -> Self::Local {
        Local {
            value: search.bottom.clone(),
            slot: Slot::NONE,
        }
    }

    #[inline]
    fn open(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        node: &D::Node,
        kind: Kind,
        local: &mut Self::Local,
    ) -> Result<bool, Stop> {
        let (slot, known) = search.store.get(node);
        if let Some(value) = known {
            search.observer.cache_hit(node);
            Technique::<D, V, T>::answer(
                self,
                search.l,
                search.observer,
                parent,
                node,
                (&value, &value),
            )?;
            return Ok(false);
        }
        local.slot = slot;
        local.value.clone_from(search.start(kind));
        Ok(true)
    }

    fn take_shared(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        child: &D::Node,
    ) -> Result<bool, Stop> {
        let Some(value) = search.store.get(child).1 else {
            return Ok(false);
        };
        combine(search.l, parent.kind, &mut parent.local.value, &value)?;
        Ok(true)
    }

    #[inline]
    fn absorb(
        &self,
        l: Within<'_, V::Lattice>,
        parent: &mut Frame<D::Node, Self::Local>,
        value: &ElemOf<V::Lattice>,
        _: &ElemOf<V::Lattice>,
    ) -> Result<(), Stop> {
        combine(l, parent.kind, &mut parent.local.value, value)
    }

    #[inline]
    fn close(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        _: &mut Frame<D::Node, Self::Local>,
        frame: &mut Frame<D::Node, Self::Local>,
        _: &[D::Node],
        _: bool,
    ) -> Result<(), Stop> {
        let Local { value, slot } = &frame.local;
        let budget = search.l.budget;
        search.store.put(*slot, &frame.node, value.clone(), budget)
    }

    #[inline]
    fn result(local: &Self::Local) -> Pair<'_, ElemOf<V::Lattice>> {
        (&local.value, &local.value)
    }

    fn partial(
        &self,
        l: Within<'_, V::Lattice>,
        frame: &Frame<D::Node, Self::Local>,
        below: Option<&Bounds<ElemOf<V::Lattice>>>,
        rest: impl ExactSizeIterator<Item = Option<Bounds<ElemOf<V::Lattice>>>>,
    ) -> Bounds<ElemOf<V::Lattice>> {
        Sides::gather(l, frame.kind, &frame.local.value, below, rest)
    }
}
