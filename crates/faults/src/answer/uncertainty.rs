//! Uncertainty of P(top) from that of rates and probabilities: trials over the kept diagram.
//!
//! Idea: nothing is solved anew. A trial draws what is uncertain and passes over the diagrams once,
//! eight trials at a time and some thousands on each thread. The numbers do not depend on the
//! number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use meetjoin_lattice::{Budget, Stop};
use meetjoin_report::progress::{Listener, Moment};
use serde::Serialize;

use crate::diagram::Analysis;
use crate::diagram::lanes::{LANES, Pass, Room};
use crate::model::Model;
use crate::model::place::FaultTreeFileError;
use crate::model::sample::{BLOCK, Trials, generator};

/// Parts of the quantiles and of the histogram.
const PARTS: usize = 20;

/// The 97.5 % quantile of the standard normal distribution: 95 % lie between it and its negative.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The most trials: each is kept as a number until quantiles are known.
pub const MOST_TRIALS: usize = 100_000_000;

/// The distribution of P(top) over trials.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Uncertainty {
    /// How many there were.
    pub trials: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation.
    pub standard_deviation: f64,
    /// The 95 % confidence interval of the mean.
    pub interval: [f64; 2],
    /// The factor between the median and the 97.5 % quantile of the lognormal distribution with
    /// this mean and deviation.
    pub error_factor: f64,
    /// Quantiles: a fraction of the trials, and the value that these do not exceed.
    pub quantiles: Vec<[f64; 2]>,
    /// Lower and upper bound of a bin, and the part of the trials in it.
    pub histogram: Vec<[f64; 3]>,
}

/// Why there are no trials.
#[derive(Clone, Debug)]
pub(crate) enum NoTrials {
    Stop(Stop),
    Model(FaultTreeFileError),
}

/// Draws trials.
pub(crate) fn uncertainty(
    analysis: &Analysis,
    model: &Model,
    time: f64,
    (trials, seed): (usize, u64),
    budget: &Budget,
    listener: Listener,
) -> Result<Uncertainty, NoTrials> {
    let passes = trials.div_ceil(LANES) as u64;
    let pass = analysis.pass(passes, budget).map_err(NoTrials::Stop)?;
    let drawing = Trials::new(model, &analysis.variables(), time);
    let blocks: Vec<usize> = (0..trials.div_ceil(BLOCK)).collect();
    let next = AtomicUsize::new(0);
    let one = |budget: &Budget| -> Vec<(usize, Result<Vec<f64>, NoTrials>)> {
        let mut done = Vec::new();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks.len() {
                return done;
            }
            listener.tell(|| Moment {
                doing: "trials".to_owned(),
                counted: format!("{} of {trials}", block * BLOCK),
                ..Moment::default()
            });
            let size = BLOCK.min(trials - block * BLOCK);
            let drawn = drawn(&pass, &drawing, (block, size, seed), budget);
            let stops = drawn.is_err();
            done.push((block, drawn));
            if stops {
                next.store(blocks.len(), Ordering::Relaxed);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(blocks.len()).max(1);
    let mut results: Vec<(usize, Result<Vec<f64>, NoTrials>)> = std::thread::scope(|scope| {
        let one = &one;
        let others = (1..threads).map(|_| {
            let part = budget.part(u64::MAX, u64::MAX);
            scope.spawn(move || one(&part))
        });
        let others: Vec<_> = others.collect();
        let mut results = one(budget);
        for other in others {
            results.extend(
                other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            );
        }
        results
    });
    // The error of the first block is reported, whichever thread finishes first.
    results.sort_unstable_by_key(|&(block, _)| block);
    let mut values = Vec::with_capacity(trials);
    for (_, result) in results {
        values.extend(result?);
    }
    Ok(Uncertainty::of(values))
}

/// The trials of a block.
fn drawn(
    pass: &Pass,
    trials: &Trials<'_>,
    (block, size, seed): (usize, usize, u64),
    budget: &Budget,
) -> Result<Vec<f64>, NoTrials> {
    let mut random = generator(seed, block as u64);
    let (mut room, mut values, mut events) = (Room::default(), Vec::new(), Vec::new());
    let mut found = Vec::with_capacity(size);
    let steps = pass.steps();
    while found.len() < size {
        budget.steps(steps.max(1)).map_err(NoTrials::Stop)?;
        let count = LANES.min(size - found.len());
        let first = block * BLOCK + found.len();
        trials
            .draw(first, count, &mut random, &mut values, &mut events)
            .map_err(NoTrials::Model)?;
        let top = pass.probability(|event| events[trials.place(event)], &mut room);
        found.extend(&top[..count]);
    }
    Ok(found)
}

impl Uncertainty {
    /// The statistics of some values, at least one.
    fn of(mut values: Vec<f64>) -> Self {
        let trials = values.len();
        let count = trials as f64;
        values.sort_unstable_by(f64::total_cmp);
        // From the least value on: where nothing is uncertain, nothing is rounded, and nothing
        // large is subtracted again.
        let first = values[0];
        let mean = first + values.iter().map(|value| value - first).sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let variance = if trials > 1 {
            squares / (count - 1.0)
        } else {
            0.0
        };
        let deviation = variance.sqrt();
        let of_mean = NORMAL_95 * deviation / count.sqrt();
        let of_logarithm = if mean > 0.0 {
            (variance / (mean * mean)).ln_1p().sqrt()
        } else {
            0.0
        };
        let quantiles = (1..=PARTS).map(|part| {
            let level = part as f64 / PARTS as f64;
            let place = (part * trials).div_ceil(PARTS).max(1) - 1;
            [level, values[place]]
        });
        let (least, greatest) = (values[0], values[trials - 1]);
        let bound = |part: usize| least + (greatest - least) * part as f64 / PARTS as f64;
        let histogram = (1..=PARTS).map(|part| {
            let (lower, upper) = (
                bound(part - 1),
                if part == PARTS { greatest } else { bound(part) },
            );
            let below = |limit: f64| values.partition_point(|&value| value < limit);
            let end = if part == PARTS { trials } else { below(upper) };
            [lower, upper, (end - below(lower)) as f64 / count]
        });
        Self {
            quantiles: quantiles.collect(),
            histogram: histogram.collect(),
            trials,
            mean,
            standard_deviation: deviation,
            // As exact as the mean: an end near 0 is one that only more trials would tell from 0.
            interval: [mean - of_mean, mean + of_mean],
            error_factor: (NORMAL_95 * of_logarithm).exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A great first value leaves its rounding in the mean if the others are taken from it.
    #[test]
    fn the_mean_is_as_exact_as_the_values() {
        let mut values = vec![1e-9; 99_999];
        values.insert(0, 1.0);
        let found = Uncertainty::of(values);
        let mean = (1.0 + 99_999.0 * 1e-9) / 1e5;
        assert!((found.mean / mean - 1.0).abs() < 1e-15, "{found:?}");
        assert_eq!(
            Uncertainty::of(vec![0.1; 7]).mean.to_bits(),
            0.1_f64.to_bits()
        );
    }
}
