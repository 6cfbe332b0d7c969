//! What attacks share: numbers, time, and runs of the program.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// No run may take longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Pseudo-random numbers (SplitMix64, Steele and others 2014): the same seed, the same numbers.
pub struct Numbers(u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut n = self.0;
        n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        n ^ (n >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    pub fn happens(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

/// An attack: until when, with which numbers, and a folder of its own.
pub struct Attack {
    pub numbers: Numbers,
    name: &'static str,
    seed: u64,
    ends: Instant,
    rounds: u64,
    folder: PathBuf,
}

impl Attack {
    pub fn new(name: &'static str) -> Self {
        let number = |name: &str, otherwise: u64| match std::env::var(name) {
            Ok(text) => text.parse().expect("a number"),
            Err(_) => otherwise,
        };
        let seed = number("ATTACK_SEED", u64::from(std::process::id()));
        let seconds = number("ATTACK_SECONDS", 10);
        println!("{name}: seed {seed}, {seconds} s");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = folder.join(format!("attack-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self {
            numbers: Numbers(seed),
            name,
            seed,
            ends: Instant::now() + Duration::from_secs(seconds),
            rounds: 0,
            folder,
        }
    }

    /// Whether there is time for another round.
    pub fn goes_on(&mut self) -> bool {
        self.rounds += 1;
        Instant::now() < self.ends
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().expect("UTF-8").to_owned()
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a file");
        path
    }

    /// Which round of which attack this is, for a message.
    pub fn place(&self) -> String {
        let Self {
            name, seed, rounds, ..
        } = self;
        format!(
            "{name}, seed {seed}, round {rounds}, files in {}",
            self.folder.display()
        )
    }
}

impl Drop for Attack {
    fn drop(&mut self) {
        println!("{}: {} rounds", self.name, self.rounds.saturating_sub(1));
        if !thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

/// The program that is attacked.
pub fn program() -> String {
    std::env::var("ATTACK_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_meetjoin").to_owned())
}

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
    pub took: Duration,
    /// The most bytes that were resident, looked at every few milliseconds.
    pub resident: u64,
}

/// Starts the program; its outputs go to files, so that nobody has to read along.
pub fn start(attack: &Attack, name: &str, args: &[String], stdin: Stdio) -> Child {
    let into = |ending: &str| {
        let path = attack.path(&format!("{name}.{ending}"));
        Stdio::from(File::create(path).expect("a file"))
    };
    let mut command = Command::new(program());
    command.args(args).stdin(stdin);
    command.stdout(into("out")).stderr(into("err"));
    command.spawn().expect("the program starts")
}

/// Waits for a run that was started under this name.
pub fn finish(attack: &Attack, name: &str, mut child: Child, begun: Instant) -> Run {
    let mut resident = 0;
    let status = loop {
        if let Some(status) = child.try_wait().expect("its own child") {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            let line = std::fs::read(format!("/proc/{}/cmdline", child.id())).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            let _ = child.kill();
            panic!("a run does not end: {}: {line}", attack.place());
        }
        resident = resident.max(resident_now(child.id()));
        thread::sleep(Duration::from_millis(3));
    };
    let took = begun.elapsed();
    let text = |ending: &str| {
        let bytes = std::fs::read(attack.path(&format!("{name}.{ending}"))).expect("its own file");
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Run {
        status: status.code(),
        out: text("out"),
        err: text("err"),
        took,
        resident,
    }
}

/// Bytes of a process's own that are resident, where the system tells.
fn resident_now(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

/// Runs the program without input.
pub fn run(attack: &Attack, args: &[String]) -> Run {
    let begun = Instant::now();
    let child = start(attack, "run", args, Stdio::null());
    finish(attack, "run", child, begun)
}

/// Arguments as a command line has them.
pub fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// What holds of every run, whatever it was given: an exit status that is documented, no panic, and
/// one sentence where something went wrong, or the help.
pub fn check(attack: &Attack, args: &[String], run: &Run) {
    let place = || {
        let (place, args) = (attack.place(), args.join(" "));
        format!("{place}: {args}\n{:?}\n{}", run.status, run.err)
    };
    assert!(!run.err.contains("panicked"), "a panic: {}", place());
    match run.status {
        Some(0) => {}
        // Who names no command gets the help.
        Some(2) if run.out.is_empty() && run.err.contains("\nUsage: meetjoin") => {}
        Some(1..=3 | 130) => {
            let lines = run.err.lines().count();
            assert!(lines <= 1, "more than one sentence: {}", place());
            // Status 3 with bounds on standard output needs none.
            let is_said = run.err.starts_with("meetjoin: ");
            assert!(is_said || run.status == Some(3), "no sentence: {}", place());
            let is_shown = !run.out.is_empty() || is_said;
            assert!(is_shown, "nothing on either output: {}", place());
        }
        _ => panic!("no status that is documented: {}", place()),
    }
}

/// The program's JSON answer.
pub fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.out).expect("an answer is JSON")
}
