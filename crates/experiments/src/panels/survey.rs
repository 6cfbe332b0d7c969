//! Surveys: questions about many games, answered by counting, without times (except for fault
//! trees, where programs are compared).
//!
//! A panel compares algorithms on a few large games; a survey looks at one property of many. A
//! survey with the id of a panel goes with that panel.

use crate::games::{do_cuts_help, families, fault_trees, thresholds, trees, tricks};
use crate::measuring::asking::{Failure, Lines};
use crate::measuring::measure::RunLimits;

/// A question.
#[derive(Debug)]
pub(crate) struct Survey {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    /// The first two columns say what a line is about, the third how many games it has, and the
    /// fourth how many more were stopped.
    pub(crate) head: &'static [&'static str],
    /// Games for each line.
    pub(crate) games: u64,
    /// Those of a quick run.
    pub(crate) quick: u64,
    /// Columns that begin with a share in percent, and are drawn as bars.
    pub(crate) bars: &'static [usize],
    /// Makes the lines, each from the given number of games.
    lines: fn(u64, &RunLimits) -> Result<Lines, Failure>,
}

/// The table of a survey.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) survey: &'static Survey,
    pub(crate) lines: Lines,
}

/// All surveys.
pub(crate) static SURVEYS: [Survey; 9] = [
    Survey {
        id: "packets",
        title: "packets at the root of random trees",
        text: "By how the criteria of a leaf hang together. Random trees, alternating, d = 4, b = 2, criteria of 0 to 9. `Lattice` are the packets that are \
            left if one also drops those that contain another (an element of the free lattice). `Deep loses` are the trees on which procedure F with deep pruning misses a packet; its lattice element was the right one on every tree, or the job \
            fails. Means; after the comma the most.",
        head: &[
            "criteria",
            "correlation",
            "trees",
            "stopped",
            "packets",
            "outcomes in a packet",
            "lattice",
            "deep loses",
        ],
        games: 200,
        quick: 20,
        bars: &[],
        lines: trees::packets,
    },
    Survey {
        id: "preference",
        title: "one's own preference at inner nodes",
        text: "After Example 2.3 of Dasgupta et al. (1996): MAX knows what she wants and MIN does not. How often does she choose a worse move at \
            the root if she uses her preference at all of her nodes, not at the root alone? Worse by the same preference, once by the sum of \
            the criteria, once by the first criterion before the second and so on. In brackets the 95 % interval (Wilson). Random trees, \
            alternating, d = 4, b = 2, criteria of 0 to 9.",
        head: &[
            "criteria",
            "correlation",
            "trees",
            "stopped",
            "worse by the sum",
            "worse lexicographically",
        ],
        games: 1000,
        quick: 50,
        bars: &[],
        lines: trees::preference,
    },
    Survey {
        id: "thresholds-racing",
        title: "how often the first threshold decides",
        text: "Thresholds ask first whether the union of the value, as one set, belongs to it. In how many deals of racing is the answer yes, so that this is the \
            value? Random deals, h = 7. The deals that are neither in that column nor in the next met the limit of 3 million visits later, and \
            `stopped` are those that met it before the answer. Questions and searches of the graph are means; after the comma the most.",
        head: &[
            "deck",
            "goal",
            "deals",
            "stopped",
            "first threshold decides",
            "more thresholds decide",
            "most maximal sets",
            "questions",
            "searches",
        ],
        games: 20,
        quick: 2,
        bars: &[],
        lines: thresholds::first_decides,
    },
    Survey {
        id: "lengths",
        title: "how long bounds in families of sets grow",
        text: "Alpha-beta duo without bounds from outside, with bounds as they come and with bounds no longer than the window shows. Maximal sets of the bounds \
            that nodes returned, mean, after the comma the most; steps are those of lattice operations. Racing with h = 7, g = 5; graphs with labels at random and \
            many sets in their values. A search gets 300,000 visits and probes, and 134 million steps; `stopped` are those that wanted more; they are in the figures.",
        head: &[
            "games",
            "bounds",
            "searches",
            "stopped",
            "sets of lower bounds",
            "sets of upper bounds",
            "steps",
        ],
        games: 5,
        quick: 1,
        bars: &[],
        lines: families::lengths,
    },
    Survey {
        id: "depths",
        title: "families of sets to a limited depth",
        text: "After alpha-mu of Cazenave and Ventos: families for so many levels, and what perfect information says below. How often is that upper bound the value, how much larger is its largest \
            set, mean, and what does it cost? The deals with several maximal sets of the panel thresholds-racing.",
        head: &[
            "deals",
            "depth",
            "ended",
            "stopped",
            "bound is the value",
            "largest set, of that of the value",
            "visits",
            "probes",
        ],
        games: 10,
        quick: 1,
        bars: &[],
        lines: families::depths,
    },
    Survey {
        id: "many-cards",
        title: "whole values of racing with more cards",
        text: "Racing in families with h = 7, g = 5, by the default, with 20,000 visits and probes and 134 million steps for a deal. Where that is enough, the most maximal sets of a value. \
            Where it is not, the most maximal sets of one of the bounds, and the least share of the hands of the upper bound that the lower one has.",
        head: &[
            "deck",
            "hands",
            "ended",
            "stopped",
            "most maximal sets",
            "of a bound",
            "least share of hands",
        ],
        games: 10,
        quick: 2,
        bars: &[],
        lines: families::many_cards,
    },
    Survey {
        id: "fault-trees",
        title: "minimal cut sets of fault trees, beside SCRAM",
        text: "Each program is a process of its own, within the same limits. Seconds of the processor for the whole process, median of up to five, and the most resident memory in MiB. SCRAM runs with \
            `--probability 1` and with a limit of order that no set reaches. It writes all sets, and ours counts them; `own clock` is the time that both say themselves, without reading and writing. Ratios are those of its best method \
            with the same number of sets to ours. The trees are those of the folder `--data`, and random ones, named by events, gates and seed.",
        head: &[
            "tree",
            "events",
            "sets",
            "meetjoin",
            "MiB",
            "--bdd",
            "MiB",
            "--zbdd",
            "MiB",
            "--mocus",
            "MiB",
            "ratio",
            "ratio, own clock",
        ],
        games: 3,
        quick: 1,
        bars: &[],
        lines: fault_trees::beside_scram,
    },
    Survey {
        id: "fault-trees-search",
        title: "do cutoffs help on fault trees?",
        text: "Fault trees over the free distributive lattice, values as diagrams, negations at events, nothing simplified. For the whole value, and for the question whether there is a cut set of at most \
            two events, which is a window for alpha-beta with cache (ABC) and alpha-beta duo (ABD), and a truncation of leaves for plain evaluation (MMC). Visits and probes, cutoffs, milliseconds. \
            A search gets 8 million steps of diagrams.",
        head: &[
            "tree",
            "nodes",
            "MMC",
            "ABC",
            "ABD",
            "MMC, at most 2",
            "ABC, at most 2",
            "ABD, at most 2",
            "is there one?",
        ],
        games: 5,
        quick: 1,
        bars: &[],
        lines: do_cuts_help::searches,
    },
    Survey {
        id: "choosers",
        title: "how often looking at cards leads astray",
        text: "Games of tricks in which MAX leads and sees her own cards. Every first move has an exact worth, the greatest average of points (in Oh Hell, of reaching the bid) that one strategy is sure of after it \
            against defenders who see everything. Perfect information with averaging (PIMC) takes the move that is best on average where all cards are seen; alpha-mu supposes so after so many tricks. How often do they take \
            a worse move than the best, what does it cost on average, and at most in one deal? Of several moves that they hold for equal each counts alike. `Choice` are deals with at least two moves that differ, `matters` those where their worth does; \
            all means are over deals with a choice.",
        head: &[
            "game",
            "cards",
            "deals",
            "stopped",
            "choice",
            "matters",
            "value",
            "PIMC",
            "alpha-mu 1",
            "alpha-mu 2",
            "alpha-mu 3",
            "alpha-mu 4",
        ],
        games: 40,
        quick: 4,
        bars: &[7, 8, 9, 10, 11],
        lines: tricks::choosers,
    },
];

impl Survey {
    /// The answer from `games` games for each line, with the seeds 1, 2, ..; `None` if it was
    /// cancelled.
    ///
    /// # Errors
    /// If a game cannot be made, or if two algorithms contradict each other.
    pub(crate) fn answer(
        &'static self,
        games: u64,
        limits: &RunLimits,
    ) -> Result<Option<Answer>, String> {
        match (self.lines)(games, limits) {
            Ok(lines) => Ok(Some(Answer {
                survey: self,
                lines,
            })),
            Err(Failure::Cancelled) => Ok(None),
            Err(Failure::Wrong(why)) => Err(format!("survey {}: {why}", self.id)),
        }
    }
}

impl Answer {
    /// The table as CSV. No cell holds a quote.
    pub(crate) fn csv(&self) -> String {
        let cell = |cell: &str| {
            if cell.contains(',') {
                format!("\"{cell}\"")
            } else {
                cell.to_owned()
            }
        };
        let head = self.survey.head.iter().map(|text| cell(text));
        let mut text = head.collect::<Vec<_>>().join(",") + "\n";
        for line in &self.lines {
            let cells: Vec<String> = line.iter().map(|text| cell(text)).collect();
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn a_survey_of_trees_has_a_line_for_each_point_and_a_cell_for_each_column() {
        for (survey, lines) in SURVEYS.iter().zip([12, 9]) {
            let answer = survey.answer(3, &RunLimits::ample());
            let answer = answer.expect("it can be answered");
            let answer = answer.expect("it is not cancelled");
            assert_eq!(answer.lines.len(), lines);
            for line in &answer.lines {
                assert_eq!(line.len(), survey.head.len(), "{line:?}");
                let known = [&line[2], &line[3]].map(|cell| cell.parse::<u64>());
                let known = known.map(|cell| cell.expect("a count"));
                assert_eq!(known[0] + known[1], 3, "{line:?}");
            }
            assert_eq!(answer.csv().lines().count(), answer.lines.len() + 1);
        }
    }

    #[test]
    fn a_cancelled_survey_has_no_answer() {
        let limits = RunLimits::ample();
        limits.cancel.store(true, Ordering::Relaxed);
        let answer = SURVEYS[0].answer(3, &limits);
        assert!(answer.expect("nothing is wrong").is_none());
    }
}
