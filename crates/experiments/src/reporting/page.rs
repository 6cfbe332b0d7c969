//! A report as blocks, written as a page and as Markdown.

use std::fmt::Write as _;

use meetjoin_report::page::{Page, escape};

/// A part of a report.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    /// The heading of a section. No two may be equal, because links lead here.
    Heading(String),
    /// A subtitle, which explains the heading.
    Title(String),
    Text(String),
    Warning(String),
    Table(Table),
    Picture(Picture),
    /// A collapsed part, with its summary.
    Details(String, Vec<Block>),
    /// Groups of links: a name and a heading each.
    Navigation(Vec<(String, Vec<(String, String)>)>),
    /// Marks of pictures, and what they mean.
    Legend(Vec<(Mark, String)>),
    /// Small pictures, all at one glance.
    Multiples(Vec<Multiple>),
    /// Two columns, if there is room.
    Columns(Vec<Block>, Vec<Block>),
}

/// A colour of a style and a sign.
pub(crate) type Mark = (&'static str, char);

#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// How many columns, from the left, hold words; the rest hold figures.
    pub(crate) words: usize,
    /// Whether the first column has panels, and leads to them.
    pub(crate) linked: bool,
}

impl Table {
    /// A table that leads nowhere.
    pub(crate) fn new(
        words: usize,
        head: impl IntoIterator<Item: Into<String>>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        Self {
            head: head.into_iter().map(Into::into).collect(),
            rows: rows.into_iter().collect(),
            words,
            linked: false,
        }
    }
}

/// A plot and the name of its file.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) file: String,
    pub(crate) svg: String,
    pub(crate) alt: String,
}

/// A small picture that leads to a heading.
#[derive(Clone, Debug)]
pub(crate) struct Multiple {
    pub(crate) picture: Picture,
    pub(crate) heading: String,
    pub(crate) caption: String,
}

/// Files and plots of all pictures.
pub(crate) fn pictures(blocks: &[Block]) -> Vec<(String, String)> {
    let of = |picture: &Picture| (picture.file.clone(), picture.svg.clone());
    let all = blocks.iter().flat_map(|block| match block {
        Block::Picture(picture) => vec![of(picture)],
        Block::Multiples(items) => items.iter().map(|item| of(&item.picture)).collect(),
        Block::Details(_, blocks) => pictures(blocks),
        Block::Columns(left, right) => [pictures(left), pictures(right)].concat(),
        _ => Vec::new(),
    });
    all.collect()
}

/// The anchor of a heading, as Markdown renderers make it.
fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}

fn panel_anchor(id: &str) -> String {
    anchor(&format!("panel {id}"))
}

/// The style of this page, beside that of all pages.
const STYLE: &str = "
body { max-width: 76rem; font-size: 15px; }
h2 { margin-top: 2.5rem; }
p { max-width: 50rem; }
nav p { max-width: none; margin: 0.2rem 0; }
nav a { display: inline-block; margin-right: 0.7rem; padding: 0.2rem 0; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); column-gap: 2rem; }
.columns h2 { margin-top: 1rem; }
.columns .top { display: none; }
@media (min-width: 70rem) { .columns { grid-template-columns: minmax(0, 9fr) minmax(0, 5fr); } }
.multiples { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 0.8rem; }
.multiples a { display: block; color: inherit; text-decoration: none; font-size: 13px; line-height: 1.35; }
.multiples a span { display: block; text-decoration: underline; text-decoration-color: var(--rule); }
ul.legend { list-style: none; margin: 0.3rem 0; padding: 0; display: flex; flex-wrap: wrap; column-gap: 1.2rem; }
.picture { margin: 0.8rem 0; max-width: 42rem; }
table { font-size: 13px; }
th, td { vertical-align: top; }
th { border-bottom: 2px solid var(--rule); }
th, td { overflow-wrap: normal; }
td.words { white-space: normal; min-width: 5.5rem; }
th:last-child { min-width: 8rem; }
td.words:last-child { min-width: 14rem; }
.columns td:last-child, .columns th:last-child { min-width: 0; white-space: nowrap; }
.title { font-weight: 600; margin: 0; }
.top { float: right; font-size: 13px; font-weight: normal; }
.warning { background: var(--soft); border-left: 6px solid var(--ink); padding: 0.5rem 0.8rem; font-weight: 600; }
summary { color: var(--mark); text-decoration: underline; }
@media print { .top { display: none; } }
";

/// A page. Pictures are part of it, so that it can be sent as one file.
pub(crate) fn page(title: &str, blocks: &[Block]) -> String {
    Page {
        title,
        body: &html(blocks),
        style: STYLE,
        ..Page::default()
    }
    .html()
}

fn html(blocks: &[Block]) -> String {
    blocks.iter().map(html_block).collect()
}

fn html_block(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!(
            "<h2 id=\"{}\">{} <a class=\"top\" href=\"#top\">top</a></h2>\n",
            escape(&anchor(text)),
            escape(text)
        ),
        Block::Title(text) => format!("<p class=\"title\">{}</p>\n", escape(text)),
        Block::Text(text) => format!("<p>{}</p>\n", escape(text).replace('`', "")),
        Block::Warning(text) => format!("<p class=\"warning\">{}</p>\n", escape(text)),
        Block::Picture(picture) => format!(
            "<div class=\"picture\" role=\"img\" aria-label=\"{}\">\n{}</div>\n",
            escape(&picture.alt),
            picture.svg
        ),
        Block::Details(summary, blocks) => format!(
            "<details><summary>{}</summary>\n{}</details>\n",
            escape(summary),
            html(blocks)
        ),
        Block::Navigation(groups) => {
            let link = |(name, heading): &(String, String)| {
                let to = anchor(heading);
                format!("<a href=\"#{}\">{}</a>\n", escape(&to), escape(name))
            };
            let groups = groups.iter().map(|(name, links)| {
                let links: String = links.iter().map(link).collect();
                format!("<p>{}: {links}</p>\n", escape(name))
            });
            let groups: String = groups.collect();
            format!("<nav aria-label=\"Panels\">\n{groups}</nav>\n")
        }
        Block::Legend(marks) => {
            let marks = marks.iter().map(|((colour, sign), name)| {
                let sign = format!("<span style=\"color: {colour}\">{sign}</span>");
                format!("<li>{sign} {}</li>\n", escape(name))
            });
            format!(
                "<ul class=\"legend\">\n{}</ul>\n",
                marks.collect::<String>()
            )
        }
        Block::Multiples(items) => {
            let items = items.iter().map(|item| {
                format!(
                    "<a href=\"#{}\">\n{}<span>{}</span></a>\n",
                    escape(&anchor(&item.heading)),
                    item.picture.svg,
                    escape(&item.caption)
                )
            });
            format!(
                "<div class=\"multiples\">\n{}</div>\n",
                items.collect::<String>()
            )
        }
        Block::Columns(left, right) => format!(
            "<div class=\"columns\">\n<div>\n{}</div>\n<div>\n{}</div>\n</div>\n",
            html(left),
            html(right)
        ),
        Block::Table(table) => html_table(table),
    }
}

/// A table in a box of its own, which can be moved with the keyboard too.
fn html_table(table: &Table) -> String {
    let line = |cells: &[String], tag: &str| {
        let mut line = "<tr>".to_owned();
        for (column, cell) in cells.iter().enumerate() {
            let class = if column < table.words {
                " class=\"words\""
            } else {
                ""
            };
            let text = escape(cell);
            // Writing to a text does not fail.
            let _ = if table.linked && column == 0 && tag == "td" {
                let to = escape(&panel_anchor(cell));
                write!(line, "<td{class}><a href=\"#{to}\">{text}</a></td>")
            } else {
                write!(line, "<{tag}{class}>{text}</{tag}>")
            };
        }
        line + "</tr>\n"
    };
    let rows: String = table.rows.iter().map(|row| line(row, "td")).collect();
    format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n<thead>\n{}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n",
        escape(&table.head.join(", ")),
        line(&table.head, "th")
    )
}

/// Blocks as Markdown. Pictures are files beside it.
pub(crate) fn markdown(blocks: &[Block]) -> String {
    blocks.iter().map(markdown_block).collect()
}

fn markdown_block(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("## {text}\n\n"),
        Block::Text(text) => format!("{text}\n\n"),
        Block::Title(text) | Block::Warning(text) => format!("**{text}**\n\n"),
        Block::Picture(picture) => format!("![{}]({})\n\n", picture.alt, picture.file),
        Block::Details(summary, blocks) => format!("### {summary}\n\n{}", markdown(blocks)),
        Block::Navigation(groups) => {
            let link =
                |(name, heading): &(String, String)| format!("[{name}](#{})", anchor(heading));
            let groups = groups.iter().map(|(name, links)| {
                let links: Vec<String> = links.iter().map(link).collect();
                format!("{name}: {}\n\n", links.join(" "))
            });
            groups.collect()
        }
        Block::Legend(marks) => {
            let marks = marks
                .iter()
                .map(|((_, sign), name)| format!("{sign} {name}"));
            marks.collect::<Vec<_>>().join(", ") + "\n\n"
        }
        Block::Multiples(items) => {
            let cells = items.iter().map(|item| {
                let picture = format!("![{}]({})", item.picture.alt, item.picture.file);
                let to = anchor(&item.heading);
                format!("[{picture}<br>{}](#{to})", item.caption)
            });
            let mut cells = cells.collect::<Vec<String>>();
            cells.resize(cells.len().next_multiple_of(3), String::new());
            let rows: Vec<_> = cells.chunks(3).map(<[String]>::to_vec).collect();
            markdown_table(&vec![String::new(); 3], &rows)
        }
        Block::Columns(left, right) => markdown(left) + &markdown(right),
        Block::Table(table) => {
            let mut rows = table.rows.clone();
            for cell in rows.iter_mut().filter_map(|row| row.first_mut()) {
                if table.linked {
                    *cell = format!("[{cell}](#{})", panel_anchor(cell));
                }
            }
            markdown_table(&table.head, &rows)
        }
    }
}

fn markdown_table(head: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let ruler = "|---".repeat(head.len()) + "|\n";
    let rows = rows.iter().map(|row| line(row));
    [line(head), ruler]
        .into_iter()
        .chain(rows)
        .collect::<String>()
        + "\n"
}
