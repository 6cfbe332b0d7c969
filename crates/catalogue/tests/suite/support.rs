//! What the tests of this crate share with those of the searches and of families.

#[path = "../../../families/tests/suite/support/blown_up.rs"]
pub mod blown_up;
#[path = "../../../search/tests/suite/support/family_game.rs"]
pub mod family_game;
#[path = "../../../search/tests/suite/support/game.rs"]
pub mod game;
#[path = "../../../search/tests/suite/support/graphs.rs"]
pub mod graphs;
#[path = "../../../search/tests/suite/support/large.rs"]
pub mod large;

use meetjoin_lattice::{Powerset, Words};

pub use family_game::families;
pub use game::Game;

/// Sets of at most 64 worlds.
pub type Sets = Powerset<Words<1>>;

pub fn sets(worlds: usize) -> Sets {
    Powerset::new(worlds).expect("small")
}
