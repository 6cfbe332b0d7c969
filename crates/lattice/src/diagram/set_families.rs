//! Families of sets as zero-suppressed decision diagrams, and the minimal sets of a function.
//!
//! Idea: a path to the leaf 1 is the set of the variables that it takes; a variable in no set below
//! is not tested (Minato 1993). The minimal sets of `if x then f else g` are those of g, and those
//! of f, with x added, that are no solutions of g (Rauzy 1993). So no sets are compared pairwise:
//! [`SetFamilies::minimal`] descends a family and a function together. For a function that is not
//! monotone, the sets of f that stay are those with no set of g as a subset, and
//! [`SetFamilies::minimal_points`] descends two families.
//!
//! Cost: a step for each pair of nodes at most. 10^5 nodes hold families of 10^10 sets and more.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::functions::{Function, Functions};
use super::listing::Listing;
use super::memo::Memo;
use super::nodes::{Level, Nodes, ONE, View, ZERO, usable};
use crate::{Budget, Stop};

/// A family of a [`SetFamilies`]. Equal families of one store have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetFamily(u32);

impl SetFamily {
    /// The family without any set.
    pub const EMPTY: Self = Self(ZERO);
    /// The family of the empty set alone.
    pub const UNIT: Self = Self(ONE);
}

/// A store of shared families.
#[derive(Clone, Debug, Default)]
pub struct SetFamilies {
    nodes: Nodes,
    withouts: Memo,
    outsides: Memo,
    unions: Memo,
    differences: Memo,
}

/// A pair of operands with results of its children pending.
#[derive(Clone, Copy)]
struct Frame {
    a: u32,
    b: u32,
    level: Level,
    low: (u32, u32),
    high: u32,
    then: u32,
}

const AWAITED: u32 = u32::MAX;

/// How an operation on a pair proceeds.
enum Step {
    Known(u32),
    /// The result may be cached and comes from two pairs of children, the high ones first. If the
    /// third operand is not zero, the operation is applied to the high result and that operand
    /// again.
    Split(Level, (u32, u32), u32, (u32, u32)),
    /// The result is that of another pair.
    Same(u32, u32),
}

impl SetFamilies {
    /// The sets of `high` with the variable at a level added, and those of `low`. Both must have
    /// variables at higher levels only.
    ///
    /// # Errors
    /// [`Stop`] when there is no room, or no such level.
    pub fn node(
        &mut self,
        level: Level,
        high: SetFamily,
        low: SetFamily,
        budget: &Budget,
    ) -> Result<SetFamily, Stop> {
        self.make(usable(level)?, high.0, low.0, budget)
            .map(SetFamily)
    }

    #[inline]
    fn make(&mut self, level: Level, high: u32, low: u32, budget: &Budget) -> Result<u32, Stop> {
        if high == ZERO {
            return Ok(low);
        }
        self.nodes.make(level, high, low, budget)
    }

    /// The root node of a family.
    pub fn view(&self, family: SetFamily) -> View<SetFamily> {
        match family {
            SetFamily::EMPTY => View::Zero,
            SetFamily::UNIT => View::One,
            SetFamily(id) => {
                let node = self.nodes.get(id);
                View::Node {
                    level: node.level,
                    high: SetFamily(node.high),
                    low: SetFamily(node.low),
                }
            }
        }
    }

    /// The minimal sets of variables that make a monotone function true.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn minimal(
        &mut self,
        functions: &Functions,
        f: Function,
        budget: &Budget,
    ) -> Result<SetFamily, Stop> {
        // The cached results may be of other functions.
        self.withouts.forget();
        // Families are small where functions are large, and are combined with all of these.
        let upwards = functions.upwards(f, budget)?;
        self.withouts.grow_with(upwards.len(), budget.memory_left());
        let without = |this: &mut Self, high, (low, _)| this.without(high, functions, low, budget);
        self.made_of(functions, f, &upwards, without, budget)
    }

    /// The family of a function, from those of its branches: the second, and the first `without`
    /// what the second covers.
    fn made_of(
        &mut self,
        functions: &Functions,
        f: Function,
        upwards: &[u32],
        without: impl Fn(&mut Self, u32, (Function, u32)) -> Result<u32, Stop>,
        budget: &Budget,
    ) -> Result<SetFamily, Stop> {
        budget.room((functions.places() * size_of::<u32>()) as u64)?;
        // By function; those that a function leads to are known before it.
        let mut made = vec![ZERO; functions.places()];
        made[ONE as usize] = ONE;
        for &id in upwards {
            let View::Node { level, high, low } = functions.view(Function(id)) else {
                continue;
            };
            let [of_high, of_low] = [high, low].map(|child| made[child.0 as usize]);
            let of_high = without(self, of_high, (low, of_low))?;
            made[id as usize] = self.make(level, of_high, of_low, budget)?;
        }
        Ok(SetFamily(made[f.0 as usize]))
    }

    /// The sets of `family` at which a monotone `f` is false.
    fn without(
        &mut self,
        family: u32,
        functions: &Functions,
        f: Function,
        budget: &Budget,
    ) -> Result<u32, Stop> {
        self.descend(
            family,
            f.0,
            budget,
            |s| &mut s.withouts,
            |this, a, f| {
                if a == ZERO || f == ZERO {
                    return Step::Known(a);
                }
                if f == ONE {
                    return Step::Known(ZERO);
                }
                // A monotone function that is not true everywhere is false at the empty set.
                if a == ONE {
                    return Step::Known(ONE);
                }
                let node = this.get(a);
                let View::Node { level, high, low } = functions.view(Function(f)) else {
                    return Step::Known(a);
                };
                if node.level > level {
                    // No set has the variable that the function tests.
                    return Step::Same(a, low.0);
                }
                let (high, low) = if node.level == level {
                    (high.0, low.0)
                } else {
                    (f, f)
                };
                Step::Split(node.level, (node.high, high), ZERO, (node.low, low))
            },
        )
    }

    /// The minimal sets of variables that make a monotone function true and another one false.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn minimal_outside(
        &mut self,
        functions: &Functions,
        f: Function,
        outside: Function,
        budget: &Budget,
    ) -> Result<SetFamily, Stop> {
        let minimal = self.minimal(functions, f, budget)?;
        self.without(minimal.0, functions, outside, budget)
            .map(SetFamily)
    }

    /// The minimal sets of variables that make a function true where all others are false, and that
    /// no monotone function `outside` is true at. For a monotone function,
    /// [`minimal_outside`](Self::minimal_outside) finds the same sets faster.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn minimal_points(
        &mut self,
        functions: &Functions,
        f: Function,
        outside: Function,
        budget: &Budget,
    ) -> Result<SetFamily, Stop> {
        self.withouts.forget();
        let upwards = functions.upwards(f, budget)?;
        let without = |this: &mut Self, high, (_, low)| this.without_supersets(high, low, budget);
        let minimal = self.made_of(functions, f, &upwards, without, budget)?;
        self.without(minimal.0, functions, outside, budget)
            .map(SetFamily)
    }

    /// The sets of `a` that contain no set of `b`. The sets of `b` are pairwise incomparable.
    fn without_supersets(&mut self, a: u32, b: u32, budget: &Budget) -> Result<u32, Stop> {
        let step = |this: &Nodes, a: u32, b: u32| {
            if b == ONE || a == b {
                return Step::Known(ZERO);
            }
            if a <= ONE || b == ZERO {
                return Step::Known(a);
            }
            let (x, y) = (this.get(a), this.get(b));
            if x.level > y.level {
                // No set of `a` has the variable that these sets of `b` have.
                return Step::Same(a, y.low);
            }
            if x.level < y.level {
                return Step::Split(x.level, (x.high, b), ZERO, (x.low, b));
            }
            Step::Split(x.level, (x.high, y.high), y.low, (x.low, y.low))
        };
        self.descend(a, b, budget, |s| &mut s.outsides, step)
    }

    /// The prime implicants of a function: the minimal sets of variables and negated variables that
    /// make it true. Level `2 l` stands for the variable at level `l`, and `2 l + 1` for its
    /// negation.
    ///
    /// Those of `if x then f else g` are those of `f and g`; those of f, with x, and those of g,
    /// with its negation, that are no implicants of `f and g` (Coudert and Madre 1992).
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it, or when a level is too great to be doubled.
    pub fn prime_implicants(
        &mut self,
        functions: &mut Functions,
        f: Function,
        budget: &Budget,
    ) -> Result<SetFamily, Stop> {
        let mut primes = HashMap::<Function, u32, BuildHasherDefault<ahash::AHasher>>::default();
        primes.extend([(Function::FALSE, ZERO), (Function::TRUE, ONE)]);
        let mut stack = vec![f];
        while let Some(&f) = stack.last() {
            let View::Node { level, high, low } = functions.view(f) else {
                stack.pop();
                continue;
            };
            if primes.contains_key(&f) {
                stack.pop();
                continue;
            }
            budget.steps(1)?;
            let both = functions.and(high, low, budget)?;
            let [Some(&p), Some(&p1), Some(&p0)] = [both, high, low].map(|part| primes.get(&part))
            else {
                let parts = [low, high, both].into_iter();
                stack.extend(parts.filter(|part| !primes.contains_key(part)));
                continue;
            };
            let p1 = self.difference(SetFamily(p1), SetFamily(p), budget)?;
            let p0 = self.difference(SetFamily(p0), SetFamily(p), budget)?;
            let positive = level.checked_mul(2).ok_or(Stop::Lattice)?;
            let negative = self.make(usable(positive + 1)?, p0.0, p, budget)?;
            let made = self.make(positive, p1.0, negative, budget)?;
            primes.insert(f, made);
        }
        Ok(SetFamily(primes[&f]))
    }

    /// The union of two families.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn union(
        &mut self,
        a: SetFamily,
        b: SetFamily,
        budget: &Budget,
    ) -> Result<SetFamily, Stop> {
        let step = |this: &Nodes, a: u32, b: u32| {
            if a == b || b == ZERO {
                return Step::Known(a);
            }
            if a == ZERO {
                return Step::Known(b);
            }
            if a > b {
                return Step::Same(b, a);
            }
            let (x, y) = (this.get(a), this.get(b));
            let level = x.level.min(y.level);
            let of = |id: u32, node: super::nodes::Node| {
                if node.level == level {
                    (node.high, node.low)
                } else {
                    (ZERO, id)
                }
            };
            let ((a1, a0), (b1, b0)) = (of(a, x), of(b, y));
            Step::Split(level, (a1, b1), ZERO, (a0, b0))
        };
        self.descend(a.0, b.0, budget, |s| &mut s.unions, step)
            .map(SetFamily)
    }

    /// The sets of `a` that `b` does not have.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn difference(
        &mut self,
        a: SetFamily,
        b: SetFamily,
        budget: &Budget,
    ) -> Result<SetFamily, Stop> {
        let step = |this: &Nodes, a: u32, b: u32| {
            if a == ZERO || b == ZERO {
                return Step::Known(a);
            }
            if a == b {
                return Step::Known(ZERO);
            }
            let (x, y) = (this.get(a), this.get(b));
            if x.level > y.level {
                return Step::Same(a, y.low);
            }
            let (b1, b0) = if x.level == y.level {
                (y.high, y.low)
            } else {
                (ZERO, b)
            };
            Step::Split(x.level, (x.high, b1), ZERO, (x.low, b0))
        };
        self.descend(a.0, b.0, budget, |s| &mut s.differences, step)
            .map(SetFamily)
    }

    /// Applies an operation by descending both operands, with results cached.
    fn descend(
        &mut self,
        a: u32,
        b: u32,
        budget: &Budget,
        memo: impl Fn(&mut Self) -> &mut Memo,
        step: impl Fn(&Nodes, u32, u32) -> Step,
    ) -> Result<u32, Stop> {
        let mut frames: Vec<Frame> = Vec::new();
        let (mut a, mut b) = (a, b);
        loop {
            let mut result = match step(&self.nodes, a, b) {
                Step::Known(result) => result,
                Step::Same(x, y) => {
                    (a, b) = (x, y);
                    continue;
                }
                Step::Split(level, high, then, low) => {
                    if let Some(result) = memo(self).get(a, b) {
                        result
                    } else {
                        budget.steps(1)?;
                        let high_result = AWAITED;
                        frames.push(Frame {
                            a,
                            b,
                            level,
                            low,
                            high: high_result,
                            then,
                        });
                        (a, b) = high;
                        continue;
                    }
                }
            };
            loop {
                let Some(frame) = frames.last_mut() else {
                    return Ok(result);
                };
                if frame.then != ZERO {
                    (a, b) = (result, frame.then);
                    frame.then = ZERO;
                    break;
                }
                if frame.high == AWAITED {
                    frame.high = result;
                    (a, b) = frame.low;
                    break;
                }
                let Frame {
                    a, b, level, high, ..
                } = *frame;
                frames.pop();
                result = self.make(level, high, result, budget)?;
                let nodes = self.nodes.len();
                let memo = memo(self);
                memo.put(a, b, result);
                if nodes > memo.places() {
                    memo.grow_with(nodes, budget.memory_left());
                }
            }
        }
    }

    /// The nodes of some families, children first.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn listing(&self, roots: &[SetFamily], budget: &Budget) -> Result<Listing, Stop> {
        let roots: Vec<u32> = roots.iter().map(|root| root.0).collect();
        Listing::of(&self.nodes, &roots, budget)
    }

    /// The number of nodes, of all families together, without the leaves.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are only the leaves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of all tables.
    pub fn bytes(&self) -> u64 {
        self.nodes.bytes()
            + self.withouts.bytes()
            + self.outsides.bytes()
            + self.unions.bytes()
            + self.differences.bytes()
    }
}
