//! Limits of a command, from its first byte to its last, and signals as a limit.
//!
//! Problem: a search asks its budget and ends with bounds, but nobody asks while a file is read, a
//! game is expanded, or an answer of gigabytes is written. Asking everywhere would put a budget
//! into every loop of the project.
//!
//! Idea: one clock runs from the start of the command. Searches get what is left of it and end by
//! themselves. A second thread, the *guard*, looks at the clock and at the resident memory of the
//! process; a command that is over its limit by more than a [`grace`] ends with a sentence that
//! says what it was doing, and with status 3. A signal ends at once what is not a search, with
//! status 130.

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
    /// Something that asks no budget, in words: "while ..".
    Work(Cow<'static, str>),
    /// Something that ends by itself when its budget is spent or a signal has come. The words say
    /// where it was if it did not.
    Search(String),
    /// Waiting for a person. There is nothing to lose.
    Waiting,
}

static CANCEL: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static DOING: Mutex<Doing> = Mutex::new(Doing::Work(Cow::Borrowed(AT_WORK)));
/// Bytes of the input that were read, and how many there are; 0 if nobody knows.
static READ: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];
/// Resident bytes when the guard looked last, less what a process has beside its allocations.
static RESIDENT: AtomicU64 = AtomicU64::new(0);
/// The limit on memory.
static MOST: AtomicU64 = AtomicU64::new(u64::MAX);
/// Whether the answer was printed, and what is done now only goes with it.
static ANSWERED: AtomicBool = AtomicBool::new(false);
/// Whether the guard and a signal wait, however long it takes.
static UNHURRIED: AtomicBool = AtomicBool::new(false);
/// When the guard ends the command, if it does at all.
static LAST: Mutex<Option<Instant>> = Mutex::new(None);

/// How much longer than its limit a command may take to end by itself, at least.
const LEAST_GRACE: Duration = Duration::from_millis(80);
/// How long a command may take to end after a signal.
const PATIENCE: Duration = Duration::from_secs(10);
/// What a command is doing that has not said it, so that no sentence breaks off.
const AT_WORK: &str = "while the command was at work";
/// What the program does while a person waits for it in a game.
const THINKING: &str = "while the program thought about a move";
/// Where a search was that did not end by itself.
const BETWEEN: &str = "in a step that nothing stops in between";
/// Between two looks of the guard.
const PAUSE: Duration = Duration::from_millis(5);
/// Signals within so long are one.
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
        // A terminal, and whoever signals a process and its group, sends one signal twice.
        let again = first.get_or_insert_with(Instant::now).elapsed() > TWICE;
        match &*doing_now() {
            // It may wait for what never comes, such as the reader of a pipe.
            Doing::Search(_) if !again => drop(thread::spawn(end_of_patience)),
            Doing::Waiting => std::process::exit(130),
            Doing::Search(_) => end(130, "interrupted for the second time"),
            Doing::Work(work) => interrupted(work),
        }
    };
    // A file that grows over the limit of the shell must fail to be written, and not end the
    // process.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())
        .map_err(|error| Failure::Output(format!("cannot wait for signals: {error}")))?;
    ctrlc::set_handler(signal)
        .map_err(|error| Failure::Output(format!("cannot wait for signals: {error}")))
}

/// Ends a command that has not ended so long after a signal: in a search that does not end, or in
/// what came after it.
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

/// A signal ends what is no search.
fn interrupted(work: &str) -> ! {
    let is_answered = ANSWERED.load(Ordering::Relaxed);
    let status = if is_answered { 3 } else { 130 };
    end(status, &format!("interrupted {}", so_far(work)))
}

/// Ends the command with status 1 and a sentence, wherever it is.
pub(crate) fn fail(sentence: &str) -> ! {
    end(1, sentence)
}

/// From here on the answer is there, and a signal ends the command as a limit does.
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

/// The same for a command that counts no visits.
pub(crate) fn of_clock(args: &ClockArgs) -> Result<Limits, Failure> {
    let time = args.max_seconds.map(|Seconds(time)| time);
    guard(time, args)?;
    Ok(Limits {
        deadline: time.and_then(|time| STARTED.checked_add(time)),
        ..of_budget(args)
    })
}

/// The limits of each of several searches. Only memory is a limit of the command.
pub(crate) fn of_each(args: &LimitArgs) -> Result<Limits, Failure> {
    guard(None, &args.clock)?;
    Ok(Limits {
        visits: args.max_visits,
        time: args.clock.max_seconds.map(|Seconds(time)| time),
        ..of_budget(&args.clock)
    })
}

/// Bytes in use: allocated, or resident when the guard looked last, whichever is more.
fn used() -> u64 {
    let mut resident = RESIDENT.load(Ordering::Relaxed);
    if resident > MOST.load(Ordering::Relaxed) {
        // Since then something may have been given back, and it is worth a look before anything
        // stops.
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

/// From here on the command does this; `work` is how a sentence goes on: "while ..".
pub(crate) fn working(work: impl Into<Cow<'static, str>>) {
    for number in &READ {
        number.store(0, Ordering::Relaxed);
    }
    *doing_now() = Doing::Work(work.into());
    line::begin();
}

/// From here on the command reads this file; `-` is standard input. `total` bytes, if that is
/// known.
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

/// Searches: a signal meanwhile only cancels.
pub(crate) fn searching<T>(search: impl FnOnce() -> T) -> T {
    searching_in(BETWEEN, search)
}

/// The same, with the words that say where it was if it does not end by itself.
pub(crate) fn searching_in<T>(place: &str, search: impl FnOnce() -> T) -> T {
    *doing_now() = Doing::Search(place.to_owned());
    line::begin();
    let found = search();
    working("while the answer was written");
    found
}

/// Thinks about a move of a game that a person plays. A signal ends the command at once: nobody
/// waits for bounds.
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

/// Does something that the guard must not cut off when the time is over, and that ends by itself: a
/// search whose checkpoint is written after its limit. What comes then has as long as after any
/// limit.
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

/// Starts the guard, if there is something to hold.
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

/// Ends a command that is over its limit and did not end by itself.
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
