//! Pareto fronts: the non-dominated vectors of several attributes, each with an attack.
//!
//! Idea: both children of a node give sets of vectors, and a dominated vector can be dropped at
//! once, since whatever is added later is added to both. Candidates are sorted lexicographically,
//! then one sweep is enough: for two attributes it remembers the best second value, for three a
//! staircase, and for more each candidate is compared with all that are kept.
//!
//! Cost: n log n for n candidates of up to three attributes; n times the front for more.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use meetjoin_lattice::{Budget, Stop};

use super::criteria::{Criteria, Criterion};
use super::witness::{NOTHING, Witness, Witnesses};
use super::{Algebra, Compared};
use crate::tree::Rule;

/// The most candidates that are made at once.
const CANDIDATES: usize = 1 << 20;

/// Vectors, each with an attack that has it, in lexicographic order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Front {
    /// One vector after the other.
    worths: Vec<f64>,
    witnesses: Vec<Witness>,
}

impl Front {
    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.witnesses.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.witnesses.is_empty()
    }

    /// The attacks.
    pub fn witnesses(&self) -> &[Witness] {
        &self.witnesses
    }

    fn vector(&self, place: usize, width: usize) -> &[f64] {
        &self.worths[place * width..][..width]
    }
}

/// Fronts over some criteria.
#[derive(Debug)]
pub struct Fronts<'a> {
    criteria: &'a Criteria,
    witnesses: &'a Witnesses,
}

/// Vectors with the two parts of their attacks.
#[derive(Clone, Debug, Default)]
struct Candidates {
    worths: Vec<f64>,
    parts: Vec<[Witness; 2]>,
}

impl<'a> Fronts<'a> {
    /// Fronts over these criteria.
    pub fn of(criteria: &'a Criteria, witnesses: &'a Witnesses) -> Self {
        Self {
            criteria,
            witnesses,
        }
    }

    fn all(&self) -> &[Criterion] {
        &self.criteria.all
    }

    /// Each vector alone.
    pub fn points<'f>(&self, front: &'f Front) -> impl Iterator<Item = Front> + 'f {
        let width = self.all().len();
        (0..front.len()).map(move |place| Front {
            worths: front.vector(place, width).to_vec(),
            witnesses: vec![front.witnesses[place]],
        })
    }

    fn joined(&self, kept: &Candidates) -> Front {
        let parts = kept.parts.iter();
        Front {
            worths: kept.worths.clone(),
            witnesses: parts.map(|&[a, b]| self.witnesses.join(a, b)).collect(),
        }
    }

    /// The non-dominated candidates, in lexicographic order.
    fn pruned(&self, candidates: &Candidates, budget: &Budget) -> Result<Candidates, Stop> {
        let width = self.all().len();
        let count = candidates.parts.len();
        let vector = |place: usize| &candidates.worths[place * width..][..width];
        budget.steps(count as u64)?;
        budget.room((count * (2 * size_of::<f64>() * width + 6 * size_of::<u32>())) as u64)?;
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_unstable_by(|&a, &b| {
            lexicographic(vector(a as usize), vector(b as usize)).then(a.cmp(&b))
        });
        let is_product = |place: usize| self.all()[place].rule == Rule::Product;
        let products = (0..width).filter(|&place| is_product(place)).count();
        let mut kept: Vec<u32> = Vec::new();
        match width {
            0 | 1 => kept.extend(order.first()),
            2 if products < 2 => {
                let mut best: Option<f64> = None;
                for place in order {
                    let second = vector(place as usize)[1];
                    if best.is_none_or(|best| !self.all()[1].no_worse(best, second)) {
                        best = Some(second);
                        kept.push(place);
                    }
                }
            }
            3 if products < 2 => {
                let mut stairs = Stairs::default();
                for place in order {
                    let vector = vector(place as usize);
                    if stairs.insert(vector[1], vector[2], self.all()[2]) {
                        kept.push(place);
                    }
                }
            }
            _ => {
                for place in order {
                    let new = vector(place as usize);
                    budget.steps(1 + kept.len() as u64 / 16)?;
                    let no_worse = |a: &[f64], b: &[f64]| {
                        let mut pairs = self.all().iter().zip(a.iter().zip(b));
                        pairs.all(|(criterion, (&a, &b))| criterion.no_worse(a, b))
                    };
                    if kept.iter().any(|&old| no_worse(vector(old as usize), new)) {
                        continue;
                    }
                    if products > 1 {
                        // Products that are equal may stand in the wrong order.
                        kept.retain(|&old| !no_worse(new, vector(old as usize)));
                    }
                    kept.push(place);
                }
            }
        }
        let mut found = Candidates::default();
        for place in kept {
            found.worths.extend(vector(place as usize));
            found.parts.push(candidates.parts[place as usize]);
        }
        Ok(found)
    }
}

fn lexicographic(a: &[f64], b: &[f64]) -> Ordering {
    let orders = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
    orders.fold(Ordering::Equal, Ordering::then)
}

/// The best third value for each bound on the second, among vectors whose first value is no worse.
#[derive(Debug, Default)]
struct Stairs {
    /// Keyed by the bits of the second value: these have its order, as it is not negative.
    steps: BTreeMap<u64, f64>,
}

impl Stairs {
    /// Adds a step unless there is one that is no worse.
    fn insert(&mut self, second: f64, third: f64, criterion: Criterion) -> bool {
        let key = second.to_bits();
        let below = self.steps.range(..=key).next_back();
        if below.is_some_and(|(_, &best)| criterion.no_worse(best, third)) {
            return false;
        }
        let worse = self.steps.range(key..);
        let worse: Vec<u64> = worse
            .take_while(|&(_, &other)| other >= third)
            .map(|(&key, _)| key)
            .collect();
        for key in worse {
            self.steps.remove(&key);
        }
        self.steps.insert(key, third);
        true
    }
}

impl Algebra for Fronts<'_> {
    type Value = Front;

    fn never(&self) -> Front {
        Front::default()
    }

    fn always(&self) -> Front {
        Front {
            worths: vec![Criterion::FREE; self.all().len()],
            witnesses: vec![NOTHING],
        }
    }

    fn leaf(&self, node: u32) -> Front {
        Front {
            worths: self.criteria.of_leaf(node).to_vec(),
            witnesses: vec![self.witnesses.leaf(node)],
        }
    }

    fn choose(
        &self,
        variable: &Front,
        high: &Front,
        low: &Front,
        budget: &Budget,
    ) -> Result<Front, Stop> {
        if variable.is_empty() || high.is_empty() {
            return Ok(low.clone());
        }
        let width = self.all().len();
        let low_parts = low.witnesses.iter().map(|&witness| [witness, NOTHING]);
        let mut all = Candidates {
            worths: low.worths.clone(),
            parts: low_parts.collect(),
        };
        // For each vector of the smaller front, the whole larger one: adding a constant keeps it
        // sorted.
        let (few, many) = if variable.len() <= high.len() {
            (variable, high)
        } else {
            (high, variable)
        };
        for row in 0..few.len() {
            let added = few.vector(row, width);
            for place in 0..many.len() {
                let sums = self
                    .all()
                    .iter()
                    .zip(added.iter().zip(many.vector(place, width)));
                all.worths
                    .extend(sums.map(|(criterion, (&a, &b))| criterion.times(a, b)));
                all.parts.push([few.witnesses[row], many.witnesses[place]]);
            }
            if all.parts.len() > CANDIDATES {
                all = self.pruned(&all, budget)?;
            }
        }
        let kept = self.pruned(&all, budget)?;
        let bytes = self.witnesses.len() as u64 * 8;
        budget.room(if kept.parts.len() > 1 << 12 { bytes } else { 0 })?;
        Ok(self.joined(&kept))
    }
}

impl Compared for Fronts<'_> {
    fn no_more(&self, a: &Front, b: &Front) -> bool {
        let width = self.all().len();
        (0..a.len()).all(|place| {
            let mine = a.vector(place, width);
            (0..b.len()).any(|other| {
                let pairs = b.vector(other, width).iter().zip(mine);
                let mut pairs = self.all().iter().zip(pairs);
                pairs.all(|(criterion, (&theirs, &mine))| criterion.no_worse(theirs, mine))
            })
        })
    }
}
