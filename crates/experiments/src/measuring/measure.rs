//! Measuring: one algorithm on one game.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use meetjoin_lattice::{Budget, Limits, MemoryLimit, Stop};
use sha2::{Digest, Sha256};

use crate::measuring::instance::{Instance, Solved};
use crate::measuring::memory;

/// The limits of a run, and the folder of its data.
#[derive(Clone, Debug)]
pub(crate) struct RunLimits {
    pub(crate) time: Duration,
    /// Bytes.
    pub(crate) memory: u64,
    /// Cancels everything.
    pub(crate) cancel: Arc<AtomicBool>,
    /// How many games of a survey are asked at once. Timed runs are never concurrent.
    pub(crate) jobs: usize,
    /// A folder with problems that are not part of the project.
    pub(crate) data: Option<PathBuf>,
}

#[cfg(test)]
impl RunLimits {
    /// Limits that no test meets.
    pub(crate) fn ample() -> Self {
        Self {
            time: Duration::from_secs(60),
            memory: 1 << 40,
            cancel: Arc::default(),
            jobs: 2,
            data: None,
        }
    }
}

/// A short run is repeated until it has taken this long in all ..
const LONG_ENOUGH: f64 = 0.1;
/// .. or this often.
const MOST_REPETITIONS: usize = 5;

/// Runs an algorithm: timed, with repetitions if that is short, and once more to count nodes if it
/// came to its end. `None` if it was cancelled.
///
/// # Errors
/// If two complete runs differ in what they visit or find, which they never may.
pub(crate) fn measure(
    instance: &dyn Instance,
    algorithm: &str,
    limits: &RunLimits,
) -> Result<Option<Solved>, String> {
    let run = |time, count_nodes| {
        let budget = Budget::new(Limits {
            time,
            memory: Some(MemoryLimit {
                bytes: limits.memory,
                used: || memory::peak() as u64,
            }),
            cancel: Some(Arc::clone(&limits.cancel)),
            ..Limits::default()
        });
        instance.solve(algorithm, &budget, count_nodes)
    };
    let cancelled = |solved: &Solved| solved.stop == Some(Stop::Cancelled);
    let mut first = run(Some(limits.time), false)?;
    if first.stop.is_some() {
        return Ok((!cancelled(&first)).then_some(first));
    }
    let check = |again: &Solved| {
        let same = again.counts == first.counts || !instance.is_deterministic(algorithm);
        if same && again.value == first.value {
            return Ok(());
        }
        let (one, other) = (first.counts, again.counts);
        Err(format!(
            "{algorithm} is not deterministic: {one:?}, then {other:?}"
        ))
    };
    let mut times = vec![first.seconds];
    while times.iter().sum::<f64>() < LONG_ENOUGH && times.len() < MOST_REPETITIONS {
        let again = run(Some(limits.time), false)?;
        match again.stop {
            None => check(&again)?,
            Some(Stop::Cancelled) => return Ok(None),
            // On a loaded machine even a short run may meet a short limit; complete runs before it
            // count.
            Some(_) => break,
        }
        times.push(again.seconds);
    }
    let counted = run(None, true)?;
    match counted.stop {
        None => check(&counted)?,
        Some(Stop::Cancelled) => return Ok(None),
        // The set of nodes did not fit into memory beside the search, so their number is unknown.
        Some(_) => {}
    }
    first.nodes = counted.nodes.filter(|_| counted.stop.is_none());
    first.seconds = median(&mut times);
    Ok(Some(first))
}

/// The middle value, or the mean of the two in the middle.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values[middle]
    } else {
        f64::midpoint(values[middle - 1], values[middle])
    }
}

/// The digest of a value: the first 16 hexadecimal digits of the SHA-256 of its compact JSON.
pub(crate) fn digest(value: &str) -> String {
    let hash = Sha256::digest(value.as_bytes());
    let first = hash.iter().take(8);
    let first = first.fold(0, |number, byte| number << 8 | u64::from(*byte));
    format!("{first:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_other_programs() {
        // printf '[1,2]' | sha256sum
        assert_eq!(digest("[1,2]"), "49a64717d5d4cb19");
    }

    #[test]
    fn medians() {
        assert!((median(&mut [3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(&mut [4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-12);
    }
}
