//! Minimax without pruning: the meaning of a graph, and the specification of every other algorithm.
//!
//! v(leaf) is given, v(AND node) is the meet and v(OR node) the join of the children's values. [`minimax`] follows the definition and visits a
//! node once for every path to it; [`minimax_cached`] ("MMC") remembers each value.
//!
//! Needs: any [`Lattice`]. Nothing is pruned, so nothing needs distributivity.
//!
//! Cost: uncached, as many visits as there are paths in the graph; cached, one more than there are edges, and an entry for each inner
//! node reached.
//!
//! Source: Li, Zanuttini, Cazenave, Ventos (2022), section 3; MMC in section 6.

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{Budget, ElemOf, Interval, Lattice, Stop, Within};

use crate::driver::{self, Bounds, Frame, Sides, Technique};
use crate::{Env, Exit, Observer, Order, Outcome, Store};

/// The value of the root by its definition, without a cache. Store and heuristic of the environment must be absent.
pub fn minimax<D, V, O, R>(
    dag: &D,
    valuation: &V,
    env: &mut Env<'_, (), (), O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    minimax_cached(dag, valuation, env)
}

/// The value of the root, each node evaluated once ("MMC"). Its store holds exact values; a heuristic has no place in it.
pub fn minimax_cached<D, V, S, O, R>(
    dag: &D,
    valuation: &V,
    env: &mut Env<'_, S, (), O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    S: Store<D::Node, ElemOf<V::Lattice>>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let l = Within::new(valuation.lattice(), env.budget);
    let mut technique = Minimax {
        l,
        valuation,
        is_leaf: |node: &D::Node| dag.kind(node) == Kind::Leaf,
        store: &mut env.store,
        observer: &mut env.observer,
        bottom: l.bottom(),
        top: l.top(),
    };
    let caller = technique.blank();
    match driver::search(dag, &mut env.order, env.budget, &mut technique, caller) {
        Ok(caller) => Outcome::of_full_window(Interval::Exact(caller.value), None),
        Err(stopped) => {
            let (lower, upper) = stopped.bounds;
            Outcome::of_full_window(Interval::new(lower, upper), Some(stopped.stop))
        }
    }
}

struct Minimax<'a, L: Lattice, V, F, S, O> {
    l: Within<'a, L>,
    valuation: &'a V,
    is_leaf: F,
    store: &'a mut S,
    observer: &'a mut O,
    bottom: L::Elem,
    top: L::Elem,
}

struct Local<E, Slot> {
    /// Meet or join of the values of the children done.
    value: E,
    slot: Slot,
}

impl<L: Lattice, V, F, S, O> Minimax<'_, L, V, F, S, O> {
    /// Takes the value of a child into its parent.
    #[inline]
    fn absorb<N, Slot>(
        &self,
        parent: &mut Frame<N, Local<L::Elem, Slot>>,
        value: &L::Elem,
    ) -> Result<(), Stop> {
        match parent.kind {
            Kind::And => self.l.meet(&mut parent.local.value, value),
            Kind::Or | Kind::Leaf => self.l.join(&mut parent.local.value, value),
        }
    }
}

impl<N, V, F, S, O> Technique<N, ElemOf<V::Lattice>> for Minimax<'_, V::Lattice, V, F, S, O>
where
    V: Valuation<N>,
    F: Fn(&N) -> bool,
    S: Store<N, ElemOf<V::Lattice>>,
    O: Observer<N, ElemOf<V::Lattice>>,
{
    type Local = Local<ElemOf<V::Lattice>, S::Slot>;
    type Observer = O;

    fn blank(&self) -> Self::Local {
        Local {
            value: self.bottom.clone(),
            slot: self.store.no_slot(),
        }
    }

    #[inline]
    fn open(
        &mut self,
        parent: &mut Frame<N, Self::Local>,
        node: &N,
        kind: Kind,
        local: &mut Self::Local,
    ) -> Result<bool, Stop> {
        self.observer.enter(node, None);
        if kind == Kind::Leaf {
            let value = self.valuation.leaf(node);
            self.observer.leaf(node);
            self.absorb(parent, &value)?;
            self.observer.exit(node, Exit::Bounds(&value, &value));
            return Ok(false);
        }
        let (slot, known) = self.store.get(node);
        if let Some(value) = known {
            self.observer.cache_hit(node);
            self.absorb(parent, &value)?;
            self.observer.exit(node, Exit::Bounds(&value, &value));
            return Ok(false);
        }
        local.slot = slot;
        local.value.clone_from(match kind {
            Kind::And => &self.top,
            Kind::Or | Kind::Leaf => &self.bottom,
        });
        Ok(true)
    }

    #[inline]
    fn cut(
        &mut self,
        _: &[Frame<N, Self::Local>],
        _: &mut Frame<N, Self::Local>,
    ) -> Result<bool, Stop> {
        Ok(false)
    }

    #[inline]
    fn close(
        &mut self,
        parent: &mut Frame<N, Self::Local>,
        frame: &mut Frame<N, Self::Local>,
        _: &[N],
        _: bool,
    ) -> Result<(), Stop> {
        let value = &frame.local.value;
        self.store
            .put(frame.local.slot, &frame.node, value.clone(), self.l.budget)?;
        self.absorb(parent, value)?;
        self.observer.exit(&frame.node, Exit::Bounds(value, value));
        Ok(())
    }

    fn partial(
        &self,
        frame: &Frame<N, Self::Local>,
        below: Option<&Bounds<ElemOf<V::Lattice>>>,
        rest: &[N],
        grace: &Budget,
    ) -> Bounds<ElemOf<V::Lattice>> {
        let l = Within::new(self.l.lattice, grace);
        let rest = rest.iter().map(|child| {
            if (self.is_leaf)(child) {
                Some(self.valuation.leaf(child))
            } else {
                self.store.get(child).1.map(|value| value.clone())
            }
        });
        Sides::gather(l, frame.kind, &frame.local.value, below, rest)
    }

    fn entries(&self) -> usize {
        self.store.len()
    }

    fn observer(&mut self) -> &mut O {
        self.observer
    }
}
