//! Questions to a problem whose levels all have values: counts, and the values of some positions.

use std::collections::HashMap;

use meetjoin_dag::Kind;
use meetjoin_file::read_value;
use meetjoin_lattice::{AnyElem, Lattice};
use meetjoin_solve::{Nodes, Place};

use crate::disk::folder::{Folder, Listing};
use crate::disk::key::Key;
use crate::disk::level::{self, Known};
use crate::disk::level_file::Content;
use crate::disk::values::Values;
use crate::failure::Failure;
use crate::failure::stopped;
use crate::solution::{LevelCounts, Line, Shown, ValueCount};
use crate::steps::worker::Worker;
use crate::talk::rounds::Report;

/// For each value: nodes, and the positions that they stand for.
type Counts = HashMap<String, [u64; 2]>;

/// How many nodes of each level have each value. `nodes` has the nodes of each level.
pub(crate) fn counts<K: Key>(
    worker: &mut Worker<'_>,
    nodes: &[u64],
) -> Result<Vec<LevelCounts>, Failure> {
    let files = worker.folder.list()?;
    let with_positions = worker.problem.is_up_to_symmetry();
    let mut levels = Vec::new();
    for (level, &nodes) in nodes.iter().enumerate() {
        let own = count::<K>(worker, level as u32, &files)?;
        let report = Report::saying(&own);
        let reports = worker.rounds.finish(&report, |_| Ok(()))?;
        let mut all = Counts::new();
        for report in reports {
            let of_worker: Counts = serde_json::from_str(&report.text).unwrap_or_default();
            for (value, of_value) in of_worker {
                let sums = all.entry(value).or_default();
                sums[0] += of_value[0];
                sums[1] += of_value[1];
            }
        }
        let mut values: Vec<ValueCount> = Vec::new();
        for (json, [nodes, positions]) in all {
            values.push(ValueCount {
                value: shown(worker, &json),
                nodes,
                positions: with_positions.then_some(positions),
            });
        }
        values.sort_by(|a, b| {
            let by_number = b.nodes.cmp(&a.nodes);
            by_number.then_with(|| a.value.json.cmp(&b.value.json))
        });
        let positions: Option<u64> = values.iter().map(|count| count.positions).sum();
        levels.push(LevelCounts {
            nodes,
            positions: positions.filter(|_| with_positions),
            values: Some(values),
        });
    }
    Ok(levels)
}

/// Counts a worker's nodes of a level by value.
fn count<K: Key>(worker: &Worker<'_>, level: u32, files: &Listing) -> Result<Counts, Failure> {
    let share = |content| {
        let share = worker.folder.share(level, content, &worker.parts, files)?;
        share.ok_or_else(|| gone(level))
    };
    let values = share(Content::Values)?;
    // Only keys tell how many positions a node stands for.
    let keys = if worker.problem.is_up_to_symmetry() {
        Some(share(Content::Keys)?)
    } else {
        None
    };
    let mut own = Counts::new();
    for part in worker.parts.clone() {
        worker.check()?;
        let (file, numbers) = level::numbers(&values, part)?;
        let mut counts = vec![[0; 2]; values.files.get(file).map_or(0, |file| file.values.len())];
        for number in &numbers {
            counts[*number as usize][0] += 1;
        }
        if let Some(keys) = &keys {
            let keys = level::keys::<K>(keys, part)?;
            for (key, number) in keys.into_iter().zip(numbers) {
                counts[number as usize][1] += worker.nodes.images(key.wide());
            }
        }
        for (number, [nodes, positions]) in counts.into_iter().enumerate() {
            if nodes > 0 {
                let text = values.files[file].values[number].clone();
                let sums = own.entry(text).or_default();
                sums[0] += nodes;
                sums[1] += positions;
            }
        }
    }
    Ok(own)
}

fn gone(level: u32) -> Failure {
    Failure::Broken(format!(
        "files of level {level} have gone while they were needed; run again"
    ))
}

/// A value by its text in files.
fn shown(worker: &Worker<'_>, json: &str) -> Shown {
    read_value(worker.problem.lattice(), json).map_or_else(
        |_| Shown {
            text: json.to_owned(),
            json: json.to_owned(),
        },
        |element| as_shown(&*worker.nodes, &element),
    )
}

fn as_shown(nodes: &dyn Nodes, element: &AnyElem) -> Shown {
    let value = nodes.value(element);
    Shown {
        json: value.json(),
        text: value.text(),
    }
}

/// The positions after these lines of moves, with their values and those of their moves. The first
/// is the root.
pub(crate) fn lines<K: Key>(
    worker: &mut Worker<'_>,
    lines: &[Vec<String>],
) -> Result<Vec<Line>, Failure> {
    let mut found = Vec::new();
    let root = std::iter::once(Vec::new());
    let all: Vec<Vec<String>> = root.chain(lines.iter().cloned()).collect();
    for moves in all {
        found.push(line::<K>(worker, moves)?);
    }
    Ok(found)
}

/// The node after these moves.
fn walk(nodes: &dyn Nodes, moves: &[String]) -> Result<(u32, u128), Failure> {
    let (mut level, mut node) = (0, nodes.root());
    for (i, name) in moves.iter().enumerate() {
        let mut children = Vec::new();
        nodes.expand(node, &mut children);
        let next = children
            .iter()
            .find(|child| nodes.move_name(node, **child) == *name);
        let Some(next) = next else {
            let names = children.iter().map(|child| nodes.move_name(node, *child));
            let names: Vec<String> = names.take(20).collect();
            let (place, position) = (i + 1, nodes.name(node).text);
            let there_are = if names.is_empty() {
                "there are none".to_owned()
            } else {
                format!("there are {}", names.join(", "))
            };
            return Err(Failure::Input(format!(
                "--at: move {place}, {name:?}, is none of the moves of {position}; {there_are}"
            )));
        };
        level = nodes.level(level, *next);
        node = *next;
    }
    Ok((level, node))
}

/// Checks that lines can be played, before anything is computed.
pub(crate) fn check(nodes: &dyn Nodes, lines: &[Vec<String>]) -> Result<(), Failure> {
    lines
        .iter()
        .try_for_each(|moves| walk(nodes, moves).map(drop))
}

fn line<K: Key>(worker: &mut Worker<'_>, moves: Vec<String>) -> Result<Line, Failure> {
    let (level, node) = walk(&*worker.nodes, &moves)?;
    let mut children = Vec::new();
    let kind = worker.nodes.expand(node, &mut children);
    let (mut asked, mut names) = (vec![(level, node)], Vec::new());
    for child in children {
        let level = worker.nodes.level(level, child);
        names.push(worker.nodes.move_name(node, child));
        asked.push((level, child));
    }
    let own = values_of::<K>(worker.folder, worker, &asked)?;
    let report = Report::saying(&own);
    let reports = worker.rounds.finish(&report, |_| Ok(()))?;
    let mut elements: Vec<Option<AnyElem>> = vec![None; asked.len()];
    for report in reports {
        let told: Vec<(usize, String)> = serde_json::from_str(&report.text).unwrap_or_default();
        for (place, text) in told {
            if let Some(element) = elements.get_mut(place) {
                *element = read_value(worker.problem.lattice(), &text).ok();
            }
        }
    }
    let elements: Option<Vec<AnyElem>> = elements.into_iter().collect();
    let elements = elements.ok_or_else(|| {
        Failure::Broken(
            "a node that was asked for has no value; the processes were asked for different lines"
                .to_owned(),
        )
    })?;
    let lattice = worker.problem.lattice();
    let is_best = |value: &AnyElem| {
        // A move is best if no other is better for the player to move.
        for other in &elements[1..] {
            let (low, high) = if kind == Kind::Or {
                (value, other)
            } else {
                (other, value)
            };
            if value != other && lattice.leq(low, high, worker.budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let best: Result<Vec<bool>, _> = elements[1..].iter().map(is_best).collect();
    let best = best.map_err(stopped)?;
    let name = worker.nodes.name(node);
    let shown: Vec<Shown> = elements
        .iter()
        .map(|value| as_shown(&*worker.nodes, value))
        .collect();
    Ok(Line {
        moves,
        name: Shown {
            json: name.json,
            text: name.text,
        },
        value: shown[0].clone(),
        children: names
            .into_iter()
            .zip(shown.into_iter().skip(1))
            .zip(best)
            .map(|((name, value), best)| (name, value, best))
            .collect(),
    })
}

/// The values of those nodes that the worker owns, by their places.
fn values_of<K: Key>(
    folder: &Folder,
    worker: &Worker<'_>,
    asked: &[Place],
) -> Result<Vec<(usize, String)>, Failure> {
    let files = folder.list()?;
    let mut found = Vec::new();
    for (place, &(level, key)) in asked.iter().enumerate() {
        let key = K::from_wide(key);
        let part = key.part();
        if !worker.parts.contains(&part) {
            continue;
        }
        let mut values = Values::new(worker.problem.lattice().clone());
        let parts = &worker.parts;
        let mut known = Known::<K>::open(folder, level, parts, &files, &mut values, 0)?;
        let pairs = known.part(part)?;
        if let Ok(at) = pairs.0.binary_search(&key) {
            found.push((place, values.text(pairs.1[at]).to_owned()));
        }
    }
    Ok(found)
}
