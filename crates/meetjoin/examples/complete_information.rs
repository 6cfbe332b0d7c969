//! A game with complete information, described by its rules: coins in a row.
//!
//! Two players take turns; each takes the first or the last coin. How much more than the other can
//! the first player get? Positions are generated while the search looks at them.

use meetjoin::dag::{AndOrDag, Kind, Valuation};
use meetjoin::lattice::{Budget, Chain};
use meetjoin::search::{Counts, Env, Table, Window, alpha_beta_duo};

const COINS: [i32; 14] = [8, 15, 3, 7, 11, 2, 9, 14, 6, 1, 12, 5, 10, 4];

/// The lattice: how far the first player is ahead at the end, from -107 (all coins) to 107.
struct Row(Chain<i32>);

/// The coins `.0 .. .1` are left, and I am `.2` ahead. A position says what matters for the rest of
/// the game alone: positions that are reached in several ways are equal, and searched once.
type Position = (usize, usize, i32);

impl AndOrDag for Row {
    type Node = Position;
    fn root(&self) -> Position {
        (0, COINS.len(), 0)
    }
    fn kind(&self, &(first, end, _): &Position) -> Kind {
        match end - first {
            0 => Kind::Leaf,
            left if left % 2 == 0 => Kind::Or, // my turn: I take what is best for me
            _ => Kind::And,                    // the other takes what is worst for me
        }
    }
    fn children(&self, position: &Position, out: &mut Vec<Position>) {
        let &(first, end, lead) = position;
        let mine = self.kind(position) == Kind::Or;
        let after = |coin| if mine { lead + coin } else { lead - coin };
        out.push((first + 1, end, after(COINS[first])));
        out.push((first, end - 1, after(COINS[end - 1])));
    }
}

impl Valuation<Position> for Row {
    type Lattice = Chain<i32>;
    fn lattice(&self) -> &Chain<i32> {
        &self.0
    }
    fn leaf(&self, &(_, _, lead): &Position) -> i32 {
        lead
    }
}

fn main() {
    let game = Row(Chain::new(-107, 107).expect("-107 lies below 107"));
    // What a search works with: limits (here none), somebody who counts, and a cache.
    let budget = Budget::unlimited();
    let env = Env::new(&budget).with_observer(Counts::default());
    let mut env = env.with_store(Table::new());
    let outcome = alpha_beta_duo(&game, &game, &Window::full(&game.0), &mut env);
    assert_eq!(outcome.exact(), Some(&11));
    println!("11 more; found in {} visits", env.observer.visits);
}
