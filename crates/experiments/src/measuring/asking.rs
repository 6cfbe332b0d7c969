//! Shared by all surveys: asking many games one question each, within limits.
//!
//! Invariant: the same survey has the same answer on every machine. So the limit of a game is a
//! number of steps, and a game that meets it is counted as stopped and left out of all other
//! figures. The number of games asked at once does not matter.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use meetjoin_lattice::{Budget, Limits, Stop};
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::measuring::measure::RunLimits;

/// Cells, line by line.
pub(crate) type Lines = Vec<Vec<String>>;

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

/// Asks the games with the seeds 1, 2, .. within the first limits each; returns the answers of
/// those that met no limit, and how many met one. The other limits, of the whole experiment, have
/// its cancellation and how many games are asked at once. An error of one game is an error of all.
pub(crate) fn ask_all<T: Send>(
    games: u64,
    (each, experiment): (Limits, &RunLimits),
    ask: impl Fn(u64, &Budget) -> Result<Result<T, Stop>, String> + Sync,
) -> Result<(Vec<T>, usize), Failure> {
    let one = |seed| {
        if experiment.cancel.load(Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        let budget = Budget::new(Limits {
            cancel: Some(Arc::clone(&experiment.cancel)),
            ..each.clone()
        });
        match ask(seed, &budget)? {
            Err(Stop::Cancelled) => Err(Failure::Cancelled),
            said => Ok(said.ok()),
        }
    };
    let threads = ThreadPoolBuilder::new().num_threads(experiment.jobs);
    let threads = threads
        .build()
        .map_err(|error| format!("no threads: {error}"))?;
    let all: Vec<Option<T>> = threads.install(|| {
        (1..=games)
            .into_par_iter()
            .map(one)
            .collect::<Result<_, _>>()
    })?;
    let asked = all.len();
    let said: Vec<T> = all.into_iter().flatten().collect();
    let stopped = asked - said.len();
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
