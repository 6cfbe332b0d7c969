//! The legal cards in a trick, and what a card reveals of the hand it comes from.
//!
//! Idea: both are the same question. The rules give a list of sets of cards in order of obligation;
//! a card may be played if the hand has no card of the sets before its own. That is also what a
//! card reveals of a hidden hand.

/// The state of a trick that matters for the next card, in sets of cards in play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// Cards of the suit that was led; 0 at a lead.
    pub(super) led: u32,
    /// Trumps.
    pub(super) trumps: u32,
    /// Cards that would win the trick so far.
    pub(super) winning: u32,
    /// At a lead, cards of a suit that is still to be broken.
    pub(super) unbroken: u32,
    pub(super) must_follow: bool,
    pub(super) must_trump: bool,
    pub(super) must_beat: bool,
}

impl Asked {
    /// The sets of cards in order of obligation: a hand must play from the first set of which it
    /// has a card. The last one has all remaining cards.
    fn classes(&self) -> [u32; 6] {
        let mut rest = u32::MAX;
        let mut classes = [0; 6];
        let mut place = 0;
        let mut class = |cards: u32, must_beat: bool| {
            let cards = cards & rest;
            rest &= !cards;
            if must_beat {
                classes[place] = cards & self.winning;
                place += 1;
            }
            classes[place] = if must_beat {
                cards & !self.winning
            } else {
                cards
            };
            place += 1;
        };
        if self.led == 0 {
            class(!self.unbroken, false);
            class(u32::MAX, false);
            return classes;
        }
        if self.must_follow {
            class(self.led, self.must_beat);
            if self.must_trump {
                class(self.trumps, self.must_beat);
            }
        }
        class(u32::MAX, self.must_beat);
        classes
    }

    /// The cards of a hand that may be played.
    pub(super) fn legal(&self, hand: u32) -> u32 {
        let classes = self.classes().into_iter();
        let held = classes.map(|class| class & hand);
        held.into_iter().find(|cards| *cards != 0).unwrap_or(0)
    }

    /// The cards that a hand cannot have if this card was played from it.
    pub(super) fn denied_by(&self, card: u32) -> u32 {
        let mut before = 0;
        for class in self.classes() {
            if class & card != 0 {
                break;
            }
            before |= class;
        }
        before
    }
}
