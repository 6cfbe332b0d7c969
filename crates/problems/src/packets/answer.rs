//! Answers about packets as text for people and as JSON for programs.

use meetjoin_dag::{NodeId, Problem};
use meetjoin_dominance::{Expression, Packet, Player, RootMove};
use meetjoin_file::OutcomeVectors;
use meetjoin_lattice::Stop;
use meetjoin_report::{Meter, aligned, counted, json_line, raw};
use meetjoin_solve::answer::NodeText;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::packets::{ChosenMove, Found, Outcome, PacketsAlgorithm};

/// The complete answer about packets.
#[derive(Debug)]
#[allow(clippy::option_option)] // not asked for, not known, known
pub struct PacketsAnswer<'a> {
    /// The problem, which has the names of nodes.
    pub problem: &'a Problem<OutcomeVectors>,
    /// The algorithm.
    pub algorithm: PacketsAlgorithm,
    /// The packets, and the cost of the search.
    pub found: Found,
    /// What a preference [chooses](Found::choice), if one was given.
    pub choice: Option<Option<ChosenMove>>,
    /// The most that MAX can guarantee of a [weighted sum](Found::weighed), if it was asked for.
    pub weighed: Option<Option<i128>>,
    /// The gauge of memory.
    pub meter: Meter,
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    algorithm: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[allow(clippy::option_option)]
    choice: Option<Option<ChoiceJson<'a>>>,
    format: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    guaranteed: Option<Lists<'a>>,
    moves: Vec<MoveJson<'a>>,
    packets: Option<Lists<'a>>,
    stats: StatsJson,
    stop: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[allow(clippy::option_option)]
    weighed: Option<Option<i128>>,
}

#[derive(Serialize)]
struct ChoiceJson<'a> {
    child: Box<RawValue>,
    packet: Vec<&'a [i64]>,
    tied: Vec<Box<RawValue>>,
}

#[derive(Serialize)]
struct MoveJson<'a> {
    child: Box<RawValue>,
    packets: Option<Lists<'a>>,
}

#[derive(Serialize)]
struct StatsJson {
    leaves: u64,
    peak_memory_bytes: usize,
    seconds: f64,
    visits: u64,
}

/// Packets as lists of outcomes.
type Lists<'a> = Vec<Vec<&'a [i64]>>;

pub(super) fn lists(expression: &Expression<Outcome>) -> Lists<'_> {
    expression.packets().iter().map(list).collect()
}

fn list(packet: &Packet<Outcome>) -> Vec<&[i64]> {
    packet.outcomes().iter().map(|outcome| &**outcome).collect()
}

impl PacketsAnswer<'_> {
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

    fn name(&self, node: NodeId) -> NodeText {
        NodeText::from(&*self.problem.node_name(node))
    }

    /// One JSON object, `meetjoin-packets/1`.
    pub fn json(&self) -> String {
        let Found { root, packets, .. } = &self.found;
        let child = |node: NodeId| raw(&self.name(node).json);
        let moves = self.moves().into_iter();
        let moves = moves.filter(|_| root.player == Player::Max);
        let moves = moves.map(|r#move| MoveJson {
            child: child(r#move.node),
            packets: r#move.packets.as_ref().map(lists),
        });
        let choice = self.choice.as_ref().map(|choice| {
            choice.as_ref().map(|choice| ChoiceJson {
                child: child(choice.node),
                packet: list(&choice.packet),
                tied: choice.tied.iter().copied().map(child).collect(),
            })
        });
        json_line(&AnswerJson {
            algorithm: self.algorithm.id(),
            choice,
            format: "meetjoin-packets/1",
            guaranteed: root.stop.map(|_| lists(packets)),
            moves: moves.collect(),
            packets: self.found.of_max.as_ref().map(lists),
            stats: StatsJson {
                leaves: self.found.leaves,
                peak_memory_bytes: (self.meter.peak)(),
                seconds: self.found.seconds,
                visits: self.found.visits,
            },
            stop: root.stop.map(Stop::word),
            weighed: self.weighed,
        })
    }

    /// A few aligned lines for people, and with `verbose` the algorithm and the cost.
    pub fn text(&self, verbose: bool) -> String {
        let Found { root, packets, .. } = &self.found;
        let mut lines: Vec<(String, String)> = Vec::new();
        let player = match root.player {
            Player::Max => "MAX",
            Player::Min => "MIN",
        };
        let deep = self.algorithm == PacketsAlgorithm::ProcedureFDeep;
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
            let key = format!("move {}", self.name(r#move.node).text);
            match &r#move.packets {
                Some(packets) => {
                    lines.push((key, counted(packets.packets().len(), "packet")));
                    list_packets(&mut lines, packets);
                }
                None => lines.push((key, "not known".to_owned())),
            }
        }
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        let missing = || match root.stop {
            Some(_) => "not known: the search was stopped before".to_owned(),
            None => "no move: the root is a leaf".to_owned(),
        };
        if let Some(choice) = &self.choice {
            let choice = choice.as_ref().map(|choice| self.choice_text(choice));
            line("preferred", choice.unwrap_or_else(missing));
        }
        if let Some(weighed) = self.weighed {
            let weighed = weighed.map(|sum| sum.to_string());
            line("weighed", weighed.unwrap_or_else(missing));
        }
        if deep {
            let note = "right as a lattice element only: packets may be missing or superfluous; procedure-f-shallow is exact";
            line("note", note.to_owned());
        }
        if let Some(stop) = root.stop {
            line("stopped", stop.to_string());
        }
        if verbose {
            line("algorithm", self.algorithm.id().to_owned());
            let leaves = counted(self.found.leaves, "leaf");
            line("visits", format!("{} ({leaves})", self.found.visits));
            line("time", format!("{:.3} s", self.found.seconds));
        }
        aligned(&lines)
    }

    fn choice_text(&self, choice: &ChosenMove) -> String {
        let name = |node: NodeId| self.name(node).text;
        let mut text = format!("move {} for {}", name(choice.node), choice.packet);
        if !choice.tied.is_empty() {
            let tied: Vec<String> = choice.tied.iter().copied().map(name).collect();
            text.push_str(", as good as ");
            text.push_str(&tied.join(", "));
        }
        text
    }
}

/// Packets of an expression that are shown to people, each on a line.
const MOST_PACKETS: usize = 20;

fn list_packets(lines: &mut Vec<(String, String)>, expression: &Expression<Outcome>) {
    let packets = expression.packets();
    let shown = packets.iter().take(MOST_PACKETS).map(Packet::to_string);
    let rest = packets.len().saturating_sub(MOST_PACKETS);
    let rest = (rest > 0).then(|| format!(".. and {rest} more"));
    lines.extend(shown.chain(rest).map(|text| (String::new(), text)));
}
