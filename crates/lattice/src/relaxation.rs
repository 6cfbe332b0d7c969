//! Relaxations: lattice homomorphisms with their two adjoints, so that a cheap answer in one
//! lattice bounds an expensive one in another.
//!
//! Problem: computing in families of sets is expensive, computing in sets is cheap.
//!
//! Idea: a homomorphism f from L to M commutes with meet and join, so the value of a graph in M,
//! whose leaves are the images of the leaves, is the image of its value in L, at every node. If
//! f(v) is m, then v lies between the least element whose image is at least m and the greatest one
//! whose image is at most m. These two maps back are the adjoints of f.
//!
//! | from | to | by | above, below |
//! |---|---|---|---|
//! | families of sets | sets | the union ([`Unions`](crate::Unions)) | the greatest; the least, or something below it |
//! | families of sets | sets of k | which of k sets belong ([`Membership`](crate::Membership)) | something above the greatest; the least |
//!
//! The theory chapter has others, for sets, divisors and the free lattice.
//!
//! Invariant: `below(m) <= x <= above(m)` whenever `image_of(x) == m`;
//! [`crate::laws::check_relaxation`] tests it, and [`crate::laws::check_adjoints`] that the bounds
//! are the adjoints.
//!
//! Cost: as each relaxation says.
//!
//! Source: the adjoints of a map between lattices (residuated maps): Blyth, Janowitz (1972); bounds
//! from an abstraction of the values rather than of the graph: the theory chapter.

pub mod membership;
pub mod unions;

use crate::{ElemOf, Lattice, Stop};

/// A lattice homomorphism from `L`, with bounds on the elements that have a given image.
pub trait Relaxation<L: Lattice> {
    /// The lattice of the images.
    type Image: Lattice;

    /// The lattice of the images.
    fn image(&self) -> &Self::Image;

    /// The image of an element: commutes with meet and join.
    fn image_of(&self, element: &L::Elem) -> ElemOf<Self::Image>;

    /// The greatest element whose image is at most `image`, or an element above it.
    fn above(&self, image: &ElemOf<Self::Image>) -> L::Elem;

    /// The least element whose image is at least `image`, or an element below it.
    fn below(&self, image: &ElemOf<Self::Image>) -> L::Elem;
}

/// Unwraps the result of an operation under an unlimited budget.
fn unlimited<T>(result: Result<T, Stop>) -> T {
    result.unwrap_or_else(|stop| unreachable!("stopped without a limit: {stop}"))
}
