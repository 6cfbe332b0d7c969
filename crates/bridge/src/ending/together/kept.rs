//! What is kept of a shape: sets that are won, and cores.
//!
//! Idea: the sets, and the cores, lie contiguously in memory, because a question passes over all of
//! them and most are dismissed at once. Sixty-four sets that are won become a *block*: a word for
//! each layout says which of them have it. Sets with all layouts of a question are in all of its
//! words, and most questions are about two or three layouts.
//!
//! Invariants: no core contains another. No set that is won is a subset of another, but one in a
//! block may be a subset of a later one that is in no block yet.
//!
//! Cost: a pass for each question and for each set that is kept. With an allocation for each set,
//! thirteen random endings of seven cards (those that took 3 to 26 s) took 94 s and not 85 s.
//! Blocks matter where a shape has thousands of sets: there the pass was a third of the time.

use std::cmp::Reverse;

/// What is kept of a shape.
#[derive(Clone, Default)]
pub(super) struct Kept {
    pub(super) won: Won,
    pub(super) lost: Lost,
}

/// Sets of layouts that one strategy wins.
#[derive(Clone, Default)]
pub(super) struct Won {
    blocks: Vec<Block>,
    /// Words of each of the sets that are in no block.
    width: usize,
    /// These sets as bits: fewer than a block.
    words: Vec<u64>,
}

/// As many sets as a word has bits.
#[derive(Clone)]
struct Block {
    /// Those that are kept.
    kept: u64,
    /// By layout, which of them have it.
    having: Vec<u64>,
    /// Layouts that any of them has, those of most sets first.
    layouts: Vec<u32>,
}

impl Block {
    /// Sets as bits, no more than a word has.
    fn of<'a>(sets: impl Iterator<Item = &'a [u64]>) -> Self {
        let (mut kept, mut having) = (0, Vec::<u64>::new());
        for (number, set) in sets.enumerate() {
            kept |= 1_u64 << number;
            having.resize(having.len().max(set.len() * 64), 0);
            for (having, word) in having.chunks_exact_mut(64).zip(set) {
                let mut left = *word;
                while left != 0 {
                    having[left.trailing_zeros() as usize] |= 1_u64 << number;
                    left &= left - 1;
                }
            }
        }
        let mut layouts: Vec<u32> = (0..having.len() as u32).collect();
        layouts.retain(|layout| having[*layout as usize] != 0);
        layouts.sort_unstable_by_key(|layout| {
            (Reverse(having[*layout as usize].count_ones()), *layout)
        });
        Self {
            kept,
            having,
            layouts,
        }
    }

    /// Whether one that is kept has all of these.
    fn has(&self, layouts: &[u32]) -> bool {
        let mut those = self.kept;
        for layout in layouts {
            those &= self.having.get(*layout as usize).unwrap_or(&0);
            if those == 0 {
                return false;
            }
        }
        true
    }

    /// Drops the subsets of this set.
    fn drop_parts(&mut self, set: &[u64]) {
        let mut parts = self.kept;
        for layout in &self.layouts {
            if !has(set, *layout) {
                parts &= !self.having[*layout as usize];
            }
            if parts == 0 {
                return;
            }
        }
        self.kept &= !parts;
    }
}

impl Won {
    /// How many sets and blocks a question passes over.
    pub(super) fn looks(&self) -> usize {
        self.blocks.len() + self.rows()
    }

    /// Sets that are in no block.
    fn rows(&self) -> usize {
        self.words.len().checked_div(self.width).unwrap_or(0)
    }

    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.words.clear();
    }

    /// Returns whether a set has all of these layouts (`bits` has the same). A set that does moves
    /// to the front.
    pub(super) fn has(&mut self, layouts: &[u32], bits: &[u64]) -> bool {
        let place = self.sets().position(|set| is_part(bits, set));
        if let Some(place) = place {
            let (before, here) = (place / 2 * self.width, place * self.width);
            for word in 0..self.width {
                self.words.swap(before + word, here + word);
            }
            return true;
        }
        let place = self.blocks.iter().position(|block| block.has(layouts));
        if let Some(place) = place {
            self.blocks.swap(place, place / 2);
        }
        place.is_some()
    }

    /// Adds a set, and drops its subsets.
    pub(super) fn add(&mut self, set: &[u64]) {
        if set.len() > self.width {
            self.widen(set.len());
        }
        let (width, mut kept) = (self.width, 0);
        for here in (0..self.words.len()).step_by(width.max(1)) {
            if is_part(&self.words[here..here + width], set) {
                continue;
            }
            if kept < here {
                self.words.copy_within(here..here + width, kept);
            }
            kept += width;
        }
        self.words.truncate(kept);
        self.words.extend_from_slice(set);
        self.words.resize(kept + width, 0);
        if self.rows() == u64::BITS as usize {
            let new = self.words.chunks_exact(width);
            self.blocks.retain_mut(|block| {
                new.clone().for_each(|set| block.drop_parts(set));
                block.kept != 0
            });
            self.blocks.push(Block::of(new));
            self.words.clear();
        }
    }

    fn sets(&self) -> impl Iterator<Item = &[u64]> {
        self.words.chunks_exact(self.width.max(1))
    }

    fn widen(&mut self, width: usize) {
        let mut words = Vec::with_capacity((self.rows() + 1) * width);
        for set in self.sets() {
            words.extend_from_slice(set);
            words.resize(words.len().next_multiple_of(width), 0);
        }
        (self.width, self.words) = (width, words);
    }
}

/// Cores.
#[derive(Clone, Default)]
pub(super) struct Lost {
    /// Where each begins and ends in the list, those that answered last first.
    places: Vec<(u32, u32)>,
    layouts: Vec<u32>,
    /// Layouts of cores that are kept.
    used: usize,
}

impl Lost {
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    fn core(&self, (start, end): (u32, u32)) -> &[u32] {
        &self.layouts[start as usize..end as usize]
    }

    /// A core among these layouts; it moves to the front.
    pub(super) fn find(&mut self, layouts: &[u64]) -> Option<Vec<u32>> {
        let is_lost = |core: &[u32]| core.iter().all(|layout| has(layouts, *layout));
        let mut places = self.places.iter();
        let place = places.position(|place| is_lost(self.core(*place)))?;
        let core = self.core(self.places[place]).to_vec();
        self.places.swap(place, place / 2);
        Some(core)
    }

    /// Adds a core, which has these bits, and drops its supersets.
    pub(super) fn add(&mut self, core: &[u32], bits: &[u64]) {
        let (layouts, used) = (&self.layouts, &mut self.used);
        self.places.retain(|(start, end)| {
            let other = &layouts[*start as usize..*end as usize];
            let shared = other.iter().filter(|layout| has(bits, **layout));
            let is_kept = shared.count() < core.len();
            *used -= if is_kept { 0 } else { other.len() };
            is_kept
        });
        if self.layouts.len() > 2 * self.used {
            self.close_up();
        }
        let start = self.layouts.len() as u32;
        self.layouts.extend_from_slice(core);
        self.places.push((start, self.layouts.len() as u32));
        self.used += core.len();
    }

    fn close_up(&mut self) {
        let mut layouts = Vec::with_capacity(self.used + 1);
        for (start, end) in &mut self.places {
            let own = *start as usize..*end as usize;
            *start = layouts.len() as u32;
            layouts.extend_from_slice(&self.layouts[own]);
            *end = layouts.len() as u32;
        }
        self.layouts = layouts;
    }
}

/// Layouts as bits, in as many words as `count` need.
pub(super) fn bits_of(layouts: &[u32], count: usize) -> Vec<u64> {
    let mut bits = vec![0; count.div_ceil(64)];
    for layout in layouts {
        bits[*layout as usize / 64] |= 1_u64 << (layout % 64);
    }
    bits
}

fn has(bits: &[u64], layout: u32) -> bool {
    bits.get(layout as usize / 64)
        .is_some_and(|word| word >> (layout % 64) & 1 == 1)
}

fn is_part(part: &[u64], whole: &[u64]) -> bool {
    let mut both = part.iter().zip(whole);
    let mut beyond = part[part.len().min(whole.len())..].iter();
    both.all(|(part, whole)| part & !whole == 0) && beyond.all(|word| *word == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Layouts as bits.
    type Set = [u64; 4];

    fn with(mut set: Set, layout: u32) -> Set {
        set[layout as usize / 64] |= 1 << (layout % 64);
        set
    }

    fn list(set: &Set) -> Vec<u32> {
        let is_in = |layout: &u32| set[*layout as usize / 64] >> (layout % 64) & 1 == 1;
        (0..256).filter(is_in).collect()
    }

    fn is_subset(part: &Set, whole: &Set) -> bool {
        (0..4).all(|word| part[word] & !whole[word] == 0)
    }

    /// All sets but those in blocks that are parts of later ones in none.
    fn kept(won: &Won, layouts: u32) -> BTreeSet<Set> {
        let set = |has: &dyn Fn(u32) -> bool| {
            let layouts = (0..layouts).filter(|layout| has(*layout));
            layouts.fold(Set::default(), with)
        };
        let rows: BTreeSet<Set> = won
            .sets()
            .map(|row| set(&|layout| has(row, layout)))
            .collect();
        assert_eq!(rows.len(), won.rows());
        let mut all = rows.clone();
        for block in &won.blocks {
            let numbers = (0..u64::BITS).filter(|number| block.kept >> number & 1 == 1);
            let sets = numbers.map(|number| {
                set(&|layout| {
                    let having = block.having.get(layout as usize);
                    having.is_some_and(|having| having >> number & 1 == 1)
                })
            });
            let is_part = |set: &Set| rows.iter().any(|row| is_subset(set, row));
            for set in sets.filter(|set| !is_part(set)) {
                assert!(all.insert(set), "kept twice");
            }
        }
        all
    }

    /// Sets of layouts of which there are more and more, and lists of those that are kept, which
    /// are gone through.
    #[test]
    fn what_is_kept_answers_as_plain_lists_do() {
        let mut state = 1_u64;
        let mut below = |count: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % count
        };
        let (mut answers, mut most_blocks) = ([0; 4], 0);
        for most in [5, 60, 70, 200] {
            let (mut won, mut lost) = (Won::default(), Lost::default());
            let (mut all_won, mut all_lost): (Vec<Set>, Vec<Set>) = Default::default();
            for round in 1..=400 {
                let layouts = 1 + round * most / 400;
                let mut some = |count: u64| -> Set {
                    let some = (0..count).map(|_| below(layouts) as u32);
                    some.fold(Set::default(), with)
                };
                let (set, core, asked) = (some(layouts), some(3), some(1 + most / 8));
                let bits = |set: &Set| bits_of(&list(set), layouts as usize);
                won.add(&bits(&set));
                all_won.retain(|part| !is_subset(part, &set));
                all_won.push(set);
                lost.add(&list(&core), &bits(&core));
                all_lost.retain(|wider| !is_subset(&core, wider));
                all_lost.push(core);
                assert_eq!(
                    kept(&won, layouts as u32),
                    all_won.iter().copied().collect()
                );
                assert_eq!(lost.len(), all_lost.len());
                most_blocks = most_blocks.max(won.blocks.len());
                assert!(lost.layouts.len() <= 2 * lost.used + 3);
                let is_won = all_won.iter().any(|set| is_subset(&asked, set));
                assert_eq!(won.has(&list(&asked), &bits(&asked)), is_won);
                let found = lost.find(&bits(&asked));
                let is_lost = all_lost.iter().any(|core| is_subset(core, &asked));
                assert_eq!(found.is_some(), is_lost);
                if let Some(found) = found {
                    let found = found.into_iter().fold(Set::default(), with);
                    assert!(all_lost.contains(&found) && is_subset(&found, &asked));
                }
                answers[usize::from(is_won)] += 1;
                answers[2 + usize::from(is_lost)] += 1;
            }
            won.clear();
            assert_eq!((won.looks(), won.has(&[0], &[1])), (0, false));
        }
        assert!(answers.iter().all(|count| *count > 100), "{answers:?}");
        assert!(most_blocks > 2, "{most_blocks}");
    }
}
