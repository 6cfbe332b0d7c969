//! What each price of defences leaves the attacker.
//!
//! Idea: the defender chooses first and the attacker replies optimally, so a value is a set of
//! points: a price, and the attacker's value then. A point is dropped when another has no higher
//! price and leaves the attacker no more. In a diagram with defences first, what is below the last
//! defence is the attacker's alone. Where one gate leads to several modules of both sides, points
//! combine pair by pair: the modules share nothing, and neither do their defences.

use meetjoin_lattice::{Budget, Stop};

use super::left::{Duel, Left, Point};
use super::{Algebra, Compared, hitting, over};
use crate::plan::Module;
use crate::tree::Kind;

impl<A: Compared> Algebra for Duel<'_, A> {
    type Value = Vec<Point<A::Value>>;

    fn never(&self) -> Self::Value {
        Self::only(Left::Nothing)
    }

    fn always(&self) -> Self::Value {
        Self::only(Left::Everything)
    }

    fn module(
        &self,
        module: &Module,
        variables: &[Self::Value],
        budget: &Budget,
    ) -> Result<Self::Value, Stop> {
        if module.is_mixed {
            hitting::points(self, &module.function, variables, budget)
        } else {
            over(&module.function, variables, self, budget)
        }
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
                            let left = self.with_attack(attacks, &high.left, &low.left, budget)?;
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
