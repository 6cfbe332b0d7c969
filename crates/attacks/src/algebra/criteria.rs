//! Attributes as numbers that a pass adds and compares: less is better in all of them.
//!
//! Sums are whole numbers of the smallest unit, so adding rounds nothing. A product is the sum of
//! the logarithms, which does not underflow; two products are equal if they differ by less than
//! about one part in 10^12, since the same factors in another order must be the same.

use crate::tree::{AttackTree, Kind, Rule, Scale};

/// One attribute in a pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Criterion {
    /// Its place in the tree.
    pub attribute: usize,
    /// How the values of actions combine.
    pub rule: Rule,
    scale: Scale,
}

/// Logarithms that differ by less are equal.
const EQUAL: f64 = 1e-12;

impl Criterion {
    /// The worth of doing nothing.
    pub const FREE: f64 = 0.0;

    /// Combines the worths of two sets of actions.
    #[inline]
    pub fn times(&self, a: f64, b: f64) -> f64 {
        match self.rule {
            Rule::Max => a.max(b),
            Rule::Sum | Rule::Product => a + b,
        }
    }

    /// Whether `a` is no worse than `b`.
    #[inline]
    pub fn no_worse(&self, a: f64, b: f64) -> bool {
        match self.rule {
            Rule::Product => a <= b + EQUAL * b.abs().max(1.0),
            Rule::Sum | Rule::Max => a <= b,
        }
    }

    /// The number for a value of an action.
    pub fn worth(&self, value: f64) -> f64 {
        match self.rule {
            Rule::Sum => self.scale.units(value),
            Rule::Max => value,
            // Avoids -0.
            Rule::Product => 0.0 - value.ln(),
        }
    }
}

/// Some attributes of a tree, products last.
#[derive(Clone, Debug)]
pub struct Criteria {
    /// The attributes.
    pub all: Vec<Criterion>,
    /// By node and criterion.
    worths: Vec<f64>,
    /// By criterion as it was asked for: its place here.
    places: Vec<usize>,
}

impl Criteria {
    /// Attributes by their places in the tree.
    pub fn of(tree: &AttackTree, attributes: &[usize]) -> Self {
        let mut sorted: Vec<(usize, Criterion)> = attributes
            .iter()
            .map(|&attribute| Criterion {
                attribute,
                rule: tree.attributes()[attribute].rule,
                scale: Scale::of(tree, attribute).unwrap_or(Scale::ONE),
            })
            .enumerate()
            .collect();
        sorted.sort_by_key(|(_, criterion)| criterion.rule == Rule::Product);
        let mut places = vec![0; attributes.len()];
        for (place, (asked, _)) in sorted.iter().enumerate() {
            places[*asked] = place;
        }
        let all: Vec<Criterion> = sorted.into_iter().map(|(_, criterion)| criterion).collect();
        let worths = tree.nodes().iter().flat_map(|node| {
            all.iter().map(|criterion| {
                let value = node.values.get(criterion.attribute).copied().flatten();
                match (node.kind, value) {
                    (Kind::Action, Some(value)) => criterion.worth(value),
                    _ => Criterion::FREE,
                }
            })
        });
        let worths = worths.collect();
        Self {
            all,
            worths,
            places,
        }
    }

    /// The worths of an action, by criterion.
    pub fn of_leaf(&self, node: u32) -> &[f64] {
        let width = self.all.len();
        &self.worths[node as usize * width..][..width]
    }

    /// Converts a worth in the first criterion to a value.
    pub fn value_of(&self, worth: f64) -> f64 {
        match self.all[0].rule {
            Rule::Max => worth,
            Rule::Sum => self.all[0].scale.value(worth),
            Rule::Product => (-worth).exp(),
        }
    }

    /// The values of an attack, as they were asked for. A sum is rounded once, a product is taken
    /// in the order of the actions.
    pub fn values(&self, tree: &AttackTree, attack: &[u32]) -> Vec<f64> {
        let of = |criterion: &Criterion| {
            let values = attack.iter().filter_map(|&node| {
                let node = &tree.nodes()[node as usize];
                node.values.get(criterion.attribute).copied().flatten()
            });
            match criterion.rule {
                Rule::Max => values.fold(0.0, f64::max),
                Rule::Product => values.product(),
                Rule::Sum => {
                    let units: f64 = values.map(|value| criterion.scale.units(value)).sum();
                    criterion.scale.value(units)
                }
            }
        };
        let places = self.places.iter();
        places.map(|&place| of(&self.all[place])).collect()
    }
}
