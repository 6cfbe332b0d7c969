//! Hexapawn as a problem: all positions of a board, named as on the board, with two criteria at the leaves.

use meetjoin::dag::{AndOrDag, Graph, Kind, LatticeError, NodeName, OutcomeVectors, Problem};
use meetjoin::games::{Hexapawn, HexapawnPosition};
use meetjoin::lattice::{AnyElem, AnyLattice, Chain, ElemOf, Extended, FreeLattice, Product};

use crate::args::CriteriaLattice;
use crate::games::{expand, sentence};

/// The most positions that are written: a board with more would not end.
const MOST_POSITIONS: usize = 1 << 20;
const CRITERIA: usize = 2;

/// The board with all positions, breadth-first.
pub(crate) fn graph(game: &Hexapawn) -> Result<(Graph, Vec<HexapawnPosition>), String> {
    graph_up_to(game, MOST_POSITIONS)
}

fn graph_up_to(game: &Hexapawn, most: usize) -> Result<(Graph, Vec<HexapawnPosition>), String> {
    let too_many = || {
        let (columns, rows) = (game.columns(), game.rows());
        format!("a board of {columns} columns and {rows} rows has more than {most} positions")
    };
    expand(game, most)?.ok_or_else(too_many)
}

/// The problem over outcomes of the dominance algebra.
pub(crate) fn outcomes(game: &Hexapawn) -> Result<Problem<OutcomeVectors>, String> {
    let vectors = OutcomeVectors::power(Chain::unbounded(), CRITERIA);
    problem(game, vectors, Into::into)
}

/// The problem over a lattice.
pub(crate) fn explicit(
    game: &Hexapawn,
    lattice: CriteriaLattice,
) -> Result<Problem<AnyLattice>, String> {
    match lattice {
        CriteriaLattice::Dominance => Err(LatticeError::Dominance.to_string()),
        CriteriaLattice::Free => {
            let free = FreeLattice::of_vectors(CRITERIA);
            let lattice = AnyLattice::Free(free.clone());
            problem(game, lattice, |numbers| {
                AnyElem::Free(free.outcome(numbers.into()))
            })
        }
        CriteriaLattice::Product => {
            let most = i64::from(game.columns());
            let ends = [-most, most].map(Extended::Finite);
            let chain = Chain::new(ends[0], ends[1]).unwrap_or_else(Chain::unbounded);
            let lattice = Product::power(AnyLattice::Integers(chain), CRITERIA);
            problem(game, AnyLattice::Product(lattice), |numbers| {
                AnyElem::Tuple(numbers.map(AnyElem::Integer).into())
            })
        }
    }
}

/// The problem with these values; nodes are named by their positions.
fn problem<L: meetjoin::lattice::Lattice>(
    game: &Hexapawn,
    lattice: L,
    value: impl Fn([Extended; CRITERIA]) -> ElemOf<L>,
) -> Result<Problem<L>, String> {
    let (graph, positions) = graph(game)?;
    let leaves = positions.iter().filter(|p| game.kind(p) == Kind::Leaf);
    let values = leaves.map(|leaf| value(game.outcome(leaf).map(Extended::Finite)));
    let values = values.collect();
    let names = positions.iter().map(|position| {
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = game.name(position, &mut name);
        NodeName::from(name.as_str())
    });
    Problem::new(graph, names.collect(), lattice, values).map_err(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_with_too_many_positions_is_refused() {
        let game = Hexapawn::new(3, 3).expect("a board");
        let positions = |most| graph_up_to(&game, most).map(|(_, positions)| positions.len());
        assert_eq!(positions(71), Ok(71));
        let refused = "a board of 3 columns and 3 rows has more than 70 positions";
        assert_eq!(positions(70), Err(refused.to_owned()));
    }
}
