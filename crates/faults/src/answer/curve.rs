//! P(top) over time: a table, lines of CSV, and a picture.

use std::fmt::Write as _;

use meetjoin_lattice::{Budget, Stop};

use crate::diagram::Analysis;
use crate::diagram::lanes::{LANES, Lanes, Room};
use crate::map::Map;
use crate::model::Model;
use crate::model::expression::Path;
use crate::model::place::FaultTreeFileError;

/// The most points of a curve.
pub const MOST_POINTS: usize = 1_000_000;

/// The times from 0 to the mission time; `None` if there are too many.
pub(crate) fn times(mission_time: f64, step: f64) -> Option<Vec<f64>> {
    let count = (mission_time / step).ceil();
    if !(step > 0.0 && count < MOST_POINTS as f64) {
        return None;
    }
    #[allow(clippy::cast_sign_loss)] // a time divided by a step above 0
    let mut times: Vec<f64> = (0..count as usize)
        .map(|place| place as f64 * step)
        .collect();
    times.push(mission_time);
    Some(times)
}

/// P(top) at some times, over the kept diagram.
pub(crate) fn curve(
    analysis: &Analysis,
    model: &Model,
    times: &[f64],
    budget: &Budget,
) -> Result<Result<Vec<[f64; 2]>, Stop>, FaultTreeFileError> {
    let variables = analysis.variables();
    let places: Map<u32, usize> = variables.iter().enumerate().map(|(p, &e)| (e, p)).collect();
    let (mut points, mut room) = (Vec::with_capacity(times.len()), Room::default());
    let mut events: Vec<Lanes> = vec![[0.0; LANES]; variables.len()];
    for together in times.chunks(LANES) {
        if let Err(stop) = budget.steps(LANES as u64) {
            return Ok(Err(stop));
        }
        for (lane, &time) in together.iter().enumerate() {
            let values = model.expressions.values(time, &Path::default());
            for (&event, lanes) in variables.iter().zip(&mut events) {
                let event = &model.events[event as usize];
                let value = event.expression.map_or(f64::NAN, |e| values[e as usize]);
                let checked = model.checked(event, value, |number| values[number as usize]);
                lanes[lane] =
                    checked.map_err(|wrong| wrong.within(&format!("at time {time}, ")))?;
            }
        }
        let top = analysis.probability_of(|event| events[places[&event]], &mut room);
        points.extend(together.iter().zip(top).map(|(&time, p)| [time, p]));
    }
    Ok(Ok(points))
}

/// Lines of CSV.
pub fn csv(points: &[[f64; 2]]) -> String {
    let mut text = String::from("time,probability\n");
    for [time, p] in points {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{time},{p:e}");
    }
    text
}

/// Marks of an axis: a round step, and its multiples up to a number.
fn marks(greatest: f64) -> Vec<f64> {
    if !(greatest > 0.0 && greatest.is_finite()) {
        return vec![0.0];
    }
    let power = 10_f64.powf((greatest / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps
        .into_iter()
        .find(|step| greatest / step <= 6.0)
        .unwrap_or(greatest);
    (0..=6)
        .map(|place| f64::from(place) * step)
        .filter(|mark| *mark <= greatest * 1.000_001)
        .collect()
}

/// A drawing of the curve as SVG.
pub fn picture(points: &[[f64; 2]]) -> String {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 320.0;
    const LEFT: f64 = 84.0;
    const RIGHT: f64 = 24.0;
    const ABOVE: f64 = 24.0;
    const BELOW: f64 = 52.0;
    let greatest = |of: usize| points.iter().map(|point| point[of]).fold(0.0, f64::max);
    let (end, top) = (greatest(0), greatest(1));
    let x = |time: f64| LEFT + (WIDTH - LEFT - RIGHT) * if end > 0.0 { time / end } else { 0.0 };
    let y =
        |p: f64| HEIGHT - BELOW - (HEIGHT - ABOVE - BELOW) * if top > 0.0 { p / top } else { 0.0 };
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif" font-size="13">
<title>P(top) over time</title>
<rect width="100%" height="100%" fill="#fff"/>
"##
    );
    let mut add = |line: String| {
        svg.push_str(&line);
        svg.push('\n');
    };
    for mark in marks(end) {
        let x = x(mark);
        add(format!(
            r##"<path d="M{x:.2} {:.2}V{:.2}" stroke="#ddd"/><text x="{x:.2}" y="{:.2}" text-anchor="middle">{mark}</text>"##,
            ABOVE,
            HEIGHT - BELOW,
            HEIGHT - BELOW + 18.0
        ));
    }
    for mark in marks(top) {
        let (y, shown) = (
            y(mark),
            if mark == 0.0 {
                "0".to_owned()
            } else {
                short(mark)
            },
        );
        add(format!(
            r##"<path d="M{LEFT} {y:.2}H{:.2}" stroke="#ddd"/><text x="{:.2}" y="{:.2}" text-anchor="end">{shown}</text>"##,
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0
        ));
    }
    let line: Vec<String> = points
        .iter()
        .map(|&[time, p]| format!("{:.2},{:.2}", x(time), y(p)))
        .collect();
    add(format!(
        r##"<polyline fill="none" stroke="#1b5e91" stroke-width="2" points="{}"/>"##,
        line.join(" ")
    ));
    add(format!(
        r#"<text x="{:.2}" y="{:.2}" text-anchor="middle">hours</text><text x="{LEFT}" y="16">P(top)</text>"#,
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - 12.0
    ));
    add("</svg>".to_owned());
    svg
}

/// A mark as people read it: a few digits.
fn short(mark: f64) -> String {
    if (1e-3..1e4).contains(&mark) {
        let text = format!("{mark:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{mark:.1e}")
    }
}
