//! The way down: levels are expanded in turn, from the root on.
//!
//! Each worker expands its own nodes and sends each child to its owner, which removes duplicates.
//! When all have been sent, owners write their share of the next level. The first level without
//! nodes is the end, and is written too: it says that the way down is complete.

use std::collections::BTreeMap;

use meetjoin_dag::Kind;

use crate::disk::key::{Key, from_bytes, owner, to_bytes};
use crate::disk::level;
use crate::disk::level_file::Content;
use crate::disk::pending::Pending;
use crate::failure::Failure;
use crate::steps::worker::Worker;
use crate::talk::rounds::{Body, Parcel, Report};

/// How many keys are sent together.
const TOGETHER: usize = 1 << 13;

/// Expands the levels that are not expanded yet. Returns the number of nodes of each level, and how
/// many levels were there before.
pub(crate) fn expand<K: Key>(worker: &mut Worker<'_>) -> Result<(Vec<u64>, u32), Failure> {
    let files = worker.folder.list()?;
    // How many nodes each worker has of each level, up to the first gap.
    let mut own = Vec::new();
    while let Some(share) =
        worker
            .folder
            .share(own.len() as u32, Content::Keys, &worker.parts, &files)?
    {
        own.push(share.count());
    }
    let complete = worker.gather(vec![own.len() as u64])?;
    let complete = complete.iter().filter_map(|numbers| numbers.first());
    own.truncate(complete.min().copied().unwrap_or(0) as usize);
    let all = worker.gather(own)?;
    let mut counts: Vec<u64> = Vec::new();
    for numbers in all {
        counts.resize(counts.len().max(numbers.len()), 0);
        counts
            .iter_mut()
            .zip(numbers)
            .for_each(|(sum, number)| *sum += number);
    }
    // Files after the end are left from an earlier run that was interrupted elsewhere.
    let end = counts.iter().position(|count| *count == 0);
    counts.truncate(end.map_or(counts.len(), |end| end + 1));
    let before = counts.len() as u32;
    let mut pending = BTreeMap::new();
    if counts.is_empty() {
        let root = K::from_wide(worker.nodes.root());
        if worker.parts.contains(&root.part()) {
            let path = worker.folder.scratch(worker.rounds.index(), 0);
            let mut level = Pending::new(&worker.parts, worker.memory, path);
            level.add(std::iter::once(root))?;
            pending.insert(0, level);
        }
        counts.push(write(worker, 0, pending.remove(&0))?);
    } else if worker.problem.skips() && counts.last() != Some(&0) {
        // Children on later levels were only in memory: they are generated again.
        for level in 0..before - 1 {
            children::<K>(worker, level, before, &mut pending)?;
        }
    }
    while counts.last() != Some(&0) {
        let level = counts.len() as u32;
        children::<K>(worker, level - 1, level, &mut pending)?;
        counts.push(write(worker, level, pending.remove(&level))?);
    }
    counts.pop();
    Ok((counts, before))
}

/// Writes a worker's share of a level. Returns the number of nodes of the whole level, once all
/// workers have written theirs.
fn write<K: Key>(
    worker: &mut Worker<'_>,
    level: u32,
    pending: Option<Pending<K>>,
) -> Result<u64, Failure> {
    let (index, workers) = (worker.rounds.index(), worker.rounds.workers());
    let mut out = worker.folder.writer(level, Content::Keys, index, workers)?;
    let count = pending.map_or(Ok(0), |pending| pending.write(&mut out))?;
    out.finish(&[])?;
    worker.sum(count)
}

/// Keys on their way to one worker.
struct Outgoing<K> {
    level: u32,
    keys: Vec<K>,
}

/// Expands a level, and gathers its children on levels from `first` on.
fn children<K: Key>(
    worker: &mut Worker<'_>,
    level: u32,
    first: u32,
    pending: &mut BTreeMap<u32, Pending<K>>,
) -> Result<(), Failure> {
    let workers = worker.rounds.workers();
    let files = worker.folder.list()?;
    let share = worker
        .folder
        .share(level, Content::Keys, &worker.parts, &files)?;
    let share = share.ok_or_else(|| gone(level))?;
    let mut parts = worker.parts.clone();
    let mut outgoing: Vec<Outgoing<K>> = Vec::new();
    outgoing.resize_with(workers, || Outgoing {
        level: level + 1,
        keys: Vec::with_capacity(TOGETHER),
    });
    let mut below = Vec::new();
    let skips = worker.problem.skips();
    loop {
        let mut nodes = 0;
        while nodes < worker.chunk()
            && let Some(part) = parts.next()
        {
            worker.check()?;
            for key in level::keys::<K>(&share, part)? {
                nodes += 1;
                below.clear();
                if worker.nodes.expand(key.wide(), &mut below) == Kind::Leaf {
                    continue;
                }
                for &child in &below {
                    let next = if skips {
                        worker.nodes.level(level, child)
                    } else {
                        level + 1
                    };
                    if next < first {
                        continue;
                    }
                    let child = K::from_wide(child);
                    let to = owner(child.part(), workers);
                    let out = &mut outgoing[to];
                    if out.level != next || out.keys.len() == TOGETHER {
                        send(worker, to, out);
                        out.level = next;
                    }
                    out.keys.push(child);
                }
            }
            for parcel in worker.rounds.received()? {
                take(worker, parcel, pending)?;
            }
        }
        for (to, out) in outgoing.iter_mut().enumerate() {
            send(worker, to, out);
        }
        let more = u64::from(!parts.is_empty());
        let (folder, owned, memory) = (worker.folder, worker.parts.clone(), worker.memory);
        let index = worker.rounds.index();
        let reports = worker.rounds.finish(&Report::of(vec![more]), |parcel| {
            add(parcel, pending, |level| {
                Pending::new(&owned, memory, folder.scratch(index, level))
            })
        })?;
        if reports.iter().all(|report| report.numbers == [0]) {
            return Ok(());
        }
    }
}

fn gone(level: u32) -> Failure {
    Failure::Broken(format!(
        "files of level {level} have gone while they were needed; run again"
    ))
}

fn send<K: Key>(worker: &mut Worker<'_>, to: usize, out: &mut Outgoing<K>) {
    if !out.keys.is_empty() {
        let (level, keys) = (out.level, crate::talk::rounds::Bytes(to_bytes(&out.keys)));
        out.keys.clear();
        worker.rounds.send(to, Body::Keys { level, keys });
    }
}

fn take<K: Key>(
    worker: &Worker<'_>,
    parcel: Parcel,
    pending: &mut BTreeMap<u32, Pending<K>>,
) -> Result<(), Failure> {
    add(parcel, pending, |level| {
        let path = worker.folder.scratch(worker.rounds.index(), level);
        Pending::new(&worker.parts, worker.memory, path)
    })
}

/// Adds received keys to their levels.
fn add<K: Key>(
    parcel: Parcel,
    pending: &mut BTreeMap<u32, Pending<K>>,
    new: impl FnOnce(u32) -> Pending<K>,
) -> Result<(), Failure> {
    match parcel.body {
        Body::Keys { level, keys } => {
            let level = pending.entry(level).or_insert_with(|| new(level));
            level.add(from_bytes(&keys.0))
        }
        _ => Ok(()),
    }
}
