//! The tips of a solution tree from left to right, the AND nodes above them, and a heap of the tips
//! by value and position.
//!
//! For its use and costs see [`sss_star`](super).

use meetjoin_lattice::{Budget, Stop, TotalOrder};

use crate::total_order::best_first::solution_tree::{NONE, Rest, Rests};
use crate::total_order::best_first::sss_2::push;

/// A tip of the solution tree, or of one under construction.
pub(super) struct Tip<N, E> {
    pub(super) node: N,
    pub(super) is_leaf: bool,
    pub(super) g: E,
    /// The nearest AND node above it.
    pub(super) owner: u32,
    pub(super) before: u32,
    pub(super) after: u32,
    pub(super) position: u64,
    /// Its index in the heap.
    pub(super) place: u32,
}

/// An AND node of the solution tree, or of one under construction.
pub(super) struct AndNode<N> {
    pub(super) node: N,
    /// The nearest AND node above it.
    pub(super) owner: u32,
    /// The first and last tip below it.
    pub(super) first: u32,
    pub(super) last: u32,
    /// The younger brothers of its child.
    pub(super) rest: Rest,
    pub(super) is_used: bool,
}

/// The tips and AND nodes, used and free.
pub(super) struct List<N, E> {
    pub(super) tips: Vec<Tip<N, E>>,
    pub(super) and_nodes: Vec<AndNode<N>>,
    pub(super) rests: Rests<N>,
    pub(super) free_tips: Vec<u32>,
    pub(super) free_and_nodes: Vec<u32>,
    /// The first tip of the solution tree.
    pub(super) first: u32,
    pub(super) heap: Vec<u32>,
}

impl<N: Clone, E: Clone> List<N, E> {
    #[inline]
    pub(super) fn add_tip(&mut self, tip: Tip<N, E>, budget: &Budget) -> Result<u32, Stop> {
        if let Some(at) = self.free_tips.pop() {
            self.tips[at as usize] = tip;
            return Ok(at);
        }
        let at = self.tips.len();
        if at >= NONE as usize {
            return Err(Stop::Memory);
        }
        push(&mut self.tips, tip, budget)?;
        // Replacing tips pushes to these two lists, and must not fail.
        for list in [&mut self.heap, &mut self.free_tips] {
            let more = self.tips.capacity() - list.len();
            if list.capacity() - list.len() < more {
                budget.room((more * size_of::<u32>()) as u64)?;
                list.try_reserve_exact(more).map_err(|_| Stop::Memory)?;
            }
        }
        Ok(at as u32)
    }

    #[inline]
    pub(super) fn add_and_node(
        &mut self,
        node: &N,
        owner: u32,
        budget: &Budget,
    ) -> Result<u32, Stop> {
        let node = AndNode {
            node: node.clone(),
            owner,
            first: NONE,
            last: NONE,
            rest: Rest::EMPTY,
            is_used: true,
        };
        if let Some(at) = self.free_and_nodes.pop() {
            self.and_nodes[at as usize] = node;
            return Ok(at);
        }
        let at = self.and_nodes.len();
        if at >= NONE as usize {
            return Err(Stop::Memory);
        }
        push(&mut self.and_nodes, node, budget)?;
        Ok(at as u32)
    }

    pub(super) fn release_and_node(&mut self, at: u32) {
        let node = &mut self.and_nodes[at as usize];
        node.is_used = false;
        self.rests.release(node.rest);
        node.rest = Rest::EMPTY;
        self.free_and_nodes.push(at);
    }

    /// Frees the tips from `first` to `last`, and the AND nodes between them and `owner`. Links of
    /// their neighbours are not updated.
    pub(super) fn release(&mut self, first: u32, last: u32, owner: u32) {
        let mut at = first;
        while at != NONE {
            let tip = &self.tips[at as usize];
            let (after, mut above) = (tip.after, tip.owner);
            while above != owner && above != NONE && self.and_nodes[above as usize].is_used {
                let next = self.and_nodes[above as usize].owner;
                self.release_and_node(above);
                above = next;
            }
            self.free_tips.push(at);
            at = if at == last { NONE } else { after };
        }
    }

    #[inline]
    fn link(&mut self, before: u32, after: u32) {
        if before != NONE {
            self.tips[before as usize].after = after;
        }
        if after != NONE {
            self.tips[after as usize].before = before;
        }
    }

    /// Assigns positions to the tips from `first` to `last` between those of their neighbours.
    fn number(&mut self, first: u32, last: u32) {
        let mut count = 1;
        let mut at = first;
        while at != last {
            at = self.tips[at as usize].after;
            count += 1;
        }
        let before = self.tips[first as usize].before;
        let after = self.tips[last as usize].after;
        let mut low = if before == NONE {
            0
        } else {
            self.tips[before as usize].position
        };
        let high = if after == NONE {
            u64::MAX
        } else {
            self.tips[after as usize].position
        };
        let (mut at, mut end) = (first, after);
        let mut step = (high - low) / (count + 1);
        if step == 0 {
            // There are fewer than 2^32 tips, so all of them together find room.
            step = u64::MAX / (self.tips.len() as u64 + 1);
            (at, end, low) = (self.first, NONE, 0);
        }
        while at != end {
            let tip = &mut self.tips[at as usize];
            low += step;
            tip.position = low;
            at = tip.after;
        }
    }

    /// Returns whether tip `a` comes before tip `b` in the heap: it has the greater value, or is
    /// further left.
    #[inline]
    fn precedes<L: TotalOrder<Elem = E>>(&self, lattice: &L, a: u32, b: u32) -> bool {
        let (a, b) = (&self.tips[a as usize], &self.tips[b as usize]);
        let order = lattice.compare(&b.g, &a.g);
        order.then(a.position.cmp(&b.position)).is_lt()
    }

    fn enter_heap<L: TotalOrder<Elem = E>>(&mut self, lattice: &L, tip: u32) {
        self.heap.push(tip);
        self.rise(lattice, self.heap.len() - 1, tip);
    }

    fn leave_heap<L: TotalOrder<Elem = E>>(&mut self, lattice: &L, tip: u32) {
        let place = self.tips[tip as usize].place as usize;
        let Some(last) = self.heap.pop() else {
            return;
        };
        if last != tip {
            let place = self.sink(lattice, place, last);
            self.rise(lattice, place, last);
        }
    }

    /// Inserts a tip at this index, or above it.
    fn rise<L: TotalOrder<Elem = E>>(&mut self, lattice: &L, mut place: usize, tip: u32) {
        while place > 0 {
            let above = self.heap[(place - 1) / 2];
            if !self.precedes(lattice, tip, above) {
                break;
            }
            self.set_place(place, above);
            place = (place - 1) / 2;
        }
        self.set_place(place, tip);
    }

    /// Inserts a tip at this index, or below it.
    fn sink<L: TotalOrder<Elem = E>>(&mut self, lattice: &L, mut place: usize, tip: u32) -> usize {
        loop {
            let mut below = 2 * place + 1;
            let Some(&left) = self.heap.get(below) else {
                break;
            };
            let mut child = left;
            if let Some(&right) = self.heap.get(below + 1)
                && self.precedes(lattice, right, left)
            {
                (child, below) = (right, below + 1);
            }
            if !self.precedes(lattice, child, tip) {
                break;
            }
            self.set_place(place, child);
            place = below;
        }
        self.set_place(place, tip);
        place
    }

    #[inline]
    fn set_place(&mut self, place: usize, tip: u32) {
        self.heap[place] = tip;
        self.tips[tip as usize].place = place as u32;
    }

    /// Replaces the tips from `old_first` to `old_last` by those from `first` to `last` of a new
    /// list, below `owner`.
    pub(super) fn replace<L: TotalOrder<Elem = E>>(
        &mut self,
        lattice: &L,
        (old_first, old_last): (u32, u32),
        (first, last): (u32, u32),
        owner: u32,
    ) {
        if first == NONE || last == NONE {
            return;
        }
        let (mut before, mut after) = (NONE, NONE);
        if old_first == NONE {
            self.first = first;
        } else {
            before = self.tips[old_first as usize].before;
            after = self.tips[old_last as usize].after;
            let mut at = old_first;
            loop {
                self.leave_heap(lattice, at);
                if at == old_last {
                    break;
                }
                at = self.tips[at as usize].after;
            }
            self.release(old_first, old_last, owner);
            if self.first == old_first {
                self.first = first;
            }
        }
        self.link(before, first);
        self.link(last, after);
        self.number(first, last);
        let mut at = first;
        while at != after {
            self.enter_heap(lattice, at);
            at = self.tips[at as usize].after;
        }
        // Updates the first and last tips of the AND nodes above, as far as they were the replaced
        // ones.
        let mut above = owner;
        while above != NONE {
            let node = &mut self.and_nodes[above as usize];
            let (at_first, at_last) = (node.first == old_first, node.last == old_last);
            if at_first {
                node.first = first;
            }
            if at_last {
                node.last = last;
            }
            if !at_first && !at_last {
                break;
            }
            above = node.owner;
        }
    }
}
