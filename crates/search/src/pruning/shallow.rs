//! Ginsberg and Jaffray's shallow rule: a node is compared with its parent.
//!
//! Problem: pruning in a lattice that need not be distributive.
//!
//! Idea: what an AND node adds to its parent, an OR node with the value y, is y joined with its value. Once that value lies below y, the sum is
//! y whatever else the AND node has: absorption, which holds in every lattice. Nothing is said of nodes further up.
//!
//! Result: `y join f(n) = y join v(n)` for the child n of an OR node with the value y, and dually. So the value of an open node is exactly that of
//! its children done.
//!
//! Needs: any [`Lattice`].
//!
//! Cost: one comparison after each child.
//!
//! Source: Ginsberg and Jaffray (2002), as compared by Couwenberg (2011), part 3.

use meetjoin_dag::{AndOrDag, Valuation};
use meetjoin_lattice::{ElemOf, Lattice, Stop, Within};

use super::{Open, Rule, search};
use crate::{Env, Observer, Order, Outcome};

/// The value of the root with the shallow rule of Ginsberg and Jaffray (2002), in any lattice.
pub fn shallow<D, V, O, R>(
    dag: &D,
    valuation: &V,
    env: &mut Env<'_, (), (), O, R>,
) -> Outcome<ElemOf<V::Lattice>>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    O: Observer<D::Node, ElemOf<V::Lattice>>,
    R: Order<D::Node>,
{
    search(dag, valuation, Shallow, env)
}

struct Shallow;

impl<L: Lattice> Rule<L> for Shallow {
    type Inherited = ();

    fn nothing(&self, _: &L) {}

    fn inherit<N>(&self, _: Within<'_, L>, _: &Open<N, L, Self>, (): &mut ()) -> Result<(), Stop> {
        Ok(())
    }

    #[inline]
    fn cuts<N>(
        &self,
        l: Within<'_, L>,
        above: &[Open<N, L, Self>],
        node: &Open<N, L, Self>,
    ) -> Result<bool, Stop> {
        match above.last() {
            Some(parent) if parent.kind != node.kind => node.reaches(l, &parent.local.value),
            _ => Ok(false),
        }
    }
}
