//! The papers' statements about their figures, held against what was measured: Li et al. (2022),
//! and of total orders Reinefeld (1983) as Hsu's slides quote him, the leaf counts of SSS* by
//! Roizen and Pearl (1983), and SCOUT on Kalah by Noe (1980) as the slides quote him.
//!
//! A verdict is given where the figures leave no doubt: stopped runs count as the lower bounds they
//! are, and every point that a statement names must be there.

use crate::panels::lineup::PUBLISHED;
use crate::panels::panel::PANELS;
use crate::panels::quantity::Measure;
use crate::panels::row::Row;
use crate::reporting::summary::Range;

/// A published statement and whether the rows support it.
#[derive(Debug, PartialEq)]
pub(crate) struct Claim {
    pub(crate) panel: &'static str,
    pub(crate) published: &'static str,
    pub(crate) verdict: Verdict,
    pub(crate) measured: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Appears,
    DoesNotAppear,
    /// The figures are inconclusive.
    Unclear,
    /// Points are missing, or stopped runs leave it open.
    NotKnown,
}

impl Verdict {
    pub(crate) fn show(self) -> &'static str {
        match self {
            Self::Appears => "✓ appears",
            Self::DoesNotAppear => "✗ does not appear",
            Self::Unclear => "~ unclear",
            Self::NotKnown => "? not known",
        }
    }

    fn of(appears: Option<bool>) -> Self {
        match appears {
            Some(true) => Self::Appears,
            Some(false) => Self::DoesNotAppear,
            None => Self::NotKnown,
        }
    }
}

const AB: &str = PUBLISHED[0];
const ABC: &str = PUBLISHED[1];
const MMC: &str = PUBLISHED[2];
const ABD: &str = PUBLISHED[3];

/// How many times as much is "far worse".
const FAR: f64 = 2.0;

pub(crate) fn claims(rows: &[Row]) -> Vec<Claim> {
    let lead = |panel, leaders: &[&str], others: &[&str], measure| {
        Leads::of(rows, panel, leaders, others, measure)
    };
    let random = lead("3-top", &[ABD], &[AB, ABC, MMC], Measure::Seconds);
    let visits = lead("3-top", &[ABD], &[AB, ABC, MMC], Measure::Visits);
    let effort = lead("3-top", &[ABD], &[AB, ABC, MMC], Measure::Effort);
    let abc = lead("3-bottom", &[ABD, MMC], &[ABC], Measure::Seconds);
    let ab = lead("3-bottom", &[ABD, MMC], &[AB], Measure::Seconds);
    let hands = lead("3-bottom", &[ABD], &[MMC], Measure::Seconds);
    let uncached = lead("4-top", &[AB], &[ABC, MMC, ABD], Measure::Seconds);
    // At d = 14 nothing is hidden.
    let cached = lead("4-bottom", &[MMC], &[AB, ABC, ABD], Measure::Seconds).without(14);
    let far = |leads: &Leads| Verdict::of(leads.all(&[7, 8, 9], true, FAR));
    let near = |leads: &Leads| leads.all(&[5, 10], false, FAR);
    let neither = match (near(&abc), near(&ab)) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (abc, ab) => abc.and(ab),
    };
    let trials = |panel, id| lead(panel, &[id], &["alpha-beta"], Measure::Leaves);
    let drawn = trials("b-independent", "nega-scout");
    let ordered = trials("b-independent-ordered", "nega-scout");
    let drawn_cached = trials("b-independent", "nega-scout-cached");
    let ordered_cached = trials("b-independent-ordered", "nega-scout-cached");
    let broad: Vec<u32> = drawn
        .0
        .iter()
        .map(|(b, _)| *b)
        .filter(|b| *b >= 20)
        .collect();
    let best_first = lead(
        "u-independent",
        &["sss-2"],
        &["alpha-beta"],
        Measure::Leaves,
    );
    let in_time = lead(
        "u-independent",
        &["sss-2"],
        &["alpha-beta"],
        Measure::Seconds,
    );
    let kalah = |measure| lead("kalah", &["scout"], &["alpha-beta"], measure);
    let (kalah_time, kalah_leaves) = (kalah(Measure::Seconds), kalah(Measure::Leaves));
    let every: Vec<u32> = uncached.0.iter().map(|(value, _)| *value).collect();
    let rows = [
        (
            "3-top",
            "the lead of ABD grows with b",
            random.grow(),
            "time of the best of AB, ABC, MMC over that of ABD",
            &random,
        ),
        (
            "3-top",
            "the same in visits",
            visits.grow(),
            "visits of the best of AB, ABC, MMC over those of ABD",
            &visits,
        ),
        (
            "3-top",
            "the same in visits and probes",
            effort.grow(),
            "visits of the best of AB, ABC, MMC over visits and probes of ABD",
            &effort,
        ),
        (
            "3-bottom",
            "ABC is far worse (twice the time, say) for h = 7, 8, 9",
            far(&abc),
            "time of ABC over the better of ABD and MMC",
            &abc,
        ),
        (
            "3-bottom",
            "AB is far worse for h = 7, 8, 9",
            far(&ab),
            "time of AB over the better of ABD and MMC",
            &ab,
        ),
        (
            "3-bottom",
            "neither of them is for h = 5 and 10",
            Verdict::of(neither),
            "ABC as above, and AB",
            &ab,
        ),
        (
            "3-bottom",
            "ABD beats MMC for large h",
            Verdict::of(hands.all(&[9, 10], true, 1.0)),
            "time of MMC over that of ABD",
            &hands,
        ),
        (
            "4-top",
            "AB, without a cache, is the fastest",
            Verdict::of(uncached.all(&every, true, 1.0)),
            "time of the best of ABC, MMC, ABD over that of AB",
            &uncached,
        ),
        (
            "4-bottom",
            "MMC beats alpha-beta as d grows",
            cached.grow(),
            "time of the best of AB, ABC, ABD over that of MMC",
            &cached,
        ),
        (
            "b-independent",
            "NegaScout needs 10 to 20 % less than alpha-beta for b = 20 to 60",
            Verdict::of(drawn.all(&broad, true, 1.1)),
            "leaves of alpha-beta over those of NegaScout",
            &drawn,
        ),
        (
            "b-independent",
            "the same with a cache",
            Verdict::of(drawn_cached.all(&broad, true, 1.1)),
            "leaves of alpha-beta over those of NegaScout with a cache",
            &drawn_cached,
        ),
        (
            "b-independent-ordered",
            "the same on well ordered trees, without a cache",
            Verdict::of(ordered.all(&broad, true, 1.1)),
            "leaves of alpha-beta over those of NegaScout",
            &ordered,
        ),
        (
            "b-independent-ordered",
            "the same on well ordered trees, with a cache",
            Verdict::of(ordered_cached.all(&broad, true, 1.1)),
            "leaves of alpha-beta over those of NegaScout with a cache",
            &ordered_cached,
        ),
        (
            "u-independent",
            "SSS-2 evaluates fewer leaves than alpha-beta on every shape",
            Verdict::of(best_first.all(&[1, 2, 3, 4], true, 1.0)),
            "leaves of alpha-beta over those of SSS-2; 1 is U(10,3), 2 U(4,5), 3 U(3,6), 4 U(2,12)",
            &best_first,
        ),
        (
            "u-independent",
            "on U(3,6) about 175 for 250 of alpha-beta, 1.4 times",
            Verdict::of(best_first.all(&[3], true, 1.35)),
            "the same",
            &best_first,
        ),
        (
            "u-independent",
            "SSS-2 takes 10 to 20 times as long for it",
            Verdict::of(in_time.all(&[1, 2, 3, 4], false, 0.1)),
            "time of alpha-beta over that of SSS-2",
            &in_time,
        ),
        (
            "kalah",
            "SCOUT saves over 40 % of the time at depth 5",
            Verdict::of(kalah_time.all(&[5], true, 1.0 / 0.6)),
            "time of alpha-beta over that of SCOUT",
            &kalah_time,
        ),
        (
            "kalah",
            "the same in positions judged",
            Verdict::of(kalah_leaves.all(&[5], true, 1.0 / 0.6)),
            "leaves of alpha-beta over those of SCOUT",
            &kalah_leaves,
        ),
    ];
    let claim = |(panel, published, verdict, what, leads): (_, _, _, &str, &Leads)| Claim {
        panel,
        published,
        verdict,
        measured: format!("{what}: {}", leads.show()),
    };
    rows.into_iter().map(claim).collect()
}

/// For each value of a panel's parameter, how many times the least mean of some algorithms is that
/// of the others, if anything is known.
struct Leads(Vec<(u32, Option<Range>)>);

impl Leads {
    fn of(rows: &[Row], panel: &str, leaders: &[&str], others: &[&str], measure: Measure) -> Self {
        let values = PANELS.iter().find(|p| p.id == panel);
        let values = values.map_or(&[][..], |panel| panel.values);
        let lead = |value| {
            let others = Range::least(rows, panel, value, others, measure)?;
            others.over(Range::least(rows, panel, value, leaders, measure)?)
        };
        Self(values.iter().map(|&value| (value, lead(value))).collect())
    }

    fn without(mut self, value: u32) -> Self {
        self.0.retain(|(other, _)| *other != value);
        self
    }

    fn show(&self) -> String {
        let known = self.0.iter();
        let known =
            known.filter_map(|(value, lead)| Some(format!("{} at {value}", (*lead)?.show())));
        let known: Vec<String> = known.collect();
        if known.is_empty() {
            return "no point".to_owned();
        }
        known.join(", ")
    }

    /// Returns whether the lead reaches a bound at all of these values, or stays below it at all of
    /// them; `None` if neither is known.
    fn all(&self, values: &[u32], reaches: bool, bound: f64) -> Option<bool> {
        let mut sure = !values.is_empty();
        for value in values {
            let lead = self.0.iter().find(|(known, _)| known == value);
            match lead.and_then(|(_, lead)| (*lead)?.reaches(bound)) {
                Some(held) if held == reaches => {}
                Some(_) => return Some(false),
                None => sure = false,
            }
        }
        sure.then_some(true)
    }

    /// Whether the lead grows: by Kendall's rank correlation with the parameter, over all points,
    /// and it ends above one. A lower bound counts with that bound.
    fn grow(&self) -> Verdict {
        // At four points or more, 0.7 leaves no doubt about the trend, and 0 is none.
        let leads: Option<Vec<f64>> = self.0.iter().map(|(_, lead)| lead.map(|r| r.low)).collect();
        let Some(leads) = leads.filter(|leads| leads.len() >= 4) else {
            return Verdict::NotKnown;
        };
        let pairs = leads.iter().enumerate();
        let pairs = pairs.flat_map(|(place, a)| leads[place + 1..].iter().map(move |b| (a, b)));
        let signs = pairs.map(|(a, b)| if b > a { 1.0 } else { -1.0 });
        let signs: Vec<f64> = signs.collect();
        let correlation = signs.iter().sum::<f64>() / signs.len() as f64;
        let ahead = leads[leads.len() - 1] > 1.0;
        match correlation {
            strong if strong >= 0.7 && ahead => Verdict::Appears,
            none if none <= 0.0 || !ahead => Verdict::DoesNotAppear,
            _ => Verdict::Unclear,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(of: &[(f64, f64)]) -> Leads {
        let ranges = of.iter().map(|&(low, high)| Some(Range { low, high }));
        Leads((1..).zip(ranges).collect())
    }

    fn exact(of: &[f64]) -> Leads {
        leads(&of.iter().map(|&lead| (lead, lead)).collect::<Vec<_>>())
    }

    #[test]
    fn growth_is_a_trend() {
        assert_eq!(exact(&[0.5, 0.9, 2.0, 3.0]).grow(), Verdict::Appears);
        assert_eq!(exact(&[0.5, 0.9, 2.0, 3.0, 2.9]).grow(), Verdict::Appears);
        assert_eq!(exact(&[0.5, 1.3, 1.0, 0.8, 1.1]).grow(), Verdict::Unclear);
        assert_eq!(exact(&[0.1, 0.2, 0.3, 0.4]).grow(), Verdict::DoesNotAppear);
        assert_eq!(exact(&[4.0, 3.0, 2.5, 2.0]).grow(), Verdict::DoesNotAppear);
        assert_eq!(exact(&[1.0, 2.0, 3.0]).grow(), Verdict::NotKnown);
        let mut gap = exact(&[0.5, 0.9, 2.0, 3.0]);
        gap.0[1].1 = None;
        assert_eq!(gap.grow(), Verdict::NotKnown);
        assert_eq!(gap.show(), "0.50 at 1, 2.00 at 3, 3.00 at 4");
    }

    #[test]
    fn verdicts_need_every_point() {
        let infinity = f64::INFINITY;
        let known = leads(&[(2.5, infinity), (3.0, 3.0), (1.0, infinity), (0.0, 1.5)]);
        assert_eq!(known.all(&[1, 2], true, 2.0), Some(true));
        assert_eq!(known.all(&[1, 3], true, 2.0), None, "3 may be more or less");
        assert_eq!(
            known.all(&[3, 4], true, 2.0),
            Some(false),
            "4 is less for sure"
        );
        assert_eq!(known.all(&[4], false, 2.0), Some(true));
        assert_eq!(known.all(&[3], false, 2.0), None);
        assert_eq!(known.all(&[1, 9], true, 2.0), None, "9 is missing");
        assert_eq!(known.all(&[], true, 2.0), None);
    }

    /// The page of the book has a row for each statement, also for those that do not hold here.
    #[test]
    fn the_book_holds_each_statement() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/experiments.md");
        let page = std::fs::read_to_string(page).expect("a page of the book");
        for claim in claims(&[]) {
            let row = format!("| {} | {} |", claim.panel, claim.published);
            assert_eq!(page.matches(&row).count(), 1, "{row}");
        }
    }
}
