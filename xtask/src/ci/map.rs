//! The code map: tables of crates and of their rooms, made of how files begin, so that they cannot
//! be wrong.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::workspace::{self, folder, read, root};

/// The pages that have such tables.
const PAGES: &[&str] = &["docs/src/architecture.md", "docs/src/rooms.md"];
/// Begins a comment that says what the table below it is of; `END` stands below the table.
const BEGIN: &str = "<!-- table of ";
const END: &str = "<!-- end of table -->";
/// The most rooms of a folder, so that a reader can keep them in mind.
const MOST: usize = 12;

/// Writes the tables anew.
pub(crate) fn write() -> Result<(), String> {
    for page in PAGES {
        let text = made(&read(page)?)?;
        workspace::write(&root().join(page), text)?;
    }
    Ok(())
}

/// Fails if a table is not what the files say, or a folder has too many rooms.
pub(crate) fn check() -> Result<(), String> {
    for page in PAGES {
        let text = read(page)?;
        if made(&text)? != text {
            return Err(format!(
                "{page}: files and their first lines are others now; `cargo xtask map` writes the tables anew"
            ));
        }
    }
    Ok(())
}

/// The text of a page with its tables as they should be.
fn made(text: &str) -> Result<String, String> {
    let (mut page, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (of, after) = after.split_once(" -->").ok_or("a table is of nothing")?;
        let (_, after) = after.split_once(END).ok_or("a table has no end")?;
        let table = table(of)?;
        let _ = write!(page, "{before}{BEGIN}{of} -->\n\n{table}\n{END}");
        rest = after;
    }
    Ok(page + rest)
}

/// The table of some crates, or of the rooms of one.
fn table(of: &str) -> Result<String, String> {
    match of.split_once(": ") {
        Some(("crates", names)) => table_of_crates(names),
        Some(("rooms", name)) => table_of_rooms(name),
        _ => Err(format!("there is no table of {of:?}")),
    }
}

/// A table of crates: what each is, and the names of its rooms.
fn table_of_crates(names: &str) -> Result<String, String> {
    let mut table = String::from("| crate | | rooms |\n|---|---|---|\n");
    for name in names.split(", ") {
        let front = front(name)?;
        let says = sentence(&front);
        let rooms = match &names_of_rooms(&source(name))?[..] {
            [] => "one file".to_owned(),
            rooms => rooms.join(", "),
        };
        let _ = writeln!(table, "| [`{name}`](rooms.md#{name}) | {says} | {rooms} |");
    }
    Ok(table)
}

/// The table of the rooms of a crate.
fn table_of_rooms(name: &str) -> Result<String, String> {
    let rooms = rooms(&source(name))?;
    if rooms.is_empty() {
        return Ok("One file, `lib.rs`.\n".to_owned());
    }
    let mut table = String::from("| room | |\n|---|---|\n");
    for (name, says, inside) in rooms {
        let inside = match &inside[..] {
            [] => String::new(),
            rooms => format!(" *Inside:* {}.", rooms.join(", ")),
        };
        let _ = writeln!(table, "| `{name}` | {says}{inside} |");
    }
    Ok(table)
}

/// The folder of a crate's sources.
fn source(name: &str) -> PathBuf {
    root().join("crates").join(name).join("src")
}

/// The first paragraph about a crate: of its first file, or of the README that this file includes.
fn front(name: &str) -> Result<String, String> {
    let library = source(name).join("lib.rs");
    let text = if library.exists() {
        read(library)?
    } else {
        read(source(name).join("main.rs"))?
    };
    if text.starts_with("//! ") {
        return Ok(header(&text));
    }
    let readme = read(source(name).with_file_name("README.md"))?;
    // The title, empty lines, and the paragraph.
    let below = readme.lines().skip(1).skip_while(|line| line.is_empty());
    Ok(row(below.take_while(|line| !line.is_empty())))
}

/// The first sentence. It ends before a capital letter or code, and not in "et al. (2022)".
fn sentence(text: &str) -> &str {
    let mut stops = text.match_indices(". ").map(|(at, _)| at);
    let begins = |next: char| next.is_uppercase() || next == '`';
    let end = stops.find(|at| text[at + 2..].starts_with(begins));
    end.map_or(text, |at| &text[..=at])
}

/// The first paragraph of a file's header.
fn header(text: &str) -> String {
    row(text.lines().map_while(|line| line.strip_prefix("//! ")))
}

/// Lines as one, as a row of a table is.
fn row<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// A room: its name, its first paragraph, and the names of the rooms inside.
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
        let says = header(&read(&path)?);
        if says.is_empty() {
            return Err(format!("{} does not begin with `//! ..`", path.display()));
        }
        let below = path.with_extension("");
        let inside = if below.is_dir() {
            names_of_rooms(&below)?
        } else {
            Vec::new()
        };
        rooms.push((name, says, inside));
    }
    if rooms.len() > MOST {
        return Err(format!("{} has more than {MOST} rooms", source.display()));
    }
    rooms.sort();
    Ok(rooms)
}

/// The names of the rooms of a folder, as code.
fn names_of_rooms(source: &Path) -> Result<Vec<String>, String> {
    let rooms = rooms(source)?.into_iter();
    Ok(rooms.map(|(name, ..)| format!("`{name}`")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_made_anew_and_all_else_stays() {
        let page = |table: &str| {
            format!("Before.\n\n{BEGIN}crates: map -->\n\n{table}\n{END}\n\n- `map`: after.\n")
        };
        let text = made(&page("old\n")).expect("a page");
        assert_eq!(made(&text).as_deref(), Ok(&text[..]));
        let row = "| [`map`](rooms.md#map) | A file as bytes in memory";
        assert!(
            text.contains(row)
                && text.ends_with("| one file |\n\n<!-- end of table -->\n\n- `map`: after.\n"),
            "{text}"
        );
        assert_eq!(text.matches(BEGIN).count(), 1);
        assert!(!text.contains("old"));
        assert_eq!(made("no table").as_deref(), Ok("no table"));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for (of, why) in [
            ("crates: map -->", "a table has no end"),
            ("crates", "a table is of nothing"),
            (
                "roofs: map --><!-- end of table -->",
                "there is no table of",
            ),
            ("rooms: nowhere --><!-- end of table -->", "nowhere"),
        ] {
            let error = made(&format!("{BEGIN}{of}")).expect_err(of);
            assert!(error.contains(why), "{of}: {error}");
        }
    }

    #[test]
    fn rows_say_what_a_crate_and_its_rooms_are() {
        let crates = table("crates: experiments, dag").expect("a table");
        let [experiments, dag] = crates.lines().skip(2).collect::<Vec<_>>()[..] else {
            panic!("{crates}");
        };
        // One says it in the header of its program, the other in a README.
        assert!(
            experiments.contains("Li et al. (2022) and"),
            "{experiments}"
        );
        assert!(
            experiments.contains("| `games`, `help`, `measuring`,"),
            "{experiments}"
        );
        assert!(dag.contains("AND-OR directed acyclic graphs"), "{dag}");
        let rooms = table("rooms: dag").expect("a table");
        let row = "| `traits` | The traits that a game or a graph implements. |\n";
        assert!(rooms.contains(row), "{rooms}");
        assert!(rooms.contains("*Inside:* `frozen`, `name`,"), "{rooms}");
        assert_eq!(table("rooms: map").as_deref(), Ok("One file, `lib.rs`.\n"));
    }

    #[test]
    fn a_sentence_ends_before_a_capital_letter_or_code() {
        for (text, first) in [
            ("One. Two. Three.", "One."),
            (
                "Of Li et al. (2022), once. More.",
                "Of Li et al. (2022), once.",
            ),
            ("A site. `cargo xtask site` builds it.", "A site."),
            ("As in `lib.rs`", "As in `lib.rs`"),
        ] {
            assert_eq!(sentence(text), first);
        }
    }

    #[test]
    fn a_folder_has_at_most_twelve_rooms_and_each_says_what_it_is() {
        let folder = std::env::temp_dir().join(format!("meetjoin-rooms-{}", std::process::id()));
        let room = |name: &str, text: &str| {
            workspace::write(&folder.join("outer").join(name), text).expect("a file");
        };
        workspace::write(&folder.join("outer.rs"), "//! Outer.\n").expect("a file");
        for number in 0..MOST {
            room(
                &format!("room_{number}.rs"),
                "//! One of | many,\n//! on two lines.\n//!\n",
            );
        }
        room("lib.rs", "");
        room("notes.txt", "");
        let all = rooms(&folder).expect("rooms");
        assert_eq!(all[0].2.len(), MOST);
        let inside = rooms(&folder.join("outer")).expect("rooms");
        assert_eq!(inside[0].1, "One of \\| many, on two lines.");
        room("one_more.rs", "//! One more.\n");
        let many = rooms(&folder).expect_err("thirteen rooms");
        room("one_more.rs", "use std::fmt;\n");
        let silent = rooms(&folder).expect_err("no header");
        std::fs::remove_dir_all(&folder).expect("a folder");
        assert!(many.contains("has more than 12 rooms"), "{many}");
        assert!(silent.contains("does not begin with"), "{silent}");
    }
}
