//! Uniform trees U(b, d) for the algorithms of total orders. A small tree takes microseconds, so an
//! instance has enough trees to be measured.

use meetjoin_games::{ChildOrder, LeafValues, UniformParameters, UniformTree};
use meetjoin_lattice::{Chain, Extended};
use meetjoin_problems::games::uniform;
use meetjoin_solve::explicit;

use crate::measuring::instance::{Instance, Series};

/// The shapes of the panels that compare leaves.
pub(crate) const SHAPES: [&str; 4] = ["U(10,3)", "U(4,5)", "U(3,6)", "U(2,12)"];
const SIZES: [(u32, u32); 4] = [(10, 3), (4, 5), (3, 6), (2, 12)];

/// The number of leaves aimed at, over all trees of an instance.
const LEAVES: u64 = 200_000;
/// The same for broad trees: larger, so that fewer instances have a single tree.
const LEAVES_OF_BROAD: u64 = 1_000_000;
/// The most trees of an instance.
const MOST_TREES: u64 = 12_500;
/// Values of leaves, and of edges, go up to this, so that equal ones are rare.
const MOST: u32 = 1_000_000;

/// Trees of one of the [`SHAPES`]; shape 1 is the first.
pub(crate) fn shape(
    shape: u32,
    values: LeafValues,
    ordering: ChildOrder,
    seed: u64,
) -> Result<Box<dyn Instance>, String> {
    let size = SIZES.get((shape as usize).wrapping_sub(1));
    let &(branching, depth) = size.ok_or_else(|| format!("there is no shape {shape}"))?;
    Sample {
        branching,
        depth,
        together: LEAVES,
        values,
        ordering,
        most: MOST,
        slack: None,
        seed,
    }
    .over_numbers()
}

/// Trees with this branching factor, of four levels: the deepest that b = 60 leaves room for.
pub(crate) fn broad(
    branching: u32,
    values: LeafValues,
    ordering: ChildOrder,
    seed: u64,
) -> Result<Box<dyn Instance>, String> {
    Sample {
        branching,
        depth: 4,
        together: LEAVES_OF_BROAD,
        values,
        ordering,
        most: MOST,
        slack: None,
        seed,
    }
    .over_numbers()
}

/// How far bounds may lie away from the value, as a part of the greatest value of a leaf.
pub(crate) const SLACKS: [&str; 6] = ["1 %", "3 %", "10 %", "30 %", "100 %", "300 %"];
const PERCENT: [u32; 6] = [1, 3, 10, 30, 100, 300];

/// Trees whose inner nodes have bounds with one of the [`SLACKS`]; slack 1 is the first.
pub(crate) fn informed(slack: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    let percent = PERCENT.get((slack as usize).wrapping_sub(1));
    let percent = percent.ok_or_else(|| format!("there is no slack {slack}"))?;
    Sample {
        branching: 4,
        depth: 6,
        together: LEAVES,
        values: LeafValues::Independent,
        ordering: ChildOrder::Random,
        most: MOST,
        slack: Some(percent * (MOST / 100)),
        seed,
    }
    .over_numbers()
}

/// The trees by which searches for proofs are compared: the [`SHAPES`], and the last of them with
/// few values.
pub(crate) const PROVED: [&str; 6] = ["U(10,3)", "U(4,5)", "U(3,6)", "U(2,12)", "0 to 9", "0 or 1"];

/// Trees of one kind of [`PROVED`], over a chain that ends at the greatest value; kind 1 is the
/// first.
pub(crate) fn proved(kind: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    let last = SIZES[SIZES.len() - 1];
    let ((branching, depth), most) = match kind {
        1..=4 => (SIZES[kind as usize - 1], MOST),
        5 => (last, 9),
        6 => (last, 1),
        _ => return Err(format!("there is no kind {kind}")),
    };
    Sample {
        branching,
        depth,
        together: LEAVES,
        values: LeafValues::Independent,
        ordering: ChildOrder::Random,
        most,
        slack: None,
        seed,
    }
    .over_integers()
}

/// Which trees an instance has.
struct Sample {
    branching: u32,
    depth: u32,
    /// The number of leaves aimed at, over all trees.
    together: u64,
    values: LeafValues,
    ordering: ChildOrder,
    /// The greatest value of a leaf, or of an edge.
    most: u32,
    /// How far bounds may lie away from the value, if there are any.
    slack: Option<u32>,
    seed: u64,
}

impl Sample {
    /// Values are numbers between two infinities.
    fn over_numbers(&self) -> Result<Box<dyn Instance>, String> {
        self.trees(&Chain::unbounded())
    }

    /// Values are integers between two others, of which a value can be found by claims.
    fn over_integers(&self) -> Result<Box<dyn Instance>, String> {
        let ends = [0, i64::from(self.most)].map(Extended::Finite);
        let chain = Chain::new(ends[0], ends[1]);
        self.trees(&chain.ok_or("0 is the least value")?)
    }

    fn trees(&self, chain: &Chain<Extended>) -> Result<Box<dyn Instance>, String> {
        let leaves = u64::from(self.branching).saturating_pow(self.depth);
        let count = (self.together / leaves).clamp(1, MOST_TREES);
        let tree = |i| {
            let tree = UniformTree::new(UniformParameters {
                depth: self.depth,
                branching: self.branching,
                values: self.values,
                most: self.most,
                ordering: self.ordering,
                seed: self.seed * 1_000_000 + i,
            });
            let tree = tree.map_err(|error| error.to_string())?;
            let problem = uniform::problem(tree, *chain, self.slack, self.seed)?;
            let problem = explicit(problem).map_err(|error| error.to_string())?;
            Ok((problem, None))
        };
        let trees = (0..count).map(tree).collect::<Result<_, String>>()?;
        Ok(Box::new(Series(trees)))
    }
}
