//! Iterated greed: sets that are not hit are hit by the members that cost least per set.
//!
//! Idea: members have a cost, which may be negative. Members that cost least per newly hit set are
//! added one by one; then redundant ones are removed, the heaviest first. Again and again some
//! members of the best solution are dropped at random, and greed completes the rest.
//!
//! Cost: a pass over the sets for each round.
//!
//! Source: Jacobs and Brusco (1995).

use std::cmp::Reverse;

use meetjoin_lattice::{Budget, Stop};

use super::Part;
use super::prices::Relaxed;
use crate::random::Random;

/// A member that is in by more than this fraction counts as nearly in.
const NEARLY: f64 = 0.6;

impl Part {
    /// Greed with costs of weight beyond prices.
    pub(super) fn consider(&mut self, prices: &[f64]) {
        let rest = self.beyond(prices);
        let chosen = self.completed(Vec::new(), &rest);
        self.offer(&chosen);
    }

    /// Greed from these members and those that are nearly in.
    pub(super) fn round(&mut self, chosen: &[u32], relaxed: &Relaxed) {
        let all = 0..self.names.len() as u32;
        let nearly = all.filter(|member| relaxed.parts[*member as usize] > NEARLY);
        let mut chosen: Vec<u32> = chosen.iter().copied().chain(nearly).collect();
        chosen.sort_unstable();
        chosen.dedup();
        let costs = self.weights.iter().zip(&relaxed.parts);
        let costs = costs.map(|(weight, part)| *weight as f64 * (1.0 - part));
        let chosen = self.completed(chosen, &costs.collect::<Vec<_>>());
        self.offer(&chosen);
    }

    /// The weights of members beyond prices.
    fn beyond(&self, prices: &[f64]) -> Vec<f64> {
        let mut rest: Vec<f64> = self.weights.iter().map(|weight| *weight as f64).collect();
        for (set, price) in self.sets.iter().zip(prices) {
            for member in set {
                rest[*member as usize] -= price;
            }
        }
        rest
    }

    /// Adds members until all sets are hit, and removes redundant ones.
    fn completed(&self, mut chosen: Vec<u32>, rest: &[f64]) -> Vec<u32> {
        let mut hits = vec![0_u32; self.sets.len()];
        let mut fresh: Vec<u32> = self.of.iter().map(|sets| sets.len() as u32).collect();
        let enter = |member: u32, hits: &mut [u32], fresh: &mut [u32]| {
            for set in &self.of[member as usize] {
                hits[*set as usize] += 1;
                if hits[*set as usize] == 1 {
                    for other in &self.sets[*set as usize] {
                        fresh[*other as usize] -= 1;
                    }
                }
            }
        };
        for member in &chosen {
            enter(*member, &mut hits, &mut fresh);
        }
        for set in 0..self.sets.len() {
            if hits[set] > 0 {
                continue;
            }
            let cost = |member: u32| {
                let (left, fresh) = (rest[member as usize], f64::from(fresh[member as usize]));
                if left > 0.0 {
                    left / fresh
                } else {
                    left * fresh
                }
            };
            let members = self.sets[set].iter().copied();
            let Some(best) = members.min_by(|a, b| cost(*a).total_cmp(&cost(*b))) else {
                continue;
            };
            chosen.push(best);
            enter(best, &mut hits, &mut fresh);
        }
        chosen.sort_unstable_by_key(|member| (Reverse(self.weights[*member as usize]), *member));
        chosen.retain(|member| {
            let own = &self.of[*member as usize];
            let is_needed = own.iter().any(|set| hits[*set as usize] == 1);
            if !is_needed {
                for set in own {
                    hits[*set as usize] -= 1;
                }
            }
            is_needed
        });
        chosen
    }

    /// Iterated greed for so many rounds.
    pub(super) fn improve(&mut self, rounds: u64, budget: &Budget) -> Result<(), Stop> {
        let prices: Vec<f64> = self.prices.iter().map(|price| *price as f64).collect();
        let by_prices = self.beyond(&prices);
        let by_weight = self.beyond(&vec![0.0; self.prices.len()]);
        let size: usize = self.sets.iter().map(Vec::len).sum();
        let mut random = Random::new(0x9E37_79B9_7F4A_7C15);
        let mut now: Vec<u32> = self.best.clone();
        now.retain(|member| !self.of[*member as usize].is_empty());
        now = self.completed(now, &by_prices);
        let weight = |chosen: &[u32]| -> u64 {
            let weights = chosen.iter().map(|member| self.weights[*member as usize]);
            weights.sum()
        };
        let mut now_weight = weight(&now);
        let mut found: Option<(u64, Vec<u32>)> = None;
        for round in 0..rounds {
            if self.closes(self.bound) || now.is_empty() {
                break;
            }
            budget.steps(1 + size as u64 / 8)?;
            let part = 3 + random.below(20);
            let mut kept = now.clone();
            kept.retain(|_| random.below(part) != 0);
            let rest = if round % 2 == 0 {
                &by_prices
            } else {
                &by_weight
            };
            let other = self.completed(kept, rest);
            let other_weight = weight(&other);
            if other_weight <= now_weight {
                (now, now_weight) = (other, other_weight);
                if found
                    .as_ref()
                    .is_none_or(|(weight, _)| now_weight < *weight)
                {
                    found = Some((now_weight, now.clone()));
                }
            }
        }
        if let Some((_, found)) = found {
            self.offer(&found);
        }
        Ok(())
    }
}
