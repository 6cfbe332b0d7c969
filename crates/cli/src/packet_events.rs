//! The events of procedure F as JSON lines: the rows of Table 1 of Dasgupta et al. (1996), as they happen.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use meetjoin::dag::NodeId;
use meetjoin::dominance::{Event, Expression};
use serde_json::Value;

use crate::failure::Failure;
use crate::output::OutputFile;
use crate::packets::{Outcome, list};

/// Writes every event as a line of JSON. When that fails, it cancels the search and keeps the failure.
pub(crate) struct PacketEvents<'a> {
    file: OutputFile,
    failure: Option<Failure>,
    id: &'a dyn Fn(NodeId) -> Value,
    cancel: Arc<AtomicBool>,
}

impl<'a> PacketEvents<'a> {
    /// `id` gives the id of a node in the problem.
    pub(crate) fn new(
        file: OutputFile,
        id: &'a dyn Fn(NodeId) -> Value,
        cancel: Arc<AtomicBool>,
    ) -> Self {
        Self {
            file,
            failure: None,
            id,
            cancel,
        }
    }

    /// Completes the file, or says why it could not be written.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        match self.failure {
            Some(failure) => Err(failure),
            None => self.file.finish(),
        }
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
        if self.failure.is_some() {
            return;
        }
        let mut line = format!("{{\"event\":\"{event}\",\"node\":{}", (self.id)(node));
        // Writing to a string cannot fail.
        for (key, packets) in values {
            let _ = write!(line, ",\"{key}\":{}", list(packets));
        }
        if let Some(skipped) = skipped {
            let _ = write!(line, ",\"skipped\":{skipped}");
        }
        line.push_str("}\n");
        if let Err(failure) = self.file.write(line.as_bytes()) {
            self.failure = Some(failure);
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}
