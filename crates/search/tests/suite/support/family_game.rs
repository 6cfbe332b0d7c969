//! Games with values in families of sets.

use meetjoin_dag::Graph;
use meetjoin_lattice::{Budget, Families, Words, WorldSet};
use proptest::prelude::*;

use super::game::Game;

pub fn families(worlds: usize) -> Families<Words<1>> {
    Families::of_worlds(worlds).expect("small")
}

/// A family game: each leaf has the sets of a few words, whose bit i stands for world `i * apart`.
pub fn family_game<B: WorldSet>(
    graph: Graph,
    worlds: usize,
    apart: usize,
    words: &[Vec<u64>],
) -> Game<Families<B>> {
    let lattice = Families::of_worlds((worlds - 1) * apart + 1).expect("it fits");
    let budget = Budget::unlimited();
    let values = (0..graph.leaf_count()).map(|i| {
        let sets = words[i % words.len()].iter().map(|word| {
            let set = (0..worlds).filter(|w| word >> w & 1 == 1);
            lattice
                .base()
                .set(set.map(|w| w * apart))
                .expect("worlds exist")
        });
        lattice.generated_by(sets, &budget).expect("no limit")
    });
    Game {
        values: values.collect(),
        graph,
        bounds: None,
        lattice,
    }
}

/// Words for the leaves of such a game.
pub fn words(worlds: u32) -> impl Strategy<Value = Vec<Vec<u64>>> {
    prop::collection::vec(prop::collection::vec(0_u64..1 << worlds, 0..4), 1..9)
}
