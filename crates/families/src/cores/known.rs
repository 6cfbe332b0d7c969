//! Known cores, and sets that avoid them.
//!
//! Used by all searches for a heaviest set by cores. Elements are numbers, which stand for stakes
//! of a game or for layouts of an ending.

use std::cmp::Reverse;

use meetjoin_lattice::Stop;

/// Cores, and the weights of elements.
#[derive(Clone, Debug)]
pub struct KnownCores {
    weights: Vec<u64>,
    cores: Vec<Vec<u32>>,
    /// The cores of each element.
    of: Vec<Vec<u32>>,
}

impl KnownCores {
    /// No cores yet, of elements with these weights.
    pub fn new(weights: Vec<u64>) -> Self {
        Self {
            cores: Vec::new(),
            of: vec![Vec::new(); weights.len()],
            weights,
        }
    }

    /// Adds a core, with each element once.
    pub fn add(&mut self, core: Vec<u32>) {
        for element in &core {
            self.of[*element as usize].push(self.cores.len() as u32);
        }
        self.cores.push(core);
    }

    /// All cores, in order of insertion.
    pub fn cores(&self) -> &[Vec<u32>] {
        &self.cores
    }

    /// The weight of each element.
    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// The weight of a set.
    pub fn weight(&self, set: impl IntoIterator<Item = u32>) -> u64 {
        let weights = set
            .into_iter()
            .map(|element| self.weights[element as usize]);
        weights.sum()
    }

    /// The weight of all elements.
    pub fn total(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// Returns whether an element is a core by itself.
    pub fn is_lost(&self, element: u32) -> bool {
        let mut cores = self.of[element as usize].iter();
        cores.any(|core| self.cores[*core as usize].len() == 1)
    }

    /// Returns whether an element makes no known core with elements that are in.
    pub fn fits(&self, element: u32, is_in: &[bool]) -> bool {
        let is_there = |other: &u32| *other == element || is_in[*other as usize];
        let mut cores = self.of[element as usize].iter();
        !cores.any(|core| self.cores[*core as usize].iter().all(is_there))
    }

    /// Grows a set greedily, the heaviest elements first, as long as it contains no known core.
    /// Returns it in ascending order.
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

/// Minimizes a core. `ask` finds a core in a set, if there is one.
///
/// # Errors
/// When `ask` is stopped; the core reached by then is valid too.
pub fn smaller(
    core: &mut Vec<u32>,
    mut ask: impl FnMut(&[u32]) -> Result<Option<Vec<u32>>, Stop>,
) -> Result<(), Stop> {
    // An element needed by a core is needed by each core that is a subset of it.
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

    /// A set has a core exactly if it contains one of some given sets: the minimized core is one of
    /// these. No set is asked about twice.
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
                // The core it finds is larger than necessary.
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
