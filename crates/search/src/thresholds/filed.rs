//! Sets of worlds filed by world, so that a set above or below another is found without looking at each.
//!
//! Problem: each candidate is compared with everything that is known, ten thousands of sets, many times for one question to the graph.
//!
//! Idea: bit i of the column of a world says whether the i-th set has the world. The sets above X have all worlds of X: the columns of X,
//! combined by "and", 64 sets at a time. The sets below X have no world outside it: the other columns, combined by "or". Most words are
//! settled by a few columns.
//!
//! Cost: at most worlds times sets / 64 word operations for a question, charged to the budget.

use meetjoin_lattice::{Budget, Stop, WorldSet};

/// Sets of worlds, each with a place that it keeps until it is given up.
pub(super) struct Filed<B> {
    worlds: Vec<usize>,
    sets: Vec<Option<B>>,
    /// For each world of `worlds`, which sets have it.
    columns: Vec<Vec<u64>>,
    /// Which places hold a set.
    used: Vec<u64>,
    /// Which of these hold one that will not change.
    settled: Vec<u64>,
    free: Vec<usize>,
}

impl<B: WorldSet> Filed<B> {
    /// No sets yet. They will be subsets of `universe`.
    pub(super) fn new(universe: &B) -> Self {
        let worlds: Vec<usize> = universe.ones().collect();
        Self {
            columns: vec![Vec::new(); worlds.len()],
            worlds,
            sets: Vec::new(),
            used: Vec::new(),
            settled: Vec::new(),
            free: Vec::new(),
        }
    }

    /// The sets, by place.
    pub(super) fn sets(&self) -> impl Iterator<Item = &B> {
        self.sets.iter().flatten()
    }

    /// How many sets there are.
    pub(super) fn len(&self) -> usize {
        self.sets.len() - self.free.len()
    }

    /// Files a set.
    pub(super) fn add(&mut self, set: B, budget: &Budget) -> Result<usize, Stop> {
        let place = match self.free.pop() {
            Some(place) => place,
            None => self.grow(budget)?,
        };
        self.used[place / 64] |= 1 << (place % 64);
        self.write(place, set);
        Ok(place)
    }

    /// One more place.
    fn grow(&mut self, budget: &Budget) -> Result<usize, Stop> {
        let place = self.sets.len();
        if place.is_multiple_of(64) {
            budget.room((self.worlds.len() * 8 + 64 * size_of::<Option<B>>()) as u64)?;
            self.used.push(0);
            self.settled.push(0);
            self.columns.iter_mut().for_each(|column| column.push(0));
        }
        self.sets.push(None);
        Ok(place)
    }

    /// Puts another set in a place.
    pub(super) fn write(&mut self, place: usize, set: B) {
        let (word, bit) = (place / 64, 1 << (place % 64));
        for (world, column) in self.worlds.iter().zip(&mut self.columns) {
            if set.contains(*world) {
                column[word] |= bit;
            } else {
                column[word] &= !bit;
            }
        }
        self.sets[place] = Some(set);
    }

    /// Says that the set in a place will not change.
    pub(super) fn settle(&mut self, place: usize) {
        self.settled[place / 64] |= 1 << (place % 64);
    }

    /// Gives up a place whose set is not settled.
    pub(super) fn remove(&mut self, place: usize) {
        self.used[place / 64] &= !(1 << (place % 64));
        self.sets[place] = None;
        self.free.push(place);
    }

    /// Whether a set, other than the one at `except`, lies above or equals `set`.
    pub(super) fn some_above(
        &self,
        set: &B,
        except: Option<usize>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let and = |word: usize| {
            let mut left = candidates(&self.used, word, except);
            for (world, column) in self.worlds.iter().zip(&self.columns) {
                if set.contains(*world) {
                    left &= column[word];
                    if left == 0 {
                        break;
                    }
                }
            }
            left
        };
        budget.steps(1 + self.used.len() as u64)?;
        Ok((0..self.used.len()).any(|word| and(word) != 0))
    }

    /// Whether a set, other than the one at `except`, lies below or equals `set`.
    pub(super) fn some_below(
        &self,
        set: &B,
        except: Option<usize>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        Ok(self.below(&self.used, set, except, budget)?.is_some())
    }

    /// A settled set that lies below or equals `set`: of the first few, the one with the fewest worlds outside `lower`.
    pub(super) fn smallest_below(
        &self,
        set: &B,
        lower: &B,
        budget: &Budget,
    ) -> Result<Option<&B>, Stop> {
        let Some((word, mut bits)) = self.below(&self.settled, set, None, budget)? else {
            return Ok(None);
        };
        let mut best: Option<(usize, &B)> = None;
        while bits != 0 {
            let place = 64 * word + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if let Some(found) = &self.sets[place] {
                let outside = found.ones().filter(|world| !lower.contains(*world));
                let outside = outside.count();
                if best.is_none_or(|(least, _)| outside < least) {
                    best = Some((outside, found));
                }
            }
        }
        Ok(best.map(|(_, found)| found))
    }

    /// The first word of these places with a set that lies below or equals `set`, and which these are.
    fn below(
        &self,
        among: &[u64],
        set: &B,
        except: Option<usize>,
        budget: &Budget,
    ) -> Result<Option<(usize, u64)>, Stop> {
        let and_not = |word: usize| {
            let mut left = candidates(among, word, except);
            for (world, column) in self.worlds.iter().zip(&self.columns) {
                if !set.contains(*world) {
                    left &= !column[word];
                    if left == 0 {
                        break;
                    }
                }
            }
            (left != 0).then_some((word, left))
        };
        budget.steps(1 + self.used.len() as u64)?;
        Ok((0..self.used.len()).find_map(and_not))
    }
}

/// The places of one word, but for one.
fn candidates(places: &[u64], word: usize, except: Option<usize>) -> u64 {
    match except {
        Some(place) if place / 64 == word => places[word] & !(1 << (place % 64)),
        _ => places[word],
    }
}
