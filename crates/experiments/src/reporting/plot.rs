//! One plot: a measure of a panel, a line for each algorithm.
//!
//! Lines go through the means of points where every run came to its end; whiskers show the least
//! and the most. A point with stopped runs is hollow and on no line, for its mean is only a lower
//! bound. A point that was skipped is a cross at the upper edge. Where the parameter is a kind
//! rather than a number there are no lines, since nothing lies between two kinds.

use meetjoin_report::picture::{with_colours, wrapped};
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::panels::panel::Panel;
use crate::panels::quantity::Measure;
use crate::panels::row::Row;
use crate::reporting::summary::Runs;

/// How many algorithms can be told apart.
pub(crate) const MOST: usize = 6;

/// Colours that differ for the colour-blind too (Okabe and Ito), by place in the line-up.
const COLOURS: [RGBColor; MOST] = [
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(86, 180, 233),
    RGBColor(204, 60, 30),
    RGBColor(40, 40, 40),
    RGBColor(204, 121, 167),
];

/// The colour of each line in a style, with a sign of the shape of its marks, for text.
pub(crate) const MARKS: [(&str, char); MOST] = [
    ("#e69f00", '■'),
    ("#009e73", '◆'),
    ("#56b4e9", '▲'),
    ("#cc3c1e", '▼'),
    ("var(--ink)", '●'),
    ("#cc79a7", '⧗'),
];

/// How large a plot and what is in it are, in pixels.
struct Look {
    width: u32,
    /// Its height without title and legend.
    height: u32,
    /// The height of letters along axes.
    letters: i32,
    /// Left of the plot and below it.
    labels: (u32, u32),
    y_labels: usize,
    mark: i32,
    margin: u32,
    /// Whether it has a title, a label of the vertical axis, and a legend.
    has_words: bool,
}

const LARGE: Look = Look {
    width: 480,
    height: 340,
    letters: 16,
    labels: (84, 46),
    y_labels: 8,
    mark: 5,
    margin: 8,
    has_words: true,
};

/// The look of a plot with words along the horizontal axis.
const WIDE: Look = Look {
    width: 600,
    height: 380,
    ..LARGE
};

/// One of many, with a caption beside it.
const SMALL: Look = Look {
    width: 270,
    height: 180,
    letters: 12,
    labels: (50, 32),
    y_labels: 4,
    mark: 3,
    margin: 4,
    has_words: false,
};

/// Letters of a line of a title.
const TITLE: f64 = 68.0;
/// From line to line of titles, names and notes.
const LINES: [u32; 3] = [20, 23, 19];
/// Letters of a name for which two columns have room.
const HALF: usize = 24;

/// An area that is drawn on by pixels.
type Pixels<'b> = DrawingArea<SVGBackend<'b>, Shift>;

type Failed = Box<dyn std::error::Error>;

/// One algorithm's points: value, least, mean, most, whether the mean is only a lower bound.
type Points = Vec<(f64, f64, f64, f64, bool)>;

/// The plot as SVG; `None` if nothing is above zero. `limit` is the time limit in seconds.
pub(crate) fn svg(
    rows: &[Row],
    panel: &Panel,
    values: &[u32],
    measure: Measure,
    limit: f64,
) -> Result<Option<String>, String> {
    let look = if panel.kinds.is_empty() {
        &LARGE
    } else {
        &WIDE
    };
    looking(look, rows, (panel, values), measure, limit)
}

/// A small plot, for a grid of many.
pub(crate) fn small(
    rows: &[Row],
    panel: &Panel,
    values: &[u32],
    measure: Measure,
    limit: f64,
) -> Result<Option<String>, String> {
    looking(&SMALL, rows, (panel, values), measure, limit)
}

fn looking(
    look: &'static Look,
    rows: &[Row],
    (panel, values): (&Panel, &[u32]),
    measure: Measure,
    limit: f64,
) -> Result<Option<String>, String> {
    let mut series: Vec<Points> = Vec::new();
    let mut skipped: Vec<Vec<f64>> = Vec::new();
    for (algorithm, _) in panel.lineup.algorithms {
        let (mut points, mut crosses) = (Points::new(), Vec::new());
        for &value in values {
            let runs = Runs::of(rows, panel.id, value, algorithm);
            let x = f64::from(value);
            match runs.statistic(measure).filter(|s| s.mean > 0.0) {
                Some(s) => points.push((x, s.least, s.mean, s.most, s.at_least)),
                None if !runs.0.is_empty() && runs.skipped() => crosses.push(x),
                None => {}
            }
        }
        series.push(points);
        skipped.push(crosses);
    }
    let all = series.iter().flatten();
    let low = all
        .clone()
        .map(|p| if p.1 > 0.0 { p.1 } else { p.2 })
        .fold(f64::INFINITY, f64::min);
    let high = all.map(|p| p.3).fold(0.0, f64::max);
    if high <= 0.0 {
        return Ok(None);
    }
    let mut text = String::new();
    let chart = Chart {
        look,
        panel,
        values,
        measure,
        limit,
        // Room for crosses at the upper edge, and at least a decade in all.
        range: low / 1.5..(high * 2.5).max(low * 10.0),
    };
    draw(&mut text, &chart, &series, &skipped).map_err(|error| format!("plot: {error}"))?;
    Ok(Some(with_colours(&text)))
}

struct Chart<'a> {
    look: &'static Look,
    panel: &'a Panel,
    values: &'a [u32],
    measure: Measure,
    limit: f64,
    range: std::ops::Range<f64>,
}

fn draw(
    text: &mut String,
    chart: &Chart<'_>,
    series: &[Points],
    skipped: &[Vec<f64>],
) -> Result<(), Failed> {
    let look = chart.look;
    let stopped = series.iter().flatten().any(|p| p.4);
    let any_skipped = skipped.iter().any(|crosses| !crosses.is_empty());
    let (title, notes) = if look.has_words {
        let title = format!("{}: {}", chart.panel.id, chart.panel.title);
        (wrapped(&title, TITLE), notes(chart, stopped, any_skipped))
    } else {
        (Vec::new(), Vec::new())
    };
    let names = chart.panel.lineup.algorithms.iter().map(|(_, name)| *name);
    let columns = if names.clone().all(|name| name.chars().count() <= HALF) {
        2
    } else {
        1
    };
    let rows = if look.has_words {
        names.len().div_ceil(columns)
    } else {
        0
    };
    let [of_title, of_names, of_notes] =
        [title.len(), rows, notes.len()].map(|lines| u32::try_from(lines).unwrap_or(0));
    let above = LINES[0] * of_title;
    let below = LINES[1] * of_names + LINES[2] * of_notes;
    let size = (look.width, above + look.height + below);
    let root = SVGBackend::with_string(text, size).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, rest) = root.split_vertically(above);
    let (plot, legend) = rest.split_vertically(look.height);
    for (line, text) in title.iter().enumerate() {
        let at = (i32::try_from(look.margin)?, pixels(line, LINES[0]) + 4);
        head.draw(&Text::new(text.clone(), at, ("sans-serif", 17)))?;
    }
    let ends = (chart.values.first(), chart.values.last());
    let (first, last) = (ends.0.copied().unwrap_or(0), ends.1.copied().unwrap_or(1));
    // A single point needs room too.
    let step = f64::from((last - first).max(1)) / (chart.values.len().max(2) - 1) as f64;
    let x = f64::from(first) - 0.5 * step..f64::from(last) + 0.5 * step;
    let top = chart.range.end / 1.3;
    let mut context = ChartBuilder::on(&plot)
        .margin(look.margin)
        .x_label_area_size(look.labels.1)
        .y_label_area_size(look.labels.0)
        .build_cartesian_2d(x.clone(), chart.range.clone().log_scale())?;
    let measure = chart.measure;
    context
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(RGBColor(238, 238, 238))
        .bold_line_style(RGBColor(215, 215, 215))
        .x_labels((last - first + 2) as usize)
        .x_label_formatter(&|x| {
            let mut values = chart.values.iter();
            let value = values.find(|&&value| (x - f64::from(value)).abs() < 1e-6);
            match value {
                Some(&value) if !chart.panel.kinds.is_empty() => chart.panel.short_label(value),
                _ if (x - x.round()).abs() < 1e-6 => format!("{x:.0}"),
                _ => String::new(),
            }
        })
        .y_labels(look.y_labels)
        .y_label_formatter(&|y| short(measure, *y))
        .x_desc(chart.panel.parameter)
        .y_desc(if look.has_words { measure.title() } else { "" })
        .axis_desc_style(("sans-serif", look.letters + 1))
        .label_style(("sans-serif", look.letters))
        .draw()?;
    if measure == Measure::Seconds && chart.range.contains(&chart.limit) {
        let style = RGBColor(150, 150, 150).stroke_width(1);
        let line = [(x.start, chart.limit), (x.end, chart.limit)];
        context.draw_series(DashedLineSeries::new(line, 5, 4, style))?;
    }
    let kinds = !chart.panel.kinds.is_empty();
    for (place, points) in series.iter().enumerate() {
        let colour = COLOURS[place];
        // Moved apart a little, so that whiskers do not hide each other.
        let middle = (series.len() - 1) as f64 / 2.0;
        let apart = if kinds { 0.1 } else { 0.05 };
        let aside = (place as f64 - middle) * apart * step;
        for run in ended_runs(points, chart.values) {
            if kinds {
                break;
            }
            let line = run.into_iter().map(|(x, mean)| (x + aside, mean));
            context.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
        }
        for &(x, least, mean, most, at_least) in points {
            let whisker = [(x + aside, least.max(chart.range.start)), (x + aside, most)];
            context.draw_series([PathElement::new(whisker, colour.stroke_width(1))])?;
            let pixel = context.backend_coord(&(x + aside, mean));
            if at_least {
                draw_mark(&root, (pixel, look.mark), place, WHITE.filled())?;
                draw_mark(&root, (pixel, look.mark), place, colour.stroke_width(2))?;
            } else {
                draw_mark(&root, (pixel, look.mark), place, colour.filled())?;
            }
        }
        for &x in &skipped[place] {
            let style = colour.stroke_width(2);
            context.draw_series([Cross::new((x + aside * 3.0, top), look.mark - 1, style)])?;
        }
    }
    if look.has_words {
        draw_legend(&legend, chart, columns, &notes)?;
    }
    root.present()?;
    Ok(())
}

/// The height of lines in pixels.
fn pixels(lines: usize, line: u32) -> i32 {
    i32::try_from(lines * line as usize).unwrap_or(i32::MAX)
}

/// Means of points that are neighbours among the values and came to their end: a line must not run
/// across a point that did not.
fn ended_runs(points: &Points, values: &[u32]) -> Vec<Vec<(f64, f64)>> {
    let mut runs = vec![Vec::new()];
    for &value in values {
        let x = f64::from(value);
        let ended = points.iter().find(|p| (p.0 - x).abs() < 0.5 && !p.4);
        match (ended, runs.last_mut()) {
            (Some(point), Some(run)) => run.push((x, point.2)),
            _ => runs.push(Vec::new()),
        }
    }
    runs
}

/// Draws a mark whose shape tells the algorithm, around a pixel.
fn draw_mark(
    area: &Pixels<'_>,
    (at, s): ((i32, i32), i32),
    place: usize,
    style: ShapeStyle,
) -> Result<(), Failed> {
    let corners: &[(i32, i32)] = match place {
        0 => &[(-s, -s), (s, -s), (s, s), (-s, s)],
        1 => &[(0, -s - 1), (s + 1, 0), (0, s + 1), (-s - 1, 0)],
        2 => &[(0, -s - 1), (s + 1, s), (-s - 1, s)],
        3 => &[(0, s + 1), (s + 1, -s), (-s - 1, -s)],
        4 => return Ok(area.draw(&Circle::new(at, s, style))?),
        // An hourglass.
        _ => &[(-s, -s - 1), (s, -s - 1), (-s, s + 1), (s, s + 1)],
    };
    let closed = corners.iter().chain(&corners[..1]);
    let corners: Vec<(i32, i32)> = closed.map(|(x, y)| (at.0 + x, at.1 + y)).collect();
    if style.filled {
        area.draw(&Polygon::new(corners, style))?;
    } else {
        area.draw(&PathElement::new(corners, style))?;
    }
    Ok(())
}

/// Draws the names of the algorithms, in columns, and below them the notes.
fn draw_legend(
    area: &Pixels<'_>,
    chart: &Chart<'_>,
    columns: usize,
    notes: &[(&str, &str)],
) -> Result<(), Failed> {
    let font = ("sans-serif", chart.look.letters + 1).into_font();
    let width = i32::try_from(chart.look.width / 2)?;
    let names = chart.panel.lineup.algorithms.iter();
    for (place, (_, name)) in names.clone().enumerate() {
        let colour = COLOURS[place];
        let x = i32::try_from(place % columns)? * width + 10;
        let y = pixels(place / columns, LINES[1]) + 12;
        if chart.panel.kinds.is_empty() {
            let line = [(x + 4, y), (x + 32, y)];
            area.draw(&PathElement::new(line, colour.stroke_width(2)))?;
        }
        draw_mark(area, ((x + 18, y), chart.look.mark), place, colour.filled())?;
        let at = (x + 42, y - 7);
        area.draw(&Text::new((*name).to_owned(), at, font.clone()))?;
    }
    let grey = RGBColor(110, 110, 110);
    let small = ("sans-serif", chart.look.letters - 1)
        .into_font()
        .color(&grey);
    let above = pixels(names.len().div_ceil(columns), LINES[1]);
    for (place, (sign, text)) in notes.iter().enumerate() {
        let y = above + pixels(place, LINES[2]) + 4;
        for (x, text) in [(22, *sign), (52, *text)] {
            area.draw(&Text::new(text.to_owned(), (x, y), small.clone()))?;
        }
    }
    Ok(())
}

/// Other signs in the plot, and their meaning.
fn notes(chart: &Chart<'_>, stopped: bool, skipped: bool) -> Vec<(&'static str, &'static str)> {
    let mut notes = vec![("|", "from the least to the most of the seeds")];
    if chart.measure == Measure::Seconds && chart.range.contains(&chart.limit) {
        notes.push(("- -", "the time limit"));
    }
    if stopped {
        let text = "hollow: runs were stopped, and the mean is a lower bound";
        notes.push(("o", text));
    }
    if skipped {
        let text = "skipped: two runs at an easier point were stopped";
        notes.push(("x", text));
    }
    notes
}

/// A figure for an axis.
fn short(measure: Measure, value: f64) -> String {
    if measure == Measure::Seconds || measure == Measure::PeakBytes {
        return measure.show(value).replace(".0 ", " ").replace(".00 ", " ");
    }
    match value {
        v if v >= 0.999e9 => format!("{} G", round(v / 1e9)),
        v if v >= 0.999e6 => format!("{} M", round(v / 1e6)),
        v if v >= 0.999e3 => format!("{} k", round(v / 1e3)),
        v => round(v),
    }
}

/// At most two decimals, without trailing zeros.
fn round(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
