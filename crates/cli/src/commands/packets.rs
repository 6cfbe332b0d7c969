//! `meetjoin packets`: what each move can guarantee when nobody weighs the criteria beforehand.
//!
//! The dominance algebra is no lattice, so this command has a search and an answer of its own
//! (`meetjoin-packets/1`).

use std::cmp::Ordering;
use std::collections::BTreeSet;

use meetjoin_dag::{AndOrDag, NodeId, NodeName, Problem};
use meetjoin_dominance::{
    Algebra, Expression, LeafOutcomes as _, Lexicographic, Packet, Player, Preference,
    PreferenceError, RootMove, VectorGame, Weighted, choose_move, contradiction,
};
use meetjoin_explain::write_certificate;
use meetjoin_file::OutcomeVectors;
use meetjoin_lattice::{Budget, Interval, Limits, Stop};
use meetjoin_report::{aligned, counted};
use meetjoin_solve::Source;
use meetjoin_solve::packets::{Found, Outcome, PacketsAlgorithm, search, vectors};
use serde::Serialize;
use serde_json::{Value, json};

use crate::arguments::args::PacketsArgs;
use crate::commands::solve;
use crate::process::events::EventsFile;
use crate::process::failure::Failure;
use crate::process::memory::METER;
use crate::process::packet_events::{PacketEvents, list};
use crate::process::{limits, output};

pub(crate) fn run(args: &PacketsArgs) -> Result<(), Failure> {
    check_algorithm(args).map_err(Failure::Input)?;
    let limits = limits::of_command(&args.limits)?;
    let refused = |error: String| Failure::in_file(&args.file, error);
    let source = solve::read(&args.file, false)?;
    output::try_paths([args.file.as_path()], [&args.certificate, &args.events])?;
    let digest = args.certificate.as_ref().map(|_| source.digest());
    let problem = source.outcomes();
    let problem = problem.map_err(|error| refused(error.to_string()))?;
    let game = vectors(&problem).map_err(refused)?;
    let player = Player::of(game.kind(&game.root()));
    let wishes = Wishes::new(args, player, &game).map_err(Failure::Input)?;
    let cancel = limits.cancel.clone().unwrap_or_default();
    let id = |node: NodeId| id(&problem, node);
    let events = EventsFile::open(args.events.as_deref(), cancel)?;
    let mut events = events.map(|file| PacketEvents::new(file, &id));
    let (limits, mut again) = solve::shared(limits, args.certificate.is_some());
    let budget = Budget::new(limits);
    let found = limits::searching(|| {
        search(args.algorithm, &game, &budget, &mut |event| {
            if let Some(events) = &mut events {
                events.event(event);
            }
        })
    });
    let stopped = found.root.stop.is_some();
    let printed = wishes.choice(&found).and_then(|choice| {
        let answer = Answer {
            problem: &problem,
            args,
            choice,
            weighed: wishes.weighed(&found),
            found,
        };
        output::print_answer(args.json, || answer.json(), || answer.text())
    });
    events.map_or(Ok(()), PacketEvents::finish)?;
    printed?;
    limits::answered();
    if let (Some(path), Some(digest)) = (&args.certificate, digest) {
        let problem = Source::Outcomes(Box::new(problem)).certified();
        let problem = problem.map_err(|error| refused(error.to_string()))?;
        // The certificate is searched for anew, without known bounds.
        let anything = Interval::Between {
            lower: meetjoin_solve::Value::End { top: false },
            upper: meetjoin_solve::Value::End { top: true },
        };
        if !stopped {
            again.visits = None;
        }
        solve::certify(again, path, |budget, text| {
            let written = write_certificate(&*problem, digest, &anything, true, budget, text)?;
            Ok(written.stop.filter(|_| !stopped))
        })?;
        if !args.json {
            output::tell_written([path])?;
        }
    }
    Failure::unless_complete(!stopped)
}

/// Refuses options that the algorithm does not support.
fn check_algorithm(args: &PacketsArgs) -> Result<(), String> {
    let wish = match (&args.prefer, &args.lexicographic) {
        (Some(_), _) => Some("--prefer"),
        (None, Some(_)) => Some("--lexicographic"),
        (None, None) => None,
    };
    match (args.algorithm, wish) {
        (PacketsAlgorithm::ProcedureFDeep, Some(wish)) => Err(format!(
            "{wish} needs exact packets, and procedure-f-deep is exact only as a lattice element; --algorithm bottom-up or procedure-f-shallow would work"
        )),
        (PacketsAlgorithm::BottomUp, _) if args.events.is_some() => Err(
            "--events needs --algorithm procedure-f-shallow or procedure-f-deep: bottom-up evaluation has no events"
                .to_owned(),
        ),
        _ => Ok(()),
    }
}

/// The id of a node as it is in the file.
fn id(problem: &Problem<OutcomeVectors>, node: NodeId) -> Value {
    match &*problem.node_name(node) {
        NodeName::Int(number) => json!(number),
        NodeName::Text(text) => json!(&**text),
    }
}

/// The preference of the player at the root.
struct Wishes {
    preference: Option<Box<dyn Preference<Outcome>>>,
    weights: Option<Vec<i64>>,
}

impl Wishes {
    fn new(args: &PacketsArgs, player: Player, game: &VectorGame) -> Result<Self, String> {
        let criteria = game.criteria();
        let preference: Option<Box<dyn Preference<Outcome>>> =
            match (&args.prefer, &args.lexicographic) {
                (Some(weights), _) => {
                    let weighted = weighted(player, game, weights);
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
        if let Some(weights) = &args.weigh {
            check_weigh(game, weights).map_err(|error| format!("--weigh: {error}"))?;
        }
        Ok(Self {
            preference,
            weights: args.weigh.clone(),
        })
    }

    /// The choice of the preference, if there is one.
    fn choice(&self, found: &Found) -> Result<Option<Wished<Choice>>, Failure> {
        let Some(preference) = &self.preference else {
            return Ok(None);
        };
        let root = &found.root;
        if root.stop.is_some() {
            return Ok(Some(Wished::Stopped));
        }
        let preference = |a: &Outcome, b: &Outcome| preference.compare(a, b);
        let choice = choose_move(&preference, root);
        let choice = choice.map_err(|error| Failure::Output(error.to_string()))?;
        let Some(choice) = choice else {
            return Ok(Some(Wished::NoMoves));
        };
        let node = |place: usize| root.moves[place].node;
        let chosen = node(choice.r#move);
        let mut tied: Vec<NodeId> = choice.tied_moves.into_iter().map(node).collect();
        tied.dedup();
        tied.retain(|&other| other != chosen);
        Ok(Some(Wished::Known(Choice {
            packet: choice.packet.clone(),
            node: chosen,
            tied,
        })))
    }

    /// The most that MAX can guarantee of the weighted sum: the best packet's worst outcome.
    fn weighed(&self, found: &Found) -> Option<Wished<i128>> {
        let weights = self.weights.as_ref()?;
        let value = found.of_max.as_ref().and_then(|packets| {
            let packets = packets.packets().iter();
            let worst = |packet: &Packet<Outcome>| {
                let sums = packet.outcomes().iter();
                sums.map(|outcome| sum(weights, outcome)).min()
            };
            packets.filter_map(worst).max()
        });
        Some(value.map_or(Wished::Stopped, Wished::Known))
    }
}

/// The result of something that was asked for.
enum Wished<T> {
    Known(T),
    /// The search was stopped before.
    Stopped,
    /// The root is a leaf.
    NoMoves,
}

impl<T> Wished<T> {
    fn known(&self) -> Option<&T> {
        match self {
            Self::Known(known) => Some(known),
            Self::Stopped | Self::NoMoves => None,
        }
    }

    /// For people.
    fn text(&self, known: impl FnOnce(&T) -> String) -> String {
        match self {
            Self::Known(value) => known(value),
            Self::Stopped => "not known: the search was stopped before".to_owned(),
            Self::NoMoves => "no move: the root is a leaf".to_owned(),
        }
    }
}

/// The weighted sum of an outcome. Weights have 32 bits and a sign, so it does not overflow.
fn sum(weights: &[i64], outcome: &[i64]) -> i128 {
    let terms = weights.iter().zip(outcome);
    terms
        .map(|(&weight, &number)| i128::from(weight) * i128::from(number))
        .sum()
}

/// The preference by a weighted sum, or why it is none.
fn weighted(player: Player, game: &VectorGame, weights: &[i64]) -> Result<Weighted, String> {
    let positive = weights.iter().map(|&weight| u32::try_from(weight));
    if let Ok(positive) = positive.collect::<Result<Vec<u32>, _>>() {
        match Weighted::new(player, game.criteria(), positive) {
            Err(PreferenceError::ZeroWeight { .. }) => {}
            done => return done.map_err(|error| error.to_string()),
        }
    }
    check_count(game, weights)?;
    let preference = |a: &Outcome, b: &Outcome| {
        let order = sum(weights, a).cmp(&sum(weights, b));
        match player {
            Player::Max => order,
            Player::Min => order.reverse(),
        }
    };
    let (better, worse) = contradicted(player, game, &preference);
    let (upper, wants) = match player {
        Player::Max => (&better, ""),
        Player::Min => (&worse, ", and MIN wants less"),
    };
    let does = match preference(&better, &worse) {
        Ordering::Less => format!("prefers {} to {}", show(&worse), show(&better)),
        _ => format!(
            "is indifferent between {} and {}",
            show(&worse),
            show(&better)
        ),
    };
    Err(format!(
        "this preference {does}, though {} dominates{wants}; weights must be positive",
        show(upper)
    ))
}

/// Whether a weighted sum respects dominance, as the value of a game has to. It may be indifferent.
fn check_weigh(game: &VectorGame, weights: &[i64]) -> Result<(), String> {
    check_count(game, weights)?;
    if weights.iter().all(|&weight| weight >= 0) {
        return Ok(());
    }
    let preference = |a: &Outcome, b: &Outcome| {
        let less = sum(weights, a) < sum(weights, b);
        if less {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    };
    let (upper, lower) = contradicted(Player::Max, game, &preference);
    Err(format!(
        "this sum puts {} above {}, though {} dominates; weights must not be negative",
        show(&lower),
        show(&upper),
        show(&upper)
    ))
}

fn check_count(game: &VectorGame, weights: &[i64]) -> Result<(), String> {
    let (criteria, weights) = (game.criteria(), weights.len());
    if weights == criteria {
        return Ok(());
    }
    Err(PreferenceError::Count { criteria, weights }.to_string())
}

/// The most comparisons to find two outcomes of the file itself.
const COMPARISONS: u64 = 10_000_000;

/// Two outcomes on which a preference contradicts dominance, the better one first: of the file, or
/// else one that is 1 in the criterion at fault and one that is 0.
fn contradicted(
    player: Player,
    game: &VectorGame,
    preference: &impl Preference<Outcome>,
) -> (Outcome, Outcome) {
    let criteria = game.criteria();
    let zero: Outcome = vec![0; criteria].into();
    let one = |place: usize| (0..criteria).map(|c| i64::from(c == place)).collect();
    let of_file: BTreeSet<Outcome> = game.vectors().iter().cloned().collect();
    let of_file: Vec<Outcome> = of_file.into_iter().collect();
    let budget = Budget::new(Limits {
        steps: Some(COMPARISONS),
        ..Limits::default()
    });
    let algebra = Algebra::new(game.order(), &budget);
    if let Ok(Some((a, b))) = contradiction(algebra, player, preference, &of_file) {
        return (a.clone(), b.clone());
    }
    let pairs = (0..criteria).map(|place| match player {
        Player::Max => (one(place), zero.clone()),
        Player::Min => (zero.clone(), one(place)),
    });
    let mut pairs: Vec<(Outcome, Outcome)> = pairs.collect();
    let at_fault = pairs
        .iter()
        .position(|(a, b)| preference.compare(a, b).is_le());
    pairs.swap_remove(at_fault.unwrap_or(0))
}

/// The answer to be printed.
struct Answer<'a> {
    problem: &'a Problem<OutcomeVectors>,
    args: &'a PacketsArgs,
    choice: Option<Wished<Choice>>,
    weighed: Option<Wished<i128>>,
    found: Found,
}

/// What a preference picks at the root.
struct Choice {
    packet: Packet<Outcome>,
    node: NodeId,
    tied: Vec<NodeId>,
}

/// An answer with a sum, which may be larger than a [`Value`] holds.
#[derive(Serialize)]
struct Weighed<'a> {
    #[serde(flatten)]
    answer: Value,
    /// None if not asked for, `Some(None)` if not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[allow(clippy::option_option)]
    weighed: Option<Option<&'a i128>>,
}

impl Answer<'_> {
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
        let id = |node: NodeId| id(self.problem, node);
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
                "peak_memory_bytes": (METER.peak)(),
                "seconds": self.found.seconds,
            },
        });
        if self.found.root.stop.is_some() {
            answer["guaranteed"] = list(&self.found.packets);
        }
        if let Some(choice) = &self.choice {
            answer["choice"] = json!(choice.known().map(|choice| {
                let packet: Vec<&[i64]> = choice.packet.outcomes().iter().map(|o| &**o).collect();
                let tied: Value = choice.tied.iter().copied().map(id).collect();
                json!({"child": id(choice.node), "packet": packet, "tied": tied})
            }));
        }
        let weighed = self.weighed.as_ref().map(Wished::known);
        let mut json = serde_json::to_string(&Weighed { answer, weighed }).unwrap_or_default();
        json.push('\n');
        json
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
        let deep = self.args.algorithm == PacketsAlgorithm::ProcedureFDeep;
        let what = match root.stop {
            None => player.to_owned(),
            Some(_) => format!("{player}, so far"),
        };
        let heading = match (packets.packets().len(), root.stop) {
            (0, _) => "no packet is known",
            (1, _) if deep => "has the lattice element of this packet",
            _ if deep => "has the lattice element of these packets",
            (1, _) => "can hold the outcome to this packet",
            (_, None) => "can hold the outcome to any one of these packets",
            (_, Some(_)) => "can hold the outcome to one of these packets, and perhaps to better",
        };
        lines.push((what, heading.to_owned()));
        list_packets(&mut lines, packets);
        for r#move in self.moves() {
            let key = format!("move {}", name(r#move.node));
            match &r#move.packets {
                Some(packets) => {
                    lines.push((key, counted(packets.packets().len(), "packet")));
                    list_packets(&mut lines, packets);
                }
                None => lines.push((key, "not known".to_owned())),
            }
        }
        if let Some(choice) = &self.choice {
            let text = choice.text(|choice| {
                let mut text = format!("move {} for {}", name(choice.node), braces(&choice.packet));
                if !choice.tied.is_empty() {
                    let tied: Vec<String> = choice.tied.iter().copied().map(name).collect();
                    text.push_str(", as good as ");
                    text.push_str(&tied.join(", "));
                }
                text
            });
            lines.push(("preferred".to_owned(), text));
        }
        if let Some(weighed) = &self.weighed {
            lines.push(("weighed".to_owned(), weighed.text(i128::to_string)));
        }
        if deep {
            let note = "right as a lattice element only: packets may be missing or superfluous; procedure-f-shallow is exact";
            lines.push(("note".to_owned(), note.to_owned()));
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
            format!("{visits}, {} evaluated", counted(*leaves, "leaf")),
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

/// A packet for people.
fn braces(packet: &Packet<Outcome>) -> String {
    let outcomes = packet.outcomes().iter().map(|outcome| show(outcome));
    format!("{{{}}}", outcomes.collect::<Vec<_>>().join(", "))
}

/// An outcome for people.
fn show(outcome: &[i64]) -> String {
    let numbers: Vec<String> = outcome.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(","))
}
