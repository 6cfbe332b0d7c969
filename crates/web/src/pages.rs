//! The pages of the site: the frame that they share, and for each what it shows and asks.
//!
//! A page is markup, a style and a script in a folder of its own under `pages`, in the frame of all
//! the program's pages. Scripts are not modules, and programs are text in scripts, because browsers
//! load neither modules nor WebAssembly from `file://`.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use meetjoin_report::json_line;
use meetjoin_report::page::{FORM, Page, escape};

use crate::examples;

/// A page of the site.
#[derive(Debug)]
pub struct SitePage {
    /// The name of its file.
    pub file: &'static str,
    /// Its name in links.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it is for, in a sentence.
    pub says: &'static str,
    /// The program that it asks, if it asks one.
    pub program: Option<&'static str>,
    /// Its markup, with [`STATE`] where it has the line `<!-- state -->`.
    pub body: &'static str,
    /// Its style.
    pub style: &'static str,
    /// Its script.
    pub script: &'static str,
}

/// The markup, style and script of a page in its folder.
macro_rules! page {
    // With a style and a script of the same name that several pages share.
    ($folder:literal with $shared:literal, $name:literal, $title:literal, $program:expr, $says:literal) => {
        SitePage {
            style: concat!(
                include_str!(concat!("../pages/shared/", $shared, ".css")),
                include_str!(concat!("../pages/", $folder, "/style.css"))
            ),
            script: concat!(
                include_str!(concat!("../pages/shared/", $shared, ".js")),
                include_str!(concat!("../pages/", $folder, "/script.js"))
            ),
            ..page!($folder, $name, $title, $program, $says)
        }
    };
    ($folder:literal, $name:literal, $title:literal, $program:expr, $says:literal) => {
        SitePage {
            file: concat!($folder, ".html"),
            name: $name,
            title: $title,
            says: $says,
            program: $program,
            body: include_str!(concat!("../pages/", $folder, "/body.html")),
            style: include_str!(concat!("../pages/", $folder, "/style.css")),
            script: include_str!(concat!("../pages/", $folder, "/script.js")),
        }
    };
}

/// The pages in the order in which they are listed.
pub const PAGES: &[SitePage] = &[
    page!(
        "suit" with "cards",
        "Suit",
        "A suit at bridge",
        Some("bridge"),
        "The best chance of a number of tricks from two hands, and the line that has it, to be played card by card."
    ),
    page!(
        "ending" with "cards",
        "Ending",
        "An ending at bridge",
        Some("bridge"),
        "The last tricks of a deal against best defence, to be played card by card."
    ),
    page!(
        "faults" with "tree",
        "Fault tree",
        "A fault tree",
        Some("faults"),
        "The minimal cut sets of a fault tree, the probability of its top event, and the importance of each event."
    ),
    page!(
        "attacks" with "tree",
        "Attack tree",
        "An attack tree",
        Some("faults"),
        "The best attacks of an attack tree, Pareto fronts of several attributes, and the effect of defences."
    ),
    page!(
        "graph" with "tree",
        "Graph",
        "An AND-OR graph",
        Some("solve"),
        "A small graph over a lattice of your choice: its value, the search step by step, strategies, and why the value is true."
    ),
    page!(
        "play",
        "Play",
        "Games against the program",
        Some("play"),
        "Connect Four, Kalah, tic-tac-toe and racing, with the value of each move."
    ),
    page!(
        "suits",
        "All suits",
        "All suits at bridge",
        Some("bridge"),
        "The best chance of every suit: look one up, and see which are the hardest."
    ),
];

/// The programs that pages ask; each is `web-NAME.wasm` when it is built.
pub const PROGRAMS: &[&str] = &["bridge", "faults", "solve", "play"];

/// Where a page shows how its question stands.
pub const STATE: &str = "<p><span id=\"state\" role=\"status\"></span> <button type=\"button\" id=\"stop\" hidden>Stop</button></p>\n\
    <p id=\"sentence\" role=\"alert\"></p>\n";

/// The content security policy: scripts of the site beside those in its pages, programs, and
/// workers that run them; no host name, not even the site's own.
const ALLOWED: &str = " 'self' 'wasm-unsafe-eval'; worker-src blob:; img-src data: blob:";

/// The script that all pages share, as a file of its own.
pub fn shared() -> String {
    let worker = include_str!("../pages/shared/worker.js");
    let worker = serde_json::Value::from(worker).to_string();
    let ask = include_str!("../pages/shared/ask.js");
    format!("'use strict';\nconst WORKER = {worker};\n{ask}")
}

/// The script with a program in it: base64 of its gzip.
///
/// # Errors
/// If it cannot be compressed.
pub fn program(name: &str, wasm: &[u8]) -> std::io::Result<String> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(wasm)?;
    let text = base64(&packed.finish()?);
    Ok(format!(
        "'use strict';\nvar PROGRAMS = {{ ...globalThis.PROGRAMS, {name}: '{text}' }};\n"
    ))
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in sixes of bits, as RFC 4648 has it.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().enumerate().fold(0, |bits, (place, byte)| {
            bits | u32::from(*byte) << (16 - 8 * place)
        });
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place > three.len() {
                '='
            } else {
                digit.into()
            });
        }
    }
    text
}

/// Links to all pages, and to the book if it is there.
fn links(here: &str, has_book: bool) -> String {
    let mut text = "<nav aria-label=\"Pages of the site\">".to_owned();
    let book = has_book.then_some(("book/index.html", "Book"));
    let pages = PAGES.iter().map(|page| (page.file, page.name));
    for (file, name) in [("index.html", "Start")]
        .into_iter()
        .chain(pages)
        .chain(book)
    {
        let current = if file == here {
            " aria-current=\"page\""
        } else {
            ""
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "<a href=\"{file}\"{current}>{}</a> ", escape(name));
    }
    text + "</nav>\n"
}

impl SitePage {
    /// The page as text.
    pub fn html(&self, has_book: bool) -> String {
        let scripts = self.program.map_or_else(String::new, |program| {
            format!("<script src=\"{program}.js\"></script>\n<script src=\"shared.js\"></script>\n")
        });
        let mut body = self.body.replace("<!-- state -->\n", STATE);
        let examples = examples::of_page(self.file);
        if !examples.is_empty() {
            // Nothing in a file may end the script.
            let data = json_line(&examples).replace('<', "\\u003c");
            body.push_str("<script type=\"application/json\" id=\"examples-data\">");
            body.push_str(data.trim_end());
            body.push_str("</script>\n");
        }
        Page {
            title: self.title,
            body: &format!(
                "{}<p>{}</p>\n{body}<noscript><p>This page answers with a script, which your browser does not run.</p></noscript>\n{scripts}",
                links(self.file, has_book),
                escape(self.says)
            ),
            style: &format!("{FORM}{}", self.style),
            script: self.script,
        }
        .html_allowing(ALLOWED)
    }
}

/// The first page.
pub fn start(has_book: bool) -> String {
    let mut list = String::new();
    for page in PAGES {
        // Writing to a string cannot fail.
        let _ = writeln!(
            list,
            "<h2><a href=\"{}\">{}</a></h2>\n<p>{}</p>",
            page.file,
            escape(page.title),
            escape(page.says)
        );
    }
    let book = if has_book {
        "<p>How all this works, and how to have it on your own machine: <a href=\"book/index.html\">the book</a>.</p>\n"
    } else {
        ""
    };
    Page {
        title: "meetjoin",
        body: &format!(
            "{}<p>Exact answers about games, fault trees and attack trees. Everything is computed in your browser: what you ask goes nowhere.</p>\n{list}{book}",
            links("index.html", has_book)
        ),
        style: FORM,
        ..Page::default()
    }
    .html()
}
