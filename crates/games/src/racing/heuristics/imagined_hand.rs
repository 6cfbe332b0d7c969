//! A uniform strategy that beats many hands: play as if MIN held a hand at least as strong as each
//! of them.
//!
//! Problem: perfect information says against which hands MAX can win, each with a strategy of its
//! own. It does not give the hands that one strategy beats without knowing the hand.
//!
//! Idea: a hand is *no stronger* than another if, card for card from the lowest up, its cards are
//! no higher, where cards between the same cards of MAX count as equal. If MAX beats some hand with
//! perfect information, then a uniform strategy beats every hand that is no stronger. She imagines
//! that MIN holds that hand. When MIN plays a card, she removes from the imagined hand the lowest
//! card that is no lower, and plays a card that wins against the imagined hand. She may imagine a
//! hand that MIN cannot hold. So a set of hands is won by one strategy if MAX beats the hand whose
//! j-th card is the highest of all their j-th cards: the weakest that is as strong as each of them.
//!
//! Invariant: what MIN holds stays no stronger than the imagined hand, and MAX would win against
//! the imagined hand from the score and the lead as they are. The first: the card taken away has no
//! higher place among the imagined cards than the card played among the real ones, so the cards
//! between both places move up by one place in the imagined hand, and those of the real hand were
//! no higher than their old ones. The second: her card wins the trick in truth if it wins in her
//! imagination. If only in truth, she has a trick more and leads, which is worth as much at least
//! (the statement *trick* of `ranks.rs`). The strategy never depends on MIN's real hand.
//!
//! Cost: a step for each card of each hand, and one query to the table of ranks.

/// The weakest pattern that is as strong as both, which have equally many cards: 1 where MIN holds
/// the card.
pub(crate) fn as_strong_as_both(mut a: u64, mut b: u64) -> u64 {
    let mut both = 0;
    while a != 0 && b != 0 {
        both |= 1 << a.trailing_zeros().max(b.trailing_zeros());
        a &= a - 1;
        b &= b - 1;
    }
    both
}
