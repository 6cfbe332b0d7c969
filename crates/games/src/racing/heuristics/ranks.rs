//! Racing with both hands known: who wins depends only on the order of the cards still in play.
//!
//! Problem: one deal of racing stands for hundreds or millions of hands of MIN. With MIN's hand
//! known each is a small game of perfect information, but searching them one after the other
//! repeats the same games with other numbers on the cards.
//!
//! Idea: write the cards in play from the lowest up, one bit each: 1 if the *leader* holds it. At
//! the start of a trick these bits are the whole position: k cards a hand are 2k bits, k of them
//! ones. MAX has g tricks before MIN has them exactly if she takes g of the first 2g - 1 tricks, or
//! of all tricks if there are fewer; so the value of a position is a number, how many of the tricks
//! that still *count* the leader takes, and one [`RankTable`] of bounds on that number serves all
//! hands, both players and every score. It is filled on demand.
//!
//! The player who answers a lead needs to consider two cards only: the lowest of those that win,
//! and the lowest of all. This follows from three statements on T(p, m), the tricks that one player
//! takes of the next m in position p. Below, *higher* means that some cards of hers are exchanged
//! for higher ones of the other player.
//!
//! - Lead: T where she leads is at most T where the other leads. Whatever card x he leads, she
//!   answers with the card c that she would have led: he could have answered c with x, and what
//!   follows is the same.
//! - Rank: T is no smaller where her cards are higher. It is enough to exchange two neighbours in
//!   rank. She plays as if they were not exchanged. If both meet in one trick, she wins it instead
//!   of losing it, and by the next statement for m - 1 that is worth as much at least. After any
//!   other trick the statement for m - 1 applies.
//! - Trick: T where the other leads is at most 1 + T where she leads. She leads her lowest card c.
//!   If x answers it, the other could have led x. She would have answered with c or a higher card,
//!   so that after it her cards are no higher than they are now (rank, m - 1). If x beats c, she
//!   has lost at most the trick and does not lead (lead, m - 1); if not, she has lost nothing.
//!
//! By rank, of two cards that both win or both lose a trick it is better to play the lower. Of
//! neighbouring cards of the leader, only one is tried as a lead.
//!
//! Invariant: an entry has true bounds, whatever was asked before and whether it was stopped.
//!
//! Cost: a byte for each pattern of 2k - 1 bits, up to k = 12 (8 MiB, of which only touched pages
//! are used); beyond that a hash table. A position asks at most two questions for each run of the
//! leader's cards.
//!
//! Needs: nothing of lattices. Source: the game is whist in a single suit. Kahn, Lagarias,
//! Witsenhausen (1987) prove such statements for the whole of it; the proofs above also hold when
//! only the first m tricks count.

use std::collections::HashMap;

use meetjoin_lattice::{Budget, Stop};

use crate::racing::Racing;

/// The most cards in a hand for which an array is used.
const MOST_IN_ARRAY: u8 = 12;

/// Bounds of the number of tricks that count that the leader takes.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// A lower bound of the tricks she takes.
    taken: u8,
    /// A lower bound of the tricks she loses.
    lost: u8,
}

/// The entries for one number of cards in a hand.
#[derive(Clone, Debug)]
enum Layer {
    /// No entries yet.
    Empty,
    /// Both numbers in one byte, indexed by all bits of the pattern but the highest, which follows
    /// from the others.
    Array(Vec<u8>),
    /// Indexed by the whole pattern.
    Map(HashMap<u64, Known>),
}

/// Does the leader take at least `need` of the tricks that count?
#[derive(Clone, Copy, Debug)]
struct Question {
    /// The cards in play from the lowest up: 1 where the leader holds it.
    leads: u64,
    /// Cards in each hand.
    tricks: u8,
    need: u8,
}

/// The question after a card of the other player, and the answer to it that is good for the leader
/// of the trick.
type Reply = (Question, bool);

/// A question whose answer depends on others.
#[derive(Clone, Copy, Debug)]
struct Frame {
    question: Question,
    /// Cards that may still be led: one of each run.
    untried: u64,
    /// The undecided replies to the card led now; the next one is last.
    open: [Option<Reply>; 2],
}

/// Bounds for every pattern that was asked, for one size of hands and one goal. See the
/// [module page](self).
#[derive(Clone, Debug)]
pub(crate) struct RankTable {
    hand: u8,
    /// The number of tricks that count, from the first.
    counting: u8,
    /// Indexed by the number of cards in a hand.
    layers: Vec<Layer>,
    frames: Vec<Frame>,
}

impl RankTable {
    /// A table for hands of this many cards, and a goal of this many tricks.
    pub(crate) fn new(hand: u8, goal: u8) -> Self {
        let most = goal.saturating_mul(2).saturating_sub(1);
        Self {
            hand,
            counting: hand.min(most),
            layers: vec![Layer::Empty; usize::from(hand) + 1],
            frames: Vec::new(),
        }
    }

    /// A table for the hands and the goal of a deal.
    pub(crate) fn of(deal: &Racing) -> Self {
        Self::new(deal.hand().len() as u8, deal.goal())
    }

    /// The number of tricks that count when `tricks` are left.
    pub(crate) fn counting(&self, tricks: u8) -> u8 {
        self.counting.saturating_sub(self.hand - tricks)
    }

    /// Returns whether the leader takes at least `need` of the tricks that count. `leads` has her
    /// cards among the `2 tricks` cards in play.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(crate) fn leader_takes(
        &mut self,
        leads: u64,
        tricks: u8,
        need: u8,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let question = Question {
            leads,
            tricks,
            need,
        };
        match self.known(question) {
            Some(answer) => Ok(answer),
            None => self.search(question, budget),
        }
    }

    /// Returns whether the leader takes `need` more tricks when she has led the card at the bit
    /// `card`.
    ///
    /// # Errors
    /// When the budget ends it.
    pub(crate) fn leader_takes_with(
        &mut self,
        leads: u64,
        tricks: u8,
        card: u32,
        need: u8,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let question = Question {
            leads,
            tricks,
            need,
        };
        if need == 0 || need > self.counting(tricks) {
            return Ok(need == 0);
        }
        for (left, good) in self.replies(question, card).into_iter().flatten() {
            if self.leader_takes(left.leads, left.tricks, left.need, budget)? != good {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The answer, if it takes no search.
    #[inline]
    fn known(&self, question: Question) -> Option<bool> {
        let Question {
            leads,
            tricks,
            need,
        } = question;
        let counting = self.counting(tricks);
        if need == 0 || need > counting {
            return Some(need == 0);
        }
        let known = self.entry(leads, tricks);
        if known.taken >= need {
            return Some(true);
        }
        if counting - known.lost < need {
            return Some(false);
        }
        // Each of the highest cards wins a trick, whoever leads.
        let top = leads << (64 - 2 * u32::from(tricks));
        let (hers, others) = (top.leading_ones(), top.leading_zeros());
        if hers >= u32::from(need) {
            return Some(true);
        }
        (others > u32::from(counting - need)).then_some(false)
    }

    /// Decides an unknown question, with all questions that it depends on.
    fn search(&mut self, question: Question, budget: &Budget) -> Result<bool, Stop> {
        self.frames.clear();
        let mut answer = false;
        self.open(question, budget)?;
        while let Some(mut frame) = self.frames.pop() {
            match self.advance(&mut frame) {
                Step::Ask(next) => {
                    self.frames.push(frame);
                    self.open(next, budget)?;
                }
                Step::Answer(yes) => {
                    self.close(frame.question, yes);
                    answer = yes;
                }
            }
        }
        Ok(answer)
    }

    fn open(&mut self, question: Question, budget: &Budget) -> Result<(), Stop> {
        budget.steps(1)?;
        self.allocate(question.tricks, budget)?;
        let leads = question.leads;
        self.frames.push(Frame {
            question,
            untried: leads & !(leads << 1),
            open: [None, None],
        });
        Ok(())
    }

    /// The next step of a frame. The last question asked for it is answered now.
    fn advance(&self, frame: &mut Frame) -> Step {
        loop {
            while let Some((next, good)) = frame.open[1] {
                match self.known(next) {
                    None => return Step::Ask(next),
                    Some(answer) if answer != good => frame.open = [None, None],
                    Some(_) if frame.open[0].is_none() => return Step::Answer(true),
                    Some(_) => frame.open = [None, frame.open[0]],
                }
            }
            if frame.untried == 0 {
                return Step::Answer(false);
            }
            let card = frame.untried.trailing_zeros();
            frame.untried &= frame.untried - 1;
            let replies = self.replies(frame.question, card);
            // A lead that one reply is known to refute needs no search.
            let refutes = |&(left, good): &Reply| self.known(left) == Some(!good);
            if !replies.iter().flatten().any(refutes) {
                frame.open = replies;
            }
        }
    }

    /// The one or two replies to a lead; the second place is always taken. `need` must be at least
    /// 1 and at most the number of tricks that count.
    fn replies(&self, question: Question, card: u32) -> [Option<Reply>; 2] {
        let Question {
            leads,
            tricks,
            need,
        } = question;
        let rest = self.counting(tricks) - 1;
        let lowest = leads.trailing_ones();
        let above = !leads & low_bits(2 * u32::from(tricks)) & !low_bits(card + 1);
        let beaten = (above != 0).then(|| {
            let left = without(leads, card, above.trailing_zeros());
            let other = Question {
                leads: !left & low_bits(2 * u32::from(tricks - 1)),
                tricks: tricks - 1,
                need: rest + 1 - need,
            };
            (other, false)
        });
        let won = (lowest < card).then(|| {
            let same = Question {
                leads: without(leads, lowest, card),
                tricks: tricks - 1,
                need: need - 1,
            };
            (same, true)
        });
        if won.is_some() {
            [beaten, won]
        } else {
            [None, beaten]
        }
    }

    /// Stores an answer.
    fn close(&mut self, question: Question, answer: bool) {
        let Question {
            leads,
            tricks,
            need,
        } = question;
        let mut known = self.entry(leads, tricks);
        if answer {
            known.taken = known.taken.max(need);
        } else {
            known.lost = known.lost.max(self.counting(tricks) + 1 - need);
        }
        match &mut self.layers[usize::from(tricks)] {
            Layer::Empty => {}
            Layer::Array(bytes) => {
                bytes[array_place(leads, tricks)] = known.taken | known.lost << 4;
            }
            Layer::Map(map) => {
                map.insert(leads, known);
            }
        }
    }

    /// Makes room for one more entry.
    fn allocate(&mut self, tricks: u8, budget: &Budget) -> Result<(), Stop> {
        let layer = &mut self.layers[usize::from(tricks)];
        match layer {
            Layer::Empty if tricks <= MOST_IN_ARRAY => {
                let entries = 1_u64 << (2 * tricks - 1);
                budget.room(entries)?;
                *layer = Layer::Array(vec![0; entries as usize]);
            }
            Layer::Empty => *layer = Layer::Map(HashMap::new()),
            Layer::Map(map) if map.len() == map.capacity() => {
                let larger = 2 * map.capacity() * size_of::<(u64, Known)>();
                budget.room(larger as u64)?;
                map.reserve(1);
            }
            Layer::Array(_) | Layer::Map(_) => {}
        }
        Ok(())
    }

    #[inline]
    fn entry(&self, leads: u64, tricks: u8) -> Known {
        match &self.layers[usize::from(tricks)] {
            Layer::Empty => Known::default(),
            Layer::Array(bytes) => {
                let byte = bytes[array_place(leads, tricks)];
                Known {
                    taken: byte & 15,
                    lost: byte >> 4,
                }
            }
            Layer::Map(map) => map.get(&leads).copied().unwrap_or_default(),
        }
    }
}

/// The next step of a frame.
enum Step {
    Ask(Question),
    Answer(bool),
}

#[inline]
fn array_place(leads: u64, tricks: u8) -> usize {
    (leads & low_bits(2 * u32::from(tricks) - 1)) as usize
}

/// The lowest `n` bits; all of them from 64 on.
#[inline]
pub(crate) fn low_bits(n: u32) -> u64 {
    u64::MAX.checked_shr(64_u32.saturating_sub(n)).unwrap_or(0)
}

/// The pattern without two of its cards, `a != b`.
#[inline]
fn without(cards: u64, a: u32, b: u32) -> u64 {
    let (low, high) = (a.min(b), a.max(b));
    let cards = cards & low_bits(high) | cards >> 1 & !low_bits(high);
    cards & low_bits(low) | cards >> 1 & !low_bits(low)
}
