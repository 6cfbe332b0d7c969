//! `cargo xtask bench --baseline FILE`: instruction counts of twenty commands, by callgrind,
//! compared with a file of the repository. Counts do not depend on the machine's load, so a change
//! that slows something down is noticed at once.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::workspace::{answers, cargo, output, read, root, succeed, write as write_file};

/// The largest increase that passes, in percent.
const MOST: u64 = 3;

/// Each command with its name. Later commands may use the output of earlier ones as a file, `@` and
/// the name.
const COMMANDS: [(&str, &str); 20] = [
    ("start", "--version"),
    (
        "graph",
        "generate random --depth 12 --branching 4 --variables 64 --seed 1 --lattice powerset",
    ),
    ("read", "check @graph"),
    ("duo", "solve @graph"),
    ("minimax", "solve @graph --algorithm minimax-cached"),
    ("proof", "prove @graph --at-least [1]"),
    ("strategy", "solve examples/skat.json --strategy"),
    (
        "sets",
        "random --depth 12 --branching 4 --variables 512 --seed 1 --lattice powerset",
    ),
    (
        "families",
        "random --depth 14 --branching 5 --variables 16 --seed 1 --lattice families",
    ),
    (
        "racing",
        "racing --deck 20 --goal 4 --hand-size 8 --seed 1 --lattice powerset",
    ),
    (
        "tree",
        "generate uniform --depth 8 --branching 4 --most 1000 --seed 1",
    ),
    ("order", "solve @tree --algorithm mtd-f"),
    (
        "connect-four",
        "play connect-four --columns 6 --rows 5 --moves 3323",
    ),
    ("tic-tac-toe", "play tic-tac-toe"),
    ("suit", "suit AQT98 5432"),
    ("ending", "ending examples/guess.pbn --tricks 4"),
    ("faults", "cuts examples/cooling.xml --time-step 24"),
    (
        "gates",
        "generate fault-tree --events 60 --gates 60 --seed 1",
    ),
    ("cut-sets", "solve @gates"),
    ("attacks", "attacks examples/office.txt"),
];

/// Counts, and fails if a command takes too many instructions or is not in the file.
pub(crate) fn compare(file: &str) -> Result<(), String> {
    let Some(valgrind) = valgrind() else {
        println!("counts: skipped, valgrind is not installed");
        return Ok(());
    };
    let path = root().join(file);
    let before: Value =
        serde_json::from_str(&read(&path)?).map_err(|error| format!("{file}: {error}"))?;
    let made_with = made_with(&valgrind)?;
    for (key, now) in &made_with {
        let then = before[key].as_str().unwrap_or("nothing");
        if then != now {
            println!(
                "counts: {file} was made with {then}, and this is {now}: counts may differ for that alone"
            );
        }
    }
    let before = before["instructions"].as_object();
    let before = before.ok_or_else(|| format!("{file} has no instructions"))?;
    let before: BTreeMap<&str, u64> = before
        .iter()
        .filter_map(|(name, count)| Some((&**name, count.as_u64()?)))
        .collect();
    let (table, wrong) = compared(&before, &counted()?);
    print!("{table}");
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\nwhat is meant so is written by: cargo xtask bench --baseline {file} --write",
        wrong.join("\n")
    ))
}

/// Counts, and writes the file.
pub(crate) fn write(file: &str) -> Result<(), String> {
    let valgrind = valgrind().ok_or("valgrind is not installed")?;
    let mut all = json!({});
    for (key, value) in made_with(&valgrind)? {
        all[key] = json!(value);
    }
    let counted = counted()?;
    all["instructions"] = counted
        .iter()
        .map(|(name, count)| ((*name).to_owned(), json!(count)))
        .collect();
    let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
    write_file(&root().join(file), text + "\n")?;
    println!("counts: written to {file}");
    Ok(())
}

/// What counts depend on beside the code.
fn made_with(valgrind: &str) -> Result<[(&'static str, String); 3], String> {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let rustc = output(rustc.arg("--version").current_dir(root()))?;
    Ok([
        ("compiler", rustc.trim().to_owned()),
        ("profile", "release".to_owned()),
        ("counter", valgrind.to_owned()),
    ])
}

fn valgrind() -> Option<String> {
    let mut version = Command::new("valgrind");
    version.arg("--version");
    answers(&mut version)
        .then(|| output(&mut version).ok())?
        .map(|text| text.trim().to_owned())
}

/// The instructions of each command.
fn counted() -> Result<Vec<(&'static str, u64)>, String> {
    let mut build = cargo(&["build", "--release", "--quiet", "--package", "meetjoin-cli"]);
    succeed(&mut build)?;
    let target = crate::workspace::target()?;
    let program = target.join("release").join("meetjoin");
    let folder = target.join("counts");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    COMMANDS
        .iter()
        .map(|(name, line)| {
            let printed = folder.join(name);
            let file = std::fs::File::create(&printed)
                .map_err(|error| format!("{}: {error}", printed.display()))?;
            let arguments = line.split(' ').map(|word| match word.strip_prefix('@') {
                Some(earlier) => folder.join(earlier),
                None => PathBuf::from(word),
            });
            let mut run = Command::new("valgrind");
            run.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
            run.arg(&program).args(arguments).current_dir(root());
            // The environment must not matter, not even its size.
            run.env_clear()
                .envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
            let run = run.stdin(Stdio::null()).stdout(file).output();
            let run = run.map_err(|error| format!("valgrind does not start: {error}"))?;
            let said = String::from_utf8_lossy(&run.stderr);
            let count = said
                .lines()
                .find_map(|line| line.split_once("Collected : ")?.1.parse().ok());
            match count {
                Some(count) if run.status.success() => Ok((*name, count)),
                _ => Err(format!("meetjoin {line}: {}\n{said}", run.status)),
            }
        })
        .collect()
}

/// A table of counts before and now, and a sentence for each that is wrong.
fn compared(before: &BTreeMap<&str, u64>, now: &[(&str, u64)]) -> (String, Vec<String>) {
    let mut table = format!(
        "{:<14}{:>16}{:>16}{:>10}\n",
        "command", "before", "now", "change"
    );
    let mut wrong = Vec::new();
    for (name, count) in now {
        let Some(then) = before.get(name) else {
            let _ = writeln!(table, "{name:<14}{:>16}{count:>16}{:>10}", "none", "new");
            wrong.push(format!("{name} is new: the file has no count of it"));
            continue;
        };
        let change = 100.0 * (*count as f64 / *then as f64 - 1.0);
        let _ = writeln!(table, "{name:<14}{then:>16}{count:>16}{change:>+9.2}%");
        if count * 100 > then * (100 + MOST) {
            wrong.push(format!("{name} takes {change:.2} % more instructions"));
        } else if count * 100 < then * (100 - MOST) {
            let _ = writeln!(table, "{name} takes fewer: a new file would keep it so");
        }
    }
    let is_counted = |name: &str| now.iter().any(|(other, _)| *other == name);
    for (name, then) in before.iter().filter(|(name, _)| !is_counted(name)) {
        let _ = writeln!(table, "{name:<14}{then:>16}{:>16}{:>10}", "none", "gone");
        wrong.push(format!(
            "{name} is in the file, and no command has this name"
        ));
    }
    (table, wrong)
}

#[test]
fn slower_new_and_lost_commands_are_named() {
    let before = BTreeMap::from([("a", 1000), ("b", 1000), ("c", 1000), ("lost", 5)]);
    let now = [("a", 1030), ("b", 1031), ("c", 900), ("new", 7)];
    let (table, wrong) = compared(&before, &now);
    let expected = [
        "b takes 3.10 % more instructions",
        "new is new: the file has no count of it",
        "lost is in the file, and no command has this name",
    ];
    assert_eq!(wrong, expected);
    for said in ["+3.00%", "-10.00%", "c takes fewer", "gone"] {
        assert!(table.contains(said), "{table}");
    }
    assert_eq!(compared(&before, &[("a", 1000)]).1.len(), 3);
}

#[test]
fn commands_use_what_was_printed_before() {
    let mut known = Vec::new();
    for (name, line) in COMMANDS {
        for earlier in line.split(' ').filter_map(|word| word.strip_prefix('@')) {
            assert!(known.contains(&earlier), "{line}");
        }
        assert!(!known.contains(&name), "{name} twice");
        known.push(name);
    }
}
