//! The contents of a report, in order: what most readers look for first, then panel by panel.

use std::fmt::Write as _;

use crate::panels::panel::Panel;
use crate::panels::quantity::Measure;
use crate::panels::row::Row;
use crate::panels::schedule;
use crate::panels::survey::Answer;
use crate::reporting::bars;
use crate::reporting::claims::{Claim, claims};
use crate::reporting::compare::{Moved, compare};
use crate::reporting::grid::{Tally, cells};
use crate::reporting::growth::Growth;
use crate::reporting::page::{self, Block, Multiple, Picture, Table};
use crate::reporting::plot;
use crate::reporting::summary::{Range, Runs};

/// The contents of a report.
#[derive(Debug)]
pub(crate) struct Contents<'a> {
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) panels: &'a [(&'static Panel, Vec<u32>)],
    pub(crate) rows: &'a [Row],
    pub(crate) surveys: &'a [Answer],
    /// The number of planned runs.
    pub(crate) planned: usize,
    /// Seconds.
    pub(crate) time_limit: f64,
    /// The name and the rows of an earlier run.
    pub(crate) old: Option<(String, Vec<Row>)>,
}

/// A finished report.
pub(crate) struct Report {
    pub(crate) html: String,
    pub(crate) markdown: String,
    /// A summary for the terminal.
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

/// The small picture of a panel.
pub(crate) fn small_picture_name(panel: &Panel) -> String {
    format!("{}-small.svg", panel.id)
}

/// Makes the report.
pub(crate) fn report(contents: &Contents<'_>) -> Result<Report, String> {
    let claims: Vec<Claim> = claims(contents.rows)
        .into_iter()
        .filter(|claim| contents.has(claim.panel))
        .collect();
    let warnings = warnings(contents);
    let (moved, changed) = contents.old.as_ref().map_or_else(Default::default, |old| {
        let (moved, changed) = compare(&old.1, contents.rows);
        (
            comparison(contents.panels, &old.0, &moved, &changed),
            changed,
        )
    });
    let order = order_of_visits(contents);
    let run = this_run(contents);
    let mut sections = Vec::new();
    for (panel, values) in contents.begun() {
        sections.extend(panel_blocks(contents, panel, values, &claims)?);
        let surveys = contents.surveys.iter();
        let same = surveys.filter(|answer| answer.survey.id == panel.id);
        for answer in same {
            sections.extend(survey_blocks(answer)?);
        }
    }
    let alone = contents.surveys.iter();
    let alone = alone.filter(|answer| !contents.has(answer.survey.id));
    for answer in alone {
        sections.extend(survey_blocks(answer)?);
    }

    let mut surveys = Vec::new();
    for answer in contents.surveys {
        surveys.extend(survey_blocks(answer)?);
    }
    let verdicts = published(&claims, true);
    let brief = [&run, &warnings, &moved, &verdicts, &order, &surveys];
    let brief = brief.map(|blocks| page::markdown(blocks)).concat();
    let front = Block::Columns(multiples(contents)?, published(&claims, false));
    let blocks = [
        vec![navigation(contents)],
        warnings,
        vec![front],
        moved,
        order,
        run,
        sections,
    ]
    .concat();
    Ok(Report {
        html: page::page(TITLE, &blocks),
        markdown: format!("# {TITLE}\n\n{}", page::markdown(&blocks)),
        brief,
        pictures: page::pictures(&blocks),
        changed,
    })
}

impl Contents<'_> {
    /// The panels of which there are rows: if the run ended early, not all.
    fn begun(&self) -> impl Iterator<Item = &(&'static Panel, Vec<u32>)> {
        let begun = |id| self.rows.iter().any(|row| row.panel == id);
        self.panels.iter().filter(move |(panel, _)| begun(panel.id))
    }

    /// Whether there is a section of this panel.
    fn has(&self, id: &str) -> bool {
        self.begun().any(|(panel, _)| panel.id == id)
    }
}

/// Warnings about the run.
fn warnings(contents: &Contents<'_>) -> Vec<Block> {
    let (done, planned) = (contents.rows.len(), contents.planned);
    let text = format!("The run ended early: {done} of {planned} runs are here.");
    let early = (done < planned).then_some(text);
    let wrong = early.into_iter().chain(schedule::mismatches(contents.rows));
    wrong.map(Block::Warning).collect()
}

/// Links to all panels and surveys.
fn navigation(contents: &Contents<'_>) -> Block {
    let begun = contents.begun().map(|(panel, _)| *panel);
    let (published, others): (Vec<_>, Vec<_>) = begun.partition(|panel| panel.cell.is_some());
    let links = |panels: Vec<&Panel>| -> Vec<_> { panels.into_iter().map(link).collect() };
    let others_name = if published.is_empty() {
        "Panels"
    } else {
        "Other panels"
    };
    let surveys = contents.surveys.iter();
    let surveys = surveys.map(|answer| (answer.survey.id.to_owned(), survey_heading(answer)));
    let groups = [
        ("After Li et al. (2022)", links(published)),
        (others_name, links(others)),
        ("Surveys", surveys.collect()),
    ];
    let groups = groups.into_iter().filter(|(_, links)| !links.is_empty());
    Block::Navigation(
        groups
            .map(|(name, links)| (name.to_owned(), links))
            .collect(),
    )
}

/// The name of a panel in a link, and its heading.
fn link(panel: &Panel) -> (String, String) {
    (panel.id.to_owned(), panel_heading(panel.id))
}

fn panel_heading(id: &str) -> String {
    format!("Panel {id}")
}

fn survey_heading(answer: &Answer) -> String {
    format!("Survey {}", answer.survey.id)
}

/// A small picture of each panel after Li et al. (2022), or, where none of these was run, of each
/// panel.
fn multiples(contents: &Contents<'_>) -> Result<Vec<Block>, String> {
    let mut shown: Vec<_> = contents.begun().collect();
    if shown.iter().any(|(panel, _)| panel.cell.is_some()) {
        shown.retain(|(panel, _)| panel.cell.is_some());
    }
    let mut items = Vec::new();
    for (panel, values) in &shown {
        let measure = Measure::Seconds;
        let small = plot::small(contents.rows, panel, values, measure, contents.time_limit)?;
        items.extend(small.map(|svg| Multiple {
            picture: Picture {
                file: small_picture_name(panel),
                alt: alt(panel, measure),
                svg,
            },
            heading: panel_heading(panel.id),
            caption: format!("{}: {}", panel.id, panel.title),
        }));
    }
    let lineup = shown.first().map(|(panel, _)| panel.lineup);
    let lineup = lineup.filter(|lineup| {
        let mut panels = shown.iter();
        panels.all(|(panel, _)| panel.lineup.algorithms == lineup.algorithms)
    });
    let mut blocks = vec![Block::Heading("Time by panel".to_owned())];
    blocks.extend(lineup.map(|lineup| {
        let names = lineup.algorithms.iter().map(|(_, name)| (*name).to_owned());
        Block::Legend(plot::MARKS.into_iter().zip(names).collect())
    }));
    blocks.push(Block::Multiples(items));
    let text = "Each picture leads to its panel, where the names are explained. Hollow marks are lower bounds, because runs were stopped; crosses were \
        skipped; the dashed line is the time limit.";
    blocks.push(Block::Text(text.to_owned()));
    Ok(if shown.is_empty() { Vec::new() } else { blocks })
}

/// What was run, where, and how to read it.
fn this_run(contents: &Contents<'_>) -> Vec<Block> {
    let facts = contents.facts.iter();
    let facts = facts.map(|(key, fact)| vec![(*key).to_owned(), fact.clone()]);
    let text = "Figures are means over the seeds with the standard deviation after ±; \
        > marks a mean with stopped runs in it, which is a lower bound. Times of short runs are medians of up to five repetitions. Peak \
        memory is what a search holds at once besides the game. Every exact value was compared across the algorithms.";
    vec![
        Block::Heading("This run".to_owned()),
        Block::Table(Table::new(2, ["Run", ""], facts)),
        Block::Text(text.to_owned()),
    ]
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
    blocks.push(Block::Table(Table::new(2, head, rows)));
    blocks
}

/// The published statements and their verdicts, with or without figures.
fn published(claims: &[Claim], with_figures: bool) -> Vec<Block> {
    if claims.is_empty() {
        return Vec::new();
    }
    let row = |claim: &Claim| {
        let mut row = vec![
            claim.panel.to_owned(),
            claim.published.to_owned(),
            claim.verdict.show().to_owned(),
        ];
        row.extend(with_figures.then(|| claim.measured.clone()));
        row
    };
    let mut head = ["panel", "published", "here", "measured"]
        .map(str::to_owned)
        .to_vec();
    head.truncate(3 + usize::from(with_figures));
    vec![
        Block::Heading("Published shapes".to_owned()),
        Block::Table(Table {
            words: head.len(),
            head,
            rows: claims.iter().map(row).collect(),
            linked: !with_figures,
        }),
    ]
}

fn order_of_visits(contents: &Contents<'_>) -> Vec<Block> {
    let rows = contents.rows;
    if contents
        .panels
        .iter()
        .all(|(panel, _)| panel.cell.is_none())
    {
        return Vec::new();
    }
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
        Block::Table(Table::new(3, head, table)),
    ]
}

fn survey_blocks(answer: &Answer) -> Result<Vec<Block>, String> {
    let survey = answer.survey;
    let mut blocks = vec![
        Block::Heading(survey_heading(answer)),
        Block::Title(survey.title.to_owned()),
        Block::Text(survey.text.to_owned()),
        Block::Table(Table::new(
            2,
            survey.head.iter().copied(),
            answer.lines.iter().cloned(),
        )),
    ];
    if let Some(svg) = bars::svg(answer)? {
        let caption = format!("Survey {}: {}", survey.id, survey.title);
        blocks.push(Block::Picture(Picture {
            file: format!("survey-{}.svg", survey.id),
            alt: caption,
            svg,
        }));
    }
    Ok(blocks)
}

/// The alternative text of a picture.
fn alt(panel: &Panel, measure: Measure) -> String {
    let (what, parameter) = (measure.title(), panel.parameter);
    format!("{what} against {parameter} in panel {}", panel.id)
}

fn panel_blocks(
    contents: &Contents<'_>,
    panel: &Panel,
    values: &[u32],
    claims: &[Claim],
) -> Result<Vec<Block>, String> {
    let rows = contents.rows;
    let lineup = panel.lineup;
    let mut blocks = vec![
        Block::Heading(panel_heading(panel.id)),
        Block::Title(panel.title.to_owned()),
        Block::Text(lineup.note.to_owned()),
    ];
    let mine = claims.iter().filter(|claim| claim.panel == panel.id);
    let mine = mine.map(|claim| {
        let verdict = claim.verdict.show().to_owned();
        vec![claim.published.to_owned(), verdict, claim.measured.clone()]
    });
    let mine: Vec<Vec<String>> = mine.collect();
    if !mine.is_empty() {
        let head = ["published", "here", "measured"];
        blocks.push(Block::Table(Table::new(3, head, mine)));
    }
    let picture = |&measure: &Measure| {
        let svg = plot::svg(rows, panel, values, measure, contents.time_limit)?;
        Ok::<_, String>(svg.map(|svg| {
            Block::Picture(Picture {
                file: picture_name(panel, measure),
                alt: alt(panel, measure),
                svg,
            })
        }))
    };
    for measure in lineup.main {
        blocks.extend(picture(measure)?);
        blocks.push(Block::Table(by_algorithm(rows, panel, values, *measure)));
    }
    blocks.extend(growth(rows, panel, values));
    blocks.push(Block::Details(
        "All measures".to_owned(),
        vec![Block::Table(all_measures(rows, panel, values))],
    ));
    let rest = lineup.measures.iter();
    let rest = rest.filter(|measure| !lineup.main.contains(measure));
    let rest: Vec<Option<Block>> = rest.map(picture).collect::<Result<_, _>>()?;
    let rest: Vec<Block> = rest.into_iter().flatten().collect();
    if !rest.is_empty() {
        blocks.push(Block::Details("More plots".to_owned(), rest));
    }
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
    let head = [first].into_iter().chain(measures);
    (!lines.is_empty()).then(|| Block::Table(Table::new(1, head, lines)))
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
    let words = usize::from(!panel.kinds.is_empty());
    Table::new(words, head.chain(last), values.iter().map(line))
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
    Table::new(2, head, lines)
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
