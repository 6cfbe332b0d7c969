//! The table of nodes that both kinds of diagrams share.
//!
//! Idea: nodes lie in one vector and are identified by their index. Nodes with the same hash are
//! chained through the nodes themselves, so the table costs 16 bytes a node and 4 to 8 for the
//! heads of chains. Free places form a chain too.
//!
//! Invariant: the children of a node lie at higher levels, and no two nodes have the same level and
//! children.

use crate::{Budget, Stop};

/// The place of a variable in the order, from 0 at the top. The two greatest numbers are reserved:
/// a node there is refused with [`Stop::Lattice`].
pub type Level = u32;

/// The level of the two leaves: below all others.
pub(super) const LEAF: Level = u32::MAX;
/// The leaf for false, or for the empty family.
pub(super) const ZERO: u32 = 0;
/// The leaf for true, or for the family of the empty set.
pub(super) const ONE: u32 = 1;
/// The level of a free place.
const FREE: Level = u32::MAX - 1;
/// The end of a chain.
const END: u32 = u32::MAX;
const FIRST_HEADS: usize = 64;

/// Returns the level if there can be a node at it.
pub(super) fn usable(level: Level) -> Result<Level, Stop> {
    (level < FREE).then_some(level).ok_or(Stop::Lattice)
}

/// The root of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View<T> {
    /// False, or the empty family.
    Zero,
    /// True, or the family of the empty set alone.
    One,
    /// A node that tests a variable.
    Node {
        /// The level of the variable.
        level: Level,
        /// The child where it is true, or in the set.
        high: T,
        /// The child where it is not.
        low: T,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) level: Level,
    pub(super) high: u32,
    pub(super) low: u32,
    next: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Nodes {
    places: Vec<Node>,
    /// Heads of chains; their number is a power of two.
    heads: Vec<u32>,
    /// The first free place.
    free: u32,
    /// Nodes in use, without the leaves.
    len: usize,
}

impl Default for Nodes {
    fn default() -> Self {
        let leaf = Node {
            level: LEAF,
            high: ZERO,
            low: ZERO,
            next: END,
        };
        Self {
            places: vec![leaf; 2],
            heads: vec![END; FIRST_HEADS],
            free: END,
            len: 0,
        }
    }
}

impl Nodes {
    #[inline]
    pub(super) fn get(&self, id: u32) -> Node {
        self.places[id as usize]
    }

    #[inline]
    pub(super) fn level(&self, id: u32) -> Level {
        self.places[id as usize].level
    }

    /// One more than the greatest place in use.
    pub(super) fn places(&self) -> usize {
        self.places.len()
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.places.capacity() * size_of::<Node>() + self.heads.capacity() * size_of::<u32>())
            as u64
    }

    #[inline]
    fn head(&self, level: Level, high: u32, low: u32) -> usize {
        let pair = u64::from(high) << 32 | u64::from(low);
        let mixed = pair
            .wrapping_add(u64::from(level).wrapping_mul(0xd6e8_feb8_6659_fd93))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The high bits of a product depend on all bits of its factors.
        (mixed >> (64 - self.heads.len().ilog2())) as usize
    }

    /// Returns the unique node with this level and these children. No reduction rule is applied.
    #[inline]
    pub(super) fn make(
        &mut self,
        level: Level,
        high: u32,
        low: u32,
        budget: &Budget,
    ) -> Result<u32, Stop> {
        let mut head = self.head(level, high, low);
        let mut id = self.heads[head];
        while id != END {
            let node = &self.places[id as usize];
            if node.low == low && node.high == high && node.level == level {
                return Ok(id);
            }
            id = node.next;
        }
        if self.len >= self.heads.len() {
            self.grow(budget)?;
            head = self.head(level, high, low);
        }
        let node = Node {
            level,
            high,
            low,
            next: self.heads[head],
        };
        let id = if self.free == END {
            if self.places.len() == self.places.capacity() {
                self.more_room(budget)?;
            }
            self.places.push(node);
            (self.places.len() - 1) as u32
        } else {
            let id = self.free;
            self.free = self.places[id as usize].next;
            self.places[id as usize] = node;
            id
        };
        self.heads[head] = id;
        self.len += 1;
        Ok(id)
    }

    #[cold]
    fn more_room(&mut self, budget: &Budget) -> Result<(), Stop> {
        let more = (self.places.len() / 2).max(FIRST_HEADS);
        if self.places.len() + more >= FREE as usize {
            return Err(Stop::Lattice);
        }
        // The old nodes stay allocated until they are copied.
        budget.room(((self.places.len() + more) * size_of::<Node>()) as u64)?;
        self.places.reserve_exact(more);
        Ok(())
    }

    #[cold]
    fn grow(&mut self, budget: &Budget) -> Result<(), Stop> {
        let grown = 2 * self.heads.len();
        budget.room((grown * size_of::<u32>()) as u64)?;
        self.heads = vec![END; grown];
        self.chain();
        Ok(())
    }

    /// Reserves room for `more` nodes, so that making them cannot fail.
    pub(super) fn reserve(&mut self, more: usize, budget: &Budget) -> Result<(), Stop> {
        if self.places.len() + more >= FREE as usize {
            return Err(Stop::Lattice);
        }
        if self.places.capacity() - self.places.len() < more {
            budget.room(((self.places.len() + more) * size_of::<Node>()) as u64)?;
            self.places.reserve(more);
        }
        Ok(())
    }

    /// Takes a node out of its chain.
    fn unchain(&mut self, id: u32) {
        let Node {
            level,
            high,
            low,
            next,
        } = self.get(id);
        let head = self.head(level, high, low);
        if self.heads[head] == id {
            self.heads[head] = next;
            return;
        }
        let mut before = self.heads[head];
        while self.places[before as usize].next != id {
            before = self.places[before as usize].next;
        }
        self.places[before as usize].next = next;
    }

    /// Frees a node.
    pub(super) fn give_back(&mut self, id: u32) {
        self.unchain(id);
        self.places[id as usize] = Node {
            level: FREE,
            high: ZERO,
            low: ZERO,
            next: self.free,
        };
        self.free = id;
        self.len -= 1;
    }

    /// Replaces the level and children of a node. No other node may have these.
    pub(super) fn replace(&mut self, id: u32, level: Level, high: u32, low: u32) {
        self.unchain(id);
        let head = self.head(level, high, low);
        self.places[id as usize] = Node {
            level,
            high,
            low,
            next: self.heads[head],
        };
        self.heads[head] = id;
    }

    /// Renames the levels of all nodes.
    pub(super) fn rename(&mut self, level: impl Fn(Level) -> Level) {
        for node in self
            .places
            .iter_mut()
            .skip(2)
            .filter(|node| node.level != FREE)
        {
            node.level = level(node.level);
        }
        self.chain();
    }

    /// All nodes in use.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, Node)> {
        let nodes = (0..).zip(&self.places).skip(2);
        nodes
            .filter(|(_, node)| node.level != FREE)
            .map(|(id, node)| (id, *node))
    }

    /// Rebuilds the chains of all nodes in use.
    pub(super) fn chain(&mut self) {
        self.heads.fill(END);
        for id in 2..self.places.len() {
            let Node {
                level, high, low, ..
            } = self.places[id];
            if level != FREE {
                let head = self.head(level, high, low);
                self.places[id].next = self.heads[head];
                self.heads[head] = id as u32;
            }
        }
    }

    /// Frees every node that none of these leads to.
    pub(super) fn collect(&mut self, roots: impl IntoIterator<Item = u32>) {
        let mut reached = vec![false; self.places.len()];
        let mut stack: Vec<u32> = roots.into_iter().collect();
        while let Some(id) = stack.pop() {
            if id > ONE && !std::mem::replace(&mut reached[id as usize], true) {
                let node = self.get(id);
                stack.extend([node.high, node.low]);
            }
        }
        let used = reached.iter().rposition(|&reached| reached);
        self.places.truncate(used.map_or(2, |id| id + 1));
        (self.free, self.len) = (END, 0);
        for id in (2..self.places.len()).rev() {
            if reached[id] {
                self.len += 1;
            } else {
                self.places[id] = Node {
                    level: FREE,
                    high: ZERO,
                    low: ZERO,
                    next: self.free,
                };
                self.free = id as u32;
            }
        }
        self.chain();
    }

    /// The nodes that the roots lead to, children before parents, without the leaves.
    pub(super) fn upwards(&self, roots: &[u32], budget: &Budget) -> Result<Vec<u32>, Stop> {
        let mut seen = vec![false; self.places.len()];
        let mut found = Vec::new();
        let mut stack: Vec<u32> = Vec::new();
        for &root in roots {
            if root <= ONE || std::mem::replace(&mut seen[root as usize], true) {
                continue;
            }
            stack.push(root);
            while let Some(&id) = stack.last() {
                budget.steps(1)?;
                let node = self.get(id);
                let open = |id: &u32| *id > ONE && !seen[*id as usize];
                if let Some(child) = [node.high, node.low].into_iter().find(open) {
                    seen[child as usize] = true;
                    stack.push(child);
                } else {
                    found.push(id);
                    stack.pop();
                }
            }
        }
        Ok(found)
    }
}
