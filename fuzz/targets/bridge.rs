//! Any text as a deal in Portable Bridge Notation, and as the cards of a suit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use meetjoin_bridge::{Deal, DealHand, Ending, two_hands};

fuzz_target!(|text: &str| {
    let _ = DealHand::of_text(text);
    if let Some((north, south)) = text.split_once(' ') {
        let _ = two_hands(north, south);
    }
    if let Ok(deal) = Deal::of_pbn(text) {
        let (declarer, trumps) = (deal.declarer, deal.trumps.flatten());
        if let Some(declarer) = declarer {
            let leader = deal.leader.unwrap_or(declarer);
            let _ = Ending::new(&deal, declarer, leader, trumps, |_| 1);
        }
    }
});
