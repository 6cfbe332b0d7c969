//! Whether the rules of a game lead from a position back to itself.
//!
//! Problem: a graph that is generated on demand cannot be checked when it is made, and with a cycle
//! it has no value.
//!
//! Idea: a depth-first walk from the root with an explicit stack. A child on the current path
//! closes a cycle; a node that was left is on none.
//!
//! Cost: a clone and a table entry for each node, and one step for each edge.

use std::collections::HashMap;

use meetjoin_lattice::{Budget, Stop};

use crate::{AndOrDag, Kind};

/// A cycle of the graph, if there is one: each of its nodes once, in order; the last leads to the
/// first. For tests of a game's rules: it walks everything that can be reached, and each node
/// counts as a visit.
///
/// ```
/// use meetjoin_dag::{AndOrDag, Kind, find_cycle};
/// use meetjoin_lattice::Budget;
///
/// /// A token on a ring of four fields, which never comes to an end.
/// struct Ring;
///
/// impl AndOrDag for Ring {
///     type Node = u8;
///     fn root(&self) -> u8 {
///         0
///     }
///     fn kind(&self, _: &u8) -> Kind {
///         Kind::Or
///     }
///     fn children(&self, field: &u8, out: &mut Vec<u8>) {
///         out.push((field + 1) % 4);
///     }
/// }
///
/// assert_eq!(find_cycle(&Ring, &Budget::unlimited()), Ok(Some(vec![0, 1, 2, 3])));
/// ```
///
/// # Errors
/// Why the budget ended it.
pub fn find_cycle<D: AndOrDag>(dag: &D, budget: &Budget) -> Result<Option<Vec<D::Node>>, Stop> {
    walk(dag, budget, |_, _, _| Ok(()))
}

/// Finds a cycle, and calls `look` once for each node, with its kind and children, before its
/// descendants.
pub(crate) fn walk<D: AndOrDag, E: From<Stop>>(
    dag: &D,
    budget: &Budget,
    mut look: impl FnMut(&D::Node, Kind, &[D::Node]) -> Result<(), E>,
) -> Result<Option<Vec<D::Node>>, E> {
    // Each node met so far, with whether it is on the path.
    let mut is_open: HashMap<D::Node, bool> = HashMap::new();
    // The path: each node with the index at which its children begin in `children`. They are taken
    // from the end.
    let mut path: Vec<(D::Node, usize)> = Vec::new();
    let mut children = vec![dag.root()];
    loop {
        let first = path.last().map_or(0, |(_, first)| *first);
        if children.len() == first {
            let Some((node, _)) = path.pop() else {
                return Ok(None);
            };
            is_open.insert(node, false);
            continue;
        }
        let Some(node) = children.pop() else {
            return Ok(None);
        };
        match is_open.get(&node) {
            Some(false) => continue,
            Some(true) => {
                let nodes = path.into_iter().map(|(open, _)| open);
                return Ok(Some(nodes.skip_while(|open| *open != node).collect()));
            }
            None => {}
        }
        budget.visit()?;
        let (kind, first) = (dag.kind(&node), children.len());
        if kind != Kind::Leaf {
            dag.children(&node, &mut children);
        }
        look(&node, kind, &children[first..])?;
        is_open.insert(node.clone(), kind != Kind::Leaf);
        if kind != Kind::Leaf {
            children[first..].reverse();
            path.push((node, first));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph by its rows of children; a node without any is a leaf.
    struct Listed(&'static [&'static [usize]]);

    impl AndOrDag for Listed {
        type Node = usize;

        fn root(&self) -> usize {
            0
        }

        fn kind(&self, node: &usize) -> Kind {
            if self.0[*node].is_empty() {
                Kind::Leaf
            } else {
                Kind::And
            }
        }

        fn children(&self, node: &usize, out: &mut Vec<usize>) {
            out.extend_from_slice(self.0[*node]);
        }
    }

    fn cycle(rows: &'static [&'static [usize]]) -> Option<Vec<usize>> {
        find_cycle(&Listed(rows), &Budget::unlimited()).expect("there is no limit")
    }

    #[test]
    fn what_is_met_twice_is_no_cycle() {
        assert_eq!(cycle(&[&[]]), None);
        assert_eq!(cycle(&[&[1, 2, 1], &[3], &[1, 3], &[]]), None);
    }

    #[test]
    fn a_cycle_is_told_without_what_leads_to_it() {
        assert_eq!(cycle(&[&[0]]), Some(vec![0]));
        assert_eq!(
            cycle(&[&[3, 1], &[3, 2], &[4, 1], &[], &[3]]),
            Some(vec![1, 2])
        );
    }

    #[test]
    fn a_budget_ends_it() {
        let budget = Budget::visits_at_most(2);
        let found = find_cycle(&Listed(&[&[1], &[2], &[3], &[0]]), &budget);
        assert_eq!(found, Err(Stop::Visits));
    }
}
