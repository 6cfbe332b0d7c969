//! Finds elements above a given one in a large antichain, without comparing it with all of them.
//!
//! Problem: joining two antichains of n elements asks of each whether the other has something above
//! it. All pairs are too many, and an antichain of arbitrary elements cannot be sorted in a way
//! that answers the question.
//!
//! Idea: an element above x casts a shadow above that of x in every coordinate ([`Poset::shadow`]).
//! Shadows are points, and points have a k-d tree: split at the median of the coordinate that
//! varies most, and keep for each part the greatest value of each coordinate, its upper corner. A
//! part whose corner is not above the shadow of x is skipped.
//!
//! One shadow says little of a packet, an antichain itself. But a packet above P has each of its
//! outcomes above one of P. So a packet is indexed under its first outcome, and the search starts
//! from each outcome of P ([`Poset::place`], [`Poset::reach`]).
//!
//! Cost: building takes n log n. A query takes about log n steps if shadows distinguish elements
//! (vectors of up to four components); it finds candidates, each of which is compared. Packets with
//! outcomes in common, and dimensions beyond four, leave more candidates. Without shadows every
//! query compares with everything, as it would without the tree.
//!
//! Invariant: the tree depends on the list alone and ties are broken by position, so step limits
//! fire at the same point on every machine.
//!
//! Needs: a [`Poset`].
//!
//! Source: Bentley (1975), multidimensional binary search trees; maxima of points by sorting: Kung,
//! Luccio, Preparata (1975).

use crate::{Budget, Place, Poset, Stop};

/// Parts of this size or smaller are not split. It need not be a power of two.
const BUCKET: usize = 8;
/// Up to this many elements or queries, a plain scan is faster than a tree
/// (`benches/antichains.rs`).
pub(crate) const FEW: usize = 64;

/// A list of elements indexed for queries. See the [module page](self).
pub(crate) struct Finder<'a, P: Poset> {
    poset: &'a P,
    elements: &'a [P::Elem],
    tree: Option<Tree>,
}

impl<'a, P: Poset> Finder<'a, P> {
    /// Prepares the index for about `queries` queries.
    pub(crate) fn new(
        poset: &'a P,
        elements: &'a [P::Elem],
        queries: usize,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let tree = if poset.has_shadows() && elements.len() > FEW && queries > FEW {
            Some(Tree::new(poset, elements, budget)?)
        } else {
            None
        };
        Ok(Self {
            poset,
            elements,
            tree,
        })
    }

    /// Returns whether queries are cheap.
    pub(crate) fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// Returns whether some element of the list lies above `x`.
    #[inline]
    pub(crate) fn some_above(&self, x: &P::Elem, budget: &Budget) -> Result<bool, Stop> {
        self.some_above_among(x, |_| true, budget)
    }

    /// Returns whether some element at one of these places of the list lies above `x`.
    #[inline]
    pub(crate) fn some_above_among(
        &self,
        x: &P::Elem,
        among: impl Fn(usize) -> bool,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        if let Some(tree) = &self.tree {
            return tree.any_above(&self.poset.reach(x), budget, |i| {
                Ok(among(i) && self.poset.below(x, &self.elements[i], budget)?)
            });
        }
        budget.steps(self.elements.len() as u64)?;
        for (i, y) in self.elements.iter().enumerate() {
            if among(i) && self.poset.below(x, y, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The k-d tree: elements in tree order, and for each part its upper corner.
struct Tree {
    /// The place of each element, and its number in the list.
    points: Vec<(Place, u32)>,
    /// Upper corners, as a binary heap: part i is split into 2 i and 2 i + 1, and 1 is the whole.
    corners: Vec<Place>,
}

fn some_below(reach: &[Place], corner: &Place) -> bool {
    let below = |place: &Place| place.iter().zip(corner).all(|(p, c)| p <= c);
    reach.iter().any(below)
}

impl Tree {
    fn new<P: Poset>(poset: &P, elements: &[P::Elem], budget: &Budget) -> Result<Self, Stop> {
        let n = elements.len();
        budget.room((n * size_of::<(Place, u32)>()) as u64)?;
        let mut points = Vec::with_capacity(n);
        for (i, element) in (0..).zip(elements) {
            budget.steps(1)?;
            points.push((poset.place(element), i));
        }
        let mut corners = vec![Place::default(); 2 * n.div_ceil(BUCKET).next_power_of_two()];
        let mut open = vec![(1, 0, n)];
        while let Some((part, from, to)) = open.pop() {
            let points = &mut points[from..to];
            budget.steps(points.len() as u64)?;
            let (mut low, mut high) = ([i64::MAX; 8], [i64::MIN; 8]);
            for (place, _) in &*points {
                for k in 0..place.len() {
                    low[k] = low[k].min(place[k]);
                    high[k] = high[k].max(place[k]);
                }
            }
            corners[part] = high;
            if points.len() <= BUCKET {
                points.sort_unstable_by_key(|&(_, i)| i);
                continue;
            }
            let widest = (0..low.len())
                .rev()
                .max_by_key(|&k| high[k].abs_diff(low[k]))
                .unwrap_or_default();
            let half = points.len() / 2;
            points.select_nth_unstable_by_key(half, |(place, i)| (place[widest], *i));
            open.push((2 * part, from, from + half));
            open.push((2 * part + 1, from + half, to));
        }
        Ok(Self { points, corners })
    }

    /// Returns whether `accept` takes some element whose place is above one of these.
    fn any_above(
        &self,
        reach: &[Place],
        budget: &Budget,
        mut accept: impl FnMut(usize) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        let mut open = smallvec::SmallVec::<[(usize, usize, usize); 32]>::new();
        open.push((1, 0, self.points.len()));
        while let Some((part, from, to)) = open.pop() {
            budget.steps(1)?;
            if !some_below(reach, &self.corners[part]) {
                continue;
            }
            if to - from > BUCKET {
                let middle = from + (to - from) / 2;
                open.push((2 * part, from, middle));
                open.push((2 * part + 1, middle, to));
                continue;
            }
            for (place, i) in &self.points[from..to] {
                if some_below(reach, place) {
                    budget.steps(1)?;
                    if accept(*i as usize)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
