//! An index of sets of worlds that finds a subset or superset of a set without checking most of
//! them.
//!
//! Problem: each candidate is compared with all known sets, tens of thousands of them, many times
//! for each question to the graph.
//!
//! Idea: sets are stored in drawers. A few worlds make the *label*: sets that agree on these worlds
//! are in one drawer, consecutive in memory. The sets below X are in the drawers whose label is a
//! subset of X's, those above X in the drawers whose label contains X's. With k worlds in the label
//! and half of them in X, these are `2^(k/2)` of `2^k` drawers. A drawer is scanned, with a few
//! word operations for each set: for sets of one machine word that is faster than combining columns
//! of bits, one for each world, and faster than a trie with a branch at each world. The label grows
//! with the number of sets.
//!
//! Cost: at most a scan of all sets, and that is charged to the budget, 64 sets for a step. On
//! random graphs with v = 24 the whole search takes a fifth to a sixth of the time that it took
//! with columns.

use meetjoin_lattice::{Budget, Stop, WorldSet};

/// The most worlds of a label.
const LONGEST: usize = 12;
/// Sets in a drawer, on average, before the label grows.
const MANY: usize = 32;
/// Sets compared in one block without branches.
const TOGETHER: usize = 64;

/// Sets of worlds, each with a place that identifies it until it is removed.
pub(super) struct SubsetIndex<B> {
    /// All worlds of the universe. The first few make the label.
    worlds: Vec<usize>,
    label: usize,
    drawers: Vec<Drawer<B>>,
    /// The drawer of the set of each place, and its index there. Meaningless for free places.
    places: Vec<(u32, u32)>,
    free: Vec<usize>,
}

/// Sets with one label.
struct Drawer<B> {
    sets: Vec<B>,
    /// The places of these sets, and whether they are settled.
    owners: Vec<(usize, bool)>,
}

impl<B> Drawer<B> {
    const fn new() -> Self {
        Self {
            sets: Vec::new(),
            owners: Vec::new(),
        }
    }
}

impl<B: WorldSet> SubsetIndex<B> {
    /// An empty index of subsets of `universe`.
    pub(super) fn new(universe: &B) -> Self {
        Self {
            worlds: universe.ones().collect(),
            label: 0,
            drawers: vec![Drawer::new()],
            places: Vec::new(),
            free: Vec::new(),
        }
    }

    /// The sets, in the order of their places.
    pub(super) fn sets(&self) -> impl Iterator<Item = &B> {
        let mut free = vec![false; self.places.len()];
        self.free.iter().for_each(|place| free[*place] = true);
        let used = self.places.iter().zip(free).filter(|(_, free)| !free);
        used.map(|((drawer, number), _)| &self.drawers[*drawer as usize].sets[*number as usize])
    }

    /// The number of sets.
    pub(super) fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// Adds a set; returns its place.
    pub(super) fn add(&mut self, set: B, budget: &Budget) -> Result<usize, Stop> {
        if self.len() >= MANY << self.label && self.label < LONGEST.min(self.worlds.len()) {
            self.relabel(budget)?;
        }
        // Lists double when they are full.
        budget.room(
            2 * (size_of::<B>() + size_of::<(usize, bool)>() + size_of::<(u32, u32)>()) as u64,
        )?;
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push((0, 0));
            self.places.len() - 1
        });
        self.put(place, set, false);
        Ok(place)
    }

    /// Adds a world to the label.
    fn relabel(&mut self, budget: &Budget) -> Result<(), Stop> {
        let each = size_of::<B>() + size_of::<(usize, bool)>();
        let drawers = 2 * self.drawers.len();
        budget.room((self.len() * each + drawers * size_of::<Drawer<B>>()) as u64)?;
        self.label += 1;
        let empty = std::iter::repeat_with(Drawer::new).take(drawers).collect();
        for old in std::mem::replace(&mut self.drawers, empty) {
            for (set, (place, settled)) in old.sets.into_iter().zip(old.owners) {
                self.put(place, set, settled);
            }
        }
        Ok(())
    }

    /// The label of a set, as a number.
    fn label_of(&self, set: &B) -> usize {
        let label = self.worlds[..self.label].iter().enumerate();
        label.fold(0, |number, (bit, world)| {
            number | usize::from(set.contains(*world)) << bit
        })
    }

    /// Adds a set to its drawer.
    fn put(&mut self, place: usize, set: B, settled: bool) {
        let label = self.label_of(&set);
        let drawer = &mut self.drawers[label];
        self.places[place] = (label as u32, drawer.sets.len() as u32);
        drawer.sets.push(set);
        drawer.owners.push((place, settled));
    }

    /// Removes the set of a place from its drawer.
    fn take(&mut self, place: usize) {
        let (label, number) = self.places[place];
        let drawer = &mut self.drawers[label as usize];
        drawer.sets.swap_remove(number as usize);
        drawer.owners.swap_remove(number as usize);
        if let Some((moved, _)) = drawer.owners.get(number as usize) {
            self.places[*moved] = (label, number);
        }
    }

    /// Replaces the set of a place.
    pub(super) fn write(&mut self, place: usize, set: B) {
        self.take(place);
        self.put(place, set, false);
    }

    /// Marks the set of a place as final.
    pub(super) fn settle(&mut self, place: usize) {
        let (label, number) = self.places[place];
        self.drawers[label as usize].owners[number as usize].1 = true;
    }

    /// Removes a set that is not settled.
    pub(super) fn remove(&mut self, place: usize) {
        self.take(place);
        self.free.push(place);
    }

    /// Returns whether a set, other than the one at `except`, lies above or equals `set`.
    pub(super) fn some_above(
        &self,
        set: &B,
        except: Option<usize>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.charge(budget)?;
        let least = self.label_of(set);
        let others = (self.drawers.len() - 1) & !least;
        let mut drawers = parts(others).map(|part| least | part);
        let except = except.map(|place| self.places[place]);
        Ok(drawers.any(|label| self.has(label, except, |known| set.is_subset(known))))
    }

    /// Returns whether a set, other than the one at `except`, lies below or equals `set`.
    pub(super) fn some_below(
        &self,
        set: &B,
        except: Option<usize>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        self.charge(budget)?;
        let except = except.map(|place| self.places[place]);
        let mut drawers = parts(self.label_of(set));
        Ok(drawers.any(|label| self.has(label, except, |known| known.is_subset(set))))
    }

    /// A settled set that lies below or equals `set`: of the first few found, the one with the
    /// fewest worlds outside `lower`.
    pub(super) fn smallest_below(
        &self,
        set: &B,
        lower: &B,
        budget: &Budget,
    ) -> Result<Option<&B>, Stop> {
        self.charge(budget)?;
        for label in parts(self.label_of(set)) {
            let Drawer { sets, owners } = &self.drawers[label];
            for (sets, owners) in sets.chunks(TOGETHER).zip(owners.chunks(TOGETHER)) {
                if !some(sets, |known| known.is_subset(set)) {
                    continue;
                }
                let settled = sets.iter().zip(owners).filter(|(_, (_, settled))| *settled);
                let below = settled.filter(|(known, _)| known.is_subset(set));
                let outside = |known: &B| known.ones().filter(|w| !lower.contains(*w)).count();
                if let Some((best, _)) = below.min_by_key(|(known, _)| outside(known)) {
                    return Ok(Some(best));
                }
            }
        }
        Ok(None)
    }

    fn charge(&self, budget: &Budget) -> Result<(), Stop> {
        budget.steps(1 + (self.places.len() / TOGETHER) as u64)
    }

    /// Returns whether a drawer has such a set, other than the one at `except`.
    #[inline]
    fn has(&self, label: usize, except: Option<(u32, u32)>, is: impl Fn(&B) -> bool) -> bool {
        let sets = &self.drawers[label].sets;
        match except {
            Some((drawer, number)) if drawer as usize == label => {
                let (before, after) = sets.split_at(number as usize);
                some(before, &is) || some(&after[1..], is)
            }
            _ => some(sets, is),
        }
    }
}

/// Returns whether any set passes. Sets are tested in blocks without branches.
#[inline]
fn some<B>(sets: &[B], is: impl Fn(&B) -> bool) -> bool {
    let mut chunks = sets.chunks(TOGETHER);
    chunks.any(|sets| sets.iter().fold(false, |any, set| any | is(set)))
}

/// The subsets of the bits of `all`: all of them first, none last.
fn parts(all: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(all), move |part| {
        (*part != 0).then(|| (*part - 1) & all)
    })
}

#[cfg(test)]
mod tests {
    use meetjoin_lattice::Words;

    use super::*;

    /// Compares with a plain list, as sets are added, changed and removed.
    #[test]
    fn what_lies_above_and_below_is_what_a_list_says() {
        let free = Budget::unlimited();
        let worlds = 15;
        let mut filed = SubsetIndex::new(&Words::<1>::full(worlds));
        let mut listed: Vec<Option<(Words<1>, bool)>> = Vec::new();
        let mut state = 1_u64;
        let mut random = move |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let any = |random: &mut dyn FnMut(u64) -> u64| {
            let mut set = Words::<1>::empty(worlds);
            for world in 0..worlds {
                if random(3) > 0 {
                    set.insert(world);
                }
            }
            set
        };
        for round in 0..4_000 {
            let set = any(&mut random);
            let place = random(1 + listed.len() as u64) as usize;
            match listed.get(place).copied().flatten() {
                Some((_, false)) if round % 5 == 0 => {
                    filed.remove(place);
                    listed[place] = None;
                }
                Some((_, false)) if round % 5 == 1 => {
                    filed.write(place, set);
                    listed[place] = Some((set, false));
                }
                Some((known, false)) if round % 5 == 2 => {
                    filed.settle(place);
                    listed[place] = Some((known, true));
                }
                _ => {
                    let place = filed.add(set, &free).expect("room");
                    listed.resize(listed.len().max(place + 1), None);
                    assert_eq!(listed[place], None);
                    listed[place] = Some((set, false));
                }
            }
            let (asked, lower) = (any(&mut random), any(&mut random));
            let except = listed.get(place).and_then(Option::as_ref).map(|_| place);
            let others = || {
                let all = listed.iter().enumerate();
                let all = all.filter_map(|(i, known)| known.as_ref().map(|known| (i, known)));
                all.filter(|(i, _)| Some(*i) != except)
            };
            let above = others().any(|(_, (known, _))| asked.is_subset(known));
            let below = others().any(|(_, (known, _))| known.is_subset(&asked));
            assert_eq!(filed.some_above(&asked, except, &free), Ok(above));
            assert_eq!(filed.some_below(&asked, except, &free), Ok(below));
            let all = || listed.iter().flatten();
            let settled = all().filter(|(known, settled)| *settled && known.is_subset(&asked));
            let found = filed
                .smallest_below(&asked, &lower, &free)
                .expect("no limit");
            assert_eq!(found.is_some(), settled.clone().next().is_some());
            assert!(found.is_none_or(|found| settled.clone().any(|(known, _)| known == found)));
            assert_eq!(filed.len(), all().count());
            assert!(filed.sets().eq(all().map(|(known, _)| known)));
        }
        assert!(filed.label > 3);
    }

    #[test]
    fn parts_are_all_parts() {
        assert_eq!(parts(0b101).collect::<Vec<_>>(), [0b101, 0b100, 0b001, 0]);
        assert_eq!(parts(0).collect::<Vec<_>>(), [0]);
    }
}
