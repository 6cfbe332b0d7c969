//! Games on random trees with several criteria: one tree over several lattices, and in the
//! dominance algebra.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use meetjoin_dag::{Graph, NodeId, NodeName, Problem};
use meetjoin_dominance::{
    Dominance, Expression, LeafOutcomes, Searched, VectorGame, bottom_up,
    procedure_f_deep_lattice_only, procedure_f_shallow,
};
use meetjoin_games::{Correlation, CriteriaParameters, CriteriaTree};
use meetjoin_lattice::{
    AnyElem, AnyLattice, Budget, Chain, Extended, FreeLattice, Lattice, Powerset, Product, Stop,
    Words,
};
use meetjoin_search::Counts;
use meetjoin_solve::{explicit, explicit_over};
use serde_json::json;

use crate::measuring::instance::{Instance, Solved, alone};
use crate::measuring::memory;

/// The lattices of [`over`], by their values.
pub(crate) const LATTICES: [&str; 5] = ["chain", "2^4", "2^8", "3 criteria", "free over 3"];

/// The largest value of a criterion in [`over`]. Small, so that values of the free lattice stay
/// small.
const MOST: u32 = 3;

/// A tree over a lattice, numbered from 1 as in [`LATTICES`]. The leaves have eight independent
/// criteria, whatever the lattice: the chain sees the first, the product and the free lattice see
/// three, and a set has a world for each criterion in the upper half.
pub(crate) fn over(lattice: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    let tree = CriteriaTree::new(CriteriaParameters {
        depth: 6,
        branching: 3,
        criteria: 8,
        most: MOST,
        correlation: Correlation::Independent,
        alternating: true,
        seed,
    });
    let tree = tree.map_err(sentence)?;
    match lattice {
        1 => chain(tree),
        2 => sets(tree, 4),
        3 => sets(tree, 8),
        4 => three(tree),
        5 => free(tree),
        _ => Err(format!("there is no lattice {lattice}")),
    }
}

/// A graph with the values of its leaves, as a problem.
fn problem<L: Lattice>(
    lattice: L,
    (graph, values): (Graph, Vec<L::Elem>),
) -> Result<Problem<L>, String> {
    let numbers = graph.nodes().map(|node| i64::from(u32::from(node)));
    let names = numbers.map(NodeName::Int).collect();
    Problem::new(graph, names, lattice, values).map_err(sentence)
}

fn chain(tree: CriteriaTree) -> Result<Box<dyn Instance>, String> {
    let parts = tree.into_parts(|vector| integer(vector[0]));
    let problem = problem(integers()?, parts)?;
    Ok(alone(explicit(problem).map_err(sentence)?))
}

fn sets(tree: CriteriaTree, worlds: usize) -> Result<Box<dyn Instance>, String> {
    let lattice: Powerset<Words<1>> = Powerset::new(worlds).map_err(sentence)?;
    let half = i64::from(MOST / 2);
    let parts = tree.into_parts(|vector| lattice.set((0..worlds).filter(|i| vector[*i] > half)));
    let (graph, sets) = parts;
    // All worlds exist, so every leaf has a set.
    let sets = sets.into_iter().flatten().map(AnyElem::SmallSet);
    let parts = (graph, sets.collect());
    let problem = problem(AnyLattice::powerset(worlds), parts)?;
    Ok(alone(explicit(problem).map_err(sentence)?))
}

fn three(tree: CriteriaTree) -> Result<Box<dyn Instance>, String> {
    let lattice = [numbers()?, numbers()?, numbers()?];
    let any = AnyLattice::Product(Product::power(integers()?, 3));
    let parts = tree.into_parts(|vector| [vector[0], vector[1], vector[2]]);
    let problem = problem(lattice, parts)?;
    Ok(alone(explicit_over(problem, any, |value| {
        AnyElem::Tuple(value.iter().map(|number| integer(*number)).collect())
    })))
}

fn free(tree: CriteriaTree) -> Result<Box<dyn Instance>, String> {
    let lattice = FreeLattice::of_vectors(3);
    let any = AnyLattice::Free(lattice.clone());
    let parts = tree.into_parts(|vector| {
        let outcome = vector[..3].iter().copied().map(Extended::Finite);
        lattice.outcome(outcome.collect())
    });
    let problem = problem(lattice.clone(), parts)?;
    Ok(alone(explicit_over(problem, any, |value| {
        AnyElem::Free(value.clone())
    })))
}

fn numbers() -> Result<Chain<i64>, String> {
    Chain::new(0, i64::from(MOST)).ok_or_else(|| "0 is the least criterion".to_owned())
}

fn integers() -> Result<AnyLattice, String> {
    let ends = [0, i64::from(MOST)].map(Extended::Finite);
    let chain = Chain::new(ends[0], ends[1]);
    let chain = chain.ok_or_else(|| "0 is the least criterion".to_owned())?;
    Ok(AnyLattice::Integers(chain))
}

fn integer(number: i64) -> AnyElem {
    AnyElem::Integer(Extended::Finite(number))
}

/// A tree in the dominance algebra.
pub(crate) fn packets(criteria: u32, seed: u64) -> Result<Box<dyn Instance>, String> {
    let game = vector_game(5, criteria, Correlation::Independent, seed)?;
    Ok(Box::new(Packets { game }))
}

/// A binary tree with vectors of numbers from 0 to 9 at its leaves.
pub(crate) fn vector_game(
    depth: u32,
    criteria: u32,
    correlation: Correlation,
    seed: u64,
) -> Result<VectorGame, String> {
    let tree = CriteriaTree::new(CriteriaParameters {
        depth,
        branching: 2,
        criteria,
        most: 9,
        correlation,
        alternating: true,
        seed,
    });
    let tree = tree.map_err(sentence)?;
    let (graph, vectors): (Graph, Vec<Vec<i64>>) = tree.into_parts(<[i64]>::to_vec);
    VectorGame::new(graph, vectors).map_err(sentence)
}

#[allow(clippy::needless_pass_by_value)] // so that it can be given to `map_err`
fn sentence(error: impl ToString) -> String {
    error.to_string()
}

struct Packets {
    game: VectorGame,
}

/// An outcome of a leaf.
pub(crate) type Vector = Arc<[i64]>;

/// The leaves of a game, counted as they are asked for.
struct CountedLeaves<'a> {
    game: &'a VectorGame,
    asked: Cell<u64>,
}

impl LeafOutcomes<NodeId> for CountedLeaves<'_> {
    type Order = Dominance;

    fn order(&self) -> &Dominance {
        self.game.order()
    }

    fn outcome(&self, node: &NodeId) -> Vector {
        self.asked.set(self.asked.get() + 1);
        self.game.outcome(node)
    }
}

impl Instance for Packets {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let game = &self.game;
        let leaves = CountedLeaves {
            game,
            asked: Cell::new(0),
        };
        let ended = |searched: Searched<Vector>| (searched.stop, Some(searched.packets));
        memory::reset_peak();
        let started = Instant::now();
        let (stop, packets): (Option<Stop>, Option<Expression<Vector>>) = match algorithm {
            "bottom-up" => match bottom_up(game, &leaves, budget) {
                Ok(packets) => (None, Some(packets)),
                Err(stop) => (Some(stop), None),
            },
            "procedure-f-shallow" => ended(procedure_f_shallow(game, &leaves, budget, &mut |_| ())),
            "procedure-f-deep" => {
                let found = procedure_f_deep_lattice_only(game, &leaves, budget, &mut |_| ());
                // Not exact as packets, so the result cannot be compared with the others.
                (found.found_perhaps_inexact().stop, None)
            }
            _ => return Err(format!("no algorithm {algorithm} runs on packets")),
        };
        let seconds = started.elapsed().as_secs_f64();
        let peak_bytes = memory::peak();
        let visits = budget.visits_made();
        Ok(Solved {
            seconds,
            counts: Counts {
                visits,
                leaves: leaves.asked.get(),
                ..Counts::default()
            },
            // A tree has one path to each node.
            nodes: count_nodes.then_some(visits as usize),
            peak_bytes,
            stop,
            value: packets.filter(|_| stop.is_none()).map(|p| json(&p)),
        })
    }
}

/// The packets as `meetjoin packets --json` prints them.
fn json(expression: &Expression<Vector>) -> String {
    let packets = expression.packets().iter();
    let packets: Vec<Vec<&[i64]>> = packets
        .map(|packet| packet.outcomes().iter().map(|outcome| &**outcome).collect())
        .collect();
    json!(packets).to_string()
}
