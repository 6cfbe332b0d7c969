//! Checks the rules of a game: what a search takes for granted.
//!
//! A search does not validate children and values: a position without a move would be worth the
//! bottom or the top, and a value outside of the lattice makes results meaningless. So this is a
//! separate walk, for tests of rules.

use std::fmt::Debug;

use meetjoin_lattice::{Budget, Lattice as _, Stop};

use crate::cycles::walk;
use crate::{AndOrDag, Kind, Valuation};

/// Why the rules do not make a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError<N: Debug> {
    /// These positions lead to each other in this order, and the last to the first.
    #[error("the rules lead from a position back to itself: {0:?}")]
    Cycle(Vec<N>),
    /// An OR or AND node without children.
    #[error("{0:?} is no leaf, and nothing follows it")]
    NoChildren(N),
    /// The value of a leaf does not lie between bottom and top.
    #[error("the leaf {node:?} is worth {value}, which does not lie between {bottom} and {top}")]
    Value {
        /// The leaf.
        node: N,
        /// Its value, written by `Debug`, like the ends of the lattice below.
        value: String,
        /// The least element.
        bottom: String,
        /// The greatest element.
        top: String,
    },
    /// The budget ended the check early.
    #[error("{0}")]
    Stopped(#[from] Stop),
}

/// Checks everything that the root leads to: there is no cycle, only leaves have no children, and
/// the value of each leaf lies between bottom and top. Returns the number of positions.
///
/// For tests of a game's rules. It costs a clone and a table entry for each position, a step for
/// each move, and two comparisons for each leaf; each position counts as a visit.
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
/// The first violation, or why the budget ended the check.
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
