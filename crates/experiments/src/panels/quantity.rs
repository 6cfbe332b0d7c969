//! Quantities that are measured, and their units for people.

use crate::panels::row::Row;

/// A quantity that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Seconds,
    Visits,
    /// Visits, probes and visits of searches for bounds, together.
    Effort,
    Nodes,
    Probes,
    Leaves,
    PeakBytes,
}

impl Measure {
    pub(crate) const ALL: [Self; 7] = [
        Self::Seconds,
        Self::Visits,
        Self::Effort,
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
            Self::Effort => "effort",
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
            Self::Effort => "Visits and probes",
            Self::Nodes => "Nodes visited at least once",
            Self::Probes => "Probes",
            Self::Leaves => "Leaves evaluated",
            Self::PeakBytes => "Peak memory",
        }
    }

    /// The figure of a run, if it is known.
    pub(crate) fn of(self, row: &Row) -> Option<f64> {
        let count = match self {
            Self::Seconds => return row.seconds,
            Self::Visits => row.visits,
            Self::Effort => row.effort(),
            Self::Nodes => row.nodes,
            Self::Probes => row.probes,
            Self::Leaves => row.leaves,
            Self::PeakBytes => row.peak_bytes,
        };
        count.map(|count| count as f64)
    }

    /// A figure for people.
    pub(crate) fn show(self, value: f64) -> String {
        // Switches to the next unit where rounding would reach it.
        match self {
            Self::Seconds if value < 0.9995e-3 => format!("{:.0} µs", value * 1e6),
            Self::Seconds if value < 0.09995 => format!("{:.1} ms", value * 1e3),
            Self::Seconds if value < 0.9995 => format!("{:.0} ms", value * 1e3),
            Self::Seconds => format!("{value:.2} s"),
            Self::PeakBytes if value < 0.99995e6 => format!("{:.1} kB", value / 1e3),
            Self::PeakBytes if value < 0.99995e9 => format!("{:.1} MB", value / 1e6),
            Self::PeakBytes => format!("{:.2} GB", value / 1e9),
            _ => with_separators(value),
        }
    }
}

/// A whole number with a comma between thousands.
pub(crate) fn with_separators(value: f64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_for_people() {
        assert_eq!(with_separators(0.0), "0");
        assert_eq!(with_separators(1_234_567.2), "1,234,567");
        assert_eq!(with_separators(999.9), "1,000");
        assert_eq!(Measure::Seconds.show(0.0042), "4.2 ms");
        assert_eq!(Measure::PeakBytes.show(1.5e8), "150.0 MB");
        // Ticks of an axis at powers of ten are inexact.
        for (figure, shown) in [
            (1.0 - 1e-12, "1.00 s"),
            (1e-3 - 1e-15, "1.0 ms"),
            (0.1 - 1e-12, "100 ms"),
            (0.9994, "999 ms"),
        ] {
            assert_eq!(Measure::Seconds.show(figure), shown);
        }
        assert_eq!(Measure::PeakBytes.show(1e6 - 1e-3), "1.0 MB");
        assert_eq!(Measure::PeakBytes.show(1e9 - 1.0), "1.00 GB");
    }
}
