//! Writes the pages of the site into a folder: `web-site SITE PROGRAMS`, the second a folder with
//! the programs as WebAssembly, and perhaps a third, `suits.npy`: the book of all suits, which is
//! served in parts. `cargo xtask site` builds the programs and calls it.

use std::fs;
use std::io::{BufReader, Cursor, Error};
use std::path::{Path, PathBuf};

use meetjoin_web::book::{SAMPLE, scripts};
use meetjoin_web::pages::{PAGES, PROGRAMS, program, shared, start};

fn main() -> Result<(), Error> {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let (site, programs, book) = match &folders[..] {
        [site, programs] => (site, programs, None),
        [site, programs, book] => (site, programs, Some(book.as_path())),
        _ => {
            let what = "give the folder of the site, that of the programs, and optionally the book";
            return Err(Error::other(what));
        }
    };
    write(site, programs)?;
    suits(&site.join("suits"), book)
}

fn write(site: &Path, programs: &Path) -> Result<(), Error> {
    fs::create_dir_all(site)?;
    let has_book = site.join("book").join("index.html").exists();
    for name in PROGRAMS {
        let wasm = fs::read(programs.join(format!("web-{name}.wasm")))?;
        fs::write(site.join(format!("{name}.js")), program(name, &wasm)?)?;
    }
    fs::write(site.join("shared.js"), shared())?;
    fs::write(site.join("index.html"), start(has_book))?;
    for page in PAGES {
        fs::write(site.join(page.file), page.html(has_book))?;
    }
    Ok(())
}

/// The book, or the sample where it is not there.
fn suits(folder: &Path, book: Option<&Path>) -> Result<(), Error> {
    let scripts = match book {
        Some(path) => scripts(BufReader::new(fs::File::open(path)?)),
        None => scripts(Cursor::new(SAMPLE)),
    };
    fs::create_dir_all(folder)?;
    for (name, text) in scripts.map_err(Error::other)? {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}
