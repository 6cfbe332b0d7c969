//! Progress of a search: a line on standard error for people, lines of JSON on standard output for
//! programs.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use meetjoin_report::one_line;
use meetjoin_search::proof::ProofNumbers;
use meetjoin_solve::prove::number;
use meetjoin_solve::{Form, Known, Moment, Progress};

use crate::process::memory::METER;
use crate::process::{limits, output};

/// How long between two updates.
const PAUSE: Duration = Duration::from_millis(100);
/// How long between two lines of JSON, at least.
const WATCH_PAUSE: Duration = Duration::from_millis(20);
/// The most characters of a bound that are shown.
const SHOWN: usize = 40;

/// A line on standard error. Nothing if that is no terminal.
pub(crate) struct ProgressLine {
    bar: Option<ProgressBar>,
    started: Instant,
    asked: Instant,
    next: Instant,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        });
        let now = Instant::now();
        Self {
            bar,
            started: now,
            asked: now,
            next: now + PAUSE,
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Progress for ProgressLine {
    fn wanted(&mut self) -> bool {
        if self.bar.is_none() {
            return false;
        }
        self.asked = Instant::now();
        self.asked >= self.next
    }

    fn show(&mut self, moment: &Moment) {
        let Some(bar) = &self.bar else { return };
        let (visits, entries) = (moment.visits, moment.entries);
        let speed = visits as f64 / self.started.elapsed().as_secs_f64();
        let memory = (METER.allocated)() >> 20;
        let known = match &moment.known {
            Known::Between(lower, upper) => {
                format!("value from {} to {}", shown(lower), shown(upper))
            }
            Known::Numbers(ProofNumbers { proof, disproof }) => {
                let (proof, disproof) = (number(*proof), number(*disproof));
                format!("{proof} to prove, {disproof} to disprove")
            }
        };
        bar.set_message(format!(
            "{visits} visits, {speed:.0} a second, {entries} entries, {memory} MiB, {known}"
        ));
        bar.tick();
        // Working out the bounds of a deep search takes time: spend a tenth of it on progress at
        // most.
        let now = Instant::now();
        self.next = now + PAUSE.max((now - self.asked) * 9);
    }
}

/// A line of JSON on standard output for each improvement of the bounds.
pub(crate) struct WatchLines {
    next: Instant,
    /// Whether nobody reads them any more.
    closed: bool,
}

impl WatchLines {
    pub(crate) fn new() -> Self {
        Self {
            next: Instant::now(),
            closed: false,
        }
    }
}

impl Progress for WatchLines {
    fn wanted(&mut self) -> bool {
        !self.closed && Instant::now() >= self.next
    }

    fn form(&self) -> Form {
        Form::Json
    }

    fn show(&mut self, moment: &Moment) {
        let Known::Between(lower, upper) = &moment.known else {
            return;
        };
        let (visits, entries) = (moment.visits, moment.entries);
        let seconds = limits::running_for().as_secs_f64();
        let line = format!(
            "{{\"event\":\"bounds\",\"seconds\":{seconds:.3},\"visits\":{visits},\"entries\":{entries},\"lower\":{lower},\"upper\":{upper}}}\n"
        );
        self.closed = output::print(&line).is_err();
        self.next = Instant::now() + WATCH_PAUSE;
    }
}

/// A bound in so many characters.
fn shown(bound: &str) -> String {
    let text = one_line(bound);
    if text.chars().count() > SHOWN {
        return text.chars().take(SHOWN).chain("..".chars()).collect();
    }
    text
}
