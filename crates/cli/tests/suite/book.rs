//! The book, run: each console block of a page, in the order of the page, prints what the page
//! shows. `CONTRIBUTING.md` says what may be left out, and how. With `BLESS=1` what is printed now
//! is written into the pages.

mod blocks;
pub mod compare;
mod refresh;
pub mod shell;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use blocks::{Block, Page, Shown};
use shell::Place;

use crate::support::meetjoin;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every page of the repository, by name; none of what was built or installed there.
fn pages() -> Vec<PathBuf> {
    let (mut pages, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or("");
            let is_made = matches!(name, "target" | "node_modules" | "site-packages");
            if path.is_dir() && !is_made && !name.starts_with('.') {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// The images of a page, as it names them.
fn images(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("![").skip(1);
    links.filter_map(|link| link.split_once("](")?.1.split(')').next())
}

/// An image that a command of its page has written is what it writes now.
fn is_as_made(page: &Path, image: &str, place: &Place, bless: bool) -> Result<(), String> {
    let file = page.parent().unwrap_or(Path::new("")).join(image);
    let Some(made) = file.file_name().and_then(|name| place.made(name)) else {
        return Ok(());
    };
    if std::fs::read(&file).is_ok_and(|shown| shown == made) {
        return Ok(());
    }
    if bless {
        return std::fs::write(&file, made).map_err(|error| format!("{image}: {error}"));
    }
    Err(format!("{image} is not what its command writes"))
}

/// What is wrong with a page; with `bless` it is put right where that is possible.
fn check(page: &Path, bless: bool) -> Result<(), String> {
    let name = page
        .strip_prefix(root())
        .unwrap_or(page)
        .display()
        .to_string();
    let text = std::fs::read_to_string(page).map_err(|error| format!("{name}: {error}"))?;
    let Page { blocks, problems } = blocks::of(&text).map_err(|why| format!("{name}{why}"))?;
    for (line, problem) in problems {
        let command = if problem.contains("\"dominance\"") {
            "packets"
        } else {
            "solve"
        };
        let run = meetjoin(&[command, "-", "--max-visits", "1"], problem);
        if !matches!(run.status, Some(0 | 3)) {
            return Err(format!("{name}, line {line}, is no problem: {}", run.err));
        }
    }
    if blocks.iter().all(|block| block.commands.is_empty()) {
        return Ok(());
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let place = Place::new(&root());
    let (mut wrong, mut changes) = (Vec::new(), Vec::new());
    for Block { typed, commands } in &blocks {
        for Shown { command, output } in commands {
            let shown = &lines[output.clone()];
            let (printed, status) = place.run(command, typed);
            let at = format!("{name}, line {}: `{command}`", output.start);
            if let Some(line) = compare::too_wide(command, &printed) {
                wrong.push(format!("{at} prints a line that is too wide:\n{line}"));
            }
            if !compare::is_expected(status, &printed) {
                let printed = printed.join("\n");
                wrong.push(format!("{at} ends with status {status:?}:\n{printed}"));
            } else if !compare::is_same(shown, &printed) {
                wrong.push(format!(
                    "{at} prints\n{}\nand the page shows\n{}",
                    printed.join("\n"),
                    shown.join("\n")
                ));
                changes.push((output.clone(), refresh::refreshed(shown, &printed)));
            }
        }
    }
    for image in images(&text) {
        let Err(why) = is_as_made(page, image, &place, bless) else {
            continue;
        };
        wrong.push(format!("{name}: {why}"));
    }
    if bless && wrong.len() == changes.len() {
        if changes.is_empty() {
            return Ok(());
        }
        for (output, now) in changes.into_iter().rev() {
            lines.splice(output, now);
        }
        let text = lines.join("\n") + "\n";
        return std::fs::write(page, text).map_err(|error| format!("{name}: {error}"));
    }
    match &wrong[..] {
        [] => Ok(()),
        wrong => Err(wrong.join("\n\n")),
    }
}

#[test]
fn what_pages_show_is_what_is_printed() {
    let bless = std::env::var_os("BLESS").is_some();
    let left = Mutex::new(pages());
    let wrong = Mutex::new(Vec::new());
    let work = || {
        loop {
            let next = left.lock().expect("no panic").pop();
            let Some(page) = next else { break };
            if let Err(why) = check(&page, bless) {
                wrong.lock().expect("no panic").push(why);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism()
            .map_or(1, usize::from)
            .min(4)
        {
            scope.spawn(work);
        }
    });
    let mut wrong = wrong.into_inner().expect("no panic");
    wrong.sort();
    assert!(
        wrong.is_empty(),
        "{}\n\n`cargo xtask book` writes what is printed now into the pages",
        wrong.join("\n\n")
    );
}
