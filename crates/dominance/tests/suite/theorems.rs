//! Theorem 2.7, Definition 2.4, preferences, and choosing a move.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use meetjoin_dominance::{
    Algebra, Favouring, Lexicographic, Player, Preference, PreferenceError, RootPackets, Weighted,
    choose, choose_move, compare_packets, contradiction, inner_preference, known_preferences,
    root_packets,
};

use crate::support::{
    Draw, Expr, ORDER, Tree, Vector, Vectors, expression, for_max, free, game, leq, max, min,
    normal_form, packet, solve, v, x,
};

/// All outcomes of two criteria that the random trees can have.
fn grid() -> Vec<Vector> {
    (0..=3)
        .flat_map(|a| (0..=3).map(move |b| v(&[a, b])))
        .collect()
}

fn check_theorem_2_7(value: &Expr) {
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    for (place, favourite) in value.packets().iter().enumerate() {
        let preference = Favouring::new(algebra, value, place, grid()).expect("no limit");
        let preference = preference.expect("there is such a packet");
        let choice = choose(&preference, value).expect("there are packets");
        assert_eq!(choice.packet, favourite, "{value:?}");
        assert!(choice.tied.is_empty(), "{value:?}");
        let grid = grid();
        let against = contradiction(algebra, value.player(), &preference, &grid);
        assert_eq!(against, Ok(None), "{value:?}");
    }
    let none = Favouring::new(algebra, value, value.packets().len(), []);
    assert_eq!(none, Ok(None));
}

#[test]
fn theorem_2_7_every_packet_is_somebodys_choice() {
    let mut packets = 0;
    for seed in 0..2000 {
        let value = solve(&game(&Draw(seed).tree(2, 5, seed % 2 == 0)));
        packets += value.packets().len();
        check_theorem_2_7(&value);
    }
    assert!(packets > 2500, "{packets}");
}

/// The sets of leaves that remain possible under each strategy of MAX.
pub fn strategies(tree: &Vectors) -> Vec<BTreeSet<Vec<i64>>> {
    match tree {
        Tree::Leaf(x) => vec![BTreeSet::from([x.clone()])],
        Tree::Or(children) => children.iter().flat_map(strategies).collect(),
        Tree::And(children) => children.iter().fold(vec![BTreeSet::new()], |all, child| {
            let below = strategies(child);
            let pairs = all
                .iter()
                .flat_map(|a| below.iter().map(move |b| a.union(b).cloned().collect()));
            pairs.collect()
        }),
    }
}

fn leaves(tree: &Vectors, out: &mut BTreeSet<Vec<i64>>) {
    match tree {
        Tree::Leaf(x) => {
            out.insert(x.clone());
        }
        Tree::And(children) | Tree::Or(children) => {
            for child in children {
                leaves(child, out);
            }
        }
    }
}

/// Definition 2.4: (1) some strategy guarantees the packet. (2) Every outcome of it is reached
/// against some strategy of the opponent: by the same strategy of MAX for the packets that remain
/// in the normal form, by some strategy for all others.
#[test]
fn definition_2_4_packets_are_guaranteed_and_reached() {
    let mut checked = 0;
    for seed in 0..3000 {
        let tree = Draw(seed).tree(2, 4, seed % 2 == 0);
        let strategies = strategies(&tree);
        if strategies.len() > 2000 {
            continue;
        }
        let value = for_max(solve(&game(&tree)));
        let normal = normal_form(&value);
        let mut possible = BTreeSet::new();
        leaves(&tree, &mut possible);
        for packet in value.packets() {
            let outcomes = packet.outcomes();
            let guarantees = |reached: &&BTreeSet<Vec<i64>>| {
                let at_least = |r: &Vec<i64>| outcomes.iter().any(|x| leq(x, &v(r)));
                reached.iter().all(at_least)
            };
            let mut good = strategies.iter().filter(guarantees).peekable();
            assert!(good.peek().is_some(), "{tree:?}: {packet:?}");
            let reaches =
                |reached: &BTreeSet<Vec<i64>>| outcomes.iter().all(|x| reached.contains(&**x));
            if normal.contains(packet) {
                assert!(good.any(reaches), "{tree:?}: {packet:?}");
                checked += 1;
            }
            assert!(outcomes.iter().all(|x| possible.contains(&**x)));
        }
    }
    assert!(checked > 3000, "{checked}");
}

#[test]
fn compare_looks_at_the_worst_outcome_first() {
    // The example after the procedure: (5,7) over (11,5) over (13,3).
    let rank = |x: &Vector| [13, 11, 5].iter().position(|first| *first == x[0]);
    let preference = |a: &Vector, b: &Vector| rank(a).cmp(&rank(b));
    let compare = |a: &[&[i64]], b: &[&[i64]]| {
        compare_packets(
            &preference,
            &packet(Player::Max, a),
            &packet(Player::Max, b),
        )
    };
    let (low, middle, high): (&[i64], &[i64], &[i64]) = (&[13, 3], &[11, 5], &[5, 7]);
    assert_eq!(compare(&[low, high], &[low, middle]), Ordering::Greater);
    assert_eq!(compare(&[low, high], &[low]), Ordering::Greater);
    assert_eq!(compare(&[low], &[low, high]), Ordering::Less);
    assert_eq!(compare(&[], &[low]), Ordering::Less);
    assert_eq!(compare(&[], &[]), Ordering::Equal);
    assert_eq!(compare(&[high], &[low, high]), Ordering::Greater);
}

#[test]
fn a_preference_without_order_still_ends() {
    let nonsense = |_: &Vector, _: &Vector| Ordering::Less;
    let f = expression(Player::Max, &[&[&[0, 3], &[1, 1]], &[&[0, 2], &[2, 0]]]);
    assert!(choose(&nonsense, &f).is_some());
}

#[test]
fn preferences_of_either_player_respect_dominance() {
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    for player in [Player::Max, Player::Min] {
        let weighted = Weighted::new(player, 2, [1, 3]).expect("positive weights");
        assert_eq!(contradiction(algebra, player, &weighted, &grid()), Ok(None));
        let first = Lexicographic::new(player, 2, &[2]).expect("a criterion");
        assert_eq!(contradiction(algebra, player, &first, &grid()), Ok(None));
        let outcomes = grid();
        let other = contradiction(algebra, player.opponent(), &first, &outcomes);
        assert!(other.expect("no limit").is_some());
    }
    let second_only = |a: &Vector, b: &Vector| a[1].cmp(&b[1]);
    let (better, worse) = (v(&[1, 0]), v(&[0, 0]));
    let outcomes = [worse.clone(), better.clone()];
    assert_eq!(
        contradiction(algebra, Player::Max, &second_only, &outcomes),
        Ok(Some((&better, &worse)))
    );
}

#[test]
fn preferences_that_make_no_sense_are_refused() {
    let weighted = |criteria, weights: &[u32]| Weighted::new(Player::Max, criteria, weights).err();
    assert_eq!(weighted(2, &[]), Some(PreferenceError::Empty));
    let zero = PreferenceError::ZeroWeight { criterion: 2 };
    assert_eq!(weighted(2, &[1, 0]), Some(zero));
    let count = PreferenceError::Count {
        criteria: 3,
        weights: 2,
    };
    assert_eq!(weighted(3, &[1, 1]), Some(count));
    let first = |first: &[usize]| Lexicographic::new(Player::Max, 2, first).err();
    assert_eq!(first(&[]), Some(PreferenceError::Empty));
    assert_eq!(
        first(&[2, 2]),
        Some(PreferenceError::Twice { criterion: 2 })
    );
    for criterion in [0, 3] {
        let none = PreferenceError::NoCriterion {
            criterion,
            criteria: 2,
        };
        assert_eq!(first(&[criterion]), Some(none));
    }
}

#[test]
fn extreme_numbers_do_not_overflow() {
    let weighted = Weighted::new(Player::Max, 3, [u32::MAX; 3]).expect("positive weights");
    let (low, high) = (v(&[i64::MIN; 3]), v(&[i64::MAX; 3]));
    assert_eq!(weighted.compare(&low, &high), Ordering::Less);
}

#[test]
fn a_move_is_chosen_with_its_packet() {
    // Figure 5: the root's packets are {(11,5),(5,9)} by the first move and {(8,7)} by the second.
    let game = game(&max([
        min([x(&[11, 5]), x(&[5, 9])]),
        min([x(&[8, 7]), x(&[8, 8])]),
        x(&[8, 7]),
    ]));
    let root = root_packets(&game, &game, &free());
    let first = Lexicographic::new(Player::Max, 2, &[1]).expect("a criterion");
    let choice = choose_move(&first, &root).expect("packets of the moves");
    let choice = choice.expect("there are moves");
    assert_eq!((choice.r#move, choice.tied_moves.as_slice()), (1, &[2][..]));
    assert_eq!(choice.packet, &packet(Player::Max, &[&[8, 7]]));
    assert!(choice.tied_packets.is_empty());
    let packets = root.packets.as_ref().expect("no limit");
    let budget = free();
    let favourite = Favouring::new(Algebra::new(&ORDER, &budget), packets, 0, []);
    let favourite = favourite.expect("no limit").expect("a packet");
    let choice = choose_move(&favourite, &root).expect("packets of the moves");
    let choice = choice.expect("there are moves");
    assert_eq!((choice.r#move, choice.tied_moves.len()), (0, 0));
}

/// A move whose packet is inferior can be worth as much to one who looks at less. Tied moves are
/// all whose best packet is as good as the chosen one, and no others.
#[test]
fn moves_that_are_as_good_are_tied() {
    let game = game(&max([
        x(&[0, 2]),
        x(&[2, 0]),
        min([x(&[0, 2]), x(&[2, 0])]),
        x(&[0, 1]),
    ]));
    let root = root_packets(&game, &game, &free());
    let sum = Weighted::new(Player::Max, 2, [1, 1]).expect("positive weights");
    let choice = choose_move(&sum, &root).expect("packets of the moves");
    let choice = choice.expect("there are moves");
    assert_eq!((choice.r#move, &*choice.tied_moves), (0, &[1, 2][..]));
    let mut more = 0;
    for seed in 0..500 {
        let game = self::game(&Draw(seed).tree(2, 4, true));
        let root = root_packets(&game, &game, &free());
        if root.player == Player::Min {
            continue;
        }
        let Some(choice) = choose_move(&sum, &root).expect("packets of the moves") else {
            continue;
        };
        let worth = |place: usize| {
            let packets = root.moves[place].packets.as_ref().expect("no limit");
            let best = choose(&sum, packets).expect("a packet");
            compare_packets(&sum, best.packet, choice.packet)
        };
        for place in 0..root.moves.len() {
            let is_tied = place == choice.r#move || choice.tied_moves.contains(&place);
            assert_eq!(worth(place).is_eq(), is_tied, "move {place} of seed {seed}");
            more += usize::from(is_tied && root.moves_with(choice.packet).len() == 1);
        }
    }
    assert!(more > 100, "{more}");
}

#[test]
fn with_both_preferences_known_it_is_backward_induction() {
    fn solve(tree: &Vectors, weights: [i64; 2]) -> Vec<i64> {
        let sum = |x: &Vec<i64>| x[0] * weights[0] + x[1] * weights[1];
        match tree {
            Tree::Leaf(x) => x.clone(),
            Tree::Or(children) => {
                let values = children.iter().map(|c| solve(c, weights));
                values
                    .min_by_key(|x| (-sum(x), x.clone()))
                    .expect("a child")
            }
            Tree::And(children) => {
                // MIN weighs the other way round.
                let sum = |x: &Vec<i64>| x[0] * weights[1] + x[1] * weights[0];
                let values = children.iter().map(|c| solve(c, weights));
                values.min_by_key(|x| (sum(x), x.clone())).expect("a child")
            }
        }
    }
    let of_max = Weighted::new(Player::Max, 2, [3, 1]).expect("positive weights");
    let of_min = Weighted::new(Player::Min, 2, [1, 3]).expect("positive weights");
    let mut tied = 0;
    for seed in 0..2000 {
        let tree = Draw(seed).tree(2, 5, seed % 2 == 0);
        let game = game(&tree);
        let line = known_preferences(&game, &game, &of_max, &of_min, &free()).expect("no limit");
        assert_eq!(line.outcome.to_vec(), solve(&tree, [3, 1]), "{tree:?}");
        tied += usize::from(line.tied);
    }
    assert!(tied > 0);
}

/// Move a is worth {(1,1),(2,0)}. Move b seems to be worth {(1,1),(3,0)} to a player who looks at
/// the first criterion only, but MIN fears (2,3) at the inner node and takes (1,1). Shrunk from
/// random trees.
#[test]
fn using_ones_own_preference_at_inner_nodes_can_choose_a_worse_move() {
    let a = min([x(&[1, 1]), x(&[2, 0])]);
    let b = min([x(&[1, 1]), max([x(&[3, 0]), x(&[2, 3])])]);
    let game = game(&max([a, b]));
    let first = Lexicographic::new(Player::Max, 2, &[1]).expect("a criterion");
    let inner = inner_preference(&game, &game, &first, &free());
    let inner = inner.expect("no limit").expect("the root is no leaf");
    let packets = |root: &RootPackets<_, _>, place: usize| {
        let packets: Option<&Expr> = root.moves[place].packets.as_ref();
        packets.cloned().expect("no limit")
    };
    let seeming = expression(Player::Max, &[&[&[1, 1], &[3, 0]]]);
    assert_eq!(packets(&inner.seeming, 1), seeming);
    assert_eq!(
        packets(&inner.real, 1),
        expression(Player::Max, &[&[&[1, 1]]])
    );
    assert_eq!((inner.chosen, inner.worse), (1, true));
    assert_eq!(inner.best, BTreeSet::from([0]));
}
