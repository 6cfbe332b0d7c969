//! One instance of an experiment: a game with its values, by any algorithm.

use meetjoin_games::{Racing, RandomParameters};
use meetjoin_lattice::{Budget, Stop};
use meetjoin_problems::games::racing::racing;
use meetjoin_problems::games::random;
use meetjoin_search::Counts;
use meetjoin_solve::{CountNodes, Meter, PositionCache, Request, Value};
use serde_json::json;

use crate::measuring::memory;
use crate::measuring::parts;

pub(crate) use meetjoin_problems::games::words::SetLattice;

/// One game of an experiment.
pub(crate) trait Instance {
    /// Solves the game by the algorithm with this id. Distinct nodes are counted only where wanted,
    /// for that takes time and memory.
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String>;

    /// Whether each run of this algorithm does the same. Ours do.
    fn is_deterministic(&self, _algorithm: &str) -> bool {
        true
    }
}

/// The result of a search and its counters.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) seconds: f64,
    pub(crate) counts: Counts,
    /// Distinct nodes visited, where they were counted.
    pub(crate) nodes: Option<usize>,
    /// The most memory that the search held at once, besides the game.
    pub(crate) peak_bytes: usize,
    /// The limit that fired, also if the bounds had met by then and the value is exact: the
    /// counters are those of an interrupted search.
    pub(crate) stop: Option<Stop>,
    /// The exact value as compact JSON, as the command line answers.
    pub(crate) value: Option<String>,
}

/// A game that is ready to be searched.
pub(crate) type Problem = Box<dyn meetjoin_solve::Instance>;

/// The most bytes of a table of df-pn.
const TABLE_BYTES: usize = 4 << 20;

pub(crate) const METER: Meter = Meter {
    begin: memory::reset_peak,
    allocated: || 0,
    peak: memory::peak,
};

/// One problem.
struct Alone(Problem);

/// Solves a problem; returns the counters and the value of the root, if known.
fn found(
    problem: &Problem,
    algorithm: &str,
    budget: &Budget,
    count_nodes: bool,
) -> Result<(Solved, Option<Value>), String> {
    let row = parts::row(algorithm).ok_or_else(|| format!("there is no algorithm {algorithm}"))?;
    let mut request = Request::new(row, budget);
    request.meter = METER;
    request.tables = PositionCache::Grows;
    request.proof_bytes = Some(TABLE_BYTES);
    if count_nodes {
        request.count_nodes = CountNodes::Always;
    }
    let answer = problem.solve(request).map_err(|error| error.to_string())?;
    let solved = Solved {
        seconds: answer.stats.seconds,
        counts: answer.stats.counts,
        nodes: answer.stats.nodes,
        peak_bytes: answer.stats.peak_memory_bytes,
        stop: answer.root.stop.or(budget.fired()),
        value: None,
    };
    Ok((solved, answer.root.value.exact().cloned()))
}

impl Instance for Alone {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let (solved, value) = found(&self.0, algorithm, budget, count_nodes)?;
        Ok(Solved {
            value: value.map(|value| value.json()),
            ..solved
        })
    }
}

/// Several problems whose values are integers, one after the other, with their values where they
/// are known: counts and times are added up.
pub(crate) struct Series(pub(crate) Vec<(Problem, Option<i64>)>);

impl Instance for Series {
    fn solve(&self, algorithm: &str, budget: &Budget, count_nodes: bool) -> Result<Solved, String> {
        let mut all = Solved {
            seconds: 0.0,
            counts: Counts::default(),
            nodes: count_nodes.then_some(0),
            peak_bytes: 0,
            stop: None,
            value: None,
        };
        let mut values = Vec::with_capacity(self.0.len());
        for (problem, known) in &self.0 {
            let (one, value) = found(problem, algorithm, budget, count_nodes)?;
            all.seconds += one.seconds;
            all.counts += one.counts;
            all.nodes = all.nodes.zip(one.nodes).map(|(all, one)| all + one);
            all.peak_bytes = all.peak_bytes.max(one.peak_bytes);
            all.stop = one.stop;
            if all.stop.is_some() {
                return Ok(all);
            }
            let value: Option<i64> = value.and_then(|value| value.json().parse().ok());
            if let (Some(value), Some(known)) = (value, *known)
                && value != known
            {
                return Err(format!(
                    "{algorithm} finds {value} for a position that is worth {known}"
                ));
            }
            values.push(value);
        }
        let values: Option<Vec<i64>> = values.into_iter().collect();
        all.value = values.map(|values| json!(values).to_string());
        Ok(all)
    }
}

/// A problem alone.
pub(crate) fn alone(problem: Problem) -> Box<dyn Instance> {
    Box::new(Alone(problem))
}

/// A random graph.
pub(crate) fn random(
    parameters: RandomParameters,
    lattice: SetLattice,
) -> Result<Box<dyn Instance>, String> {
    let problem = random::random(parameters, lattice).map_err(|error| error.to_string())?;
    Ok(alone(problem))
}

/// A deal of racing.
pub(crate) fn deal(game: Racing, lattice: SetLattice) -> Box<dyn Instance> {
    alone(racing(game, lattice))
}
