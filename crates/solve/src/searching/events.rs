//! Writes events of a search as lines of JSON.

use std::fmt::{self, Write as _};

use crate::answers::answer::NodeText;

/// The listener of events.
pub struct Events<'r> {
    /// `None` once it has had enough.
    listener: Option<&'r mut dyn FnMut(&str) -> bool>,
    line: String,
}

impl<'r> Events<'r> {
    /// Events for a listener, until it returns `false`.
    pub fn new(listener: &'r mut dyn FnMut(&str) -> bool) -> Self {
        Self {
            listener: Some(listener),
            line: String::new(),
        }
    }

    /// Writes an event: its name, its node, values as JSON with their keys, and more keys, each
    /// after a comma.
    pub fn tell(
        &mut self,
        event: &str,
        node: &NodeText,
        values: &mut dyn Iterator<Item = (&str, String)>,
        rest: fmt::Arguments<'_>,
    ) {
        let Some(listener) = &mut self.listener else {
            return;
        };
        self.line.clear();
        // Writing to a string cannot fail.
        let _ = write!(self.line, "{{\"event\":\"{event}\",\"node\":{}", node.json);
        for (key, value) in values {
            let _ = write!(self.line, ",\"{key}\":{value}");
        }
        let _ = writeln!(self.line, "{rest}}}");
        if !listener(&self.line) {
            self.listener = None;
        }
    }
}
