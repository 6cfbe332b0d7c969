//! Limits of a command, from its first byte to its last, and signals as a limit.
//!
//! Problem: a search checks its budget and ends with bounds, but nothing checks it while a file is
//! read, a game is expanded, or an answer of gigabytes is written. Checking everywhere would put a
//! budget into every loop of the project.
//!
//! Idea: one clock runs from the start of the command. Searches get the time that is left and end
//! by themselves. A second thread, the *guard*, watches the clock and the resident memory of the
//! process; a command that exceeds its limit by more than a [`grace`] period ends with a sentence
//! that says what it was doing, and with status 3. Outside a search, a signal ends the command at
//! once, with status 130.

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use meetjoin_lattice::{Limits, MemoryLimit};
use meetjoin_report::counted;

use crate::arguments::limit_args::{ClockArgs, LimitArgs};
use crate::arguments::units::{Seconds, Size};
use crate::process::failure::Failure;
use crate::process::last_word::LAST_WORD;
use crate::process::line::STARTED;
use crate::process::memory::{METER, resident};
use crate::process::{line, output};

/// What the command is doing.
enum Doing {
    /// Work that does not check a budget, in words: "while ..".
    Work(Cow<'static, str>),
    /// A search, which ends by itself when its budget is spent or a signal has come. The words say
    /// where it was if it does not.
    Search(String),
    /// Waiting for a person: it can end at once.
    Waiting,
}

static CANCEL: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static DOING: Mutex<Doing> = Mutex::new(Doing::Work(Cow::Borrowed(AT_WORK)));
/// Bytes of the input read so far, and in all; 0 if unknown.
static READ: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];
/// Resident bytes at the guard's last check, less `BESIDE`.
static RESIDENT: AtomicU64 = AtomicU64::new(0);
/// The limit on memory.
static MOST: AtomicU64 = AtomicU64::new(u64::MAX);
/// Whether the answer was printed, and only extras follow.
static ANSWERED: AtomicBool = AtomicBool::new(false);
/// Whether the guard and signals wait without limit.
static UNHURRIED: AtomicBool = AtomicBool::new(false);
/// When the guard ends the command, if it does at all.
static LAST: Mutex<Option<Instant>> = Mutex::new(None);

/// The least grace period after a limit.
const LEAST_GRACE: Duration = Duration::from_millis(80);
/// How long a command may take to end after a signal.
const PATIENCE: Duration = Duration::from_secs(10);
/// The words for a command that has not said what it is doing.
const AT_WORK: &str = "while the command was at work";
/// The words for thinking about a move.
const THINKING: &str = "while the program thought about a move";
/// The words for a search that did not end by itself.
const BETWEEN: &str = "in a step that cannot be interrupted";
/// The interval between checks of the guard.
const PAUSE: Duration = Duration::from_millis(5);
/// Signals within this time count as one.
const TWICE: Duration = Duration::from_millis(100);
/// Resident bytes beside what is allocated: the program itself, and what the allocator keeps.
const BESIDE: u64 = 16 << 20;

/// Starts the clock. From here on the signals INT, TERM and HUP cancel a search, and end everything
/// else with a sentence.
pub(crate) fn begin() -> Result<(), Failure> {
    LazyLock::force(&STARTED);
    let mut first: Option<Instant> = None;
    let signal = move || {
        CANCEL.store(true, Ordering::Relaxed);
        // One signal may arrive twice: sent to the process and to its group.
        let again = first.get_or_insert_with(Instant::now).elapsed() > TWICE;
        match &*doing_now() {
            // It may block for ever, for example on the reader of a pipe.
            Doing::Search(_) if !again => drop(thread::spawn(end_of_patience)),
            Doing::Waiting => std::process::exit(130),
            Doing::Search(_) => end(130, "interrupted for the second time"),
            Doing::Work(work) => interrupted(work),
        }
    };
    // Exceeding the shell's limit of file sizes must be a failed write, not the end of the process.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())
        .map_err(|error| Failure::Output(format!("cannot wait for signals: {error}")))?;
    ctrlc::set_handler(signal)
        .map_err(|error| Failure::Output(format!("cannot wait for signals: {error}")))
}

/// Ends a command that is still running `PATIENCE` after a signal.
fn end_of_patience() {
    thread::sleep(PATIENCE);
    if UNHURRIED.load(Ordering::Relaxed) {
        return;
    }
    match &*doing_now() {
        Doing::Search(place) => end(130, &format!("interrupted {place}")),
        Doing::Waiting => {}
        Doing::Work(work) => interrupted(work),
    }
}

/// Ends the command because of a signal outside a search.
fn interrupted(work: &str) -> ! {
    let is_answered = ANSWERED.load(Ordering::Relaxed);
    let status = if is_answered { 3 } else { 130 };
    end(status, &format!("interrupted {}", so_far(work)))
}

/// Ends the command with status 1 and a sentence, wherever it is.
pub(crate) fn fail(sentence: &str) -> ! {
    end(1, sentence)
}

/// Marks the answer as printed: from here on a signal ends the command as a limit does.
pub(crate) fn answered() {
    ANSWERED.store(true, Ordering::Relaxed);
}

/// The limits of searches of this command, all together; the guard holds everything else to them.
pub(crate) fn of_command(args: &LimitArgs) -> Result<Limits, Failure> {
    Ok(Limits {
        visits: args.max_visits,
        ..of_clock(&args.clock)?
    })
}

/// The limits of a command that counts no visits.
pub(crate) fn of_clock(args: &ClockArgs) -> Result<Limits, Failure> {
    let time = args.max_seconds.map(|Seconds(time)| time);
    guard(time, args)?;
    Ok(Limits {
        deadline: time.and_then(|time| STARTED.checked_add(time)),
        ..of_budget(args)
    })
}

/// The limits of each of several searches. Only the memory limit is for the whole command.
pub(crate) fn of_each(args: &LimitArgs) -> Result<Limits, Failure> {
    guard(None, &args.clock)?;
    Ok(Limits {
        visits: args.max_visits,
        time: args.clock.max_seconds.map(|Seconds(time)| time),
        ..of_budget(&args.clock)
    })
}

/// Bytes in use: the maximum of allocated bytes and resident ones at the guard's last check.
fn used() -> u64 {
    let mut resident = RESIDENT.load(Ordering::Relaxed);
    if resident > MOST.load(Ordering::Relaxed) {
        // Memory may have been returned since then: check again before stopping anything.
        look_at_memory();
        resident = RESIDENT.load(Ordering::Relaxed);
    }
    resident.max((METER.allocated)() as u64)
}

/// Finds out how many bytes are resident.
fn look_at_memory() -> u64 {
    let bytes = resident().unwrap_or((METER.allocated)() as u64);
    RESIDENT.store(bytes.saturating_sub(BESIDE), Ordering::Relaxed);
    bytes
}

fn of_budget(args: &ClockArgs) -> Limits {
    Limits {
        memory: args
            .max_memory
            .map(|Size(bytes)| MemoryLimit { bytes, used }),
        forget: true,
        cancel: Some(Arc::clone(&CANCEL)),
        ..Limits::default()
    }
}

/// Sets what the command is doing; `work` continues a sentence: "while ..".
pub(crate) fn working(work: impl Into<Cow<'static, str>>) {
    for number in &READ {
        number.store(0, Ordering::Relaxed);
    }
    *doing_now() = Doing::Work(work.into());
    line::begin();
}

/// Sets that the command is reading this file (`-` is standard input), of `total` bytes if known.
pub(crate) fn reading(file: &Path, total: u64) {
    working(if file.as_os_str() == "-" {
        "while standard input was read".to_owned()
    } else {
        format!("while {} was read", file.display())
    });
    READ[1].store(total, Ordering::Relaxed);
}

/// Counts bytes of the input.
pub(crate) fn has_read(bytes: usize) {
    READ[0].fetch_add(bytes as u64, Ordering::Relaxed);
}

/// Runs a search: a signal only cancels it.
pub(crate) fn searching<T>(search: impl FnOnce() -> T) -> T {
    searching_in(BETWEEN, search)
}

/// [`searching`], with the words for where it was if it does not end by itself.
pub(crate) fn searching_in<T>(place: &str, search: impl FnOnce() -> T) -> T {
    *doing_now() = Doing::Search(place.to_owned());
    line::begin();
    let found = search();
    working("while the answer was written");
    found
}

/// Runs a search for a move in an interactive game. A signal ends the command at once, without
/// bounds.
pub(crate) fn thinking<T>(think: impl FnOnce() -> T) -> T {
    working(THINKING);
    let thought = think();
    if CANCEL.load(Ordering::Relaxed) {
        // The signal has ended the search before it ended the command.
        interrupted(THINKING);
    }
    working("while the game went on");
    thought
}

/// Runs something that ends by itself and that the guard must not cut off when the time is over,
/// such as a search whose checkpoint is written after its limit. The grace period begins when it is
/// done.
pub(crate) fn unhurried<T>(work: impl FnOnce() -> T) -> T {
    let before = last().take();
    UNHURRIED.store(true, Ordering::Relaxed);
    let done = work();
    UNHURRIED.store(false, Ordering::Relaxed);
    *last() = before.map(|before| before.max(Instant::now() + LEAST_GRACE));
    done
}

/// Waits for a person. A signal meanwhile ends the process at once.
pub(crate) fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    line::end();
    let before = std::mem::replace(&mut *doing_now(), Doing::Waiting);
    let waited = wait();
    *doing_now() = before;
    waited
}

fn last() -> std::sync::MutexGuard<'static, Option<Instant>> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

fn doing_now() -> std::sync::MutexGuard<'static, Doing> {
    DOING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The words, with how much was read.
fn so_far(work: &str) -> String {
    let [read, total] = READ.each_ref().map(|n| n.load(Ordering::Relaxed));
    match (read, total) {
        (0, _) => work.to_owned(),
        (read, 0) => format!("{work}, after {}", counted(read, "byte")),
        (read, total) => format!("{work}, after {read} of {}", counted(total, "byte")),
    }
}

/// How much longer than its limit a command may take to end by itself.
fn grace(time: Duration) -> Duration {
    (LEAST_GRACE + time / 20).min(Duration::from_secs(2))
}

/// Starts the guard, if there is a limit.
fn guard(time: Option<Duration>, args: &ClockArgs) -> Result<(), Failure> {
    *last() = time.and_then(|time| STARTED.checked_add(time.checked_add(grace(time))?));
    if let Some(Size(bytes)) = args.max_memory {
        MOST.store(bytes, Ordering::Relaxed);
    }
    let most = args
        .max_memory
        .map(|Size(bytes)| bytes.saturating_add(bytes / 20 + BESIDE));
    if time.is_none() && most.is_none() {
        return Ok(());
    }
    let look = move || {
        loop {
            thread::sleep(PAUSE);
            let is_over = last().is_some_and(|last| Instant::now() >= last);
            if is_over {
                stop("the time limit was reached");
            }
            if let Some(most) = most
                && look_at_memory() > most
            {
                stop("the memory limit was reached");
            }
        }
    };
    let started = thread::Builder::new().stack_size(1 << 16).spawn(look);
    started.map(drop).map_err(|error| {
        Failure::Output(format!(
            "cannot start the thread that holds limits: {error}"
        ))
    })
}

/// Ends a command that has exceeded its limit and did not end by itself.
fn stop(limit: &str) {
    match &*doing_now() {
        Doing::Waiting => {}
        Doing::Search(place) => end(3, &format!("{limit} {place}{}", line::how_far())),
        Doing::Work(work) => end(3, &format!("{limit} {}", so_far(work))),
    }
}

/// Ends the process with a sentence, unless the command has just ended with one of its own. Files
/// that are not complete are removed.
fn end(status: i32, sentence: &str) -> ! {
    let status = LAST_WORD.say(status, Some(sentence));
    output::remove_unfinished();
    std::process::exit(status)
}
