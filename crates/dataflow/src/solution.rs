//! The result of a run, and how it is written.

use std::fmt::Write as _;

use meetjoin_report::counted;
use serde::Serialize;
use serde_json::value::RawValue;

/// A value as JSON and for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// As JSON.
    pub json: String,
    /// For people.
    pub text: String,
}

/// A level of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelCounts {
    /// Its nodes.
    pub nodes: u64,
    /// How many positions they stand for, if nodes were counted and symmetric positions are merged.
    pub positions: Option<u64>,
    /// Values and how many nodes have each, if that was asked for.
    pub values: Option<Vec<ValueCount>>,
}

/// How many nodes of a level have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCount {
    /// The value.
    pub value: Shown,
    /// The number of nodes.
    pub nodes: u64,
    /// How many positions they stand for, as of the level.
    pub positions: Option<u64>,
}

/// A position that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The moves that lead there.
    pub moves: Vec<String>,
    /// The name of the position.
    pub name: Shown,
    /// Its value.
    pub value: Shown,
    /// Its moves, the value of each, and whether it is best for the player to move.
    pub children: Vec<(String, Shown, bool)>,
}

/// What a run finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The value of the root.
    pub value: Shown,
    /// The levels from the root on.
    pub levels: Vec<LevelCounts>,
    /// The root, and each position that was asked for.
    pub lines: Vec<Line>,
    /// How many workers there were in all processes.
    pub workers: usize,
    /// Levels that earlier runs had expanded, and evaluated.
    pub before: [u32; 2],
    /// Children of the nodes evaluated in this run. See also `asked`.
    pub children: u64,
    /// How many children were asked for: the others were leaves, or could not change a value any
    /// more.
    pub asked: u64,
    /// Seconds for the way down, and for the way up.
    pub seconds: [f64; 2],
    /// Bytes of the level files of all workers, if each has its own.
    pub bytes: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Json {
    value: Box<RawValue>,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    levels: Vec<LevelJson>,
    lines: Vec<LineJson>,
    stats: Stats,
}

#[derive(Serialize)]
struct LevelJson {
    level: usize,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<ValueJson>>,
}

#[derive(Serialize)]
struct ValueJson {
    value: Box<RawValue>,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
}

#[derive(Serialize)]
struct LineJson {
    moves: Vec<String>,
    node: Box<RawValue>,
    value: Box<RawValue>,
    children: Vec<ChildJson>,
}

#[derive(Serialize)]
struct ChildJson {
    r#move: String,
    value: Box<RawValue>,
    best: bool,
}

#[derive(Serialize)]
struct Stats {
    workers: usize,
    expanded_before: u32,
    evaluated_before: u32,
    children: u64,
    asked: u64,
    seconds_down: f64,
    seconds_up: f64,
    bytes: u64,
}

fn raw(shown: &Shown) -> Box<RawValue> {
    // Values are written by the library, as JSON.
    RawValue::from_string(shown.json.clone()).unwrap_or_default()
}

impl Solution {
    /// All nodes.
    pub fn nodes(&self) -> u64 {
        self.levels.iter().map(|level| level.nodes).sum()
    }

    /// All positions that they stand for, if they were counted and differ from nodes.
    pub fn positions(&self) -> Option<u64> {
        self.levels.iter().map(|level| level.positions).sum()
    }

    /// As a JSON object on one line.
    pub fn json(&self) -> String {
        let level = |(level, counts): (usize, &LevelCounts)| LevelJson {
            level,
            nodes: counts.nodes,
            positions: counts.positions,
            values: counts.values.as_ref().map(|values| {
                let values = values.iter().map(|count| ValueJson {
                    value: raw(&count.value),
                    nodes: count.nodes,
                    positions: count.positions,
                });
                values.collect()
            }),
        };
        let line = |line: &Line| LineJson {
            moves: line.moves.clone(),
            node: raw(&line.name),
            value: raw(&line.value),
            children: line
                .children
                .iter()
                .map(|(name, value, best)| ChildJson {
                    r#move: name.clone(),
                    value: raw(value),
                    best: *best,
                })
                .collect(),
        };
        let json = Json {
            value: raw(&self.value),
            nodes: self.nodes(),
            positions: self.positions(),
            levels: self.levels.iter().enumerate().map(level).collect(),
            lines: self.lines.iter().map(line).collect(),
            stats: Stats {
                workers: self.workers,
                expanded_before: self.before[0],
                evaluated_before: self.before[1],
                children: self.children,
                asked: self.asked,
                seconds_down: self.seconds[0],
                seconds_up: self.seconds[1],
                bytes: self.bytes,
            },
        };
        let mut text = serde_json::to_string(&json).unwrap_or_default();
        text.push('\n');
        text
    }

    /// For people.
    pub fn text(&self, verbose: bool) -> String {
        let mut text = format!("value: {}\n", self.value.text);
        for (i, line) in self.lines.iter().enumerate() {
            if i > 0 {
                let moves = line.moves.join(",");
                // Writing to a string cannot fail, here and below.
                let _ = writeln!(
                    text,
                    "after {moves}: {}, value {}",
                    line.name.text, line.value.text
                );
            }
            for (name, value, best) in &line.children {
                let mark = if *best { ", best" } else { "" };
                let _ = writeln!(text, "  {name}: {}{mark}", value.text);
            }
        }
        let with_values = self.levels.iter().any(|level| level.values.is_some());
        if with_values {
            let what = if self.positions().is_some() {
                "positions, all images counted,"
            } else {
                "nodes"
            };
            let _ = writeln!(text, "{what} by level and value:");
        }
        for (level, counts) in self.levels.iter().enumerate().filter(|_| with_values) {
            let _ = write!(
                text,
                "  {level}: {}",
                counts.positions.unwrap_or(counts.nodes)
            );
            for count in counts.values.iter().flatten() {
                let number = count.positions.unwrap_or(count.nodes);
                let _ = write!(text, "; {}: {number}", count.value.text);
            }
            text.push('\n');
        }
        if !verbose {
            return text;
        }
        let [expanded, evaluated] = self.before;
        let [down, up] = self.seconds;
        let per_node = self.bytes as f64 / self.nodes().max(1) as f64;
        let positions = self.positions().map_or_else(String::new, |positions| {
            format!(", which stand for {},", counted(positions, "position"))
        });
        let _ = writeln!(
            text,
            "{}{positions} on {}, {}, {down:.1} s down, {up:.1} s up, {per_node:.2} bytes a node",
            counted(self.nodes(), "node"),
            counted(self.levels.len(), "level"),
            counted(self.workers, "worker")
        );
        if expanded + evaluated > 0 {
            let _ = writeln!(
                text,
                "{} had been expanded and {evaluated} evaluated before",
                counted(expanded, "level")
            );
        }
        text
    }
}
