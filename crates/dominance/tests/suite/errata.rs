//! Every erratum of the paper with its smallest counterexample, and Table 1.

use std::fmt::Write;

use meetjoin_dag::NodeId;
use meetjoin_dominance::{
    Algebra, Event, Favouring, Lexicographic, NotOffered, Player, choose, choose_move,
    compare_packets, contradiction, inner_preference, procedure_f_deep_lattice_only,
    procedure_f_shallow, root_packets,
};

use crate::literal::{self, Removal};
use crate::printed::{infinity, procedure_f};
use crate::support::{
    Expr, ORDER, Vector, Vectors, convert, deep, expression, for_max, free, game, lists, max, min,
    normal_form, packet, shallow, solve, x,
};
use crate::theorems::strategies;

/// Figure 5 with the paper's numbers for the inner nodes, in preorder; 0 for leaves.
fn figure_5() -> (Vectors, [u32; 30]) {
    let pair = |a: [i64; 2], b: [i64; 2]| min([x(&a), x(&b)]);
    let tree = max([
        min([
            max([pair([5, 4], [3, 10]), pair([11, 5], [5, 9])]),
            max([pair([12, 7], [7, 12]), pair([13, 6], [6, 13])]),
        ]),
        min([
            max([pair([4, 5], [5, 2]), pair([8, 7], [9, 9])]),
            max([pair([9, 9], [8, 8]), min([x(&[3, 3])])]),
        ]),
    ]);
    let numbers = [
        1, 2, 3, 4, 0, 0, 5, 0, 0, 6, 7, 0, 0, 15, 0, 0, 8, 9, 10, 0, 0, 11, 0, 0, 12, 13, 0, 0,
        14, 0,
    ];
    (tree, numbers)
}

/// `(5,4) + (3,10)`, `{(5,4),(3,10)}`, and `-` for infinity, with outcomes in sorted order.
fn show(f: &Expr) -> String {
    let packets = f.packets().iter().map(|packet| {
        let outcomes = packet.outcomes().iter();
        let outcomes: Vec<String> = outcomes.map(|x| format!("({},{})", x[0], x[1])).collect();
        match outcomes.as_slice() {
            [one] => one.clone(),
            many => format!("{{{}}}", many.join(",")),
        }
    });
    let packets: Vec<String> = packets.collect();
    if packets.is_empty() {
        "-".to_owned()
    } else {
        packets.join(" + ")
    }
}

/// The rows of Table 1, one node a row: a node above inner nodes when it is entered and between its
/// children, every node when it is left, and with `*` where it is cut.
#[test]
fn table_1_has_one_wrong_row() {
    let (tree, numbers) = figure_5();
    let game = game(&tree);
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    let above_leaves = |node: &NodeId| {
        let child = game.graph().row(*node)[0];
        game.graph().leaf_ordinal(child).is_some()
    };
    let mut table = String::new();
    let mut leaves = 0;
    let mut row = |event: &Event<'_, NodeId, Vector>| {
        let (node, mark, value, alpha, beta) = match *event {
            Event::Leaf { .. } => {
                leaves += 1;
                return;
            }
            Event::Enter { node, .. } | Event::Update { node, .. } if above_leaves(node) => return,
            Event::Enter { node, alpha, beta }
            | Event::Update {
                node, alpha, beta, ..
            } => (node, "", "-".to_owned(), alpha.clone(), beta.clone()),
            Event::Cut {
                node,
                child,
                alpha,
                beta,
                ..
            } => {
                // The table has the window after the child that made the cut.
                let (mut alpha, mut beta) = (alpha.clone(), beta.clone());
                let own = match child.player() {
                    Player::Max => &mut beta,
                    Player::Min => &mut alpha,
                };
                algebra.add(own, child).expect("no limit");
                (node, "*", "-".to_owned(), alpha, beta)
            }
            Event::Exit {
                node,
                packets,
                alpha,
                beta,
            } => (node, "", show(packets), alpha.clone(), beta.clone()),
        };
        let (alpha, beta) = (show(&alpha), show(&beta));
        let number = numbers[node.index()];
        writeln!(table, "n{number}{mark} | {value} | {alpha} | {beta}").expect("a string");
    };
    procedure_f_deep_lattice_only(&game, &game, &free(), &mut row);
    assert_eq!((leaves, game.graph().leaf_count()), (11, 15));
    // As printed, but for the alpha of n9 at its end: the paper has {(5,9),(11,5)} there.
    let expected = "\
n1 | - | - | -
n2 | - | - | -
n3 | - | - | -
n4 | (3,10) + (5,4) | - | (3,10) + (5,4)
n3 | - | {(3,10),(5,4)} | -
n5 | (5,9) + (11,5) | {(3,10),(5,4)} | (5,9) + (11,5)
n3 | {(5,9),(11,5)} | {(5,9),(11,5)} | -
n2 | - | - | (5,9) + (11,5)
n6 | - | - | (5,9) + (11,5)
n7 | (7,12) + (12,7) | - | (5,9) + (11,5)
n6* | - | {(7,12),(12,7)} | (5,9) + (11,5)
n2 | (5,9) + (11,5) | - | (5,9) + (11,5)
n1 | - | {(5,9),(11,5)} | -
n8 | - | {(5,9),(11,5)} | -
n9 | - | {(5,9),(11,5)} | -
n10* | - | {(5,9),(11,5)} | (4,5)
n9 | - | {(5,9),(11,5)} | -
n11 | (8,7) | {(5,9),(11,5)} | (8,7)
n9 | (8,7) | {(5,9),(11,5)} + (8,7) | -
n8 | - | {(5,9),(11,5)} | (8,7)
n12 | - | {(5,9),(11,5)} | (8,7)
n13 | (8,8) | {(5,9),(11,5)} | (8,7)
n12* | - | {(5,9),(11,5)} + (8,8) | (8,7)
n8 | (8,7) | {(5,9),(11,5)} | (8,7)
n1 | {(5,9),(11,5)} + (8,7) | {(5,9),(11,5)} + (8,7) | -
";
    assert_eq!(table, expected);
}

#[test]
fn example_4_5_has_the_packets_of_the_paper() {
    let game = game(&figure_5().0);
    let expected = expression(Player::Max, &[&[&[11, 5], &[5, 9]], &[&[8, 7]]]);
    assert_eq!(solve(&game), expected);
    let mut cuts = 0;
    let searched = procedure_f_shallow(&game, &game, &free(), &mut |event| {
        cuts += usize::from(matches!(event, Event::Cut { .. }));
    });
    assert_eq!(searched.packets, expected);
    assert!(cuts > 0);
}

#[test]
fn printed_procedure_f_has_one_flag_for_two_cases() {
    // MAX(1, MIN(MAX(MIN(0)))) is worth 1.
    let tree = max([x(&[1]), min([max([min([x(&[0])])])])]);
    assert_eq!(procedure_f(&tree, 1), convert(&infinity(Player::Min, 1)));
    let one = expression(Player::Max, &[&[&[1]]]);
    let game = game(&tree);
    assert_eq!(solve(&game), one);
    assert_eq!(shallow(&game).0, one);
    assert_eq!(deep(&game).0, one);
}

#[test]
fn literal_packets_have_two_minimal_expressions() {
    let tree = max([min([max([
        min([x(&[0, 2]), x(&[1, 1]), x(&[2, 0])]),
        x(&[0, 1]),
    ])])]);
    let value = |removal| literal::lists(&literal::value(&tree, Player::Max, removal));
    assert_ne!(value(Removal::Ascending), value(Removal::Descending));
    // The antichain reading has one, whatever the order (`the_minimal_expression_is_unique`).
    assert_eq!(shallow(&game(&tree)).0, solve(&game(&tree)));
}

/// The smallest trees that tell the readings apart.
#[test]
fn the_three_readings_differ() {
    let tree = max([min([max([x(&[0, 3]), x(&[1, 2])]), x(&[3, 2])])]);
    let literal = literal::value(&tree, Player::Max, Removal::Ascending);
    assert_eq!(
        literal::lists(&literal),
        [[[0, 3], [3, 2]], [[1, 2], [3, 2]]]
    );
    let antichain = solve(&game(&tree));
    let expected = [vec![vec![0, 3], vec![3, 2]], vec![vec![1, 2]]];
    assert_eq!(lists(antichain.packets()), expected);

    let tree = max([x(&[2, 0]), min([x(&[2, 0]), x(&[0, 2])])]);
    let antichain = solve(&game(&tree));
    let expected = [vec![vec![0, 2], vec![2, 0]], vec![vec![2, 0]]];
    assert_eq!(lists(antichain.packets()), expected);
    let lattice = normal_form(&antichain);
    assert_eq!(lists(&lattice), [vec![vec![2, 0]]]);
}

#[test]
fn deep_pruning_loses_packets() {
    let tree = max([
        x(&[0, 3]),
        min([max([x(&[1, 1]), min([x(&[0, 2]), x(&[2, 0])])])]),
    ]);
    let game = game(&tree);
    let all = expression(Player::Max, &[&[&[0, 3]], &[&[1, 1]], &[&[1, 1], &[2, 0]]]);
    let without = expression(Player::Max, &[&[&[0, 3]], &[&[1, 1]]]);
    assert_eq!(solve(&game), all);
    assert_eq!(shallow(&game), (all.clone(), 4));
    assert_eq!(deep(&game), (without.clone(), 3));
    assert_eq!(normal_form(&all), normal_form(&without));
}

#[test]
fn deep_pruning_adds_packets() {
    let tree = max([
        x(&[0, 2]),
        min([
            max([x(&[1, 0]), x(&[0, 3])]),
            max([x(&[1, 0]), min([x(&[0, 1])])]),
        ]),
    ]);
    let game = game(&tree);
    let all = expression(Player::Max, &[&[&[0, 2]], &[&[1, 0]]]);
    let with = expression(Player::Max, &[&[&[0, 2]], &[&[1, 0]], &[&[0, 3], &[1, 0]]]);
    assert_eq!(solve(&game), all);
    assert_eq!(shallow(&game).0, all);
    assert_eq!(deep(&game).0, with);
    assert_eq!(normal_form(&all), normal_form(&with));
    // No move has the packet that is too many, so no preference may choose from such packets.
    let mut root = root_packets(&game, &game, &free());
    root.packets = Some(with.clone());
    let too_many = packet(Player::Max, &[&[0, 3], &[1, 0]]);
    let place = with.packets().iter().position(|p| *p == too_many);
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    let favourite = Favouring::new(algebra, &with, place.expect("it is there"), []);
    let favourite = favourite.expect("no limit").expect("a packet");
    assert_eq!(choose_move(&favourite, &root), Err(NotOffered));
}

#[test]
fn converting_to_and_fro_changes_an_expression() {
    let f = expression(Player::Min, &[&[&[0, 2], &[2, 0]], &[&[1, 1]]]);
    let again = convert(&convert(&f));
    let four = expression(
        Player::Min,
        &[
            &[&[0, 2], &[1, 1]],
            &[&[0, 2], &[2, 0]],
            &[&[1, 1]],
            &[&[1, 1], &[2, 0]],
        ],
    );
    assert_eq!(again, four);
    assert_eq!(normal_form(&again), normal_form(&f));
}

#[test]
fn a_node_with_a_single_child_changes_the_packets() {
    let tree = max([x(&[1, 1]), min([x(&[0, 2]), x(&[2, 0])])]);
    let below = max([min([tree.clone()])]);
    let (value, other) = (solve(&game(&tree)), solve(&game(&below)));
    assert_eq!((value.packets().len(), other.packets().len()), (2, 4));
    assert_eq!(normal_form(&value), normal_form(&other));
}

#[test]
fn equal_outcomes_must_not_prune() {
    let tree = max([x(&[2, 0]), min([x(&[2, 0]), x(&[0, 2])])]);
    let game = game(&tree);
    let both = expression(Player::Max, &[&[&[2, 0]], &[&[0, 2], &[2, 0]]]);
    assert_eq!(both.packets().len(), 2);
    assert_eq!(solve(&game), both);
    assert_eq!(shallow(&game), (both.clone(), 3));
    assert_eq!(deep(&game), (both, 3));
}

#[test]
fn theorem_2_6_fails_for_preferences_with_ties() {
    let p = packet(Player::Max, &[&[1, 1], &[0, 3], &[3, 0]]);
    let better = packet(Player::Max, &[&[0, 3], &[1, 2]]);
    let budget = free();
    let algebra = Algebra::new(&ORDER, &budget);
    assert_eq!(
        algebra.clearly_dominates(Player::Max, &better, &p),
        Ok(true)
    );
    let rank = |x: &Vector| match **x {
        [1, 1] | [0, 3] => 0,
        [1, 2] => 1,
        _ => 2,
    };
    let preference = |a: &Vector, b: &Vector| rank(a).cmp(&rank(b));
    let outcomes: Vec<Vector> = p
        .outcomes()
        .iter()
        .chain(better.outcomes())
        .cloned()
        .collect();
    let against = contradiction(algebra, Player::Max, &preference, &outcomes);
    assert_eq!(against, Ok(None));
    assert!(compare_packets(&preference, &p, &better).is_gt());
}

#[test]
fn compare_takes_the_first_of_packets_that_tie_and_reports_the_others() {
    let f = expression(Player::Max, &[&[&[2, 0]], &[&[0, 2]], &[&[1, 0], &[0, 1]]]);
    let sum = |a: &Vector, b: &Vector| a.iter().sum::<i64>().cmp(&b.iter().sum());
    let choice = choose(&sum, &f).expect("there are packets");
    assert_eq!(lists([choice.packet]), [vec![vec![0, 2]]]);
    assert_eq!(lists(choice.tied), [vec![vec![2, 0]]]);
}

/// Figure 3. In the literal reading move b is better, because its set {(120,20),(50,20)} beats
/// {(50,20)}. But the opponent, who chooses from that set, never takes (120,20).
#[test]
fn example_2_3_is_a_tie_in_the_antichain_reading() {
    let a = min([
        max([x(&[120, 10]), x(&[60, 60])]),
        max([x(&[50, 20]), x(&[20, 50])]),
    ]);
    let b = min([max([x(&[120, 20])]), max([x(&[50, 20]), x(&[40, 250])])]);
    let literal = literal::value(&b, Player::Max, Removal::Ascending);
    assert_eq!(
        literal::lists(&literal),
        [[[40, 250], [120, 20]], [[50, 20], [120, 20]]]
    );
    assert_eq!(
        lists(for_max(solve(&game(&b))).packets()),
        [vec![vec![40, 250], vec![120, 20]], vec![vec![50, 20]]]
    );
    let first = Lexicographic::new(Player::Max, 2, &[1, 2]).expect("criteria");
    let game = game(&max([a, b]));
    let inner = inner_preference(&game, &game, &first, &free());
    let inner = inner.expect("no limit").expect("the root is no leaf");
    // With the own preference at inner nodes move a seems to be worth {(120,10),(50,20)}.
    assert_eq!((inner.chosen, inner.worse), (0, false));
    assert_eq!(inner.best.into_iter().collect::<Vec<_>>(), [0, 1]);
}

/// Definition 2.4 asks that every outcome of a packet be reached against some opponent. No single
/// strategy does that for {(1,1),(2,0)} here: MAX either takes (1,1) at the inner node, or moves on
/// and may get (0,2). The packet is a choice that waits for the opponent's. It is one that the
/// lattice reading absorbs.
#[test]
fn some_packets_belong_to_no_single_strategy() {
    let tree = max([
        x(&[0, 3]),
        min([max([x(&[1, 1]), min([x(&[0, 2]), x(&[2, 0])])])]),
    ]);
    let value = solve(&game(&tree));
    let waiting = packet(Player::Max, &[&[1, 1], &[2, 0]]);
    assert!(value.contains(&waiting));
    assert!(!normal_form(&value).contains(&waiting));
    // The three strategies reach {(0,3)}, {(1,1)} and {(0,2),(2,0)}: only the last reaches (2,0),
    // and it guarantees less.
    let reach_it = strategies(&tree);
    assert_eq!(reach_it.len(), 3);
    let reach_it: Vec<_> = reach_it
        .into_iter()
        .filter(|reached| reached.contains(&[2, 0][..]))
        .collect();
    assert_eq!(reach_it, [[vec![0, 2], vec![2, 0]].into()]);
}
