//! Board games against brute force by the rules, against known answers, and against their own
//! quotients.

use std::collections::{HashMap, HashSet};

use meetjoin::dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin::games::{
    Capture, ConnectFour, ConnectFourPosition, Kalah, NoSymmetry, Playable, Quotient, Scoring,
    StaticEvaluation, Symmetric, TicTacToe, quotient, random_play,
};
use meetjoin::lattice::{Budget, ElemOf, TotalOrder};
use meetjoin::search::total_order::{Guess, mtd_f, nega_scout};
use meetjoin::search::{Env, Table, Window};

/// The value of a node.
fn value<D, V>(dag: &D, valuation: &V, node: &D::Node) -> ElemOf<V::Lattice>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: TotalOrder>,
{
    let root = node.clone();
    let (window, budget) = (Window::full(valuation.lattice()), Budget::unlimited());
    let mut env = Env::new(&budget).with_store(Table::new());
    let rooted = Rooted { dag, root };
    let outcome = nega_scout(&rooted, valuation, &window, &mut env);
    outcome.exact().expect("no limit").clone()
}

/// The same with the bounds that the game knows.
fn value_with_bounds(game: ConnectFour, node: ConnectFourPosition) -> i8 {
    let (window, budget) = (Window::full(game.lattice()), Budget::unlimited());
    let mut env = Env::new(&budget)
        .with_store(Table::new())
        .with_heuristic(game);
    let rooted = Rooted {
        dag: &game,
        root: node,
    };
    let outcome = nega_scout(&rooted, &game, &window, &mut env);
    *outcome.exact().expect("no limit")
}

/// All nodes that can be reached, in an order that is always the same.
fn reached<D: AndOrDag>(dag: &D) -> Vec<D::Node> {
    let mut nodes = vec![dag.root()];
    let mut seen: HashSet<_> = nodes.iter().cloned().collect();
    let (mut next, mut children) = (0, Vec::new());
    while let Some(node) = nodes.get(next) {
        if dag.kind(node) != Kind::Leaf {
            dag.children(node, &mut children);
        }
        nodes.extend(
            children
                .drain(..)
                .filter(|child| seen.insert(child.clone())),
        );
        next += 1;
    }
    nodes
}

/// Numbers that look random, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Connect Four literally: columns of stones from below, true for MAX.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Board {
    columns: Vec<Vec<bool>>,
    rows: usize,
}

impl Board {
    fn new(columns: usize, rows: usize) -> Self {
        let columns = vec![Vec::new(); columns];
        Self { columns, rows }
    }

    fn stones(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }

    fn max_moves(&self) -> bool {
        self.stones().is_multiple_of(2)
    }

    fn open(&self) -> Vec<usize> {
        let columns = 0..self.columns.len();
        columns
            .filter(|&c| self.columns[c].len() < self.rows)
            .collect()
    }

    fn with(&self, column: usize) -> Self {
        let mut after = self.clone();
        after.columns[column].push(self.max_moves());
        after
    }

    fn at(&self, column: usize, row: usize) -> Option<bool> {
        self.columns.get(column)?.get(row).copied()
    }

    fn has_won(&self, player: bool) -> bool {
        (0..self.columns.len()).any(|c| {
            (0..self.rows).any(|r| {
                let is_line = |right: usize, up: isize| {
                    (0..4_usize).all(|i| {
                        let row = r.checked_add_signed(up * i.cast_signed());
                        row.and_then(|row| self.at(c + right * i, row)) == Some(player)
                    })
                };
                is_line(1, 0) || is_line(0, 1) || is_line(1, 1) || is_line(1, -1)
            })
        })
    }

    /// Who has won, and how many stones that player has not used.
    fn won(&self) -> Option<i8> {
        let cells = self.columns.len() * self.rows;
        let used = |player| {
            let stones = self.columns.iter().flatten();
            stones.filter(|&&stone| stone == player).count()
        };
        if self.has_won(true) {
            Some(1 + (cells - cells / 2 - used(true)) as i8)
        } else if self.has_won(false) {
            Some(-1 - (cells / 2 - used(false)) as i8)
        } else {
            None
        }
    }

    fn score(&self, known: &mut HashMap<Board, i8>) -> i8 {
        if let Some(&score) = known.get(self) {
            return score;
        }
        let open = self.open();
        let below = open.iter().map(|&c| self.with(c));
        let score = match self.won() {
            Some(score) => score,
            None if open.is_empty() => 0,
            None if self.max_moves() => below.map(|b| b.score(known)).max().expect("a move"),
            None => below.map(|b| b.score(known)).min().expect("a move"),
        };
        known.insert(self.clone(), score);
        score
    }
}

/// A board on which so many stones have been dropped at random and nobody has won, and the moves.
fn random_board(
    columns: usize,
    rows: usize,
    stones: usize,
    numbers: &mut Numbers,
) -> (Board, String) {
    loop {
        let (mut board, mut moves) = (Board::new(columns, rows), String::new());
        while board.stones() < stones && board.won().is_none() {
            let open = board.open();
            let column = open[numbers.below(open.len())];
            moves.push_str(&(column + 1).to_string());
            board = board.with(column);
        }
        if board.won().is_none() {
            return (board, moves);
        }
    }
}

/// Both scorings, with and without hopeless moves, and with bounds.
fn holds(columns: usize, rows: usize, moves: &str, score: i8) {
    let game = ConnectFour::new(columns as u32, rows as u32)
        .expect("a board")
        .after(moves)
        .expect("legal");
    let outcome = game.with_scoring(Scoring::Outcome);
    let (root, rules) = (game.root(), game.by_rules());
    let what = format!("{columns} by {rows}, {moves}");
    assert_eq!(value(&game, &game, &root), score, "{what}");
    assert_eq!(value(&rules, &game, &root), score, "{what}, by the rules");
    assert_eq!(value(&outcome, &outcome, &root), score.signum(), "{what}");
    assert_eq!(value_with_bounds(game, root), score, "{what}, with bounds");
    assert_eq!(
        value_with_bounds(outcome, root),
        score.signum(),
        "{what}, with bounds"
    );
    let apart = game.with_scoring(Scoring::Apart);
    let further = score + 100 * score.signum();
    assert_eq!(value(&apart, &apart, &root), further, "{what}");
    assert_eq!(value_with_bounds(apart, root), further, "{what}");
    let quotient = Quotient(game);
    assert_eq!(
        value(&quotient, &game, &quotient.root()),
        score,
        "{what}, up to symmetry"
    );
}

#[test]
fn connect_four_is_worth_what_brute_force_finds_on_every_position_of_small_boards() {
    for (columns, rows) in [(1, 1), (1, 6), (2, 5), (3, 4), (4, 3), (5, 2)] {
        let mut known = HashMap::new();
        let board = Board::new(columns, rows);
        let score = board.score(&mut known);
        holds(columns, rows, "", score);
        let game = ConnectFour::new(columns as u32, rows as u32).expect("a board");
        let positions = reached(&game.by_rules());
        assert_eq!(positions.len(), known.len(), "{columns} by {rows}");
        // Every position by the rules, also those that the game leaves out.
        for node in positions.iter().step_by(1 + known.len() / 300) {
            let mut boards = known.iter();
            let (board, score) = boards
                .find(|(board, _)| is(&game, node, board))
                .expect("reached by both");
            let over = game.is_over(node);
            assert_eq!(over, board.won().is_some() || board.open().is_empty());
            assert_eq!(value(&game, &game, node), *score);
        }
    }
}

/// Whether the node is that board, by its name.
fn is(game: &ConnectFour, node: &ConnectFourPosition, board: &Board) -> bool {
    if node.count() as usize != board.stones() {
        return false;
    }
    let mut name = String::new();
    game.name(node, &mut name).expect("a string");
    let line = |row| {
        let cells = (0..board.columns.len()).map(|c| match board.at(c, row) {
            None => '.',
            Some(true) => 'X',
            Some(false) => 'O',
        });
        cells.collect::<String>()
    };
    let lines: Vec<String> = (0..board.rows).rev().map(line).collect();
    let state = if board.won().is_some() || board.open().is_empty() {
        "over"
    } else if board.max_moves() {
        "MAX to move"
    } else {
        "MIN to move"
    };
    name == format!("{}, {state}", lines.join("/"))
}

#[test]
fn connect_four_on_four_by_four() {
    let mut known = HashMap::new();
    let score = Board::new(4, 4).score(&mut known);
    assert_eq!(score, 0);
    let game = ConnectFour::new(4, 4).expect("a board");
    assert_eq!(known.len(), 161_029);
    assert_eq!(reached(&game.by_rules()).len(), 161_029);
    holds(4, 4, "", 0);
    let mut numbers = Numbers(1);
    for i in 0..200 {
        let (board, moves) = random_board(4, 4, 1 + i % 13, &mut numbers);
        holds(4, 4, &moves, board.score(&mut known));
    }
}

#[test]
fn connect_four_late_in_the_game_on_larger_boards() {
    let mut numbers = Numbers(2);
    for (columns, rows, stones) in [
        (5, 4, 10),
        (4, 5, 9),
        (5, 5, 15),
        (6, 4, 14),
        (7, 6, 31),
        (7, 6, 34),
    ] {
        for i in 0..12 {
            let (board, moves) = random_board(columns, rows, stones + i % 3, &mut numbers);
            let score = board.score(&mut HashMap::new());
            holds(columns, rows, &moves, score);
        }
    }
}

#[test]
fn connect_four_positions_of_the_largest_board_with_and_without_hopeless_moves() {
    let mut numbers = Numbers(3);
    for i in 0..60 {
        let (_, moves) = random_board(7, 6, 24 + i % 12, &mut numbers);
        let game = ConnectFour::new(7, 6)
            .expect("a board")
            .after(&moves)
            .expect("legal");
        let (root, rules) = (game.root(), game.by_rules());
        let score = value(&game, &game, &root);
        assert_eq!(value(&rules, &game, &root), score, "{moves}");
        assert_eq!(value_with_bounds(game, root), score, "{moves}");
    }
}

/// Who wins on an empty board, from the literature.
#[test]
fn connect_four_from_the_start() {
    for (columns, rows, outcome) in [(4, 4, 0), (4, 5, 0), (5, 4, 0), (6, 4, -1)] {
        let game = ConnectFour::new(columns, rows).expect("a board");
        let game = game.with_scoring(Scoring::Outcome);
        let quotient = Quotient(game);
        let found = value(&quotient, &quotient, &quotient.root());
        assert_eq!(found, outcome, "{columns} by {rows}");
    }
}

#[test]
fn connect_four_is_judged_like_its_mirror_image() {
    let mut numbers = Numbers(5);
    for columns in 1..=7_usize {
        let game = ConnectFour::new(columns as u32, 6).expect("a board");
        let game = game.with_scoring(Scoring::Apart);
        let judged = |moves: &str| {
            let game = game.after(moves).expect("legal");
            game.evaluate(&game.root())
        };
        let mut central = 0;
        for i in 0..60 {
            let (_, moves) = random_board(columns, 6, 1 + i % 5, &mut numbers);
            let image = |column: u32| columns as u32 + 1 - column;
            let mirrored = moves.chars().filter_map(|c| c.to_digit(10)).map(image);
            let mirrored: String = mirrored.map(|column| column.to_string()).collect();
            assert_eq!(judged(&moves), judged(&mirrored), "{columns}: {moves}");
            central += usize::from(judged(&moves) != 0);
        }
        assert!(central > 0, "{columns}");
    }
}

#[test]
fn connect_four_is_symmetric() {
    let mut numbers = Numbers(4);
    let game = ConnectFour::new(7, 6).expect("a board");
    let samples = (0..40).map(|i| {
        let (_, moves) = random_board(7, 6, 28 + i % 8, &mut numbers);
        ConnectFour::new(7, 6)
            .expect("a board")
            .after(&moves)
            .expect("legal")
            .root()
    });
    let quotient = Quotient(game);
    let (plain, folded) = (
        |node: &ConnectFourPosition| value(&game, &game, node),
        |node: &ConnectFourPosition| value(&quotient, &game, node),
    );
    assert_eq!(quotient::check(&game, samples, plain, folded), Ok(()));
    let counts = [(3, 3), (4, 3), (4, 4)].map(|(columns, rows)| {
        let game = ConnectFour::new(columns, rows).expect("a board");
        let (all, restricted) = (reached(&game.by_rules()).len(), reached(&game).len());
        let up_to_symmetry = reached(&Quotient(game.by_rules())).len();
        [all, up_to_symmetry, restricted]
    });
    assert_eq!(
        counts,
        [
            [869, 452, 869],
            [12_031, 6_027, 11_391],
            [161_029, 80_541, 109_580]
        ]
    );
}

/// Whether what the game knows of a node is true of its value.
fn knows<G>(game: G, node: &<G as AndOrDag>::Node) -> bool
where
    G: AndOrDag + Valuation<<G as AndOrDag>::Node, Lattice: TotalOrder> + Copy,
    G: Heuristic<<G as AndOrDag>::Node, <G as Valuation<<G as AndOrDag>::Node>>::Lattice>,
    ElemOf<G::Lattice>: Ord,
{
    let (mut heuristic, budget) = (game, Budget::unlimited());
    let bounds = heuristic.bounds(game.lattice(), node, &budget);
    let bounds = bounds.expect("no limit").expect("known");
    let value = value(&game, &game, node);
    *bounds.lower() <= value && value <= *bounds.upper()
}

#[test]
fn bounds_are_true() {
    for scoring in [Scoring::Distance, Scoring::Outcome] {
        let game = ConnectFour::new(4, 4).expect("a board");
        let game = game.with_scoring(scoring);
        let mut nodes = reached(&game);
        nodes.retain(|node| game.kind(node) != Kind::Leaf && node.count() > 5);
        for node in nodes.iter().step_by(7) {
            assert!(knows(game, node), "{node:?}");
        }
    }
    let game = Kalah::new(2, 3).expect("a game");
    assert!(reached(&game).iter().all(|node| knows(game, node)));
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = TicTacToe::new();
    assert_eq!(meetjoin::solve(&game), 0);
    assert_eq!(meetjoin::solve(&Quotient(game)), 0);
    let all = reached(&game);
    assert_eq!(all.len(), 5478);
    assert_eq!(reached(&Quotient(game)).len(), 765);
    let quotient = Quotient(game);
    let (plain, folded) = (
        |node: &_| value(&game, &game, node),
        |node: &_| value(&quotient, &game, node),
    );
    assert_eq!(quotient::check(&game, all, plain, folded), Ok(()));
    // The opposite corner loses to a corner, and so does every answer but the centre.
    for (moves, outcome) in [
        ("1", 0),
        ("15", 0),
        ("19", 1),
        ("12", 1),
        ("5", 0),
        ("52", 1),
    ] {
        let game = TicTacToe::new().after(moves).expect("legal");
        assert_eq!(meetjoin::solve(&game), outcome, "{moves}");
    }
}

/// A game in which 1 to 3 are taken from a number, with a symmetry that is none.
struct Taking;

impl AndOrDag for Taking {
    type Node = (u8, bool);

    fn root(&self) -> (u8, bool) {
        (9, true)
    }

    fn kind(&self, &(left, max_moves): &(u8, bool)) -> Kind {
        match (left, max_moves) {
            (0, _) => Kind::Leaf,
            (_, true) => Kind::Or,
            (_, false) => Kind::And,
        }
    }

    fn children(&self, &(left, max_moves): &(u8, bool), out: &mut Vec<(u8, bool)>) {
        out.extend((1..=left.min(3)).map(|n| (left - n, !max_moves)));
    }
}

impl Symmetric for Taking {
    fn canonical(&self, &(left, max_moves): &(u8, bool)) -> (u8, bool) {
        match left {
            // Another value, another kind, another representative.
            6 => (5, max_moves),
            7 => (3, !max_moves),
            8 => (6, max_moves),
            _ => (left, max_moves),
        }
    }
}

#[test]
fn what_is_no_symmetry_is_found() {
    let found = |left| {
        let check = quotient::check(&Taking, [(left, true)], |node| node.0, |node| node.0);
        check.expect_err("no symmetry")
    };
    assert!(matches!(
        found(6),
        NoSymmetry::Value {
            value: 6,
            other: 5,
            ..
        }
    ));
    assert!(matches!(found(7), NoSymmetry::Kind { kind: Kind::Or, .. }));
    assert!(matches!(found(8), NoSymmetry::Representative { .. }));
    assert_eq!(
        found(6).to_string(),
        "(6, true) is worth 6, and up to symmetry 5"
    );
}

/// Kalah literally: the pits of the player to move, then those of the other, each from the farthest
/// from the store.
type Pits = (Vec<u32>, Vec<u32>);

/// What each move makes of the pits, before the players change places: the seeds stored, and
/// whether the same player moves again.
fn sown((own, other): &Pits, capture: Capture) -> Vec<(Pits, u32, bool)> {
    let m = own.len();
    let moves = (0..m).filter(|&pit| own[pit] > 0).map(|pit| {
        // A ring without the other's store.
        let mut ring = [own.as_slice(), &[0], other].concat();
        let seeds = std::mem::take(&mut ring[pit]) as usize;
        for i in 1..=seeds {
            ring[(pit + i) % (2 * m + 1)] += 1;
        }
        let last = (pit + seeds) % (2 * m + 1);
        let captures = capture == Capture::Always || last < m && ring[2 * m - last] > 0;
        if last < m && ring[last] == 1 && captures {
            ring[m] += 1 + ring[2 * m - last];
            ring[last] = 0;
            ring[2 * m - last] = 0;
        }
        let pits = (ring[..m].to_vec(), ring[m + 1..].to_vec());
        (pits, ring[m], last == m)
    });
    moves.collect()
}

fn is_over((own, other): &Pits) -> bool {
    own.iter().sum::<u32>() == 0 || other.iter().sum::<u32>() == 0
}

fn exchanged((own, other): Pits) -> Pits {
    (other, own)
}

/// How many more seeds the player to move gets from here on than the other.
fn gain(pits: &Pits, capture: Capture, known: &mut HashMap<Pits, i64>) -> i64 {
    if let Some(&gain) = known.get(pits) {
        return gain;
    }
    let sum = |side: &[u32]| i64::from(side.iter().sum::<u32>());
    let best = if is_over(pits) {
        sum(&pits.0) - sum(&pits.1)
    } else {
        let moves = sown(pits, capture)
            .into_iter()
            .map(|(after, stored, again)| {
                i64::from(stored)
                    + if again {
                        gain(&after, capture, known)
                    } else {
                        -gain(&exchanged(after), capture, known)
                    }
            });
        moves.max().expect("a seed")
    };
    known.insert(pits.clone(), best);
    best
}

/// How many positions can be reached in which the game goes on.
fn literal_positions(m: usize, n: u32, capture: Capture) -> usize {
    // Pits, the store of the player to move and the other's, and who that is.
    let start = ((vec![n; m], vec![n; m]), 0, 0, true);
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some((pits, own, other, max_moves)) = open.pop() {
        for (after, stored, again) in sown(&pits, capture) {
            let next = if again {
                (after, own + stored, other, max_moves)
            } else {
                (exchanged(after), other, own + stored, !max_moves)
            };
            if !is_over(&next.0) && seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    seen.len()
}

/// Every pair of numbers for which the fold is quick; then values that it has found, as a row for
/// each number of pits.
#[test]
fn kalah_is_worth_what_a_literal_fold_finds() {
    for capture in [Capture::Always, Capture::Seeds] {
        let fold = |m: u32, n: u32| {
            let pits = (vec![n; m as usize], vec![n; m as usize]);
            let expected = gain(&pits, capture, &mut HashMap::new());
            let game = Kalah::new(m, n).expect("a game").with_capture(capture);
            for bounds in [false, true] {
                let found = kalah_value(game, bounds);
                assert_eq!(i64::from(found), expected, "{m} pits, {n} seeds");
            }
            expected
        };
        assert_eq!([1, 2, 3, 4, 5, 6].map(|n| fold(1, n)), [0, -2, 6, -2, 2, 0]);
        let four = if capture == Capture::Always { -12 } else { -10 };
        assert_eq!(
            [1, 2, 3, 4, 5, 6].map(|n| fold(2, n)),
            [2, -2, -2, four, 6, 8]
        );
        assert_eq!([1, 2, 3].map(|n| fold(3, n)), [0, 4, 2]);
        assert_eq!([1, 2].map(|n| fold(4, n)), [2, 6]);
        assert_eq!(fold(5, 1), 0);
        fold(1, 100);
    }
}

/// Who wins, from the literature. The last of these differs with the rule of capture.
#[test]
fn kalah_from_the_start() {
    for (m, n, sign) in [(3, 4, 1), (3, 5, 1), (3, 6, -1), (4, 3, 1), (5, 2, 0)] {
        let game = Kalah::new(m, n).expect("a game");
        assert_eq!(
            kalah_value(game, true).signum(),
            sign,
            "{m} pits, {n} seeds"
        );
    }
    let game = Kalah::new(6, 4)
        .expect("a game")
        .after("362")
        .expect("legal");
    let mut name = String::new();
    game.name(&game.root(), &mut name).expect("a string");
    assert_eq!(name, "4 4 0 5 5 0 [2] 5 0 6 6 5 5 [1], MIN to move");
    let game = Kalah::new(5, 2).expect("a game");
    assert_eq!(kalah_value(game.with_capture(Capture::Seeds), true), 2);
}

fn kalah_value(game: Kalah, bounds: bool) -> i16 {
    if !bounds {
        return value(&game, &game, &game.root());
    }
    let (window, budget) = (Window::full(game.lattice()), Budget::unlimited());
    let mut env = Env::new(&budget)
        .with_store(Table::new())
        .with_heuristic(game);
    let outcome = nega_scout(&game, &game, &window, &mut env);
    *outcome.exact().expect("no limit")
}

#[test]
fn kalah_keeps_its_seeds() {
    let sizes = [(1, 6), (2, 2), (2, 4), (3, 2), (4, 1)];
    let both = [Capture::Always, Capture::Seeds].map(|capture| sizes.map(|size| (size, capture)));
    for ((m, n), capture) in both.into_iter().flatten() {
        let game = Kalah::new(m, n).expect("a game").with_capture(capture);
        let positions = reached(&game);
        let going_on = positions.iter().filter(|position| !position.is_over());
        assert_eq!(
            going_on.count(),
            literal_positions(m as usize, n, capture),
            "{m} pits, {n} seeds"
        );
        for position in positions.iter().filter(|position| position.is_over()) {
            let (max, min) = game.stores(position);
            assert_eq!(max + min, game.seeds());
            assert_eq!(
                i64::from(game.leaf(position)),
                i64::from(max) - i64::from(min)
            );
        }
    }
}

/// The file of end positions: by the seeds that it names, and with the values that two more
/// algorithms find.
#[test]
fn the_end_positions_have_their_values() {
    let file = include_str!("../../../../cases/connect_four_ends.txt");
    let empty = ConnectFour::new(7, 6).expect("a board");
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let lines: Vec<(&str, i8)> = lines
        .map(|line| {
            let (moves, value) = line.split_once(' ').expect("two columns");
            (moves, value.parse().expect("a number"))
        })
        .collect();
    assert_eq!(lines.len(), 2000);
    for (i, (moves, score)) in lines.iter().enumerate().step_by(41) {
        let seed = 1000 * moves.len() + i % 500;
        let drawn = random_play(&empty, moves.len(), seed as u64);
        assert_eq!(drawn.as_deref(), Some(*moves));
        let game = empty.after(moves).expect("legal");
        assert_eq!(value_with_bounds(game, game.root()), *score, "{moves}");
        let budget = Budget::unlimited();
        let mut env = Env::new(&budget).with_store(Table::new());
        let other = mtd_f(&game, &game, Guess::Top, &mut env);
        assert_eq!(other.exact(), Some(score), "{moves}");
    }
}
