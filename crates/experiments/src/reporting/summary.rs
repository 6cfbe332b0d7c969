//! Means, spreads and comparisons over the seeds of a point, and whether they are only lower
//! bounds.

use std::collections::BTreeSet;

use crate::panels::lineup::Lineup;
use crate::panels::quantity::{Measure, with_separators};
use crate::panels::row::Row;

/// A measure over the seeds of one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Statistic {
    pub(crate) mean: f64,
    /// Standard deviation of the sample; 0 for a single run.
    pub(crate) deviation: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// Whether some run was stopped: the true mean is larger.
    pub(crate) at_least: bool,
}

/// The runs of one algorithm at one point.
#[derive(Clone, Debug)]
pub(crate) struct Runs<'a>(pub(crate) Vec<&'a Row>);

impl<'a> Runs<'a> {
    /// The runs of an algorithm at one value of a panel.
    pub(crate) fn of(rows: &'a [Row], panel: &str, value: u32, algorithm: &str) -> Self {
        let mine =
            |row: &&Row| (&*row.panel, row.value, &*row.algorithm) == (panel, value, algorithm);
        Self(rows.iter().filter(mine).collect())
    }

    pub(crate) fn ended(&self) -> usize {
        self.0.iter().filter(|row| row.ended()).count()
    }

    /// Runs that were begun and stopped.
    pub(crate) fn stopped(&self) -> usize {
        let stopped = |row: &&&Row| !row.ended() && !row.skipped();
        self.0.iter().filter(stopped).count()
    }

    /// There are runs, and none was begun.
    pub(crate) fn skipped(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|row| row.skipped())
    }

    /// The statistic of a measure, if it is known of every run.
    pub(crate) fn statistic(&self, measure: Measure) -> Option<Statistic> {
        let values: Option<Vec<f64>> = self.0.iter().map(|row| measure.of(row)).collect();
        let values = values.filter(|values| !values.is_empty())?;
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Statistic {
            mean,
            deviation: (squares / (count - 1.0).max(1.0)).sqrt(),
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            most: values.iter().copied().fold(0.0, f64::max),
            at_least: self.stopped() > 0,
        })
    }
}

/// Where a figure lies: one number if the runs came to their end, from a number upwards if they
/// were stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Range {
    /// The mean of an algorithm at a point. A skipped point counts as at least what the algorithm
    /// took at the last point before it, which is easier: that is why it was skipped. `None` if
    /// nothing was run or skipped there.
    pub(crate) fn of(
        rows: &[Row],
        panel: &str,
        value: u32,
        algorithm: &str,
        measure: Measure,
    ) -> Option<Self> {
        let runs = Runs::of(rows, panel, value, algorithm);
        if runs.skipped() {
            let easier = rows
                .iter()
                .filter(|row| row.panel == panel && row.value < value);
            let easier: BTreeSet<u32> = easier.map(|row| row.value).collect();
            let begun = easier
                .into_iter()
                .rev()
                .find_map(|easier| Runs::of(rows, panel, easier, algorithm).statistic(measure));
            return Some(Self {
                low: begun.map_or(0.0, |statistic| statistic.mean),
                high: f64::INFINITY,
            });
        }
        let statistic = runs.statistic(measure)?;
        Some(Self {
            low: statistic.mean,
            high: if statistic.at_least {
                f64::INFINITY
            } else {
                statistic.mean
            },
        })
    }

    /// The least mean of several algorithms at a point; `None` if one of them has none.
    pub(crate) fn least(
        rows: &[Row],
        panel: &str,
        value: u32,
        algorithms: &[&str],
        measure: Measure,
    ) -> Option<Self> {
        let ranges = algorithms
            .iter()
            .map(|id| Self::of(rows, panel, value, id, measure));
        ranges
            .collect::<Option<Vec<Self>>>()?
            .into_iter()
            .reduce(|a, b| Self {
                low: a.low.min(b.low),
                high: a.high.min(b.high),
            })
    }

    /// The ratio to `other`; `None` if nothing is known of it.
    pub(crate) fn over(self, other: Self) -> Option<Self> {
        let ratio = Self {
            low: self.low / other.high,
            high: self.high / other.low,
        };
        let known = ratio.low > 0.0 || ratio.high < f64::INFINITY;
        (known && !ratio.low.is_nan() && !ratio.high.is_nan()).then_some(ratio)
    }

    /// How an algorithm compares with the yardstick of a line-up at a point.
    pub(crate) fn to_yardstick(
        rows: &[Row],
        (panel, lineup): (&str, &Lineup),
        value: u32,
        algorithm: &str,
        measure: Measure,
    ) -> Option<Self> {
        let mine = Self::of(rows, panel, value, algorithm, measure)?;
        mine.over(Self::least(rows, panel, value, lineup.yardstick, measure)?)
    }

    /// Returns whether it is at least `bound`, if known.
    pub(crate) fn reaches(self, bound: f64) -> Option<bool> {
        if self.low >= bound {
            Some(true)
        } else if self.high < bound {
            Some(false)
        } else {
            None
        }
    }

    /// A ratio for people.
    pub(crate) fn show(self) -> String {
        let number = |ratio: f64| match ratio {
            small if small < 0.095 => format!("{small:.3}"),
            medium if medium < 9.95 => format!("{medium:.2}"),
            large => with_separators(large),
        };
        if self.low >= self.high {
            number(self.low)
        } else if self.high.is_infinite() {
            format!("> {}", number(self.low))
        } else if self.low <= 0.0 {
            format!("< {}", number(self.high))
        } else {
            format!("{} to {}", number(self.low), number(self.high))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panels::lineup::{CACHES, PUBLISHED};
    use crate::tests::row;

    #[test]
    fn ratios_for_people() {
        let show = |low, high| Range { low, high }.show();
        assert_eq!(show(0.5, 0.5), "0.50");
        assert_eq!(show(0.0, 0.0123), "< 0.012");
        assert_eq!(show(1234.0, f64::INFINITY), "> 1,234");
        assert_eq!(show(1.0, 12.0), "1.00 to 12");
    }

    #[test]
    fn means_and_spreads() {
        let rows = [1.0, 2.0, 3.0].map(|seconds| row("alpha-beta", Some(seconds), None));
        let runs = Runs::of(&rows, "p", 1, "alpha-beta");
        let statistic = runs.statistic(Measure::Seconds).expect("three runs");
        assert!((statistic.mean - 2.0).abs() < 1e-12);
        assert!((statistic.deviation - 1.0).abs() < 1e-12);
        assert!((statistic.least, statistic.most) == (1.0, 3.0) && !statistic.at_least);
        assert_eq!(runs.statistic(Measure::Nodes), None);
    }

    #[test]
    fn comparisons_say_what_is_sure() {
        let at = |value, id, seconds, stop| Row {
            panel: "4-top".to_owned(),
            value,
            ..row(id, seconds, stop)
        };
        let rows = [
            at(3, PUBLISHED[0], Some(4.0), None),
            at(3, PUBLISHED[1], Some(9.0), Some("time")),
            at(3, PUBLISHED[2], Some(2.0), None),
            at(3, PUBLISHED[3], Some(9.0), None),
            at(3, "alpha-beta-duo", Some(1.0), None),
            at(4, PUBLISHED[0], Some(4.0), Some("time")),
            at(4, PUBLISHED[1], None, Some("skipped")),
            at(4, PUBLISHED[2], Some(5.0), None),
            at(4, PUBLISHED[3], Some(9.0), None),
            at(4, "alpha-beta-duo", Some(20.0), Some("time")),
        ];
        let panel = ("4-top", &CACHES);
        let ratio = |value, id| Range::to_yardstick(&rows, panel, value, id, Measure::Seconds);
        let shown = |value, id| ratio(value, id).map(Range::show);
        assert_eq!(shown(3, "alpha-beta-duo").as_deref(), Some("0.50"));
        assert_eq!(shown(3, PUBLISHED[1]).as_deref(), Some("> 4.50"));
        // The best at 4 lies between 4 and 5; what was skipped is at least as slow as where it was
        // stopped.
        assert_eq!(shown(4, PUBLISHED[2]).as_deref(), Some("1.00 to 1.25"));
        assert_eq!(shown(4, PUBLISHED[1]).as_deref(), Some("> 1.80"));
        assert_eq!(shown(4, "alpha-beta-duo").as_deref(), Some("> 4.00"));
        assert_eq!(shown(5, PUBLISHED[2]), None);
        let stopped = Range {
            low: 1.0,
            high: f64::INFINITY,
        };
        assert_eq!(
            (stopped.reaches(1.0), stopped.reaches(2.0)),
            (Some(true), None)
        );
        assert_eq!(
            Range {
                low: 0.0,
                high: 1.5
            }
            .reaches(2.0),
            Some(false)
        );
        assert_eq!(stopped.over(stopped), None);
    }
}
