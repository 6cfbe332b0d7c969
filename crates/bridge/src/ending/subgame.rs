//! What is left to play of an ending, whatever the cards are called.
//!
//! A *subgame* is declarer's cards, those that nobody has seen, the trick, the tricks that are
//! wanted, and the layouts of the rest with their weights. The cards in play are numbered anew in
//! each suit, without those that are gone, so subgames that differ in names alone are one.
//!
//! The defenders' cards come in [kinds](super::rules), which may be single cards. Cards of one kind
//! are one move, and of a kind West has the lowest cards: a layout says how many.
//!
//! Invariants: a kind begins at its lowest card in play; nothing else is said to begin one.

use std::collections::BTreeMap;

use meetjoin_lattice::WorldSet;

use super::game::{EndingGame, EndingLayout, EndingPosition};
use super::rules::{Hands, Rules, Trick, are_equal};

/// What is left to play. See the [module page](self).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Subgame {
    pub(super) north: u32,
    pub(super) south: u32,
    pub(super) unseen: u32,
    /// Where kinds of the defenders' cards begin.
    pub(super) kinds: u32,
    pub(super) trick: Trick,
    pub(super) wanted: u8,
    /// In ascending order of West's cards.
    pub(super) layouts: Vec<EndingLayout>,
}

impl Subgame {
    pub(super) fn hands(&self, layout: &EndingLayout) -> Hands {
        let east = self.unseen & !layout.west;
        [self.north, east, self.south, layout.west]
    }

    fn in_play(&self) -> u32 {
        self.north | self.south | self.unseen | self.trick.best
    }

    pub(super) fn weight(&self) -> u64 {
        self.layouts.iter().map(|layout| layout.weight).sum()
    }

    /// Whether declarer chooses what happens next.
    pub(super) fn is_declarers(&self, rules: &Rules) -> bool {
        if self.trick.is_over() {
            rules.ties_to_declarer
        } else {
            self.trick.turn.is_multiple_of(2)
        }
    }

    /// The cards of a kind that nobody has seen.
    fn kind_of(&self, card: u32, rules: &Rules) -> u32 {
        let from = 1
            << (self.kinds & (card | (card - 1)))
                .checked_ilog2()
                .unwrap_or(0);
        let next = self.kinds & !(card | (card - 1));
        let below_next = (next & next.wrapping_neg()).wrapping_sub(1);
        self.unseen & below_next & !(from - 1) & rules.suits[rules.suit_of(card)]
    }

    /// Numbers the cards in play anew, after those of `before` that are not in play any more are
    /// gone.
    fn rename(&mut self, before: u32, rules: &Rules) {
        let mut gone = before & !self.in_play();
        while gone != 0 {
            let card = 1_u32 << gone.ilog2();
            gone &= !card;
            let suit = rules.suits[rules.suit_of(card)];
            let above = suit & !(card | (card - 1));
            let close = |word: &mut u32| *word = (*word & !above) | (*word & above) >> 1;
            close(&mut self.north);
            close(&mut self.south);
            close(&mut self.unseen);
            close(&mut self.kinds);
            close(&mut self.trick.best);
            for layout in &mut self.layouts {
                close(&mut layout.west);
            }
        }
        self.kinds &= self.unseen | self.trick.best;
    }

    /// The cards that may be played in some layout: one of each that are the same move.
    fn moves(&self, rules: &Rules) -> Vec<u32> {
        let turn = self.trick.turn;
        let legal = |layout| rules.legal(&self.trick, self.hands(layout)[turn]);
        let mut cards = self
            .layouts
            .iter()
            .fold(0, |all, layout| all | legal(layout));
        if turn.is_multiple_of(2) {
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
            if turn % 2 == 1 {
                cards &= !self.kind_of(card, rules);
            }
        }
        moves
    }

    /// What follows each move; or, if all have played, what follows if one or the other defender
    /// has won.
    pub(super) fn children(&self, rules: &Rules) -> Vec<Child> {
        if self.trick.is_over() {
            let winners = self.trick.winners();
            return winners.map(|winner| self.won_by(winner, rules)).collect();
        }
        let moves = self.moves(rules).into_iter();
        moves.map(|card| self.after(card, rules)).collect()
    }

    fn won_by(&self, winner: usize, rules: &Rules) -> Child {
        let mut next = self.clone();
        let before = self.in_play();
        next.wanted = next
            .wanted
            .saturating_sub(u8::from(winner.is_multiple_of(2)));
        next.trick = Trick::led_by(winner);
        next.rename(before, rules);
        Child::new((0..self.layouts.len()).collect(), next)
    }

    fn after(&self, card: u32, rules: &Rules) -> Child {
        let turn = self.trick.turn;
        // Of a defender's kind the highest card goes, whoever plays it: West has the lowest.
        let kind = match turn % 2 {
            1 => self.kind_of(card, rules),
            _ => card,
        };
        let played = 1 << kind.ilog2();
        let layouts = self.layouts.iter().enumerate();
        let (places, layouts) = layouts
            .filter(|(_, layout)| rules.legal(&self.trick, self.hands(layout)[turn]) & kind != 0)
            .map(|(place, layout)| {
                let of_kind = layout.west & kind;
                // West has one less of it, or East has.
                let gone = match turn {
                    3 => 1 << of_kind.ilog2(),
                    _ => 0,
                };
                let west = layout.west & !gone;
                (place, EndingLayout { west, ..*layout })
            })
            .unzip();
        let mut next = Subgame {
            north: self.north & !played,
            south: self.south & !played,
            unseen: self.unseen & !played,
            kinds: self.kinds,
            trick: rules.with_card(self.trick, played, self.kinds),
            wanted: self.wanted,
            layouts,
        };
        if next.trick.is_over() && !next.trick.is_tied {
            let winner = next.trick.best_by;
            let won = u8::from(winner.is_multiple_of(2));
            next.wanted = next.wanted.saturating_sub(won);
            next.trick = Trick::led_by(winner);
        }
        next.rename(self.in_play(), rules);
        Child::new(places, next)
    }
}

/// What follows a move.
pub(super) struct Child {
    pub(super) subgame: Subgame,
    /// Where its layouts were before the move.
    pub(super) places: Vec<usize>,
    /// What the layouts weigh that are lost by the move.
    pub(super) lost: u64,
    /// What 1 of its weights is, in shares of what a layout weighed before the move.
    pub(super) unit: u64,
}

impl Child {
    /// All of a subgame.
    pub(super) fn whole(subgame: Subgame) -> Self {
        Self::new((0..subgame.layouts.len()).collect(), subgame)
    }

    fn new(places: Vec<usize>, subgame: Subgame) -> Self {
        Self {
            subgame,
            places,
            lost: 0,
            unit: 1,
        }
    }

    /// A set of layouts, with all that there are besides, as layouts before the move.
    pub(super) fn before<B: WorldSet>(&self, set: &B, besides: &B) -> B {
        let mut before = besides.clone();
        set.ones()
            .for_each(|place| before.insert(self.places[place]));
        before
    }

    /// Those of `worlds` layouts that are not the child's.
    pub(super) fn outside<B: WorldSet>(&self, worlds: usize) -> B {
        let mut outside = B::full(worlds);
        self.places.iter().for_each(|place| outside.remove(*place));
        outside
    }

    /// The shares of each of `worlds` layouts before the move that the move has.
    pub(super) fn shares(&self, worlds: usize) -> Vec<u64> {
        let mut shares = vec![0; worlds];
        for (layout, place) in self.subgame.layouts.iter().zip(&self.places) {
            shares[*place] = layout.weight * self.unit;
        }
        shares
    }

    pub(super) fn drop_all_but(&mut self, mut keeps: impl FnMut(&EndingLayout) -> bool) {
        let layouts = std::mem::take(&mut self.subgame.layouts);
        let places = std::mem::take(&mut self.places);
        for (layout, place) in layouts.into_iter().zip(places) {
            if keeps(&layout) {
                self.subgame.layouts.push(layout);
                self.places.push(place);
            } else {
                self.lost += layout.weight;
            }
        }
    }
}

/// What is left at a position, and for each layout of the ending that agrees with it its place
/// among those of the subgame.
pub(super) struct Whole {
    pub(super) subgame: Subgame,
    /// Places in the ending, and in the subgame.
    pub(super) places: Vec<(usize, usize)>,
}

impl Whole {
    /// With each of the defenders' cards as a kind of its own.
    pub(super) fn new(game: &EndingGame<'_>, position: &EndingPosition, rules: &Rules) -> Self {
        let (north, south) = position.own();
        let unseen = game.unseen(position);
        let layouts = game.ending().layouts().iter().enumerate();
        let layouts = layouts.filter(|(_, layout)| game.allows(position, layout));
        let (places, layouts): (Vec<usize>, Vec<EndingLayout>) = layouts
            .map(|(place, layout)| {
                let west = layout.west & unseen;
                (place, EndingLayout { west, ..*layout })
            })
            .unzip();
        let trick = trick_of(position);
        let mut subgame = Subgame {
            north,
            south,
            unseen,
            kinds: unseen | trick.best,
            trick,
            wanted: game.goal().saturating_sub(position.tricks()),
            layouts,
        };
        let all = rules.suits.iter().fold(0, |all, suit| all | suit);
        subgame.rename(all, rules);
        let places = places
            .into_iter()
            .enumerate()
            .map(|(own, place)| (place, own));
        Self {
            subgame,
            places: places.collect(),
        }
    }

    /// Where kinds begin if neighbours that can be exchanged in all layouts, weights and all, are
    /// of one kind.
    pub(super) fn widest_kinds(&self, rules: &Rules) -> u32 {
        let game = &self.subgame;
        let weights = game
            .layouts
            .iter()
            .map(|layout| (layout.west, layout.weight));
        let weights: BTreeMap<u32, u64> = weights.collect();
        let mut kinds = game.kinds;
        let mut upper = game.unseen & game.unseen << 1;
        while upper != 0 {
            let card = upper & upper.wrapping_neg();
            upper &= !card;
            let both = card | card >> 1;
            let are_alike = game.layouts.iter().all(|layout| {
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

    /// The same with kinds that begin at these cards, which must be some of those where they begin
    /// now.
    pub(super) fn in_kinds(&self, kinds: u32) -> Self {
        let mut subgame = self.subgame.clone();
        let unseen = subgame.unseen;
        let mut found: Vec<(u32, usize)> = Vec::new();
        for (place, layout) in self.subgame.layouts.iter().enumerate() {
            found.push((lowest(layout.west, unseen, kinds), place));
        }
        found.sort_unstable();
        let mut layouts: Vec<EndingLayout> = Vec::new();
        let mut class = vec![0; found.len()];
        for (west, place) in found {
            let weight = self.subgame.layouts[place].weight;
            match layouts.last_mut() {
                Some(last) if last.west == west => last.weight += weight,
                _ => layouts.push(EndingLayout { west, weight }),
            }
            class[place] = layouts.len() - 1;
        }
        (subgame.layouts, subgame.kinds) = (layouts, kinds);
        let places = self.places.iter();
        let places = places.map(|(place, own)| (*place, class[*own])).collect();
        Self { subgame, places }
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
