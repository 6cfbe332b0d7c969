//! Surveys: questions about many games, answered by counting, without times. Two are about random trees with several criteria.
//!
//! A panel compares algorithms on a few large games; a survey looks at one property of many. A survey with the id of a panel
//! goes with that panel.
//!
//! Invariant: the same survey has the same answer on every machine. So what limits a game is a number of steps, and a game that meets it
//! is counted as such and left out of all other figures.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use meetjoin::games::Correlation;
use meetjoin::lattice::{Budget, Limits, Stop};
use meetjoin::search::dominance::{
    Algebra, LeafOutcomes as _, Lexicographic, Player, Preference, VectorGame, Weighted, bottom_up,
    inner_preference, procedure_f_deep_lattice_only,
};

use super::criteria::{self, Vector};
use super::measure::RunLimits;
use super::{families, thresholds};

/// A question.
#[derive(Debug)]
pub(crate) struct Survey {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    /// The first two columns say what a line is about, the third how many games it has, and the fourth how many more were stopped.
    pub(crate) head: &'static [&'static str],
    /// Games for each line.
    pub(crate) games: u64,
    /// Those of a quick run.
    pub(crate) quick: u64,
    /// The lines, each from so many games.
    lines: fn(u64, &RunLimits) -> Result<Lines, Failure>,
}

/// Cells, line by line.
pub(crate) type Lines = Vec<Vec<String>>;

/// What a line on random trees is about.
#[derive(Debug)]
struct Line<'a> {
    criteria: u32,
    correlation: Correlation,
    trees: u64,
    limits: &'a RunLimits,
}

/// The table of a survey.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) survey: &'static Survey,
    pub(crate) lines: Lines,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    Cancelled,
    Wrong(String),
}

impl From<String> for Failure {
    fn from(sentence: String) -> Self {
        Self::Wrong(sentence)
    }
}

/// What is asked.
pub(crate) static SURVEYS: [Survey; 6] = [
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
        lines: |trees, limits| by_criteria(&[1, 2, 3, 4], packets, trees, limits),
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
        lines: |trees, limits| by_criteria(&[2, 3, 4], preference, trees, limits),
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
        lines: families::many_cards,
    },
];

const CORRELATIONS: [(Correlation, &str); 3] = [
    (Correlation::Independent, "independent"),
    (Correlation::Correlated, "correlated"),
    (Correlation::AntiCorrelated, "anti-correlated"),
];

/// The trees are binary and alternate.
const DEPTH: u32 = 4;

/// Steps for one tree.
const STEPS: u64 = 2_000_000;

impl Survey {
    /// The answer from so many games for each line, with the seeds 1, 2, ..; `None` if it was cancelled.
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

/// A line for each number of criteria and how they hang together; `cells` are those after the first two.
fn by_criteria(
    criteria: &[u32],
    cells: fn(&Line<'_>) -> Result<Vec<String>, Failure>,
    trees: u64,
    limits: &RunLimits,
) -> Result<Lines, Failure> {
    let mut lines = Vec::new();
    for &criteria in criteria {
        for (correlation, word) in CORRELATIONS {
            let first = [criteria.to_string(), word.to_owned()];
            let line = Line {
                criteria,
                correlation,
                trees,
                limits,
            };
            lines.push(first.into_iter().chain(cells(&line)?).collect());
        }
    }
    Ok(lines)
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

impl Line<'_> {
    /// Asks each tree, and returns what those said that met no limit, and how many did.
    fn ask<T>(
        &self,
        mut ask: impl FnMut(&VectorGame, &Budget) -> Result<Result<T, String>, Stop>,
    ) -> Result<(Vec<T>, usize), Failure> {
        let limits = Limits {
            steps: Some(STEPS),
            ..Limits::default()
        };
        ask_all(self.trees, (limits, self.limits), |seed, budget| {
            let game = criteria::vector_game(DEPTH, self.criteria, self.correlation, seed)?;
            let (criteria, correlation) = (self.criteria, self.correlation);
            match ask(&game, budget) {
                Ok(Err(why)) => Err(format!(
                    "{criteria} criteria, {correlation:?}, seed {seed}: {why}"
                )),
                Ok(Ok(answer)) => Ok(Ok(answer)),
                Err(stop) => Ok(Err(stop)),
            }
        })
    }
}

/// Asks the games with the seeds 1, 2, .. within the first limits each, and returns what those said that met none of them, and how many did. The other limits
/// are those of the experiment, which can be cancelled. An error of a game is an error of all.
pub(crate) fn ask_all<T>(
    games: u64,
    (each, experiment): (Limits, &RunLimits),
    mut ask: impl FnMut(u64, &Budget) -> Result<Result<T, Stop>, String>,
) -> Result<(Vec<T>, usize), Failure> {
    let (mut said, mut stopped) = (Vec::new(), 0);
    for seed in 1..=games {
        if experiment.cancel.load(Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        let budget = Budget::new(Limits {
            cancel: Some(Arc::clone(&experiment.cancel)),
            ..each.clone()
        });
        match ask(seed, &budget)? {
            Ok(answer) => said.push(answer),
            Err(Stop::Cancelled) => return Err(Failure::Cancelled),
            Err(_) => stopped += 1,
        }
    }
    Ok((said, stopped))
}

/// The mean, and after a comma the most.
pub(crate) fn mean_and_most(counts: impl ExactSizeIterator<Item = u64>) -> String {
    let among = counts.len().max(1) as f64;
    let (mut sum, mut most) = (0, 0);
    for count in counts {
        sum += count;
        most = most.max(count);
    }
    format!("{:.1}, {most}", sum as f64 / among)
}

fn packets(line: &Line<'_>) -> Result<Vec<String>, Failure> {
    let (trees, stopped) = line.ask(|game, budget| {
        let algebra = Algebra::new(game.order(), budget);
        let all = bottom_up(game, game, budget)?;
        let deep = procedure_f_deep_lattice_only(game, game, budget, &mut |_| ());
        let found = deep.found_perhaps_inexact();
        if let Some(stop) = found.stop {
            return Err(stop);
        }
        let lattice = algebra.normal_form(&all)?;
        if deep.normal_form(algebra)? != lattice {
            return Ok(Err(
                "deep pruning and bottom-up evaluation find different lattice elements".to_owned(),
            ));
        }
        let outcomes: usize = all.packets().iter().map(|p| p.outcomes().len()).sum();
        let count = all.packets().len();
        let lost = all.packets().iter().any(|p| !found.packets.contains(p));
        Ok(Ok((count, outcomes, lattice.len(), lost)))
    })?;
    let (packets, outcomes) = trees
        .iter()
        .fold((0, 0), |(p, o), tree| (p + tree.0, o + tree.1));
    Ok(vec![
        trees.len().to_string(),
        stopped.to_string(),
        mean_and_most(trees.iter().map(|tree| tree.0 as u64)),
        format!("{:.1}", outcomes as f64 / packets.max(1) as f64),
        mean_and_most(trees.iter().map(|tree| tree.2 as u64)),
        trees.iter().filter(|tree| tree.3).count().to_string(),
    ])
}

fn preference(line: &Line<'_>) -> Result<Vec<String>, Failure> {
    let count = line.criteria as usize;
    let sum = Weighted::new(Player::Max, count, vec![1; count]);
    let sum = sum.map_err(|error| error.to_string())?;
    let first = Lexicographic::new(Player::Max, count, &[1]).map_err(|error| error.to_string())?;
    let (trees, stopped) = line.ask(|game, budget| {
        let by_sum = is_worse(game, &sum, budget)?;
        Ok(Ok((by_sum, is_worse(game, &first, budget)?)))
    })?;
    let fraction = |worse: usize| {
        let (low, high) = interval(worse, trees.len());
        let share = 100.0 * worse as f64 / trees.len().max(1) as f64;
        format!("{share:.1} % ({low:.1} to {high:.1})")
    };
    Ok(vec![
        trees.len().to_string(),
        stopped.to_string(),
        fraction(trees.iter().filter(|tree| tree.0).count()),
        fraction(trees.iter().filter(|tree| tree.1).count()),
    ])
}

/// Whether the preference, used at inner nodes too, chooses a worse move. Never, if there is no move.
fn is_worse(
    game: &VectorGame,
    preference: &impl Preference<Vector>,
    budget: &Budget,
) -> Result<bool, Stop> {
    let inner = inner_preference(game, game, preference, budget)?;
    Ok(inner.is_some_and(|inner| inner.worse))
}

/// The 95 % interval of a share, in percent: Wilson's, which holds for shares near 0 too.
fn interval(of: usize, among: usize) -> (f64, f64) {
    if among == 0 {
        return (0.0, 100.0);
    }
    let (z, n) = (1.96, among as f64);
    let share = of as f64 / n;
    let middle = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 100.0 / (1.0 + z * z / n);
    // Rounding may lead just below 0.
    (((middle - half) * scale).max(0.0), (middle + half) * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    fn limits(cancelled: bool) -> RunLimits {
        RunLimits {
            time: Duration::from_secs(60),
            memory: 1 << 40,
            cancel: Arc::new(AtomicBool::new(cancelled)),
        }
    }

    #[test]
    fn the_interval_is_that_of_the_textbook() {
        let near = |(low, high): (f64, f64), expected: (f64, f64)| {
            (low - expected.0).abs() < 0.05 && (high - expected.1).abs() < 0.05
        };
        assert!(near(interval(0, 10), (0.0, 27.8)), "{:?}", interval(0, 10));
        assert!(near(interval(5, 10), (23.7, 76.3)));
        assert!(near(interval(81, 263), (25.5, 36.6)));
        assert_eq!(interval(0, 0), (0.0, 100.0));
    }

    #[test]
    fn a_survey_of_trees_has_a_line_for_each_point_and_a_cell_for_each_column() {
        for (survey, lines) in SURVEYS.iter().zip([12, 9]) {
            let answer = survey
                .answer(3, &limits(false))
                .expect("it can be answered");
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
    fn one_criterion_has_one_packet() {
        let line = Line {
            criteria: 1,
            correlation: Correlation::Independent,
            trees: 5,
            limits: &limits(false),
        };
        let cells = packets(&line).expect("it can be answered");
        assert_eq!(cells, ["5", "0", "1.0, 1", "1.0", "1.0, 1", "0"]);
        let cells = preference(&line).expect("it can be answered");
        assert!(cells[2].starts_with("0.0 %"), "{cells:?}");
    }

    #[test]
    fn a_cancelled_survey_has_no_answer() {
        let answer = SURVEYS[0].answer(3, &limits(true));
        assert!(answer.expect("nothing is wrong").is_none());
    }
}
