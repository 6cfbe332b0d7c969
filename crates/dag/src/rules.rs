//! Whether the rules of a game make one: what a search takes for granted, looked at beforehand.
//!
//! A search asks for children and for values where it needs them, and it does not look at each a
//! second time: a position without a move would be worth the bottom or the top, and a value outside
//! of the lattice whatever comes of it. So this is a walk of its own, for tests of rules.

use std::fmt::Debug;

use meetjoin_lattice::{Budget, Lattice as _, Stop};

use crate::cycles::walk;
use crate::{AndOrDag, Kind, Valuation};

/// Why the rules of a game make none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError<N: Debug> {
    /// The positions lead to each other in this order, and the last to the first.
    #[error("the rules lead from a position back to itself: {0:?}")]
    Cycle(Vec<N>),
    /// It is an OR or an AND node, and no move leads on.
    #[error("{0:?} is no leaf, and nothing follows it")]
    NoChildren(N),
    /// The value of a leaf does not lie between bottom and top.
    #[error("the leaf {node:?} is worth {value}, which does not lie between {bottom} and {top}")]
    Value {
        /// The leaf.
        node: N,
        /// What it is worth, as `Debug` writes it; so are the ends of the lattice.
        value: String,
        /// The least element.
        bottom: String,
        /// The greatest element.
        top: String,
    },
    /// The budget ended it before all was seen.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

/// Looks at all that the root leads to: no line of play comes back, only leaves have no children,
/// and each leaf is worth something between bottom and top, as each element of a lattice is. The
/// number of positions.
///
/// For tests of a game's rules. It costs a clone and an entry in a table for each position, a look
/// at each move, and two comparisons for each leaf; a position counts as a visit.
///
/// ```
/// use meetjoin_dag::{AndOrDag, Kind, RulesError, Valuation, check_rules};
/// use meetjoin_lattice::{Budget, Chain};
///
/// /// One move, and then as many points as it says.
/// struct Points(Chain<i32>, [i32; 2]);
///
/// impl AndOrDag for Points {
///     type Node = usize;
///     fn root(&self) -> usize {
///         2
///     }
///     fn kind(&self, node: &usize) -> Kind {
///         if *node == 2 { Kind::Or } else { Kind::Leaf }
///     }
///     fn children(&self, _: &usize, out: &mut Vec<usize>) {
///         out.extend([0, 1]);
///     }
/// }
///
/// impl Valuation<usize> for Points {
///     type Lattice = Chain<i32>;
///     fn lattice(&self) -> &Chain<i32> {
///         &self.0
///     }
///     fn leaf(&self, node: &usize) -> i32 {
///         self.1[*node]
///     }
/// }
///
/// let (chain, free) = (Chain::new(0, 10).ok_or("0 is above 10")?, Budget::unlimited());
/// assert_eq!(check_rules(&Points(chain.clone(), [3, 10]), &free), Ok(3));
/// let wrong = check_rules(&Points(chain, [3, 11]), &free);
/// assert!(matches!(wrong, Err(RulesError::Value { node: 1, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first position that is wrong, or why the budget ended it.
pub fn check_rules<G>(game: &G, budget: &Budget) -> Result<u64, RulesError<G::Node>>
where
    G: AndOrDag + Valuation<<G as AndOrDag>::Node>,
{
    let lattice = game.lattice();
    let (bottom, top) = (lattice.bottom(), lattice.top());
    let mut positions = 0;
    let cycle = walk(game, budget, |node, kind, children| {
        positions += 1;
        if kind != Kind::Leaf {
            return if children.is_empty() {
                Err(RulesError::NoChildren(node.clone()))
            } else {
                Ok(())
            };
        }
        let value = game.leaf(node);
        if lattice.leq(&bottom, &value, budget)? && lattice.leq(&value, &top, budget)? {
            return Ok(());
        }
        Err(RulesError::Value {
            node: node.clone(),
            value: format!("{value:?}"),
            bottom: format!("{bottom:?}"),
            top: format!("{top:?}"),
        })
    })?;
    match cycle {
        None => Ok(positions),
        Some(cycle) => Err(RulesError::Cycle(cycle)),
    }
}
