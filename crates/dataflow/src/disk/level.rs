//! A worker's share of a level, read part by part.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use crate::disk::coding::{read_keys, read_numbers};
use crate::disk::folder::{Folder, Listing, Share};
use crate::disk::key::Key;
use crate::disk::level_file::Content;
use crate::disk::values::Values;
use crate::failure::Failure;

/// The keys of a part, in order.
pub(crate) fn keys<K: Key>(share: &Share, part: usize) -> Result<Vec<K>, Failure> {
    let mut keys = Vec::new();
    if let Some((file, entry)) = share.find(part) {
        let file = &share.files[file];
        let bytes = file.read(entry)?;
        read_keys(&bytes, entry.count, &mut keys).ok_or_else(|| file.altered(entry))?;
    }
    Ok(keys)
}

/// The values of a part in the order of its keys, as numbers of its file, and the place of that
/// file.
pub(crate) fn numbers(share: &Share, part: usize) -> Result<(usize, Vec<u32>), Failure> {
    let mut numbers = Vec::new();
    let Some((file, entry)) = share.find(part) else {
        return Ok((0, numbers));
    };
    let of_file = &share.files[file];
    let bytes = of_file.read(entry)?;
    let known = of_file.values.len();
    read_numbers(&bytes, entry.count, &mut numbers)
        .filter(|()| numbers.iter().all(|number| (*number as usize) < known))
        .ok_or_else(|| of_file.altered(entry))?;
    Ok((file, numbers))
}

/// Keys and values of a part.
type Pairs<K> = Rc<(Vec<K>, Vec<u32>)>;

/// A level whose values are known.
pub(crate) struct Known<K> {
    keys: Share,
    values: Share,
    /// For each file of values, the map from its numbers to those in memory.
    numbers: Vec<Vec<u32>>,
    /// Parts that were read before.
    parts: HashMap<usize, Pairs<K>>,
    /// How many more nodes may be cached.
    room: usize,
}

impl<K: Key> Known<K> {
    /// Opens a level of which these parts are on disk. It keeps as many nodes as these bytes hold.
    pub(crate) fn open(
        folder: &Folder,
        level: u32,
        parts: &Range<usize>,
        files: &Listing,
        values: &mut Values,
        bytes: usize,
    ) -> Result<Self, Failure> {
        let share = |content| {
            let share = folder.share(level, content, parts, files)?;
            share.ok_or_else(|| {
                let word = content.word();
                Failure::Broken(format!(
                    "files of level {level} with {word} have gone while they were needed; run again"
                ))
            })
        };
        let of_values = share(Content::Values)?;
        let numbers = of_values.files.iter().map(|file| {
            let texts = file.values.iter();
            let numbers = texts.map(|text| values.number_of_text(text));
            let numbers: Option<Vec<u32>> = numbers.collect();
            numbers.ok_or_else(|| {
                let why = "a file with values of level";
                Failure::Broken(format!(
                    "{why} {level} names one that is not in the lattice; delete it and run again"
                ))
            })
        });
        Ok(Self {
            numbers: numbers.collect::<Result<_, _>>()?,
            keys: share(Content::Keys)?,
            values: of_values,
            parts: HashMap::new(),
            room: bytes / (K::BYTES + 4),
        })
    }

    /// Keys and values of a part.
    pub(crate) fn part(&mut self, part: usize) -> Result<Pairs<K>, Failure> {
        if let Some(pairs) = self.parts.get(&part) {
            return Ok(Rc::clone(pairs));
        }
        let keys = keys(&self.keys, part)?;
        let (file, mut numbers) = numbers(&self.values, part)?;
        for number in &mut numbers {
            *number = self.numbers[file][*number as usize];
        }
        if keys.len() != numbers.len() {
            return Err(Failure::Broken(format!(
                "a level has {} keys and {} values in part {part}; delete its file of values and run again",
                keys.len(),
                numbers.len()
            )));
        }
        let pairs = Rc::new((keys, numbers));
        if let Some(room) = self.room.checked_sub(pairs.0.len()) {
            self.room = room;
            self.parts.insert(part, Rc::clone(&pairs));
        }
        Ok(pairs)
    }
}
