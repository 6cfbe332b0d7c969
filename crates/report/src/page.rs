//! Self-contained HTML pages, with a style, tables, collapsible branches, and pictures.
//!
//! The content of pages is made elsewhere; this file has what all pages share. Every text that is
//! not markup goes through [`escape`].

use std::fmt::Write as _;

/// The colours that pictures name: each by day, as SVG attributes have it.
pub const INK: &str = "#1c2430";
/// The ground of pages and pictures.
pub const PAPER: &str = "#ffffff";
/// Grounds of parts.
pub const SOFT: &str = "#f1f4f8";
/// Thin lines between parts.
pub const RULE: &str = "#c4ccd6";
/// Links, MAX, and what is measured.
pub const MARK: &str = "#1d4f9c";
/// What is chosen.
pub const PATH: &str = "#ffe48a";
/// What is cut off, and MIN.
pub const CUT: &str = "#b3261e";

/// The colours of pages and pictures: name, light theme, dark theme.
const COLOURS: [(&str, &str, &str); 10] = [
    ("ink", INK, "#e7ebf0"),
    ("paper", PAPER, "#14181e"),
    ("soft", SOFT, "#1f252d"),
    ("rule", RULE, "#46505c"),
    ("mark", MARK, "#8ab4f8"),
    ("good", "#d9efdc", "#1e4027"),
    ("bad", "#f8dcd7", "#53241d"),
    ("path", PATH, "#7a5f00"),
    ("done", "#c3ccd8", "#3d4855"),
    ("cut", CUT, "#ff8a80"),
];

/// The colours as CSS variables for a selector, in a light and a dark theme: `--ink`, `--paper`,
/// `--soft` and `--rule`, `--mark` for links, `--good` and `--bad`, `--path` for chosen nodes,
/// `--done` for visited ones, `--cut` for pruned ones.
fn colours(selector: &str) -> String {
    let of = |shade: fn(&(&str, &'static str, &'static str)) -> &'static str| {
        let all = COLOURS.iter();
        let all = all.map(|colour| format!("--{}: {};", colour.0, shade(colour)));
        all.collect::<Vec<_>>().join(" ")
    };
    format!(
        "{selector} {{ color-scheme: light dark; {} }}\n\
         @media screen and (prefers-color-scheme: dark) {{ {selector} {{ {} }} }}\n",
        of(|colour| colour.1),
        of(|colour| colour.2)
    )
}

/// Rules that give what has colours by day as attributes those by night, inside of a selector.
/// Programs that know no CSS, or no custom properties, show the attributes.
pub fn by_night(selector: &str) -> String {
    let rules = COLOURS.iter().map(|(_, day, night)| {
        format!(
            "{selector} [fill=\"{day}\"] {{ fill: {night}; }} {selector} [stroke=\"{day}\"] {{ stroke: {night}; }}\n"
        )
    });
    format!(
        "@media screen and (prefers-color-scheme: dark) {{\n{}}}\n",
        rules.collect::<String>()
    )
}

const STYLE: &str = "
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1.05rem; margin: 1.2rem 0 0.3rem; }
p { margin: 0.3rem 0; }
.big { font-size: 2rem; font-weight: 600; line-height: 1.2; }
.quiet { font-size: 0.9rem; }
a { color: var(--mark); }
nav a { display: inline-block; padding: 0.3rem 0.8rem 0.3rem 0; }
a:focus-visible, summary:focus-visible, button:focus-visible, .wide:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
.wide { overflow-x: auto; margin: 0.6rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.caption { margin: 0.8rem 0 0; }
th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }
tbody th { position: sticky; left: 0; background: var(--paper); }
thead th { border-bottom: 2px solid var(--rule); }
th.words, td.words { text-align: left; }
.good { background: var(--good); }
.bad { background: var(--bad); }
.branch { margin-left: 0.4rem; padding-left: 0.9rem; border-left: 2px solid var(--rule); }
summary { cursor: pointer; padding: 0.3rem 0; }
.step { padding: 0.3rem 0 0.3rem 1.1rem; margin: 0; }
button { font: inherit; color: var(--mark); background: var(--soft); border: 1px solid var(--rule); border-radius: 4px; padding: 0.4rem 0.8rem; margin: 0.3rem 0.4rem 0.3rem 0; cursor: pointer; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: 1rem; }
figure { margin: 0; }
svg { display: block; width: 100%; height: auto; }
@media (max-width: 30rem) { th, td { padding: 0.25rem 0.45rem; } th, td.words { white-space: normal; overflow-wrap: break-word; } th button, td button { white-space: nowrap; padding: 0.25rem 0.4rem; } table { font-size: 0.92rem; } .branch { margin-left: 0.2rem; padding-left: 0.6rem; } }
svg text { forced-color-adjust: none; }
@media print {
nav, button { display: none; }
.controls { display: none !important; }
body { max-width: none; }
h2, h3, .caption { break-after: avoid; }
tr, li, figure { break-inside: avoid; }
.wide { overflow: visible; }
.wide svg { max-height: 24cm; }
figure { max-width: 13cm; }
svg { max-width: 100% !important; height: auto !important; }
th, td { white-space: normal; }
th button, td button { display: inline; padding: 0; border: 0; color: inherit; background: none; }
}
@media (forced-colors: active) {
button[aria-pressed=true], .chosen, .chosen th, .chosen td { forced-color-adjust: none; color: HighlightText !important; background: Highlight !important; outline: 2px solid CanvasText; outline-offset: -2px; }
.good, .done { outline: 2px solid; outline-offset: -2px; }
.bad, .bought { outline: 2px dashed; outline-offset: -2px; }
}
";

/// Opens or closes all branches of the element that the button names by id.
const SCRIPT: &str = "
for (const button of document.querySelectorAll('button[data-of]'))
  button.addEventListener('click', () => {
    for (const branch of document.getElementById(button.dataset.of).querySelectorAll('details'))
      branch.open = button.dataset.open === 'yes';
  });
";

/// Escapes text for markup and attributes.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A whole page: its title, which is also the first heading, and its body as markup.
pub fn document(title: &str, body: &str) -> String {
    Page {
        title,
        body,
        ..Page::default()
    }
    .html()
}

/// A page with optional parts of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Page<'a> {
    /// The title, which is also the first heading.
    pub title: &'a str,
    /// The body, as markup.
    pub body: &'a str,
    /// Style rules after those of all pages.
    pub style: &'a str,
    /// A script after that of all pages.
    pub script: &'a str,
}

/// The style of pages with forms.
pub const FORM: &str = "
label { display: inline-block; max-width: 100%; margin: 0.3rem 0.8rem 0.3rem 0; }
fieldset { border: 1px solid var(--rule); border-radius: 4px; margin: 0.6rem 0; padding: 0.4rem 0.8rem; min-width: 0; }
legend { padding: 0 0.4rem; font-weight: 600; }
input, select, textarea { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--rule); border-radius: 4px; padding: 0.35rem 0.5rem; max-width: 100%; }
input[type=file] { width: 100%; }
input[type=range] { padding: 0; accent-color: var(--mark); vertical-align: middle; }
input[type=checkbox], input[type=radio] { accent-color: var(--mark); width: 1.1rem; height: 1.1rem; vertical-align: -0.15rem; }
textarea { width: 100%; min-height: 8rem; font: 0.9rem/1.4 ui-monospace, monospace; }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline: 3px solid var(--mark); outline-offset: 1px; }
button[aria-pressed=true] { color: var(--paper); background: var(--mark); border-color: var(--mark); }
button:disabled { opacity: 0.5; cursor: default; }
nav a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
#state { min-height: 1.5em; }
#sentence { color: var(--cut); font-weight: 600; }
#sentence:empty { display: none; }
[hidden] { display: none !important; }
";

impl Page<'_> {
    /// The page as text. Its content security policy allows its own style and scripts, and nothing
    /// else.
    pub fn html(&self) -> String {
        self.html_allowing("")
    }

    /// The page with a wider content security policy: `allowed` has sources of scripts, then
    /// further directives, each after a semicolon.
    pub fn html_allowing(&self, allowed: &str) -> String {
        let Self {
            body,
            style,
            script,
            ..
        } = self;
        let (title, colours) = (escape(self.title), colours(":root") + &by_night(":root"));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'{allowed}\">\n\
             <title>{title}</title>\n<style>\n{colours}{STYLE}{style}</style>\n</head>\n<body>\n<main>\n<h1 id=\"top\">{title}</h1>\n{body}</main>\n\
             <script>{SCRIPT}{script}</script>\n</body>\n</html>\n"
        )
    }
}

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// A CSS class: `good`, `bad`, or none.
    pub class: &'static str,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            class: "",
        }
    }
}

/// A table with a caption. The first `words` columns hold words, and the first cell of a row is its
/// heading.
pub fn table(caption: &str, words: usize, head: &[String], rows: &[Vec<Cell>]) -> String {
    let class = |place: usize| {
        if place < words {
            " class=\"words\""
        } else {
            ""
        }
    };
    let mut text = format!(
        "<p class=\"caption\">{0}</p>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n<table aria-label=\"{0}\">\n<thead><tr>",
        escape(caption)
    );
    // Writing to a string cannot fail.
    for (place, name) in head.iter().enumerate() {
        let _ = write!(
            text,
            "<th scope=\"col\"{}>{}</th>",
            class(place),
            escape(name)
        );
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        text.push_str("<tr>");
        for (place, cell) in row.iter().enumerate() {
            let content = escape(&cell.text);
            let _ = match (place, cell.class) {
                (0, _) => write!(text, "<th scope=\"row\"{}>{content}</th>", class(0)),
                (_, "") => write!(text, "<td{}>{content}</td>", class(place)),
                (_, own) => write!(text, "<td class=\"{own}\">{content}</td>"),
            };
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n</div>\n");
    text
}

/// Lines of text with their indentation: lines that are indented below another one collapse with
/// it.
pub fn branches(id: &str, lines: &[(usize, String)]) -> String {
    let id = escape(id);
    let name = id.replace('-', " ");
    let mut text = String::new();
    if lines.len() > 1 {
        let _ = writeln!(
            text,
            "<p><button type=\"button\" data-of=\"{id}\" data-open=\"yes\" aria-label=\"Open all of {name}\">Open all</button>\
             <button type=\"button\" data-of=\"{id}\" data-open=\"no\" aria-label=\"Close all of {name}\">Close all</button></p>"
        );
    }
    let _ = writeln!(text, "<div id=\"{id}\">");
    let mut open: Vec<usize> = Vec::new();
    for (place, (indent, line)) in lines.iter().enumerate() {
        while open.last().is_some_and(|above| above >= indent) {
            open.pop();
            text.push_str("</div></details>\n");
        }
        let line = escape(line);
        if lines.get(place + 1).is_some_and(|(next, _)| next > indent) {
            open.push(*indent);
            let _ = writeln!(
                text,
                "<details open><summary>{line}</summary><div class=\"branch\">"
            );
        } else {
            let _ = writeln!(text, "<p class=\"step\">{line}</p>");
        }
    }
    for _ in open {
        text.push_str("</div></details>\n");
    }
    text.push_str("</div>\n");
    text
}
