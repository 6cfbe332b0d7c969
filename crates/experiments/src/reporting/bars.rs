//! The picture of a survey whose columns begin with a share in percent: a group of bars for each
//! line, and a bar for each of those columns.

use meetjoin_report::picture::with_colours;
use plotters::prelude::*;

use crate::panels::survey::Answer;

/// Colours that differ for the colour-blind too (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(204, 60, 30),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(40, 40, 40),
    RGBColor(204, 121, 167),
];

/// In pixels: the width, that of the names of lines, the height of a bar, and the room for the axis
/// and the legend.
const WIDTH: i32 = 620;
const NAMES: i32 = 190;
const BAR: i32 = 11;
const BELOW: i32 = 64;

type Failed = Box<dyn std::error::Error>;

/// The picture as SVG; `None` for a survey without such columns.
pub(crate) fn svg(answer: &Answer) -> Result<Option<String>, String> {
    if answer.survey.bars.is_empty() || answer.lines.is_empty() {
        return Ok(None);
    }
    let mut text = String::new();
    draw(&mut text, answer).map_err(|error| format!("plot: {error}"))?;
    Ok(Some(with_colours(&text)))
}

/// The share that a cell begins with.
fn share(cell: &str) -> Option<f64> {
    cell.split_once(" %")?.0.parse().ok()
}

fn draw(text: &mut String, answer: &Answer) -> Result<(), Failed> {
    let bars = answer.survey.bars;
    // A survey has few lines and columns.
    let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX / (64 * BAR));
    let group = BAR * (number(bars.len()) + 1);
    let height = group * number(answer.lines.len());
    let size = (WIDTH.unsigned_abs(), (height + BELOW).unsigned_abs());
    let root = SVGBackend::with_string(text, size).into_drawing_area();
    root.fill(&WHITE)?;
    let shares = |line: &Vec<String>| -> Vec<f64> {
        let cells = bars.iter().map(|column| share(&line[*column]));
        cells.map(|share| share.unwrap_or(0.0)).collect()
    };
    let all: Vec<Vec<f64>> = answer.lines.iter().map(shares).collect();
    let most = all.iter().flatten().fold(0.0_f64, |a, b| a.max(*b));
    // A whole number of steps of a fifth, and never nothing.
    let most = (most / 5.0).ceil().max(1.0) * 5.0;
    let along = f64::from(WIDTH - NAMES - 60) / most;
    let x = |share: f64| NAMES + (share * along).round() as i32;
    let letters = ("sans-serif", 13).into_font();
    let grey = RGBColor(215, 215, 215);
    for step in 0..=5 {
        let share = most * f64::from(step) / 5.0;
        let line = [(x(share), 0), (x(share), height)];
        root.draw(&PathElement::new(line, grey.stroke_width(1)))?;
        let label = format!("{} %", (10.0 * share).round() / 10.0);
        let at = (x(share) - 10, height + 4);
        root.draw(&Text::new(label, at, letters.clone()))?;
    }
    for (place, (line, shares)) in answer.lines.iter().zip(&all).enumerate() {
        let top = group * number(place) + BAR / 2;
        let name = format!("{}, {}", line[0], line[1]);
        let at = (6, top + group / 2 - 14);
        root.draw(&Text::new(name, at, letters.clone()))?;
        for (bar, share) in shares.iter().enumerate() {
            let y = top + number(bar) * BAR;
            let colour = COLOURS[bar % COLOURS.len()];
            let corners = [(x(0.0), y), (x(*share), y + BAR - 2)];
            root.draw(&Rectangle::new(corners, colour.filled()))?;
        }
    }
    for (bar, column) in bars.iter().enumerate() {
        let (left, top) = (20 + 116 * number(bar), height + 38);
        let colour = COLOURS[bar % COLOURS.len()];
        let corners = [(left, top), (left + 12, top + 12)];
        root.draw(&Rectangle::new(corners, colour.filled()))?;
        let name = answer.survey.head[*column].to_owned();
        root.draw(&Text::new(name, (left + 18, top - 2), letters.clone()))?;
    }
    root.present()?;
    Ok(())
}
