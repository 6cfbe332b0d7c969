//! Means, spreads and ratios over the seeds of a point.

use super::panel::PUBLISHED;
use super::row::Row;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Seconds,
    Visits,
    Nodes,
    Probes,
    Leaves,
    PeakBytes,
}

impl Measure {
    pub(crate) const ALL: [Self; 6] = [
        Self::Seconds,
        Self::Visits,
        Self::Nodes,
        Self::Probes,
        Self::Leaves,
        Self::PeakBytes,
    ];

    /// The name of files.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Visits => "visits",
            Self::Nodes => "nodes",
            Self::Probes => "probes",
            Self::Leaves => "leaves",
            Self::PeakBytes => "memory",
        }
    }

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Seconds => "Time",
            Self::Visits => "Visits",
            Self::Nodes => "Nodes visited at least once",
            Self::Probes => "Probes",
            Self::Leaves => "Leaves evaluated",
            Self::PeakBytes => "Peak memory",
        }
    }

    fn of(self, row: &Row) -> Option<f64> {
        let count = match self {
            Self::Seconds => return row.seconds,
            Self::Visits => row.visits,
            Self::Nodes => row.nodes,
            Self::Probes => row.probes,
            Self::Leaves => row.leaves,
            Self::PeakBytes => row.peak_bytes,
        };
        count.map(|count| count as f64)
    }

    /// A figure for people.
    pub(crate) fn show(self, value: f64) -> String {
        match self {
            Self::Seconds if value < 1e-3 => format!("{:.0} µs", value * 1e6),
            Self::Seconds if value < 0.1 => format!("{:.1} ms", value * 1e3),
            Self::Seconds if value < 1.0 => format!("{:.0} ms", value * 1e3),
            Self::Seconds => format!("{value:.2} s"),
            Self::PeakBytes if value < 1e6 => format!("{:.1} kB", value / 1e3),
            Self::PeakBytes if value < 1e9 => format!("{:.1} MB", value / 1e6),
            Self::PeakBytes => format!("{:.2} GB", value / 1e9),
            _ => with_separators(value),
        }
    }
}

/// A whole number with a comma between thousands.
fn with_separators(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A measure over the seeds of one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Statistic {
    pub(crate) mean: f64,
    /// Standard deviation of the sample; 0 for a single run.
    pub(crate) deviation: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// Some run was stopped: the mean would have been larger.
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

    /// No run was begun.
    pub(crate) fn skipped(&self) -> bool {
        self.0.iter().all(|row| row.skipped())
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

/// How a mean compares with the best of the published algorithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ratio {
    Exactly(f64),
    /// The algorithm itself was stopped.
    AtLeast(f64),
    /// The best published mean is one of stopped runs.
    AtMost(f64),
}

impl Ratio {
    /// The mean of an algorithm over the least mean of the published algorithms at the same point. `None` if both are of stopped runs, or unknown.
    pub(crate) fn to_best_published(
        rows: &[Row],
        panel: &str,
        value: u32,
        algorithm: &str,
        measure: Measure,
    ) -> Option<Self> {
        let statistic = |id| Runs::of(rows, panel, value, id).statistic(measure);
        let mine = statistic(algorithm)?;
        let published = PUBLISHED.iter().filter_map(|id| statistic(id));
        let best = published.min_by(|a, b| a.mean.total_cmp(&b.mean))?;
        let ratio = mine.mean / best.mean;
        match (mine.at_least, best.at_least) {
            _ if !ratio.is_finite() => None,
            (false, false) => Some(Self::Exactly(ratio)),
            (true, false) => Some(Self::AtLeast(ratio)),
            (false, true) => Some(Self::AtMost(ratio)),
            (true, true) => None,
        }
    }

    pub(crate) fn show(self) -> String {
        let (sign, ratio) = match self {
            Self::Exactly(ratio) => ("", ratio),
            Self::AtLeast(ratio) => ("> ", ratio),
            Self::AtMost(ratio) => ("< ", ratio),
        };
        if ratio < 0.095 {
            format!("{sign}{ratio:.3}")
        } else if ratio < 9.95 {
            format!("{sign}{ratio:.2}")
        } else {
            format!("{sign}{}", with_separators(ratio))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tests::row;

    #[test]
    fn figures_for_people() {
        assert_eq!(with_separators(0.0), "0");
        assert_eq!(with_separators(1_234_567.2), "1,234,567");
        assert_eq!(with_separators(999.9), "1,000");
        assert_eq!(Measure::Seconds.show(0.0042), "4.2 ms");
        assert_eq!(Measure::PeakBytes.show(1.5e8), "150.0 MB");
        assert_eq!(Ratio::AtMost(0.0123).show(), "< 0.012");
        assert_eq!(Ratio::AtLeast(1234.0).show(), "> 1,234");
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
    fn ratios_say_which_side_they_are_on() {
        let ratio = |rows: &[Row], id| Ratio::to_best_published(rows, "p", 1, id, Measure::Seconds);
        let ended = [
            row("alpha-beta", Some(4.0), None),
            row("minimax-cached", Some(2.0), None),
            row("alpha-beta-duo", Some(1.0), None),
        ];
        assert_eq!(ratio(&ended, "alpha-beta-duo"), Some(Ratio::Exactly(0.5)));
        assert_eq!(ratio(&ended, "alpha-beta"), Some(Ratio::Exactly(2.0)));
        let stopped = [
            row("alpha-beta", Some(2.0), Some("time")),
            row("minimax-cached", None, Some("skipped")),
            row("alpha-beta-duo", Some(1.0), None),
        ];
        assert_eq!(ratio(&stopped, "alpha-beta-duo"), Some(Ratio::AtMost(0.5)));
        assert_eq!(ratio(&stopped, "alpha-beta"), None);
        assert_eq!(ratio(&stopped, "minimax-cached"), None);
        let slow = [
            row("alpha-beta", Some(2.0), None),
            row("alpha-beta-duo", Some(8.0), Some("time")),
        ];
        assert_eq!(ratio(&slow, "alpha-beta-duo"), Some(Ratio::AtLeast(4.0)));
    }
}
