//! The dual of a game and of its environment: AND and OR are exchanged, and so are lower and upper.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Budget, Dual, ElemOf, Interval, Lattice, Stop};

use crate::caches::in_progress::InProgress;
use crate::contracts::observer::{Event, relay};
use crate::{Entries, Env, Exit, Observer, Order, Progress, Slot, Store, Tools};

/// The dual of a game.
pub(in crate::total_order) struct Mirror<'a, D, V, L> {
    dag: &'a D,
    valuation: &'a V,
    lattice: Dual<&'a L>,
}

impl<'a, D: AndOrDag, V: Valuation<D::Node>> Mirror<'a, D, V, V::Lattice> {
    pub(in crate::total_order) fn of_game(dag: &'a D, valuation: &'a V) -> Self {
        Self {
            dag,
            valuation,
            lattice: Dual(valuation.lattice()),
        }
    }
}

fn other(kind: Kind) -> Kind {
    match kind {
        Kind::Leaf => Kind::Leaf,
        Kind::And => Kind::Or,
        Kind::Or => Kind::And,
    }
}

/// An interval in the dual order: its ends are exchanged.
pub(in crate::total_order) fn turned<E>(interval: Interval<E>) -> Interval<E> {
    match interval {
        Interval::Exact(value) => Interval::Exact(value),
        Interval::Between { lower, upper } => Interval::Between {
            lower: upper,
            upper: lower,
        },
    }
}

impl<D: AndOrDag, V, L> AndOrDag for Mirror<'_, D, V, L> {
    type Node = D::Node;

    fn root(&self) -> D::Node {
        self.dag.root()
    }

    #[inline]
    fn kind(&self, node: &D::Node) -> Kind {
        other(self.dag.kind(node))
    }

    #[inline]
    fn children(&self, node: &D::Node, out: &mut Vec<D::Node>) {
        self.dag.children(node, out);
    }

    #[inline]
    fn is_shared(&self, node: &D::Node) -> bool {
        self.dag.is_shared(node)
    }

    #[inline]
    fn prefetch(&self, nodes: &[D::Node]) {
        self.dag.prefetch(nodes);
    }

    fn name(&self, node: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.dag.name(node, out)
    }

    fn move_name(&self, from: &D::Node, to: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        self.dag.move_name(from, to, out)
    }
}

impl<'a, N, D, V: Valuation<N>> Valuation<N> for Mirror<'a, D, V, V::Lattice> {
    type Lattice = Dual<&'a V::Lattice>;

    #[inline]
    fn lattice(&self) -> &Self::Lattice {
        &self.lattice
    }

    #[inline]
    fn leaf(&self, node: &N) -> ElemOf<V::Lattice> {
        self.valuation.leaf(node)
    }
}

/// A part of an environment as a search of the dual game uses it.
pub(in crate::total_order) struct Mirrored<'a, T, E>(&'a mut T, PhantomData<E>);

/// The environment for the dual game.
#[allow(clippy::type_complexity)] // four parts
pub(in crate::total_order) fn env<N, L: Lattice, T: Tools<N, L>>(
    env: &mut T,
) -> Env<
    '_,
    Mirrored<'_, T::Store, L::Elem>,
    Mirrored<'_, T::Heuristic, L::Elem>,
    Mirrored<'_, T::Observer, L::Elem>,
    Mirrored<'_, T::Order, L::Elem>,
> {
    let env = env.lend();
    Env {
        budget: env.budget,
        store: Mirrored(env.store, PhantomData),
        heuristic: Mirrored(env.heuristic, PhantomData),
        observer: Mirrored(env.observer, PhantomData),
        order: Mirrored(env.order.0, PhantomData),
    }
}

/// An entry of a store, with its ends exchanged.
pub(in crate::total_order) struct Turned<E>(Interval<E>);

impl<E> Deref for Turned<E> {
    type Target = Interval<E>;

    fn deref(&self) -> &Interval<E> {
        &self.0
    }
}

impl<N, E: Clone, S: Store<N, Interval<E>>> Store<N, Interval<E>> for Mirrored<'_, S, E> {
    type Ref<'b>
        = Turned<E>
    where
        Self: 'b,
        E: 'b;

    #[inline]
    fn get(&self, node: &N) -> (Slot, Option<Turned<E>>) {
        let (slot, stored) = self.0.get(node);
        (
            slot,
            stored.map(|interval| Turned(turned((*interval).clone()))),
        )
    }

    #[inline]
    fn put(
        &mut self,
        slot: Slot,
        node: &N,
        value: Interval<E>,
        budget: &Budget,
    ) -> Result<(), Stop> {
        self.0.put(slot, node, turned(value), budget)
    }

    fn each(&self, see: &mut dyn FnMut(&N, &Interval<E>)) {
        self.0
            .each(&mut |node, interval| see(node, &turned(interval.clone())));
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn in_progress(&self) -> Option<&Arc<InProgress>> {
        self.0.in_progress()
    }
}

/// Entries of the dual game as entries of the game.
struct OfDual<'a, N, E>(&'a dyn Entries<N, E>);

impl<N, E> Entries<N, E> for OfDual<'_, N, E> {
    fn each(&self, see: &mut dyn FnMut(&N, &E, &E)) {
        self.0
            .each(&mut |node, lower, upper| see(node, upper, lower));
    }
}

impl<'l, N, L: Lattice, H: Heuristic<N, L>> Heuristic<N, Dual<&'l L>> for Mirrored<'_, H, L::Elem> {
    #[inline]
    fn bounds(
        &mut self,
        lattice: &Dual<&'l L>,
        node: &N,
        budget: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop> {
        let bounds = self.0.bounds(lattice.0, node, budget)?;
        Ok(bounds.map(turned))
    }
}

impl<N, E, R: Order<N>> Order<N> for Mirrored<'_, R, E> {
    #[inline]
    fn arrange(&mut self, node: &N, kind: Kind, children: &mut [N]) {
        self.0.arrange(node, other(kind), children);
    }

    #[inline]
    fn is_natural(&self) -> bool {
        self.0.is_natural()
    }
}

impl<N, E, O: Observer<N, E>> Observer<N, E> for Mirrored<'_, O, E> {
    relay!(self, event: Event<N, E>, self.0.wants_progress(), {
        let turned = match event {
            Event::Enter(node, Some((alpha, beta))) => Event::Enter(node, Some((beta, alpha))),
            Event::Exit(node, Exit::Bounds(lower, upper)) => {
                Event::Exit(node, Exit::Bounds(upper, lower))
            }
            Event::Progress(progress) => Event::Progress(Progress {
                lower: progress.upper,
                upper: progress.lower,
                ..progress
            }),
            event => event,
        };
        turned.tell(self.0);
    }, entries(known): self.0.wants_entries(), self.0.entries(&OfDual(known)));
}
