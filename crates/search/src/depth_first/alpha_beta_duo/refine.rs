//! The refinement of the paper's experiments: on leaving a node, combine the intervals known of all
//! its children, visited or not.

use meetjoin_dag::{AndOrDag, Heuristic as _, Kind, Valuation};
use meetjoin_lattice::{ElemOf, Interval, Stop};

use super::frame::Local;
use crate::depth_first::driver::{Frame, Search};
use crate::{Observer as _, Store, Tools};

/// Tightens the bounds of a node by the intervals known of its children. `far` is the bound on the
/// other side from children that are not in the list.
pub(super) fn refine<D, V, T>(
    search: &mut Search<'_, D, V, T>,
    frame: &mut Frame<D::Node, Local<ElemOf<V::Lattice>>>,
    far: &mut ElemOf<V::Lattice>,
    children: &[D::Node],
) -> Result<(), Stop>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    T: Tools<D::Node, V::Lattice, Store: Store<D::Node, Interval<ElemOf<V::Lattice>>>>,
{
    let l = search.l;
    let is_and = frame.kind == Kind::And;
    let Local { lower, upper, .. } = &mut frame.local;
    let mut all_known = true;
    for child in children {
        l.budget.visit()?;
        search.observer.probe(child);
        let mut combine = |child_lower: &ElemOf<V::Lattice>, child_upper: &ElemOf<V::Lattice>| {
            if is_and {
                l.meet(upper, child_upper)?;
                l.meet(far, child_lower)
            } else {
                l.join(lower, child_lower)?;
                l.join(far, child_upper)
            }
        };
        if search.dag.kind(child) == Kind::Leaf {
            let value = search.valuation.leaf(child);
            combine(&value, &value)?;
        } else if let Some(known) = search.store.get(child).1 {
            combine(known.lower(), known.upper())?;
        } else if let Some(known) = search.heuristic.bounds(l.lattice, child, l.budget)? {
            combine(known.lower(), known.upper())?;
        } else {
            all_known = false;
        }
    }
    if !all_known {
        return Ok(());
    }
    if is_and {
        l.join(lower, far)
    } else {
        l.meet(upper, far)
    }
}
