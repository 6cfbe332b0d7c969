//! The free distributive lattice over events, with values as shared diagrams.
//!
//! Problem: the normal form of a value of the free distributive lattice is an antichain of sets
//! (Couwenberg 1997), which has 10^10 sets for graphs of a hundred leaves.
//!
//! Idea: a value is a Boolean function of the events, held as a number in a store of decision
//! diagrams ([`Functions`]). Join is OR, meet is AND, the order is implication, and equality is
//! equality of numbers. An event may be negated in a leaf; then values are any Boolean functions,
//! which are a distributive lattice too.
//!
//! Cost: at most a step for each pair of nodes of the operands. The store grows until a caller who
//! knows all values in use calls [`Monotone::collect`].
//!
//! Clones share the store, which lies behind a lock.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::diagram::{Function, Functions, Listed, Listing, SetFamilies, View};
use crate::{Budget, DistributiveLattice, Lattice, Stop};

type ByAHash = BuildHasherDefault<ahash::AHasher>;

/// Functions of some events. See the [module page](self).
///
/// ```
/// use meetjoin_lattice::{Budget, Lattice, Monotone};
///
/// let lattice = Monotone::new(3);
/// let budget = Budget::unlimited();
/// let mut value = lattice.of_sets(&[vec![1], vec![2, 3]], &budget)?;
/// lattice.meet_assign(&mut value, &lattice.of_sets(&[vec![2]], &budget)?, &budget)?;
/// assert_eq!(lattice.sets(value, 10, &budget)?, Ok(vec![vec![1, 2], vec![2, 3]]));
/// # Ok::<(), meetjoin_lattice::Stop>(())
/// ```
#[derive(Clone, Debug)]
pub struct Monotone {
    events: u32,
    store: Arc<Mutex<Functions>>,
}

/// Lattices are equal if they have the same elements.
impl PartialEq for Monotone {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.store, &other.store)
    }
}

impl Eq for Monotone {}

impl Monotone {
    /// The lattice over `events` events, tested in this order by the diagrams.
    pub fn new(events: u32) -> Self {
        Self {
            events,
            store: Arc::default(),
        }
    }

    /// The store. It is sound at every moment, so a lock poisoned by a panic is no problem.
    fn store(&self) -> MutexGuard<'_, Functions> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of events.
    pub fn events(&self) -> u32 {
        self.events
    }

    /// The disjunction of the conjunctions of the sets: in a set, `k` says that event `k` occurs,
    /// and `-k` that it does not. Events are counted from 1.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it, or for the last of 2^32 - 1 events, for which diagrams
    /// have no level.
    pub fn of_sets(&self, sets: &[Vec<i64>], budget: &Budget) -> Result<Function, Stop> {
        let store = &mut *self.store();
        let mut value = Function::FALSE;
        for set in sets {
            let mut product = Function::TRUE;
            for &member in set {
                debug_assert!(member != 0 && member.unsigned_abs() <= u64::from(self.events));
                let level = (member.unsigned_abs() - 1) as u32;
                let literal = if member > 0 {
                    store.variable(level, budget)?
                } else {
                    store.negated(level, budget)?
                };
                product = store.and(product, literal, budget)?;
            }
            value = store.or(value, product, budget)?;
        }
        Ok(value)
    }

    /// The minimal sets of an element, in the form of [`of_sets`](Self::of_sets), in ascending
    /// order; or, if there are more than `most`, their number. Where events are negated, these are
    /// the prime implicants.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it, or for an event from 2^31 on: each has two literals.
    pub fn sets(
        &self,
        element: Function,
        most: usize,
        budget: &Budget,
    ) -> Result<Result<Vec<Vec<i64>>, u128>, Stop> {
        let mut families = SetFamilies::default();
        let family = families.prime_implicants(&mut self.store(), element, budget)?;
        let listing = families.listing(&[family], budget)?;
        let sum = |_, high: &u128, low: &u128| high.saturating_add(*low);
        let counts = listing.upwards(0, 1, sum, budget)?;
        let count = counts[listing.roots[0] as usize];
        if count > most as u128 {
            return Ok(Err(count));
        }
        let mut sets = listed(&listing);
        sets.sort_unstable();
        Ok(Ok(sets))
    }

    /// The diagram of an element, with event `k` at level `k - 1`. Its size does not depend on the
    /// rest of the store.
    pub fn listing(&self, element: Function) -> Listing {
        let store = self.store();
        let mut places: HashMap<Function, u32, ByAHash> = HashMap::default();
        places.extend([(Function::FALSE, 0), (Function::TRUE, 1)]);
        let (mut nodes, mut stack) = (Vec::new(), vec![element]);
        while let Some(&function) = stack.last() {
            let View::Node { level, high, low } = store.view(function) else {
                stack.pop();
                continue;
            };
            match (places.get(&high), places.get(&low)) {
                _ if places.contains_key(&function) => {
                    stack.pop();
                }
                (None, _) => stack.push(high),
                (_, None) => stack.push(low),
                (Some(&high), Some(&low)) => {
                    nodes.push(Listed { level, high, low });
                    places.insert(function, nodes.len() as u32 + 1);
                    stack.pop();
                }
            }
        }
        let roots = vec![places[&element]];
        Listing { nodes, roots }
    }

    /// The element with this untrusted diagram: `None` unless it has one root, children come before
    /// parents and test later events, and all events exist.
    ///
    /// # Errors
    /// [`Stop`] when the budget ends it.
    pub fn of_listing(&self, listing: &Listing, budget: &Budget) -> Result<Option<Function>, Stop> {
        let store = &mut *self.store();
        // Each place with the topmost level of its diagram.
        let mut made = vec![
            (Function::FALSE, self.events),
            (Function::TRUE, self.events),
        ];
        for node in &listing.nodes {
            budget.steps(STEPS_OF_A_NODE)?;
            let child = |place: u32| {
                let child = made.get(place as usize).copied();
                child.filter(|&(_, level)| node.level < level)
            };
            let (Some((high, _)), Some((low, _))) = (child(node.high), child(node.low)) else {
                return Ok(None);
            };
            made.push((store.node(node.level, high, low, budget)?, node.level));
        }
        Ok(match listing.roots[..] {
            [root] => made.get(root as usize).map(|&(function, _)| function),
            _ => None,
        })
    }

    /// Returns whether the function is `at` at exactly one point. A point decides every event.
    pub(crate) fn is_point(&self, f: Function, at: bool) -> bool {
        let store = self.store();
        let (end, other) = ends(at);
        let mut rest = f;
        for event in 0..self.events {
            rest = match store.view(rest) {
                View::Node { level, high, low } if level == event && low == other => high,
                View::Node { level, high, low } if level == event && high == other => low,
                _ => return false,
            };
        }
        rest == end
    }

    /// For each point where a function is `at`, the function that is `at` there only. Points where
    /// an event occurs come first.
    pub(crate) fn points(
        &self,
        f: Function,
        at: bool,
        budget: &Budget,
    ) -> Result<Vec<Function>, Stop> {
        let store = &mut *self.store();
        let (end, other) = ends(at);
        let (mut found, mut point) = (Vec::new(), Vec::new());
        // The number of decided events, whether the last of them occurs, and the cofactor.
        let mut open = vec![(0, false, f)];
        while let Some((decided, occurs, rest)) = open.pop() {
            budget.steps(1)?;
            point.truncate((decided as usize).saturating_sub(1));
            if decided > 0 {
                point.push(occurs);
            }
            if rest == other {
                continue;
            }
            if decided < self.events {
                let (high, low) = store.cofactors_of(rest, decided);
                open.extend([(decided + 1, false, low), (decided + 1, true, high)]);
                continue;
            }
            budget.steps(STEPS_OF_A_NODE * u64::from(self.events))?;
            budget.room(size_of::<Function>() as u64)?;
            let mut function = end;
            for (level, occurs) in (0..self.events).zip(&point).rev() {
                let (high, low) = if *occurs {
                    (function, other)
                } else {
                    (other, function)
                };
                function = store.node(level, high, low, budget)?;
            }
            found.push(function);
        }
        Ok(found)
    }

    /// The number of nodes in the store.
    pub fn nodes(&self) -> usize {
        self.store().len()
    }

    /// Frees every node that none of these elements needs, which invalidates all other elements.
    pub fn collect(&self, elements: &[Function]) {
        self.store().collect(elements);
    }
}

/// The sets of a family of literals: level `2 l` stands for event `l + 1`, and the next for its
/// negation.
fn listed(family: &Listing) -> Vec<Vec<i64>> {
    let mut found = Vec::new();
    let mut stack = vec![(family.roots[0], Vec::new())];
    while let Some((place, set)) = stack.pop() {
        match place {
            0 => {}
            1 => found.push(set),
            _ => {
                let node = family.nodes[place as usize - 2];
                let event = i64::from(node.level / 2) + 1;
                let mut with = set.clone();
                with.push(if node.level.is_multiple_of(2) {
                    event
                } else {
                    -event
                });
                stack.extend([(node.low, set), (node.high, with)]);
            }
        }
    }
    found
}

impl Lattice for Monotone {
    type Elem = Function;

    fn bottom(&self) -> Function {
        Function::FALSE
    }

    fn top(&self) -> Function {
        Function::TRUE
    }

    fn leq(&self, a: &Function, b: &Function, budget: &Budget) -> Result<bool, Stop> {
        self.store().leq(*a, *b, budget)
    }

    fn join_assign(&self, a: &mut Function, b: &Function, budget: &Budget) -> Result<(), Stop> {
        *a = self.store().or(*a, *b, budget)?;
        Ok(())
    }

    fn meet_assign(&self, a: &mut Function, b: &Function, budget: &Budget) -> Result<(), Stop> {
        *a = self.store().and(*a, *b, budget)?;
        Ok(())
    }
}

impl DistributiveLattice for Monotone {}

/// Steps charged for looking up and making a node.
const STEPS_OF_A_NODE: u64 = 64;

/// The leaf for `at`, and the other one.
fn ends(at: bool) -> (Function, Function) {
    if at {
        (Function::TRUE, Function::FALSE)
    } else {
        (Function::FALSE, Function::TRUE)
    }
}
