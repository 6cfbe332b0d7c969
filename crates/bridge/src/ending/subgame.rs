//! What is left to play of an ending, whatever the cards are called.
//!
//! A *shape* is declarer's cards, the unseen cards, the trick, and the tricks that are wanted. The
//! cards in play are renumbered in each suit, without gaps for those that are gone, so shapes that
//! differ only in names of cards are one. With it a *layout* is the word of West's cards.
//!
//! The defenders' cards come in [kinds](super::rules), which may be single cards. Cards of one kind
//! are one move, and of a kind West has the lowest cards: a layout says how many.
//!
//! Of some kinds it may be agreed who wins the first *tie*: a trick that a card of the kind wins,
//! to which both defenders play one, where neither has played one before.
//!
//! Invariants: a kind begins at its lowest card in play; nothing else is said to begin one. A step
//! takes different layouts to different ones.

use std::collections::BTreeMap;

use super::game::{EndingGame, EndingLayout, EndingPosition};
use super::rules::{Hands, Rules, Trick, are_equal};

/// What is left to play. See the [module page](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub(super) north: u32,
    pub(super) south: u32,
    pub(super) unseen: u32,
    /// Where kinds of the defenders' cards begin.
    pub(super) kinds: u32,
    /// Where kinds begin that are not played yet, and whose first tie is East's, or West's.
    pub(super) first_ties: [u32; 2],
    pub(super) trick: Trick,
    pub(super) wanted: u8,
}

/// What happens next: a card is played, or it is said who has won a trick with equal cards.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The cards that are this move: one of declarer's, or a kind. None, if a trick is over.
    pub(super) cards: u32,
    /// For each card that is gone, highest first, the cards above it in its suit, if there are any:
    /// they move down by one.
    pub(super) gone: [u32; 2],
    /// Who plays.
    turn: u8,
}

impl Step {
    fn new(cards: u32, moved: Vec<u32>, turn: u8) -> Self {
        let mut moved = moved.into_iter();
        let mut next = || moved.next().unwrap_or(0);
        let gone = [next(), next()];
        // The card that is played, the former best card, and no others.
        debug_assert_eq!(moved.next(), None);
        Self { cards, gone, turn }
    }
}

impl Shape {
    pub(super) fn hands(&self, west: u32) -> Hands {
        [self.north, self.unseen & !west, self.south, west]
    }

    fn in_play(&self) -> u32 {
        self.north | self.south | self.unseen | self.trick.best
    }

    /// Whether it is agreed who wins the first tie of a kind, or of the trick.
    pub(super) fn has_first_ties(&self) -> bool {
        self.first_ties != [0; 2] || self.trick.tie_to.is_some()
    }

    /// Whether declarer chooses what happens next.
    pub(super) fn is_declarers(&self, rules: &Rules) -> bool {
        if self.trick.is_over() {
            rules.ties_to_declarer
        } else {
            self.trick.turn.is_multiple_of(2)
        }
    }

    /// Where the kind of a card begins.
    fn begin_of(&self, card: u32) -> u32 {
        let up_to = self.kinds & (card | (card - 1));
        1 << up_to.checked_ilog2().unwrap_or(0)
    }

    /// The unseen cards of a kind.
    pub(super) fn kind_of(&self, card: u32, rules: &Rules) -> u32 {
        let from = self.begin_of(card);
        let next = self.kinds & !(card | (card - 1));
        let below_next = (next & next.wrapping_neg()).wrapping_sub(1);
        self.unseen & below_next & !(from - 1) & rules.suits[rules.suit_of(card)]
    }

    /// Renumbers the cards in play without those of `before` that are gone. Returns for each of
    /// these which cards move down.
    fn rename(&mut self, before: u32, rules: &Rules) -> Vec<u32> {
        let mut gone = before & !self.in_play();
        let mut moved = Vec::new();
        while gone != 0 {
            let card = 1_u32 << gone.ilog2();
            gone &= !card;
            let above = rules.suits[rules.suit_of(card)] & !(card | (card - 1));
            for word in [
                &mut self.north,
                &mut self.south,
                &mut self.unseen,
                &mut self.kinds,
                &mut self.trick.best,
            ]
            .into_iter()
            .chain(&mut self.first_ties)
            {
                *word = closed(*word, above);
            }
            if above != 0 {
                moved.push(above);
            }
        }
        self.kinds &= self.unseen | self.trick.best;
        moved
    }

    /// The cards that are the same step: a kind, or those of declarer's that are equal.
    pub(super) fn equal(&self, step: &Step, rules: &Rules) -> u32 {
        let hand = match step.turn {
            0 => self.north,
            2 => self.south,
            _ => return step.cards,
        };
        let suit = hand & rules.suits[rules.suit_of(step.cards)];
        let mut cards = step.cards;
        while cards << 1 & suit & !cards != 0 {
            cards |= cards << 1 & suit;
        }
        cards
    }

    /// The cards that may be played in some layout: one of each that are the same move.
    fn moves(&self, rules: &Rules) -> Vec<u32> {
        let turn = self.trick.turn;
        let is_declarer = turn.is_multiple_of(2);
        let mut cards = match turn {
            0 => rules.legal(&self.trick, self.north),
            2 => rules.legal(&self.trick, self.south),
            _ => self.unseen,
        };
        if is_declarer {
            for suit in rules.suits {
                // Cards in play lie next to each other.
                let held = cards & suit;
                cards &= !(held & held << 1);
            }
        }
        let mut moves = Vec::new();
        while cards != 0 {
            let card = cards & cards.wrapping_neg();
            moves.push(card);
            cards &= !card;
            if !is_declarer {
                cards &= !self.kind_of(card, rules);
            }
        }
        moves
    }

    /// What can happen next, in some layout, and what is left then.
    pub(super) fn steps(&self, rules: &Rules) -> Vec<(Step, Self)> {
        if self.trick.is_over() {
            let winners = self.trick.winners();
            return winners.map(|winner| self.won_by(winner, rules)).collect();
        }
        let moves = self.moves(rules).into_iter();
        moves.map(|card| self.with(card, rules)).collect()
    }

    fn won_by(&self, winner: usize, rules: &Rules) -> (Step, Self) {
        let mut after = *self;
        let won = u8::from(winner.is_multiple_of(2));
        after.wanted = after.wanted.saturating_sub(won);
        after.trick = Trick::led_by(winner);
        let moved = after.rename(self.in_play(), rules);
        (Step::new(0, moved, self.trick.turn), after)
    }

    fn with(&self, card: u32, rules: &Rules) -> (Step, Self) {
        let turn = self.trick.turn;
        // The highest card of a kind goes, whichever defender plays it: West keeps the lowest.
        let cards = match turn % 2 {
            1 => self.kind_of(card, rules),
            _ => card,
        };
        let played = 1 << cards.ilog2();
        let mut trick = rules.with_card(self.trick, played, self.kinds);
        let mut first_ties = self.first_ties;
        if turn % 2 == 1 {
            let begin = self.begin_of(card);
            for (seat, kinds) in [1, 3].into_iter().zip(&mut first_ties) {
                if *kinds & begin != 0 && trick.best == played {
                    trick.tie_to = Some(seat);
                }
                *kinds &= !begin;
            }
        }
        let mut after = Self {
            north: self.north & !played,
            south: self.south & !played,
            unseen: self.unseen & !played,
            kinds: self.kinds,
            first_ties,
            trick,
            wanted: self.wanted,
        };
        if after.trick.is_over() && !after.trick.is_tied {
            let winner = usize::from(after.trick.best_by);
            let won = u8::from(winner.is_multiple_of(2));
            after.wanted = after.wanted.saturating_sub(won);
            after.trick = Trick::led_by(winner);
        }
        let moved = after.rename(self.in_play(), rules);
        (Step::new(cards, moved, turn), after)
    }

    /// The layout that a layout of this shape is after a step, or none if that is not allowed.
    pub(super) fn follow(&self, step: &Step, west: u32, rules: &Rules) -> Option<u32> {
        let mut west = west;
        if step.cards != 0 && step.turn % 2 == 1 {
            let hand = self.hands(west)[usize::from(step.turn)];
            let legal = rules.legal(&self.trick, hand);
            if legal & step.cards == 0 {
                return None;
            }
            // West has one less of the kind, or East has.
            if step.turn == 3 {
                west &= !(1 << (west & step.cards).ilog2());
            }
        }
        let gone = step.gone.iter();
        Some(gone.fold(west, |west, above| closed(west, *above)))
    }
}

/// Moves these cards down by one.
fn closed(word: u32, above: u32) -> u32 {
    (word & !above) | (word & above) >> 1
}

/// What is left at a position, the layouts there, and for each layout of the ending that agrees
/// with the position its place among these.
pub(super) struct Whole {
    pub(super) shape: Shape,
    /// In ascending order of West's cards.
    pub(super) layouts: Vec<EndingLayout>,
    /// Places in the ending, and in the layouts.
    pub(super) places: Vec<(usize, usize)>,
}

impl Whole {
    /// With each of the defenders' cards as a kind of its own.
    pub(super) fn new(game: &EndingGame<'_>, position: &EndingPosition, rules: &Rules) -> Self {
        let (north, south) = position.own();
        let unseen = game.unseen(position);
        let layouts = game.ending().layouts().iter().enumerate();
        let layouts = layouts.filter(|(_, layout)| game.allows(position, layout));
        let (places, mut layouts): (Vec<usize>, Vec<EndingLayout>) = layouts
            .map(|(place, layout)| {
                let west = layout.west & unseen;
                (place, EndingLayout { west, ..*layout })
            })
            .unzip();
        let trick = trick_of(position);
        let mut shape = Shape {
            north,
            south,
            unseen,
            kinds: unseen | trick.best,
            first_ties: [0; 2],
            trick,
            wanted: game.goal().saturating_sub(position.tricks()),
        };
        let all = rules.suits.iter().fold(0, |all, suit| all | suit);
        for above in shape.rename(all, rules) {
            for layout in &mut layouts {
                layout.west = closed(layout.west, above);
            }
        }
        let places = places
            .into_iter()
            .enumerate()
            .map(|(own, place)| (place, own));
        Self {
            shape,
            layouts,
            places: places.collect(),
        }
    }

    /// Where kinds begin if neighbours that can be exchanged in all layouts, weights and all, are
    /// of one kind.
    pub(super) fn widest_kinds(&self, rules: &Rules) -> u32 {
        let shape = &self.shape;
        let layouts = self.layouts.iter();
        let weights = layouts.map(|layout| (layout.west, layout.weight));
        let weights: BTreeMap<u32, u64> = weights.collect();
        let mut kinds = shape.kinds;
        let mut upper = shape.unseen & shape.unseen << 1;
        while upper != 0 {
            let card = upper & upper.wrapping_neg();
            upper &= !card;
            let both = card | card >> 1;
            let are_alike = self.layouts.iter().all(|layout| {
                let has = layout.west & both;
                let exchanged = layout.west ^ both;
                has == 0 || has == both || weights.get(&exchanged) == Some(&layout.weight)
            });
            if are_alike && rules.suit_of(card) == rules.suit_of(card >> 1) {
                kinds &= !card;
            }
        }
        kinds
    }

    /// The same position with kinds that begin at these cards, a subset of those where they begin
    /// now.
    pub(super) fn in_kinds(&self, kinds: u32) -> Self {
        let unseen = self.shape.unseen;
        let mut found: Vec<(u32, usize)> = Vec::new();
        for (place, layout) in self.layouts.iter().enumerate() {
            found.push((lowest(layout.west, unseen, kinds), place));
        }
        found.sort_unstable();
        let mut layouts: Vec<EndingLayout> = Vec::new();
        let mut class = vec![0; found.len()];
        for (west, place) in found {
            let weight = self.layouts[place].weight;
            match layouts.last_mut() {
                Some(last) if last.west == west => last.weight += weight,
                _ => layouts.push(EndingLayout { west, weight }),
            }
            class[place] = layouts.len() - 1;
        }
        let shape = Shape {
            kinds,
            ..self.shape
        };
        let places = self.places.iter();
        let places = places.map(|(place, own)| (*place, class[*own])).collect();
        Self {
            shape,
            layouts,
            places,
        }
    }
}

/// The lowest cards of the same kinds.
fn lowest(west: u32, unseen: u32, kinds: u32) -> u32 {
    let (mut rest, mut lowest) = (west, 0);
    let mut free = unseen;
    while rest != 0 {
        let card = rest & rest.wrapping_neg();
        rest &= !card;
        while free != 0 {
            let place = free & free.wrapping_neg();
            free &= !place;
            if are_equal(place, card, kinds) {
                lowest |= place;
                break;
            }
        }
    }
    lowest
}

/// What is left at a position where kinds began at these cards at the root, and the classes of
/// layouts in which West had these cards at the root.
pub(super) fn placed(
    game: &EndingGame<'_>,
    position: &EndingPosition,
    kinds: u32,
    wests: impl Iterator<Item = u32>,
    rules: &Rules,
) -> (Shape, Vec<u32>) {
    let (north, south) = position.own();
    let unseen = game.unseen(position);
    let trick = trick_of(position);
    let is_defenders = trick.best != 0 && trick.best_by % 2 == 1;
    let mut held = unseen | if is_defenders { trick.best } else { 0 };
    let mut shape = Shape {
        north,
        south,
        unseen,
        kinds: 0,
        first_ties: [0; 2],
        trick,
        wanted: game.goal().saturating_sub(position.tricks()),
    };
    let mut below = 0;
    while held != 0 {
        let card = held & held.wrapping_neg();
        held &= !card;
        let is_same = below != 0
            && rules.suit_of(below) == rules.suit_of(card)
            && are_equal(below, card, kinds);
        if !is_same {
            shape.kinds |= card;
        }
        below = card;
        // The card that wins the trick is as good as the highest of its kind.
        let is_above = is_defenders && card > trick.best;
        if is_above && is_same && are_equal(trick.best, card, kinds) {
            shape.trick.best = card;
        }
    }
    let (from, to) = (trick.best, shape.trick.best);
    if from != to {
        shape.unseen ^= from ^ to;
    }
    let all = rules.suits.iter().fold(0, |all, suit| all | suit);
    let (own_kinds, own_unseen) = (shape.kinds, shape.unseen);
    let gone = shape.rename(all, rules);
    let classes = wests.map(|west| {
        let mut west = west & unseen;
        if from != to && west & to != 0 {
            west ^= from ^ to;
        }
        let lowest = lowest(west, own_unseen, own_kinds);
        gone.iter().fold(lowest, |west, above| closed(west, *above))
    });
    let classes = classes.collect();
    (shape, classes)
}

fn trick_of(position: &EndingPosition) -> Trick {
    let begun = Trick::led_by(position.turn());
    match position.table() {
        None => begun,
        Some((led, best, best_by)) => Trick {
            played: position.played(),
            led,
            best,
            best_by,
            ..begun
        },
    }
}
