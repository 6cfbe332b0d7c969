//! What is kept of a shape: sets that are won, and cores.
//!
//! Idea: each kind lies in one piece of memory, one after the other, because a question passes over
//! all of them, and most cost a glance.
//!
//! Invariant: no set that is won is a part of another, and no core has another as a part.
//!
//! Cost: a pass for each question and for each set that is kept. With a piece of memory for each
//! set, thirteen random endings of seven cards, those that took 3 to 26 s, took 94 s in place of
//! 85.

/// Sets of layouts that one strategy wins, as bits.
#[derive(Clone, Default)]
pub(super) struct Won {
    /// Words of each set.
    width: usize,
    words: Vec<u64>,
}

impl Won {
    pub(super) fn len(&self) -> usize {
        self.words.len().checked_div(self.width).unwrap_or(0)
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
    }

    /// Whether a set has all of these. A set that answers comes forward.
    pub(super) fn has(&mut self, layouts: &[u64]) -> bool {
        let Some(place) = self.sets().position(|set| is_part(layouts, set)) else {
            return false;
        };
        let (before, here) = (place / 2 * self.width, place * self.width);
        for word in 0..self.width {
            self.words.swap(before + word, here + word);
        }
        true
    }

    /// Keeps a set, and none of its parts.
    pub(super) fn add(&mut self, set: &[u64]) {
        if set.len() > self.width {
            self.widen(set.len());
        }
        let (width, mut kept) = (self.width, 0);
        for place in 0..self.len() {
            let here = place * width..(place + 1) * width;
            if !is_part(&self.words[here.clone()], set) {
                self.words.copy_within(here, kept);
                kept += width;
            }
        }
        self.words.truncate(kept);
        self.words.extend_from_slice(set);
        self.words.resize(kept + width, 0);
    }

    fn sets(&self) -> impl Iterator<Item = &[u64]> {
        self.words.chunks_exact(self.width.max(1))
    }

    fn widen(&mut self, width: usize) {
        let mut words = Vec::with_capacity((self.len() + 1) * width);
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

    /// A core among these layouts. It comes forward.
    pub(super) fn find(&mut self, layouts: &[u64]) -> Option<Vec<u32>> {
        let is_lost = |core: &[u32]| core.iter().all(|layout| has(layouts, *layout));
        let mut places = self.places.iter();
        let place = places.position(|place| is_lost(self.core(*place)))?;
        let core = self.core(self.places[place]).to_vec();
        self.places.swap(place, place / 2);
        Some(core)
    }

    /// Keeps a core, with these bits, and none of which it is a part.
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

    type Set = BTreeSet<u32>;

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
        let mut answers = [0; 4];
        for most in [5, 60, 70, 200] {
            let (mut won, mut lost) = (Won::default(), Lost::default());
            let (mut all_won, mut all_lost): (Vec<Set>, Vec<Set>) = Default::default();
            for round in 1..=400 {
                let layouts = 1 + round * most / 400;
                let mut some =
                    |count: u64| -> Set { (0..count).map(|_| below(layouts) as u32).collect() };
                let (set, core, asked) = (some(layouts), some(3), some(1 + most / 8));
                let list = |set: &Set| set.iter().copied().collect::<Vec<u32>>();
                let bits = |set: &Set| bits_of(&list(set), layouts as usize);
                won.add(&bits(&set));
                all_won.retain(|part| !part.is_subset(&set));
                all_won.push(set);
                lost.add(&list(&core), &bits(&core));
                all_lost.retain(|wider| !core.is_subset(wider));
                all_lost.push(core);
                assert_eq!((won.len(), lost.len()), (all_won.len(), all_lost.len()));
                assert!(lost.layouts.len() <= 2 * lost.used + 3);
                let is_won = all_won.iter().any(|set| asked.is_subset(set));
                assert_eq!(won.has(&bits(&asked)), is_won);
                let found = lost.find(&bits(&asked));
                let is_lost = all_lost.iter().any(|core| core.is_subset(&asked));
                assert_eq!(found.is_some(), is_lost);
                if let Some(found) = found {
                    let found: Set = found.into_iter().collect();
                    assert!(all_lost.contains(&found) && found.is_subset(&asked));
                }
                answers[usize::from(is_won)] += 1;
                answers[2 + usize::from(is_lost)] += 1;
            }
            won.clear();
            assert_eq!((won.len(), won.has(&[1])), (0, false));
        }
        assert!(answers.iter().all(|count| *count > 100), "{answers:?}");
    }
}
