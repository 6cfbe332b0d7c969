//! What the command watches while a search runs: distinct nodes, the progress line, the file of events.

use std::fmt::{self, Write as _};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use meetjoin::search::{Call, Counts, Exit, Observer, Progress};

use crate::ALLOCATOR;
use crate::failure::Failure;
use crate::output::OutputFile;
use crate::subject::{Distinct, Elem, Subject};
use crate::text::one_line;

/// Everything that is watched.
pub(crate) struct Watch<'a, S: Subject> {
    pub(crate) counts: Counts,
    pub(crate) distinct: S::Distinct,
    pub(crate) line: ProgressLine<'a, S>,
    pub(crate) events: Option<Events<'a, S>>,
}

impl<S: Subject> Observer<S::Node, Elem<S>> for Watch<'_, S> {
    #[inline]
    fn enter(&mut self, node: &S::Node, window: Option<(&Elem<S>, &Elem<S>)>) {
        self.counts.enter(node, window);
        self.distinct.visit(node);
        if let Some(events) = &mut self.events {
            events.enter(node, window);
        }
    }

    #[inline]
    fn enter_call(&mut self, node: &S::Node, call: Call, bound: Option<&Elem<S>>) {
        self.counts.enter_call(node, call, bound);
        self.distinct.visit(node);
        if let Some(events) = &mut self.events {
            events.enter_call(node, call, bound);
        }
    }

    #[inline]
    fn enter_relaxed(&mut self, node: &S::Node) {
        Observer::<S::Node, Elem<S>>::enter_relaxed(&mut self.counts, node);
    }

    #[inline]
    fn leaf(&mut self, node: &S::Node) {
        Observer::<S::Node, Elem<S>>::leaf(&mut self.counts, node);
        if let Some(events) = &mut self.events {
            events.leaf(node);
        }
    }

    #[inline]
    fn cache_hit(&mut self, node: &S::Node) {
        Observer::<S::Node, Elem<S>>::cache_hit(&mut self.counts, node);
    }

    #[inline]
    fn probe(&mut self, child: &S::Node) {
        Observer::<S::Node, Elem<S>>::probe(&mut self.counts, child);
    }

    #[inline]
    fn cutoff(&mut self, node: &S::Node, skipped: usize) {
        Observer::<S::Node, Elem<S>>::cutoff(&mut self.counts, node, skipped);
        if let Some(events) = &mut self.events {
            events.cutoff(node, skipped);
        }
    }

    #[inline]
    fn exit(&mut self, node: &S::Node, result: Exit<'_, Elem<S>>) {
        if let Some(events) = &mut self.events {
            events.exit(node, result);
        }
    }

    fn wants_progress(&mut self) -> bool {
        self.line.wants_progress()
    }

    fn progress(&mut self, progress: Progress<'_, Elem<S>>) {
        self.line.progress(&progress);
    }
}

/// A line on standard error, if that is a terminal.
pub(crate) fn spinner() -> Option<ProgressBar> {
    std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
    })
}

/// How long between two updates of the progress line.
pub(crate) const PAUSE: Duration = Duration::from_millis(100);
/// The most characters of a bound that the progress line shows.
const SHOWN: usize = 40;

/// A line on standard error that says where the search is. Nothing if that is no terminal.
pub(crate) struct ProgressLine<'a, S> {
    bar: Option<ProgressBar>,
    subject: &'a S,
    started: Instant,
    asked: Instant,
    next: Instant,
}

impl<'a, S: Subject> ProgressLine<'a, S> {
    pub(crate) fn new(subject: &'a S) -> Self {
        let bar = spinner();
        let now = Instant::now();
        Self {
            bar,
            subject,
            started: now,
            asked: now,
            next: now + PAUSE,
        }
    }

    fn show(&self, bound: &Elem<S>) -> String {
        let mut text = String::new();
        self.subject.push_readable(bound, &mut text);
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

    fn wants_progress(&mut self) -> bool {
        if self.bar.is_none() {
            return false;
        }
        self.asked = Instant::now();
        self.asked >= self.next
    }

    fn progress(&mut self, progress: &Progress<'_, Elem<S>>) {
        let Some(bar) = &self.bar else { return };
        let seconds = self.started.elapsed().as_secs_f64();
        let lower = self.show(progress.lower);
        let upper = self.show(progress.upper);
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
pub(crate) struct Events<'a, S> {
    file: OutputFile,
    failure: Option<Failure>,
    subject: &'a S,
    cancel: Arc<AtomicBool>,
    line: String,
}

impl<'a, S: Subject> Events<'a, S> {
    pub(crate) fn new(file: OutputFile, subject: &'a S, cancel: Arc<AtomicBool>) -> Self {
        Self {
            file,
            failure: None,
            subject,
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

    /// Writes one event: its name, its node, values under their keys, and what else there is.
    fn write(
        &mut self,
        event: &str,
        node: &S::Node,
        values: &[(&str, &Elem<S>)],
        rest: fmt::Arguments<'_>,
    ) {
        if self.failure.is_some() {
            return;
        }
        self.line.clear();
        let _ = write!(self.line, "{{\"event\":\"{event}\",\"node\":");
        self.subject.push_node(node, &mut self.line);
        for (key, value) in values {
            let _ = write!(self.line, ",\"{key}\":");
            self.subject.push_value(value, &mut self.line);
        }
        let _ = write!(self.line, "{rest}");
        self.line.push_str("}\n");
        if let Err(failure) = self.file.write(self.line.as_bytes()) {
            self.failure = Some(failure);
            self.cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// An event that has nothing else to say.
const NOTHING: fmt::Arguments<'static> = format_args!("");

impl<S: Subject> Observer<S::Node, Elem<S>> for Events<'_, S> {
    fn enter(&mut self, node: &S::Node, window: Option<(&Elem<S>, &Elem<S>)>) {
        match window {
            Some((alpha, beta)) => {
                self.write("enter", node, &[("alpha", alpha), ("beta", beta)], NOTHING);
            }
            None => self.write("enter", node, &[], NOTHING),
        }
    }

    fn enter_call(&mut self, node: &S::Node, call: Call, _: Option<&Elem<S>>) {
        let call = match call {
            Call::Expand => "expand",
            Call::Diminish => "diminish",
        };
        self.write("enter", node, &[], format_args!(",\"call\":\"{call}\""));
    }

    fn leaf(&mut self, node: &S::Node) {
        self.write("leaf", node, &[], NOTHING);
    }

    fn cutoff(&mut self, node: &S::Node, skipped: usize) {
        self.write("cutoff", node, &[], format_args!(",\"skipped\":{skipped}"));
    }

    fn exit(&mut self, node: &S::Node, result: Exit<'_, Elem<S>>) {
        match result {
            Exit::Value(value) => self.write("exit", node, &[("value", value)], NOTHING),
            Exit::Bounds(lower, upper) => {
                self.write("exit", node, &[("lower", lower), ("upper", upper)], NOTHING);
            }
        }
    }
}
