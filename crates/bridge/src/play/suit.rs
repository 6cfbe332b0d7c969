//! A suit with what is known of it: who holds what, the kinds of the defenders' cards, the layouts
//! and their weights.

use super::cards::{Card, Cards};

/// The most kinds of cards that the defenders can have: between them lie cards of North or South.
pub const MOST_KINDS: usize = 7;

/// How many cards of each kind: four bits for each, those of the highest kind the lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counts(u32);

impl Counts {
    /// How many cards of a kind.
    #[inline]
    pub fn of(self, kind: usize) -> u8 {
        (self.0 >> (4 * kind) & 15) as u8
    }

    /// With one card more of a kind.
    #[inline]
    #[must_use]
    pub fn with(self, kind: usize) -> Self {
        Self(self.0 + (1 << (4 * kind)))
    }

    /// With `count` cards of a kind.
    #[must_use]
    fn set(self, kind: usize, count: u8) -> Self {
        Self(self.0 & !(15 << (4 * kind)) | u32::from(count) << (4 * kind))
    }

    /// Those of both, added: no kind has more than 12 cards in all.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Those without the other's, which are no more.
    #[inline]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    /// All cards.
    pub fn total(self) -> u8 {
        (0..MOST_KINDS).map(|kind| self.of(kind)).sum()
    }

    /// Whether there is no card.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A way in which the defenders can hold their cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How many of each kind West has; East has the others.
    pub west: Counts,
    /// How many deals of the two hidden hands have it.
    pub weight: u64,
}

/// One of declarer's hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hand {
    /// Dummy, as it is drawn.
    North,
    /// The hand below.
    South,
}

impl Hand {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::North => "North",
            Self::South => "South",
        }
    }

    /// The other one.
    #[must_use]
    pub fn partner(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::South => Self::North,
        }
    }
}

/// What is known of the defenders, and what declarer may not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// Vacant places of West and East: cards of theirs that are not known.
    pub places: (u8, u8),
    /// Cards that West has.
    pub west: Cards,
    /// Cards that East has.
    pub east: Cards,
    /// The fewest and the most cards that West has.
    pub west_length: (u8, u8),
    /// Leads from North that do not follow a trick won by North; without a number, as many as she
    /// likes.
    pub entries: Option<u8>,
    /// Cards of North or South that are not to be played.
    pub keep: Cards,
    /// The first lead, if it is given.
    pub lead: Option<(Hand, Card)>,
}

impl Default for Knowledge {
    /// Nothing is known, and everything is allowed.
    fn default() -> Self {
        Self {
            places: (13, 13),
            west: Cards::NONE,
            east: Cards::NONE,
            west_length: (0, 13),
            entries: None,
            keep: Cards::NONE,
            lead: None,
        }
    }
}

/// A suit that makes no problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SuitError {
    /// A card said to be a defender's, which is not.
    #[error("the card {0} is not missing: declarer has it")]
    NotMissing(Card),
    /// A card said to be with both defenders.
    #[error("the card {0} cannot be with both West and East")]
    WithBoth(Card),
    /// A card that declarer cannot keep or lead.
    #[error("{0} has no card {1} to lead")]
    NoLead(&'static str, Card),
    /// A card to be kept that declarer has not.
    #[error("neither North nor South has the card {0}")]
    NotHeld(Card),
    /// All cards are kept.
    #[error("all cards of North and South are kept, so nothing can be played")]
    NothingPlayed,
    /// More places than a hand has.
    #[error("a hand has no more than 13 vacant places, not {0}")]
    Places(u8),
    /// No entry for the lead that is asked for.
    #[error("a lead from North takes an entry, and there is none")]
    NoEntry,
    /// Too few vacant places, or contradicting knowledge.
    #[error("no layout of the missing cards agrees with what is known")]
    NoLayout,
}

/// A suit of which declarer sees her two hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suit {
    /// All cards of North and South.
    given: (Cards, Cards),
    north: Cards,
    south: Cards,
    knowledge: Knowledge,
    /// The kinds of missing cards, the highest first.
    kinds: Vec<Cards>,
    layouts: Vec<Layout>,
}

impl Suit {
    /// The suit of two hands that have no card in common, some but not all of the thirteen.
    ///
    /// # Errors
    /// If the knowledge fits no layout, or does not fit the cards.
    pub fn new(north: Cards, south: Cards, knowledge: Knowledge) -> Result<Self, SuitError> {
        let held = north.or(south);
        let missing = Cards::ALL.without(held);
        let known = knowledge.west.or(knowledge.east);
        if let Some(card) = known.and(held).descending().next() {
            return Err(SuitError::NotMissing(card));
        }
        if let Some(card) = knowledge.west.and(knowledge.east).descending().next() {
            return Err(SuitError::WithBoth(card));
        }
        if let Some(card) = knowledge.keep.without(held).descending().next() {
            return Err(SuitError::NotHeld(card));
        }
        if held.without(knowledge.keep).is_empty() {
            return Err(SuitError::NothingPlayed);
        }
        let (a, b) = knowledge.places;
        if a.max(b) > 13 {
            return Err(SuitError::Places(a.max(b)));
        }
        let given = (north, south);
        let (north, south) = (north.without(knowledge.keep), south.without(knowledge.keep));
        if let Some((hand, card)) = knowledge.lead {
            let from = if hand == Hand::North { north } else { south };
            if !from.contains(card) {
                return Err(SuitError::NoLead(hand.name(), card));
            }
            if hand == Hand::North && knowledge.entries == Some(0) {
                return Err(SuitError::NoEntry);
            }
        }
        let kinds = kinds(north.or(south), missing);
        let layouts = layouts(&kinds, &knowledge);
        if layouts.is_empty() {
            return Err(SuitError::NoLayout);
        }
        Ok(Self {
            given,
            north,
            south,
            knowledge,
            kinds,
            layouts,
        })
    }

    /// The same cards when something else is known.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn with(&self, knowledge: Knowledge) -> Result<Self, SuitError> {
        Self::new(self.given.0, self.given.1, knowledge)
    }

    /// All cards of North and South, those that are kept among them.
    pub fn given(&self) -> (Cards, Cards) {
        self.given
    }

    /// How many layouts there are if each card counts: those of a kind that differ in equal cards
    /// only are several.
    pub fn layouts_of_cards(&self) -> u64 {
        let of = |layout: &Layout| -> u64 {
            let kinds = self.kinds.iter().enumerate();
            kinds
                .map(|(kind, cards)| {
                    let west = cards.and(self.knowledge.west).count();
                    let free = cards.count() - west - cards.and(self.knowledge.east).count();
                    choose(free, layout.west.of(kind) - west)
                })
                .product()
        };
        self.layouts.iter().map(of).sum()
    }

    /// North's cards that may be played.
    pub fn north(&self) -> Cards {
        self.north
    }

    /// South's cards that may be played.
    pub fn south(&self) -> Cards {
        self.south
    }

    /// The cards of a hand that may be played.
    pub fn hand(&self, hand: Hand) -> Cards {
        match hand {
            Hand::North => self.north,
            Hand::South => self.south,
        }
    }

    /// The cards of West and East.
    pub fn missing(&self) -> Cards {
        self.kinds
            .iter()
            .fold(Cards::NONE, |all, kind| all.or(*kind))
    }

    /// What is known besides the cards.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// The kinds of missing cards, the highest first: cards between which neither North nor South
    /// has one.
    pub fn kinds(&self) -> &[Cards] {
        &self.kinds
    }

    /// The layouts that weigh something: by West's cards of the highest kind, then of the next.
    pub fn layouts(&self) -> &[Layout] {
        &self.layouts
    }

    /// The weight of all layouts: the denominator of every chance.
    pub fn total_weight(&self) -> u64 {
        self.layouts.iter().map(|layout| layout.weight).sum()
    }

    /// The tricks that are played.
    pub fn tricks(&self) -> u8 {
        self.north.count().max(self.south.count())
    }

    /// All missing cards, counted.
    pub fn missing_counts(&self) -> Counts {
        let kinds = self.kinds.iter().enumerate();
        kinds.fold(Counts::default(), |all, (kind, cards)| {
            all.set(kind, cards.count())
        })
    }

    /// The cards of West and East in a layout: of each kind West has those that are known, and else
    /// the highest.
    pub fn cards_of(&self, layout: &Layout) -> (Cards, Cards) {
        let mut west = Cards::NONE;
        for (kind, cards) in self.kinds.iter().enumerate() {
            let known = cards.and(self.knowledge.west);
            let free = cards.without(known).without(self.knowledge.east);
            let count =
                usize::from(layout.west.of(kind)).saturating_sub(usize::from(known.count()));
            west = west.or(known).or(free.descending().take(count).collect());
        }
        (west, self.missing().without(west))
    }
}

/// Missing cards between which declarer has none, the highest first.
fn kinds(held: Cards, missing: Cards) -> Vec<Cards> {
    let mut kinds: Vec<Cards> = Vec::new();
    let mut parted = true;
    for card in Cards::ALL.descending() {
        if held.contains(card) {
            parted = true;
        } else if missing.contains(card) {
            match kinds.last_mut() {
                Some(kind) if !parted => *kind = kind.with(card),
                _ => kinds.push(Cards::NONE.with(card)),
            }
            parted = false;
        }
    }
    kinds
}

/// All layouts of a weight above 0.
fn layouts(kinds: &[Cards], knowledge: &Knowledge) -> Vec<Layout> {
    let (a, b) = knowledge.places;
    let n: u8 = kinds.iter().map(|kind| kind.count()).sum();
    let (least, most) = knowledge.west_length;
    let mut layouts = vec![Layout {
        west: Counts::default(),
        weight: 1,
    }];
    for (kind, cards) in kinds.iter().enumerate() {
        let west = cards.and(knowledge.west).count();
        let free = cards.count() - west - cards.and(knowledge.east).count();
        let with = |layout: Layout| {
            (0..=free).map(move |more| Layout {
                west: layout.west.set(kind, west + more),
                weight: layout.weight * choose(free, more),
            })
        };
        layouts = layouts.into_iter().flat_map(with).collect();
    }
    for layout in &mut layouts {
        let w = layout.west.total();
        let fits = (least..=most).contains(&w) && w <= a && n - w <= b;
        layout.weight *= if fits { choose(a + b - n, a - w) } else { 0 };
    }
    layouts.retain(|layout| layout.weight > 0);
    layouts
}

/// The number of ways to take `k` of `n` things.
fn choose(n: u8, k: u8) -> u64 {
    (0..u64::from(k)).fold(1, |ways, i| ways * (u64::from(n) - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::super::cards::two_hands;
    use super::*;

    fn suit(north: &str, south: &str, knowledge: Knowledge) -> Result<Suit, SuitError> {
        let (north, south) = two_hands(north, south).expect("two hands");
        Suit::new(north, south, knowledge)
    }

    #[test]
    fn layouts_are_counted() {
        let known = Knowledge::default();
        let suit = suit("AQT98", "5432", known).expect("a suit");
        let kinds: Vec<String> = suit.kinds().iter().map(ToString::to_string).collect();
        assert_eq!(kinds, ["K", "J", "76"]);
        assert_eq!(
            (suit.layouts().len(), suit.total_weight()),
            (12, 10_400_600)
        );
    }

    #[test]
    fn what_is_known_leaves_fewer_layouts() {
        let with = |change: fn(&mut Knowledge)| {
            let mut known = Knowledge::default();
            change(&mut known);
            suit("AQT98", "5432", known).map(|suit| suit.layouts().len())
        };
        assert_eq!(with(|k| k.places = (3, 1)), Ok(3));
        assert_eq!(with(|k| k.west_length = (0, 0)), Ok(1));
        assert_eq!(
            with(|k| k.west = Cards::NONE.with(Card::of_rank(11))),
            Ok(6)
        );
        assert_eq!(with(|k| k.places = (1, 1)), Err(SuitError::NoLayout));
        assert_eq!(
            with(|k| k.west = Cards::NONE.with(Card::of_rank(12))),
            Err(SuitError::NotMissing(Card::of_rank(12)))
        );
        assert_eq!(
            with(|k| k.lead = Some((Hand::South, Card::of_rank(12)))),
            Err(SuitError::NoLead("South", Card::of_rank(12)))
        );
    }
}
