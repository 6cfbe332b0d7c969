//! What is left to the attacker when some defences are bought: points, and how they compare.

use meetjoin_lattice::{Budget, Stop};

use super::Compared;
use super::witness::{NOTHING, Witness, Witnesses};
use crate::tree::{AttackTree, Scale};

/// What is left to the attacker.
#[derive(Clone, Debug, PartialEq)]
pub enum Left<V> {
    /// There is no attack.
    Nothing,
    /// Nothing needs to be done.
    Everything,
    /// Attacks of this value.
    Attacks(V),
}

/// Defences, and what they leave.
#[derive(Clone, Debug, PartialEq)]
pub struct Point<V> {
    /// Their price in whole units.
    pub price: f64,
    /// Which they are.
    pub defences: Witness,
    /// What they leave.
    pub left: Left<V>,
}

/// Sets of points over an algebra of the attacker.
#[derive(Debug)]
pub struct Duel<'a, A> {
    pub(super) tree: &'a AttackTree,
    pub(super) attacker: &'a A,
    pub(super) witnesses: &'a Witnesses,
    /// By node.
    pub(super) prices: Vec<f64>,
    /// The most that the defender can spend, in whole units.
    pub(super) most: f64,
}

impl<'a, A: Compared> Duel<'a, A> {
    /// A duel over an algebra of the attacker. The defender pays in the attribute `price`, at most
    /// `most`.
    pub fn of(
        tree: &'a AttackTree,
        attacker: &'a A,
        witnesses: &'a Witnesses,
        price: usize,
        most: Option<f64>,
    ) -> Self {
        let scale = Scale::of(tree, price).unwrap_or(Scale::ONE);
        let price = |value: &Vec<Option<f64>>| value.get(price).copied().flatten();
        let prices = tree.nodes().iter().map(|node| price(&node.values));
        Self {
            tree,
            attacker,
            witnesses,
            prices: prices
                .map(|price| scale.units(price.unwrap_or(0.0)))
                .collect(),
            // Sums of whole units are exact; half a unit keeps a rounded limit on the right side.
            most: most.map_or(f64::INFINITY, |most| scale.units(most) + 0.25),
        }
    }

    pub(super) fn only(left: Left<A::Value>) -> Vec<Point<A::Value>> {
        vec![Point {
            price: 0.0,
            defences: NOTHING,
            left,
        }]
    }

    /// The most that the defender can spend, in whole units.
    pub(super) fn most(&self) -> f64 {
        self.most
    }

    /// The union of two sets of defences.
    pub(super) fn joined(&self, a: Witness, b: Witness) -> Witness {
        self.witnesses.join(a, b)
    }

    /// The value of a diagram node whose variable is the attacker's.
    pub(super) fn with_attack(
        &self,
        attacks: &A::Value,
        high: &Left<A::Value>,
        low: &Left<A::Value>,
        budget: &Budget,
    ) -> Result<Left<A::Value>, Stop> {
        let value = |left: &Left<A::Value>| match left {
            Left::Nothing => self.attacker.never(),
            Left::Everything => self.attacker.always(),
            Left::Attacks(value) => value.clone(),
        };
        Ok(match (high, low) {
            (_, Left::Everything) => Left::Everything,
            (Left::Nothing, low) => low.clone(),
            (high, low) => {
                let (high, low) = (value(high), value(low));
                Left::Attacks(self.attacker.choose(attacks, &high, &low, budget)?)
            }
        })
    }

    /// Whether `a` leaves the attacker no more than `b`.
    pub(super) fn no_more(&self, a: &Left<A::Value>, b: &Left<A::Value>) -> bool {
        match (a, b) {
            (Left::Nothing, _) | (_, Left::Everything) => true,
            (_, Left::Nothing) | (Left::Everything, _) => false,
            (Left::Attacks(a), Left::Attacks(b)) => self.attacker.no_more(a, b),
        }
    }

    /// The points that no other dominates, the cheapest first.
    pub(super) fn pruned(
        &self,
        mut points: Vec<Point<A::Value>>,
        budget: &Budget,
    ) -> Result<Vec<Point<A::Value>>, Stop> {
        points.retain(|point| point.price <= self.most);
        points.sort_by(|a, b| a.price.total_cmp(&b.price));
        let mut kept: Vec<Point<A::Value>> = Vec::new();
        for point in points {
            budget.steps(1 + kept.len() as u64)?;
            // In a total order the last one leaves the least.
            let bettered = kept.iter().rev();
            let mut bettered = bettered.map(|other| self.no_more(&other.left, &point.left));
            if bettered.any(|is_bettered| is_bettered) {
                continue;
            }
            #[allow(clippy::float_cmp)] // whole units
            kept.retain(|other| {
                other.price != point.price || !self.no_more(&point.left, &other.left)
            });
            kept.push(point);
        }
        Ok(kept)
    }
}
