//! Games in families of sets of very many worlds.

use meetjoin_dag::Graph;
use meetjoin_lattice::{Budget, Families, FixedBitSet};

use super::game::Game;

/// Each of a few worlds as many: the sets of words, blown up, so that all is as it was but for the
/// number of worlds.
pub fn blown_up(
    graph: Graph,
    worlds: usize,
    by: usize,
    words: &[Vec<u64>],
) -> Game<Families<FixedBitSet>> {
    let lattice = Families::of_worlds(worlds * by).expect("it fits");
    let budget = Budget::unlimited();
    let values = (0..graph.leaf_count()).map(|i| {
        let sets = words[i % words.len()].iter().map(|word| {
            let set = (0..worlds * by).filter(|w| word >> (w / by) & 1 == 1);
            lattice.base().set(set).expect("worlds exist")
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
