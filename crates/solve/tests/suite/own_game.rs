//! A game of a user's own, searched by its rules: every algorithm, on one thread and on several,
//! finds what the rules say in plain recursion.

use std::fmt;
use std::num::NonZero;
use std::sync::Arc;

use meetjoin_catalogue::method::{ALGORITHMS, Algorithm, Needs};
use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Chain, Extended};
use meetjoin_search::{Tables, Visited};
use meetjoin_solve::subject::{position_name, visited_if_counted};
use meetjoin_solve::{
    CountNodes, Domain, NodeText, PositionCache, Request, Subject, Value, compiled, run,
};

/// Players take one to three matches in turn. Who takes the last one wins the matches that the
/// other has taken.
struct Matches {
    left: u8,
    chain: Chain<i32>,
    domain: Arc<Domain>,
}

/// The matches that are left, those that MAX and MIN have taken, and whether MAX is to move.
type Position = (u8, u8, u8, bool);

fn after((left, max, min, max_moves): Position, taken: u8) -> Position {
    if max_moves {
        (left - taken, max + taken, min, false)
    } else {
        (left - taken, max, min + taken, true)
    }
}

/// What MAX gets if nobody can move any more.
fn won((_, max, min, max_moves): Position) -> i32 {
    if max_moves {
        -i32::from(max)
    } else {
        i32::from(min)
    }
}

/// The value by the rules.
fn by_the_rules(position: Position) -> i32 {
    let next = (1..=position.0.min(3)).map(|taken| by_the_rules(after(position, taken)));
    let best = if position.3 { next.max() } else { next.min() };
    best.unwrap_or_else(|| won(position))
}

impl AndOrDag for Matches {
    type Node = Position;

    fn root(&self) -> Position {
        (self.left, 0, 0, true)
    }

    fn kind(&self, &(left, _, _, max_moves): &Position) -> Kind {
        match (left, max_moves) {
            (0, _) => Kind::Leaf,
            (_, true) => Kind::Or,
            (_, false) => Kind::And,
        }
    }

    fn children(&self, position: &Position, out: &mut Vec<Position>) {
        out.extend((1..=position.0.min(3)).map(|taken| after(*position, taken)));
    }

    fn name(&self, (left, max, min, _): &Position, out: &mut dyn fmt::Write) -> fmt::Result {
        write!(out, "{left} left, {max} and {min} taken")
    }
}

impl Valuation<Position> for Matches {
    type Lattice = Chain<i32>;

    fn lattice(&self) -> &Chain<i32> {
        &self.chain
    }

    fn leaf(&self, position: &Position) -> i32 {
        won(*position)
    }
}

impl Subject for Matches {
    type Dag = Self;
    type Values = Self;
    type Lattice = Chain<i32>;
    type Engines = compiled::All;
    type Stores = Tables;
    type Known<'s> = ();
    type Bounds<'s, 'k>
        = ()
    where
        's: 'k;
    type Distinct = Visited<Position>;

    fn dag(&self) -> &Self {
        self
    }

    fn values(&self) -> &Self {
        self
    }

    fn stores(&self, _: PositionCache, _: &Budget) -> Tables {
        Tables
    }

    fn known(&self, _: &Algorithm) {}

    fn bounds<'s, 'k>((): &'k ()) -> Option<()>
    where
        's: 'k,
    {
        None
    }

    fn distinct(&self, count: CountNodes, algorithm: &Algorithm) -> Option<Visited<Position>> {
        visited_if_counted(count, algorithm)
    }

    fn name(&self, position: &Position) -> NodeText {
        position_name(self, position)
    }

    fn value(&self, value: &i32) -> Value {
        let number = AnyElem::Integer(Extended::Finite(i64::from(*value)));
        Value::of(number, &self.domain)
    }
}

fn of(matches: u8) -> Matches {
    let lattice = AnyLattice::Integers(Chain::unbounded());
    let worlds = None;
    Matches {
        left: matches,
        chain: Chain::new(-100, 100).expect("ends in order"),
        domain: Arc::new(Domain { lattice, worlds }),
    }
}

#[test]
fn every_algorithm_searches_a_game_by_its_rules() {
    let mut tried = 0;
    for matches in 0..=11 {
        let game = of(matches);
        let value = by_the_rules(game.root()).to_string();
        for algorithm in ALGORITHMS {
            if algorithm.needs() == Needs::JoinPrimes {
                continue;
            }
            for threads in if algorithm.runs_on_threads() {
                1..=2
            } else {
                1..=1
            } {
                let budget = Budget::unlimited();
                let mut request = Request::new(*algorithm, &budget);
                request.threads = NonZero::new(threads).expect("a thread");
                request.moves = true;
                let answer = run::solve(&game, request).expect("an answer");
                let found = |found: &meetjoin_solve::Found| {
                    assert_eq!(found.stop, None, "{}", algorithm.id);
                    found.value.exact().expect("a value").text()
                };
                assert_eq!(found(&answer.root), value, "{} of {matches}", algorithm.id);
                let moves = answer.moves.expect("moves");
                assert_eq!(moves.len(), usize::from(matches.min(3)));
                for ((name, after_it), taken) in moves.iter().zip(1..) {
                    let position = after(game.root(), taken);
                    assert_eq!(name.text, position_name(&game, &position).text);
                    assert_eq!(found(after_it), by_the_rules(position).to_string());
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 12 * 10, "{tried}");
}
