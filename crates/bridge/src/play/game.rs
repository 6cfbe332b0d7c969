//! The play of a suit, as a graph.
//!
//! Declarer leads to every trick from whichever hand still has a card, and the others follow in
//! turn: North, East, South, West. Who has no card plays none. Declarer's moves are OR nodes, those
//! of the defenders AND nodes.
//!
//! Idea: a position is what declarer knows and what matters: her cards, how many cards of each kind
//! West and East have played, who has shown out, and the trick that is played. The defenders' moves
//! are all that fit what has been seen: a card of a kind that is not played out, or none. A move
//! that a layout does not allow says nothing of that layout, which the
//! [values](meetjoin_dag::hidden::values) take care of.
//!
//! Cards of declarer between which no defender has one left are equal, also if they lie in both
//! hands: only the side that wins a trick counts. With a limit of entries it counts which hand wins
//! it, and then cards of one hand alone are equal.
//!
//! Invariant: positions are canonical. Declarer's cards lie on the lowest of her places between the
//! same cards of the defenders, so equal positions are one node.

use std::fmt::{self, Write};

use meetjoin_dag::{AndOrDag, HiddenGame, Kind, Turn};

use super::cards::{Card, Cards};
use super::suit::{Counts, Hand, Suit};

/// Who plays a card to a trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Defender {
    /// Before North.
    West,
    /// After North.
    East,
}

impl Defender {
    /// Their name.
    pub fn name(self) -> &'static str {
        match self {
            Self::West => "West",
            Self::East => "East",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::West => Self::East,
            Self::East => Self::West,
        }
    }

    /// The defender who plays next after a hand.
    fn after(hand: Hand) -> Self {
        match hand {
            Hand::North => Self::East,
            Hand::South => Self::West,
        }
    }
}

/// How far a trick has come, with the hand that led.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Declarer leads.
    Lead,
    /// The defender behind her follows.
    Second(Hand),
    /// Her other hand does.
    Third(Hand),
    /// The other defender does.
    Fourth(Hand),
}

/// The highest card of a trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Best {
    None,
    /// A card of declarer.
    Declarer(u8, Hand),
    /// A card of a defender, by its kind.
    Kind(u8),
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SuitPosition {
    north: u16,
    south: u16,
    west_played: Counts,
    east_played: Counts,
    west_out: bool,
    east_out: bool,
    tricks: u8,
    stage: Stage,
    best: Best,
    /// Leads from North that are left.
    entries: u8,
    /// Whether North has won the last trick; kept only where entries count.
    north_won: bool,
}

impl SuitPosition {
    /// How far the trick has come.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Tricks that declarer has.
    pub fn tricks(&self) -> u8 {
        self.tricks
    }

    /// What a defender has played.
    pub fn played(&self, who: Defender) -> Counts {
        match who {
            Defender::West => self.west_played,
            Defender::East => self.east_played,
        }
    }

    /// Whether a defender is known to have no card left.
    pub fn is_out(&self, who: Defender) -> bool {
        match who {
            Defender::West => self.west_out,
            Defender::East => self.east_out,
        }
    }

    /// Whose turn it is, if it is a defender's.
    pub fn defender(&self) -> Option<Defender> {
        match self.stage {
            Stage::Second(leader) => Some(Defender::after(leader)),
            Stage::Fourth(leader) => Some(Defender::after(leader.partner())),
            _ => None,
        }
    }

    /// The hand that follows to its partner's lead, if it is its turn.
    pub fn follower(&self) -> Option<Hand> {
        match self.stage {
            Stage::Third(leader) => Some(leader.partner()),
            _ => None,
        }
    }

    /// Tricks that are still to be played.
    pub fn left(&self) -> u8 {
        self.north.count_ones().max(self.south.count_ones()) as u8
    }

    pub(super) fn cards(&self, hand: Hand) -> u16 {
        match hand {
            Hand::North => self.north,
            Hand::South => self.south,
        }
    }

    fn cards_mut(&mut self, hand: Hand) -> &mut u16 {
        match hand {
            Hand::North => &mut self.north,
            Hand::South => &mut self.south,
        }
    }

    /// Whether what is known of the defenders fits a layout in which West has these of all missing
    /// cards.
    #[inline]
    pub fn allows(&self, west: Counts, missing: Counts) -> bool {
        let east = missing.minus(west);
        let fits = |played: Counts, held: Counts, out: bool| {
            let kinds = 0..super::suit::MOST_KINDS;
            if out {
                played == held
            } else {
                kinds
                    .into_iter()
                    .all(|kind| played.of(kind) <= held.of(kind))
            }
        };
        fits(self.west_played, west, self.west_out) && fits(self.east_played, east, self.east_out)
    }
}

/// What one player may do at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Declarer plays a card of a hand, or one that is equal: the place of the card in the
    /// canonical position.
    Play(Hand, Card),
    /// A defender plays a card of a kind.
    Follow(Defender, u8),
    /// A defender has no card.
    ShowOut(Defender),
}

/// The game of a suit in which tricks between two numbers count: at `floor` and below all is lost,
/// from `ceiling` on all is won.
#[derive(Clone, Debug)]
pub struct SuitGame<'a> {
    suit: &'a Suit,
    floor: u8,
    ceiling: u8,
    missing: Counts,
    /// For each rank, a bit for each kind above it.
    above: [u8; 13],
    /// The places of declarer's cards.
    places: u16,
    /// Whether some layout that the rules allow weighs nothing.
    restricted: bool,
    /// A first lead that is not allowed, on its canonical place.
    forbidden: Option<(Hand, Card)>,
    root: SuitPosition,
    /// For each kind and number, a row of bits: the layouts in which West has at least that many.
    west_has: Vec<Vec<Vec<u64>>>,
}

impl<'a> SuitGame<'a> {
    /// The game for at least `goal` tricks, from 1 to [`Suit::tricks`]; other numbers are won or
    /// lost before it begins.
    pub fn goal(suit: &'a Suit, goal: u8) -> Self {
        Self::new(suit, goal.saturating_sub(1), goal)
    }

    /// The game in which every trick counts.
    pub fn all_tricks(suit: &'a Suit) -> Self {
        Self::new(suit, 0, suit.tricks())
    }

    /// The game in which the tricks after `floor` count, up to `ceiling`.
    pub fn new(suit: &'a Suit, floor: u8, ceiling: u8) -> Self {
        let mut above = [0; 13];
        for (rank, above) in above.iter_mut().enumerate() {
            for (kind, cards) in suit.kinds().iter().enumerate() {
                let lowest = cards.bits().trailing_zeros() as usize;
                *above |= u8::from(lowest > rank) << kind;
            }
        }
        let all: usize = suit
            .kinds()
            .iter()
            .map(|kind| usize::from(kind.count()) + 1)
            .product();
        let layouts = suit.layouts();
        let of_kind = |(kind, cards): (usize, &Cards)| {
            let row = |count| {
                let mut row = vec![0; layouts.len().div_ceil(64)];
                for (place, layout) in layouts.iter().enumerate() {
                    row[place / 64] |= u64::from(layout.west.of(kind) >= count) << (place % 64);
                }
                row
            };
            (0..=cards.count() + 1).map(row).collect()
        };
        let mut game = Self {
            suit,
            west_has: suit.kinds().iter().enumerate().map(of_kind).collect(),
            floor,
            ceiling,
            missing: suit.missing_counts(),
            above,
            places: suit.north().or(suit.south()).bits(),
            restricted: suit.layouts().len() < all,
            forbidden: None,
            root: SuitPosition {
                north: suit.north().bits(),
                south: suit.south().bits(),
                west_played: Counts::default(),
                east_played: Counts::default(),
                west_out: false,
                east_out: false,
                tricks: 0,
                stage: Stage::Lead,
                best: Best::None,
                entries: suit.knowledge().entries.unwrap_or(0),
                north_won: false,
            },
        };
        let mut root = game.root;
        game.settle(&mut root);
        game.root = root;
        game
    }

    /// The same game, in which declarer must not begin with this card or one that is equal. There
    /// must be another lead.
    #[must_use]
    pub fn without_lead(mut self, hand: Hand, card: Card) -> Self {
        self.forbidden = Some((hand, self.first_place(hand, card)));
        self
    }

    /// The place of a card at the root.
    pub fn first_place(&self, hand: Hand, card: Card) -> Card {
        self.canonical(&self.root, self.suit.hand(hand), hand, card)
    }

    /// The suit.
    pub fn suit(&self) -> &'a Suit {
        self.suit
    }

    /// Tricks up to this number count nothing.
    pub fn floor(&self) -> u8 {
        self.floor
    }

    /// Tricks beyond this number count nothing.
    pub fn ceiling(&self) -> u8 {
        self.ceiling
    }

    fn entries_count(&self) -> bool {
        self.suit.knowledge().entries.is_some()
    }

    /// The defenders' cards that are not played yet.
    pub fn unseen(&self, position: &SuitPosition) -> Counts {
        self.missing
            .minus(position.west_played)
            .minus(position.east_played)
    }

    /// A bit for each kind that still parts declarer's cards.
    fn live(&self, position: &SuitPosition) -> u8 {
        let unseen = self.unseen(position);
        let kinds = 0..self.suit.kinds().len();
        let mut live = kinds.fold(0, |live, kind| live | u8::from(unseen.of(kind) > 0) << kind);
        if let Best::Kind(kind) = position.best {
            live |= 1 << kind;
        }
        live
    }

    /// How many kinds that still count lie above a card: cards with the same number are equal.
    pub fn region(&self, position: &SuitPosition, card: Card) -> u32 {
        (self.above[usize::from(card.rank())] & self.live(position)).count_ones()
    }

    /// Whether a kind lies above a card of declarer.
    pub fn beats(&self, kind: u8, card: Card) -> bool {
        self.above[usize::from(card.rank())] >> kind & 1 == 1
    }

    /// Whether cards of one hand in the same region can still differ: only where it counts which of
    /// declarer's hands wins.
    fn is_first_of_equals(&self, position: &SuitPosition, hand: Hand, rank: u8) -> bool {
        let live = self.live(position);
        let above = |rank: u8| self.above[usize::from(rank)] & live;
        let own = position.cards(hand);
        let mut others = position.cards(hand.partner());
        if let Best::Declarer(rank, _) = position.best {
            others |= 1 << rank;
        }
        // The next lower card that declarer has.
        let below = |set: u16| {
            let lower = set & ((1 << rank) - 1);
            (lower != 0).then(|| 15 - lower.leading_zeros() as u8)
        };
        match (below(own), below(others)) {
            (None, _) => true,
            (Some(next), _) if above(next) != above(rank) => true,
            (Some(next), Some(other)) => self.entries_count() && other > next,
            (Some(_), None) => false,
        }
    }

    /// The cards of a hand of which no two are equal: the lowest of each.
    fn choices(&self, position: &SuitPosition, hand: Hand) -> impl Iterator<Item = u8> {
        let own = position.cards(hand);
        (0..Card::COUNT)
            .rev()
            .filter(move |rank| own >> rank & 1 == 1)
            .filter(move |rank| self.is_first_of_equals(position, hand, *rank))
    }

    /// The hands from which declarer can lead.
    fn leaders(&self, position: &SuitPosition) -> impl Iterator<Item = Hand> {
        let allowed = !self.entries_count() || position.north_won || position.entries > 0;
        let north = (allowed && position.north != 0).then_some(Hand::North);
        let south = (position.south != 0).then_some(Hand::South);
        north.into_iter().chain(south)
    }

    /// All moves, and the positions after them.
    pub fn moves(&self, position: &SuitPosition) -> Vec<(Move, SuitPosition)> {
        let mut moves = Vec::new();
        self.each_move(position, |made, next| moves.push((made, next)));
        moves
    }

    fn each_move(&self, position: &SuitPosition, mut found: impl FnMut(Move, SuitPosition)) {
        match (position.stage, position.follower(), position.defender()) {
            (Stage::Lead, ..) => {
                let first = self.first_lead(position);
                for hand in self.leaders(position) {
                    if first.is_some_and(|(from, _)| from != hand) {
                        continue;
                    }
                    for rank in self.choices(position, hand) {
                        let card = Card::of_rank(rank);
                        let is_forbidden =
                            self.forbidden == Some((hand, card)) && *position == self.root;
                        if first.is_none_or(|(_, first)| first == card) && !is_forbidden {
                            let made = Move::Play(hand, card);
                            found(made, self.after(position, made));
                        }
                    }
                }
            }
            (_, Some(hand), _) => {
                for rank in self.choices(position, hand) {
                    let made = Move::Play(hand, Card::of_rank(rank));
                    found(made, self.after(position, made));
                }
            }
            (_, None, Some(who)) => {
                let unseen = self.unseen(position);
                let kinds = (0..self.suit.kinds().len()).filter(|kind| unseen.of(*kind) > 0);
                let cards = kinds.map(|kind| Move::Follow(who, kind as u8));
                let out = (!position.is_out(who.other())).then_some(Move::ShowOut(who));
                for made in cards.chain(out) {
                    let next = self.after(position, made);
                    if !self.restricted || self.is_possible(&next) {
                        found(made, next);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether some layout allows what has been seen.
    fn is_possible(&self, position: &SuitPosition) -> bool {
        let mut layouts = self.suit.layouts().iter();
        layouts.any(|layout| position.allows(layout.west, self.missing))
    }

    /// The lead that declarer has to begin with, on its canonical place, if the position is the
    /// root.
    fn first_lead(&self, position: &SuitPosition) -> Option<(Hand, Card)> {
        let (hand, card) = self.suit.knowledge().lead?;
        (*position == self.root).then(|| (hand, self.first_place(hand, card)))
    }

    /// Whether all leads are allowed that the rules allow with unlimited entries.
    pub(super) fn is_free(&self, position: &SuitPosition) -> bool {
        let is_given = self.suit.knowledge().lead.is_some() || self.forbidden.is_some();
        !(self.entries_count() || is_given && *position == self.root)
    }

    /// The place in a canonical position of a card that declarer holds among `held`: the lowest of
    /// those equal to it.
    pub fn canonical(&self, position: &SuitPosition, held: Cards, hand: Hand, card: Card) -> Card {
        // Cards of a hand keep their order, so the n-th card from below is the n-th.
        let below = held.ascending().take_while(|other| *other < card).count();
        let own = position.cards(hand);
        let mut ranks = (0..Card::COUNT).filter(|rank| own >> rank & 1 == 1);
        let rank = ranks.nth(below).unwrap_or(card.rank());
        let lower = (0..=rank).rev().filter(|rank| own >> rank & 1 == 1);
        let first = lower
            .into_iter()
            .find(|rank| self.is_first_of_equals(position, hand, *rank));
        Card::of_rank(first.unwrap_or(rank))
    }

    /// The cards of those that declarer really holds in a hand which are equal to the one on a
    /// canonical place, and so are played by the same move.
    pub fn equals(&self, position: &SuitPosition, held: Cards, hand: Hand, place: Card) -> Cards {
        let own = position.cards(hand);
        let below = |rank: u8| (own & ((1 << rank) - 1)).count_ones() as usize;
        let next = (place.rank() + 1..Card::COUNT)
            .filter(|rank| own >> rank & 1 == 1)
            .find(|rank| self.is_first_of_equals(position, hand, *rank));
        let (first, end) = (below(place.rank()), next.map_or(usize::MAX, below));
        held.ascending().take(end).skip(first).collect()
    }

    /// Whether all kinds that still count lie above a card.
    pub fn is_small(&self, position: &SuitPosition, card: Card) -> bool {
        self.region(position, card) == self.live(position).count_ones()
    }

    /// The position after a move.
    pub fn after(&self, position: &SuitPosition, made: Move) -> SuitPosition {
        let mut next = *position;
        match made {
            Move::Play(hand, card) => {
                let rank = card.rank();
                *next.cards_mut(hand) &= !(1 << rank);
                next.best = match next.best {
                    Best::Declarer(best, by) if best > rank => Best::Declarer(best, by),
                    Best::Kind(kind) if self.above[usize::from(rank)] >> kind & 1 == 1 => {
                        Best::Kind(kind)
                    }
                    _ => Best::Declarer(rank, hand),
                };
                if let Stage::Third(leader) = next.stage {
                    next.stage = Stage::Fourth(leader);
                } else {
                    if self.entries_count() && hand == Hand::North && !next.north_won {
                        next.entries -= 1;
                    }
                    next.stage = Stage::Second(hand);
                }
            }
            Move::Follow(who, kind) => {
                let played = match who {
                    Defender::West => &mut next.west_played,
                    Defender::East => &mut next.east_played,
                };
                *played = played.with(usize::from(kind));
                next.best = match next.best {
                    Best::Declarer(rank, by) if self.above[usize::from(rank)] >> kind & 1 == 0 => {
                        Best::Declarer(rank, by)
                    }
                    Best::Kind(best) => Best::Kind(best.min(kind)),
                    _ => Best::Kind(kind),
                };
                self.followed(&mut next);
            }
            Move::ShowOut(who) => {
                match who {
                    Defender::West => next.west_out = true,
                    Defender::East => next.east_out = true,
                }
                self.followed(&mut next);
            }
        }
        self.settle(&mut next);
        next
    }

    fn followed(&self, next: &mut SuitPosition) {
        if let Stage::Second(leader) = next.stage {
            next.stage = Stage::Third(leader);
        } else {
            self.end_trick(next);
        }
    }

    fn end_trick(&self, next: &mut SuitPosition) {
        let won = matches!(next.best, Best::Declarer(..));
        next.tricks += u8::from(won);
        next.north_won =
            self.entries_count() && matches!(next.best, Best::Declarer(_, Hand::North));
        next.best = Best::None;
        next.stage = Stage::Lead;
    }

    /// Skips players without a card, and makes the position canonical.
    fn settle(&self, next: &mut SuitPosition) {
        if self.unseen(next).is_empty() {
            next.west_out = true;
            next.east_out = true;
        }
        loop {
            match next.stage {
                Stage::Second(leader) if next.is_out(Defender::after(leader)) => {
                    next.stage = Stage::Third(leader);
                }
                Stage::Third(leader) if next.cards(leader.partner()) == 0 => {
                    next.stage = Stage::Fourth(leader);
                }
                Stage::Fourth(leader) if next.is_out(Defender::after(leader.partner())) => {
                    self.end_trick(next);
                }
                _ => break,
            }
        }
        let live = self.live(next);
        let (mut north, mut south, mut best) = (0, 0, next.best);
        let (mut region, mut free) = (u8::MAX, 0_u16);
        for rank in 0..Card::COUNT {
            if self.places >> rank & 1 == 0 {
                continue;
            }
            let kinds = self.above[usize::from(rank)] & live;
            if kinds != region {
                (region, free) = (kinds, 0);
            }
            free |= 1 << rank;
            let is_best = matches!(next.best, Best::Declarer(best, _) if best == rank);
            if is_best || (next.north | next.south) >> rank & 1 == 1 {
                let place = free.trailing_zeros() as u8;
                free &= free - 1;
                if is_best {
                    if let Best::Declarer(_, hand) = next.best {
                        best = Best::Declarer(place, hand);
                    }
                } else if next.north >> rank & 1 == 1 {
                    north |= 1_u16 << place;
                } else {
                    south |= 1_u16 << place;
                }
            }
        }
        (next.north, next.south, next.best) = (north, south, best);
        if !self.entries_count() {
            self.mix(next, live);
        }
    }

    /// Where only the side counts that wins a trick: within a region the card on the table lies
    /// lowest, then South's, then North's.
    fn mix(&self, next: &mut SuitPosition, live: u8) {
        let all = next.north | next.south;
        let (mut north, mut south) = (0_u16, 0_u16);
        let mut rank = 0;
        while rank < Card::COUNT {
            if self.places >> rank & 1 == 0 {
                rank += 1;
                continue;
            }
            let region = self.above[usize::from(rank)] & live;
            let (mut places, mut norths, mut table) = (0_u16, 0_u32, false);
            while rank < Card::COUNT
                && (self.places >> rank & 1 == 0 || self.above[usize::from(rank)] & live == region)
            {
                if let Best::Declarer(best, _) = next.best
                    && best == rank
                {
                    table = true;
                    places |= 1 << rank;
                } else if all >> rank & 1 == 1 {
                    places |= 1 << rank;
                    norths += u32::from(next.north >> rank & 1);
                }
                rank += 1;
            }
            if table {
                let lowest = places & places.wrapping_neg();
                next.best = Best::Declarer(lowest.trailing_zeros() as u8, Hand::North);
                places &= !lowest;
            }
            while places != 0 {
                let lowest = places & places.wrapping_neg();
                if places.count_ones() > norths {
                    south |= lowest;
                } else {
                    north |= lowest;
                }
                places &= !lowest;
            }
        }
        (next.north, next.south) = (north, south);
    }

    /// The tricks that declarer has at a leaf.
    pub fn tricks_at_end(&self, position: &SuitPosition) -> u8 {
        if self.takes_the_rest(position) {
            position.tricks + position.left()
        } else {
            position.tricks
        }
    }

    /// Whether the defenders have no card left, and no entry is needed.
    pub fn takes_the_rest(&self, position: &SuitPosition) -> bool {
        position.stage == Stage::Lead && !self.entries_count() && self.unseen(position).is_empty()
    }
}

impl AndOrDag for SuitGame<'_> {
    type Node = SuitPosition;

    fn root(&self) -> SuitPosition {
        self.root
    }

    #[inline]
    fn kind(&self, position: &SuitPosition) -> Kind {
        match position.stage {
            Stage::Lead => {
                let SuitPosition { tricks, .. } = *position;
                let decided = tricks >= self.ceiling || tricks + position.left() <= self.floor;
                let over = decided
                    || self.takes_the_rest(position)
                    || self.leaders(position).next().is_none();
                if over { Kind::Leaf } else { Kind::Or }
            }
            Stage::Third(_) => Kind::Or,
            _ => Kind::And,
        }
    }

    fn children(&self, position: &SuitPosition, out: &mut Vec<SuitPosition>) {
        self.each_move(position, |_, next| out.push(next));
    }

    fn name(&self, position: &SuitPosition, out: &mut dyn Write) -> fmt::Result {
        let cards = |bits: u16| -> Cards {
            (0..Card::COUNT)
                .filter(|r| bits >> r & 1 == 1)
                .map(Card::of_rank)
                .collect()
        };
        let (north, south) = (cards(position.north), cards(position.south));
        write!(
            out,
            "{} tricks, North {north}, South {south}",
            position.tricks
        )?;
        for who in [Defender::West, Defender::East] {
            write!(out, ", {} has played ", who.name())?;
            let played = position.played(who);
            if played.is_empty() {
                write!(out, "nothing")?;
            }
            for (kind, cards) in self.suit.kinds().iter().enumerate() {
                if played.of(kind) > 0 {
                    write!(out, "{} of {cards} ", played.of(kind))?;
                }
            }
            if position.is_out(who) {
                write!(out, " and has no more")?;
            }
        }
        match position.stage {
            Stage::Lead => write!(out, ", declarer leads"),
            Stage::Second(leader) => write!(
                out,
                ", {} has led, the next plays {:?}",
                leader.name(),
                position.best
            ),
            Stage::Third(leader) => write!(
                out,
                ", {} has led, the third plays {:?}",
                leader.name(),
                position.best
            ),
            Stage::Fourth(leader) => write!(
                out,
                ", {} has led, the last plays {:?}",
                leader.name(),
                position.best
            ),
        }
    }
}

/// The worlds are the layouts, and points are tricks.
impl HiddenGame for SuitGame<'_> {
    type Position = SuitPosition;

    fn worlds(&self) -> usize {
        self.suit.layouts().len()
    }

    fn weight(&self, world: usize) -> u64 {
        self.suit.layouts()[world].weight
    }

    fn start(&self) -> SuitPosition {
        self.root
    }

    #[inline]
    fn turn(&self, position: &SuitPosition) -> Turn {
        match self.kind(position) {
            Kind::Or => Turn::Max,
            Kind::And => Turn::Min,
            Kind::Leaf => Turn::Over,
        }
    }

    fn moves(&self, position: &SuitPosition, out: &mut Vec<SuitPosition>) {
        self.children(position, out);
    }

    fn is_possible(&self, position: &SuitPosition, world: usize) -> bool {
        position.allows(self.suit.layouts()[world].west, self.missing)
    }

    fn points(&self, position: &SuitPosition, _: usize) -> u32 {
        self.tricks_at_end(position).into()
    }

    fn most_points(&self) -> u32 {
        self.suit.tricks().into()
    }

    fn points_in_all(&self, position: &SuitPosition) -> Option<u32> {
        Some(self.tricks_at_end(position).into())
    }

    fn possible(&self, position: &SuitPosition, words: &mut [u64]) {
        words.fill(u64::MAX);
        let [west_out, east_out] = [position.west_out, position.east_out];
        for (kind, has) in self.west_has.iter().enumerate() {
            let all = self.missing.of(kind);
            let (west, east) = (position.west_played.of(kind), position.east_played.of(kind));
            let least = if east_out { all - east } else { west };
            let most = if west_out { west } else { all - east };
            let rows = has[usize::from(least)]
                .iter()
                .zip(&has[usize::from(most) + 1]);
            for (word, (least, more)) in words.iter_mut().zip(rows) {
                *word &= least & !more;
            }
        }
    }

    fn name(&self, position: &SuitPosition, out: &mut dyn Write) -> fmt::Result {
        AndOrDag::name(self, position, out)
    }
}
