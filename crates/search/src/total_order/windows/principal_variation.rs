//! The principal variation: a line of play that is best for both.
//!
//! Problem: the cache of a search with null windows may not contain the best line: the last entry
//! of a node may come from a trial.
//!
//! Idea: once the value of the root is known, a child is on a best line exactly if it has that
//! value. It cannot be better for the mover, so one TEST decides: is the child at least as good?
//! With the cache of the search, most of these questions are answered at once.
//!
//! Cost: at most one TEST for each child of each node of the line.
//!
//! Source: critical paths, Pijls and de Bruin, section 1.

use meetjoin_dag::{AndOrDag, Kind, Rooted, Valuation};
use meetjoin_lattice::{ElemOf, Interval, Stop, TotalOrder};

use super::side::Side;
use super::test::side_of;
use crate::{Order, Store, Tools};

/// A line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<N> {
    /// From the root on.
    pub nodes: Vec<N>,
    /// The limit that ended it before a leaf.
    pub stop: Option<Stop>,
}

/// The nodes from the root to a leaf, each worth `value`, which must be the value of the root. Of
/// several such children the first is taken.
///
/// With any other value the line is meaningless.
pub fn principal_variation<D, V, T>(
    dag: &D,
    valuation: &V,
    value: &ElemOf<V::Lattice>,
    env: &mut T,
) -> Line<D::Node>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let mut node = dag.root();
    let mut line = Line {
        nodes: vec![node.clone()],
        stop: None,
    };
    let mut children = Vec::new();
    loop {
        let kind = dag.kind(&node);
        if kind == Kind::Leaf {
            return line;
        }
        let side = Side {
            lattice: valuation.lattice(),
            is_and: kind == Kind::And,
        };
        let border = side.up_to(value);
        children.clear();
        dag.children(&node, &mut children);
        env.lend().order.arrange(&node, kind, &mut children);
        let mut next = None;
        for child in children.drain(..) {
            let from_here = Rooted { dag, root: child };
            let (found, stop) = side_of(&from_here, valuation, &border, env);
            let nearest = if side.is_and {
                found.upper()
            } else {
                found.lower()
            };
            if side.passes(&border, nearest) {
                next = Some(from_here.root);
                break;
            }
            if stop.is_some() {
                return Line { stop, ..line };
            }
        }
        let Some(child) = next else { return line };
        line.nodes.push(child.clone());
        node = child;
    }
}
