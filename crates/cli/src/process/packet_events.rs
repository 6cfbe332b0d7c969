//! The events of procedure F as JSON lines: the rows of Table 1 of Dasgupta et al. (1996), as they
//! happen.

use std::fmt::Write as _;

use meetjoin_dag::NodeId;
use meetjoin_dominance::{Event, Expression};
use meetjoin_solve::packets::Outcome;
use serde_json::{Value, json};

use crate::process::events::EventsFile;
use crate::process::failure::Failure;

/// Packets as JSON has them.
pub(crate) fn list(expression: &Expression<Outcome>) -> Value {
    let packets = expression.packets().iter();
    packets
        .map(|packet| json!(packet.outcomes().iter().map(|o| &**o).collect::<Vec<_>>()))
        .collect()
}

/// Writes every event as a line of JSON.
pub(crate) struct PacketEvents<'a> {
    file: EventsFile,
    id: &'a dyn Fn(NodeId) -> Value,
}

impl<'a> PacketEvents<'a> {
    /// `id` gives the id of a node in the problem.
    pub(crate) fn new(file: EventsFile, id: &'a dyn Fn(NodeId) -> Value) -> Self {
        Self { file, id }
    }

    /// Completes the file, or says why it could not be written.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.file.finish()
    }

    /// Writes one event.
    pub(crate) fn event(&mut self, event: &Event<'_, NodeId, Outcome>) {
        match *event {
            Event::Enter { node, alpha, beta } => {
                self.write("enter", *node, &[("alpha", alpha), ("beta", beta)], None);
            }
            Event::Leaf { node } => self.write("leaf", *node, &[], None),
            Event::Update {
                node,
                packets,
                alpha,
                beta,
            } => {
                let values = [("packets", packets), ("alpha", alpha), ("beta", beta)];
                self.write("update", *node, &values, None);
            }
            Event::Cut {
                node,
                child,
                skipped,
                alpha,
                beta,
            } => {
                let values = [("child", child), ("alpha", alpha), ("beta", beta)];
                self.write("cut", *node, &values, Some(skipped));
            }
            Event::Exit {
                node,
                packets,
                alpha,
                beta,
            } => {
                let values = [("packets", packets), ("alpha", alpha), ("beta", beta)];
                self.write("exit", *node, &values, None);
            }
        }
    }

    fn write(
        &mut self,
        event: &str,
        node: NodeId,
        values: &[(&str, &Expression<Outcome>)],
        skipped: Option<usize>,
    ) {
        let mut line = format!("{{\"event\":\"{event}\",\"node\":{}", (self.id)(node));
        // Writing to a string cannot fail.
        for (key, packets) in values {
            let _ = write!(line, ",\"{key}\":{}", list(packets));
        }
        if let Some(skipped) = skipped {
            let _ = write!(line, ",\"skipped\":{skipped}");
        }
        line.push_str("}\n");
        self.file.write(&line);
    }
}
