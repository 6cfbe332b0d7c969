//! What the tests share: running the binary, and small problems.

use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use meetjoin_catalogue::method::{ALGORITHMS, Algorithm, Method, Needs};
use serde_json::Value;
use serde_json::value::RawValue;

/// No run of the binary may take longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a run of the binary came to.
#[derive(Debug)]
pub struct Run {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

/// The binary with these arguments and nothing connected yet.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_meetjoin"));
    command.args(args);
    command
}

/// Starts a command with all three streams as pipes, unless it says otherwise.
pub fn start(command: &mut Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// Feeds a process and waits for its end.
pub fn finish(mut child: Child, stdin: &[u8]) -> Run {
    let (input, stdin) = (child.stdin.take(), stdin.to_vec());
    // A process that does not read it all is no error.
    let feed = thread::spawn(move || input.map(|mut input| input.write_all(&stdin)));
    let out = child.stdout.take().map(collect);
    let err = child.stderr.take().map(collect);
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("its own child") {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill().expect("its own child");
            panic!("the process does not end");
        }
        thread::sleep(Duration::from_millis(1));
    };
    let _ = feed.join().expect("no panic");
    let text = |stream: Option<thread::JoinHandle<String>>| {
        stream.map_or(String::new(), |stream| stream.join().expect("UTF-8"))
    };
    Run {
        status: status.code(),
        out: text(out),
        err: text(err),
    }
}

fn collect(mut stream: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("a pipe");
        String::from_utf8(bytes).expect("UTF-8")
    })
}

/// Runs the binary with this standard input.
pub fn meetjoin(args: &[&str], stdin: impl AsRef<[u8]>) -> Run {
    finish(start(&mut command(args)), stdin.as_ref())
}

/// `solve - ARGS` on this problem.
pub fn solve(problem: impl AsRef<[u8]>, args: &[&str]) -> Run {
    meetjoin(&[&["solve", "-"], args].concat(), problem)
}

/// The answer of `solve - --json ARGS`, which must be exact.
pub fn answer(problem: &str, args: &[&str]) -> Value {
    let run = solve(problem, &[&["--json"], args].concat());
    let Run { status, out, err } = &run;
    assert_eq!((*status, &**err), (Some(0), ""), "{args:?} on {problem}");
    let answer: Value = serde_json::from_str(out).expect("an answer is JSON");
    assert_eq!(answer["exact"], true, "{out}");
    answer
}

/// The value of an exact answer, exactly as it is printed.
pub fn value(problem: &str, args: &[&str]) -> String {
    #[derive(serde::Deserialize)]
    struct Answer {
        value: Box<RawValue>,
    }
    let run = solve(problem, &[&["--json"], args].concat());
    assert_eq!(
        (run.status, &*run.err),
        (Some(0), ""),
        "{args:?} on {problem}"
    );
    let answer: Answer = serde_json::from_str(&run.out).expect("an answer is JSON");
    answer.value.get().to_owned()
}

/// What is said when a run ends with this status and prints nothing: one sentence on one line,
/// without the name of the program.
pub fn one_sentence(run: &Run, status: i32) -> &str {
    let Run { out, err, .. } = run;
    assert_eq!((run.status, &**out), (Some(status), ""), "{run:?}");
    let line = err.strip_suffix('\n').expect("a whole line");
    let sentence = line
        .strip_prefix("meetjoin: ")
        .expect("the program's name first");
    let fine = |c: char| !c.is_control();
    assert!(sentence.chars().all(fine), "one line: {err}");
    assert!(sentence.len() > 15, "what, where, what to do: {err}");
    for noise in ["panicked", "RUST_BACKTRACE", "thread '", "Error {", "  "] {
        assert!(!sentence.contains(noise), "{err}");
    }
    sentence
}

/// Words with one space between them, however their lines are broken.
pub fn in_one_line(out: &str) -> String {
    out.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The sentence of a run that was refused.
pub fn refused(run: &Run) -> &str {
    one_sentence(run, 2)
}

/// A directory that is removed with its owner.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        Self::within(folder, test).expect("a directory for tests")
    }

    /// One in memory if the system has such a folder: for thousands of small files, each of which
    /// would wait for the disk.
    pub fn in_memory(test: &str) -> Self {
        let folder = Path::new("/dev/shm");
        Self::within(folder, &format!("meetjoin-{test}")).unwrap_or_else(|_| Self::new(test))
    }

    fn within(folder: &Path, test: &str) -> std::io::Result<Self> {
        // Tests run side by side, and some share a name.
        static MADE: AtomicU32 = AtomicU32::new(0);
        let made = MADE.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{test}-{}-{made}", std::process::id()));
        std::fs::create_dir(&path).map(|()| Self(path))
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    /// The path of a new file.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a file for tests");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Checks five things at a time: for what waits more than it computes.
pub fn some_at_once<T: Sync>(all: &[T], check: impl Fn(&T) + Sync) {
    for some in all.chunks(5) {
        thread::scope(|threads| {
            for one in some {
                threads.spawn(|| check(one));
            }
        });
    }
}

/// The example of the format's description.
pub const EXAMPLE: &str = r#"{"format": "meetjoin-problem/1",
 "lattice": {"type": "powerset", "v": 4},
 "root": "r",
 "nodes": [
   {"id": "r", "kind": "or",  "children": ["a", "x"]},
   {"id": "a", "kind": "and", "children": ["x", "y", "y"], "lower": [], "upper": [1, 2]},
   {"id": "x", "kind": "leaf", "value": [1, 2]},
   {"id": "y", "kind": "leaf", "value": [2, 3]}]}
"#;

/// The example without its bounds.
pub fn example_without_bounds() -> String {
    EXAMPLE.replace(r#", "lower": [], "upper": [1, 2]"#, "")
}

/// A problem on one line whose root is 1.
pub fn problem(lattice: &str, nodes: &str) -> String {
    format!(r#"{{"format":"meetjoin-problem/1","lattice":{lattice},"root":1,"nodes":[{nodes}]}}"#)
}

/// A problem that is one leaf.
pub fn leaf(lattice: &str, value: &str) -> String {
    problem(
        lattice,
        &format!(r#"{{"id":1,"kind":"leaf","value":{value}}}"#),
    )
}

/// OR and AND in turn, each with its one child twice: 2^rungs paths to one leaf, which is {1, 3} of
/// 1..4.
pub fn ladder(rungs: u32) -> String {
    let mut nodes = String::new();
    for rung in 1..=rungs {
        let (kind, next) = (["or", "and"][rung as usize % 2], rung + 1);
        let _ = write!(
            nodes,
            r#"{{"id":{rung},"kind":"{kind}","children":[{next},{next}]}},"#
        );
    }
    let _ = write!(
        nodes,
        r#"{{"id":{},"kind":"leaf","value":[1,3]}}"#,
        rungs + 1
    );
    problem(r#"{"type":"powerset","v":4}"#, &nodes)
}

/// M3: three elements between bottom and top, the smallest lattice that is modular but not
/// distributive.
pub const M3: &str = r#"{"type":"table","name":"M3","elements":["0","a","b","c","1"],
    "covers":[["0","a"],["0","b"],["0","c"],["a","1"],["b","1"],["c","1"]]}"#;

/// Every algorithm that backs values up, and not claims.
pub fn algorithms() -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS
        .iter()
        .filter(|algorithm| algorithm.needs() != Needs::JoinPrimes)
}

/// Those that find values of integers: all but the one that asks for sets.
pub fn algorithms_for_integers() -> impl Iterator<Item = &'static Algorithm> {
    algorithms().filter(|algorithm| algorithm.method != Method::Thresholds)
}

/// Those that run on sets of worlds: on any distributive lattice.
pub fn algorithms_for_sets() -> impl Iterator<Item = &'static Algorithm> {
    algorithms().filter(|algorithm| algorithm.needs().met_by(Needs::Distributive))
}

/// Those that need a total order.
pub fn algorithms_for_chains() -> impl Iterator<Item = &'static Algorithm> {
    algorithms().filter(|algorithm| algorithm.needs() == Needs::TotalOrder)
}
