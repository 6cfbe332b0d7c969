//! A search: minimax with a cache, which leaves an OR node at the top and an AND node at the
//! bottom.
//!
//! Nothing can be added to the top and nothing taken from the bottom, whatever the lattice; so the
//! other children need no visit. The driver keeps the path, the children, the limits and the
//! observer; what is here is all that this algorithm does at a node.

use meetjoin::dag::{AndOrDag, Kind, Valuation};
use meetjoin::lattice::{ElemOf, Interval, Stop, Within};
use meetjoin::search::driver::{Bounds, Frame, Pair, Search, Sides, Technique, combine};
use meetjoin::search::{Observer, Outcome, Slot, Store, Tools};

/// The value of the root.
pub fn absorbing<D, V, T>(dag: &D, valuation: &V, env: &mut T) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, ElemOf<V::Lattice>>>,
{
    let mut search = Search::new(dag, valuation, env);
    let caller = Absorbing.blank(&search);
    let (value, stop) = search.run(&mut Absorbing, caller, |open| Interval::Exact(open.value));
    Outcome::of_full_window(value, stop)
}

struct Absorbing;

/// An open node: the value of the children done, and where the store keeps it.
struct Open<E> {
    value: E,
    slot: Slot,
}

impl<D, V, T> Technique<D, V, T> for Absorbing
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, ElemOf<V::Lattice>>>,
{
    type Local = Open<ElemOf<V::Lattice>>;
    type Entry = ElemOf<V::Lattice>;

    fn blank(&self, search: &Search<'_, D, V, T>) -> Self::Local {
        Open {
            value: search.bottom.clone(),
            slot: Slot::NONE,
        }
    }

    fn open(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        parent: &mut Frame<D::Node, Self::Local>,
        node: &D::Node,
        kind: Kind,
        open: &mut Self::Local,
    ) -> Result<bool, Stop> {
        let (slot, known) = search.store.get(node);
        if let Some(value) = known {
            search.observer.cache_hit(node);
            let both = (&*value, &*value);
            Technique::<D, V, T>::answer(self, search.l, search.observer, parent, node, both)?;
            return Ok(false);
        }
        *open = Open {
            value: search.start(kind).clone(),
            slot,
        };
        Ok(true)
    }

    fn cut(
        &mut self,
        search: &Search<'_, D, V, T>,
        _above: &[Frame<D::Node, Self::Local>],
        frame: &mut Frame<D::Node, Self::Local>,
    ) -> Result<bool, Stop> {
        let most = if frame.kind == Kind::And {
            &search.bottom
        } else {
            &search.top
        };
        Ok(frame.local.value == *most)
    }

    fn absorb(
        &self,
        l: Within<'_, V::Lattice>,
        parent: &mut Frame<D::Node, Self::Local>,
        value: &ElemOf<V::Lattice>,
        _: &ElemOf<V::Lattice>,
    ) -> Result<(), Stop> {
        combine(l, parent.kind, &mut parent.local.value, value)
    }

    fn close(
        &mut self,
        search: &mut Search<'_, D, V, T>,
        _: &mut Frame<D::Node, Self::Local>,
        frame: &mut Frame<D::Node, Self::Local>,
        _: &[D::Node],
        _: bool,
    ) -> Result<(), Stop> {
        let Open { value, slot } = &frame.local;
        search
            .store
            .put(*slot, &frame.node, value.clone(), search.l.budget)
    }

    fn result(open: &Self::Local) -> Pair<'_, ElemOf<V::Lattice>> {
        (&open.value, &open.value)
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
