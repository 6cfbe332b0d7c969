//! Writes proofs: as a drawing, a file, or a strategy in words.

use std::collections::{HashMap, HashSet};
use std::fmt;

use meetjoin_dag::{AndOrDag, Kind};
use meetjoin_file::Dot;
use meetjoin_search::proof::{ProofGraph, Reason};
use serde_json::{Value as Json, json};

use crate::answers::answer::NodeText;
use crate::answers::value::Value;
use crate::nodes::plan::OVER;

/// A proof as a drawing.
pub(super) fn dot<D: AndOrDag>(
    dag: &D,
    proof: &ProofGraph<D::Node>,
    name: &dyn Fn(&D::Node) -> NodeText,
    threshold: &Value,
) -> String {
    let value = |_: &D::Node, out: &mut dyn fmt::Write| {
        out.write_str(if proof.answer {
            "at least "
        } else {
            "not at least "
        })?;
        out.write_str(&threshold.text())
    };
    Dot::new(&Drawn::new(dag, proof, name), value).to_string()
}

/// A proof as a file.
pub(super) fn json<D: AndOrDag>(
    dag: &D,
    proof: &ProofGraph<D::Node>,
    name: &dyn Fn(&D::Node) -> NodeText,
    threshold: &Value,
) -> String {
    let name = |node: &D::Node| serde_json::from_str::<Json>(&name(node).json).unwrap_or_default();
    let steps = proof.steps.iter().map(|step| {
        let kind = match dag.kind(&step.node) {
            Kind::Or => "or",
            Kind::And => "and",
            Kind::Leaf => "leaf",
        };
        let (reason, children) = match &step.reason {
            Reason::Leaf => ("leaf", Vec::new()),
            Reason::Bounds => ("bounds", Vec::new()),
            Reason::Children(children) => ("children", children.iter().map(name).collect()),
        };
        let mut json = json!({"id": name(&step.node), "kind": kind, "reason": reason});
        if !children.is_empty() {
            json["children"] = Json::Array(children);
        }
        json.to_string()
    });
    let steps: Vec<String> = steps.collect();
    let result = if proof.answer { "proved" } else { "disproved" };
    format!(
        "{{\"format\":\"meetjoin-proof-graph/1\",\"threshold\":{},\"result\":\"{result}\",\"nodes\":[\n  {}\n]}}\n",
        threshold.json(),
        steps.join(",\n  ")
    )
}

/// A proof as a strategy: one move of the player who wins the claim, every reply of the other
/// player, each position once.
pub(super) fn text<D: AndOrDag>(
    dag: &D,
    proof: &ProofGraph<D::Node>,
    name: &dyn Fn(&D::Node) -> NodeText,
    threshold: &Value,
) -> String {
    let (claims, player, other) = if proof.answer {
        ("at least", "MAX", "MIN")
    } else {
        ("not at least", "MIN", "MAX")
    };
    let mut text = format!("{player} keeps it {claims} {}\n", threshold.text());
    let reasons: HashMap<&D::Node, &Reason<D::Node>> = proof
        .steps
        .iter()
        .map(|step| (&step.node, &step.reason))
        .collect();
    let mut told = HashSet::new();
    let mut open: Vec<(&D::Node, usize)> = vec![(&proof.steps[0].node, 0)];
    while let Some((node, depth)) = open.pop() {
        let is_own = (dag.kind(node) == Kind::Or) == proof.answer;
        let (said, children): (String, &[D::Node]) = match reasons.get(node) {
            Some(Reason::Children(_)) if !told.insert(node) => ("as above".to_owned(), &[]),
            Some(Reason::Children(children)) if is_own => (format!("{player} moves to"), children),
            Some(Reason::Children(children)) => {
                let to = if children.len() == 1 {
                    "must move to"
                } else {
                    "may move to"
                };
                (format!("{other} {to}"), children)
            }
            Some(Reason::Bounds) => (format!("its bounds say {claims} that"), &[]),
            Some(Reason::Leaf) | None => (OVER.to_owned(), &[]),
        };
        text.extend(std::iter::repeat_n("  ", depth.min(MOST_INDENTED)));
        text.extend([&name(node).text, ": ", &said, "\n"]);
        open.extend(children.iter().rev().map(|child| (child, depth + 1)));
    }
    text
}

/// The greatest indentation of lines.
const MOST_INDENTED: usize = 40;

/// A proof as a graph.
struct Drawn<'a, D: AndOrDag> {
    dag: &'a D,
    name: &'a dyn Fn(&D::Node) -> NodeText,
    children: HashMap<&'a D::Node, &'a [D::Node]>,
}

impl<'a, D: AndOrDag> Drawn<'a, D> {
    fn new(
        dag: &'a D,
        proof: &'a ProofGraph<D::Node>,
        name: &'a dyn Fn(&D::Node) -> NodeText,
    ) -> Self {
        let children = proof.steps.iter().map(|step| match &step.reason {
            Reason::Children(children) => (&step.node, &**children),
            Reason::Leaf | Reason::Bounds => (&step.node, &[][..]),
        });
        let children = children.collect();
        Self {
            dag,
            name,
            children,
        }
    }

    fn below(&self, node: &D::Node) -> &[D::Node] {
        self.children.get(node).copied().unwrap_or_default()
    }
}

impl<D: AndOrDag> AndOrDag for Drawn<'_, D> {
    type Node = D::Node;

    fn root(&self) -> D::Node {
        self.dag.root()
    }

    fn kind(&self, node: &D::Node) -> Kind {
        if self.below(node).is_empty() {
            Kind::Leaf
        } else {
            self.dag.kind(node)
        }
    }

    fn children(&self, node: &D::Node, out: &mut Vec<D::Node>) {
        out.extend_from_slice(self.below(node));
    }

    fn name(&self, node: &D::Node, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(&(self.name)(node).text)
    }
}
