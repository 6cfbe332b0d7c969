//! Comparison with an earlier run: the rows of an old `data.json` beside the new ones.

use crate::measuring::measure::median;
use crate::panels::row::Row;

/// How the runs of an algorithm in a panel moved. Only runs that both have count.
#[derive(Debug, PartialEq)]
pub(crate) struct Moved {
    pub(crate) panel: String,
    pub(crate) algorithm: String,
    /// Runs that came to their end both times.
    pub(crate) runs: usize,
    /// Medians of new over old.
    pub(crate) seconds: Option<f64>,
    pub(crate) visits: Option<f64>,
    pub(crate) memory: Option<f64>,
    /// Runs that now come to their end, and those that no longer do.
    pub(crate) gained: usize,
    pub(crate) lost: usize,
}

/// The changes by panel and algorithm, and a sentence for each game whose value has changed.
pub(crate) fn compare(old: &[Row], new: &[Row]) -> (Vec<Moved>, Vec<String>) {
    let pairs: Vec<(&Row, &Row)> = new
        .iter()
        .filter_map(|new| Some((old.iter().find(|old| old.same_run(new))?, new)))
        .collect();
    let mut panels: Vec<&str> = new.iter().map(|row| &*row.panel).collect();
    panels.dedup();
    let mut moved = Vec::new();
    for panel in panels {
        // In the order in which they ran.
        let mut algorithms: Vec<&str> = Vec::new();
        for row in new.iter().filter(|row| row.panel == panel) {
            if !algorithms.contains(&&*row.algorithm) {
                algorithms.push(&row.algorithm);
            }
        }
        for algorithm in algorithms {
            let mine = pairs
                .iter()
                .filter(|(_, new)| (&*new.panel, &*new.algorithm) == (panel, algorithm));
            let mine: Vec<(&Row, &Row)> = mine.copied().collect();
            if mine.is_empty() {
                continue;
            }
            let both = mine.iter().filter(|(old, new)| old.ended() && new.ended());
            let both: Vec<&(&Row, &Row)> = both.collect();
            let ratio = |of: fn(&Row) -> Option<f64>| {
                let ratios = both
                    .iter()
                    .filter_map(|(old, new)| Some(of(new)? / of(old)?));
                let mut ratios: Vec<f64> = ratios.filter(|ratio| ratio.is_finite()).collect();
                (!ratios.is_empty()).then(|| median(&mut ratios))
            };
            moved.push(Moved {
                panel: panel.to_owned(),
                algorithm: algorithm.to_owned(),
                runs: both.len(),
                seconds: ratio(|row| row.seconds),
                visits: ratio(|row| row.visits.map(|visits| visits as f64)),
                memory: ratio(|row| row.peak_bytes.map(|bytes| bytes as f64)),
                gained: mine
                    .iter()
                    .filter(|(old, new)| !old.ended() && new.ended())
                    .count(),
                lost: mine
                    .iter()
                    .filter(|(old, new)| old.ended() && !new.ended())
                    .count(),
            });
        }
    }
    let changed = pairs.iter().filter(|(old, new)| {
        old.digest.is_some() && new.digest.is_some() && old.digest != new.digest
    });
    let changed = changed.map(|(_, row)| {
        format!(
            "panel {}, {} = {}, seed {}: {} finds another value than before",
            row.panel, row.parameter, row.value, row.seed, row.algorithm
        )
    });
    (moved, changed.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::row;

    #[test]
    fn moves_are_medians_over_common_runs() {
        let run = |seed, seconds, stop, digest: Option<&str>| Row {
            seed,
            digest: digest.map(str::to_owned),
            visits: Some(100),
            ..row("minimax-cached", Some(seconds), stop)
        };
        let old = [
            run(1, 1.0, None, Some("a")),
            run(2, 1.0, None, Some("b")),
            run(3, 2.0, Some("time"), None),
            run(4, 1.0, None, Some("d")),
        ];
        let new = [
            run(1, 0.5, None, Some("a")),
            run(2, 0.7, None, Some("c")),
            run(3, 1.0, None, Some("x")),
            run(4, 2.0, Some("time"), None),
            run(5, 2.0, None, None),
        ];
        let (moved, changed) = compare(&old, &new);
        let expected = Moved {
            panel: "p".to_owned(),
            algorithm: "minimax-cached".to_owned(),
            runs: 2,
            seconds: Some(0.6),
            visits: Some(1.0),
            memory: None,
            gained: 1,
            lost: 1,
        };
        assert_eq!(moved, [expected]);
        assert_eq!(changed.len(), 1);
        assert!(changed[0].contains("seed 2"), "{changed:?}");
    }
}
