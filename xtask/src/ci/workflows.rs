//! The workflows of `.github`: each step must be a third-party action or an existing task of
//! `cargo xtask`, so that all checks there can be run locally. `actionlint` checks the rest where
//! it is installed.

use std::path::Path;

use yaml_rust2::{Yaml, YamlLoader};

use crate::task::{self, Task};
use crate::workspace::{answers, folder, read, root, succeed};

const FOLDER: &str = ".github/workflows";

/// Looks at all workflows; `steps` are the names of the steps of `cargo xtask ci`.
pub(crate) fn check(steps: &[&str]) -> Result<(), String> {
    let files = folder(&root().join(FOLDER))?;
    for file in &files {
        let name = file.file_name().and_then(|name| name.to_str());
        check_text(&read(file)?, steps)
            .map_err(|why| format!("{FOLDER}/{}: {why}", name.unwrap_or_default()))?;
    }
    for form in folder(&root().join(".github/ISSUE_TEMPLATE"))? {
        check_form(&form)?;
    }
    if !answers(std::process::Command::new("actionlint").arg("--version")) {
        println!("left out: actionlint is not installed, so nobody looked at expressions and keys");
        return Ok(());
    }
    succeed(
        std::process::Command::new("actionlint")
            .args(&files)
            .current_dir(root()),
    )
}

/// Checks that an issue form has what GitHub requires.
fn check_form(path: &Path) -> Result<(), String> {
    let failed = |why: &str| Err(format!("{}: {why}", path.display()));
    let form = parsed(&read(path)?)?;
    if path.file_stem().is_some_and(|name| name == "config") {
        return match form["contact_links"].as_vec() {
            Some(links) if links.iter().all(|link| link["url"].as_str().is_some()) => Ok(()),
            _ => failed("no contact links"),
        };
    }
    for key in ["name", "description"] {
        if form[key].as_str().is_none() {
            return failed(&format!("no {key}"));
        }
    }
    let parts = form["body"].as_vec().map_or(&[][..], Vec::as_slice);
    let known = ["markdown", "textarea", "input", "dropdown", "checkboxes"];
    let is_known = |part: &Yaml| {
        part["type"]
            .as_str()
            .is_some_and(|kind| known.contains(&kind))
    };
    if parts.is_empty() || !parts.iter().all(is_known) {
        return failed("no body, or a part of a kind that GitHub does not know");
    }
    Ok(())
}

fn parsed(text: &str) -> Result<Yaml, String> {
    let documents = YamlLoader::load_from_str(text).map_err(|error| error.to_string())?;
    match <[Yaml; 1]>::try_from(documents) {
        Ok([document]) => Ok(document),
        Err(documents) => Err(format!("{} documents instead of one", documents.len())),
    }
}

/// What is wrong with a workflow.
fn check_text(text: &str, steps: &[&str]) -> Result<(), String> {
    let workflow = parsed(text)?;
    if workflow["name"].as_str().is_none() || workflow["on"].is_badvalue() {
        return Err("no name, or nothing starts it".to_owned());
    }
    // Further permissions are requested by the jobs that need them.
    if workflow["permissions"]["contents"].as_str() != Some("read") {
        return Err("it does not begin with `permissions: contents: read`".to_owned());
    }
    let jobs = workflow["jobs"].as_hash().ok_or("no jobs")?;
    for (name, job) in jobs {
        let name = name.as_str().unwrap_or_default();
        if job["runs-on"].is_badvalue() {
            return Err(format!("job {name} does not say where it runs"));
        }
        if job["timeout-minutes"].as_i64().is_none() {
            return Err(format!("job {name} has no `timeout-minutes`"));
        }
        if let Some(needed) = job["needs"].as_str()
            && jobs.keys().all(|other| other.as_str() != Some(needed))
        {
            return Err(format!("job {name} needs {needed}, which is no job"));
        }
        let all = job["steps"]
            .as_vec()
            .ok_or_else(|| format!("job {name} has no steps"))?;
        for step in all {
            check_step(step, &job["strategy"]["matrix"], steps)
                .map_err(|why| format!("job {name}: {why}"))?;
        }
    }
    Ok(())
}

fn check_step(step: &Yaml, matrix: &Yaml, steps: &[&str]) -> Result<(), String> {
    match (step["uses"].as_str(), step["run"].as_str()) {
        (Some(action), None) => match action.split_once('@') {
            Some((_, version)) if version.starts_with(|c: char| c == 'v' || c.is_ascii_digit()) => {
                Ok(())
            }
            _ => Err(format!("{action} has no version")),
        },
        (None, Some(lines)) => lines.lines().try_for_each(|line| {
            written_out(line, matrix)?
                .iter()
                .try_for_each(|line| check_line(line, steps))
        }),
        _ => Err("a step is either `uses` or `run`".to_owned()),
    }
}

/// A line with each value that the matrix has for the variables in it.
fn written_out(line: &str, matrix: &Yaml) -> Result<Vec<String>, String> {
    let Some((before, rest)) = line.split_once("${{ matrix.") else {
        return Ok(vec![line.to_owned()]);
    };
    let (key, after) = rest
        .split_once(" }}")
        .ok_or("an expression without an end")?;
    let values = matrix[key]
        .as_vec()
        .ok_or_else(|| format!("the matrix has no {key}"))?;
    let mut lines = Vec::new();
    for value in values {
        let value = value
            .as_str()
            .ok_or_else(|| format!("a {key} is no text"))?;
        lines.extend(written_out(&format!("{before}{value}{after}"), matrix)?);
    }
    Ok(lines)
}

/// Checks that a shell line is a task, by `xtask`'s own parser.
fn check_line(line: &str, steps: &[&str]) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["cargo", "xtask", words @ ..] = &words[..] else {
        return Err(format!("{line:?} is no task of `cargo xtask`"));
    };
    match task::parse(words).map_err(|why| format!("{line:?}: {why}"))? {
        Task::Ci {
            only: Some(step), ..
        } if !steps.contains(&&*step) => Err(format!("{line:?}: there is no step {step:?}")),
        _ => Ok(()),
    }
}

#[test]
fn what_does_not_run_here_is_found() {
    let with = |jobs: &str| {
        let head = "name: a\non: push\npermissions:\n  contents: read\njobs:\n  b:\n";
        let head = format!("{head}    runs-on: ubuntu-latest\n    timeout-minutes: 9\n");
        check_text(&format!("{head}{jobs}"), &["deny"])
    };
    let step = |step: &str| with(&format!("    steps:\n      - {step}\n"));
    assert_eq!(step("run: cargo xtask ci --web"), Ok(()));
    assert_eq!(step("run: cargo xtask ci --only deny"), Ok(()));
    assert_eq!(step("uses: actions/checkout@v4"), Ok(()));
    for (wrong, why) in [
        (
            "run: cargo test",
            "job b: \"cargo test\" is no task of `cargo xtask`",
        ),
        (
            "run: cargo xtask ci --only nothing",
            "job b: \"cargo xtask ci --only nothing\": there is no step \"nothing\"",
        ),
        (
            "run: cargo xtask build",
            "job b: \"cargo xtask build\": there is no task \"build\"",
        ),
        (
            "uses: actions/checkout",
            "job b: actions/checkout has no version",
        ),
        ("name: c", "job b: a step is either `uses` or `run`"),
    ] {
        assert_eq!(step(wrong), Err(why.to_owned()));
    }
    let matrix = "    strategy:\n      matrix:\n        what: [oldest, newest]\n    steps:\n";
    let line = "      - run: cargo xtask check ${{ matrix.what }}\n";
    let why = "job b: \"cargo xtask check newest\": there is no task \"check newest\"";
    assert_eq!(with(&format!("{matrix}{line}")), Err(why.to_owned()));
    let needs = "    needs: c\n    steps:\n      - run: cargo xtask ci\n";
    assert_eq!(
        with(needs),
        Err("job b needs c, which is no job".to_owned())
    );
    assert!(check_text("name: a\non: push\njobs: {}\n", &[]).is_err());
}
