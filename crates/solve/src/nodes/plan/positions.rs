//! The positions of a strategy, as data and as JSON.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_search::strategy::Strategy;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::answers::answer::NodeText;
use crate::nodes::side::Side;
use crate::searching::subject::position_name;
use meetjoin_report::raw;

/// A position that play by a strategy can reach.
#[derive(Clone, Debug)]
pub struct StrategyNode {
    /// Its name.
    pub name: NodeText,
    /// Its kind.
    pub kind: Kind,
    /// Whether the owner of the strategy moves here.
    pub is_own: bool,
    /// The positions that may follow: one where the owner of the strategy moves, all where the
    /// other player does and the strategy depends on it; none at the end, or where no move matters
    /// any more. Several moves may lead to one position.
    pub next: Vec<Follow>,
}

impl StrategyNode {
    /// Returns whether the strategy ends here before play does, because no move matters any more.
    pub fn is_decided(&self) -> bool {
        self.kind != Kind::Leaf && self.next.is_empty()
    }

    /// Its kind in the strategy: a leaf where the strategy ends.
    pub fn part(&self) -> Kind {
        if self.next.is_empty() {
            Kind::Leaf
        } else {
            self.kind
        }
    }

    /// Each position that may follow, once, with the moves that lead there.
    pub fn ways(&self) -> Vec<(usize, String)> {
        let mut ways: Vec<(usize, String)> = Vec::new();
        let mut known: HashMap<usize, usize> = HashMap::new();
        for Follow { by, to, .. } in &self.next {
            match known.entry(*to) {
                Entry::Occupied(way) => ways[*way.get()].1.extend([", ", by]),
                Entry::Vacant(way) => {
                    way.insert(ways.len());
                    ways.push((*to, by.clone()));
                }
            }
        }
        ways
    }
}

/// A move and where it leads.
#[derive(Clone, Debug)]
pub struct Follow {
    /// The name of the move.
    pub by: String,
    /// The rank of the card, if moves are cards of one suit.
    pub rank: Option<u8>,
    /// The index of the position.
    pub to: usize,
}

/// A strategy with the names of its positions and moves. In `dag` its owner moves at OR nodes; for
/// MIN that is the dual of the problem.
pub fn shown<D: AndOrDag>(dag: &D, strategy: &Strategy<D::Node>, side: Side) -> Vec<StrategyNode> {
    let nodes = strategy.nodes();
    let shown = nodes.iter().map(|(node, next)| StrategyNode {
        name: position_name(dag, node),
        kind: match (dag.kind(node), side) {
            (Kind::Or, Side::Min) => Kind::And,
            (Kind::And, Side::Min) => Kind::Or,
            (kind, _) => kind,
        },
        is_own: dag.kind(node) == Kind::Or,
        next: next
            .iter()
            .map(|&to| {
                let mut by = String::new();
                // Writing to a string cannot fail.
                let _ = dag.move_name(node, &nodes[to].0, &mut by);
                Follow { by, rank: None, to }
            })
            .collect(),
    });
    shown.collect()
}

/// A position of a strategy as JSON.
#[derive(Serialize)]
pub struct NodeJson {
    node: Box<RawValue>,
    kind: &'static str,
    next: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<String>,
    /// Whether the strategy ends here before play does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    decided: bool,
}

/// Nodes for programs.
pub fn nodes_json(nodes: &[StrategyNode]) -> Vec<NodeJson> {
    let json = |node: &StrategyNode| NodeJson {
        node: raw(&node.name.json),
        kind: match node.part() {
            Kind::Leaf => "leaf",
            Kind::And => "and",
            Kind::Or => "or",
        },
        next: node.next.iter().map(|follow| follow.to).collect(),
        moves: node.next.iter().map(|follow| follow.by.clone()).collect(),
        decided: node.is_decided(),
    };
    nodes.iter().map(json).collect()
}
