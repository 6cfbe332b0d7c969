//! Double-dummy tricks: those that declarer takes if all cards are seen.
//!
//! Problem: bounds of a position need its double-dummy tricks (those with all cards seen) in each
//! layout, which is the same small game again and again.
//!
//! Idea: with all cards seen only the order of the cards in play matters, and which side wins a
//! trick. So a state between tricks is the list of owners from the highest card down, in which
//! cards of one side in a row may change places. One table of the tricks that declarer takes serves
//! all layouts, all positions and all suits.
//!
//! The table ignores limits of entries, and a first lead that is given.
//!
//! Cost: an entry of the table for each state that was asked for.

use std::collections::HashMap;

use meetjoin_dag::{AndOrDag, Stakes};

use super::cards::Card;
use super::game::{Defender, SuitGame, SuitPosition};
use super::suit::{Counts, Hand};

/// The hands of North, East, South and West, a bit for each card.
type Deal = [u16; 4];
const NORTH: usize = 0;
const EAST: usize = 1;
const SOUTH: usize = 2;
const WEST: usize = 3;

/// A table of the tricks that declarer takes if all cards are seen.
#[derive(Clone, Debug)]
pub struct DoubleDummy {
    tricks: HashMap<u32, u8, ahash::RandomState>,
}

impl Default for DoubleDummy {
    fn default() -> Self {
        Self::new()
    }
}

impl DoubleDummy {
    /// Nothing known yet.
    pub fn new() -> Self {
        // The table is never listed, so its seeds show nowhere.
        Self {
            tricks: HashMap::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)),
        }
    }

    /// The tricks that declarer has at the end from a position between tricks, if West has these of
    /// all missing cards and entries are unlimited.
    pub fn tricks(&mut self, game: &SuitGame<'_>, position: &SuitPosition, west: Counts) -> u8 {
        position.tricks() + self.of_deal(deal(game, position, west))
    }

    /// The tricks that declarer takes after a first lead from one of her hands, a card as the game
    /// names it, if West has these of all missing cards.
    pub fn tricks_after(
        &mut self,
        game: &SuitGame<'_>,
        (hand, card): (Hand, Card),
        west: Counts,
    ) -> u8 {
        let leader = match hand {
            Hand::North => NORTH,
            Hand::South => SOUTH,
        };
        let card = 1 << card.rank();
        let rest = without(deal(game, &game.root(), west), leader, card);
        self.play(rest, (leader + 1) % 4, 1, (card, true), 0)
    }

    /// The stakes of a game that are won double dummy. No strategy wins any other.
    pub fn stakes(&mut self, game: &SuitGame<'_>) -> Stakes {
        let (root, ceiling) = (game.root(), game.ceiling());
        let layouts = game.suit().layouts().iter();
        let most: Vec<u8> = layouts
            .map(|layout| self.tricks(game, &root, layout.west).min(ceiling))
            .collect();
        let floor = u32::from(game.floor());
        Stakes::only(game, |stake| {
            (floor..most[stake.world].into()).contains(&stake.more_than)
        })
    }

    fn of_deal(&mut self, deal: Deal) -> u8 {
        let left = (deal[NORTH].count_ones().max(deal[SOUTH].count_ones())) as u8;
        if left == 0 || deal[EAST] | deal[WEST] == 0 {
            return left;
        }
        let (key, deal) = packed(deal);
        if let Some(known) = self.tricks.get(&key) {
            return *known;
        }
        let mut best = 0;
        for leader in [NORTH, SOUTH] {
            for card in choices(deal, leader, 0) {
                let taken = self.play(
                    without(deal, leader, card),
                    (leader + 1) % 4,
                    1,
                    (card, true),
                    best,
                );
                best = best.max(taken);
                if best == left {
                    break;
                }
            }
        }
        self.tricks.insert(key, best);
        best
    }

    /// The tricks from the middle of a trick: who plays next, how many have played, the best card
    /// and whether it is declarer's. A result of at most `enough` is only known to be that.
    fn play(
        &mut self,
        deal: Deal,
        player: usize,
        played: u8,
        (best, ours): (u16, bool),
        enough: u8,
    ) -> u8 {
        if played == 4 {
            return u8::from(ours) + self.of_deal(deal);
        }
        let next = (player + 1) % 4;
        let is_declarer = player == NORTH || player == SOUTH;
        if deal[player] == 0 {
            return self.play(deal, next, played + 1, (best, ours), enough);
        }
        let mut result: Option<u8> = None;
        for card in choices(deal, player, if ours == is_declarer { 0 } else { best }) {
            let top = if card > best {
                (card, is_declarer)
            } else {
                (best, ours)
            };
            let taken = self.play(without(deal, player, card), next, played + 1, top, enough);
            result = Some(match result {
                None => taken,
                Some(other) if is_declarer => other.max(taken),
                Some(other) => other.min(taken),
            });
            if !is_declarer && taken <= enough {
                break;
            }
        }
        result.unwrap_or(0)
    }
}

fn without(mut deal: Deal, player: usize, card: u16) -> Deal {
    deal[player] &= !card;
    deal
}

/// One card of each run of a player's cards that no card of the other side parts, as bits. `table`
/// is the best card of the trick, if it is the other side's.
fn choices(deal: Deal, player: usize, table: u16) -> impl Iterator<Item = u16> {
    let others = deal[(player + 1) % 4] | deal[(player + 3) % 4] | table;
    let mut rest = deal[player];
    std::iter::from_fn(move || {
        let card = rest & rest.wrapping_neg();
        if card == 0 {
            return None;
        }
        // All cards above it up to the next one of the other side are equal to it.
        let above = others & !(card | (card - 1));
        let equal = if above == 0 {
            u16::MAX
        } else {
            (above & above.wrapping_neg()) - 1
        };
        rest &= !equal;
        Some(card)
    })
}

/// The list of owners as a number, and the deal with its cards moved down: within a run of one
/// side's cards declarer's are South's first, the defenders' East's first.
fn packed(deal: Deal) -> (u32, Deal) {
    let (mut key, mut small, mut place) = (1_u32, [0_u16; 4], 0);
    let mut emit = |owner: usize, count: u8| {
        for _ in 0..count {
            key = key << 2 | owner as u32;
            small[owner] |= 1 << place;
            place += 1;
        }
    };
    let (mut run, mut ours) = ([0_u8; 2], None);
    for rank in 0..16 {
        let Some(owner) = (0..4).find(|owner| deal[*owner] >> rank & 1 == 1) else {
            continue;
        };
        let is_ours = owner == NORTH || owner == SOUTH;
        if let Some(before) = ours
            && before != is_ours
        {
            let (first, second) = if before { (SOUTH, NORTH) } else { (EAST, WEST) };
            emit(first, run[0]);
            emit(second, run[1]);
            run = [0; 2];
        }
        ours = Some(is_ours);
        run[usize::from(owner == NORTH || owner == WEST)] += 1;
    }
    let (first, second) = if ours == Some(true) {
        (SOUTH, NORTH)
    } else {
        (EAST, WEST)
    };
    emit(first, run[0]);
    emit(second, run[1]);
    (key, small)
}

/// The cards of all four, if West has these of all missing cards.
fn deal(game: &SuitGame<'_>, position: &SuitPosition, west: Counts) -> Deal {
    let unseen = game.unseen(position);
    let of_west = west.minus(position.played(Defender::West));
    let mut deal = [
        position.cards(Hand::North),
        0,
        position.cards(Hand::South),
        0,
    ];
    for (kind, cards) in game.suit().kinds().iter().enumerate() {
        let (west, unseen) = (of_west.of(kind), unseen.of(kind));
        for (place, card) in cards.ascending().take(usize::from(unseen)).enumerate() {
            let owner = if place < usize::from(west) {
                WEST
            } else {
                EAST
            };
            deal[owner] |= 1 << card.rank();
        }
    }
    deal
}
