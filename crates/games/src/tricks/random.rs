//! Random endings, seeded: the same on every platform.
//!
//! Order of draws: the pack is shuffled, from the last place down, and dealt player by player; the
//! cards put aside come after them.

use rand::RngExt as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::deal::{TrickDeal, TrickHand};
use super::order::{Card, Pack};

/// A random ending with `tricks` cards in each hand, in which MAX leads. `seen` lists the hands she
/// sees besides her own, and `aside` is the number of unseen cards out of play. A pack with fewer
/// cards is dealt until it is empty.
pub fn random_deal(
    pack: &Pack,
    tricks: usize,
    seen: &[usize],
    aside: usize,
    seed: u64,
) -> TrickDeal {
    let mut cards: Vec<Card> = (0..pack.cards()).collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..cards.len()).rev() {
        cards.swap(last, random.random_range(0..=last as u64) as usize);
    }
    let players = pack.rules().players.len();
    let mut dealt = cards.into_iter();
    let (mut hands, mut unseen) = (Vec::new(), Vec::new());
    for player in 0..players {
        let mut hand: Vec<Card> = dealt.by_ref().take(tricks).collect();
        hand.sort_unstable();
        if player == 0 || seen.contains(&player) {
            hands.push(TrickHand::Seen(hand));
        } else {
            unseen.extend(hand);
            let (has, lacks) = (Vec::new(), Vec::new());
            hands.push(TrickHand::Hidden { has, lacks });
        }
    }
    unseen.extend(dealt.take(aside));
    unseen.sort_unstable();
    TrickDeal::new(hands, unseen)
}
