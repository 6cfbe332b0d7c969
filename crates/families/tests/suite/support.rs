//! What the tests of this crate share, in part with those of the searches.

pub mod blown_up;
#[path = "../../../search/tests/suite/support/family_game.rs"]
pub mod family_game;
#[path = "../../../search/tests/suite/support/game.rs"]
pub mod game;
#[path = "../../../search/tests/suite/support/graphs.rs"]
pub mod graphs;

use meetjoin_dag::{NodeId, Rows};
use meetjoin_lattice::Lattice;

pub use family_game::families;
pub use game::Game;

/// A tree in a line: `and([..])`, `or([..])` over leaves.
pub enum Tree<E> {
    Leaf(E),
    And(Vec<Tree<E>>),
    Or(Vec<Tree<E>>),
}

pub fn leaf<E>(value: E) -> Tree<E> {
    Tree::Leaf(value)
}

pub fn and<E>(children: impl IntoIterator<Item = Tree<E>>) -> Tree<E> {
    Tree::And(children.into_iter().collect())
}

pub fn or<E>(children: impl IntoIterator<Item = Tree<E>>) -> Tree<E> {
    Tree::Or(children.into_iter().collect())
}

/// The game of a tree, whose leaves are numbered from left to right.
pub fn game<L: Lattice>(lattice: L, tree: Tree<L::Elem>) -> Game<L> {
    fn add<E>(tree: Tree<E>, rows: &mut Rows, values: &mut Vec<E>) -> NodeId {
        let mut row = |children: Vec<Tree<E>>, rows: &mut Rows| -> Vec<NodeId> {
            let children = children.into_iter();
            children.map(|child| add(child, rows, values)).collect()
        };
        match tree {
            Tree::Leaf(value) => {
                values.push(value);
                rows.leaf()
            }
            Tree::And(children) => {
                let row = row(children, rows);
                rows.and(row)
            }
            Tree::Or(children) => {
                let row = row(children, rows);
                rows.or(row)
            }
        }
        .expect("small trees fit")
    }
    let (mut rows, mut values) = (Rows::new(), Vec::new());
    let root = add(tree, &mut rows, &mut values);
    Game {
        graph: rows.finish(root).expect("there is no cycle"),
        lattice,
        values,
        bounds: None,
    }
}
