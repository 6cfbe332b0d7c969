//! Minimum weight hitting sets, and lower bounds of their weight.
//!
//! Idea:
//!
//! 1. *Reductions.* A set that has another as a part is hit with it. A member goes if one that is
//!    no heavier is in all of its sets. What then is alone in a set is taken.
//! 2. *Parts.* Sets that share nothing, not even through others, are problems of their own.
//! 3. *Prices.* Give each set a price, so that what the sets of a member cost together is no more
//!    than it weighs. Then nothing that hits all sets weighs less than all prices together. Prices
//!    near the best come from a linear program (`prices`) and are made integers, in parts of a
//!    unit, so that the bound holds exactly.
//! 4. *Iterated greed* for sets that hit all (`greed`).
//! 5. *Cliques*: where any two of some members are a set, all but one are in. That says more than
//!    the sets do where parts of members may be in (`cliques`).
//! 6. *Branch and bound* with prices of its own at each node (`branch`).
//!
//! Invariants: bounds are true whenever the search is stopped, and the best set hits all sets.
//!
//! Cost: hundreds of passes over a component for each node; the caller limits the number of nodes.
//!
//! Sources: reductions: Weihe (1998); for the rest see their files.

mod branch;
mod cliques;
mod greed;
mod prices;

use meetjoin_lattice::{Budget, Stop};

/// The parts of a price that make a unit of weight, if that fits.
const PARTS: u64 = 1 << 10;
/// The greatest sum of weights that fits in parts.
const MOST_PARTED: u64 = 1 << 50;
/// Rounds of greed for each node.
const ROUNDS: u64 = 4;
/// The most rounds of greed: only nodes prove that no set is lighter.
const MOST_ROUNDS: u64 = 1 << 18;

/// The result.
pub struct Hitting {
    /// A set that hits all sets that have members.
    pub set: Vec<u32>,
    /// A lower bound of the weight of such sets.
    pub bound: u64,
    /// Prices of the sets, in parts of a unit.
    pub prices: Vec<u64>,
    /// The number of parts that make a unit of weight.
    pub parts: u64,
}

/// The lightest set that hits all of these sets of numbers below `weights.len()`, after at most
/// `nodes` nodes for each component. If only sets lighter than `enough` are of interest, the search
/// ends sooner when there is none. An empty set cannot be hit; it is ignored and has no price.
///
/// # Errors
/// [`Stop`] when the budget ends it.
///
/// # Panics
/// If a member has no weight, or all weights together do not fit 64 bits.
pub fn lightest_hitting(
    weights: &[u64],
    sets: &[&[u32]],
    enough: u64,
    nodes: u64,
    budget: &Budget,
) -> Result<Hitting, Stop> {
    let sum = |sum: u64, weight: &u64| sum.checked_add(*weight);
    let total = weights.iter().try_fold(0, sum);
    let total = total.expect("all weights together fit 64 bits");
    let scale = if total < MOST_PARTED { PARTS } else { 1 };
    let mut parts = Vec::new();
    let mut bound = 0;
    for component in components(weights.len(), sets) {
        let mut part = Part::new(weights, sets, &component, scale);
        part.offer(&(0..part.names.len() as u32).collect::<Vec<_>>());
        part.reduce();
        let relaxed = part.price(budget)?;
        bound += part.bound.div_ceil(scale);
        parts.push((part, relaxed));
    }
    for (part, relaxed) in &mut parts {
        if bound >= enough {
            break;
        }
        let others = bound - part.bound.div_ceil(scale);
        part.limit = (enough - others).saturating_mul(scale);
        part.improve(nodes.saturating_mul(ROUNDS).min(MOST_ROUNDS), budget)?;
        part.tighten(relaxed, budget)?;
        part.branch(relaxed, nodes, budget)?;
        bound = others + part.bound.div_ceil(scale);
    }
    let mut found = Hitting {
        set: Vec::new(),
        bound,
        prices: vec![0; sets.len()],
        parts: scale,
    };
    for (part, _) in parts {
        let best = part.best.iter();
        found.set.extend(best.map(|own| part.names[*own as usize]));
        let prices = part.origin.into_iter().zip(part.prices);
        for (set, price) in prices.chain(part.settled) {
            found.prices[set] = price;
        }
    }
    found.set.sort_unstable();
    Ok(found)
}

/// The representative of a member's component (union-find).
fn top(parent: &mut [u32], mut member: u32) -> u32 {
    while parent[member as usize] != member {
        let above = parent[parent[member as usize] as usize];
        parent[member as usize] = above;
        member = above;
    }
    member
}

/// The components: sets that share members, directly or through other sets.
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

/// A component, as a problem of its own.
struct Part {
    /// The outer numbers of members.
    names: Vec<u32>,
    /// In parts of a unit.
    weights: Vec<u64>,
    sets: Vec<Vec<u32>>,
    /// Members of which any two are a set.
    cliques: Vec<Vec<u32>>,
    /// The outer numbers of sets.
    origin: Vec<usize>,
    /// The sets of each member.
    of: Vec<Vec<u32>>,
    prices: Vec<u64>,
    parts: u64,
    /// Members that are in every solution considered.
    forced: Vec<u32>,
    /// Sets hit by forced members, by outer number, with their prices.
    settled: Vec<(usize, u64)>,
    best: Vec<u32>,
    best_weight: u64,
    /// Solutions that weigh this much or more are of no use.
    limit: u64,
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
            limit: u64::MAX,
            bound: 0,
            parts,
            names,
            sets,
            cliques: Vec::new(),
        };
        for set in &mut new.sets {
            set.sort_unstable();
            // A member counts once in a set, however often it is named.
            set.dedup();
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

    /// Takes members that are alone in a set, and drops dominated members and supersets of sets,
    /// until nothing changes.
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
            // The price of one set pays for the member.
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

    /// Offers a solution: these members with the forced ones hit all sets.
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

    /// The weight of the forced members.
    fn forced_weight(&self) -> u64 {
        let weights = self.forced.iter();
        weights.map(|member| self.weights[*member as usize]).sum()
    }

    /// Solutions must be lighter than this to be of use.
    fn goal(&self) -> u64 {
        self.best_weight.min(self.limit)
    }

    /// Returns whether a bound excludes useful solutions: weights are whole units.
    fn closes(&self, bound: u64) -> bool {
        bound.div_ceil(self.parts) * self.parts >= self.goal()
    }
}

fn is_subset(a: &[u32], b: &[u32]) -> bool {
    let mut rest = b.iter();
    a.iter().all(|x| rest.by_ref().find(|y| *y >= x) == Some(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least weight of a hitting set, by enumeration.
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

    /// Pseudorandom numbers below a limit.
    fn numbers_below() -> impl FnMut(u64) -> u64 {
        let mut state = 1_u64;
        move |count| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % count
        }
    }

    #[test]
    fn bounds_and_sets_are_those_of_enumeration() {
        let mut below = numbers_below();
        for round in 0..600 {
            let members = 2 + below(9);
            // Some in whole units, some beyond the precision of floating-point numbers.
            let scale = [1, 1, (1 << 59) + 1][round % 3];
            let weights: Vec<u64> = (0..members).map(|_| scale * below(4)).collect();
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
            let enough = [u64::MAX, least + 1, least, least / 2];
            let asked = enough
                .iter()
                .flat_map(|enough| [0, 1, 1_000].map(|nodes| (*enough, nodes)));
            for (enough, nodes) in asked {
                let budget = Budget::unlimited();
                let found = lightest_hitting(&weights, &sets, enough, nodes, &budget);
                let found = found.expect("no limit");
                let chosen = found.set.iter().map(|member| weights[*member as usize]);
                let weight = chosen.sum::<u64>();
                assert!(
                    found.bound <= least && least <= weight,
                    "{weights:?} {sets:?}"
                );
                if nodes > 1 && enough > least {
                    assert_eq!((found.bound, weight), (least, least));
                }
                if nodes > 1 {
                    assert!(found.bound >= enough.min(least));
                }
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

    /// Three members have three pairs, for which two members are needed. Prices do not show that: a
    /// node does, and greed alone would use all its rounds.
    #[test]
    fn as_many_nodes_as_it_takes_come_to_an_end() -> Result<(), Stop> {
        let (weights, sets): (_, [&[u32]; 3]) = ([3, 4, 5], [&[0, 1], &[1, 2], &[0, 2]]);
        let budget = Budget::unlimited();
        let found = lightest_hitting(&weights, &sets, u64::MAX, u64::MAX, &budget)?;
        assert_eq!((found.set, found.bound), (vec![0, 1], 7));
        Ok(())
    }

    #[test]
    fn a_member_that_is_named_twice_counts_once() -> Result<(), Stop> {
        let (weights, sets): (_, [&[u32]; 3]) = ([3, 4, 2], [&[0, 0, 1], &[0, 1, 2, 2], &[1, 2]]);
        let budget = Budget::unlimited();
        let found = lightest_hitting(&weights, &sets, u64::MAX, 100, &budget)?;
        assert_eq!((found.set, found.bound), (vec![1], 4));
        Ok(())
    }

    #[test]
    fn a_set_without_members_is_left_out() -> Result<(), Stop> {
        let sets: [&[u32]; 2] = [&[], &[0, 1]];
        let found = lightest_hitting(&[3, 4], &sets, u64::MAX, 1, &Budget::unlimited())?;
        assert_eq!((found.set, found.bound), (vec![0], 3));
        assert_eq!(found.prices, [0, 3 * found.parts]);
        Ok(())
    }

    #[test]
    #[should_panic(expected = "all weights together fit 64 bits")]
    fn weights_that_do_not_fit_are_refused() {
        let sets: [&[u32]; 2] = [&[0], &[1]];
        let weights = [u64::MAX, 1];
        let found = lightest_hitting(&weights, &sets, u64::MAX, 1, &Budget::unlimited());
        assert!(found.is_err());
    }

    /// All pairs of three groups, and sets that connect the groups: at one node the bound of the
    /// linear program alone is too weak.
    #[test]
    fn cliques_say_what_pairs_leave_open() -> Result<(), Stop> {
        let mut below = numbers_below();
        let pairs = (0..15_u32).flat_map(|a| (a + 1..15).map(move |b| vec![a, b]));
        let pairs: Vec<Vec<u32>> = pairs.filter(|pair| pair[0] / 5 == pair[1] / 5).collect();
        let (budget, mut closed) = (Budget::unlimited(), 0);
        for _ in 0..20 {
            let weights: Vec<u64> = (0..15).map(|_| 4 + below(4)).collect();
            let mut sets = pairs.clone();
            sets.extend((0..4).map(|_| (0..3).map(|group| 5 * group + below(5) as u32).collect()));
            let sets: Vec<&[u32]> = sets.iter().map(Vec::as_slice).collect();
            let least = enumerated(&weights, &sets);
            let found = lightest_hitting(&weights, &sets, u64::MAX, 1, &budget)?;
            assert!(found.bound <= least, "{weights:?} {sets:?}");
            // Half of all weights: the bound from pairs alone.
            assert!(weights.iter().sum::<u64>() / 2 + 10 < least);
            closed += usize::from(found.bound == least);
        }
        assert!(closed > 15, "{closed}");
        Ok(())
    }
}
