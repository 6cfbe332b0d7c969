//! A row of the data: one run of one algorithm on one game.

use serde::{Deserialize, Serialize};

/// What `data.json` and `data.csv` hold for each run. What is not known is `null`, or empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) panel: String,
    pub(crate) parameter: String,
    pub(crate) value: u32,
    pub(crate) algorithm: String,
    pub(crate) seed: u64,
    /// Median of a few repetitions where one is short; where the run was stopped, the time until
    /// then.
    pub(crate) seconds: Option<f64>,
    /// Distinct nodes visited; known of complete runs.
    pub(crate) nodes: Option<u64>,
    pub(crate) visits: Option<u64>,
    pub(crate) probes: Option<u64>,
    /// Visits of searches for bounds in a simpler lattice.
    pub(crate) relaxed_visits: Option<u64>,
    pub(crate) leaves: Option<u64>,
    /// The most memory that the search held at once, besides the game.
    pub(crate) peak_bytes: Option<u64>,
    /// Why the run was stopped: the limit's word, or [`SKIPPED`] if it was not even begun.
    pub(crate) stop: Option<String>,
    /// The first 16 hexadecimal digits of the SHA-256 of the compact JSON of the exact value.
    pub(crate) digest: Option<String>,
}

/// The stop of a run that was not begun, for two runs at an easier point had been stopped.
pub(crate) const SKIPPED: &str = "skipped";

const COLUMNS: &str = "panel,parameter,value,algorithm,seed,seconds,nodes,visits,probes,relaxed_visits,leaves,peak_bytes,stop,digest";

impl Row {
    /// Returns whether the run came to its end.
    pub(crate) fn ended(&self) -> bool {
        self.stop.is_none()
    }

    /// Visits, probes and visits of searches for bounds, together.
    pub(crate) fn effort(&self) -> Option<u64> {
        Some(self.visits? + self.probes? + self.relaxed_visits?)
    }

    pub(crate) fn skipped(&self) -> bool {
        self.stop.as_deref() == Some(SKIPPED)
    }

    /// Returns whether two rows are the same run: same panel, value, seed and algorithm.
    pub(crate) fn same_run(&self, other: &Self) -> bool {
        (&self.panel, self.value, &self.algorithm, self.seed)
            == (&other.panel, other.value, &other.algorithm, other.seed)
    }

    fn csv(&self) -> String {
        fn text<T: ToString>(value: Option<&T>) -> String {
            value.map_or_else(String::new, ToString::to_string)
        }
        [
            self.panel.clone(),
            self.parameter.clone(),
            self.value.to_string(),
            self.algorithm.clone(),
            self.seed.to_string(),
            text(self.seconds.as_ref()),
            text(self.nodes.as_ref()),
            text(self.visits.as_ref()),
            text(self.probes.as_ref()),
            text(self.relaxed_visits.as_ref()),
            text(self.leaves.as_ref()),
            text(self.peak_bytes.as_ref()),
            text(self.stop.as_ref()),
            text(self.digest.as_ref()),
        ]
        .join(",")
    }
}

/// All rows as `data.csv`. No field holds a comma or a quote.
pub(crate) fn csv(rows: &[Row]) -> String {
    let lines = rows.iter().map(Row::csv);
    let lines = std::iter::once(COLUMNS.to_owned()).chain(lines);
    lines.map(|line| line + "\n").collect()
}

/// All rows as `data.json`: a list, one row a line.
pub(crate) fn json(rows: &[Row]) -> Result<String, String> {
    let lines: Result<Vec<String>, _> = rows.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|error| error.to_string())?;
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}

/// Reads a `data.json`.
pub(crate) fn from_json(text: &str) -> Result<Vec<Row>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
