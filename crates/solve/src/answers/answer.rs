//! Answers as data, as text for people and as JSON for programs.

use meetjoin_catalogue::method::ALGORITHMS;
use meetjoin_dag::NodeName;
use meetjoin_file::write_name;
use meetjoin_lattice::{Interval, Stop};
use meetjoin_search::Counts;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::answers::checkpoint::Checkpointed;
use crate::answers::value::Value;
use meetjoin_report::{Measured, Measuring, aligned, counted, json_line, raw};

/// The result of a search for one node.
#[derive(Clone, Debug)]
pub struct Found {
    /// The value, or bounds of it.
    pub value: Interval<Value>,
    /// Why the search was stopped, if it was.
    pub stop: Option<Stop>,
    /// Known bounds that are too long to be written within the limits; `value` has the least or the
    /// greatest value in their place.
    pub too_long: Option<TooLong>,
    /// Whether the bounds contradict each other, which means that stated bounds of the problem are
    /// false.
    pub contradiction: bool,
}

/// The lengths, in items, of bounds that are too long to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TooLong {
    /// The lower bound, if it is too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<usize>,
    /// The upper bound, if it is too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<usize>,
}

/// The counters of a search.
#[derive(Clone, Debug)]
pub struct Stats {
    /// Distinct nodes, if they were counted.
    pub nodes: Option<usize>,
    /// Visits and related counters.
    pub counts: Counts,
    /// `None` if there is no single cache to count.
    pub cache_entries: Option<usize>,
    /// Bytes held by the search when it ends: the cache and its frames.
    pub search_bytes: usize,
    /// The most bytes in use.
    pub peak_memory_bytes: usize,
    /// The time of the search alone.
    pub seconds: f64,
}

impl Stats {
    /// The cost of a search so far, without counts of nodes and cache entries.
    pub fn of(measuring: &Measuring, counts: Counts) -> Self {
        let Measured {
            seconds,
            bytes,
            peak,
        } = measuring.measured();
        Self {
            seconds,
            nodes: None,
            counts,
            cache_entries: None,
            search_bytes: bytes,
            peak_memory_bytes: peak,
        }
    }

    /// The counters as they stand in JSON.
    pub fn json(&self) -> StatsJson {
        let Self {
            nodes,
            counts,
            cache_entries,
            peak_memory_bytes,
            seconds,
            ..
        } = *self;
        StatsJson {
            nodes,
            visits: counts.visits,
            leaves: counts.leaves,
            cutoffs: counts.cutoffs,
            cache_hits: counts.cache_hits,
            probes: counts.probes,
            relaxed_visits: counts.relaxed_visits,
            cache_entries,
            peak_memory_bytes,
            seconds,
        }
    }

    /// Keys and values for people.
    pub fn lines(&self) -> Vec<(String, String)> {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        let Self { nodes, counts, .. } = self;
        let nodes = nodes.map_or(String::new(), |nodes| {
            format!("{}, ", counted(nodes, "distinct node"))
        });
        let leaves = counted(counts.leaves, "leaf");
        line("visits", format!("{} ({nodes}{leaves})", counts.visits));
        if counts.relaxed_visits > 0 {
            line("for bounds", counted(counts.relaxed_visits, "visit"));
        }
        if counts.probes > 0 {
            line("probes", counts.probes.to_string());
        }
        line("cutoffs", counts.cutoffs.to_string());
        let mib = |bytes: usize| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20));
        let hits = counted(counts.cache_hits, "hit");
        let cache = match self.cache_entries {
            Some(entries) => {
                let size = mib(self.search_bytes);
                format!("{}, {hits}, {size}", counted(entries, "entry"))
            }
            None => hits,
        };
        line("cache", cache);
        line("time", format!("{:.3} s", self.seconds));
        line("peak memory", mib(self.peak_memory_bytes));
        lines
    }
}

/// The complete answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The id of the algorithm.
    pub algorithm: &'static str,
    /// The root.
    pub root: Found,
    /// The name and value of each child of the root, if asked for.
    pub moves: Option<Vec<(NodeText, Found)>>,
    /// Additional facts about a game: keys with numbers, where known.
    pub facts: Facts,
    /// The cost of the search.
    pub stats: Stats,
    /// A strategy as JSON and as text, if it was asked for.
    pub strategy: Option<[String; 2]>,
    /// An explanation of the value, if asked for.
    pub explanation: Option<Vec<String>>,
    /// The outcome of checkpoints, if they were asked for.
    pub checkpoint: Option<Checkpointed>,
}

/// The name of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeText {
    /// As JSON.
    pub json: String,
    /// For people.
    pub text: String,
}

impl From<&NodeName> for NodeText {
    fn from(name: &NodeName) -> Self {
        let mut json = String::new();
        write_name(name, &mut json);
        let text = name.to_string();
        Self { json, text }
    }
}

/// Additional facts about a game: keys with numbers, where known.
#[derive(Clone, Debug, Default)]
pub struct Facts(pub Vec<(&'static str, Option<usize>)>);

impl Facts {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    format: &'a str,
    algorithm: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    worlds: Option<Vec<Box<RawValue>>>,
    #[serde(flatten)]
    root: FoundJson,
    #[serde(skip_serializing_if = "Facts::is_empty")]
    game: &'a Facts,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<&'a Checkpointed>,
    stats: StatsJson,
}

#[derive(Serialize)]
struct MoveJson {
    child: Box<RawValue>,
    #[serde(flatten)]
    found: FoundJson,
}

#[derive(Serialize)]
struct FoundJson {
    exact: bool,
    value: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<Box<RawValue>>,
    stop: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    too_long: Option<TooLong>,
}

/// The differences between versions of the format.
pub(crate) struct Version<S> {
    pub(crate) format: &'static str,
    /// The list of worlds, if values refer to them by index.
    pub(crate) worlds: Option<Vec<Box<RawValue>>>,
    /// Whether an exact value is repeated as its own bounds.
    pub(crate) repeats: bool,
    /// How a value is printed.
    pub(crate) show: S,
}

impl<S: FnMut(&Value) -> Box<RawValue>> Version<S> {
    fn found(&mut self, found: &Found) -> FoundJson {
        let (value, lower, upper) = match &found.value {
            Interval::Exact(value) => {
                let value = (self.show)(value);
                let bound = self.repeats.then(|| value.clone());
                (Some(value), bound.clone(), bound)
            }
            Interval::Between { lower, upper } => {
                let (lower, upper) = ((self.show)(lower), (self.show)(upper));
                (None, Some(lower), Some(upper))
            }
        };
        FoundJson {
            exact: value.is_some(),
            value,
            lower,
            upper,
            stop: found.stop.map(Stop::word),
            too_long: found.too_long,
        }
    }
}

/// The counters of a search as they stand in JSON.
#[derive(Serialize)]
pub struct StatsJson {
    nodes: Option<usize>,
    visits: u64,
    leaves: u64,
    cutoffs: u64,
    cache_hits: u64,
    probes: u64,
    pub(crate) relaxed_visits: u64,
    cache_entries: Option<usize>,
    peak_memory_bytes: usize,
    seconds: f64,
}

impl Answer {
    /// Returns whether no limit has withheld anything.
    pub fn is_complete(&self) -> bool {
        self.found().all(|found| found.stop.is_none())
    }

    /// Returns whether stated bounds of the problem contradict each other.
    pub fn contradicts(&self) -> bool {
        self.found().any(|found| found.contradiction)
    }

    /// One JSON object, `meetjoin-answer/1`.
    pub fn json(&self) -> String {
        self.json_of(Version {
            format: "meetjoin-answer/1",
            worlds: None,
            repeats: true,
            show: |value: &Value| raw(&value.json()),
        })
    }

    /// The answer as JSON in any version of the format.
    pub(crate) fn json_of(
        &self,
        mut version: Version<impl FnMut(&Value) -> Box<RawValue>>,
    ) -> String {
        let root = version.found(&self.root);
        let moves = self.moves.as_ref().map(|moves| {
            let child = |(name, found): &(NodeText, Found)| MoveJson {
                child: raw(&name.json),
                found: version.found(found),
            };
            moves.iter().map(child).collect()
        });
        json_line(&AnswerJson {
            format: version.format,
            algorithm: self.algorithm,
            worlds: version.worlds,
            root,
            game: &self.facts,
            moves,
            strategy: self.strategy.as_ref().map(|[json, _]| raw(json.trim_end())),
            explanation: self.explanation.as_deref(),
            checkpoint: self.checkpoint.as_ref(),
            stats: self.stats.json(),
        })
    }

    /// All results, the root's first.
    pub(crate) fn found(&self) -> impl Iterator<Item = &Found> {
        let moves = self.moves.iter().flatten().map(|(_, found)| found);
        std::iter::once(&self.root).chain(moves)
    }

    /// A few aligned lines for people, and with `verbose` the algorithm and the cost.
    pub fn text(&self, verbose: bool) -> String {
        let mut lines: Vec<(String, String)> = Vec::new();
        match &self.root.value {
            Interval::Exact(value) => push_value("value", value, &mut lines),
            Interval::Between { lower, upper } => {
                push_value("lower bound", lower, &mut lines);
                push_value("upper bound", upper, &mut lines);
            }
        }
        let mut line = |key: &str, value: String| lines.push((key.to_owned(), value));
        if let Some(stop) = self.root.stop {
            line("stopped", stop.to_string());
        }
        if let Some(TooLong { lower, upper }) = self.root.too_long {
            let known = "known, but too long to be written within the limits";
            for (side, items) in [("lower", lower), ("upper", upper)] {
                if let Some(items) = items {
                    line(
                        &format!("{side} list"),
                        format!("{}, {known}", counted(items, "item")),
                    );
                }
            }
        }
        for (key, number) in &self.facts.0 {
            if let Some(number) = number {
                line(key, number.to_string());
            }
        }
        for (name, found) in self.moves.iter().flatten() {
            let key = format!("move {}", name.text);
            match &found.value {
                Interval::Exact(value) => push_value(&key, value, &mut lines),
                Interval::Between { lower, upper } => {
                    let between = format!("from {} to {}", lower.text(), upper.text());
                    lines.push((key, between));
                }
            }
        }
        if verbose {
            lines.push(("algorithm".to_owned(), self.algorithm.to_owned()));
            lines.extend(self.stats.lines());
        }
        if let Some(done) = &self.checkpoint {
            let of = if done.damaged {
                ", from a file that is not whole"
            } else {
                ""
            };
            let (loaded, saved) = (done.loaded, done.saved);
            lines.push((
                "checkpoint".to_owned(),
                format!("{} read{of}, {saved} written", counted(loaded, "entry")),
            ));
        }
        let mut text = aligned(&lines);
        for (place, sentence) in self.explanation.iter().flatten().enumerate() {
            text.extend([if place == 0 { "\n" } else { "" }, sentence, "\n"]);
        }
        if let Some([_, plan]) = &self.strategy {
            text.extend(["\n", plan]);
        }
        text
    }
}

/// Adds a value in lines, the first of which has the key.
fn push_value(key: &str, value: &Value, lines: &mut Vec<(String, String)>) {
    for (place, line) in value.lines().into_iter().enumerate() {
        let key = if place == 0 { key } else { "" };
        lines.push((key.to_owned(), line));
    }
}

/// The table of algorithms, for people: a row for each, and below it the name and the source.
pub fn algorithms() -> String {
    let header = ["id", "lattice must be", "memory", "name: source"].map(str::to_owned);
    let rows = ALGORITHMS.iter().map(|a| {
        let below = format!("{}: {}", a.name, a.source);
        [a.id, a.needs().trait_name(), a.memory(), &below].map(str::to_owned)
    });
    let rows: Vec<[String; 4]> = std::iter::once(header).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let [ids, needs] = [0, 1].map(|column| width(column).unwrap_or(0));
    let lines = rows.iter().map(|[id, need, memory, below]| {
        format!("{id:ids$}  {need:needs$}  {memory}\n  {below}\n")
    });
    lines.collect()
}
