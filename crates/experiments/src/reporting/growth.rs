//! How cost grows along a panel: the factor for one step of the parameter, fitted to the points
//! where all runs ended.

use crate::panels::panel::Panel;
use crate::panels::quantity::Measure;
use crate::panels::row::Row;
use crate::reporting::summary::Runs;

/// A fitted factor, and the points that it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Growth {
    /// For one step of the parameter.
    pub(crate) factor: f64,
    /// The first and the last value of the parameter.
    pub(crate) points: (u32, u32),
}

impl Growth {
    /// The factor of the exponential that fits the means of a measure best, by least squares of
    /// their logarithms. `None` with fewer than three points.
    pub(crate) fn of(
        rows: &[Row],
        panel: &Panel,
        values: &[u32],
        algorithm: &str,
        measure: Measure,
    ) -> Option<Self> {
        let point = |&value: &u32| {
            let runs = Runs::of(rows, panel.id, value, algorithm);
            let statistic = runs.statistic(measure)?;
            let is_whole = !statistic.at_least && statistic.mean > 0.0;
            let informs = panel.perfect_information != Some(value);
            (is_whole && informs).then(|| (value, statistic.mean.ln()))
        };
        let points: Vec<(u32, f64)> = values.iter().filter_map(point).collect();
        let [first, _, .., last] = &points[..] else {
            return None;
        };
        let count = points.len() as f64;
        let x = points.iter().map(|point| f64::from(point.0)).sum::<f64>() / count;
        let y = points.iter().map(|point| point.1).sum::<f64>() / count;
        let slope = |of: fn(f64, f64) -> f64| -> f64 {
            let terms = points.iter();
            terms
                .map(|point| of(f64::from(point.0) - x, point.1 - y))
                .sum()
        };
        let slope = slope(|x, y| x * y) / slope(|x, _| x * x);
        Some(Self {
            factor: slope.exp(),
            points: (first.0, last.0),
        })
    }

    /// For people.
    pub(crate) fn show(self) -> String {
        let (first, last) = self.points;
        format!("{:.2} ({first} to {last})", self.factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panels::panel::PANELS;
    use crate::tests::row;

    #[test]
    fn an_exponential_is_found_and_stopped_points_are_left_out() {
        let panel = &PANELS[0];
        let at = |value: u32, seconds: f64, stop| Row {
            panel: panel.id.to_owned(),
            value,
            ..row("minimax", Some(seconds), stop)
        };
        let rows = [
            at(2, 3.0, None),
            at(3, 6.0, None),
            at(4, 12.0, None),
            at(5, 13.0, Some("time")),
        ];
        let growth = |values| Growth::of(&rows, panel, values, "minimax", Measure::Seconds);
        let found = growth(&[2, 3, 4, 5]).expect("three points");
        assert!((found.factor - 2.0).abs() < 1e-9, "{found:?}");
        assert_eq!(found.show(), "2.00 (2 to 4)");
        assert_eq!(growth(&[2, 3, 5]), None);
    }
}
