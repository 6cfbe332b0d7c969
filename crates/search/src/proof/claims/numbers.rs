//! Proof and disproof numbers: how many open nodes must still be proved, or disproved, to decide a
//! claim.
//!
//! Problem: which open node should be searched next?
//!
//! Idea: the proof number of a node is the least number of open nodes that must be proved to prove
//! it. One child proves an OR node, so its number is the least of the children's; an AND node needs
//! all children, so its number is their sum. Disproof numbers are the same with the kinds
//! exchanged. So the code distinguishes two sides of a node: the side that *one* child settles
//! (proof at OR, disproof at AND) and the side that takes *all* of them.
//!
//! Where paths meet again, a sum counts a node once for each path, and is too large. Finding the
//! exact number is NP-hard in a graph. Numbers only guide a search, and no answer rests on them, so
//! there are two approximations ([`Sums`]): count nodes several times, or take the greatest child's
//! number and one for each other open child, which grows slowly where much is shared and is too
//! small in a tree.
//!
//! Invariant: zero and [`INFINITY`] mean solved, and nothing else does. A sum of finite numbers
//! stays below infinity however large it is.
//!
//! Source: Allis, van der Meulen, van den Herik (1994); weak numbers: Ueda, Hashimoto, Hashimoto,
//! Iida (2008).

use crate::contracts::proof_numbers::{GREATEST, INFINITY, ProofNumbers};

impl ProofNumbers {
    /// The numbers as sides of a parent of this kind.
    #[inline]
    pub(crate) fn sides(self, is_and: bool) -> Sides {
        if is_and {
            Sides {
                one: self.disproof,
                all: self.proof,
            }
        } else {
            Sides {
                one: self.proof,
                all: self.disproof,
            }
        }
    }
}

/// Two numbers of a node, by side: what one child can settle, and what takes all children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    /// Proof at an OR node, disproof at an AND node.
    pub(crate) one: u32,
    /// Disproof at an OR node, proof at an AND node.
    pub(crate) all: u32,
}

impl Sides {
    /// The sides as proof and disproof numbers of a node of this kind.
    #[inline]
    pub(crate) fn numbers(self, is_and: bool) -> ProofNumbers {
        let Self { one, all } = self;
        let (proof, disproof) = if is_and { (all, one) } else { (one, all) };
        ProofNumbers { proof, disproof }
    }
}

/// How a node combines the numbers of its children, on the side that takes all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sums {
    /// Their sum. In a tree it is the exact number; where paths meet, a node counts once for each
    /// path.
    #[default]
    Plain,
    /// The greatest number, and one for each other open child.
    Weak,
}

/// Accumulates the numbers of a node's children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathered {
    sums: Sums,
    is_and: bool,
    /// The index of the leftmost child with the least number on the side of one, if any child is
    /// open.
    pub(crate) best: usize,
    least: u32,
    /// The least such number of the other children.
    second: u32,
    sum: u64,
    most: u32,
    /// Children that are open or settle the node.
    open: u32,
}

impl Gathered {
    #[inline]
    pub(crate) fn new(is_and: bool, sums: Sums) -> Self {
        Self {
            sums,
            is_and,
            best: 0,
            least: INFINITY,
            second: INFINITY,
            sum: 0,
            most: 0,
            open: 0,
        }
    }

    /// The summary of all children.
    #[inline]
    pub(crate) fn of(
        is_and: bool,
        sums: Sums,
        children: impl Iterator<Item = ProofNumbers>,
    ) -> Self {
        let mut gathered = Self::new(is_and, sums);
        for (place, numbers) in children.enumerate() {
            gathered.add(place, numbers);
        }
        gathered
    }

    #[inline]
    fn add(&mut self, place: usize, numbers: ProofNumbers) {
        let Sides { one, all } = numbers.sides(self.is_and);
        if one < self.least {
            self.second = self.least;
            self.least = one;
            self.best = place;
        } else if one < self.second {
            self.second = one;
        }
        self.sum += u64::from(all);
        self.most = self.most.max(all);
        self.open += u32::from(all != 0);
    }

    /// The combined number on the side of all, before it is clamped below infinity.
    #[inline]
    fn total(&self) -> u64 {
        match self.sums {
            Sums::Plain => self.sum,
            Sums::Weak => u64::from(self.most) + u64::from(self.open.saturating_sub(1)),
        }
    }

    /// The numbers of the node.
    #[inline]
    pub(crate) fn numbers(&self) -> ProofNumbers {
        let all = match self.least {
            0 => INFINITY,
            INFINITY => 0,
            _ => self.total().min(u64::from(GREATEST)) as u32,
        };
        let one = self.least;
        Sides { one, all }.numbers(self.is_and)
    }

    /// Limits for a child, so that it stays the best and the node stays within its own `limits`: on
    /// the side of one, the second best number and `percent` percent more (at least one more); on
    /// the side of all, what the other children leave. A child that is not the best, whose number
    /// on the side of one is below the limit, may exceed its number by as much.
    ///
    /// Both exceed the child's numbers as long as the node's numbers are below its limits.
    #[inline]
    pub(crate) fn limits(
        &self,
        limits: ProofNumbers,
        best: ProofNumbers,
        percent: u32,
    ) -> ProofNumbers {
        let limits = limits.sides(self.is_and);
        let own = best.sides(self.is_and);
        let beyond = u64::from(self.second.max(own.one));
        let beyond = beyond + (beyond * u64::from(percent) / 100).max(1);
        let one = beyond.min(u64::from(limits.one)) as u32;
        let all = if limits.all == INFINITY {
            INFINITY
        } else {
            let others = match self.sums {
                Sums::Plain => self.sum - u64::from(own.all),
                Sums::Weak => u64::from(self.open.saturating_sub(1)),
            };
            u64::from(limits.all).saturating_sub(others) as u32
        };
        Sides { one, all }.numbers(self.is_and)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers { proof, disproof }
    }

    #[test]
    fn one_child_settles_one_side_and_all_the_other() {
        let children = [numbers(3, 2), numbers(2, 5), numbers(INFINITY, 0)];
        let or = Gathered::of(false, Sums::Plain, children.into_iter());
        assert_eq!((or.numbers(), or.best), (numbers(2, 7), 1));
        let or = Gathered::of(false, Sums::Weak, children.into_iter());
        assert_eq!(or.numbers(), numbers(2, 6));
        let and = Gathered::of(true, Sums::Plain, children.into_iter());
        assert_eq!(and.numbers(), ProofNumbers::solved(false));
        let and = Gathered::of(true, Sums::Plain, children[..2].iter().copied());
        assert_eq!((and.numbers(), and.best), (numbers(5, 2), 0));
    }

    #[test]
    fn a_sum_of_open_nodes_is_never_infinite() {
        let children = [numbers(GREATEST, GREATEST); 3];
        for sums in [Sums::Plain, Sums::Weak] {
            for is_and in [false, true] {
                let all = Gathered::of(is_and, sums, children.into_iter());
                assert_eq!(all.numbers(), numbers(GREATEST, GREATEST));
                let root = numbers(INFINITY, INFINITY);
                assert_eq!(all.limits(root, children[0], 25), root);
            }
        }
    }

    #[test]
    fn limits_are_greater_than_the_numbers_of_the_child() {
        let some = [1, 2, 3, 7, 100, GREATEST - 1, GREATEST, INFINITY];
        for sums in [Sums::Plain, Sums::Weak] {
            for (a, b) in some.iter().flat_map(|a| some.map(|b| (*a, b))) {
                let children = [numbers(a, b), numbers(b, a)].map(ProofNumbers::as_open);
                let all = Gathered::of(true, sums, children.into_iter());
                let node = all.numbers();
                for limit in some {
                    let limits = numbers(limit, limit);
                    if node.proof < limit && node.disproof < limit {
                        let best = children[all.best];
                        let next = all.limits(limits, best, 25);
                        assert!(next.proof > best.proof && next.disproof > best.disproof);
                    }
                }
            }
        }
    }

    #[test]
    fn solved_numbers_have_a_verdict() {
        for answer in [false, true] {
            let verdict = ProofNumbers::solved(answer).verdict();
            assert_eq!(verdict.answer(), Some(answer));
        }
        assert_eq!(ProofNumbers::OPEN.verdict().answer(), None);
    }
}
