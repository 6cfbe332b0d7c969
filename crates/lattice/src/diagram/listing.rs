//! A diagram as a list of nodes, for passes over all of it.
//!
//! Idea: counts, probabilities and best sets are one pass from the leaves up, or from the root
//! down. A list with children before parents makes each of them a loop over a vector, for both
//! kinds of diagrams alike.

use super::nodes::{Level, Nodes};
use crate::{Budget, Stop};

/// A node of a [`Listing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The variable that the node tests.
    pub level: Level,
    /// The place of the child if it is true: 0 and 1 are the leaves, and place `i + 2` is the node
    /// `i` of the list.
    pub high: u32,
    /// The place of the child if it is false.
    pub low: u32,
}

/// The nodes of a diagram, children before parents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The nodes without the leaves.
    pub nodes: Vec<Listed>,
    /// The places of the roots.
    pub roots: Vec<u32>,
}

impl Listing {
    pub(super) fn of(nodes: &Nodes, roots: &[u32], budget: &Budget) -> Result<Self, Stop> {
        let order = nodes.upwards(roots, budget)?;
        budget
            .room((nodes.places() * size_of::<u32>() + order.len() * size_of::<Listed>()) as u64)?;
        let mut places = vec![0, 1];
        places.resize(nodes.places(), 0);
        let mut listed = Vec::with_capacity(order.len());
        for id in order {
            let node = nodes.get(id);
            listed.push(Listed {
                level: node.level,
                high: places[node.high as usize],
                low: places[node.low as usize],
            });
            places[id as usize] = listed.len() as u32 + 1;
        }
        Ok(Self {
            nodes: listed,
            roots: roots.iter().map(|&root| places[root as usize]).collect(),
        })
    }

    /// Computes a value for each place from the leaves up: `node` gets those of the children.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn upwards<T>(
        &self,
        zero: T,
        one: T,
        mut node: impl FnMut(Level, &T, &T) -> T,
        budget: &Budget,
    ) -> Result<Vec<T>, Stop> {
        budget.room(((self.nodes.len() + 2) * size_of::<T>()) as u64)?;
        let mut values = Vec::with_capacity(self.nodes.len() + 2);
        values.extend([zero, one]);
        for Listed { level, high, low } in &self.nodes {
            budget.steps(1)?;
            values.push(node(
                *level,
                &values[*high as usize],
                &values[*low as usize],
            ));
        }
        Ok(values)
    }
}
