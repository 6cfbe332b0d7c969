//! `meetjoin packets`: what each move can guarantee when nobody weighs the criteria beforehand.
//!
//! The dominance algebra is no lattice, so this command has a search and an answer of its own (`meetjoin-packets/1`).

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use meetjoin::dag::{AndOrDag, NodeId, NodeName, OutcomeVectors, Problem, Rooted};
use meetjoin::lattice::{Budget, Extended, Stop};
use meetjoin::search::dominance::{
    Algebra, Dominance, Expression, LeafOutcomes, Lexicographic, Packet, Player, Preference,
    RootMove, RootPackets, Searched, VectorGame, Weighted, choose_move,
    procedure_f_deep_lattice_only, procedure_f_shallow, root_packets,
};
use serde_json::{Value, json};

use crate::ALLOCATOR;
use crate::args::{PacketsAlgorithm, PacketsArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::solve::{self, Input};
use crate::text::aligned;

type Outcome = Arc<[i64]>;

/// Why a problem over a lattice has no packets.
pub(crate) const NO_OUTCOMES: &str =
    "packets need the lattice type `dominance`; `meetjoin solve` finds values in a lattice";

pub(crate) fn run(args: &PacketsArgs) -> Result<(), Failure> {
    let refused = |error: String| Failure::in_file(&args.file, error);
    let problem = match solve::read(&args.file)? {
        Input::Outcomes(problem) => *problem,
        Input::Game(game) => game.outcomes().map_err(refused)?,
        Input::Problem(_) => return Err(refused(NO_OUTCOMES.to_owned())),
    };
    let game = vectors(&problem).map_err(refused)?;
    let player = Player::of(game.kind(&game.root()));
    let wishes = Wishes::new(args, player, game.criteria()).map_err(Failure::Input)?;
    let budget = Budget::new(interrupt::limits(&args.limits)?);
    let found = search(args.algorithm, &game, &budget);
    let stopped = found.root.stop.is_some();
    let answer = Answer {
        problem: &problem,
        args,
        wishes,
        found,
    };
    output::print(&if args.json {
        answer.json()
    } else {
        answer.text()
    })?;
    if stopped {
        Err(Failure::Stopped)
    } else {
        Ok(())
    }
}

/// The problem's graph with its outcomes as plain numbers.
fn vectors(problem: &Problem<OutcomeVectors>) -> Result<VectorGame, String> {
    let number = |number: &Extended| match number {
        Extended::Finite(number) => Ok(*number),
        infinite => Err(format!("an outcome holds {infinite}, which is no number")),
    };
    let outcomes = problem.values().iter();
    let outcomes = outcomes.map(|outcome| outcome.iter().map(number).collect());
    let outcomes = outcomes.collect::<Result<Vec<Vec<i64>>, String>>()?;
    VectorGame::new(problem.graph().clone(), outcomes).map_err(|error| error.to_string())
}

/// What the player at the root wants.
struct Wishes {
    preference: Option<Box<dyn Preference<Outcome>>>,
    weights: Option<Vec<u32>>,
}

impl Wishes {
    fn new(args: &PacketsArgs, player: Player, criteria: usize) -> Result<Self, String> {
        let preference: Option<Box<dyn Preference<Outcome>>> =
            match (&args.prefer, &args.lexicographic) {
                (Some(weights), _) => {
                    let weighted = Weighted::new(player, criteria, weights.as_slice());
                    Some(Box::new(
                        weighted.map_err(|error| format!("--prefer: {error}"))?,
                    ))
                }
                (None, Some(first)) => {
                    let order = Lexicographic::new(player, criteria, first);
                    Some(Box::new(
                        order.map_err(|error| format!("--lexicographic: {error}"))?,
                    ))
                }
                (None, None) => None,
            };
        if let Some(weights) = args
            .weigh
            .as_ref()
            .filter(|weights| weights.len() != criteria)
        {
            let given = weights.len();
            return Err(format!(
                "--weigh: there are {criteria} criteria and {given} weights"
            ));
        }
        Ok(Self {
            preference,
            weights: args.weigh.clone(),
        })
    }
}

/// What a search found, and what it took.
struct Found {
    root: RootPackets<NodeId, Outcome>,
    /// Packets that the player at the root can guarantee; all that matter, unless the search was stopped.
    packets: Expression<Outcome>,
    /// The same for MAX.
    of_max: Option<Expression<Outcome>>,
    visits: u64,
    leaves: u64,
    seconds: f64,
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

/// The packets of the root and of each move.
fn search(algorithm: PacketsAlgorithm, game: &VectorGame, budget: &Budget) -> Found {
    let leaves = Counting {
        game,
        leaves: Cell::new(0),
    };
    let started = Instant::now();
    // Counters are those of the root's search alone.
    let counters = || {
        let seconds = started.elapsed().as_secs_f64();
        (budget.visits_made(), leaves.leaves.get(), seconds)
    };
    let (mut root, partial, (visits, leaves, seconds)) = if algorithm == PacketsAlgorithm::BottomUp
    {
        let root = root_packets(game, &leaves, budget);
        // Each finished move's packets are sure; adding them up could take as long as what was stopped.
        let mut finished = root
            .moves
            .iter()
            .filter_map(|r#move| r#move.packets.clone());
        let partial = finished
            .next_back()
            .unwrap_or_else(|| Expression::empty(root.player));
        (root, partial, counters())
    } else {
        let searched = procedure_f(algorithm, game, game.root(), &leaves, budget);
        let counters = counters();
        let partial = searched.packets.clone();
        (
            moves_by_procedure_f(algorithm, game, searched, &leaves, budget),
            partial,
            counters,
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
        visits,
        leaves,
        seconds,
    }
}

fn procedure_f(
    algorithm: PacketsAlgorithm,
    game: &VectorGame,
    root: NodeId,
    leaves: &Counting<'_>,
    budget: &Budget,
) -> Searched<Outcome> {
    let dag = Rooted { dag: game, root };
    if algorithm == PacketsAlgorithm::ProcedureFDeep {
        let searched = procedure_f_deep_lattice_only(&dag, leaves, budget, &mut |_| {});
        searched.found_perhaps_incomplete().clone()
    } else {
        procedure_f_shallow(&dag, leaves, budget, &mut |_| {})
    }
}

/// Each move by a search of its own: pruning at the root leaves moves half searched.
fn moves_by_procedure_f(
    algorithm: PacketsAlgorithm,
    game: &VectorGame,
    root: Searched<Outcome>,
    leaves: &Counting<'_>,
    budget: &Budget,
) -> RootPackets<NodeId, Outcome> {
    let player = root.packets.player();
    let mut stop = root.stop;
    let moves = game.graph().row(game.root()).iter().map(|&node| {
        let packets = stop.map_or(Ok(()), Err).and_then(|()| {
            let searched = procedure_f(algorithm, game, node, leaves, budget);
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

/// The answer, before it is printed.
struct Answer<'a> {
    problem: &'a Problem<OutcomeVectors>,
    args: &'a PacketsArgs,
    wishes: Wishes,
    found: Found,
}

/// What a preference picks at the root.
struct Choice<'a> {
    packet: &'a Packet<Outcome>,
    node: NodeId,
    tied: Vec<NodeId>,
}

impl Answer<'_> {
    fn choice(&self) -> Option<Choice<'_>> {
        let root = &self.found.root;
        let preference = self.wishes.preference.as_ref()?;
        let choice = choose_move(&|a: &Outcome, b: &Outcome| preference.compare(a, b), root)?;
        let node = |place: usize| root.moves[place].node;
        let chosen = node(choice.r#move);
        let mut tied: Vec<NodeId> = choice.tied_moves.into_iter().map(node).collect();
        tied.dedup();
        tied.retain(|&other| other != chosen);
        Some(Choice {
            packet: choice.packet,
            node: chosen,
            tied,
        })
    }

    /// The most that MAX can guarantee of the weighted sum: the best packet's worst outcome.
    fn weighed(&self) -> Option<i128> {
        let weights = self.wishes.weights.as_ref()?;
        let sum = |outcome: &Outcome| -> i128 {
            let terms = weights.iter().zip(outcome.iter());
            terms
                .map(|(&weight, &number)| i128::from(weight) * i128::from(number))
                .sum()
        };
        let packets = self.found.of_max.as_ref()?.packets().iter();
        packets
            .filter_map(|packet| packet.outcomes().iter().map(sum).min())
            .max()
    }

    /// The moves, each once.
    fn moves(&self) -> Vec<&RootMove<NodeId, Outcome>> {
        let mut moves: Vec<&RootMove<NodeId, Outcome>> = Vec::new();
        for r#move in &self.found.root.moves {
            if moves.iter().all(|other| other.node != r#move.node) {
                moves.push(r#move);
            }
        }
        moves
    }

    /// One JSON object, `meetjoin-packets/1`.
    fn json(&self) -> String {
        let id = |node: NodeId| match self.problem.node_name(node) {
            NodeName::Int(number) => json!(number),
            NodeName::Text(text) => json!(&**text),
        };
        let list = |expression: &Expression<Outcome>| {
            let packets = expression.packets().iter();
            packets
                .map(|packet| json!(packet.outcomes().iter().map(|o| &**o).collect::<Vec<_>>()))
                .collect::<Value>()
        };
        let moves = self
            .moves()
            .into_iter()
            .filter(|_| self.found.root.player == Player::Max);
        let moves = moves.map(|r#move| {
            json!({"child": id(r#move.node), "packets": r#move.packets.as_ref().map(list)})
        });
        let mut answer = json!({
            "format": "meetjoin-packets/1",
            "packets": self.found.of_max.as_ref().map(list),
            "moves": moves.collect::<Value>(),
            "algorithm": self.args.algorithm.id(),
            "stop": self.found.root.stop.map(Stop::word),
            "stats": {
                "visits": self.found.visits,
                "leaves": self.found.leaves,
                "peak_memory_bytes": ALLOCATOR.max_allocated(),
                "seconds": self.found.seconds,
            },
        });
        if self.found.root.stop.is_some() {
            answer["guaranteed"] = list(&self.found.packets);
        }
        if let Some(choice) = self.choice() {
            let packet: Vec<&[i64]> = choice.packet.outcomes().iter().map(|o| &**o).collect();
            let tied: Value = choice.tied.into_iter().map(id).collect();
            answer["choice"] = json!({"child": id(choice.node), "packet": packet, "tied": tied});
        }
        if let Some(weighed) = self.weighed() {
            answer["weighed"] = json!(weighed.to_string().parse::<serde_json::Number>().ok());
        }
        format!("{answer}\n")
    }

    /// A few aligned lines.
    fn text(&self) -> String {
        let Found { root, packets, .. } = &self.found;
        let mut lines: Vec<(String, String)> = Vec::new();
        let name = |node: NodeId| {
            let mut name = String::new();
            // Writing to a string cannot fail.
            let _ = self.problem.name(&node, &mut name);
            name
        };
        let player = match root.player {
            Player::Max => "MAX",
            Player::Min => "MIN",
        };
        let (what, rest) = match root.stop {
            None => (
                player.to_owned(),
                "can hold the outcome to any one of these packets",
            ),
            Some(_) => (
                format!("{player}, so far"),
                "can hold the outcome to one of these packets, and perhaps to better",
            ),
        };
        let heading = match packets.packets().len() {
            1 => "can hold the outcome to this packet".to_owned(),
            _ => rest.to_owned(),
        };
        lines.push((what, heading));
        list_packets(&mut lines, packets);
        for r#move in self.moves() {
            let key = format!("move {}", name(r#move.node));
            match &r#move.packets {
                Some(packets) => {
                    lines.push((key, counted(packets.packets().len())));
                    list_packets(&mut lines, packets);
                }
                None => lines.push((key, "not known".to_owned())),
            }
        }
        if let Some(choice) = self.choice() {
            let mut text = format!("move {} for {}", name(choice.node), braces(choice.packet));
            if !choice.tied.is_empty() {
                let tied: Vec<String> = choice.tied.into_iter().map(name).collect();
                text.push_str(", as good as ");
                text.push_str(&tied.join(", "));
            }
            lines.push(("preferred".to_owned(), text));
        }
        if let Some(weighed) = self.weighed() {
            lines.push(("weighed".to_owned(), weighed.to_string()));
        }
        if let Some(stop) = root.stop {
            lines.push(("stopped".to_owned(), stop.to_string()));
        }
        let line = |key: &str, value: String| (key.to_owned(), value);
        lines.push(line("algorithm", self.args.algorithm.id().to_owned()));
        let Found {
            visits,
            leaves,
            seconds,
            ..
        } = &self.found;
        lines.push(line(
            "visits",
            format!("{visits}, {leaves} leaves evaluated"),
        ));
        lines.push(line("time", format!("{seconds:.3} s")));
        aligned(&lines)
    }
}

/// Packets of an expression that are shown to people, each on a line.
const MOST_PACKETS: usize = 20;

fn list_packets(lines: &mut Vec<(String, String)>, expression: &Expression<Outcome>) {
    let packets = expression.packets();
    let shown = packets.iter().take(MOST_PACKETS).map(braces);
    let rest = packets.len().saturating_sub(MOST_PACKETS);
    let rest = (rest > 0).then(|| format!(".. and {rest} more"));
    lines.extend(shown.chain(rest).map(|text| (String::new(), text)));
}

fn counted(packets: usize) -> String {
    match packets {
        1 => "1 packet".to_owned(),
        packets => format!("{packets} packets"),
    }
}

/// A packet for people.
fn braces(packet: &Packet<Outcome>) -> String {
    let outcomes = packet.outcomes().iter().map(|outcome| {
        let numbers: Vec<String> = outcome.iter().map(i64::to_string).collect();
        format!("({})", numbers.join(","))
    });
    format!("{{{}}}", outcomes.collect::<Vec<_>>().join(", "))
}
