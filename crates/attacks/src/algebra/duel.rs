//! What each price of defences leaves the attacker.
//!
//! Idea: the defender chooses first, knowing what the attacker will do, so a value is a set of
//! points: a price, and what is left to the attacker. A point goes when another has no higher price
//! and leaves no more. In a diagram with defences first, what is below the last defence is the
//! attacker's alone. Where one gate leads to several modules of both sides, points combine pair by
//! pair: the modules share nothing, and neither do their defences.

use meetjoin_lattice::{Budget, Stop};

use super::witness::{NOTHING, Witness, Witnesses};
use super::{Algebra, Compared};
use crate::tree::{AttackTree, Kind, Scale};

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
    tree: &'a AttackTree,
    attacker: &'a A,
    witnesses: &'a Witnesses,
    /// By node.
    prices: Vec<f64>,
    /// The most that the defender can spend, in whole units.
    most: f64,
}

impl<'a, A: Compared> Duel<'a, A> {
    /// Over an algebra of the attacker. The defender pays in the attribute with this place, and at
    /// most so much.
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

    fn only(left: Left<A::Value>) -> Vec<Point<A::Value>> {
        vec![Point {
            price: 0.0,
            defences: NOTHING,
            left,
        }]
    }

    fn no_more(&self, a: &Left<A::Value>, b: &Left<A::Value>) -> bool {
        match (a, b) {
            (Left::Nothing, _) | (_, Left::Everything) => true,
            (_, Left::Nothing) | (Left::Everything, _) => false,
            (Left::Attacks(a), Left::Attacks(b)) => self.attacker.no_more(a, b),
        }
    }

    /// The points that none betters, the cheapest first.
    fn pruned(
        &self,
        mut points: Vec<Point<A::Value>>,
        budget: &Budget,
    ) -> Result<Vec<Point<A::Value>>, Stop> {
        points.retain(|point| point.price <= self.most);
        points.sort_by(|a, b| a.price.total_cmp(&b.price));
        let mut kept: Vec<Point<A::Value>> = Vec::new();
        for point in points {
            budget.steps(1 + kept.len() as u64)?;
            // The last one leaves the least where all can be compared.
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

impl<A: Compared> Algebra for Duel<'_, A> {
    type Value = Vec<Point<A::Value>>;

    fn never(&self) -> Self::Value {
        Self::only(Left::Nothing)
    }

    fn always(&self) -> Self::Value {
        Self::only(Left::Everything)
    }

    fn leaf(&self, node: u32) -> Self::Value {
        if self.tree.nodes()[node as usize].kind != Kind::Defence {
            return Self::only(Left::Attacks(self.attacker.leaf(node)));
        }
        let mut points = self.always();
        let price = self.prices[node as usize];
        if price <= self.most {
            points.push(Point {
                price,
                defences: self.witnesses.leaf(node),
                left: Left::Nothing,
            });
        }
        points
    }

    fn choose(
        &self,
        variable: &Self::Value,
        high: &Self::Value,
        low: &Self::Value,
        budget: &Budget,
    ) -> Result<Self::Value, Stop> {
        let mut points = Vec::new();
        let with = |own: &Point<A::Value>, other: &Point<A::Value>, left| Point {
            price: own.price + other.price,
            defences: self.witnesses.join(own.defences, other.defences),
            left,
        };
        let value = |left: &Left<A::Value>| match left {
            Left::Nothing => self.attacker.never(),
            Left::Everything => self.attacker.always(),
            Left::Attacks(value) => value.clone(),
        };
        for own in variable {
            match &own.left {
                Left::Nothing => {
                    points.extend(low.iter().map(|other| with(own, other, other.left.clone())));
                }
                Left::Everything => {
                    points.extend(
                        high.iter()
                            .map(|other| with(own, other, other.left.clone())),
                    );
                }
                // Of the children one is a constant, or both are the attacker's alone.
                Left::Attacks(attacks) => {
                    for high in high {
                        for low in low {
                            budget.steps(1)?;
                            let left = match (&high.left, &low.left) {
                                (_, Left::Everything) => Left::Everything,
                                (Left::Nothing, low) => low.clone(),
                                (high, low) => Left::Attacks(self.attacker.choose(
                                    attacks,
                                    &value(high),
                                    &value(low),
                                    budget,
                                )?),
                            };
                            let children = with(high, low, left);
                            let Point {
                                price,
                                defences,
                                left,
                            } = children;
                            let children = Point {
                                price,
                                defences,
                                left: Left::Nothing,
                            };
                            points.push(with(own, &children, left));
                        }
                    }
                }
            }
            if points.len() > 1 << 16 {
                points = self.pruned(points, budget)?;
            }
        }
        self.pruned(points, budget)
    }
}
