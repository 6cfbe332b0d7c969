//! The progress line on a terminal, and the clock from the start of the command.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use meetjoin_report::progress::{Listener, Moment};

use crate::process::memory::METER;

/// When the command started.
pub(crate) static STARTED: LazyLock<Instant> = LazyLock::new(Instant::now);

/// How long the command has been running.
pub(crate) fn running_for() -> Duration {
    STARTED.elapsed()
}

/// The interval between drawings. Shorter work shows no line.
const TICK: Duration = Duration::from_millis(200);
/// The line on standard error.
static LINE: Mutex<Line> = Mutex::new(Line {
    begun: None,
    bar: None,
    is_drawn: false,
});
/// What the line says beside time and memory.
static SAYS: LazyLock<Mutex<Moment>> = LazyLock::new(Mutex::default);

struct Line {
    /// When the current work began, if there is any.
    begun: Option<Instant>,
    /// The line, once it is drawn.
    bar: Option<ProgressBar>,
    /// Whether there is a thread that draws it.
    is_drawn: bool,
}

/// Shows a line for what begins now, until [`end`]: how long the command has run, what is known of
/// the answer, and the memory in use. Nothing if standard error is no terminal.
pub(crate) fn begin() {
    *lock(&SAYS) = Moment::default();
    if !std::io::stderr().is_terminal() {
        return;
    }
    let mut line = lock(&LINE);
    line.begun = Some(Instant::now());
    if !line.is_drawn {
        let started = thread::Builder::new().stack_size(1 << 18).spawn(draw);
        // If the thread cannot start, only the line is missing.
        line.is_drawn = started.is_ok();
    }
}

/// Draws the line, now and then.
fn draw() {
    loop {
        thread::sleep(TICK);
        let mut line = lock(&LINE);
        if line.begun.is_some_and(|begun| begun.elapsed() >= TICK) {
            line.bar.get_or_insert_with(bar).tick();
        }
    }
}

fn bar() -> ProgressBar {
    let line = |_: &ProgressState, out: &mut dyn Write| {
        let line = lock(&SAYS).line(running_for(), (METER.allocated)());
        // Writing to a string cannot fail.
        let _ = out.write_str(&line);
    };
    let style = ProgressStyle::with_template("{spinner} {wide_line}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    bar.set_style(style.with_key("wide_line", line));
    bar
}

/// Takes the line away.
pub(crate) fn end() {
    // Waits for a drawing in progress, but not for ever: standard error may be blocked.
    for _ in 0..50 {
        if let Ok(mut line) = LINE.try_lock() {
            line.begun = None;
            if let Some(bar) = line.bar.take() {
                bar.finish_and_clear();
            }
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sets what the line says about the answer.
pub(crate) fn says(known: String, counted: String) {
    let mut under = lock(&SAYS);
    (under.known, under.counted) = (known, counted);
}

/// The listener for computations that report progress: it feeds the line, if shown, and
/// [`how_far`].
pub(crate) fn listener() -> Listener {
    Listener::new(|moment| *lock(&SAYS) = moment)
}

/// The last reported work and counts, each after a comma.
pub(crate) fn how_far() -> String {
    let says = lock(&SAYS);
    let mut told = String::new();
    for part in [&says.doing, &says.counted] {
        if !part.is_empty() {
            told.push_str(", ");
            told.push_str(part);
        }
    }
    told
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
