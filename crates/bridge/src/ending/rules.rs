//! The rules of a trick in an ending: what follows suit, what beats what, and which of the
//! defenders' cards are equal.
//!
//! Cards in play are bits of a word, by suit and then by rank. The defenders' cards come in
//! *kinds*: neighbours between which declarer has no card. Where a kind begins is a bit of a word
//! too, so the kind of a card is found by scanning down.
//!
//! Cards of one kind are not told apart, so if both defenders play one to the same trick, and no
//! card beats them, it is not known which of them has won (a *tie*). [`Rules::ties_to_declarer`]
//! says who decides it, declarer or the defenders, unless it is agreed beforehand.

/// The hands of North, East, South and West.
pub(super) type Hands = [u32; 4];

/// A trick as far as it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Trick {
    pub(super) turn: u8,
    pub(super) played: u8,
    /// The suit, if a card has been played.
    pub(super) led: u8,
    /// The card that wins it, or no card.
    pub(super) best: u32,
    pub(super) best_by: u8,
    /// Whether the other defender has played a card of the same kind, so either may have won.
    pub(super) is_tied: bool,
    /// Who wins if the other defender plays a card of the same kind, where that is agreed.
    pub(super) tie_to: Option<u8>,
}

impl Trick {
    pub(super) fn led_by(leader: usize) -> Self {
        let leader = leader as u8;
        Self {
            turn: leader,
            played: 0,
            led: 0,
            best: 0,
            best_by: leader,
            is_tied: false,
            tie_to: None,
        }
    }

    /// Whether all have played.
    pub(super) fn is_over(&self) -> bool {
        self.played == 4
    }

    /// Who may have won, if all have played.
    pub(super) fn winners(&self) -> impl Iterator<Item = usize> + use<> {
        let other = self.is_tied.then_some((self.best_by + 2) % 4);
        let winners = [Some(self.best_by), other].into_iter().flatten();
        winners.map(usize::from)
    }
}

/// Constants of all positions of an ending.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// For each suit its cards.
    pub(super) suits: [u32; 4],
    pub(super) trumps: Option<u8>,
    /// Who decides which of two equal cards has won.
    pub(super) ties_to_declarer: bool,
}

impl Rules {
    pub(super) fn suit_of(&self, card: u32) -> usize {
        let suit = self.suits.iter().position(|suit| suit & card != 0);
        suit.unwrap_or(0)
    }

    /// The cards of a hand that may be played.
    pub(super) fn legal(&self, trick: &Trick, hand: u32) -> u32 {
        let follows = match trick.played {
            0 => 0,
            _ => hand & self.suits[usize::from(trick.led)],
        };
        if follows == 0 { hand } else { follows }
    }

    pub(super) fn beats(&self, card: u32, best: u32) -> bool {
        let (own, other) = (self.suit_of(card), self.suit_of(best));
        if own == other {
            card > best
        } else {
            self.trumps == Some(own as u8)
        }
    }

    /// Tricks that the leader can take one after the other from a hand, whatever the others do:
    /// with cards above all others of a suit, and with those that are left when no other hand has
    /// any. A lower bound. The defenders' kinds begin at `kinds`.
    pub(super) fn cashed(&self, hands: Hands, leader: usize, kinds: u32) -> u8 {
        let others = [1, 2, 3].map(|far| hands[(leader + far) % 4]);
        let trumps = self
            .trumps
            .map_or(0, |trumps| self.suits[usize::from(trumps)]);
        let mut count = 0;
        for suit in self.suits {
            let own = hands[leader] & suit;
            if own == 0 {
                continue;
            }
            let held = others.map(|hand| hand & suit);
            let most = held.map(u32::count_ones).into_iter().max().unwrap_or(0);
            let mut tricks = highest(own, held, leader, kinds).count_ones();
            if tricks >= most {
                tricks = own.count_ones();
            }
            // Hands with trumps must follow.
            for (hand, held) in others.iter().zip(held) {
                if suit != trumps && hand & trumps != 0 {
                    tricks = tricks.min(held.count_ones());
                }
            }
            count += tricks;
        }
        count as u8
    }

    /// The trick after a card, where the defenders' kinds begin at `kinds`.
    pub(super) fn with_card(&self, trick: Trick, card: u32, kinds: u32) -> Trick {
        let mut next = trick;
        if trick.played == 0 {
            next.led = self.suit_of(card) as u8;
        }
        next.played += 1;
        next.turn = (trick.turn + 1) % 4;
        let by_defenders = trick.turn % 2 == 1 && trick.best_by % 2 == 1;
        if by_defenders && trick.best != 0 && are_equal(card, trick.best, kinds) {
            match trick.tie_to {
                Some(winner) => (next.best_by, next.tie_to) = (winner, None),
                None => next.is_tied = true,
            }
        } else if trick.best == 0 || self.beats(card, trick.best) {
            (next.best, next.best_by) = (card, trick.turn);
            (next.is_tied, next.tie_to) = (false, None);
        }
        next
    }
}

/// The leader's cards of a suit that are above all that the others hold of it. A card that the
/// leader's partner could be said to win with, since he has one of the same kind, does not count.
fn highest(own: u32, held: [u32; 3], leader: usize, kinds: u32) -> u32 {
    let Some(best) = (held[0] | held[1] | held[2]).checked_ilog2() else {
        return own;
    };
    let best = 1_u32 << best;
    let above = own & !(best | (best - 1));
    if leader.is_multiple_of(2) || held[1] & best == 0 {
        return above;
    }
    let next = kinds & !(best | (best - 1));
    let next = next & next.wrapping_neg();
    above & !next.wrapping_sub(1)
}

/// Whether two cards of the defenders are of one kind.
pub(super) fn are_equal(a: u32, b: u32, kinds: u32) -> bool {
    let up_to = |card: u32| card | (card - 1);
    (up_to(a) ^ up_to(b)) & kinds == 0
}
