//! Certificates as data, and a certificate under construction.

use std::hash::Hash;

use ahash::RandomState;
use hashbrown::HashMap;
use meetjoin_lattice::{FixedBitSet, Stop, Words, WorldSet};

use crate::caches::table::hasher;

/// A certificate that the value of a root lies between two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified<E> {
    /// The values that steps refer to, each once.
    pub values: Vec<E>,
    /// The steps: the root's first, each node once.
    pub steps: Vec<CertifiedStep>,
    /// The limit that ended the search, if one did; then the bounds are those known by then.
    pub stop: Option<Stop>,
}

/// A node with an interval that contains its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertifiedStep {
    /// The index of the lower bound among the values.
    pub lower: Option<u32>,
    /// The index of the upper bound.
    pub upper: Option<u32>,
    /// Whether the step uses a bound of the heuristic.
    pub bound: bool,
    /// For each child the index of its step, or `None` if it does not matter. Empty for a leaf.
    pub children: Vec<Option<u32>>,
}

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoCertificate {
    /// A limit fired.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// The interval or a bound of the heuristic is false.
    #[error(
        "the value is not what the certificate should show: some bound of the problem is not true"
    )]
    Contradiction,
}

/// A certificate under construction, from the root down.
pub(super) struct Growing<N> {
    pub(super) numbers: HashMap<N, u32, RandomState>,
    pub(super) nodes: Vec<N>,
    pub(super) explained: Vec<Explained>,
    count: usize,
}

/// The claims of a node, and their reasons.
pub(super) struct Explained {
    pub(super) claims: FixedBitSet,
    pub(super) bound: bool,
    pub(super) children: Vec<Option<u32>>,
}

impl<N: Clone + Eq + Hash> Growing<N> {
    pub(super) fn new(root: &N, count: usize) -> Self {
        let mut growing = Self {
            numbers: HashMap::with_hasher(hasher()),
            nodes: Vec::new(),
            explained: Vec::new(),
            count,
        };
        growing.number(root);
        growing
    }

    pub(super) fn number(&mut self, node: &N) -> u32 {
        if let Some(number) = self.numbers.get(node) {
            return *number;
        }
        let number = self.nodes.len() as u32;
        self.numbers.insert(node.clone(), number);
        self.nodes.push(node.clone());
        self.explained.push(Explained {
            claims: FixedBitSet::with_capacity(self.count),
            bound: false,
            children: Vec::new(),
        });
        number
    }

    /// The claims of a node among the `count` claims from `begin` on.
    pub(super) fn claimed<const W: usize>(&self, node: &N, begin: usize, count: usize) -> Words<W> {
        let mut claimed = Words::empty(count);
        if let Some(number) = self.numbers.get(node) {
            let claims = &self.explained[*number as usize].claims;
            (0..count)
                .filter(|claim| claims[begin + claim])
                .for_each(|claim| claimed.insert(claim));
        }
        claimed
    }

    /// Adds claims to a child.
    pub(super) fn give<const W: usize>(
        &mut self,
        parent: u32,
        place: usize,
        child: &N,
        begin: usize,
        claims: Words<W>,
        open: &mut Vec<(u32, Words<W>)>,
    ) {
        let child = self.number(child);
        self.explained[parent as usize].children[place] = Some(child);
        self.demand(child, begin, claims, open);
    }

    /// Adds claims to a node; new ones must be explained.
    pub(super) fn demand<const W: usize>(
        &mut self,
        number: u32,
        begin: usize,
        mut claims: Words<W>,
        open: &mut Vec<(u32, Words<W>)>,
    ) {
        let claimed = &mut self.explained[number as usize].claims;
        let old: Vec<usize> = claims
            .ones()
            .filter(|claim| claimed[begin + claim])
            .collect();
        for claim in old {
            claims.remove(claim);
        }
        if claims.count() > 0 {
            claims
                .ones()
                .for_each(|claim| claimed.insert(begin + claim));
            open.push((number, claims));
        }
    }
}

/// Numbers values.
pub(super) struct Values<E> {
    numbers: HashMap<E, u32, RandomState>,
    pub(super) list: Vec<E>,
}

impl<E> Default for Values<E> {
    fn default() -> Self {
        Self {
            numbers: HashMap::with_hasher(hasher()),
            list: Vec::new(),
        }
    }
}

impl<E: Clone + Eq + Hash> Values<E> {
    pub(super) fn number(&mut self, value: E) -> u32 {
        let next = self.list.len() as u32;
        let list = &mut self.list;
        *self.numbers.entry(value).or_insert_with_key(|value| {
            list.push(value.clone());
            next
        })
    }
}
