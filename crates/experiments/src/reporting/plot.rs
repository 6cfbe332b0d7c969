//! One plot: a measure of a panel, a line for each algorithm.
//!
//! Lines go through the means of points where every run came to its end; whiskers show the least
//! and the most. A point with stopped runs is hollow and on no line, for its mean is only a lower
//! bound. A point that was skipped is a cross at the upper edge. Where the parameter is a kind
//! rather than a number there are no lines, since nothing lies between two kinds.

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

/// The colour of each line with a sign of the shape of its marks, for text.
pub(crate) const MARKS: [((u8, u8, u8), char); MOST] = {
    let signs = ['■', '◆', '▲', '▼', '●', '⧗'];
    let mut marks = [((0, 0, 0), ' '); MOST];
    let mut place = 0;
    while place < MOST {
        let RGBColor(red, green, blue) = COLOURS[place];
        marks[place] = ((red, green, blue), signs[place]);
        place += 1;
    }
    marks
};

/// How large a plot and what is in it are, in pixels.
struct Look {
    size: (u32, u32),
    /// The height of letters along axes.
    letters: i32,
    /// Left of the plot and below it.
    labels: (u32, u32),
    y_labels: usize,
    mark: i32,
    margin: u32,
    /// Where the plot ends and the legend begins. Without a legend there is no title either, nor
    /// what the vertical axis shows.
    legend: Option<i32>,
}

const LARGE: Look = Look {
    size: (860, 460),
    letters: 14,
    labels: (78, 40),
    y_labels: 8,
    mark: 5,
    margin: 8,
    legend: Some(670),
};

/// One of many, with a caption beside it.
const SMALL: Look = Look {
    size: (270, 180),
    letters: 12,
    labels: (50, 32),
    y_labels: 4,
    mark: 3,
    margin: 4,
    legend: None,
};

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
    looking(&LARGE, rows, (panel, values), measure, limit)
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
    Ok(Some(text))
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
    let root = SVGBackend::with_string(text, look.size).into_drawing_area();
    root.fill(&WHITE)?;
    let (plot, legend) = match look.legend {
        Some(from) => {
            let title = format!("{}: {}", chart.panel.id, chart.panel.title);
            let area = root.titled(&title, ("sans-serif", 17))?;
            let (plot, legend) = area.split_horizontally(from);
            (plot, Some(legend))
        }
        None => (root.clone(), None),
    };
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
        .y_desc(if legend.is_some() {
            measure.title()
        } else {
            ""
        })
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
    let stopped = series.iter().flatten().any(|p| p.4);
    let any_skipped = skipped.iter().any(|crosses| !crosses.is_empty());
    if let Some(legend) = legend {
        draw_legend(&legend, chart, stopped, any_skipped)?;
    }
    root.present()?;
    Ok(())
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

fn draw_legend(
    area: &Pixels<'_>,
    chart: &Chart<'_>,
    stopped: bool,
    skipped: bool,
) -> Result<(), Failed> {
    let font = ("sans-serif", 14).into_font();
    let mut y = 24;
    for (place, (_, name)) in chart.panel.lineup.algorithms.iter().enumerate() {
        let colour = COLOURS[place];
        if chart.panel.kinds.is_empty() {
            area.draw(&PathElement::new([(4, y), (32, y)], colour.stroke_width(2)))?;
        }
        draw_mark(area, ((18, y), chart.look.mark), place, colour.filled())?;
        area.draw(&Text::new((*name).to_owned(), (42, y - 7), font.clone()))?;
        y += 24;
    }
    let grey = RGBColor(110, 110, 110);
    let small = ("sans-serif", 12).into_font().color(&grey);
    let mut note = |sign: &str, text: &str| -> Result<(), Failed> {
        y += 20;
        area.draw(&Text::new(sign.to_owned(), (10, y - 6), small.clone()))?;
        area.draw(&Text::new(text.to_owned(), (30, y - 6), small.clone()))?;
        Ok(())
    };
    note("|", "least to most of the seeds")?;
    if chart.measure == Measure::Seconds && chart.range.contains(&chart.limit) {
        note("- -", "time limit")?;
    }
    if stopped {
        note("o", "hollow: runs stopped,")?;
        note("", "the mean is a lower bound")?;
    }
    if skipped {
        note("x", "skipped: two runs at an")?;
        note("", "easier point were stopped")?;
    }
    Ok(())
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

/// Two digits at most after the point, and none that say nothing.
fn round(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
