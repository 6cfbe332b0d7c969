//! Hexapawn by the dominance algebra and in the free lattice, against the rules and the definitions
//! written out by hand: boards of letters, plain recursion, all strategies. Nothing is shared with
//! the game or the algebra. And golden packets, which a program in another language computed.

use std::collections::BTreeSet;

use meetjoin::dag::{AndOrDag, Kind, Valuation};
use meetjoin::dominance::{
    Algebra, Dominance, Expression, OutcomesBy, Packet, Player, RootPackets, procedure_f_shallow,
    root_packets,
};
use meetjoin::games::{Hexapawn, HexapawnPosition};
use meetjoin::lattice::{Budget, Extended};

type Outcome = [i64; 2];
type Set = BTreeSet<Outcome>;
type Sets = BTreeSet<Set>;

/// Rows from MAX's side up.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Board {
    rows: Vec<Vec<char>>,
    max_moves: bool,
}

impl Board {
    fn new(columns: usize, rows: usize) -> Self {
        let mut board = vec![vec!['.'; columns]; rows];
        board[0].fill('P');
        board[rows - 1].fill('p');
        Self {
            rows: board,
            max_moves: true,
        }
    }

    fn moves(&self) -> Vec<Self> {
        let (rows, columns) = (self.rows.len(), self.rows[0].len());
        // Beyond the edges there is nothing; minus one wraps round to far beyond.
        let is = |row: usize, column: usize, what: char| {
            self.rows.get(row).and_then(|row| row.get(column)) == Some(&what)
        };
        let all = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let arrived = |(row, column)| {
            row == rows - 1 && is(row, column, 'P') || row == 0 && is(row, column, 'p')
        };
        if all().any(arrived) {
            return Vec::new();
        }
        let (own, other, step) = if self.max_moves {
            ('P', 'p', 1)
        } else {
            ('p', 'P', -1)
        };
        let mut moves = Vec::new();
        for (row, column) in all().filter(|&(row, column)| is(row, column, own)) {
            let to_row = row.wrapping_add_signed(step);
            for (side, onto) in [(0, '.'), (-1, other), (1, other)] {
                let to = column.wrapping_add_signed(side);
                if is(to_row, to, onto) {
                    let mut after = self.rows.clone();
                    after[row][column] = '.';
                    after[to_row][to] = own;
                    moves.push(Self {
                        rows: after,
                        max_moves: !self.max_moves,
                    });
                }
            }
        }
        moves
    }

    fn outcome(&self) -> Outcome {
        let gone = |pawn| {
            let left = self.rows.iter().flatten().filter(|&&cell| cell == pawn);
            i64::try_from(self.rows[0].len() - left.count()).expect("a small board")
        };
        [gone('p'), -gone('P')]
    }

    /// The board or its mirror image, as the game names it.
    fn names(&self) -> [String; 2] {
        let player = if self.max_moves { "MAX" } else { "MIN" };
        let name = |rows: Vec<String>| format!("{}, {player} to move", rows.join("/"));
        let rows = || self.rows.iter().rev();
        [
            name(rows().map(|row| row.iter().collect()).collect()),
            name(rows().map(|row| row.iter().rev().collect()).collect()),
        ]
    }
}

fn at_least(max: bool, a: &Outcome, b: &Outcome) -> bool {
    let (high, low) = if max { (a, b) } else { (b, a) };
    high[0] >= low[0] && high[1] >= low[1]
}

/// The outcomes that are worst for the owner.
fn worst(max: bool, set: &Set) -> Set {
    let kept = set
        .iter()
        .filter(|x| !set.iter().any(|y| y != *x && at_least(max, x, y)));
    kept.copied().collect()
}

fn absorb(max: bool, packets: &Sets) -> Sets {
    let covers = |q: &Set, p: &Set| q.iter().all(|a| p.iter().any(|b| at_least(max, a, b)));
    let better = |q: &Set, p: &Set| {
        covers(q, p)
            && q.iter()
                .any(|a| p.iter().any(|b| a != b && at_least(max, a, b)))
    };
    let clear = |p: &&Set| !packets.iter().any(|q| better(q, p));
    let clear: Sets = packets.iter().filter(clear).cloned().collect();
    let made_up = |p: &Set| {
        let smaller = clear.iter().filter(|q| q.len() < p.len() && q.is_subset(p));
        smaller.flatten().copied().collect::<Set>() == *p
    };
    clear.iter().filter(|p| !made_up(p)).cloned().collect()
}

/// MAX's packets or MIN's, by the definition: own moves are added, those of the other player
/// converted.
fn packets(board: &Board, max: bool) -> Sets {
    let moves = board.moves();
    if moves.is_empty() {
        return Sets::from([Set::from([board.outcome()])]);
    }
    let mover = board.max_moves;
    let all: Sets = moves
        .iter()
        .flat_map(|after| packets(after, mover))
        .collect();
    let sum = absorb(mover, &all);
    if mover == max {
        return sum;
    }
    let chosen = sum.iter().fold(Sets::from([Set::new()]), |chosen, packet| {
        let with = |(set, x): (&Set, &Outcome)| {
            let mut set = set.clone();
            set.insert(*x);
            worst(max, &set)
        };
        let pairs = chosen
            .iter()
            .flat_map(|set| packet.iter().map(move |x| (set, x)));
        pairs.map(with).collect()
    });
    absorb(max, &chosen)
}

/// For each strategy of MAX the set of outcomes that stay possible.
fn strategies(board: &Board) -> Sets {
    let moves = board.moves();
    let below = moves.iter().map(strategies);
    if moves.is_empty() {
        Sets::from([Set::from([board.outcome()])])
    } else if board.max_moves {
        below.flatten().collect()
    } else {
        below.fold(Sets::from([Set::new()]), |all, below| {
            let pairs = all.iter().flat_map(|a| below.iter().map(move |b| a | b));
            pairs.collect()
        })
    }
}

fn solve(game: &Hexapawn) -> RootPackets<HexapawnPosition, std::sync::Arc<[i64]>> {
    let leaves = OutcomesBy::new(Dominance, |leaf: &_| game.outcome(leaf).into());
    let budget = Budget::unlimited();
    let root = root_packets(game, &leaves, &budget);
    let shallow = procedure_f_shallow(game, &leaves, &budget, &mut |_| ());
    assert_eq!(Some(&shallow.packets), root.packets.as_ref());
    root
}

fn sets(packets: &[Packet<std::sync::Arc<[i64]>>]) -> Sets {
    let set = |packet: &Packet<std::sync::Arc<[i64]>>| -> Set {
        packet.outcomes().iter().map(|x| [x[0], x[1]]).collect()
    };
    packets.iter().map(set).collect()
}

fn all<X>(packets: Option<&Expression<X>>) -> &[Packet<X>] {
    packets.expect("no limit").packets()
}

#[test]
fn packets_are_those_of_the_definition() {
    for (columns, rows) in [
        (1, 2),
        (1, 3),
        (1, 5),
        (2, 2),
        (2, 3),
        (2, 4),
        (2, 5),
        (3, 2),
        (3, 3),
    ] {
        let game = Hexapawn::new(columns, rows).expect("a board");
        let board = Board::new(columns as usize, rows as usize);
        let root = solve(&game);
        let found = sets(all(root.packets.as_ref()));
        assert_eq!(found, packets(&board, true), "{columns} by {rows}");
        for r#move in &root.moves {
            let mut name = String::new();
            game.name(&r#move.node, &mut name).expect("a string");
            let moves = board.moves();
            let after = moves.iter().find(|after| after.names().contains(&name));
            let after = after.expect("a move by the rules");
            assert_eq!(
                sets(all(r#move.packets.as_ref())),
                packets(after, true),
                "{name}"
            );
        }
    }
}

#[test]
fn the_value_in_the_free_lattice_is_what_strategies_guarantee() {
    for (columns, rows) in [
        (1, 2),
        (1, 4),
        (2, 2),
        (2, 3),
        (2, 4),
        (2, 5),
        (3, 2),
        (3, 3),
    ] {
        let game = Hexapawn::new(columns, rows).expect("a board");
        let value = meetjoin::solve(&game);
        // A strategy guarantees what is worst in its set; of sets above others the greatest stay.
        let sets_of_worst = strategies(&Board::new(columns as usize, rows as usize));
        let guaranteed: Sets = sets_of_worst.iter().map(|set| worst(true, set)).collect();
        let above = |q: &Set, p: &Set| q.iter().all(|a| p.iter().any(|b| at_least(true, a, b)));
        let greatest = guaranteed
            .iter()
            .filter(|p| !guaranteed.iter().any(|q| q != *p && above(q, p)));
        let found = value.maximal().iter().map(|packet| {
            let outcomes = packet.maximal().iter().map(|x| match x[..] {
                [Extended::Finite(a), Extended::Finite(b)] => [a, b],
                _ => panic!("two numbers"),
            });
            outcomes.collect()
        });
        assert_eq!(
            found.collect::<Sets>(),
            greatest.cloned().collect(),
            "{columns} by {rows}"
        );
    }
}

/// The positions that can be reached.
fn positions(game: &Hexapawn) -> usize {
    let mut seen = std::collections::HashSet::from([game.root()]);
    let mut open = vec![game.root()];
    let mut children = Vec::new();
    while let Some(position) = open.pop() {
        if game.kind(&position) != Kind::Leaf {
            game.children(&position, &mut children);
        }
        open.extend(children.drain(..).filter(|child| seen.insert(*child)));
    }
    seen.len()
}

fn listed(packets: &[&[Outcome]]) -> Sets {
    packets
        .iter()
        .map(|packet| packet.iter().copied().collect())
        .collect()
}

#[test]
fn golden_packets_of_four_by_four() {
    let game = Hexapawn::new(4, 4).expect("a board");
    assert_eq!(positions(&game), 10_173);
    let root = solve(&game);
    assert_eq!(root.player, Player::Max);
    let moves: Vec<Sets> = root
        .moves
        .iter()
        .map(|m| sets(all(m.packets.as_ref())))
        .collect();
    let edge = listed(&[
        &[[0, 0], [1, -1], [3, -2]],
        &[[0, 0], [2, -2]],
        &[[1, -1], [3, -2]],
        &[[2, -2]],
        &[[2, -2], [3, -3]],
    ]);
    let inner = listed(&[
        &[[0, -1], [1, -2]],
        &[[0, -1], [2, -4]],
        &[[1, -2]],
        &[[2, -4]],
    ]);
    assert_eq!(moves, [edge.clone(), inner]);
    assert_eq!(sets(all(root.packets.as_ref())), edge);
    // As a lattice element: without the packets that contain others.
    let budget = Budget::unlimited();
    let normal = Algebra::new(&Dominance, &budget).normal_form(&root.packets.expect("no limit"));
    let normal = normal.expect("no limit");
    assert_eq!(sets(&normal), listed(&[&[[1, -1], [3, -2]], &[[2, -2]]]));
    let lattice = Valuation::lattice(&game);
    let elements = normal.iter().map(|packet| {
        let outcomes = packet.outcomes().iter();
        let outcomes = outcomes.map(|x| x.iter().copied().map(Extended::Finite).collect());
        lattice.packet(outcomes, &budget).expect("no limit")
    });
    let element = lattice.generated_by(elements.collect::<Vec<_>>(), &budget);
    assert_eq!(meetjoin::solve(&game), element.expect("no limit"));
}

#[test]
fn golden_packets_of_five_by_three() {
    let game = Hexapawn::new(5, 3).expect("a board");
    assert_eq!(positions(&game), 4367);
    let root = solve(&game);
    let moves: Vec<Sets> = root
        .moves
        .iter()
        .map(|m| sets(all(m.packets.as_ref())))
        .collect();
    let expected = [
        listed(&[
            &[[0, 0], [1, -1], [2, -2]],
            &[[1, -1], [2, -2]],
            &[[1, -1], [2, -2], [3, -3]],
        ]),
        listed(&[&[[1, -1], [2, -2]], &[[1, -1], [2, -2], [3, -3]]]),
        listed(&[&[[1, -1], [2, -2]], &[[2, -2]], &[[2, -2], [3, -4]]]),
    ];
    assert_eq!(moves, expected);
}
