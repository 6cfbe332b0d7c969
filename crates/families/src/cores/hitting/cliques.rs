//! Clique cuts: members of which any two are a set.
//!
//! Idea: no two members of a clique can both be out, so all but one are in. The linear program
//! takes a half of each, which hits all pairs: of three members one and a half, where two are
//! needed. So its solution is searched for cliques of which more than one member, in total, is out,
//! and these become rows: greedily from each member, the next is the one that is most out among
//! those paired with all before.
//!
//! Invariant: a set that hits all sets contains all members of each clique but at most one.
//!
//! Cost: a pass over pairs for each member of a pair, and prices with the new rows. After a minute
//! an ending of seven cards (J972.K95 opposite A43.Q74.6) is known to 1,072 of its layouts, and
//! without cliques to 1,149.
//!
//! Source: cliques of set packing: Padberg (1973).

use std::collections::BTreeSet;

use meetjoin_lattice::{Budget, Stop};

use super::Part;
use super::prices::{Program, Relaxed, STEPS};

/// Rounds of looking for cliques.
const ROUNDS: usize = 5;
/// A clique counts if this much of its members is out.
const ENOUGH: f64 = 1.02;
/// A member with less out counts as in.
const LITTLE: f64 = 1e-6;

impl Part {
    /// Looks for cliques that `relaxed` violates, and improves it with these.
    pub(super) fn tighten(&mut self, relaxed: &mut Relaxed, budget: &Budget) -> Result<(), Stop> {
        if self.closes(self.bound) {
            return Ok(());
        }
        let pairs = self.pairs();
        let sets: Vec<u32> = (0..self.sets.len() as u32).collect();
        let goal = self.goal().saturating_sub(self.forced_weight()) as f64;
        let mut known = BTreeSet::new();
        for _ in 0..ROUNDS {
            let mut found = open_cliques(&pairs, &relaxed.parts);
            found.retain(|clique| known.insert(clique.clone()));
            if found.is_empty() {
                break;
            }
            self.cliques.append(&mut found);
            let rows: Vec<u32> = (0..self.clique_rows().end).collect();
            relaxed.prices.resize(rows.len(), 0.0);
            budget.steps(1 + (self.size(&sets) * STEPS) as u64 / 8)?;
            Program::new(self, rows, |_| true).improve(STEPS, goal, relaxed);
        }
        Ok(())
    }

    /// For each member those paired with it, ascending.
    fn pairs(&self) -> Vec<Vec<u32>> {
        let mut pairs = vec![Vec::new(); self.names.len()];
        for set in &self.sets {
            if let [a, b] = set[..] {
                pairs[a as usize].push(b);
                pairs[b as usize].push(a);
            }
        }
        for others in &mut pairs {
            others.sort_unstable();
        }
        pairs
    }
}

/// Cliques of three or more members, each in ascending order, that these fractions violate.
fn open_cliques(pairs: &[Vec<u32>], parts: &[f64]) -> Vec<Vec<u32>> {
    let out = |member: &u32| 1.0 - parts[*member as usize];
    let mut found = Vec::new();
    for (member, others) in (0..).zip(pairs) {
        if out(&member) <= LITTLE {
            continue;
        }
        let mut clique = vec![member];
        let mut left = others.clone();
        left.retain(|other| out(other) > LITTLE);
        while let Some(next) = left.iter().max_by(|a, b| out(a).total_cmp(&out(b))) {
            let next = *next;
            clique.push(next);
            left.retain(|other| pairs[next as usize].binary_search(other).is_ok());
        }
        if clique.len() > 2 && clique.iter().map(out).sum::<f64>() > ENOUGH {
            clique.sort_unstable();
            found.push(clique);
        }
    }
    found
}
