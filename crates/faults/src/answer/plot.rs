//! Plots: a line or bars over an axis with round marks, in the frame of all pictures.

use std::fmt::Write as _;

use meetjoin_report::page::{MARK, RULE, SOFT, escape};
use meetjoin_report::picture::Picture;

const LEFT: f64 = 62.0;
const RIGHT: f64 = 18.0;
const ABOVE: f64 = 10.0;
const BELOW: f64 = 44.0;

/// The title, axis and size of a plot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    /// Its title, which stands above it.
    pub title: &'a str,
    /// The label of the horizontal axis.
    pub across: &'a str,
    /// How wide and how high it is, with its axes.
    pub size: (f64, f64),
}

/// The lowest and the highest number of an axis, and where they stand.
#[derive(Clone, Copy)]
struct Axis {
    numbers: [f64; 2],
    places: [f64; 2],
}

impl Axis {
    fn place(&self, number: f64) -> f64 {
        let ([from, to], [first, last]) = (self.numbers, self.places);
        let part = if to > from {
            (number - from) / (to - from)
        } else {
            // One number alone stands in the middle.
            0.5
        };
        first + (last - first) * part
    }

    /// Round numbers, at most `most` + 1, with their labels.
    fn marks(&self, most: u32) -> Vec<(f64, String)> {
        let [from, to] = self.numbers;
        let span = to - from;
        if !(span > 0.0 && span.is_finite()) {
            return vec![(from, format!("{from:.3e}"))];
        }
        let power = 10_f64.powf((span / f64::from(most)).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps
            .into_iter()
            .find(|step| span / step <= f64::from(most));
        let step = step.unwrap_or(span);
        let first = (from / step - 1e-9).ceil();
        (0..=most)
            .map(|place| (first + f64::from(place)) * step)
            .filter(|mark| *mark <= to + span * 1e-9)
            .map(|mark| (mark, label(mark, step, to)))
            .collect()
    }
}

/// A mark with as many digits as its neighbours differ in, written as its axis has it.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some digits
fn label(mark: f64, step: f64, to: f64) -> String {
    if mark.abs() < step * 1e-6 {
        return "0".to_owned();
    }
    if (1e-2..1e6).contains(&to) {
        let decimals = (-step.log10().floor() + 0.0).clamp(0.0, 12.0) as usize;
        return format!("{mark:.decimals$}");
    }
    let digits = (mark.log10().floor() - step.log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{mark:.digits$e}")
}

/// A line through points, the first coordinate of which does not fall. Where there are more points
/// than places for them, the highest and the lowest at each place are drawn.
pub(super) fn line(frame: Frame<'_>, points: &[[f64; 2]]) -> String {
    let greatest = |of: usize| points.iter().map(|point| point[of]).fold(0.0, f64::max);
    let (x, y) = axes(frame, [0.0, greatest(0)], greatest(1));
    let shown = thinned(points, 2.0 * frame.size.0, greatest(0));
    let shown = shown.iter().map(|&[time, p]| {
        let (x, y) = (x.place(time), y.place(p));
        format!("{x:.2},{y:.2}")
    });
    let shown: Vec<String> = shown.collect();
    let line = format!(
        "<polyline fill=\"none\" stroke=\"{MARK}\" stroke-width=\"2\" points=\"{}\"/>\n",
        shown.join(" ")
    );
    drawn(frame, (x, y), &line)
}

/// Bars: from, to, and how high.
pub(super) fn bars(frame: Frame<'_>, bars: &[[f64; 3]]) -> String {
    let from = bars.first().map_or(0.0, |bar| bar[0]);
    let to = bars.last().map_or(0.0, |bar| bar[1]);
    let highest = bars.iter().map(|bar| bar[2]).fold(0.0, f64::max);
    let (x, y) = axes(frame, [from, to], highest);
    let mut all = String::new();
    for &[from, to, high] in bars {
        let (left, right, top) = (x.place(from), x.place(to), y.place(high));
        // Writing to a string cannot fail.
        let _ = writeln!(
            all,
            "<rect class=\"bin\" fill=\"{MARK}\" x=\"{left:.2}\" y=\"{top:.2}\" \
             width=\"{:.2}\" height=\"{:.2}\"/>",
            (right - left - 1.0).max(2.0),
            y.places[0] - top
        );
    }
    drawn(frame, (x, y), &all)
}

fn axes(frame: Frame<'_>, across: [f64; 2], highest: f64) -> (Axis, Axis) {
    let (width, height) = frame.size;
    let x = Axis {
        numbers: across,
        places: [LEFT, width - RIGHT],
    };
    let y = Axis {
        numbers: [0.0, if highest > 0.0 { highest } else { 1.0 }],
        places: [height - BELOW, ABOVE],
    };
    (x, y)
}

/// Thins points to the first, last, highest and lowest at each horizontal place.
fn thinned(points: &[[f64; 2]], places: f64, end: f64) -> Vec<[f64; 2]> {
    if points.len() as f64 <= 4.0 * places {
        return points.to_vec();
    }
    let place = |time: f64| (time / end * places).floor();
    let together = points.chunk_by(|a, b| place(a[0]).total_cmp(&place(b[0])).is_eq());
    let mut shown = Vec::new();
    for part in together {
        let by_height = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        let ends = [part.first(), part.last()];
        let extremes = [part.iter().min_by(by_height), part.iter().max_by(by_height)];
        let mut few: Vec<[f64; 2]> = ends
            .into_iter()
            .chain(extremes)
            .flatten()
            .copied()
            .collect();
        few.sort_by(|a, b| a[0].total_cmp(&b[0]));
        few.dedup();
        shown.extend(few);
    }
    shown
}

fn drawn(frame: Frame<'_>, (x, y): (Axis, Axis), content: &str) -> String {
    let (width, height) = frame.size;
    let ([left, right], [base, top]) = (x.places, y.places);
    let mut drawing = format!(
        "<rect fill=\"{SOFT}\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/>\n",
        right - left,
        base - top
    );
    for (mark, label) in x.marks(if width < 500.0 { 5 } else { 9 }) {
        let place = x.place(mark);
        let _ = writeln!(
            drawing,
            "<line stroke=\"{RULE}\" x1=\"{place:.2}\" y1=\"{top}\" x2=\"{place:.2}\" \
             y2=\"{base}\"/><text x=\"{place:.2}\" y=\"{}\">{label}</text>",
            base + 14.0
        );
    }
    for (mark, label) in y.marks(5) {
        let place = y.place(mark);
        let _ = writeln!(
            drawing,
            "<line stroke=\"{RULE}\" x1=\"{left}\" y1=\"{place:.2}\" x2=\"{right}\" \
             y2=\"{place:.2}\"/><text text-anchor=\"end\" x=\"{}\" y=\"{place:.2}\">{label}</text>",
            left - 6.0
        );
    }
    let _ = writeln!(
        drawing,
        "{content}<text x=\"{:.2}\" y=\"{:.2}\">{}</text>",
        f64::midpoint(left, right),
        height - 10.0,
        escape(frame.across)
    );
    Picture {
        title: frame.title.to_owned(),
        size: (width, height),
        drawing,
        above: vec![frame.title.to_owned()],
        ..Picture::default()
    }
    .svg()
}
