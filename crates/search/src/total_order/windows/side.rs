//! A node of a total order from its mover's view: the better values, the borders of its window, and
//! its best result so far.
//!
//! An OR node and an AND node are mirror images, so the code uses a node's *near* border, which its
//! own children move (alpha at OR, beta at AND), and its *far* border, where it is cut.

use std::cmp::Ordering;

use meetjoin_lattice::TotalOrder;

use crate::total_order::Border;

/// The order from the mover's view: better is greater at an OR node, less at an AND node.
pub(crate) struct Side<'l, L> {
    pub(crate) lattice: &'l L,
    pub(crate) is_and: bool,
}

impl<L: TotalOrder> Side<'_, L> {
    /// Returns whether `value` lies beyond `border`, from the mover's view.
    #[inline]
    pub(crate) fn passes(&self, border: &Border<L::Elem>, value: &L::Elem) -> bool {
        border.is_below(self.lattice, value) != self.is_and
    }

    /// Makes `border` the one that exactly the values better than `value` pass.
    #[inline]
    pub(crate) fn set_beyond(&self, border: &mut Border<L::Elem>, value: &L::Elem) {
        border.set(value, !self.is_and);
    }

    /// The border that `value` and all better values pass.
    #[inline]
    pub(crate) fn up_to(&self, value: &L::Elem) -> Border<L::Elem> {
        if self.is_and {
            Border::above(value.clone())
        } else {
            Border::below(value.clone())
        }
    }

    #[inline]
    fn order(&self, ordering: Ordering) -> Ordering {
        if self.is_and {
            ordering.reverse()
        } else {
            ordering
        }
    }

    /// Returns whether `a` is better than `b`.
    #[inline]
    pub(crate) fn is_better(&self, a: &L::Elem, b: &L::Elem) -> bool {
        self.order(self.lattice.compare(a, b)).is_gt()
    }

    /// Returns whether `a` is harder to pass than `b`.
    #[inline]
    pub(crate) fn is_further(&self, a: &Border<L::Elem>, b: &Border<L::Elem>) -> bool {
        self.order(a.compare(self.lattice, b)).is_gt()
    }
}

/// A window between two borders of a chain.
#[derive(Clone, Debug)]
pub(crate) struct Gap<E> {
    pub(crate) alpha: Border<E>,
    pub(crate) beta: Border<E>,
}

impl<E: Clone> Gap<E> {
    /// The null window at a border.
    pub(crate) fn null(border: &Border<E>) -> Self {
        Self {
            alpha: border.clone(),
            beta: border.clone(),
        }
    }

    /// The open window between two elements.
    pub(crate) fn open(alpha: E, beta: E) -> Self {
        Self {
            alpha: Border::above(alpha),
            beta: Border::below(beta),
        }
    }

    /// Returns whether these bounds of a node are all that the window needs.
    #[inline]
    pub(crate) fn is_settled_by<L>(&self, lattice: &L, lower: &E, upper: &E) -> bool
    where
        E: Eq,
        L: TotalOrder<Elem = E>,
    {
        let is_beyond = self.beta.is_below(lattice, lower);
        is_beyond || lower == upper || !self.alpha.is_below(lattice, upper)
    }

    /// The near and the far border.
    #[inline]
    pub(crate) fn sides<L>(&mut self, side: &Side<'_, L>) -> (&mut Border<E>, &mut Border<E>) {
        if side.is_and {
            (&mut self.beta, &mut self.alpha)
        } else {
            (&mut self.alpha, &mut self.beta)
        }
    }

    /// Makes both borders the one that exactly the values better than `value` pass.
    #[inline]
    pub(crate) fn set_null_beyond<L: TotalOrder<Elem = E>>(
        &mut self,
        side: &Side<'_, L>,
        value: &E,
    ) {
        side.set_beyond(&mut self.alpha, value);
        side.set_beyond(&mut self.beta, value);
    }
}

/// An open node as used by a plan.
pub(crate) struct Open<'a, E> {
    /// The initial near border of its window, or one from a bound of a heuristic or the cache.
    pub(crate) near: &'a Border<E>,
    /// The caller's border on the other side, where it is cut.
    pub(crate) far: &'a Border<E>,
    /// The best result of its children so far.
    pub(crate) best: Option<&'a E>,
}

impl<E: Clone> Open<'_, E> {
    /// Makes `border` the node's near border after its best result.
    #[inline]
    pub(crate) fn push<L: TotalOrder<Elem = E>>(&self, side: &Side<'_, L>, border: &mut Border<E>) {
        match self.best {
            Some(best) if side.passes(self.near, best) => side.set_beyond(border, best),
            _ => border.set_to(self.near),
        }
    }
}
