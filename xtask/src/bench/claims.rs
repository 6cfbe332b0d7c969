//! What Li et al. (2022) say of their figures, held against what was measured.

use super::panel::{PANELS, PUBLISHED};
use super::row::Row;
use super::summary::{Measure, Runs};

/// A published statement and what the rows say to it.
#[derive(Debug, PartialEq)]
pub(crate) struct Claim {
    pub(crate) panel: &'static str,
    pub(crate) published: &'static str,
    /// `None` if there are not enough points to tell.
    pub(crate) appears: Option<bool>,
    pub(crate) measured: String,
}

const AB: &str = PUBLISHED[0];
const ABC: &str = PUBLISHED[1];
const MMC: &str = PUBLISHED[2];
const ABD: &str = PUBLISHED[3];

/// How many times as much is "far worse".
const FAR: f64 = 2.0;

pub(crate) fn claims(rows: &[Row]) -> Vec<Claim> {
    let random = lead(rows, "3-top", &[ABD], &[AB, ABC, MMC], Measure::Seconds);
    let random_visits = lead(rows, "3-top", &[ABD], &[AB, ABC, MMC], Measure::Visits);
    let abc = lead(rows, "3-bottom", &[ABD, MMC], &[ABC], Measure::Seconds);
    let ab = lead(rows, "3-bottom", &[ABD, MMC], &[AB], Measure::Seconds);
    let hands = lead(rows, "3-bottom", &[ABD], &[MMC], Measure::Seconds);
    let uncached = lead(rows, "4-top", &[AB], &[ABC, MMC, ABD], Measure::Seconds);
    let cached = lead(rows, "4-bottom", &[MMC], &[AB, ABC, ABD], Measure::Seconds);
    let of = |what: &str, leads: &Leads| format!("{what}: {}", leads.show());
    let middle = |h: u32| (7..=9).contains(&h);
    let far = |leads: &Leads| leads.all(middle, |ratio| ratio >= FAR);
    let near = |leads: &Leads| leads.all(|h| h == 5 || h == 10, |ratio| ratio < FAR);
    let neither_far = near(&abc).zip(near(&ab)).map(|(abc, ab)| abc && ab);
    vec![
        Claim {
            panel: "3-top",
            published: "ABD is the fastest, and its lead grows with b",
            appears: random.grows_above_one(),
            measured: of("time of the best of AB, ABC, MMC over that of ABD", &random),
        },
        Claim {
            panel: "3-top",
            published: "the same in visits",
            appears: random_visits.grows_above_one(),
            measured: of(
                "visits of the best of AB, ABC, MMC over those of ABD",
                &random_visits,
            ),
        },
        Claim {
            panel: "3-bottom",
            published: "ABC is far worse (twice the time, say) for h = 7, 8, 9",
            appears: far(&abc),
            measured: of("time of ABC over the better of ABD and MMC", &abc),
        },
        Claim {
            panel: "3-bottom",
            published: "AB is far worse for h = 7, 8, 9",
            appears: far(&ab),
            measured: of("time of AB over the better of ABD and MMC", &ab),
        },
        Claim {
            panel: "3-bottom",
            published: "neither of them is for h = 5 and 10",
            appears: neither_far,
            measured: "see the two lines above".to_owned(),
        },
        Claim {
            panel: "3-bottom",
            published: "ABD beats MMC for large h",
            appears: hands.grows_above_one(),
            measured: of("time of MMC over that of ABD", &hands),
        },
        Claim {
            panel: "4-top",
            published: "AB, without a cache, is the fastest",
            appears: uncached.above_one_everywhere(),
            measured: of(
                "time of the best of ABC, MMC, ABD over that of AB",
                &uncached,
            ),
        },
        Claim {
            panel: "4-bottom",
            published: "MMC beats alpha-beta as d grows",
            appears: cached.grows_above_one(),
            measured: of("time of the best of AB, ABC, ABD over that of MMC", &cached),
        },
    ]
}

/// How many times the mean of some algorithms is that of the others.
struct Leads {
    /// By parameter value.
    points: Vec<(u32, f64)>,
    /// Whether they reach the end of the panel, or nearly.
    complete: bool,
}

/// The best of `others` over the best of `leaders`, at each point where the best leader ran to its end. Stopped others count with the time they had.
fn lead(rows: &[Row], panel: &str, leaders: &[&str], others: &[&str], measure: Measure) -> Leads {
    let values = PANELS
        .iter()
        .find(|p| p.id == panel)
        .map_or(&[][..], |p| p.values);
    let best = |value: u32, ids: &[&str], stopped: bool| {
        let statistics = ids.iter().filter_map(|id| {
            let statistic = Runs::of(rows, panel, value, id).statistic(measure)?;
            (stopped || !statistic.at_least).then_some(statistic.mean)
        });
        statistics.min_by(f64::total_cmp)
    };
    let leads = values.iter().filter_map(|&value| {
        let lead = best(value, others, true)? / best(value, leaders, false)?;
        lead.is_finite().then_some((value, lead))
    });
    let points: Vec<(u32, f64)> = leads.collect();
    let last = values.len().checked_sub(2).map(|place| values[place]);
    Leads {
        complete: points.last().map(|point| point.0) >= last,
        points,
    }
}

impl Leads {
    fn show(&self) -> String {
        if self.points.is_empty() {
            return "no point".to_owned();
        }
        let shown = self
            .points
            .iter()
            .map(|(value, lead)| format!("{lead:.2} at {value}"));
        shown.collect::<Vec<_>>().join(", ")
    }

    /// The lead ends above one and higher than it began.
    fn grows_above_one(&self) -> Option<bool> {
        let (first, last) = (self.points.first()?.1, self.points.last()?.1);
        (self.complete && self.points.len() > 1).then_some(last > 1.0 && last > first)
    }

    /// Whether all points among some values pass a test.
    fn all(&self, among: impl Fn(u32) -> bool, pass: impl Fn(f64) -> bool) -> Option<bool> {
        let mut points = self.points.iter().filter(|(value, _)| among(*value));
        self.complete.then(|| points.all(|(_, lead)| pass(*lead)))
    }

    fn above_one_everywhere(&self) -> Option<bool> {
        (self.complete && !self.points.is_empty())
            .then(|| self.points.iter().all(|(_, lead)| *lead > 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        let leads = |of: &[f64]| Leads {
            points: (1..).zip(of.iter().copied()).collect(),
            complete: true,
        };
        assert_eq!(leads(&[0.5, 0.9, 2.0]).grows_above_one(), Some(true));
        assert_eq!(leads(&[0.5, 0.9]).grows_above_one(), Some(false));
        assert_eq!(leads(&[3.0, 2.0]).grows_above_one(), Some(false));
        assert_eq!(leads(&[2.0]).grows_above_one(), None);
        let half = Leads {
            complete: false,
            ..leads(&[0.5, 2.0])
        };
        assert_eq!(half.grows_above_one(), None);
        assert_eq!(leads(&[1.5, 2.0]).above_one_everywhere(), Some(true));
        assert_eq!(leads(&[]).above_one_everywhere(), None);
        assert_eq!(leads(&[1.5]).show(), "1.50 at 1");
    }
}
