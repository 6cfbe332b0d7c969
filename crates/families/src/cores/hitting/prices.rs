//! Prices of sets and fractions of members: the linear program and its dual.
//!
//! Idea: if members may be in by fractions, the lightest way to hit all sets is a linear program,
//! and prices are its dual: their bound never exceeds the weight of the lightest fractions. Both
//! are found together by a primal-dual gradient method. A fraction grows if its member weighs less
//! than its sets cost; a price grows if the fractions in its set, extrapolated by one step, make
//! less than a whole. If the averages of the iterates are better than the last ones, it restarts
//! from these.
//!
//! Invariants: for any prices, the weight that is in, plus all prices, minus the excess of prices
//! over each member's weight, is a lower bound. Fractions are between 0 and 1, prices are not
//! negative.
//!
//! Cost: two passes over the sets for each step. Two hundred steps come within 1 % of the best on
//! bridge endings, where 150 subgradient steps came within 10 %.
//!
//! Sources: primal-dual steps: Chambolle and Pock (2011), with step lengths by member and set: Pock
//! and Chambolle (2011); restarts from averages: Applegate and others (2021).

use std::ops::Range;

use meetjoin_lattice::{Budget, Stop};

use super::Part;

/// Steps for a whole component.
pub(super) const STEPS: usize = 200;
/// The change of a price, in mean weights, per missing fraction of a set with one member.
const PACE: f64 = 0.1;
/// Averages are checked after each so many steps,
const LOOK: usize = 20;
/// and have at least so many steps.
const LEAST: usize = 60;

/// The fractions of all members and the prices of all sets.
#[derive(Clone)]
pub(super) struct Relaxed {
    pub(super) parts: Vec<f64>,
    pub(super) prices: Vec<f64>,
}

impl Part {
    /// Finds prices of all sets: stores integers, and returns the solution of the linear program.
    pub(super) fn price(&mut self, budget: &Budget) -> Result<Relaxed, Stop> {
        let sets: Vec<u32> = (0..self.sets.len() as u32).collect();
        let mut prices = vec![0; sets.len()];
        self.raise(&mut prices);
        let mut relaxed = Relaxed {
            parts: vec![0.0; self.names.len()],
            prices: prices.iter().map(|price| *price as f64).collect(),
        };
        self.consider(&relaxed.prices);
        let least = prices.iter().sum::<u64>();
        if !self.closes(self.bound + least) {
            budget.steps(1 + (self.size(&sets) * STEPS) as u64 / 8)?;
            let goal = self.goal().saturating_sub(self.bound) as f64;
            Program::new(self, sets, |_| true).improve(STEPS, goal, &mut relaxed);
            self.round(&[], &relaxed);
            let mut found = self.lowered(&relaxed.prices);
            self.raise(&mut found);
            if found.iter().sum::<u64>() > least {
                prices = found;
            }
            self.consider(&relaxed.prices);
        }
        self.bound += prices.iter().sum::<u64>();
        self.prices = prices;
        Ok(relaxed)
    }

    /// The numbers of the rows of cliques, which follow those of sets.
    pub(super) fn clique_rows(&self) -> Range<u32> {
        let sets = self.sets.len() as u32;
        sets..sets + self.cliques.len() as u32
    }

    /// The members of a row.
    pub(super) fn row(&self, row: u32) -> &[u32] {
        let row = row as usize;
        match row.checked_sub(self.sets.len()) {
            None => &self.sets[row],
            Some(clique) => &self.cliques[clique],
        }
    }

    /// The least number of a row's free members that are in: one of a set that is not hit yet, and
    /// all but one of a clique of which none is out.
    pub(super) fn wanted(&self, row: u32, free: usize) -> usize {
        if row < self.sets.len() as u32 {
            1
        } else {
            free - 1
        }
    }

    /// The number of members in these rows.
    pub(super) fn size(&self, sets: &[u32]) -> usize {
        sets.iter().map(|set| self.sets[*set as usize].len()).sum()
    }

    /// Integer prices that do not exceed any member's weight: too high ones are scaled down.
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
        // Rounding can exceed a member's weight.
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

    /// Raises prices while all members of a set have residual weight.
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
}

/// Rows of sets and cliques with their free members.
pub(super) struct Program {
    rows: Vec<u32>,
    /// The least number of free members of each row that are in.
    wanted: Vec<f64>,
    members: Vec<u32>,
    weights: Vec<f64>,
    /// The index in `members` of each row's first member, and the end of the last row.
    starts: Vec<usize>,
    of_rows: Vec<u32>,
    part_steps: Vec<f64>,
    price_steps: Vec<f64>,
}

impl Program {
    pub(super) fn new(part: &Part, rows: Vec<u32>, is_free: impl Fn(u32) -> bool) -> Self {
        let mut places = vec![u32::MAX; part.names.len()];
        let (mut members, mut degrees) = (Vec::new(), Vec::new());
        let (mut starts, mut of_rows) = (vec![0], Vec::new());
        let mut wanted = Vec::with_capacity(rows.len());
        for row in &rows {
            let before = of_rows.len();
            let free = part.row(*row).iter();
            for member in free.filter(|member| is_free(**member)) {
                let place = &mut places[*member as usize];
                if *place == u32::MAX {
                    *place = members.len() as u32;
                    members.push(*member);
                    degrees.push(0_u32);
                }
                degrees[*place as usize] += 1;
                of_rows.push(*place);
            }
            starts.push(of_rows.len());
            wanted.push(part.wanted(*row, of_rows.len() - before) as f64);
        }
        let weights = members.iter().map(|member| part.weights[*member as usize]);
        let weights: Vec<f64> = weights.map(|weight| weight as f64).collect();
        let pace = PACE * weights.iter().sum::<f64>() / weights.len().max(1) as f64;
        // If all weights are 0, so are prices.
        let pace = pace.max(1.0);
        let part_step = |degree: &u32| 1.0 / (f64::from(*degree) * pace);
        let price_step = |ends: &[usize]| pace / (ends[1] - ends[0]) as f64;
        Self {
            part_steps: degrees.iter().map(part_step).collect(),
            price_steps: starts.windows(2).map(price_step).collect(),
            rows,
            wanted,
            members,
            weights,
            starts,
            of_rows,
        }
    }

    /// Takes so many steps, fewer if the bound reaches the goal.
    pub(super) fn improve(&self, steps: usize, goal: f64, relaxed: &mut Relaxed) {
        let parts = self.members.iter();
        let mut parts: Vec<f64> = parts.map(|m| relaxed.parts[*m as usize]).collect();
        let prices = self.rows.iter();
        let mut prices: Vec<f64> = prices.map(|row| relaxed.prices[*row as usize]).collect();
        let mut rest = vec![0.0; parts.len()];
        let mut best = self.bound(&prices, &mut rest);
        let mut best_prices = prices.clone();
        let mut ahead = parts.clone();
        let mut sums = (vec![0.0; parts.len()], vec![0.0; prices.len()]);
        let (mut since, mut mean_rest) = (0, rest.clone());
        for step in 1..=steps {
            if best >= goal {
                break;
            }
            for place in 0..parts.len() {
                let (old, length) = (parts[place], self.part_steps[place]);
                parts[place] = (old - length * rest[place]).clamp(0.0, 1.0);
                ahead[place] = 2.0 * parts[place] - old;
                sums.0[place] += parts[place];
            }
            // The residuals under the new prices, in the same pass.
            rest.copy_from_slice(&self.weights);
            for (row, price) in prices.iter_mut().enumerate() {
                let members = self.members_of(row);
                let whole: f64 = members.iter().map(|place| ahead[*place as usize]).sum();
                let missing = self.wanted[row] - whole;
                *price = (*price + self.price_steps[row] * missing).max(0.0);
                sums.1[row] += *price;
                pay(*price, members, &mut rest);
            }
            let bound = self.said(&prices, &rest);
            if bound > best {
                best = bound;
                best_prices.clone_from(&prices);
            }
            since += 1;
            if step % LOOK != 0 && step != steps {
                continue;
            }
            let mean = |sum: &f64| sum / since as f64;
            let mean_prices: Vec<f64> = sums.1.iter().map(mean).collect();
            let mean_bound = self.bound(&mean_prices, &mut mean_rest);
            if mean_bound > best {
                best = mean_bound;
                best_prices.clone_from(&mean_prices);
            }
            if since >= LEAST && since * 3 > step {
                if mean_bound > bound {
                    parts = sums.0.iter().map(mean).collect();
                    prices = mean_prices;
                    rest.clone_from(&mean_rest);
                }
                sums.0.fill(0.0);
                sums.1.fill(0.0);
                since = 0;
            }
        }
        for (member, part) in self.members.iter().zip(parts) {
            relaxed.parts[*member as usize] = part;
        }
        for (row, price) in self.rows.iter().zip(best_prices) {
            relaxed.prices[*row as usize] = price;
        }
    }

    fn members_of(&self, row: usize) -> &[u32] {
        &self.of_rows[self.starts[row]..self.starts[row + 1]]
    }

    /// The bound of prices; also computes the residual weights.
    fn bound(&self, prices: &[f64], rest: &mut [f64]) -> f64 {
        rest.copy_from_slice(&self.weights);
        for (row, price) in prices.iter().enumerate() {
            pay(*price, self.members_of(row), rest);
        }
        self.said(prices, rest)
    }

    /// The bound of prices with these residual weights.
    fn said(&self, prices: &[f64], rest: &[f64]) -> f64 {
        let beyond: f64 = rest.iter().map(|rest| rest.min(0.0)).sum();
        let paid = prices.iter().zip(&self.wanted);
        paid.map(|(price, wanted)| price * wanted).sum::<f64>() + beyond
    }
}

/// Subtracts the price of a set from the residual weights of its members.
fn pay(price: f64, members: &[u32], rest: &mut [f64]) {
    if price > 0.0 {
        for member in members {
            rest[*member as usize] -= price;
        }
    }
}
