//! Packets: what each move can guarantee without weights of the criteria, by the searches of the
//! dominance algebra.
//!
//! The dominance algebra is no lattice, so it has a search and an answer of its own.

mod answer;
mod events;

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use meetjoin_dag::{AndOrDag, NodeId, Problem, Rooted};
use meetjoin_dominance::{
    Algebra, Dominance, Event, Expression, LeafOutcomes, NotOffered, Packet, Player, Preference,
    RootMove, RootPackets, Searched, VectorGame, choose_move, guaranteed_sum,
    procedure_f_deep_lattice_only, procedure_f_shallow, root_packets,
};
use meetjoin_file::OutcomeVectors;
use meetjoin_lattice::{Budget, Extended};

pub use answer::PacketsAnswer;
pub use events::event_lines;

/// The numbers of a leaf, one for each criterion.
pub type Outcome = Arc<[i64]>;

/// How packets are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum PacketsAlgorithm {
    /// Evaluation of every node, without pruning.
    BottomUp,
    /// Procedure F with shallow pruning: exact.
    ProcedureFShallow,
    /// Procedure F with deep pruning: exact as a value of the free lattice only, so packets may be
    /// missing or superfluous.
    ProcedureFDeep,
}

impl PacketsAlgorithm {
    /// Its name on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Self::BottomUp => "bottom-up",
            Self::ProcedureFShallow => "procedure-f-shallow",
            Self::ProcedureFDeep => "procedure-f-deep",
        }
    }
}

/// The problem's graph with its outcomes as plain numbers.
///
/// # Errors
/// If an outcome is no vector of numbers.
pub fn vectors(problem: &Problem<OutcomeVectors>) -> Result<VectorGame, String> {
    let number = |number: &Extended| match number {
        Extended::Finite(number) => Ok(*number),
        infinite => Err(format!(
            "an outcome holds {infinite}, which is not a number"
        )),
    };
    let outcomes = problem.values().list();
    let outcomes = outcomes
        .iter()
        .map(|outcome| outcome.iter().map(number).collect());
    let outcomes = outcomes.collect::<Result<Vec<Vec<i64>>, String>>()?;
    VectorGame::new(problem.graph().clone(), outcomes).map_err(|error| error.to_string())
}

/// The result of a search, and its cost.
#[derive(Debug)]
pub struct Found {
    /// The root and its moves.
    pub root: RootPackets<NodeId, Outcome>,
    /// Packets that the player at the root can guarantee: all relevant ones, unless the search was
    /// stopped.
    pub packets: Expression<Outcome>,
    /// What MAX can guarantee.
    pub of_max: Option<Expression<Outcome>>,
    /// Nodes visited, in all searches.
    pub visits: u64,
    /// Leaves evaluated.
    pub leaves: u64,
    /// The time of the search alone.
    pub seconds: f64,
}

/// What a preference picks at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenMove {
    /// The packet.
    pub packet: Packet<Outcome>,
    /// The first move that has it.
    pub node: NodeId,
    /// Other moves that are as good.
    pub tied: Vec<NodeId>,
}

impl Found {
    /// The move chosen by a preference of the player at the root. `None` if the search was stopped,
    /// or the root is a leaf.
    ///
    /// # Errors
    /// If no move has the chosen packet, which is possible with deep pruning only.
    pub fn choice(
        &self,
        preference: &dyn Preference<Outcome>,
    ) -> Result<Option<ChosenMove>, NotOffered> {
        let root = &self.root;
        if root.stop.is_some() {
            return Ok(None);
        }
        let preference = |a: &Outcome, b: &Outcome| preference.compare(a, b);
        let node = |place: usize| root.moves[place].node;
        Ok(choose_move(&preference, root)?.map(|choice| {
            let chosen = node(choice.r#move);
            let mut tied: Vec<NodeId> = choice.tied_moves.into_iter().map(node).collect();
            tied.dedup();
            tied.retain(|&other| other != chosen);
            ChosenMove {
                packet: choice.packet.clone(),
                node: chosen,
                tied,
            }
        }))
    }

    /// The most that MAX can guarantee of a weighted sum, for weights that
    /// [fit](meetjoin_dominance::check_weights). `None` if the search was stopped.
    pub fn weighed(&self, weights: &[i64]) -> Option<i128> {
        guaranteed_sum(self.of_max.as_ref()?, weights)
    }
}

/// Counts the leaves that are evaluated.
struct Counting<'a> {
    game: &'a VectorGame,
    leaves: Cell<u64>,
}

impl LeafOutcomes<NodeId> for Counting<'_> {
    type Order = Dominance;

    fn order(&self) -> &Dominance {
        self.game.order()
    }

    fn outcome(&self, node: &NodeId) -> Outcome {
        self.leaves.set(self.leaves.get() + 1);
        self.game.outcome(node)
    }
}

/// Receives the events of procedure F at the root.
pub type Observe<'o> = dyn FnMut(&Event<'_, NodeId, Outcome>) + 'o;

/// The packets of the root and of each move.
pub fn search(
    algorithm: PacketsAlgorithm,
    game: &VectorGame,
    budget: &Budget,
    observe: &mut Observe<'_>,
) -> Found {
    let leaves = Counting {
        game,
        leaves: Cell::new(0),
    };
    let started = Instant::now();
    let (mut root, partial) = if algorithm == PacketsAlgorithm::BottomUp {
        let root = root_packets(game, &leaves, budget);
        // The packets of each finished move are guaranteed; combining them could take as long as
        // the stopped search.
        let mut finished = root
            .moves
            .iter()
            .filter_map(|r#move| r#move.packets.clone());
        let partial = finished
            .next_back()
            .unwrap_or_else(|| Expression::empty(root.player));
        (root, partial)
    } else {
        let searched = procedure_f(algorithm, game, game.root(), &leaves, budget, observe);
        let partial = searched.packets.clone();
        (
            moves_by_procedure_f(algorithm, game, searched, &leaves, budget),
            partial,
        )
    };
    let packets = root.packets.clone().unwrap_or(partial);
    let of_max = match root.stop {
        None => Algebra::new(game.order(), budget).for_player(Player::Max, packets.clone()),
        Some(stop) => Err(stop),
    };
    root.stop = of_max.as_ref().err().copied();
    Found {
        root,
        packets,
        of_max: of_max.ok(),
        visits: budget.visits_made(),
        leaves: leaves.leaves.get(),
        seconds: started.elapsed().as_secs_f64(),
    }
}

fn procedure_f(
    algorithm: PacketsAlgorithm,
    game: &VectorGame,
    root: NodeId,
    leaves: &Counting<'_>,
    budget: &Budget,
    observe: &mut Observe<'_>,
) -> Searched<Outcome> {
    let dag = Rooted { dag: game, root };
    if algorithm == PacketsAlgorithm::ProcedureFDeep {
        let searched = procedure_f_deep_lattice_only(&dag, leaves, budget, observe);
        searched.found_perhaps_inexact().clone()
    } else {
        procedure_f_shallow(&dag, leaves, budget, observe)
    }
}

/// Searches each move by itself: pruning at the root would leave moves unfinished.
fn moves_by_procedure_f(
    algorithm: PacketsAlgorithm,
    game: &VectorGame,
    root: Searched<Outcome>,
    leaves: &Counting<'_>,
    budget: &Budget,
) -> RootPackets<NodeId, Outcome> {
    let player = root.packets.player();
    let mut stop = root.stop;
    let mut children = Vec::new();
    game.children(&game.root(), &mut children);
    let moves = children.into_iter().map(|node| {
        let packets = stop.map_or(Ok(()), Err).and_then(|()| {
            let searched = procedure_f(algorithm, game, node, leaves, budget, &mut |_| {});
            searched.stop.map_or(Ok(()), Err)?;
            Algebra::new(game.order(), budget).for_player(player, searched.packets)
        });
        stop = packets.as_ref().err().copied();
        RootMove {
            node,
            packets: packets.ok(),
        }
    });
    RootPackets {
        player,
        moves: moves.collect(),
        packets: root.stop.is_none().then_some(root.packets),
        stop,
    }
}
