//! What the command watches while a search runs: distinct nodes, the progress line, the file of events.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fixedbitset::FixedBitSet;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use meetjoin::dag::{NodeId, NodeName, Problem, write_readable, write_value};
use meetjoin::lattice::{AnyElem, AnyLattice, Lattice};
use meetjoin::search::{Counts, Exit, Observer, Progress};

use crate::ALLOCATOR;
use crate::failure::Failure;
use crate::output::OutputFile;
use crate::text::one_line;

/// The nodes visited, a bit for each node of the graph.
#[derive(Debug)]
pub(crate) struct Distinct(pub(crate) FixedBitSet);

/// Everything that is watched.
pub(crate) struct Watch<'a, E> {
    pub(crate) counts: Counts,
    pub(crate) distinct: Distinct,
    pub(crate) line: ProgressLine<'a, E>,
    pub(crate) events: Option<&'a mut dyn Observer<NodeId, E>>,
}

impl<'a, E> Watch<'a, E> {
    pub(crate) fn new<L: Lattice<Elem = E>>(
        problem: &Problem<L>,
        line: ProgressLine<'a, E>,
        events: Option<&'a mut dyn Observer<NodeId, E>>,
    ) -> Self {
        Self {
            counts: Counts::default(),
            distinct: Distinct(FixedBitSet::with_capacity(problem.graph().node_count())),
            line,
            events,
        }
    }
}

impl<E: Clone> Observer<NodeId, E> for Watch<'_, E> {
    #[inline]
    fn enter(&mut self, node: &NodeId, window: Option<(&E, &E)>) {
        self.counts.enter(node, window);
        self.distinct.0.insert(node.index());
        if let Some(events) = &mut self.events {
            events.enter(node, window);
        }
    }

    #[inline]
    fn leaf(&mut self, node: &NodeId) {
        Observer::<NodeId, E>::leaf(&mut self.counts, node);
        if let Some(events) = &mut self.events {
            events.leaf(node);
        }
    }

    #[inline]
    fn cache_hit(&mut self, node: &NodeId) {
        Observer::<NodeId, E>::cache_hit(&mut self.counts, node);
    }

    #[inline]
    fn probe(&mut self, child: &NodeId) {
        Observer::<NodeId, E>::probe(&mut self.counts, child);
    }

    #[inline]
    fn cutoff(&mut self, node: &NodeId, skipped: usize) {
        Observer::<NodeId, E>::cutoff(&mut self.counts, node, skipped);
        if let Some(events) = &mut self.events {
            events.cutoff(node, skipped);
        }
    }

    #[inline]
    fn exit(&mut self, node: &NodeId, result: Exit<'_, E>) {
        if let Some(events) = &mut self.events {
            events.exit(node, result);
        }
    }

    fn wants_progress(&mut self) -> bool {
        self.line.wants_progress()
    }

    fn progress(&mut self, progress: Progress<'_, E>) {
        self.line.progress(progress);
    }
}

/// How long between two updates of the progress line.
const PAUSE: Duration = Duration::from_millis(100);
/// The most characters of a bound that the progress line shows.
const SHOWN: usize = 40;

/// A line on standard error that says where the search is. Nothing if that is no terminal.
pub(crate) struct ProgressLine<'a, E> {
    bar: Option<ProgressBar>,
    lattice: &'a AnyLattice,
    worlds: Option<&'a [String]>,
    wrap: fn(E) -> AnyElem,
    started: Instant,
    asked: Instant,
    next: Instant,
}

impl<'a, E> ProgressLine<'a, E> {
    pub(crate) fn new(
        lattice: &'a AnyLattice,
        worlds: Option<&'a [String]>,
        wrap: fn(E) -> AnyElem,
    ) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        let now = Instant::now();
        Self {
            bar,
            lattice,
            worlds,
            wrap,
            started: now,
            asked: now,
            next: now + PAUSE,
        }
    }

    fn show(&self, bound: &AnyElem) -> String {
        let mut text = String::new();
        write_readable(self.lattice, bound, self.worlds, &mut text);
        text = one_line(&text);
        if text.chars().count() > SHOWN {
            text = text.chars().take(SHOWN).chain("..".chars()).collect();
        }
        text
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl<E: Clone> Observer<NodeId, E> for ProgressLine<'_, E> {
    fn wants_progress(&mut self) -> bool {
        if self.bar.is_none() {
            return false;
        }
        self.asked = Instant::now();
        self.asked >= self.next
    }

    fn progress(&mut self, progress: Progress<'_, E>) {
        let Some(bar) = &self.bar else { return };
        let seconds = self.started.elapsed().as_secs_f64();
        let lower = self.show(&(self.wrap)(progress.lower.clone()));
        let upper = self.show(&(self.wrap)(progress.upper.clone()));
        bar.set_message(format!(
            "{} visits, {:.0} a second, {} entries, {} MiB, value from {lower} to {upper}",
            progress.visits,
            progress.visits as f64 / seconds,
            progress.entries,
            ALLOCATOR.allocated() >> 20,
        ));
        bar.tick();
        // Working out the bounds of a deep search takes time: spend a tenth of it on progress at most.
        let now = Instant::now();
        self.next = now + PAUSE.max((now - self.asked) * 9);
    }
}

/// Writes every event as a line of JSON. When that fails, it cancels the search and keeps the failure.
#[derive(Debug)]
pub(crate) struct Events<'a> {
    file: OutputFile,
    pub(crate) failure: Option<Failure>,
    names: &'a [NodeName],
    lattice: &'a AnyLattice,
    cancel: Arc<AtomicBool>,
    line: String,
}

impl<'a> Events<'a> {
    pub(crate) fn new(
        file: OutputFile,
        names: &'a [NodeName],
        lattice: &'a AnyLattice,
        cancel: Arc<AtomicBool>,
    ) -> Self {
        Self {
            file,
            failure: None,
            names,
            lattice,
            cancel,
            line: String::new(),
        }
    }

    /// Completes the file, or says why it could not be written.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        match self.failure {
            Some(failure) => Err(failure),
            None => self.file.finish(),
        }
    }

    /// Writes one event: its name, its node, and values or counts under their keys.
    fn write(&mut self, event: &str, node: NodeId, values: &[(&str, &AnyElem)], skipped: usize) {
        if self.failure.is_some() {
            return;
        }
        self.line.clear();
        let _ = write!(self.line, "{{\"event\":\"{event}\",\"node\":");
        self.line.push_str(&name_as_json(&self.names[node.index()]));
        for (key, value) in values {
            let _ = write!(self.line, ",\"{key}\":");
            write_value(self.lattice, value, &mut self.line);
        }
        if skipped > 0 {
            let _ = write!(self.line, ",\"skipped\":{skipped}");
        }
        self.line.push_str("}\n");
        if let Err(failure) = self.file.write(self.line.as_bytes()) {
            self.failure = Some(failure);
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// The id of a node as it stands in problem files.
pub(crate) fn name_as_json(name: &NodeName) -> String {
    match name {
        NodeName::Int(number) => number.to_string(),
        NodeName::Text(text) => serde_json::Value::from(&**text).to_string(),
    }
}

impl Observer<NodeId, AnyElem> for Events<'_> {
    fn enter(&mut self, node: &NodeId, window: Option<(&AnyElem, &AnyElem)>) {
        match window {
            Some((alpha, beta)) => {
                self.write("enter", *node, &[("alpha", alpha), ("beta", beta)], 0);
            }
            None => self.write("enter", *node, &[], 0),
        }
    }

    fn leaf(&mut self, node: &NodeId) {
        self.write("leaf", *node, &[], 0);
    }

    fn cutoff(&mut self, node: &NodeId, skipped: usize) {
        self.write("cutoff", *node, &[], skipped);
    }

    fn exit(&mut self, node: &NodeId, result: Exit<'_, AnyElem>) {
        match result {
            Exit::Value(value) => self.write("exit", *node, &[("value", value)], 0),
            Exit::Bounds(lower, upper) => {
                self.write("exit", *node, &[("lower", lower), ("upper", upper)], 0);
            }
        }
    }
}
