//! An observer of a search for families, in searches over other lattices.
//!
//! Problem: most visits are made over sets or machine words, and who observes the search for
//! families expects values of families.
//!
//! Idea: these searches are of the same graph, so nodes are forwarded, and no values.

use std::marker::PhantomData;

use meetjoin_search::Observer;

/// Adapts an observer of values `E` to a search in another lattice over the same nodes.
pub(crate) struct Nodes<O, E> {
    observer: O,
    for_bounds: bool,
    values: PhantomData<fn(&E)>,
}

impl<O, E> Nodes<O, E> {
    pub(crate) fn new(observer: O) -> Self {
        Self {
            observer,
            for_bounds: false,
            values: PhantomData,
        }
    }

    /// Adapts an observer to searches for bounds: visits are forwarded as relaxed visits, probes as
    /// probes.
    pub(crate) fn for_bounds(observer: O) -> Self {
        Self {
            for_bounds: true,
            ..Self::new(observer)
        }
    }
}

impl<N, E, F, O: Observer<N, E>> Observer<N, F> for Nodes<O, E> {
    #[inline]
    fn enter(&mut self, node: &N, _: Option<(&F, &F)>) {
        if self.for_bounds {
            self.observer.enter_relaxed(node);
        } else {
            self.observer.enter(node, None);
        }
    }

    #[inline]
    fn leaf(&mut self, node: &N) {
        if !self.for_bounds {
            self.observer.leaf(node);
        }
    }

    #[inline]
    fn cache_hit(&mut self, node: &N) {
        if !self.for_bounds {
            self.observer.cache_hit(node);
        }
    }

    #[inline]
    fn probe(&mut self, child: &N) {
        self.observer.probe(child);
    }

    #[inline]
    fn cutoff(&mut self, node: &N, skipped: usize) {
        if !self.for_bounds {
            self.observer.cutoff(node, skipped);
        }
    }
}
