//! After Example 2.3 of Dasgupta, Chakrabarti, DeSarkar (1996): how often does a player who uses
//! her own preference at her inner nodes choose a worse move than the dominance algebra does?

use meetjoin::dominance::{Lexicographic, Player, VectorGame, Weighted, inner_preference};
use meetjoin::games::{Correlation, CriteriaParameters, CriteriaTree};
use meetjoin::lattice::Budget;

const TREES: u64 = 200;

/// Of so many trees, those with a worse move: by equal weights, and by the first criterion before
/// the others.
fn worse(criteria: u32, correlation: Correlation) -> [u64; 2] {
    let k = criteria as usize;
    let weighted = Weighted::new(Player::Max, k, vec![1; k]).expect("positive weights");
    let lexicographic = Lexicographic::new(Player::Max, k, &[1]).expect("a criterion");
    let mut worse = [0; 2];
    for seed in 0..TREES {
        let tree = CriteriaTree::new(CriteriaParameters {
            depth: 4,
            branching: 2,
            criteria,
            most: 9,
            correlation,
            alternating: true,
            seed,
        });
        let (graph, vectors) = tree.expect("it fits").into_parts(<[i64]>::to_vec);
        let game = VectorGame::new(graph, vectors).expect("vectors of one length");
        let budget = Budget::unlimited();
        let by_weight = inner_preference(&game, &game, &weighted, &budget);
        let by_first = inner_preference(&game, &game, &lexicographic, &budget);
        for (count, inner) in worse.iter_mut().zip([by_weight, by_first]) {
            let inner = inner.expect("no limit").expect("an inner root");
            *count += u64::from(inner.worse);
        }
    }
    worse
}

/// Rows: 2, 3, 4 criteria. Columns: correlated, independent, anti-correlated.
#[test]
fn ones_own_preference_at_inner_nodes_chooses_worse_moves() {
    let table = [2, 3, 4].map(|criteria| {
        [
            Correlation::Correlated,
            Correlation::Independent,
            Correlation::AntiCorrelated,
        ]
        .map(|correlation| worse(criteria, correlation))
    });
    let expected = [
        [[0, 0], [0, 0], [7, 1]],
        [[0, 0], [0, 0], [9, 0]],
        [[0, 0], [0, 0], [4, 0]],
    ];
    assert_eq!(table, expected);
}

#[test]
fn with_one_criterion_there_is_nothing_to_get_wrong() {
    assert_eq!(worse(1, Correlation::Independent), [0, 0]);
}
