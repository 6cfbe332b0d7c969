//! Random trees with several criteria: how many packets their values have, and the effect of
//! applying a preference at inner nodes.

use meetjoin_dominance::{
    Algebra, LeafOutcomes as _, Lexicographic, Player, Preference, VectorGame, Weighted, bottom_up,
    inner_preference, procedure_f_deep_lattice_only,
};
use meetjoin_games::Correlation;
use meetjoin_lattice::{Budget, Limits, Stop};

use crate::games::criteria::{self, Vector};
use crate::measuring::asking::{Failure, Lines, ask_all, mean_and_most};
use crate::measuring::measure::RunLimits;

/// The parameters of a line on random trees.
#[derive(Debug)]
struct Line<'a> {
    criteria: u32,
    correlation: Correlation,
    trees: u64,
    limits: &'a RunLimits,
}

const CORRELATIONS: [(Correlation, &str); 3] = [
    (Correlation::Independent, "independent"),
    (Correlation::Correlated, "correlated"),
    (Correlation::AntiCorrelated, "anti-correlated"),
];

/// The trees are binary and alternate.
const DEPTH: u32 = 4;

/// Steps for one tree.
const STEPS: u64 = 2_000_000;

/// Packets at the root.
pub(crate) fn packets(trees: u64, limits: &RunLimits) -> Result<Lines, Failure> {
    by_criteria(&[1, 2, 3, 4], line_of_packets, trees, limits)
}

/// How often applying a preference at inner nodes chooses a worse move.
pub(crate) fn preference(trees: u64, limits: &RunLimits) -> Result<Lines, Failure> {
    by_criteria(&[2, 3, 4], line_of_preference, trees, limits)
}

/// A line for each number of criteria and how they hang together; `cells` are those after the first
/// two.
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

impl Line<'_> {
    /// Asks each tree; returns the answers of those that met no limit, and how many met one.
    fn ask<T: Send>(
        &self,
        ask: impl Fn(&VectorGame, &Budget) -> Result<Result<T, String>, Stop> + Sync,
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

fn line_of_packets(line: &Line<'_>) -> Result<Vec<String>, Failure> {
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

fn line_of_preference(line: &Line<'_>) -> Result<Vec<String>, Failure> {
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

/// Whether the preference, used at inner nodes too, chooses a worse move. Never, if there is no
/// move.
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
    // Rounding may give a little less than 0.
    (((middle - half) * scale).max(0.0), (middle + half) * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn one_criterion_has_one_packet() {
        let limits = RunLimits::ample();
        let line = Line {
            criteria: 1,
            correlation: Correlation::Independent,
            trees: 5,
            limits: &limits,
        };
        let cells = line_of_packets(&line).expect("it can be answered");
        assert_eq!(cells, ["5", "0", "1.0, 1", "1.0", "1.0, 1", "0"]);
        let cells = line_of_preference(&line).expect("it can be answered");
        assert!(cells[2].starts_with("0.0 %"), "{cells:?}");
    }
}
