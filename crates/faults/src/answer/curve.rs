//! P(top) over time: a table, lines of CSV, and a picture.

use std::fmt::Write as _;

use meetjoin_lattice::{Budget, Stop};

use super::plot::{self, Frame};
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
    let pass = match analysis.pass(times.len().div_ceil(LANES) as u64, budget) {
        Ok(pass) => pass,
        Err(stop) => return Ok(Err(stop)),
    };
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
        let top = pass.probability(|event| events[places[&event]], &mut room);
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

/// A drawing of the curve as SVG.
pub fn picture(points: &[[f64; 2]]) -> String {
    drawing(points, (640.0, 320.0))
}

/// [`picture`] with a width and a height.
pub(super) fn drawing(points: &[[f64; 2]], size: (f64, f64)) -> String {
    let frame = Frame {
        title: "P(top) over time",
        across: "hours",
        size,
    };
    plot::line(frame, points)
}
