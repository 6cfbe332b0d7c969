//! The way up: levels are evaluated in turn, from the last one to the root.
//!
//! Each worker expands its own nodes again, asks the owners of the children for their values, and
//! takes meets and joins of the answers. Edges are never stored: generating a node's children again
//! is cheaper than reading them. Owners answer what was asked in a round part by part, so that each
//! part of a level is read once a round.
//!
//! Early ends: a child that is a leaf is not asked for, since any worker can compute its value. The
//! other children are asked for in waves, and a node whose value no child changes any more (top of
//! an OR node, bottom of an AND node) asks no further.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use meetjoin_dag::Kind;

use crate::disk::coding::write_numbers;
use crate::disk::folder::{Listing, Share};
use crate::disk::key::{Key, from_bytes, owner, to_bytes};
use crate::disk::level::{self, Known};
use crate::disk::level_file::Content;
use crate::disk::values::Values;
use crate::failure::Failure;
use crate::failure::stopped;
use crate::steps::worker::Worker;
use crate::talk::rounds::{Body, Bytes, Report};

/// How many keys are sent in one question.
const TOGETHER: usize = 1 << 13;
/// How many children of a node are asked for at a time. A node that two children leave open is
/// seldom settled by a third.
const WAVES: [usize; 3] = [1, 1, usize::MAX];

/// Counters of the way up.
pub(crate) struct Evaluated {
    /// How many levels had been evaluated before.
    pub(crate) before: u32,
    /// On the levels evaluated now: the children of this worker's nodes.
    pub(crate) children: u64,
    pub(crate) asked: u64,
}

/// Evaluates those of the first `levels` levels that are not evaluated yet.
pub(crate) fn evaluate<K: Key>(worker: &mut Worker<'_>, levels: u32) -> Result<Evaluated, Failure> {
    let files = worker.folder.list()?;
    let mut lowest = levels;
    while let Some(level) = lowest.checked_sub(1) {
        let share = worker
            .folder
            .share(level, Content::Values, &worker.parts, &files)?;
        if share.is_none() {
            break;
        }
        lowest = level;
    }
    let all = worker.gather(vec![lowest.into()])?;
    let lowest = all.iter().filter_map(|numbers| numbers.first()).max();
    let lowest = lowest.map_or(levels, |lowest| *lowest as u32);
    let mut done = Evaluated {
        before: levels - lowest,
        children: 0,
        asked: 0,
    };
    for level in (0..lowest).rev() {
        // Each worker answers from its own files, so none waits for files of others.
        evaluate_level::<K>(worker, level, &mut done)?;
    }
    Ok(done)
}

/// Levels below the one in work, by their numbers.
type Below<K> = BTreeMap<u32, Known<K>>;

/// Nodes that are evaluated together.
struct Chunk<K> {
    /// Parts, and how many nodes each has here.
    parts: Vec<(usize, usize)>,
    nodes: Vec<Node>,
    /// The children of the nodes, one row after the other.
    children: Vec<K>,
}

/// A node that is being evaluated.
struct Node {
    kind: Kind,
    /// The value of a leaf, or of the children so far.
    value: u32,
    /// The next child to ask for, and where the children end.
    next: usize,
    end: usize,
}

impl Node {
    /// The end of the children that a wave asks for: at most `most` of them, and none if no child
    /// can change the value any more.
    fn wave(&self, most: usize, values: &Values) -> usize {
        if self.value == values.settled(self.kind) {
            self.next
        } else {
            self.next.saturating_add(most).min(self.end)
        }
    }
}

fn evaluate_level<K: Key>(
    worker: &mut Worker<'_>,
    level: u32,
    done: &mut Evaluated,
) -> Result<(), Failure> {
    let (index, workers) = (worker.rounds.index(), worker.rounds.workers());
    let mut values = Values::new(worker.problem.lattice().clone());
    let mut below = Below::<K>::new();
    let files = worker.folder.list()?;
    let share = worker
        .folder
        .share(level, Content::Keys, &worker.parts, &files)?;
    let share = share.ok_or_else(|| {
        Failure::Broken(format!(
            "files of level {level} have gone while they were needed; run again"
        ))
    })?;
    let mut out = worker
        .folder
        .writer(level, Content::Values, index, workers)?;
    let mut local = Local::default();
    let mut parts = worker.parts.clone();
    loop {
        let mut chunk = read_chunk::<K>(worker, &share, &mut parts, &mut values, done)?;
        let mut more = !parts.is_empty();
        for wave in WAVES {
            done.asked += ask(worker, level, &chunk, wave, &values);
            let (told, any) = answers(worker, more, &files, &mut below, &mut values)?;
            more = any;
            fold(worker, &mut chunk, wave, &told, &mut values)?;
        }
        let mut nodes = chunk.nodes.iter();
        for &(part, count) in &chunk.parts {
            let of_part = nodes.by_ref().take(count).map(|node| node.value);
            let numbers = local.numbers(of_part);
            let mut bytes = Vec::new();
            write_numbers(&numbers, &mut bytes);
            out.part(part, numbers.len() as u64, &bytes)?;
        }
        if !more {
            break;
        }
    }
    let texts: Vec<&str> = local
        .values
        .iter()
        .map(|number| values.text(*number))
        .collect();
    out.finish(&texts)?;
    Ok(())
}

/// The next nodes that fit in memory, with their children.
fn read_chunk<K: Key>(
    worker: &mut Worker<'_>,
    share: &Share,
    parts: &mut Range<usize>,
    values: &mut Values,
    done: &mut Evaluated,
) -> Result<Chunk<K>, Failure> {
    let mut chunk = Chunk {
        parts: Vec::new(),
        nodes: Vec::new(),
        children: Vec::new(),
    };
    let mut children = Vec::new();
    while chunk.nodes.len() < worker.chunk() as usize
        && let Some(part) = parts.next()
    {
        worker.check()?;
        let keys = level::keys::<K>(share, part)?;
        chunk.parts.push((part, keys.len()));
        for key in keys {
            children.clear();
            let kind = worker.nodes.expand(key.wide(), &mut children);
            done.children += children.len() as u64;
            let next = chunk.children.len();
            let mut value = if kind == Kind::Leaf {
                values.number(worker.nodes.leaf(key.wide()))
            } else {
                values.initial(kind)
            };
            for &child in &children {
                if value == values.settled(kind) {
                    chunk.children.truncate(next);
                    break;
                }
                if worker.nodes.kind(child) == Kind::Leaf {
                    let leaf = values.number(worker.nodes.leaf(child));
                    let combined = values.combine(kind, value, leaf, worker.budget);
                    value = combined.map_err(stopped)?;
                } else {
                    chunk.children.push(K::from_wide(child));
                }
            }
            chunk.nodes.push(Node {
                kind,
                value,
                next,
                end: chunk.children.len(),
            });
        }
    }
    Ok(chunk)
}

/// Asks for the next children of all nodes whose value they may change. Returns how many children.
fn ask<K: Key>(
    worker: &mut Worker<'_>,
    level: u32,
    chunk: &Chunk<K>,
    wave: usize,
    values: &Values,
) -> u64 {
    let workers = worker.rounds.workers();
    let mut questions: Vec<Questions<K>> = Vec::new();
    questions.resize_with(workers, Questions::default);
    let mut asked = 0;
    for node in &chunk.nodes {
        for &child in &chunk.children[node.next..node.wave(wave, values)] {
            let to = owner(child.part(), workers);
            let level = worker.nodes.level(level, child.wide());
            questions[to].ask(worker, to, level, child);
            asked += 1;
        }
    }
    for (to, questions) in questions.iter_mut().enumerate() {
        questions.send(worker, to);
    }
    asked
}

/// Numbers values in the order in which a file needs them, so that numbers are small.
#[derive(Default)]
struct Local {
    /// The value of each.
    values: Vec<u32>,
    /// One more than the number of each value; 0 for none.
    of: Vec<u32>,
}

impl Local {
    fn numbers(&mut self, values: impl Iterator<Item = u32>) -> Vec<u32> {
        let number = |value: u32| {
            let place = value as usize;
            if place >= self.of.len() {
                self.of.resize(place + 1, 0);
            }
            if self.of[place] == 0 {
                self.values.push(value);
                self.of[place] = self.values.len() as u32;
            }
            self.of[place] - 1
        };
        values.map(number).collect()
    }
}

/// Questions to one worker.
struct Questions<K> {
    /// How many parcels have gone.
    sent: u32,
    level: u32,
    keys: Vec<K>,
}

impl<K> Default for Questions<K> {
    fn default() -> Self {
        Self {
            sent: 0,
            level: 0,
            keys: Vec::new(),
        }
    }
}

impl<K: Key> Questions<K> {
    fn ask(&mut self, worker: &mut Worker<'_>, to: usize, level: u32, key: K) {
        if self.level != level || self.keys.len() == TOGETHER {
            self.send(worker, to);
            self.level = level;
        }
        self.keys.push(key);
    }

    fn send(&mut self, worker: &mut Worker<'_>, to: usize) {
        if self.keys.is_empty() {
            return;
        }
        let (number, level) = (self.sent, self.level);
        let keys = Bytes(to_bytes(&self.keys));
        self.keys.clear();
        self.sent += 1;
        worker.rounds.send(
            to,
            Body::Ask {
                number,
                level,
                keys,
            },
        );
    }
}

/// Ends the round of questions, answers those of other workers, and receives the answers to its
/// own: for each worker, in the order of the questions. Also returns whether any worker has more
/// questions.
fn answers<K: Key>(
    worker: &mut Worker<'_>,
    more: bool,
    files: &Listing,
    below: &mut Below<K>,
    values: &mut Values,
) -> Result<(Vec<Vec<u32>>, bool), Failure> {
    let mut asked: BTreeMap<u32, Vec<Asked<K>>> = BTreeMap::new();
    let reports = worker
        .rounds
        .finish(&Report::of(vec![more.into()]), |parcel| {
            if let Body::Ask {
                number,
                level,
                keys,
            } = parcel.body
            {
                let keys = from_bytes(&keys.0).collect();
                let from = parcel.from as usize;
                asked
                    .entry(level)
                    .or_default()
                    .push(Asked { from, number, keys });
            }
            Ok(())
        })?;
    let more = reports.iter().any(|report| report.numbers != [0]);
    for (level, asked) in asked {
        worker.check()?;
        let known = match below.entry(level) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let (folder, parts) = (worker.folder, &worker.parts);
                place.insert(Known::open(
                    folder,
                    level,
                    parts,
                    files,
                    values,
                    worker.memory,
                )?)
            }
        };
        let found = look_up(worker, known, &asked, level)?;
        for (asked, found) in asked.into_iter().zip(found) {
            let number = asked.number;
            let mut local = Local::default();
            let numbers = local.numbers(found.into_iter());
            let texts = local
                .values
                .iter()
                .map(|number| values.text(*number).to_owned());
            let texts: Vec<String> = texts.collect();
            let numbers = if texts.len() <= 256 {
                numbers.iter().map(|number| *number as u8).collect()
            } else {
                numbers
                    .iter()
                    .flat_map(|number| number.to_le_bytes())
                    .collect()
            };
            worker.rounds.send(
                asked.from,
                Body::Tell {
                    number,
                    values: texts,
                    numbers: Bytes(numbers),
                },
            );
        }
    }
    let mut told: Vec<Vec<(u32, Vec<u32>)>> = vec![Vec::new(); worker.rounds.workers()];
    worker.rounds.finish(&Report::default(), |parcel| {
        if let Body::Tell {
            number,
            values: texts,
            numbers,
        } = parcel.body
        {
            let known: Option<Vec<u32>> = texts
                .iter()
                .map(|text| values.number_of_text(text))
                .collect();
            let known = known.unwrap_or_default();
            let number_of = |place: usize| known.get(place).copied();
            let numbers: Option<Vec<u32>> = if texts.len() <= 256 {
                numbers
                    .0
                    .iter()
                    .map(|place| number_of(usize::from(*place)))
                    .collect()
            } else {
                from_bytes32(&numbers.0)
                    .map(|place| number_of(place as usize))
                    .collect()
            };
            let numbers = numbers.ok_or_else(|| {
                Failure::Broken("a worker has sent a value that is not in the lattice".to_owned())
            })?;
            told[parcel.from as usize].push((number, numbers));
        }
        Ok(())
    })?;
    let in_order = told.into_iter().map(|mut of_worker| {
        of_worker.sort_unstable_by_key(|(number, _)| *number);
        of_worker
            .into_iter()
            .flat_map(|(_, numbers)| numbers)
            .collect()
    });
    Ok((in_order.collect(), more))
}

fn from_bytes32(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(std::array::from_fn(|i| word[i])))
}

/// A parcel of questions.
struct Asked<K> {
    from: usize,
    number: u32,
    keys: Vec<K>,
}

/// Looks up the values of keys of one level, part by part.
fn look_up<K: Key>(
    worker: &Worker<'_>,
    known: &mut Known<K>,
    asked: &[Asked<K>],
    level: u32,
) -> Result<Vec<Vec<u32>>, Failure> {
    let mut found: Vec<Vec<u32>> = asked
        .iter()
        .map(|asked| vec![0; asked.keys.len()])
        .collect();
    let begin = worker.parts.start;
    // Sorted by counting: where the questions of each part begin.
    let mut begins = vec![0_usize; worker.parts.len() + 1];
    let part_of = |key: &K| key.part().wrapping_sub(begin).min(worker.parts.len() - 1);
    for key in asked.iter().flat_map(|asked| &asked.keys) {
        begins[part_of(key) + 1] += 1;
    }
    for i in 1..begins.len() {
        begins[i] += begins[i - 1];
    }
    let mut next = begins.clone();
    let mut sorted = vec![(0_u32, 0_u32); begins[worker.parts.len()]];
    for (i, asked) in asked.iter().enumerate() {
        for (j, key) in asked.keys.iter().enumerate() {
            let place = &mut next[part_of(key)];
            sorted[*place] = (i as u32, j as u32);
            *place += 1;
        }
    }
    for (i, ends) in begins.windows(2).enumerate() {
        if ends[0] == ends[1] {
            continue;
        }
        let pairs = known.part(begin + i)?;
        let (keys, numbers) = &*pairs;
        for &(i, j) in &sorted[ends[0]..ends[1]] {
            let key = &asked[i as usize].keys[j as usize];
            let place = keys.binary_search(key).map_err(|_| {
                Failure::Broken(format!(
                    "a node that was met on the way down is not on level {level}; delete the folder and run again"
                ))
            })?;
            found[i as usize][j as usize] = numbers[place];
        }
    }
    Ok(found)
}

/// Folds the answers of a wave into the values of the nodes.
fn fold<K: Key>(
    worker: &Worker<'_>,
    chunk: &mut Chunk<K>,
    wave: usize,
    told: &[Vec<u32>],
    values: &mut Values,
) -> Result<(), Failure> {
    let mut answers: Vec<_> = told.iter().map(|of_worker| of_worker.iter()).collect();
    for node in &mut chunk.nodes {
        let end = node.wave(wave, values);
        for child in &chunk.children[node.next..end] {
            let answer = answers[owner(child.part(), told.len())].next();
            let child = *answer.ok_or_else(|| {
                Failure::Broken("a worker has not answered a question".to_owned())
            })?;
            if node.value != values.settled(node.kind) {
                let combined = values.combine(node.kind, node.value, child, worker.budget);
                node.value = combined.map_err(stopped)?;
            }
        }
        node.next = end;
    }
    Ok(())
}
