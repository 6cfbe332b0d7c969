//! Hexapawn: all positions of a board, named as on the board, with two criteria at the leaves.

use clap::Args;
use meetjoin_dag::{AndOrDag, Graph, Kind, Problem};
use meetjoin_file::{LatticeError, OutcomeVectors};
use meetjoin_games::{Hexapawn, HexapawnPosition};
use meetjoin_lattice::{
    AnyElem, AnyLattice, Chain, ElemOf, Extended, FreeLattice, Lattice, Product,
};
use serde::{Deserialize, Serialize};

use crate::game::{
    Game, MOST_POSITIONS, Made, NO_OUTCOMES, compact, expand, lattice_key, positions, sentence,
};
use crate::games::words::CriteriaLattice;

#[derive(Args, Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // they would become the help of the command
pub struct HexapawnArgs {
    /// Number of columns of the board, and of pawns of each player.
    #[arg(
        long,
        value_name = "C",
        default_value_t = 3,
        allow_negative_numbers = true
    )]
    pub columns: u32,

    /// Number of rows of the board.
    #[arg(
        long,
        value_name = "R",
        default_value_t = 3,
        allow_negative_numbers = true
    )]
    pub rows: u32,

    /// The algebra or lattice of the outcomes: pawns captured, and minus the pawns lost.
    #[arg(long, value_enum)]
    #[serde(with = "lattice_key")]
    pub lattice: CriteriaLattice,
}

const CRITERIA: usize = 2;

struct Board {
    args: HexapawnArgs,
    game: Hexapawn,
}

/// The game of its arguments.
pub(crate) fn made(args: HexapawnArgs) -> Made {
    let game = Hexapawn::new(args.columns, args.rows).map_err(sentence)?;
    Ok(Box::new(Board { args, game }))
}

/// All positions of a board, breadth-first, if they are not too many.
fn graph_of(game: &Hexapawn) -> Result<(Graph, Vec<HexapawnPosition>), String> {
    let too_many = || {
        let (columns, rows) = (game.columns(), game.rows());
        format!(
            "a board of {columns} columns and {rows} rows has more than {MOST_POSITIONS} positions"
        )
    };
    expand(game, MOST_POSITIONS)?.ok_or_else(too_many)
}

impl Board {
    /// The problem with these values; nodes are named by their positions.
    fn with_values<L: Lattice>(
        &self,
        lattice: L,
        value: impl Fn([Extended; CRITERIA]) -> ElemOf<L>,
    ) -> Result<Problem<L>, String> {
        let game = &self.game;
        let (graph, all) = graph_of(game)?;
        let leaves = all.iter().filter(|p| game.kind(p) == Kind::Leaf);
        let values = leaves.map(|leaf| value(game.outcome(leaf).map(Extended::Finite)));
        let values = values.collect();
        Problem::new(graph, positions(game, &all), lattice, values).map_err(sentence)
    }
}

impl Game for Board {
    fn compact(&self) -> String {
        compact("hexapawn", &self.args)
    }

    fn graph(&self) -> Result<Graph, String> {
        Ok(graph_of(&self.game)?.0)
    }

    fn has_outcomes(&self) -> bool {
        self.args.lattice == CriteriaLattice::Dominance
    }

    fn outcomes(&self) -> Result<Problem<OutcomeVectors>, String> {
        if !self.has_outcomes() {
            return Err(NO_OUTCOMES.to_owned());
        }
        let vectors = OutcomeVectors::power(Chain::unbounded(), CRITERIA);
        self.with_values(vectors, Into::into)
    }

    fn problem(&self) -> Result<Problem<AnyLattice>, String> {
        match self.args.lattice {
            CriteriaLattice::Dominance => Err(LatticeError::Dominance.to_string()),
            CriteriaLattice::Free => {
                let free = FreeLattice::of_vectors(CRITERIA);
                let lattice = AnyLattice::Free(free.clone());
                self.with_values(lattice, |numbers| {
                    AnyElem::Free(free.outcome(numbers.into()))
                })
            }
            CriteriaLattice::Product => {
                let most = i64::from(self.game.columns());
                let ends = [-most, most].map(Extended::Finite);
                let chain = Chain::new(ends[0], ends[1]).unwrap_or_else(Chain::unbounded);
                let lattice = Product::power(AnyLattice::Integers(chain), CRITERIA);
                self.with_values(AnyLattice::Product(lattice), |numbers| {
                    AnyElem::Tuple(numbers.map(AnyElem::Integer).into())
                })
            }
        }
    }
}
