//! Progress of a search: what the line on standard error says for people, and lines of JSON on
//! standard output for programs.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use meetjoin_report::progress::{about, between};
use meetjoin_search::proof::ProofNumbers;
use meetjoin_solve::prove::number;
use meetjoin_solve::{Form, Known, Moment, Progress};

use crate::process::line::{running_for, says};
use crate::process::output;

/// How long between two updates.
const PAUSE: Duration = Duration::from_millis(100);
/// How long between two lines of JSON, at least.
const WATCH_PAUSE: Duration = Duration::from_millis(20);

/// Progress of a search, for the line.
pub(crate) struct ProgressLine {
    is_shown: bool,
    started: Instant,
    asked: Instant,
    next: Instant,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self {
            is_shown: std::io::stderr().is_terminal(),
            started: now,
            asked: now,
            next: now + PAUSE,
        }
    }
}

impl Progress for ProgressLine {
    fn wanted(&mut self) -> bool {
        if !self.is_shown {
            return false;
        }
        self.asked = Instant::now();
        self.asked >= self.next
    }

    fn show(&mut self, moment: &Moment) {
        let (visits, entries) = (moment.visits, moment.entries);
        let speed = visits as f64 / self.started.elapsed().as_secs_f64();
        let known = match &moment.known {
            Known::Between(lower, upper) => format!("value {}", between(lower, upper)),
            Known::Numbers(ProofNumbers { proof, disproof }) => {
                let (proof, disproof) = (number(*proof), number(*disproof));
                format!("{proof} to prove, {disproof} to disprove")
            }
        };
        #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)] // it is saturated
        let speed = about(speed as u64);
        let [visits, entries] = [visits, entries as u64].map(about);
        let work = format!("{visits} visits, {speed}/s, {entries} entries");
        says(known, work);
        // Working out the bounds of a deep search takes time: spend a tenth of it on progress at
        // most.
        let now = Instant::now();
        self.next = now + PAUSE.max((now - self.asked) * 9);
    }
}

/// A line of JSON on standard output for each improvement of the bounds.
pub(crate) struct WatchLines {
    next: Instant,
    /// Whether their reader is gone.
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
        let seconds = running_for().as_secs_f64();
        let line = format!(
            "{{\"event\":\"bounds\",\"seconds\":{seconds:.3},\"visits\":{visits},\"entries\":{entries},\"lower\":{lower},\"upper\":{upper}}}\n"
        );
        self.closed = output::print(&line).is_err();
        self.next = Instant::now() + WATCH_PAUSE;
    }
}
