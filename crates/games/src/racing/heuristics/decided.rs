//! Positions that are decided whatever both players do, where a plan for some hands of MIN may end
//! early.
//!
//! Problem: a plan with a card for every position goes on long after the game is decided, and
//! answers cards that no hand in question holds.
//!
//! Idea: a trick is a card of MAX and a card of MIN, and any pairing of the cards in play may
//! occur. So MIN takes at most as many tricks as there can be pairs in which MIN's card is the
//! higher one: each of MIN's cards, from the lowest up, takes a card of MAX below it that is not
//! taken yet. MIN is imagined to hold, card for card from the lowest up, the highest that any hand
//! in question has (`imagined_hand.rs`). So MAX has won if MIN can neither keep her from the tricks
//! that she needs, nor reach the goal first.
//!
//! Invariant: where a position is decided, every leaf after it has all asked worlds in its value,
//! those that do not hold the cards MIN has played included.
//!
//! Cost: once for each set of cards of MIN, a step for each asked world and card; at each position
//! a step for each card in play.

use std::collections::HashMap;

use meetjoin_dag::HiddenSets;
use meetjoin_lattice::WorldSet;

use super::both_hands::BothHands;
use super::{Sets, hand};
use crate::racing::{RacingHands, RacingPosition, bit, cards};

/// Decides whether some worlds are won at a position, however play goes on. See the [module
/// page](self).
#[derive(Clone, Debug)]
pub struct Decided<'a, B: WorldSet> {
    sets: &'a Sets<'a, B>,
    asked: B,
    /// For a set of cards that MIN has played, the cards of a hand as strong as each asked one that
    /// holds them; `None` if no asked hand does.
    strongest: HashMap<u64, Option<u64>>,
}

impl<'a, B: WorldSet> Decided<'a, B> {
    /// Decides for these worlds.
    pub fn new(sets: &'a HiddenSets<'a, RacingHands, B>, asked: B) -> Self {
        Self {
            sets,
            asked,
            strongest: HashMap::new(),
        }
    }

    /// Returns whether MIN can hold one of the asked hands here.
    pub fn is_possible(&mut self, position: &RacingPosition) -> bool {
        self.strongest(position).is_some()
    }

    /// Returns whether the asked worlds are won from here on whatever both play.
    pub fn is_won(&mut self, position: &RacingPosition) -> bool {
        let Some(rest) = self.strongest(position) else {
            return true;
        };
        let game = self.sets.game().deal();
        if game.max_has_won(position) {
            return true;
        }
        let on_table = match position.table {
            0 => 0,
            card => game.foreign & bit(card),
        };
        let hands = BothHands::new(game, position);
        let lost = position.min_tricks + hands.most_of_min(hands.pattern(rest | on_table));
        lost < game.goal && game.hand.len() as u8 - lost >= game.goal
    }

    /// The remaining cards of a hand as strong as each asked one that is possible here.
    fn strongest(&mut self, position: &RacingPosition) -> Option<u64> {
        let played = position.min_played;
        let Self {
            sets,
            asked,
            strongest,
        } = self;
        *strongest.entry(played).or_insert_with(|| {
            let mut possible = sets.possible(position);
            possible.intersect_with(asked);
            let hands = possible.ones().map(|world| hand(sets, world) & !played);
            hands.reduce(|a, b| {
                let highest = cards(a).zip(cards(b)).map(|(a, b)| bit(a.max(b)));
                highest.fold(0, |all, card| all | card)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use meetjoin_dag::{AndOrDag, Kind, Stakes, Valuation};
    use meetjoin_lattice::Words;

    use super::*;
    use crate::racing::Racing;

    #[test]
    fn what_is_decided_is_won_however_play_goes_on() {
        let (mut decided, mut open) = (0, 0);
        for (deck, goal, held) in [(8, 2, 4), (8, 1, 3), (9, 3, 4), (7, 2, 2)] {
            for seed in 0..3 {
                let game = Racing::random(deck, goal, held, seed).expect("a deal");
                let hands = RacingHands::new(&game);
                let stakes = Stakes::all(&hands);
                let sets = HiddenSets::<_, Words<1>>::new(&hands, &stakes).expect("few worlds");
                for world in 0..game.world_count() as usize {
                    let mut asked = Words::full(0);
                    asked.insert(world);
                    let mut known = Decided::new(&sets, asked);
                    // Positions with whether every leaf below is worth the world, from the last up.
                    let (mut all, mut seen) = (vec![game.root()], HashSet::new());
                    let mut next = 0;
                    while let Some(position) = all.get(next).copied() {
                        if game.kind(&position) != Kind::Leaf && seen.insert(position) {
                            game.children(&position, &mut all);
                        }
                        next += 1;
                    }
                    let mut worth = HashMap::new();
                    for position in all.iter().rev() {
                        let mut children = Vec::new();
                        if game.kind(position) == Kind::Leaf {
                            worth.insert(*position, sets.leaf(position).contains(world));
                            continue;
                        }
                        game.children(position, &mut children);
                        // The first occurrence of a position precedes its children, and is
                        // evaluated after them.
                        let all_worth =
                            children.iter().all(|child| worth.get(child) == Some(&true));
                        worth.insert(*position, all_worth);
                    }
                    for (position, worth) in worth {
                        let is_won = known.is_won(&position);
                        assert!(worth || !is_won, "{position:?} {world}");
                        decided += usize::from(is_won);
                        open += usize::from(worth != is_won);
                    }
                }
            }
        }
        assert!(decided > 1000 && open * 10 < decided, "{decided} {open}");
    }
}
