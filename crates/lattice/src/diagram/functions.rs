//! Boolean functions as binary decision diagrams.
//!
//! Idea: `if x then f else g`, with one order of variables on all paths, and each function stored
//! once (Bryant 1986). Conjunction and disjunction go down both diagrams together and remember what
//! they have found.
//!
//! Cost: conjunction and disjunction take at most a step for each pair of nodes. How large a
//! diagram becomes depends on the order of variables.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use super::listing::Listing;
use super::memo::Memo;
use super::nodes::{Level, Nodes, ONE, View, ZERO, usable};
use crate::{Budget, Stop};

/// Hashes that do not change from run to run.
type ByAHash = BuildHasherDefault<ahash::AHasher>;

/// A function of a [`Functions`]. Equal functions of one store have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function(pub(super) u32);

impl Function {
    /// False everywhere.
    pub const FALSE: Self = Self(ZERO);
    /// True everywhere.
    pub const TRUE: Self = Self(ONE);
}

/// A store of shared functions.
///
/// ```
/// use meetjoin_lattice::Budget;
/// use meetjoin_lattice::diagram::{Function, Functions};
///
/// let budget = Budget::unlimited();
/// let mut functions = Functions::default();
/// let [a, b] = [functions.variable(0, &budget)?, functions.variable(1, &budget)?];
/// let both = functions.and(a, b, &budget)?;
/// assert_eq!(functions.or(both, a, &budget)?, a);
/// assert!(functions.leq(both, b, &budget)?);
/// # Ok::<(), meetjoin_lattice::Stop>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Functions {
    nodes: Nodes,
    ands: Memo,
    ors: Memo,
}

/// A pair of operands with results of its children pending.
#[derive(Clone, Copy)]
struct Frame {
    f: u32,
    g: u32,
    level: Level,
    /// The low children of both operands.
    low: (u32, u32),
    high: u32,
}

/// No node: the high result is pending.
const AWAITED: u32 = u32::MAX;

impl Functions {
    /// The variable at a level.
    ///
    /// # Errors
    /// [`Stop`] when there is no room, or no such level.
    pub fn variable(&mut self, level: Level, budget: &Budget) -> Result<Function, Stop> {
        self.make(usable(level)?, ONE, ZERO, budget).map(Function)
    }

    /// The negation of the variable at a level.
    ///
    /// # Errors
    /// [`Stop`] when there is no room, or no such level.
    pub fn negated(&mut self, level: Level, budget: &Budget) -> Result<Function, Stop> {
        self.make(usable(level)?, ZERO, ONE, budget).map(Function)
    }

    /// `if the variable at level then high else low`, both of which must depend on higher levels
    /// only.
    ///
    /// # Errors
    /// [`Stop`] when there is no room, or no such level.
    pub fn node(
        &mut self,
        level: Level,
        high: Function,
        low: Function,
        budget: &Budget,
    ) -> Result<Function, Stop> {
        debug_assert!(level < self.nodes.level(high.0).min(self.nodes.level(low.0)));
        self.make(usable(level)?, high.0, low.0, budget)
            .map(Function)
    }

    #[inline]
    fn make(&mut self, level: Level, high: u32, low: u32, budget: &Budget) -> Result<u32, Stop> {
        if high == low {
            return Ok(high);
        }
        self.nodes.make(level, high, low, budget)
    }

    /// The root node of a function.
    #[inline]
    pub fn view(&self, f: Function) -> View<Function> {
        match f {
            Function::FALSE => View::Zero,
            Function::TRUE => View::One,
            Function(id) => {
                let node = self.nodes.get(id);
                View::Node {
                    level: node.level,
                    high: Function(node.high),
                    low: Function(node.low),
                }
            }
        }
    }

    /// The cofactors where the variable at a level is true, and where it is false. The level is not
    /// below the root's.
    pub(crate) fn cofactors_of(&self, f: Function, level: Level) -> (Function, Function) {
        let (high, low) = self.cofactors(f.0, level);
        (Function(high), Function(low))
    }

    /// Both cofactors by a level that is not below the root.
    #[inline]
    fn cofactors(&self, f: u32, level: Level) -> (u32, u32) {
        let node = self.nodes.get(f);
        if node.level == level {
            (node.high, node.low)
        } else {
            (f, f)
        }
    }

    /// The conjunction.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn and(&mut self, f: Function, g: Function, budget: &Budget) -> Result<Function, Stop> {
        self.apply::<true>(f.0, g.0, budget).map(Function)
    }

    /// The disjunction.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn or(&mut self, f: Function, g: Function, budget: &Budget) -> Result<Function, Stop> {
        self.apply::<false>(f.0, g.0, budget).map(Function)
    }

    fn apply<const AND: bool>(&mut self, f: u32, g: u32, budget: &Budget) -> Result<u32, Stop> {
        let (neutral, absorbing) = if AND { (ONE, ZERO) } else { (ZERO, ONE) };
        let mut frames: Vec<Frame> = Vec::new();
        let (mut f, mut g) = (f, g);
        loop {
            let mut result = if f == g || g == neutral {
                f
            } else if f == neutral {
                g
            } else if f == absorbing || g == absorbing {
                absorbing
            } else {
                let (a, b) = (f.min(g), f.max(g));
                let memo = if AND { &self.ands } else { &self.ors };
                if let Some(result) = memo.get(a, b) {
                    result
                } else {
                    budget.steps(1)?;
                    let level = self.nodes.level(a).min(self.nodes.level(b));
                    let (a1, a0) = self.cofactors(a, level);
                    let (b1, b0) = self.cofactors(b, level);
                    frames.push(Frame {
                        f: a,
                        g: b,
                        level,
                        low: (a0, b0),
                        high: AWAITED,
                    });
                    (f, g) = (a1, b1);
                    continue;
                }
            };
            loop {
                let Some(frame) = frames.last_mut() else {
                    return Ok(result);
                };
                if frame.high == AWAITED {
                    frame.high = result;
                    (f, g) = frame.low;
                    break;
                }
                let Frame {
                    f, g, level, high, ..
                } = *frame;
                frames.pop();
                result = self.make(level, high, result, budget)?;
                let memo = if AND { &mut self.ands } else { &mut self.ors };
                memo.put(f, g, result);
                if self.nodes.len() > memo.places() {
                    memo.grow_with(self.nodes.len(), budget.memory_left());
                }
            }
        }
    }

    /// Returns whether `g` is true wherever `f` is. Makes no nodes.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn leq(&self, f: Function, g: Function, budget: &Budget) -> Result<bool, Stop> {
        let mut seen = HashSet::<(u32, u32), ByAHash>::default();
        let mut open = vec![(f.0, g.0)];
        while let Some((f, g)) = open.pop() {
            if f == g || f == ZERO || g == ONE {
                continue;
            }
            if f == ONE || g == ZERO {
                return Ok(false);
            }
            budget.steps(1)?;
            if seen.insert((f, g)) {
                let level = self.nodes.level(f).min(self.nodes.level(g));
                let (f1, f0) = self.cofactors(f, level);
                let (g1, g0) = self.cofactors(g, level);
                open.extend([(f0, g0), (f1, g1)]);
            }
        }
        Ok(true)
    }

    /// `f` restricted to some variables being true.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn where_true(
        &mut self,
        f: Function,
        are_true: impl Fn(Level) -> bool,
        budget: &Budget,
    ) -> Result<Function, Stop> {
        budget.room((self.nodes.places() * size_of::<u32>()) as u64)?;
        // By node; those that a node leads to are made before it.
        let mut made = vec![ZERO; self.nodes.places()];
        made[ONE as usize] = ONE;
        for id in self.nodes.upwards(&[f.0], budget)? {
            let node = self.nodes.get(id);
            let [high, low] = [node.high, node.low].map(|child| made[child as usize]);
            made[id as usize] = if are_true(node.level) {
                high
            } else {
                self.make(node.level, high, low, budget)?
            };
        }
        Ok(Function(made[f.0 as usize]))
    }

    /// Returns whether `f` is true at a point.
    pub fn is_true_at(&self, f: Function, point: impl Fn(Level) -> bool) -> bool {
        let mut id = f.0;
        while id > ONE {
            let node = self.nodes.get(id);
            id = if point(node.level) {
                node.high
            } else {
                node.low
            };
        }
        id == ONE
    }

    /// The nodes of some functions, children first.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn listing(&self, roots: &[Function], budget: &Budget) -> Result<Listing, Stop> {
        let roots: Vec<u32> = roots.iter().map(|root| root.0).collect();
        Listing::of(&self.nodes, &roots, budget)
    }

    /// The nodes that a function leads to, children before parents, without the constants.
    pub(super) fn upwards(&self, f: Function, budget: &Budget) -> Result<Vec<u32>, Stop> {
        self.nodes.upwards(&[f.0], budget)
    }

    /// One more than the greatest number of a function.
    pub(super) fn places(&self) -> usize {
        self.nodes.places()
    }

    /// The number of nodes, of all functions together, without the leaves.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are only the constants.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of all tables.
    pub fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.ands.bytes() + self.ors.bytes()
    }

    /// Looks for an order of variables in which these functions need fewer nodes, and returns the
    /// new level of each old one; levels after the last in use stay. The functions keep their
    /// numbers; all others become invalid. Each variable is tried at all places and stays at the
    /// best (Rudell 1993). If the budget ends it early, the order reached by then is kept. Levels
    /// should be consecutive: each up to the last in use takes memory, even without nodes.
    pub fn sift(&mut self, roots: &[Function], budget: &Budget) -> Vec<Level> {
        self.collect(roots);
        let roots: Vec<u32> = roots.iter().map(|root| root.0).collect();
        super::sifting::sift(&mut self.nodes, &roots, budget)
    }

    /// Frees every node that none of these functions needs, which invalidates all other functions.
    pub fn collect(&mut self, roots: &[Function]) {
        self.nodes.collect(roots.iter().map(|root| root.0));
        self.ands.forget();
        self.ors.forget();
    }
}
