//! Writes the pages of the site into a folder: `web-site SITE PROGRAMS`, the second a folder with
//! the programs as WebAssembly. `cargo xtask site` builds these and calls it.

use std::fs;
use std::io::Error;
use std::path::{Path, PathBuf};

use meetjoin_web::pages::{PAGES, PROGRAMS, program, shared, start};

fn main() -> Result<(), Error> {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [site, programs] = &folders[..] else {
        return Err(Error::other(
            "give the folder of the site and that of the programs",
        ));
    };
    write(site, programs)
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
