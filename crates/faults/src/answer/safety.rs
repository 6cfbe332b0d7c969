//! Safety integrity levels: the part of the time that a safety function spends in each.
//!
//! Idea: the average probability of failure on demand (PFD) is that of P(top) over time, and the
//! frequency of failure in an hour (PFH) that of P(top) divided by the time. The first is computed
//! for itself. Between the points of the curve both are straight lines, for the average of the
//! second and for the time that is spent in each level.
//!
//! Source: the levels are those of IEC 61508-1 (2010), tables 2 and 3.

use serde::Serialize;

/// The upper bounds of the levels of demand, from better than level 4 to none.
const DEMAND: [f64; 6] = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0];
/// The upper bounds of the levels of failures in an hour.
const HOUR: [f64; 6] = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1.0];

/// A range of probabilities, and the part of the time in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Level {
    /// Its lower bound.
    pub from: f64,
    /// Its upper bound.
    pub to: f64,
    /// The part of the time.
    pub share: f64,
}

/// Averages and levels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sil {
    /// The average probability of failure on demand.
    pub pfd_average: f64,
    /// The average of P(top) divided by the time.
    pub pfh_average: f64,
    /// The part of the time in each level of demand (PFD).
    pub pfd: Vec<Level>,
    /// The part of the time in each level of failures in an hour (PFH).
    pub pfh: Vec<Level>,
}

/// The averages and levels of a curve, with the average of P(top) if that is known.
pub(crate) fn levels(points: &[[f64; 2]], known: Option<f64>) -> Sil {
    let by_hour: Vec<[f64; 2]> = points
        .iter()
        .map(|&[time, p]| [time, if time > 0.0 { p / time } else { 0.0 }])
        .collect();
    Sil {
        pfd_average: known.unwrap_or_else(|| average(points)),
        pfh_average: average(&by_hour),
        pfd: shares(points, &DEMAND),
        pfh: shares(&by_hour, &HOUR),
    }
}

fn span(points: &[[f64; 2]]) -> f64 {
    match points {
        [first, .., last] => last[0] - first[0],
        _ => 0.0,
    }
}

/// The average height of a line through points.
fn average(points: &[[f64; 2]]) -> f64 {
    let span = span(points);
    if span <= 0.0 {
        return points.first().map_or(0.0, |point| point[1]);
    }
    let areas = points
        .windows(2)
        .map(|pair| (pair[1][0] - pair[0][0]) * f64::midpoint(pair[0][1], pair[1][1]));
    areas.sum::<f64>() / span
}

/// The part of the way that a line through points is in each range.
fn shares(points: &[[f64; 2]], bounds: &[f64]) -> Vec<Level> {
    let span = span(points);
    let mut from = 0.0;
    let ranges = bounds.iter().map(|&to| {
        let lower = std::mem::replace(&mut from, to);
        let within = |pair: &[[f64; 2]]| {
            let (low, high) = (pair[0][1].min(pair[1][1]), pair[0][1].max(pair[1][1]));
            // Where both ends are nearly equal and a bound lies between, the part is as exact as
            // they are beside their difference; the line is a guess of the curve anyway.
            let part = if high > low {
                ((high.min(to) - low.max(lower)) / (high - low)).max(0.0)
            } else {
                // A flat line is in one range: at a bound in the lower one.
                f64::from(u8::from(
                    (low > lower && low <= to) || (low == 0.0 && lower == 0.0),
                ))
            };
            part * (pair[1][0] - pair[0][0])
        };
        let share = if span > 0.0 {
            points.windows(2).map(within).sum::<f64>() / span
        } else {
            0.0
        };
        Level {
            from: lower,
            to,
            share,
        }
    });
    ranges.collect()
}
