//! The report: made once as blocks, written as a page and as Markdown.

use std::fmt::Write as _;

use super::claims::claims;
use super::compare::{Moved, compare};
use super::grid::{Tally, cells};
use super::growth::Growth;
use super::lineup::Lineup;
use super::panel::Panel;
use super::quantity::Measure;
use super::row::Row;
use super::summary::{Range, Runs};
use super::survey::Answer;
use super::{plot, schedule};

/// What a report is made from.
#[derive(Debug)]
pub(crate) struct Contents<'a> {
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) panels: &'a [(&'static Panel, Vec<u32>)],
    pub(crate) rows: &'a [Row],
    pub(crate) surveys: &'a [Answer],
    /// Runs that there should be.
    pub(crate) planned: usize,
    /// Seconds.
    pub(crate) time_limit: f64,
    /// The name and the rows of an earlier run.
    pub(crate) old: Option<(String, Vec<Row>)>,
}

/// A part of a report.
enum Block {
    Heading(String),
    Text(String),
    Warning(String),
    Table(Table),
    Picture(Picture),
    /// What most readers will not want to see at once.
    Details(String, Vec<Block>),
}

struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    /// How many columns, from the left, hold words; the rest hold figures.
    words: usize,
}

/// A plot and the name of its file.
pub(crate) struct Picture {
    pub(crate) file: String,
    pub(crate) svg: String,
    alt: String,
}

/// A finished report.
pub(crate) struct Report {
    pub(crate) html: String,
    pub(crate) markdown: String,
    /// The parts worth a look at once.
    pub(crate) brief: String,
    pub(crate) pictures: Vec<(String, String)>,
    /// Games whose values are others than in the earlier run; a sentence for each.
    pub(crate) changed: Vec<String>,
}

const TITLE: &str = "meetjoin: the experiments";

/// The file of a plot.
pub(crate) fn picture_name(panel: &Panel, measure: Measure) -> String {
    format!("{}-{}.svg", panel.id, measure.id())
}

/// Makes the report.
pub(crate) fn report(contents: &Contents<'_>) -> Result<Report, String> {
    let mut blocks = opening(contents);
    let mut changed = Vec::new();
    if let Some((name, old)) = &contents.old {
        let (moved, others) = compare(old, contents.rows);
        blocks.extend(comparison(contents.panels, name, &moved, &others));
        changed = others;
    }
    blocks.extend(published_shapes(contents));
    if contents
        .panels
        .iter()
        .any(|(panel, _)| panel.cell.is_some())
    {
        blocks.extend(order_of_visits(contents.rows));
    }
    let surveys: Vec<Block> = contents.surveys.iter().flat_map(survey_blocks).collect();
    let brief = blocks.iter().chain(&surveys).map(markdown).collect();
    for (panel, values) in contents.panels {
        blocks.extend(panel_blocks(contents, panel, values)?);
    }
    blocks.extend(surveys);
    let mut pictures = Vec::new();
    collect_pictures(&blocks, &mut pictures);
    let body: String = blocks.iter().map(html).collect();
    Ok(Report {
        html: format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{TITLE}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<h1>{TITLE}</h1>\n{body}</body>\n</html>\n"
        ),
        markdown: format!(
            "# {TITLE}\n\n{}",
            blocks.iter().map(markdown).collect::<String>()
        ),
        brief,
        pictures,
        changed,
    })
}

const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; margin: 0.8rem 0; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.6rem; border-bottom: 1px solid #ddd; text-align: right; vertical-align: top; }
th.words, td.words { text-align: left; }
th { border-bottom: 2px solid #999; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #ddd; }
.warning { background: #fbe3e0; border-left: 4px solid #c0392b; padding: 0.5rem 0.8rem; }
svg { max-width: 100%; height: auto; display: block; margin: 1rem 0; }
summary { cursor: pointer; color: #2a5db0; }
";

fn opening(contents: &Contents<'_>) -> Vec<Block> {
    let rows = contents
        .facts
        .iter()
        .map(|(key, fact)| vec![(*key).to_owned(), fact.clone()]);
    let mut blocks = vec![Block::Table(Table {
        head: vec!["Run".to_owned(), String::new()],
        rows: rows.collect(),
        words: 2,
    })];
    let done = contents.rows.len();
    if done < contents.planned {
        let planned = contents.planned;
        let text = format!("The run ended early: {done} of {planned} runs are here.");
        blocks.push(Block::Warning(text));
    }
    blocks.extend(
        schedule::mismatches(contents.rows)
            .into_iter()
            .map(Block::Warning),
    );
    let mut lineups: Vec<&Lineup> = Vec::new();
    for (panel, _) in contents.panels {
        if !lineups.iter().any(|known| known.note == panel.lineup.note) {
            lineups.push(panel.lineup);
        }
    }
    let notes = lineups.iter().map(|lineup| lineup.note.to_owned());
    blocks.extend(notes.map(Block::Text));
    let text = "Figures are means over the seeds with the standard deviation after ±; \
        > marks a mean with stopped runs in it, which is a lower bound. Times of short runs are medians of up to five repetitions. Peak \
        memory is what a search holds at once besides the game. Every exact value was compared across the algorithms.";
    blocks.push(Block::Text(text.to_owned()));
    blocks
}

fn comparison(
    panels: &[(&'static Panel, Vec<u32>)],
    name: &str,
    moved: &[Moved],
    changed: &[String],
) -> Vec<Block> {
    let short_name = |moved: &Moved| {
        let panel = panels.iter().find(|(panel, _)| panel.id == moved.panel);
        let id = &*moved.algorithm;
        panel
            .map_or(id, |(panel, _)| panel.lineup.name(id))
            .to_owned()
    };
    let ratio = |ratio: Option<f64>| ratio.map_or_else(dash, |ratio| format!("{ratio:.2}"));
    let rows = moved.iter().map(|moved| {
        vec![
            moved.panel.clone(),
            short_name(moved),
            moved.runs.to_string(),
            ratio(moved.seconds),
            ratio(moved.visits),
            ratio(moved.memory),
            moved.gained.to_string(),
            moved.lost.to_string(),
        ]
    });
    let head = [
        "panel",
        "algorithm",
        "common runs",
        "time",
        "visits",
        "memory",
        "now end",
        "no longer end",
    ];
    let mut blocks = vec![Block::Heading("What moved".to_owned())];
    blocks.extend(changed.iter().cloned().map(Block::Warning));
    blocks.push(Block::Text(format!(
        "Medians of new over old, against {name}."
    )));
    blocks.push(Block::Table(Table {
        head: head.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        words: 2,
    }));
    blocks
}

/// What is published of the panels that were run.
fn published_shapes(contents: &Contents<'_>) -> Vec<Block> {
    let ran = |id: &str| contents.panels.iter().any(|(panel, _)| panel.id == id);
    let claims = claims(contents.rows).into_iter();
    let claims = claims.filter(|claim| ran(claim.panel)).map(|claim| {
        vec![
            claim.panel.to_owned(),
            claim.published.to_owned(),
            claim.verdict.show().to_owned(),
            claim.measured,
        ]
    });
    let claims: Vec<Vec<String>> = claims.collect();
    if claims.is_empty() {
        return Vec::new();
    }
    let head = ["panel", "published", "here", "measured"].map(str::to_owned);
    vec![
        Block::Heading("Published shapes".to_owned()),
        Block::Table(Table {
            head: head.to_vec(),
            rows: claims,
            words: 4,
        }),
    ]
}

fn order_of_visits(rows: &[Row]) -> Vec<Block> {
    let cells = [cells(rows, |row| row.visits), cells(rows, Row::effort)];
    let [visits, effort] = cells;
    let table = visits.iter().zip(&effort).map(|(visits, effort)| {
        let (game, lattice) = visits.panel.cell.unwrap_or_default();
        let mut row = vec![
            game.to_owned(),
            lattice.to_owned(),
            visits.panel.id.to_owned(),
            visits.games.to_string(),
        ];
        for cell in [visits, effort] {
            row.extend(cell.pairs.map(Tally::show));
            row.push(cell.chain.show());
        }
        row
    });
    let mut head = ["games", "lattice", "panel", "how many"]
        .map(str::to_owned)
        .to_vec();
    for what in ["", " with probes"] {
        head.extend(
            ["ABD < ABC", "ABC < MMC", "MMC < AB", "all three"].map(|pair| format!("{pair}{what}")),
        );
    }
    let text = "Li et al. expect ABD < ABC < MMC < AB in visits. How often it holds, game by game, where stopped runs leave it known; and how \
        often if probes count too, which only ABD makes.";
    vec![
        Block::Heading("The order of visits".to_owned()),
        Block::Text(text.to_owned()),
        Block::Table(Table {
            head,
            rows: table.collect(),
            words: 3,
        }),
    ]
}

fn survey_blocks(answer: &Answer) -> Vec<Block> {
    let survey = answer.survey;
    vec![
        Block::Heading(format!("Survey {}: {}", survey.id, survey.title)),
        Block::Text(survey.text.to_owned()),
        Block::Table(Table {
            head: survey.head.iter().map(|cell| (*cell).to_owned()).collect(),
            rows: answer.lines.clone(),
            words: 2,
        }),
    ]
}

fn panel_blocks(
    contents: &Contents<'_>,
    panel: &Panel,
    values: &[u32],
) -> Result<Vec<Block>, String> {
    let rows = contents.rows;
    if rows.iter().all(|row| row.panel != panel.id) {
        return Ok(Vec::new());
    }
    let mut blocks = vec![Block::Heading(format!(
        "Panel {}: {}",
        panel.id, panel.title
    ))];
    let (mut first, mut others) = (Vec::new(), Vec::new());
    let lineup = panel.lineup;
    let rest = lineup.measures.iter();
    let rest = rest.filter(|measure| !lineup.main.contains(measure));
    for &measure in lineup.main.iter().chain(rest) {
        let svg = plot::svg(rows, panel, values, measure, contents.time_limit)?;
        let picture = svg.map(|svg| {
            Block::Picture(Picture {
                file: picture_name(panel, measure),
                alt: format!(
                    "{} against {} in panel {}",
                    measure.title(),
                    panel.parameter,
                    panel.id
                ),
                svg,
            })
        });
        if lineup.main.contains(&measure) {
            first.extend(picture);
            first.push(Block::Table(by_algorithm(rows, panel, values, measure)));
        } else {
            others.extend(picture);
        }
    }
    blocks.extend(first);
    blocks.extend(growth(rows, panel, values));
    blocks.push(Block::Details(
        "All measures".to_owned(),
        vec![Block::Table(all_measures(rows, panel, values))],
    ));
    blocks.push(Block::Details("More plots".to_owned(), others));
    Ok(blocks)
}

/// How cost grows from point to point, where that can be said of any algorithm.
fn growth(rows: &[Row], panel: &Panel, values: &[u32]) -> Option<Block> {
    if !panel.harder_upwards || !panel.kinds.is_empty() {
        return None;
    }
    let lineup = panel.lineup;
    let line = |(id, name): &(&str, &str)| {
        let of = |&measure: &Measure| Growth::of(rows, panel, values, id, measure);
        let found: Vec<Option<Growth>> = lineup.main.iter().map(of).collect();
        let cells = found
            .iter()
            .map(|cell| cell.map_or_else(dash, Growth::show));
        let line = [(*name).to_owned()].into_iter().chain(cells).collect();
        found.iter().any(Option::is_some).then_some(line)
    };
    let lines: Vec<Vec<String>> = lineup.algorithms.iter().filter_map(line).collect();
    let measures = lineup.main.iter();
    let measures = measures.map(|measure| format!("{}, factor", measure.title().to_lowercase()));
    let first = format!("growth with {}", panel.parameter);
    (!lines.is_empty()).then(|| {
        Block::Table(Table {
            head: [first].into_iter().chain(measures).collect(),
            rows: lines,
            words: 1,
        })
    })
}

/// A row for each point, a column for each algorithm, and how ours compares with the yardstick.
fn by_algorithm(rows: &[Row], panel: &Panel, values: &[u32], measure: Measure) -> Table {
    let lineup = panel.lineup;
    let names = lineup.algorithms.iter().map(|(_, name)| (*name).to_owned());
    let head = [panel.parameter.to_owned()].into_iter().chain(names);
    let last = [format!(
        "{} / {}, {}",
        lineup.name(lineup.ours),
        lineup.yardstick_name,
        measure.title().to_lowercase()
    )];
    let line = |&value: &u32| {
        let mut line = vec![panel.label(value)];
        let algorithms = lineup.algorithms.iter();
        let means = algorithms.map(|(id, _)| mean(&Runs::of(rows, panel.id, value, id), measure));
        line.extend(means);
        line.push(ratio(rows, panel, value, lineup.ours, measure));
        line
    };
    Table {
        head: head.chain(last).collect(),
        rows: values.iter().map(line).collect(),
        words: usize::from(!panel.kinds.is_empty()),
    }
}

/// A row for each point and algorithm, a column for each measure.
fn all_measures(rows: &[Row], panel: &Panel, values: &[u32]) -> Table {
    let mut head: Vec<String> = [panel.parameter, "algorithm", "ended"]
        .map(str::to_owned)
        .to_vec();
    let lineup = panel.lineup;
    head.extend(lineup.measures.iter().map(|m| m.title().to_owned()));
    let yardstick = lineup.yardstick_name;
    let compared = lineup.main.iter();
    head.extend(compared.map(|m| format!("{} / {yardstick}", m.title().to_lowercase())));
    let mut lines = Vec::new();
    for &value in values {
        for (id, name) in lineup.algorithms {
            let runs = Runs::of(rows, panel.id, value, id);
            let ended = format!("{} of {}", runs.ended(), runs.0.len());
            let mut line = vec![panel.label(value), (*name).to_owned(), ended];
            line.extend(lineup.measures.iter().map(|m| mean(&runs, *m)));
            let compared = lineup.main.iter();
            line.extend(compared.map(|m| ratio(rows, panel, value, id, *m)));
            lines.push(line);
        }
    }
    Table {
        head,
        rows: lines,
        words: 2,
    }
}

fn mean(runs: &Runs<'_>, measure: Measure) -> String {
    if runs.0.is_empty() {
        return "not run".to_owned();
    }
    if runs.skipped() {
        return "skipped".to_owned();
    }
    let Some(statistic) = runs.statistic(measure) else {
        return dash();
    };
    let sign = if statistic.at_least && statistic.mean > 0.0 {
        "> "
    } else {
        ""
    };
    let mut text = format!("{sign}{}", measure.show(statistic.mean));
    if runs.0.len() > 1 && statistic.mean > 0.0 && !statistic.at_least {
        let _ = write!(
            text,
            " ± {:.0} %",
            100.0 * statistic.deviation / statistic.mean
        );
    }
    text
}

fn ratio(rows: &[Row], panel: &Panel, value: u32, id: &str, measure: Measure) -> String {
    let ratio = Range::to_yardstick(rows, (panel.id, panel.lineup), value, id, measure);
    ratio.map_or_else(dash, Range::show)
}

fn dash() -> String {
    "–".to_owned()
}

fn collect_pictures(blocks: &[Block], pictures: &mut Vec<(String, String)>) {
    for block in blocks {
        match block {
            Block::Picture(picture) => pictures.push((picture.file.clone(), picture.svg.clone())),
            Block::Details(_, blocks) => collect_pictures(blocks, pictures),
            _ => {}
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A block as HTML. Pictures are part of the page, so that it can be sent as one file.
fn html(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("<h2>{}</h2>\n", escaped(text)),
        Block::Text(text) => format!("<p>{}</p>\n", escaped(text).replace('`', "")),
        Block::Warning(text) => format!("<p class=\"warning\">{}</p>\n", escaped(text)),
        Block::Picture(picture) => format!("{}\n", picture.svg),
        Block::Details(summary, blocks) => {
            let inside: String = blocks.iter().map(html).collect();
            format!(
                "<details><summary>{}</summary>\n{inside}</details>\n",
                escaped(summary)
            )
        }
        Block::Table(table) => {
            let cells = |cells: &[String], tag: &str| -> String {
                let cells = cells.iter().enumerate().map(|(column, cell)| {
                    let class = if column < table.words {
                        " class=\"words\""
                    } else {
                        ""
                    };
                    format!("<{tag}{class}>{}</{tag}>", escaped(cell))
                });
                format!("<tr>{}</tr>\n", cells.collect::<String>())
            };
            let rows: String = table.rows.iter().map(|row| cells(row, "td")).collect();
            format!("<table>\n{}{rows}</table>\n", cells(&table.head, "th"))
        }
    }
}

/// A block as Markdown. Pictures are files beside it.
fn markdown(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("## {text}\n\n"),
        Block::Text(text) => format!("{text}\n\n"),
        Block::Warning(text) => format!("**{text}**\n\n"),
        Block::Picture(picture) => format!("![{}]({})\n\n", picture.alt, picture.file),
        Block::Details(summary, blocks) => {
            let inside: String = blocks.iter().map(markdown).collect();
            format!("### {summary}\n\n{inside}")
        }
        Block::Table(table) => {
            let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
            let rows: String = table.rows.iter().map(|row| line(row)).collect();
            format!(
                "{}{}{rows}\n",
                line(&table.head),
                "|---".repeat(table.head.len()) + "|\n"
            )
        }
    }
}
