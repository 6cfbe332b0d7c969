//! Fault trees, by meetjoin and by SCRAM, a program for risk assessment: each in a process of its
//! own, one after the other, within the same limits.
//!
//! The trees are those of a folder, if one is given, and random ones. Times are CPU times, user and
//! system, of the whole process; SCRAM writes every set that it finds, so a second ratio compares
//! the times that both report, without reading and writing. Memory is peak resident memory.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use meetjoin_faults::FaultTree;
use meetjoin_faults::FaultTreeParameters;
use meetjoin_faults::Sets;
use meetjoin_faults::answer::{CutsRequest, List, find};
use meetjoin_faults::tree::{Argument, Connective};
use meetjoin_lattice::Budget;
use meetjoin_problems::Source;
use meetjoin_report::progress::Listener;
use wait4::Wait4 as _;

use crate::measuring::asking::{Failure, Lines};
use crate::measuring::instance::METER;
use crate::measuring::measure::{RunLimits, median};

/// The methods of SCRAM.
const METHODS: [&str; 3] = ["--bdd", "--zbdd", "--mocus"];
/// Events and gates of the random trees.
const SIZES: [(u32, u32); 4] = [(40, 40), (80, 60), (120, 80), (160, 120)];
/// The most arguments of their gates.
const ARGUMENTS: u32 = 4;
/// A process is repeated until it has taken this many seconds in all ..
const LONG_ENOUGH: f64 = 0.3;
/// .. or this often.
const MOST_REPETITIONS: usize = 5;
/// The bytes that are read of an answer; the rest are sets.
const HEAD: u64 = 1 << 16;

/// The output of a process, and its cost.
#[derive(Debug)]
struct Ran {
    /// The beginning of its output.
    head: String,
    /// Seconds of processor time, and of the clock.
    seconds: f64,
    wall: f64,
    /// The most bytes that were resident.
    bytes: u64,
    /// Whether it ended successfully.
    ended: bool,
}

/// A line for each tree, and one for the mean ratio.
pub(crate) fn beside_scram(trees: u64, limits: &RunLimits) -> Result<Lines, Failure> {
    let scram = Command::new("scram").arg("--version").output().is_ok();
    let folder = std::env::temp_dir().join(format!("fault-trees-{}", std::process::id()));
    let lines = write_random(&folder, trees).and_then(|random| {
        let mut files = match &limits.data {
            Some(data) => files_of(data)?,
            None => Vec::new(),
        };
        files.extend(random);
        lines_of(&files, scram, limits)
    });
    // If that fails, the system clears its temporary folder.
    let _ = fs::remove_dir_all(&folder);
    lines
}

/// The XML files of a folder, by name.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: io::Error| Failure::Wrong(format!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "xml") {
            files.push(path);
        }
    }
    if files.is_empty() {
        let why = format!("there is no fault tree (NAME.xml) in {}", folder.display());
        return Err(Failure::Wrong(why));
    }
    files.sort();
    Ok(files)
}

/// The trees of a folder, with their names.
pub(crate) fn trees_of(folder: &Path) -> Result<Vec<(String, FaultTree)>, Failure> {
    let files = files_of(folder)?;
    files.iter().map(|file| tree_of(file)).collect()
}

/// A tree and its name.
fn tree_of(file: &Path) -> Result<(String, FaultTree), Failure> {
    let name = file.file_stem().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    let text = fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
    let tree = Source::read_fault_tree(&text, None);
    let tree = tree.map_err(|error| format!("{name}: {error}"))?;
    Ok((name, tree))
}

/// Random trees, `trees` of each size, as files.
fn write_random(folder: &Path, trees: u64) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: io::Error| Failure::Wrong(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut files = Vec::new();
    for (events, gates) in SIZES {
        for seed in 1..=trees {
            let parameters = FaultTreeParameters {
                events,
                gates,
                arguments: ARGUMENTS,
                seed,
            };
            let tree = parameters.tree().map_err(|error| error.to_string())?;
            let file = folder.join(format!("random-{events}-{gates}-{seed}.xml"));
            fs::write(&file, open_psa(&tree)).map_err(failed)?;
            files.push(file);
        }
    }
    Ok(files)
}

/// A tree in the Model Exchange Format. Every gate of a random tree has a name, and no name needs
/// an escape.
fn open_psa(tree: &FaultTree) -> String {
    let name = |gate: u32| tree.gates()[gate as usize].name.as_deref().unwrap_or("top");
    let mut lines = vec!["<opsa-mef><define-fault-tree name=\"random\">".to_owned()];
    for (number, gate) in (0..).zip(tree.gates()) {
        let (open, close) = match gate.connective {
            _ if gate.arguments.len() == 1 => (String::new(), ""),
            Connective::And => ("and".to_owned(), "and"),
            Connective::AtLeast(least) => (format!("atleast min=\"{least}\""), "atleast"),
            _ => ("or".to_owned(), "or"),
        };
        let arguments = gate.arguments.iter().map(|argument| match *argument {
            Argument::Gate(gate) => format!("<gate name=\"{}\"/>", name(gate)),
            Argument::Event(event) => {
                let name = &tree.events()[event as usize].name;
                format!("<basic-event name=\"{name}\"/>")
            }
            Argument::Constant(value) => format!("<constant value=\"{value}\"/>"),
        });
        let mut formula: String = arguments.collect();
        if !open.is_empty() {
            formula = format!("<{open}>{formula}</{close}>");
        }
        let gate = name(number);
        lines.push(format!(
            "<define-gate name=\"{gate}\">{formula}</define-gate>"
        ));
    }
    lines.push("</define-fault-tree><model-data>".to_owned());
    for event in tree.events() {
        let (name, p) = (&event.name, event.probability.unwrap_or(0.01));
        lines.push(format!(
            "<define-basic-event name=\"{name}\"><float value=\"{p}\"/></define-basic-event>"
        ));
    }
    lines.push("</model-data></opsa-mef>\n".to_owned());
    lines.join("\n")
}

fn lines_of(files: &[PathBuf], scram: bool, limits: &RunLimits) -> Result<Lines, Failure> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut lines = Vec::new();
    let (mut ratios, mut own_ratios) = (Vec::new(), Vec::new());
    for file in files {
        let (name, tree) = tree_of(file)?;
        let events = tree.events().len().to_string();
        let mut ours = Command::new(&this);
        ours.arg("--cuts-of").arg(file);
        let ours = ran(&ours, limits)?;
        // The number of sets, and seconds.
        let said = ours.head.split_once(' ').filter(|_| ours.ended);
        let sets = said.map(|(sets, _)| sets.to_owned());
        let own = said.and_then(|(_, own)| own.trim().parse::<f64>().ok());
        let mut cells = vec![
            name,
            events.clone(),
            sets.clone().unwrap_or_else(|| "?".to_owned()),
            seconds(&ours, None),
            mebibytes(&ours),
        ];
        let (mut best, mut best_own) = (f64::INFINITY, f64::INFINITY);
        for method in METHODS {
            if !scram {
                cells.extend(["-".to_owned(), "-".to_owned()]);
                continue;
            }
            let mut command = Command::new("scram");
            command.args([method, "--probability", "1", "--limit-order", &events]);
            command.arg(file);
            let theirs = ran(&command, limits)?;
            let found = between(&theirs.head, " products=\"", "\"").map(str::to_owned);
            let differs = found.clone().filter(|found| sets.as_ref() != Some(found));
            cells.extend([seconds(&theirs, differs.as_deref()), mebibytes(&theirs)]);
            if theirs.ended && found.is_some() && found == sets {
                best = best.min(theirs.seconds);
                let own = ["products", "probability"].map(|key| {
                    between(&theirs.head, &format!("<{key}>"), "<")?
                        .parse::<f64>()
                        .ok()
                });
                best_own = best_own.min(own.into_iter().flatten().sum());
            }
        }
        let own = own.unwrap_or(f64::INFINITY);
        let pairs = [
            (best, ours.seconds, &mut ratios),
            (best_own, own, &mut own_ratios),
        ];
        for (best, ours, ratios) in pairs {
            let ratio = best.is_finite().then_some(best / ours);
            cells.push(ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")));
            ratios.extend(ratio);
        }
        eprintln!("fault tree {}", cells.join("  "));
        lines.push(cells);
    }
    let mut last = vec![format!("geometric mean of {}", ratios.len())];
    last.resize(5 + 2 * METHODS.len(), String::new());
    last.extend([&ratios, &own_ratios].map(|ratios| {
        let logs: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
        format!("{:.2}", (logs / ratios.len() as f64).exp())
    }));
    lines.push(last);
    Ok(lines)
}

/// Runs a command repeatedly until its time is measured well enough.
fn ran(command: &Command, limits: &RunLimits) -> Result<Ran, Failure> {
    let first = once(command, limits)?;
    let (mut times, mut wall) = (vec![first.seconds], first.wall);
    while first.ended && wall < LONG_ENOUGH && times.len() < MOST_REPETITIONS {
        let again = once(command, limits)?;
        times.push(again.seconds);
        wall += again.wall;
    }
    Ok(Ran {
        seconds: median(&mut times),
        ..first
    })
}

/// Runs a command once, within the limits: a clock, and the size of its address space.
fn once(command: &Command, limits: &RunLimits) -> Result<Ran, Failure> {
    if limits.cancel.load(Ordering::Relaxed) {
        return Err(Failure::Cancelled);
    }
    let program = command.get_program();
    let wrong = |error: io::Error| format!("{}: {error}", program.display());
    let kibibytes = (limits.memory >> 10).to_string();
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v \"$0\"; exec \"$@\"", &kibibytes])
        .arg(program)
        .args(command.get_args())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(wrong)?;
    let started = Instant::now();
    let (done, is_done) = mpsc::channel::<()>();
    let (pid, time) = (child.id().to_string(), limits.time);
    let watch = std::thread::spawn(move || {
        let late = is_done.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout);
        if late {
            // It may just have ended, and then there is nothing to kill.
            let _ = Command::new("kill").args(["-KILL", &pid]).status();
        }
        late
    });
    let mut head = Vec::new();
    if let Some(mut out) = child.stdout.take() {
        out.by_ref()
            .take(HEAD)
            .read_to_end(&mut head)
            .map_err(wrong)?;
        io::copy(&mut out, &mut io::sink()).map_err(wrong)?;
    }
    let used = child.wait4().map_err(wrong)?;
    let wall = started.elapsed().as_secs_f64();
    drop(done);
    let late = watch.join().unwrap_or(true);
    let cpu: Duration = used.rusage.utime + used.rusage.stime;
    Ok(Ran {
        head: String::from_utf8_lossy(&head).into_owned(),
        seconds: cpu.as_secs_f64(),
        wall,
        bytes: used.rusage.maxrss,
        ended: used.status.success() && !late,
    })
}

/// The text between two others.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(after)?.0)
}

/// A time, with the number of sets if that differs.
fn seconds(ran: &Ran, sets: Option<&str>) -> String {
    match (ran.ended, sets) {
        (false, _) => format!("stopped, {:.1}", ran.seconds),
        (true, None) => format!("{:.3}", ran.seconds),
        (true, Some(sets)) => format!("{:.3}, {sets} sets", ran.seconds),
    }
}

fn mebibytes(ran: &Ran) -> String {
    format!("{:.0}", ran.bytes as f64 / f64::from(1 << 20))
}

/// The process measured for meetjoin: counts the minimal sets of a tree, after the work that
/// `meetjoin cuts --json` does, and reports the seconds that this took without reading.
pub(crate) fn count_sets(file: &Path) -> Result<String, String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let tree = Source::read_fault_tree(&text, None).map_err(|error| error.to_string())?;
    let started = Instant::now();
    let budget = Budget::unlimited();
    let request = CutsRequest {
        sets: Sets::Cuts,
        limit_order: None,
        cut_off: None,
        list: List::None,
        importance: false,
        budget: &budget,
        meter: METER,
        listener: Listener::NONE,
    };
    let found = find(&tree, request).map_err(|error| error.to_string())?;
    let count = found.count();
    Ok(format!("{count} {}", started.elapsed().as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_tree_is_the_same_after_it_was_written_and_read() {
        let parameters = FaultTreeParameters {
            events: 20,
            gates: 20,
            arguments: ARGUMENTS,
            seed: 7,
        };
        let tree = parameters.tree().expect("it can be made");
        let read = Source::read_fault_tree(&open_psa(&tree), None).expect("it can be read");
        let known = |tree: &FaultTree| {
            let mut gates = tree.gates().to_vec();
            gates.sort_by(|a, b| a.name.cmp(&b.name));
            let gates = gates
                .iter()
                .map(|gate| (gate.name.clone(), gate.connective, gate.arguments.len()));
            let names = tree
                .events()
                .iter()
                .map(|event| (event.name.clone(), event.probability));
            (
                gates.collect::<Vec<_>>(),
                names
                    .map(|(name, p)| (name, p.map(f64::to_bits)))
                    .collect::<std::collections::BTreeSet<_>>(),
            )
        };
        assert_eq!(known(&read), known(&tree));
    }

    #[test]
    fn a_process_is_measured_and_stopped() {
        let mut limits = RunLimits::ample();
        let mut echo = Command::new("sh");
        echo.args(["-c", "echo 12; exit 0"]);
        let said = once(&echo, &limits).expect("it starts");
        assert!(said.ended && said.bytes > 0, "{said:?}");
        assert_eq!(said.head, "12\n");
        limits.time = Duration::from_millis(50);
        let mut sleep = Command::new("sleep");
        sleep.arg("600");
        assert!(!once(&sleep, &limits).expect("it starts").ended);
    }

    #[test]
    fn what_stands_between() {
        assert_eq!(
            between("a products=\"12\" b", " products=\"", "\""),
            Some("12")
        );
        assert_eq!(between("a", "b", "c"), None);
    }
}
