//! Any game with hidden cards as an explicit problem: for files, and for algorithms that need all
//! nodes.
//!
//! Idea: positions are numbered in breadth-first order; leaves have the same values as in a search
//! by the rules.
//!
//! Cost: a position, a name and a row of moves for each node.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use meetjoin_lattice::{AnyLattice, Budget, FixedBitSet, Stop, TooManyWorlds};

use super::game::{HiddenGame, Turn};
use super::stakes::Stakes;
use super::values::HiddenSets;
use crate::{GraphError, NodeId, NodeName, Problem, Rows, Valuation, WorldNames};

/// Why a game cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotListed {
    /// A limit was reached.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// The game does not end, or is too large.
    #[error(transparent)]
    Graph(GraphError<NodeId>),
    /// Too many stakes.
    #[error(transparent)]
    TooManyWorlds(#[from] TooManyWorlds),
}

/// The problem of a game: over sets of stakes if MAX sees all cards, over families of them if she
/// does not. Nodes are named by their positions and moves, and worlds by stakes.
///
/// # Errors
/// Why there is none.
pub fn listed<G: HiddenGame>(
    game: &G,
    stakes: &Stakes,
    in_families: bool,
    budget: &Budget,
) -> Result<Problem<AnyLattice>, NotListed> {
    let sets = HiddenSets::<G, FixedBitSet>::new(game, stakes)?;
    let lattice = if in_families {
        AnyLattice::families(stakes.len())
    } else {
        AnyLattice::powerset(stakes.len())
    };
    let mut positions = vec![game.start()];
    let mut numbers = HashMap::from([(game.start(), NodeId::from(0))]);
    let (mut rows, mut values) = (Rows::new(), Vec::new());
    let (mut moves, mut names, mut taken) = (Vec::new(), Vec::new(), HashSet::new());
    while let Some(position) = positions.get(rows.node_count()).cloned() {
        budget.steps(1)?;
        let mut name = String::new();
        let _ = game.name(&position, &mut name);
        // Names must differ, or a file of them could not be read back.
        while !taken.insert(name.clone()) {
            let _ = write!(name, " #{}", rows.node_count());
        }
        names.push(NodeName::from(name.as_str()));
        let turn = game.turn(&position);
        let added = if turn == Turn::Over {
            budget.steps(stakes.len() as u64 / 64)?;
            let value = lattice.set_of(&sets.leaf(&position));
            values.push(value.unwrap_or_else(|| unreachable!("there are so many stakes")));
            rows.leaf()
        } else {
            game.moves(&position, &mut moves);
            let row = moves.drain(..).map(|next: G::Position| {
                *numbers.entry(next).or_insert_with_key(|next| {
                    positions.push(next.clone());
                    // `rows` refuses more nodes than there are numbers.
                    NodeId::from(positions.len() as u32 - 1)
                })
            });
            match turn {
                Turn::Max => rows.or(row),
                _ => rows.and(row),
            }
        };
        added.map_err(NotListed::Graph)?;
    }
    let graph = rows.finish(NodeId::from(0)).map_err(NotListed::Graph)?;
    let problem = Problem::new(graph, names, lattice, values);
    let problem = problem.unwrap_or_else(|_| unreachable!("a name a node, and a value a leaf"));
    Ok(problem.with_world_names(Some(world_names(game, stakes))))
}

/// The names of the elements of sets, and the world of each.
fn world_names<G: HiddenGame>(game: &G, stakes: &Stakes) -> WorldNames {
    let name = |world| {
        let mut name = String::new();
        // Writing to a string fails only if the game says so; then the name ends there.
        let _ = game.world_name(world, &mut name);
        name
    };
    if stakes.are_worlds() {
        let names: Vec<String> = (0..game.worlds()).map(name).collect();
        return names.into();
    }
    WorldNames::of_stakes((0..game.worlds()).map(|world| {
        let of_world = stakes.of_world(world).filter_map(|place| stakes.get(place));
        let points = of_world.map(|stake| stake.more_than.saturating_add(1));
        (name(world), points.collect())
    }))
}
