//! Pruning rules under one contract, so that they can be compared on the same trees.
//!
//! Problem: several rules say when the remaining children of a node are superfluous. They differ in what they compare, in what a test costs
//! and in the lattices they are right for, and all else should be equal when they are compared.
//!
//! Idea: one search, and a rule as a parameter. A node's value starts from bottom (OR) or top (AND) and takes in each child's. After every
//! child but the last the rule is asked; if it says so, the node is left with the value it has.
//!
//! | rule | an OR node with the value y is left as soon as y lies above | lattice | test |
//! |---|---|---|---|
//! | none ([`minimax`](crate::minimax())) | - | any | - |
//! | [`shallow()`] | the value of its parent, an AND node | any | 1 comparison |
//! | [`deep()`] | the value of one AND node above it | distributive | a comparison for each of them |
//! | [`couwenberg()`], the simple rule | the meet of the values of all AND nodes above it | distributive | 1 comparison |
//! | [`strong()`] | (the root would be the same without it) | distributive | two nested expressions |
//! | Li's test ([`alpha_beta`](crate::alpha_beta()), [`FailSoft`](crate::FailSoft)) | that meet, together with the values of the OR nodes above it | distributive | 1 join, 1 comparison |
//!
//! An AND node does the dual. The first and the last rule are algorithms of their own: they make the same visits as they would here
//! (but in a lattice of one element alpha-beta leaves the root at once). In a distributive lattice the strong rule is Li's test, written in
//! another way.
//!
//! Invariant: values in the open frames, each as it is now, and the true values of all that is unvisited make up the value of the root. So the
//! bounds of an interrupted search are those of minimax: what is unvisited counts as bottom, then as top. Only the shallow rule also keeps the
//! value of each open node itself true. Proofs: chapter "Theory" of the book, section "Pruning rules".
//!
//! Cost: the visits of minimax without a cache at most, and the test. No cache: the results of nodes that were cut are no bounds of them.
//!
//! Needs: what the rule needs. The bound is on each function, so an unsound pair does not compile.
//!
//! Source: Ginsberg and Jaffray (2002); Couwenberg (2011), part 3; Li, Zanuttini, Cazenave, Ventos (2022), Algorithm 1.

mod couwenberg;
mod deep;
mod shallow;
mod strong;

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{Budget, ElemOf, Interval, Lattice, Stop, Within};

use crate::driver::{self, Bounds, Frame, Sides, Technique};
use crate::{Env, Exit, Observer, Order, Outcome};

pub use couwenberg::couwenberg;
pub use deep::deep;
pub use shallow::shallow;
pub use strong::strong;

/// When is the rest of an open node superfluous?
trait Rule<L: Lattice> {
    /// What a node takes over from those above it when it is opened. It stays as it is while the node is open, as their values do.
    type Inherited;

    /// What the root's caller has.
    fn nothing(&self, l: &L) -> Self::Inherited;

    /// Sets up what a child of `parent` takes over.
    fn inherit<N>(
        &self,
        l: Within<'_, L>,
        parent: &Open<N, L, Self>,
        inherited: &mut Self::Inherited,
    ) -> Result<(), Stop>;

    /// Asked after each child but the last: can the rest of `node` be left out? `above` are the open nodes from the root to its parent.
    fn cuts<N>(
        &self,
        l: Within<'_, L>,
        above: &[Open<N, L, Self>],
        node: &Open<N, L, Self>,
    ) -> Result<bool, Stop>;
}

/// An open node.
type Open<N, L, R> = Frame<N, Local<ElemOf<L>, <R as Rule<L>>::Inherited>>;

struct Local<E, I> {
    /// Meet or join of the results of the children done.
    value: E,
    inherited: I,
}

impl<N, E, I> Frame<N, Local<E, I>> {
    /// Whether the value of this node has come as far as `bar`: risen to it at an OR node, fallen to it at an AND node.
    #[inline]
    fn reaches<L: Lattice<Elem = E>>(&self, l: Within<'_, L>, bar: &E) -> Result<bool, Stop> {
        match self.kind {
            Kind::And => l.leq(&self.local.value, bar),
            Kind::Or | Kind::Leaf => l.leq(bar, &self.local.value),
        }
    }

    /// Takes the value of this node into `value`.
    #[inline]
    fn combine<L: Lattice<Elem = E>>(&self, l: Within<'_, L>, value: &mut E) -> Result<(), Stop> {
        match self.kind {
            Kind::And => l.meet(value, &self.local.value),
            Kind::Or | Kind::Leaf => l.join(value, &self.local.value),
        }
    }
}

/// Searches with `rule`. A rule that is wrong in the lattice is no [`Rule`] for it.
fn search<D, V, P, O, R>(
    dag: &D,
    valuation: &V,
    rule: P,
    env: &mut Env<'_, (), (), O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    P: Rule<V::Lattice>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    let l = Within::new(valuation.lattice(), env.budget);
    let mut technique = Pruning {
        l,
        valuation,
        is_leaf: |node: &D::Node| dag.kind(node) == Kind::Leaf,
        rule,
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

struct Pruning<'a, L: Lattice, V, F, P, O> {
    l: Within<'a, L>,
    valuation: &'a V,
    is_leaf: F,
    rule: P,
    observer: &'a mut O,
    bottom: L::Elem,
    top: L::Elem,
}

impl<L: Lattice, V, F, P, O> Pruning<'_, L, V, F, P, O> {
    /// Takes the result of a child into its parent.
    #[inline]
    fn absorb<N, I>(
        &self,
        parent: &mut Frame<N, Local<L::Elem, I>>,
        value: &L::Elem,
    ) -> Result<(), Stop> {
        match parent.kind {
            Kind::And => self.l.meet(&mut parent.local.value, value),
            Kind::Or | Kind::Leaf => self.l.join(&mut parent.local.value, value),
        }
    }
}

impl<N, V, F, P, O> Technique<N, ElemOf<V::Lattice>> for Pruning<'_, V::Lattice, V, F, P, O>
where
    V: Valuation<N>,
    F: Fn(&N) -> bool,
    P: Rule<V::Lattice>,
    O: Observer<N, ElemOf<V::Lattice>>,
{
    type Local = Local<ElemOf<V::Lattice>, P::Inherited>;
    type Observer = O;

    fn blank(&self) -> Self::Local {
        Local {
            value: self.bottom.clone(),
            inherited: self.rule.nothing(self.l.lattice),
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
            self.observer.exit(node, Exit::Value(&value));
            return Ok(false);
        }
        self.rule.inherit(self.l, parent, &mut local.inherited)?;
        local.value.clone_from(match kind {
            Kind::And => &self.top,
            Kind::Or | Kind::Leaf => &self.bottom,
        });
        Ok(true)
    }

    #[inline]
    fn cut(
        &mut self,
        above: &[Frame<N, Self::Local>],
        frame: &mut Frame<N, Self::Local>,
    ) -> Result<bool, Stop> {
        if frame.is_new() {
            return Ok(false);
        }
        self.rule.cuts(self.l, above, frame)
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
        self.absorb(parent, value)?;
        self.observer.exit(&frame.node, Exit::Value(value));
        Ok(())
    }

    /// Bounds for the root once they are nested up to it, since what the frames hold, and what is untouched, make up its value. They need
    /// be no bounds of this node's own value.
    fn partial(
        &self,
        frame: &Frame<N, Self::Local>,
        below: Option<&Bounds<ElemOf<V::Lattice>>>,
        rest: &[N],
        grace: &Budget,
    ) -> Bounds<ElemOf<V::Lattice>> {
        let l = Within::new(self.l.lattice, grace);
        let leaf = |child: &N| (self.is_leaf)(child).then(|| self.valuation.leaf(child));
        let rest = rest.iter().map(leaf);
        Sides::gather(l, frame.kind, &frame.local.value, below, rest)
    }

    fn entries(&self) -> usize {
        0
    }

    fn observer(&mut self) -> &mut O {
        self.observer
    }
}
