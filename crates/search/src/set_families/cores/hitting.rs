//! The lightest set that has a member of each of these sets, and bounds of it.
//!
//! Idea:
//!
//! 1. *Prices.* Give each set a price, so that what the sets of a member cost together is no more
//!    than it weighs. Then nothing that hits all sets weighs less than all prices together. Prices
//!    near the best are found by subgradient steps and made integers, in parts of a unit, so that
//!    the bound holds exactly.
//! 2. *Reductions.* A set that has another as a part is hit with it. A member goes if one that is
//!    no heavier is in all of its sets. What then is alone in a set is taken.
//! 3. *Parts.* Sets that share nothing, not even through others, are problems of their own.
//! 4. *Iterated greed.* Members are left out of the best set at random, and the sets that are not
//!    hit then are hit anew, by what costs least for each of them beyond its prices.
//! 5. *Branch and bound* over a member that most sets have: it is in, or it is out. The bound is
//!    what is in and the prices of the sets that are not hit, raised where what is out gives way.
//!
//! Invariants: a bound is true whenever the search is stopped, and the best set hits all.
//!
//! Cost: a pass over a part for each node; the number of nodes is limited by the caller.
//!
//! Sources: Lagrangian bounds of covering: Beasley (1987); reductions: Weihe (1998);
//! iterated greed: Jacobs and Brusco (1995).

use std::cmp::Reverse;

use meetjoin_lattice::{Budget, Stop};

/// A unit of weight is so many parts of a price, if that fits.
const PARTS: u64 = 1 << 10;
/// Below this all weights together fit in parts.
const MOST_PARTED: u64 = 1 << 50;
/// Subgradient steps for each part.
const STEPS: usize = 150;

/// What was found.
pub struct Hitting {
    /// Hits all sets.
    pub set: Vec<u32>,
    /// What it weighs.
    pub weight: u64,
    /// Nothing that weighs less hits all.
    pub bound: u64,
    /// Prices of the sets in this many parts of a unit.
    pub prices: Vec<u64>,
    /// So many parts make a unit of weight.
    pub parts: u64,
}

/// The lightest set that hits all of these sets of numbers below `weights.len()`, after so many
/// nodes for each part. `known` hits all, in ascending order.
pub fn lightest_hitting(
    weights: &[u64],
    sets: &[&[u32]],
    known: &[u32],
    nodes: u64,
    budget: &Budget,
) -> Result<Hitting, Stop> {
    let total: u64 = weights
        .iter()
        .fold(0, |all, weight| all.saturating_add(*weight));
    let parts = if total < MOST_PARTED { PARTS } else { 1 };
    let mut found = Hitting {
        set: Vec::new(),
        weight: 0,
        bound: 0,
        prices: vec![0; sets.len()],
        parts,
    };
    for component in components(weights.len(), sets) {
        let mut part = Part::new(weights, sets, &component, parts);
        let names = part.names.iter().enumerate();
        let known = names.filter(|(_, name)| known.binary_search(name).is_ok());
        let known: Vec<u32> = known.map(|(own, _)| own as u32).collect();
        part.offer(&known);
        part.reduce();
        part.price(budget)?;
        part.improve(nodes / 4, budget)?;
        part.branch(nodes, budget)?;
        found
            .set
            .extend(part.best.iter().map(|own| part.names[*own as usize]));
        found.weight += part.best_weight / parts;
        found.bound += part.bound.div_ceil(parts);
        let prices = part.origin.iter().copied().zip(part.prices.iter().copied());
        for (set, price) in prices.chain(part.settled.iter().copied()) {
            found.prices[set] = price;
        }
    }
    found.set.sort_unstable();
    Ok(found)
}

/// The one that stands for all that a member is joined to.
fn top(parent: &mut [u32], mut member: u32) -> u32 {
    while parent[member as usize] != member {
        let above = parent[parent[member as usize] as usize];
        parent[member as usize] = above;
        member = above;
    }
    member
}

/// Sets by number that share members, or do so through others.
fn components(members: usize, sets: &[&[u32]]) -> Vec<Vec<usize>> {
    let mut parent: Vec<u32> = (0..members as u32).collect();
    for set in sets {
        for pair in set.windows(2) {
            let (a, b) = (top(&mut parent, pair[0]), top(&mut parent, pair[1]));
            parent[a as usize] = b;
        }
    }
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![usize::MAX; members];
    for (number, set) in sets.iter().enumerate() {
        let Some(first) = set.first() else { continue };
        let top = top(&mut parent, *first) as usize;
        if place[top] == usize::MAX {
            place[top] = found.len();
            found.push(Vec::new());
        }
        found[place[top]].push(number);
    }
    found
}

/// A problem of its own.
struct Part {
    /// What members are called outside.
    names: Vec<u32>,
    /// In parts of a unit.
    weights: Vec<u64>,
    sets: Vec<Vec<u32>>,
    /// Which sets these were.
    origin: Vec<usize>,
    /// The sets of each member.
    of: Vec<Vec<u32>>,
    prices: Vec<u64>,
    parts: u64,
    /// Members that are in whatever else is.
    forced: Vec<u32>,
    /// Sets that they were alone in, by number outside, and their prices.
    settled: Vec<(usize, u64)>,
    best: Vec<u32>,
    best_weight: u64,
    bound: u64,
}

impl Part {
    fn new(weights: &[u64], sets: &[&[u32]], component: &[usize], parts: u64) -> Self {
        let mut names: Vec<u32> = component
            .iter()
            .flat_map(|set| sets[*set])
            .copied()
            .collect();
        names.sort_unstable();
        names.dedup();
        let own = |name: &u32| names.binary_search(name).unwrap_or(0) as u32;
        let sets = component
            .iter()
            .map(|set| sets[*set].iter().map(own).collect());
        let sets: Vec<Vec<u32>> = sets.collect();
        let weights = names.iter().map(|name| weights[*name as usize] * parts);
        let mut new = Self {
            weights: weights.collect(),
            origin: component.to_vec(),
            prices: vec![0; sets.len()],
            of: Vec::new(),
            forced: Vec::new(),
            settled: Vec::new(),
            best: Vec::new(),
            best_weight: 0,
            bound: 0,
            parts,
            names,
            sets,
        };
        for set in &mut new.sets {
            set.sort_unstable();
        }
        new.index();
        new
    }

    fn index(&mut self) {
        self.of = vec![Vec::new(); self.names.len()];
        for (number, set) in self.sets.iter().enumerate() {
            for member in set {
                self.of[*member as usize].push(number as u32);
            }
        }
    }

    /// Takes members that are alone in a set, drops members that others stand for, and sets that
    /// have others as a part, until nothing changes.
    fn reduce(&mut self) {
        loop {
            let mut gone = vec![false; self.names.len()];
            let mut is_changed = false;
            for member in 0..self.names.len() {
                let Some(first) = self.of[member].first() else {
                    continue;
                };
                let stands_for = |other: &u32| {
                    let place = *other as usize;
                    place != member
                        && !gone[place]
                        && self.weights[place] <= self.weights[member]
                        && self.of[place].len() >= self.of[member].len()
                        && is_subset(&self.of[member], &self.of[place])
                };
                if self.sets[*first as usize].iter().any(stands_for) {
                    gone[member] = true;
                    is_changed = true;
                }
            }
            for set in &mut self.sets {
                set.retain(|member| !gone[*member as usize]);
            }
            let alone = self.sets.iter().filter(|set| set.len() == 1);
            let mut alone: Vec<u32> = alone.map(|set| set[0]).collect();
            alone.sort_unstable();
            alone.dedup();
            let mut keeps: Vec<bool> = self
                .sets
                .iter()
                .map(|set| !set.iter().any(|member| alone.binary_search(member).is_ok()))
                .collect();
            self.drop_wider(&mut keeps);
            is_changed |= keeps.contains(&false);
            // The price of one set pays for what is taken.
            for member in &alone {
                let weight = self.weights[*member as usize];
                let only = self.sets.iter().position(|set| *set == [*member]);
                self.settled
                    .extend(only.map(|set| (self.origin[set], weight)));
                self.forced.push(*member);
                self.bound += weight;
            }
            let mut place = 0;
            self.sets.retain(|_| {
                place += 1;
                keeps[place - 1]
            });
            let mut place = 0;
            self.origin.retain(|_| {
                place += 1;
                keeps[place - 1]
            });
            self.prices.truncate(self.sets.len());
            self.index();
            if !is_changed {
                return;
            }
        }
    }

    fn drop_wider(&self, keeps: &mut [bool]) {
        let mut of = vec![Vec::new(); self.names.len()];
        for (number, set) in self.sets.iter().enumerate() {
            if keeps[number] {
                for member in set {
                    of[*member as usize].push(number);
                }
            }
        }
        for (number, set) in self.sets.iter().enumerate() {
            let rarest = set.iter().min_by_key(|member| of[**member as usize].len());
            let Some(rarest) = rarest else { continue };
            if !keeps[number] {
                continue;
            }
            for other in &of[*rarest as usize] {
                let wider = &self.sets[*other];
                let is_same = wider.len() == set.len();
                if *other != number
                    && (wider.len() > set.len() || is_same && *other > number)
                    && is_subset(set, wider)
                {
                    keeps[*other] = false;
                }
            }
        }
    }

    /// Prices by subgradient steps, and members that they lead to.
    fn price(&mut self, budget: &Budget) -> Result<(), Stop> {
        let count = self.sets.len();
        let mut best_prices = vec![0; count];
        self.raise(&mut best_prices);
        let mut floats: Vec<f64> = best_prices.iter().map(|price| *price as f64).collect();
        self.consider(&floats);
        let mut best = best_prices.iter().sum::<u64>();
        let mut step = 1.0;
        let mut since = 0;
        let size: usize = self.sets.iter().map(Vec::len).sum();
        for round in 0..STEPS {
            if (self.bound + best).div_ceil(self.parts) * self.parts >= self.best_weight {
                break;
            }
            budget.steps(1 + size as u64 / 8)?;
            let mut rest: Vec<f64> = self.weights.iter().map(|weight| *weight as f64).collect();
            for (set, price) in self.sets.iter().zip(&floats) {
                for member in set {
                    rest[*member as usize] -= price;
                }
            }
            let value: f64 =
                floats.iter().sum::<f64>() + rest.iter().map(|r| r.min(0.0)).sum::<f64>();
            let mut norm = 0.0;
            let slopes: Vec<f64> = self
                .sets
                .iter()
                .map(|set| {
                    let inside = set.iter().filter(|member| rest[**member as usize] < 0.0);
                    let slope = 1.0 - inside.count() as f64;
                    norm += slope * slope;
                    slope
                })
                .collect();
            if norm == 0.0 {
                break;
            }
            let goal = (self.best_weight - self.bound) as f64;
            let length = step * (goal * 1.01 - value).max(1.0) / norm;
            for (price, slope) in floats.iter_mut().zip(&slopes) {
                *price = (*price + length * slope).max(0.0);
            }
            let mut prices = self.lowered(&floats);
            self.raise(&mut prices);
            let sum = prices.iter().sum::<u64>();
            since += 1;
            if sum > best {
                (best, best_prices, since) = (sum, prices, 0);
            }
            if since >= 12 {
                (step, since) = (step / 2.0, 0);
            }
            if round % 10 == 9 {
                self.consider(&floats);
            }
        }
        self.prices = best_prices;
        self.bound += best;
        Ok(())
    }

    /// Prices of integers that no member's sets exceed: too high ones are scaled down.
    #[allow(clippy::cast_sign_loss)] // prices are not negative
    fn lowered(&self, floats: &[f64]) -> Vec<u64> {
        let mut sums = vec![0.0; self.names.len()];
        for (set, price) in self.sets.iter().zip(floats) {
            for member in set {
                sums[*member as usize] += price;
            }
        }
        let mut prices: Vec<u64> = Vec::with_capacity(floats.len());
        for (set, price) in self.sets.iter().zip(floats) {
            let worst = set.iter().map(|member| {
                let place = *member as usize;
                (self.weights[place] as f64 / sums[place]).min(1.0)
            });
            let scale = worst.fold(1.0, f64::min);
            prices.push((price * scale) as u64);
        }
        // Rounding can leave a part too much.
        let mut rest = self.weights.clone();
        for (set, price) in self.sets.iter().zip(&mut prices) {
            let room = set.iter().map(|member| rest[*member as usize]).min();
            *price = (*price).min(room.unwrap_or(0));
            for member in set {
                rest[*member as usize] -= *price;
            }
        }
        prices
    }

    /// Raises prices where all members of a set have something left.
    fn raise(&self, prices: &mut [u64]) {
        let mut rest = self.weights.clone();
        for (set, price) in self.sets.iter().zip(prices.iter()) {
            for member in set {
                rest[*member as usize] -= price;
            }
        }
        for (set, price) in self.sets.iter().zip(prices) {
            let room = set
                .iter()
                .map(|member| rest[*member as usize])
                .min()
                .unwrap_or(0);
            *price += room;
            for member in set {
                rest[*member as usize] -= room;
            }
        }
    }

    /// Members by what they weigh beyond the prices for each set they hit.
    fn consider(&mut self, prices: &[f64]) {
        let rest = self.beyond(prices);
        let chosen = self.completed(Vec::new(), &rest);
        self.offer(&chosen);
    }

    /// What members weigh beyond prices.
    fn beyond(&self, prices: &[f64]) -> Vec<f64> {
        let mut rest: Vec<f64> = self.weights.iter().map(|weight| *weight as f64).collect();
        for (set, price) in self.sets.iter().zip(prices) {
            for member in set {
                rest[*member as usize] -= price;
            }
        }
        rest
    }

    /// With members that hit what these do not, without those that turn out not to be needed.
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
        chosen.sort_by_key(|member| (Reverse(self.weights[*member as usize]), *member));
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

    /// Iterated greed, so often.
    fn improve(&mut self, rounds: u64, budget: &Budget) -> Result<(), Stop> {
        let prices: Vec<f64> = self.prices.iter().map(|price| *price as f64).collect();
        let by_prices = self.beyond(&prices);
        let by_weight = self.beyond(&vec![0.0; self.prices.len()]);
        let size: usize = self.sets.iter().map(Vec::len).sum();
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state >> 33
        };
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
            let part = 3 + next() % 20;
            let mut kept = now.clone();
            kept.retain(|_| next() % part != 0);
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

    /// Members that hit all sets with those that are forced.
    fn offer(&mut self, chosen: &[u32]) {
        let all = chosen.iter().chain(&self.forced);
        let weight = all
            .clone()
            .map(|member| self.weights[*member as usize])
            .sum();
        if self.best.is_empty() || weight < self.best_weight {
            self.best = all.copied().collect();
            self.best_weight = weight;
        }
    }

    /// Whether a bound leaves nothing lighter than the best: weights are whole units.
    fn closes(&self, bound: u64) -> bool {
        bound.div_ceil(self.parts) * self.parts >= self.best_weight
    }

    /// Branch and bound. The order is depth first; if it is not finished, the bound stays.
    fn branch(&mut self, nodes: u64, budget: &Budget) -> Result<(), Stop> {
        if self.closes(self.bound) {
            self.bound = self.bound.max(self.best_weight);
            return Ok(());
        }
        let base = self.bound - self.prices.iter().sum::<u64>();
        let mut states: Vec<(u32, bool)> = Vec::new();
        let mut left = nodes;
        let size: usize = self.sets.iter().map(Vec::len).sum();
        loop {
            if left == 0 {
                return Ok(());
            }
            left -= 1;
            budget.steps(1 + size as u64 / 8)?;
            if let Some(next) = self.look(&states, base) {
                states.push((next, true));
                continue;
            }
            // Back to the last member that is in: now it is out.
            loop {
                match states.pop() {
                    None => {
                        self.bound = self.best_weight;
                        return Ok(());
                    }
                    Some((member, true)) => {
                        states.push((member, false));
                        break;
                    }
                    Some((_, false)) => {}
                }
            }
        }
    }

    /// The member to branch on where these are in and out, or none if nothing lighter follows.
    fn look(&mut self, states: &[(u32, bool)], base: u64) -> Option<u32> {
        let mut is_in = vec![false; self.names.len()];
        let mut is_out = vec![false; self.names.len()];
        let mut hits = vec![false; self.sets.len()];
        let mut chosen: Vec<u32> = Vec::new();
        let take =
            |member: u32, hits: &mut Vec<bool>, chosen: &mut Vec<u32>, is_in: &mut Vec<bool>| {
                if !is_in[member as usize] {
                    is_in[member as usize] = true;
                    chosen.push(member);
                    for set in &self.of[member as usize] {
                        hits[*set as usize] = true;
                    }
                }
            };
        for (member, state) in states {
            if *state {
                take(*member, &mut hits, &mut chosen, &mut is_in);
            } else {
                is_out[*member as usize] = true;
            }
        }
        // What is alone in a set is in. A member that is out has all its neighbours in pairs in.
        for (member, state) in states {
            if *state {
                continue;
            }
            for set in &self.of[*member as usize] {
                if hits[*set as usize] {
                    continue;
                }
                let mut free = self.sets[*set as usize]
                    .iter()
                    .filter(|other| !is_out[**other as usize]);
                match (free.next(), free.next()) {
                    (None, _) => return None,
                    (Some(only), None) => take(*only, &mut hits, &mut chosen, &mut is_in),
                    _ => {}
                }
            }
        }
        let mut bound: u64 = base
            + chosen
                .iter()
                .map(|m| self.weights[*m as usize])
                .sum::<u64>();
        let mut rest = self.weights.clone();
        let mut degree = vec![0_u32; self.names.len()];
        for (number, set) in self.sets.iter().enumerate() {
            if hits[number] {
                continue;
            }
            bound += self.prices[number];
            for member in set {
                rest[*member as usize] -= self.prices[number];
                degree[*member as usize] += 1;
            }
        }
        for (number, set) in self.sets.iter().enumerate() {
            if hits[number] {
                continue;
            }
            let free = set.iter().filter(|member| !is_out[**member as usize]);
            let room = free.clone().map(|member| rest[*member as usize]).min();
            let room = room.unwrap_or(0);
            if room > 0 {
                bound += room;
                for member in free {
                    rest[*member as usize] -= room;
                }
            }
        }
        if self.closes(bound) {
            return None;
        }
        let free = (0..self.names.len() as u32).filter(|member| !is_out[*member as usize]);
        let open = free.filter(|member| degree[*member as usize] > 0);
        let next = open.max_by_key(|member| {
            let place = *member as usize;
            (degree[place], Reverse(rest[place]), Reverse(*member))
        });
        if next.is_none() {
            self.offer(&chosen);
        }
        next
    }
}

fn is_subset(a: &[u32], b: &[u32]) -> bool {
    let mut rest = b.iter();
    a.iter().all(|x| rest.by_ref().find(|y| *y >= x) == Some(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What hits all sets weighs at least this: by enumeration.
    fn enumerated(weights: &[u64], sets: &[&[u32]]) -> u64 {
        let all = 0..1_u32 << weights.len();
        let hits = |chosen: &u32| {
            let mut sets = sets.iter();
            sets.all(|set| set.iter().any(|member| chosen >> member & 1 == 1))
        };
        let weight = |chosen: u32| -> u64 {
            let members = weights.iter().enumerate();
            let members = members.filter(|(member, _)| chosen >> member & 1 == 1);
            members.map(|(_, weight)| weight).sum()
        };
        all.filter(hits).map(weight).min().unwrap_or(0)
    }

    #[test]
    fn bounds_and_sets_are_those_of_enumeration() {
        let mut state = 1_u64;
        let mut below = |count: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % count
        };
        for _ in 0..400 {
            let members = 2 + below(9);
            let weights: Vec<u64> = (0..members).map(|_| 1 + below(4)).collect();
            let sets = 1 + below(14);
            let sets: Vec<Vec<u32>> = (0..sets)
                .map(|_| {
                    let mut set: Vec<u32> = (0..=below(4)).map(|_| below(members) as u32).collect();
                    set.sort_unstable();
                    set.dedup();
                    set
                })
                .collect();
            let sets: Vec<&[u32]> = sets.iter().map(Vec::as_slice).collect();
            let least = enumerated(&weights, &sets);
            let known: Vec<u32> = (0..members as u32).collect();
            for nodes in [0, 1, 1_000] {
                let budget = Budget::unlimited();
                let found = lightest_hitting(&weights, &sets, &known, nodes, &budget);
                let found = found.expect("no limit");
                assert!(
                    found.bound <= least && least <= found.weight,
                    "{weights:?} {sets:?}"
                );
                if nodes > 1 {
                    assert_eq!((found.bound, found.weight), (least, least));
                }
                let chosen = found.set.iter().map(|member| weights[*member as usize]);
                assert_eq!(chosen.sum::<u64>(), found.weight);
                let is_hit = |set: &&[u32]| set.iter().any(|member| found.set.contains(member));
                assert!(sets.iter().all(is_hit));
                let mut paid = vec![0; weights.len()];
                for (set, price) in sets.iter().zip(&found.prices) {
                    set.iter()
                        .for_each(|member| paid[*member as usize] += price);
                }
                let fits = |(paid, weight): (&u64, &u64)| *paid <= weight * found.parts;
                assert!(paid.iter().zip(&weights).all(fits));
            }
        }
    }
}
