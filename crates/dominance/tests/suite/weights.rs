//! Weighted sums: the value of the game in which only the sum counts, and weights that contradict
//! dominance.

use meetjoin_dominance::{
    Player, PreferenceError, Weighted, check_weights, guaranteed_sum, weighted_sum,
};

use crate::support::{Draw, Tree, Vectors, for_max, game, max, solve, v, x};

/// The definition: the minimax value of the sums.
fn value(tree: &Vectors, weights: &[i64]) -> i128 {
    let values = |children: &[Vectors]| -> Vec<i128> {
        children.iter().map(|child| value(child, weights)).collect()
    };
    let value = match tree {
        Tree::Leaf(vector) => return weighted_sum(weights, vector),
        Tree::Or(children) => values(children).into_iter().max(),
        Tree::And(children) => values(children).into_iter().min(),
    };
    value.expect("inner nodes have children")
}

#[test]
fn packets_have_the_value_of_the_game_in_which_only_the_sum_counts() {
    for seed in 0..1000 {
        let mut draw = Draw(seed);
        let tree = draw.tree(3, 4, seed % 3 != 0);
        let game = game(&tree);
        let packets = for_max(solve(&game));
        for weights in [[1, 1, 1], [4, 0, 1], [0, 0, 0]] {
            assert_eq!(check_weights(&game, &weights), Ok(()));
            let sum = guaranteed_sum(&packets, &weights);
            assert_eq!(sum, Some(value(&tree, &weights)), "{weights:?}: {tree:?}");
        }
    }
}

#[test]
fn weights_that_contradict_dominance_are_refused_with_two_outcomes() {
    let apart = game(&max([x(&[0, 5]), x(&[5, 0])]));
    let of_file = game(&max([x(&[0, 5]), x(&[1, 5])]));
    let said = |result: Result<(), PreferenceError>| result.expect_err("refused").to_string();
    let weighted =
        |player, game, weights: &[i64]| said(Weighted::of_game(player, game, weights).map(|_| ()));
    for (game, outcomes) in [(&apart, ["(0,0)", "(1,0)"]), (&of_file, ["(0,5)", "(1,5)"])] {
        let [low, high] = outcomes;
        assert_eq!(
            weighted(Player::Max, game, &[0, 1]),
            format!(
                "this preference is indifferent between {low} and {high}, though {high} dominates; weights must be positive"
            )
        );
        assert_eq!(
            weighted(Player::Min, game, &[-1, 1]),
            format!(
                "this preference prefers {high} to {low}, though {high} dominates, and MIN wants less; weights must be positive"
            )
        );
        assert_eq!(
            said(check_weights(game, &[-1, 1])),
            format!(
                "this sum puts {low} above {high}, though {high} dominates; weights must not be negative"
            )
        );
    }
    let count = PreferenceError::Count {
        criteria: 2,
        weights: 3,
    };
    assert_eq!(check_weights(&apart, &[1, 1, 1]), Err(count.clone()));
    let weighted = |weights: &[i64]| Weighted::of_game(Player::Max, &apart, weights);
    assert_eq!(weighted(&[-1, 1, 1]), Err(count));
    assert_eq!(weighted(&[1 << 32, 1]), Err(PreferenceError::LargeWeight));
    assert_eq!(weighted(&[2, 1]), Weighted::new(Player::Max, 2, [2, 1]));
}

#[test]
fn sums_do_not_overflow() {
    let extreme = [i64::MIN; 4];
    assert_eq!(weighted_sum(&extreme, &extreme), i128::MAX);
    assert_eq!(weighted_sum(&[u32::MAX; 2], &v(&[i64::MAX; 2])), {
        2 * i128::from(u32::MAX) * i128::from(i64::MAX)
    });
}
