//! The cores that are known, and how a set grows that has none of them.
//!
//! Whoever searches for a heaviest set by cores keeps them here, whatever its elements are: stakes
//! of a game, or layouts of an ending. Elements are numbers.

use std::cmp::Reverse;

use meetjoin_lattice::Stop;

/// Cores, and the weights of what they are made of.
#[derive(Clone, Debug)]
pub struct KnownCores {
    weights: Vec<u64>,
    cores: Vec<Vec<u32>>,
    /// The cores of each element.
    of: Vec<Vec<u32>>,
}

impl KnownCores {
    /// None yet, of elements with these weights.
    pub fn new(weights: Vec<u64>) -> Self {
        Self {
            cores: Vec::new(),
            of: vec![Vec::new(); weights.len()],
            weights,
        }
    }

    /// One more, with each element once.
    pub fn add(&mut self, core: Vec<u32>) {
        for element in &core {
            self.of[*element as usize].push(self.cores.len() as u32);
        }
        self.cores.push(core);
    }

    /// All of them, as they were added.
    pub fn cores(&self) -> &[Vec<u32>] {
        &self.cores
    }

    /// The weight of each element.
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// What a set weighs.
    pub fn weight(&self, set: impl IntoIterator<Item = u32>) -> u64 {
        let weights = set
            .into_iter()
            .map(|element| self.weights[element as usize]);
        weights.sum()
    }

    /// What all elements weigh.
    pub fn total(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// Whether an element is a core by itself.
    pub fn is_lost(&self, element: u32) -> bool {
        let mut cores = self.of[element as usize].iter();
        cores.any(|core| self.cores[*core as usize].len() == 1)
    }

    /// Whether an element has no known core with elements that are in.
    pub fn fits(&self, element: u32, is_in: &[bool]) -> bool {
        let is_there = |other: &u32| *other == element || is_in[*other as usize];
        let mut cores = self.of[element as usize].iter();
        !cores.any(|core| self.cores[*core as usize].iter().all(is_there))
    }

    /// A set with elements besides that have no known core with others, the heaviest first: in
    /// ascending order.
    pub fn grown(&self, set: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut is_in = vec![false; self.weights.len()];
        for element in set {
            is_in[element as usize] = true;
        }
        self.grown_from(is_in)
    }

    /// Compiled once for all kinds of sets.
    fn grown_from(&self, mut is_in: Vec<bool>) -> Vec<u32> {
        let all = 0..self.weights.len() as u32;
        let others = all.clone().filter(|element| !is_in[*element as usize]);
        let mut others: Vec<u32> = others.collect();
        others.sort_unstable_by_key(|element| {
            let place = *element as usize;
            (Reverse(self.weights[place]), self.of[place].len(), *element)
        });
        for element in others {
            is_in[element as usize] = self.fits(element, &is_in);
        }
        all.filter(|element| is_in[*element as usize]).collect()
    }
}

/// Leaves out of a core what it does not need. `ask` finds a core in a set, if there is one.
///
/// # Errors
/// When `ask` is stopped; what it was made to then is a core too.
pub fn smaller(
    core: &mut Vec<u32>,
    mut ask: impl FnMut(&[u32]) -> Result<Option<Vec<u32>>, Stop>,
) -> Result<(), Stop> {
    // What a core needs, each core that is a part of it needs too.
    let mut needed = 0;
    while needed < core.len() && core.len() > 2 {
        let mut less = core.clone();
        less.remove(needed);
        match ask(&less)? {
            Some(found) => core.retain(|element| found.contains(element)),
            None => needed += 1,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cores of sets of numbers, of which some are cores whatever else is in: what is left has one
    /// of them, and nothing besides. No set is asked about twice.
    #[test]
    fn what_is_left_of_a_core_is_needed() -> Result<(), Stop> {
        let least: [&[u32]; 4] = [&[3, 8, 21], &[5, 6, 13, 30], &[2, 3, 9, 11, 25], &[7, 40]];
        let is_in = |part: &[u32], set: &[u32]| part.iter().all(|one| set.contains(one));
        for start in 0..40 {
            let all: Vec<u32> = (0..41).map(|place| (place + start) % 41).collect();
            let mut core = all.clone();
            let mut asked: Vec<Vec<u32>> = Vec::new();
            smaller(&mut core, |less| {
                let mut sorted = less.to_vec();
                sorted.sort_unstable();
                assert!(!asked.contains(&sorted));
                asked.push(sorted);
                let found = least.iter().rposition(|part| is_in(part, less));
                // What it finds has more in it than it needs.
                let more = |part: &[u32]| {
                    let mut found = part.to_vec();
                    found.extend(
                        less.iter()
                            .filter(|one| **one % 5 == 0 && !part.contains(one)),
                    );
                    found
                };
                Ok(found.map(|place| more(least[place])))
            })?;
            core.sort_unstable();
            assert!(least.contains(&core.as_slice()), "{core:?}");
            assert!(asked.len() <= all.len(), "{}", asked.len());
        }
        Ok(())
    }
}
