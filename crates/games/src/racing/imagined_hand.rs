//! One uniform strategy that beats many hands: play as if MIN held the strongest of them.
//!
//! Problem: perfect information says against which hands MAX can win, each with a strategy of its own. It says nothing of what one strategy wins
//! that does not know the hand.
//!
//! Idea: a hand is *no stronger* than another if, card for card from the lowest up, its cards are no higher, where cards between the same cards of MAX
//! count as equal. Then a uniform strategy beats every hand that is no stronger than some hand which MAX beats with perfect information. She imagines
//! that MIN holds this one. When he plays a card, she takes away from the imagined hand the lowest card that is no lower, and plays what
//! wins against the imagined hand.
//!
//! Invariant: what MIN holds stays no stronger than the imagined hand, and MAX would win against the imagined hand from the score and the lead as
//! they are. The first: the card taken away has no higher place among the imagined cards than the card played among the real ones, so the cards
//! between both places move up by one place in the imagined hand, and those of the real hand were no higher than their old ones. The
//! second: her card wins the trick in truth if it wins in her imagination. If only in truth, she has a trick more and leads, which is
//! worth as much at least (the statement *trick* of `ranks.rs`). Nothing in this asks what MIN holds.
//!
//! So if one of the hands that she beats is the strongest of them, one strategy beats all, and the value in families is known.
//!
//! Cost: a comparison takes a step for each card; finding the strongest of n hands, n comparisons with each of those found.

/// Whether the first hand is no stronger than the second, both as patterns of equally many cards: 1 where MIN holds the card.
pub(super) fn no_stronger(mut a: u64, mut b: u64) -> bool {
    while a != 0 {
        if a.trailing_zeros() > b.trailing_zeros() {
            return false;
        }
        a &= a - 1;
        b &= b.wrapping_sub(1);
    }
    true
}

/// Those patterns than which no other is stronger, each once. `patterns` has no pattern before one that is stronger.
pub(super) fn strongest(patterns: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut strongest: Vec<u64> = Vec::new();
    for pattern in patterns {
        if !strongest.iter().any(|&other| no_stronger(pattern, other)) {
            strongest.push(pattern);
        }
    }
    strongest
}
