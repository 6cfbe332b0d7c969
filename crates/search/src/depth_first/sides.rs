//! Bounds of an open node with unfinished children, when a search is stopped.

use meetjoin_dag::Kind;
use meetjoin_lattice::{Lattice, Within};

use crate::depth_first::driver::Bounds;

/// Bounds of an open node from the value of finished children and the known bounds of the others,
/// collected child by child.
///
/// The *near* side is the lower bound of an OR node and the upper bound of an AND node: each known
/// child tightens it, and an operation that stops half way leaves it weaker, but true. The *far*
/// side is valid only if every child is known.
pub struct Sides<'a, L: Lattice> {
    pub(crate) l: Within<'a, L>,
    pub(crate) is_and: bool,
    pub(crate) near: L::Elem,
    /// `None` once a child is unknown, or an operation was stopped.
    pub(crate) far: Option<L::Elem>,
}

impl<'a, L: Lattice> Sides<'a, L> {
    /// Bounds of a node whose finished children are worth `value` together, given the bounds known
    /// of the other children.
    pub fn gather(
        l: Within<'a, L>,
        kind: Kind,
        value: &L::Elem,
        below: Option<&Bounds<L::Elem>>,
        rest: impl Iterator<Item = Option<Bounds<L::Elem>>>,
    ) -> Bounds<L::Elem> {
        let mut sides = Self {
            l,
            is_and: kind == Kind::And,
            near: value.clone(),
            far: Some(value.clone()),
        };
        sides.add(below, rest);
        sides.bounds()
    }

    /// Adds the child in progress, and the children that have not returned.
    pub(crate) fn add(
        &mut self,
        below: Option<&Bounds<L::Elem>>,
        rest: impl Iterator<Item = Option<Bounds<L::Elem>>>,
    ) {
        if let Some((lower, upper)) = below {
            self.known(lower, upper);
        }
        for child in rest {
            match child {
                Some((lower, upper)) => self.known(&lower, &upper),
                None => self.far = None,
            }
        }
    }

    /// The lower and upper bound from everything added.
    pub(crate) fn bounds(self) -> Bounds<L::Elem> {
        let Self {
            l,
            is_and,
            near,
            far,
        } = self;
        if is_and {
            (far.unwrap_or_else(|| l.bottom()), near)
        } else {
            (near, far.unwrap_or_else(|| l.top()))
        }
    }

    /// Adds a child with these bounds.
    fn known(&mut self, lower: &L::Elem, upper: &L::Elem) {
        let (l, is_and) = (self.l, self.is_and);
        let combine = |a: &mut _, b: &_| if is_and { l.meet(a, b) } else { l.join(a, b) };
        let (near, far) = if is_and {
            (upper, lower)
        } else {
            (lower, upper)
        };
        let _ = combine(&mut self.near, near);
        if let Some(all) = &mut self.far
            && combine(all, far).is_err()
        {
            self.far = None;
        }
    }
}
