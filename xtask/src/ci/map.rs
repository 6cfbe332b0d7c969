//! The code map of the architecture page: a table for each crate, made of how its files begin, so
//! that it cannot be wrong.

use std::fmt::Write as _;
use std::path::Path;

use crate::workspace::{folder, read, root};

const PAGE: &str = "docs/src/architecture.md";
/// A table stands between this line, with the folder of a crate, and the next.
const BEGIN: &str = "<!-- rooms of ";
const END: &str = "<!-- end of rooms -->";
/// The most rooms of a folder, so that a reader can keep them in mind.
const MOST: usize = 12;

/// Writes the tables anew.
pub(crate) fn write() -> Result<(), String> {
    let page = root().join(PAGE);
    let text = made(&read(&page)?)?;
    std::fs::write(&page, text).map_err(|error| format!("{PAGE}: {error}"))
}

/// Fails if a table is not what the files say, or a folder has too many rooms.
pub(crate) fn check() -> Result<(), String> {
    let text = read(root().join(PAGE))?;
    if made(&text)? == text {
        Ok(())
    } else {
        Err(format!(
            "{PAGE}: files and their first lines are others now; `cargo xtask map` writes the tables anew"
        ))
    }
}

/// The page with its tables as they should be.
fn made(text: &str) -> Result<String, String> {
    let (mut page, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (source, after) = after.split_once(" -->").ok_or("a table has no folder")?;
        let (_, after) = after.split_once(END).ok_or("a table has no end")?;
        let table = table(source)?;
        let _ = write!(page, "{before}{BEGIN}{source} -->\n\n{table}\n{END}");
        rest = after;
    }
    Ok(page + rest)
}

/// The table of a folder of sources.
fn table(source: &str) -> Result<String, String> {
    let mut table = String::from("| room | |\n|---|---|\n");
    for (name, says, inside) in rooms(&root().join(source))? {
        let inside = match &inside[..] {
            [] => String::new(),
            rooms => format!(" *Inside:* {}.", rooms.join(", ")),
        };
        let _ = writeln!(table, "| `{name}` | {says}{inside} |");
    }
    Ok(table)
}

/// A room: its name, its first paragraph, and the rooms inside.
type Room = (String, String, Vec<String>);

/// The rooms of a folder: files, and folders that have a file of the same name.
fn rooms(source: &Path) -> Result<Vec<Room>, String> {
    let mut rooms = Vec::new();
    for path in folder(source)? {
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.unwrap_or_default().to_owned();
        if path.extension().is_none_or(|end| end != "rs") || name == "lib" || name == "main" {
            continue;
        }
        let text = read(&path)?;
        // The first paragraph, on one line, as a row of a table is.
        let says = text.lines().map_while(|line| line.strip_prefix("//! "));
        let says = says.collect::<Vec<_>>().join(" ").replace('|', "\\|");
        if says.is_empty() {
            return Err(format!("{} does not begin with `//! ..`", path.display()));
        }
        let below = path.with_extension("");
        let inside = if below.is_dir() {
            names(&below)?
        } else {
            Vec::new()
        };
        if inside.len() > MOST {
            return Err(format!("{} has more than {MOST} rooms", below.display()));
        }
        rooms.push((name, says, inside));
    }
    if rooms.len() > MOST {
        return Err(format!("{} has more than {MOST} rooms", source.display()));
    }
    rooms.sort();
    Ok(rooms)
}

/// The names of the rooms of a folder. Also checks the number of rooms of folders below.
fn names(source: &Path) -> Result<Vec<String>, String> {
    let rooms = rooms(source)?;
    Ok(rooms
        .into_iter()
        .map(|(name, ..)| format!("`{name}`"))
        .collect())
}
