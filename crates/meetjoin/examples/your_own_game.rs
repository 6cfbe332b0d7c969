//! Nim, described by its rules: take any number from one heap; whoever takes the last wins.

use meetjoin::dag::{AndOrDag, Kind, Valuation};
use meetjoin::lattice::Bool;

/// The game: the heaps at the start, in ascending order.
struct Nim([u8; 3]);

/// A position: the heaps in ascending order, and whether it is my turn.
type Position = ([u8; 3], bool);

impl AndOrDag for Nim {
    type Node = Position;
    fn root(&self) -> Position {
        (self.0, true)
    }
    fn kind(&self, &(heaps, mine): &Position) -> Kind {
        match mine {
            _ if heaps == [0, 0, 0] => Kind::Leaf,
            true => Kind::Or,
            false => Kind::And,
        }
    }
    fn children(&self, &(heaps, mine): &Position, out: &mut Vec<Position>) {
        for heap in 0..3 {
            for left in 0..heaps[heap] {
                let mut after = heaps;
                after[heap] = left;
                after.sort_unstable();
                out.push((after, !mine));
            }
        }
    }
}

impl Valuation<Position> for Nim {
    type Lattice = Bool;
    fn lattice(&self) -> &Bool {
        &Bool
    }
    fn leaf(&self, &(_, mine): &Position) -> bool {
        !mine // whoever finds no heap to take from has lost
    }
}

fn main() {
    assert!(meetjoin::solve(&Nim([3, 4, 5])) && !meetjoin::solve(&Nim([3, 5, 6])));
    println!("who begins wins with 3, 4, 5 and loses with 3, 5, 6");
}
