//! Bounds from a simpler lattice: the same graph is searched on demand, under the image of its
//! values.
//!
//! Problem: a search in an expensive lattice spends its time in lattice operations, while a search
//! under a [relaxation] is cheap and often nearly as good: in racing, the family of hands is nearly
//! always given by its union.
//!
//! Idea: a heuristic that answers for a node by searching the node in the image, with alpha-beta
//! duo and a cache of its own, and maps the answer back by the adjoints. All these searches share
//! the cache, so together they cost little more than one search. It has an entry for every node,
//! since searches begin below the nodes of earlier ones.
//!
//! Invariant: the bounds are true of the node whatever the window, because a homomorphism commutes
//! with the evaluation of the graph.
//!
//! Cost: at most one visit of each edge in the image for each node asked; a look-up once the node
//! is known.
//!
//! Source: see [relaxation].
//!
//! [relaxation]: meetjoin_lattice::relaxation

use meetjoin_dag::{AndOrDag, Heuristic, Rooted, Valuation};
use meetjoin_lattice::{Budget, DistributiveLattice, ElemOf, Interval, Relaxation, Stop};

use crate::{Duo, Env, Observer, Outcome, Store, Window, alpha_beta_duo_as};

/// The values of a graph under a relaxation.
#[derive(Clone, Copy, Debug)]
pub struct Image<'a, V, R> {
    valuation: &'a V,
    relaxation: &'a R,
}

impl<'a, V, R> Image<'a, V, R> {
    /// The values of `valuation` under this relaxation.
    pub fn new(valuation: &'a V, relaxation: &'a R) -> Self {
        Self {
            valuation,
            relaxation,
        }
    }
}

impl<N, V, R> Valuation<N> for Image<'_, V, R>
where
    V: Valuation<N>,
    R: Relaxation<V::Lattice>,
{
    type Lattice = R::Image;

    fn lattice(&self) -> &R::Image {
        self.relaxation.image()
    }

    #[inline]
    fn leaf(&self, node: &N) -> ElemOf<R::Image> {
        self.relaxation.image_of(&self.valuation.leaf(node))
    }
}

/// Bounds of the nodes of a graph by their values under a relaxation. See the [module page](self).
#[derive(Debug)]
pub struct Relaxed<'a, D, V, R, S, O> {
    dag: &'a D,
    image: Image<'a, V, R>,
    /// Bounds of nodes in the image.
    store: S,
    /// The observer of the searches in the image.
    observer: O,
    /// The parts of alpha-beta duo in these searches.
    duo: Duo,
}

impl<'a, D, V, R, S, O> Relaxed<'a, D, V, R, S, O>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    R: Relaxation<V::Lattice, Image: DistributiveLattice>,
    S: Store<D::Node, Interval<ElemOf<R::Image>>>,
    O: Observer<D::Node, ElemOf<R::Image>>,
{
    /// The bounds of the nodes of `dag`. `store` is empty, or has intervals of the same graph under
    /// the same relaxation.
    pub fn new(dag: &'a D, valuation: &'a V, relaxation: &'a R, store: S, observer: O) -> Self {
        Self {
            dag,
            image: Image::new(valuation, relaxation),
            store,
            observer,
            duo: Duo::default(),
        }
    }

    /// Sets the parts of alpha-beta duo for the searches. Every node is remembered all the same.
    #[must_use]
    pub fn with_parts(self, duo: Duo) -> Self {
        Self { duo, ..self }
    }

    /// The value of a node in the image.
    pub fn outcome(&mut self, node: &D::Node, budget: &Budget) -> Outcome<ElemOf<R::Image>> {
        let from = Rooted {
            dag: self.dag,
            root: node.clone(),
        };
        let window = Window::full(self.image.lattice());
        let env = Env::new(budget).with_store(&mut self.store);
        let mut env = env.with_observer(&mut self.observer);
        let duo = Duo {
            shared_only: false,
            ..self.duo
        };
        alpha_beta_duo_as(&from, &self.image, &window, duo, &mut env)
    }
}

impl<D, V, R, S, O> Heuristic<D::Node, V::Lattice> for Relaxed<'_, D, V, R, S, O>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    R: Relaxation<V::Lattice, Image: DistributiveLattice>,
    S: Store<D::Node, Interval<ElemOf<R::Image>>>,
    O: Observer<D::Node, ElemOf<R::Image>>,
{
    fn bounds(
        &mut self,
        _: &V::Lattice,
        node: &D::Node,
        budget: &Budget,
    ) -> Result<Option<Interval<ElemOf<V::Lattice>>>, Stop> {
        let relaxation = self.image.relaxation;
        let bounds = |image: &Interval<ElemOf<R::Image>>| {
            let lower = relaxation.below(image.lower());
            Interval::new(lower, relaxation.above(image.upper()))
        };
        // Most nodes are known; setting up a search would cost more than this.
        if let Some(known) = self.store.get(node).1
            && known.exact().is_some()
        {
            return Ok(Some(bounds(&known)));
        }
        let outcome = self.outcome(node, budget);
        match outcome.stop {
            Some(stop) => Err(stop),
            None => Ok(Some(bounds(&outcome.value))),
        }
    }
}
