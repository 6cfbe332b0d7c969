//! Packets, expressions, and the two laws of absorption.
//!
//! Problem: of all sets of outcomes that a player can guarantee, keep only those that some
//! preference would choose.
//!
//! Idea: all definitions are for either player, in terms of "at least as good for the player".
//! MAX's packets keep their minimal outcomes, MIN's their maximal ones: in both cases the worst for
//! the owner. Packet P is absorbed
//! - by *clear dominance*, if another packet Q has every outcome at least as good as some outcome
//!   of P, and one better than some outcome of P. For antichains the second half says just that Q
//!   is no subset of P;
//! - by *freedom of choice*, if P is the union of smaller packets that are there too.
//!
//! MIN-to-MAX and MAX-to-MIN take one outcome from each packet, in all ways: a product.
//!
//! Invariant: packets are antichains and sorted; expressions have no packet that the others absorb,
//! and are sorted. So `==` is equality of minimal expressions. With antichain packets the minimal
//! expression is unique and `+` is associative (proof in the book, chapter on dominance), so
//! nothing depends on the order in which packets come.
//!
//! The product is not reduced on the way, because absorption does not commute with adding an
//! outcome. With `a < a'` and x below a' only, `{a'}` absorbs `{a}`, but `{x}` does not absorb
//! `{a, x}`. Only equal packets are merged before the end.
//!
//! Cost: absorption among n packets of k outcomes takes up to n² k² comparisons; a conversion has
//! as many candidates as the product of the packets' sizes. Each step is charged before it is made,
//! so limits hold inside the product. Candidates are lists of outcome numbers, in shards that grow
//! gradually and are freed at once, so no long operation comes between two checks of the limits, or
//! after a stop.
//!
//! Needs: a [`Poset`], any partial order. Comparisons get the budget too, and charge what they take
//! beyond one step.
//!
//! Source: Dasgupta, Chakrabarti, DeSarkar (1996), sections 2 to 4; the antichain reading is
//! explained in the errata.

use std::collections::BTreeSet;

use meetjoin_lattice::{Budget, Poset, Stop};

use crate::choices::Choices;
use crate::player::Player;

/// A set of outcomes such that its owner can guarantee one of them, or better. Pairwise
/// incomparable, in ascending `Ord` order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packet<X>(Box<[X]>);

impl<X> Packet<X> {
    /// The outcomes.
    pub fn outcomes(&self) -> &[X] {
        &self.0
    }
}

impl<X: Ord> Packet<X> {
    /// Returns whether every outcome is one of `other`'s.
    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().all(|x| other.0.binary_search(x).is_ok())
    }
}

/// The packets a player can choose from, none absorbed by the others, in ascending `Ord` order.
/// Without packets, the player can guarantee nothing yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression<X> {
    player: Player,
    packets: Vec<Packet<X>>,
}

impl<X> Expression<X> {
    /// No packets.
    pub fn empty(player: Player) -> Self {
        Self {
            player,
            packets: Vec::new(),
        }
    }

    /// One packet with one outcome: the value of a leaf.
    pub fn outcome(player: Player, outcome: X) -> Self {
        Self {
            player,
            packets: vec![Packet(Box::new([outcome]))],
        }
    }

    /// The owner of the packets.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The packets.
    pub fn packets(&self) -> &[Packet<X>] {
        &self.packets
    }

    /// Returns whether there are no packets.
    pub fn is_empty(&self) -> bool {
        self.packets.is_empty()
    }
}

impl<X: Ord> Expression<X> {
    /// Returns whether exactly this packet is among them.
    pub fn contains(&self, packet: &Packet<X>) -> bool {
        self.packets.binary_search(packet).is_ok()
    }
}

/// The operations, over an order of outcomes and within a budget.
#[derive(Debug)]
pub struct Algebra<'a, P> {
    order: &'a P,
    budget: &'a Budget,
}

impl<P> Clone for Algebra<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Algebra<'_, P> {}

impl<'a, P: Poset> Algebra<'a, P> {
    /// The algebra over this order.
    pub fn new(order: &'a P, budget: &'a Budget) -> Self {
        Self { order, budget }
    }

    /// The budget that its operations share.
    pub fn budget(self) -> &'a Budget {
        self.budget
    }

    /// Returns whether `a` equals `b` or is better for the player. The caller charges the step.
    pub(crate) fn at_least(self, player: Player, a: &P::Elem, b: &P::Elem) -> Result<bool, Stop> {
        match player {
            Player::Max => self.order.below(b, a, self.budget),
            Player::Min => self.order.below(a, b, self.budget),
        }
    }

    /// Returns whether `a` is at least as good for the player as one of `others`.
    fn at_least_one(self, player: Player, a: &P::Elem, others: &[P::Elem]) -> Result<bool, Stop> {
        for b in others {
            if self.at_least(player, a, b)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The packet with another outcome added.
    fn with(
        self,
        player: Player,
        packet: &[P::Elem],
        outcome: &P::Elem,
    ) -> Result<Packet<P::Elem>, Stop> {
        self.budget.steps(2 * packet.len() as u64 + 1)?;
        if self.at_least_one(player, outcome, packet)? {
            return Ok(Packet(packet.into()));
        }
        let mut outcomes = Vec::with_capacity(packet.len() + 1);
        for x in packet {
            if !self.at_least(player, x, outcome)? {
                outcomes.push(x.clone());
            }
        }
        let place = outcomes.partition_point(|x| x < outcome);
        outcomes.insert(place, outcome.clone());
        Ok(Packet(outcomes.into()))
    }

    /// The packet of these outcomes: those that are worst for the player.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn packet(
        self,
        player: Player,
        outcomes: impl IntoIterator<Item = P::Elem>,
    ) -> Result<Packet<P::Elem>, Stop> {
        outcomes
            .into_iter()
            .try_fold(Packet(Box::default()), |packet, outcome| {
                self.with(player, packet.outcomes(), &outcome)
            })
    }

    /// Whether every outcome of `better` is at least as good for the player as some outcome of
    /// `worse`.
    fn covers(
        self,
        player: Player,
        better: &Packet<P::Elem>,
        worse: &Packet<P::Elem>,
    ) -> Result<bool, Stop> {
        let pairs = (better.0.len() as u64).saturating_mul(worse.0.len() as u64);
        self.budget.steps(pairs + 1)?;
        for x in &better.0 {
            if !self.at_least_one(player, x, &worse.0)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether `better` absorbs `worse` by clear dominance. A packet does not dominate
    /// itself, nor a packet that contains it.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn clearly_dominates(
        self,
        player: Player,
        better: &Packet<P::Elem>,
        worse: &Packet<P::Elem>,
    ) -> Result<bool, Stop> {
        Ok(self.covers(player, better, worse)? && !better.is_subset(worse))
    }

    /// Returns whether `packet` is the union of smaller packets among `packets`, which leave more
    /// freedom of choice.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn is_union_of_smaller(
        self,
        packets: &[Packet<P::Elem>],
        packet: &Packet<P::Elem>,
    ) -> Result<bool, Stop> {
        let mut covered = vec![false; packet.0.len()];
        let mut open = covered.len();
        for smaller in packets {
            self.budget.steps(smaller.0.len() as u64 + 1)?;
            if smaller.0.len() >= packet.0.len() || !smaller.is_subset(packet) {
                continue;
            }
            for outcome in &smaller.0 {
                if let Ok(place) = packet.0.binary_search(outcome) {
                    open -= usize::from(!covered[place]);
                    covered[place] = true;
                }
            }
            if open == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The minimal expression of these packets, by the MAX- or the MIN-absorption law. They must be
    /// the player's packets, made by [`packet`](Self::packet).
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn absorb(
        self,
        player: Player,
        packets: impl IntoIterator<Item = Packet<P::Elem>>,
    ) -> Result<Expression<P::Elem>, Stop> {
        let mut candidates = BTreeSet::new();
        for packet in packets {
            self.budget.steps(packet.0.len() as u64 + 1)?;
            candidates.insert(packet);
        }
        self.absorb_distinct(player, candidates.into_iter().map(Ok))
    }

    /// Absorbs packets that are generated on the fly, all different.
    fn absorb_distinct(
        self,
        player: Player,
        candidates: impl Iterator<Item = Result<Packet<P::Elem>, Stop>>,
    ) -> Result<Expression<P::Elem>, Stop> {
        let clear = undominated(candidates, |better, worse| {
            self.clearly_dominates(player, better, worse)
        })?;
        // Clear dominance first: if a part of a union is clearly dominated, so is the packet that
        // is the union.
        let mut free = Vec::with_capacity(clear.len());
        for packet in &clear {
            free.push(!self.is_union_of_smaller(&clear, packet)?);
        }
        let packets = clear.into_iter().zip(free);
        let packets = packets.filter_map(|(packet, keep)| keep.then_some(packet));
        Ok(Expression {
            player,
            packets: packets.collect(),
        })
    }

    /// `sum + other`, for the player of `sum`; packets of the opponent are converted first. On
    /// `Err`, `sum` is as it was.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn add(
        self,
        sum: &mut Expression<P::Elem>,
        other: &Expression<P::Elem>,
    ) -> Result<(), Stop> {
        if sum.player != other.player {
            let converted = self.convert(other)?;
            return self.add(sum, &converted);
        }
        if sum.is_empty() {
            sum.packets.clone_from(&other.packets);
        } else {
            let both = sum.packets.iter().chain(&other.packets).cloned();
            *sum = self.absorb(sum.player, both)?;
        }
        Ok(())
    }

    /// The opponent's packets: MIN-to-MAX of a MIN-expression, MAX-to-MIN of a MAX-expression.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn convert(self, expression: &Expression<P::Elem>) -> Result<Expression<P::Elem>, Stop> {
        let player = expression.player.opponent();
        let mut outcomes: Vec<&P::Elem> = Vec::new();
        for packet in &expression.packets {
            self.budget.steps(packet.0.len() as u64)?;
            outcomes.extend(&packet.0);
        }
        outcomes.sort_unstable();
        outcomes.dedup();
        let mut chosen = Choices::new(1);
        chosen.insert(&[]);
        let mut with = Vec::new();
        for packet in &expression.packets {
            let ranks = packet
                .0
                .iter()
                .map(|x| outcomes.partition_point(|y| *y < x) as u32);
            let ranks: Vec<u32> = ranks.collect();
            let mut next = Choices::new(chosen.len().saturating_mul(ranks.len()));
            for so_far in chosen.iter() {
                for &rank in &ranks {
                    self.with_rank(player, &outcomes, so_far, rank, &mut with)?;
                    next.insert(&with);
                }
            }
            chosen = next;
        }
        let packets = chosen.iter().map(|ranks| {
            self.budget.steps(ranks.len() as u64 + 1)?;
            let outcomes = ranks.iter().map(|&rank| outcomes[rank as usize].clone());
            Ok(Packet(outcomes.collect()))
        });
        self.absorb_distinct(player, packets)
    }

    /// [`with`](Self::with) for a packet given by ascending indices into `outcomes`.
    fn with_rank(
        self,
        player: Player,
        outcomes: &[&P::Elem],
        packet: &[u32],
        rank: u32,
        with: &mut Vec<u32>,
    ) -> Result<(), Stop> {
        self.budget.steps(2 * packet.len() as u64 + 1)?;
        let outcome = |rank: u32| outcomes[rank as usize];
        with.clear();
        for &other in packet {
            if self.at_least(player, outcome(rank), outcome(other))? {
                with.clear();
                with.extend_from_slice(packet);
                return Ok(());
            }
            if !self.at_least(player, outcome(other), outcome(rank))? {
                with.push(other);
            }
        }
        let place = with.partition_point(|&other| other < rank);
        with.insert(place, rank);
        Ok(())
    }

    /// The expression for this player, converted if necessary.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn for_player(
        self,
        player: Player,
        expression: Expression<P::Elem>,
    ) -> Result<Expression<P::Elem>, Stop> {
        if expression.player == player {
            Ok(expression)
        } else {
            self.convert(&expression)
        }
    }

    /// `max_prune(by, packets)` and `min_prune`: returns whether every packet is clearly dominated
    /// by one of `by`. Only clear dominance may prune; freedom of choice and equal packets may not.
    /// Expressions of different players prune nothing.
    ///
    /// The answer depends on `packets` only as a lattice element: a packet above some other in the
    /// lattice order is clearly dominated as soon as that one is. So converting the expression back
    /// and forth makes no difference.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn prunes(
        self,
        by: &Expression<P::Elem>,
        packets: &Expression<P::Elem>,
    ) -> Result<bool, Stop> {
        if by.player != packets.player {
            return Ok(false);
        }
        'packets: for packet in &packets.packets {
            for better in &by.packets {
                if self.clearly_dominates(by.player, better, packet)? {
                    continue 'packets;
                }
            }
            return Ok(false);
        }
        Ok(true)
    }

    /// This expression as an element of the free distributive lattice: packets that contain another
    /// one are dropped too. For MAX this is the disjunctive normal form (a join of meets), for MIN
    /// the conjunctive one. Expressions with equal normal forms are one lattice element.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn normal_form(
        self,
        expression: &Expression<P::Elem>,
    ) -> Result<Vec<Packet<P::Elem>>, Stop> {
        let candidates = expression.packets.iter().cloned().map(Ok);
        undominated(candidates, |better, worse| {
            Ok(better != worse && self.covers(expression.player, better, worse)?)
        })
    }
}

/// The packets that no other packet dominates, sorted. The candidates must be distinct, and
/// `dominates` transitive and irreflexive.
fn undominated<X: Ord>(
    candidates: impl Iterator<Item = Result<Packet<X>, Stop>>,
    dominates: impl Fn(&Packet<X>, &Packet<X>) -> Result<bool, Stop>,
) -> Result<Vec<Packet<X>>, Stop> {
    let mut kept: Vec<Packet<X>> = Vec::new();
    'candidates: for packet in candidates {
        let packet = packet?;
        for other in &kept {
            if dominates(other, &packet)? {
                continue 'candidates;
            }
        }
        let mut stay = 0;
        for place in 0..kept.len() {
            if !dominates(&packet, &kept[place])? {
                kept.swap(stay, place);
                stay += 1;
            }
        }
        kept.truncate(stay);
        kept.push(packet);
    }
    // There are never many, as each was compared with all others.
    kept.sort_unstable();
    Ok(kept)
}
