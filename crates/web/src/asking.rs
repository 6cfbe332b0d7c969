//! Questions in, answers out: the boundary between a page and a program.
//!
//! Problem: a page can only exchange text with a program, and tests are to ask the same questions
//! without a browser.
//!
//! Idea: a program is an ordinary process: question on standard input, answer on standard output,
//! exit status. In a browser, a dozen short functions of JavaScript emulate standard input, output
//! and a clock. Each question gets a fresh instance of the program, so no state is left of the one
//! before.

use std::cell::Cell;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use meetjoin_lattice::{Budget, Limits, MemoryLimit};
use meetjoin_report::{Application, Meter, Run, json_line, one_line, request};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How memory is measured.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// How answers measure the memory they took.
    pub meter: Meter,
    /// Bytes in use now.
    pub used: fn() -> u64,
}

impl Memory {
    /// No memory accounting.
    pub const UNKNOWN: Self = Self {
        meter: Meter::NONE,
        used: || 0,
    };
}

/// A program's answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// What the command prints.
    pub text: String,
    /// Whether no limit stopped it.
    pub is_complete: bool,
}

/// A program: a function from a question, followed by its file, to an answer or to the sentence
/// that says why there is none.
pub type Answer = fn(&[u8], Memory) -> Result<Answered, String>;

/// A question with its limits, as it is written in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question<T> {
    ask: T,
    seconds: Option<f64>,
    mebibytes: Option<u64>,
}

/// A question that has been read.
#[derive(Debug)]
pub struct Asked<'a, T> {
    /// What is asked.
    pub ask: T,
    /// Its limits.
    pub limits: Limits,
    /// The file that came with it, or nothing.
    pub file: &'a [u8],
}

/// The interval between two lines of progress.
const PAUSE: Duration = Duration::from_millis(100);
/// Limits of a question that names none.
const SECONDS: f64 = 60.0;
const MEBIBYTES: u64 = 1024;
/// The most memory: a 32-bit program cannot have more.
const MOST_MEBIBYTES: u64 = 3072;

/// Reads a question: the first line, followed by the file.
///
/// # Errors
/// If the first line is no question of this kind.
pub fn read<T: DeserializeOwned>(bytes: &[u8], memory: Memory) -> Result<Asked<'_, T>, String> {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (line, file) = match end {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, &[][..]),
    };
    let question: Question<T> =
        serde_json::from_slice(line).map_err(|error| format!("this is no question: {error}"))?;
    let seconds = question.seconds.unwrap_or(SECONDS);
    let time = Duration::try_from_secs_f64(seconds)
        .map_err(|_| format!("{seconds} is not a number of seconds"))?;
    let bytes = question.mebibytes.unwrap_or(MEBIBYTES).min(MOST_MEBIBYTES) << 20;
    let limits = Limits {
        time: Some(time),
        memory: Some(MemoryLimit {
            bytes,
            used: memory.used,
        }),
        forget: true,
        ..Limits::default()
    };
    Ok(Asked {
        ask: question.ask,
        limits,
        file,
    })
}

/// Progress: lines of JSON on standard error, at most ten a second, and none in the first tenth.
#[derive(Debug)]
pub struct Progress(Cell<Instant>);

impl Progress {
    /// Begins now.
    pub fn begin() -> Self {
        Self(Cell::new(Instant::now()))
    }

    /// Writes a line, if it is time to.
    pub fn say(&self, what: impl FnOnce() -> Value) {
        if self.0.get().elapsed() < PAUSE {
            return;
        }
        self.0.set(Instant::now());
        // In one write, as the reader expects whole lines. Failure does not matter.
        let line = format!("{}\n", what());
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// A whole run of a program.
pub fn run(answer: Answer, memory: Memory) -> ExitCode {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_to_end(&mut bytes);
    let answered = match read {
        Ok(_) => answer(&bytes, memory),
        Err(error) => Err(format!("the question cannot be read: {error}")),
    };
    // If the answer cannot be written, there is nobody to tell.
    match answered {
        Ok(Answered { text, is_complete }) => {
            let _ = std::io::stdout().lock().write_all(text.as_bytes());
            ExitCode::from(if is_complete { 0 } else { 3 })
        }
        Err(sentence) => {
            let _ = writeln!(std::io::stderr(), "{}", one_line(&sentence));
            ExitCode::from(2)
        }
    }
}

/// The answer of an application to a question.
///
/// # Errors
/// The sentence that says why it cannot be answered.
pub fn of<A: Application>(question: Value, limits: Limits) -> Result<Answered, String> {
    let budget = Budget::new(limits);
    let answer = request(A::NAME, question)
        .and_then(|request| A::answer(&request, &Run::new(&budget)))
        .map_err(|refusal| refusal.to_string())?;
    Ok(Answered {
        text: answer.json(),
        is_complete: answer.is_complete(),
    })
}

/// What the command prints, followed by a line of JSON with the extras: pages, drawings, and other
/// files that the command would write.
pub fn with_more(text: &[u8], more: Option<&impl Serialize>) -> String {
    let mut text = String::from_utf8_lossy(text).into_owned();
    if let Some(more) = more {
        text.push_str(&json_line(more));
    }
    text
}

/// The program that answers questions by a function, with an allocator that counts.
#[macro_export]
macro_rules! program {
    ($answer:path) => {
        #[global_allocator]
        static ALLOCATOR: cap::Cap<std::alloc::System> =
            cap::Cap::new(std::alloc::System, usize::MAX);

        fn main() -> std::process::ExitCode {
            let memory = $crate::asking::Memory {
                meter: meetjoin_report::Meter {
                    begin: || (),
                    allocated: || ALLOCATOR.allocated(),
                    peak: || ALLOCATOR.max_allocated(),
                },
                used: || ALLOCATOR.allocated() as u64,
            };
            $crate::asking::run($answer, memory)
        }
    };
}
