//! What is won at the end of an ending, in families of layouts, and what somebody wins who sees all
//! cards.
//!
//! As for [single suits](crate::play::bounds): the layouts that are won with all cards seen are an
//! upper bound of a position between tricks, and its value if they are no more than one.
//!
//! With all cards seen only the order of the cards in play counts. So a state between tricks is the
//! list of owners in each suit, with who leads, and one table serves all layouts and positions. The
//! table keeps for each state bounds on the tricks that declarer takes; a question, "at least so
//! many?", is a search that stops at the first card that decides.
//!
//! Invariant: a bound in the table is true of its state, whatever question it came from.

use std::collections::HashMap;

use meetjoin_dag::{AndOrDag, Kind, PerfectInformation, Seen, SeesAll, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Families, Lattice, Powerset, Stop, TooManyWorlds, WorldSet,
};

use super::game::{Ending, EndingGame, EndingPosition};
use super::rules::{Hands, Rules, Trick, are_equal};

/// Every card is a kind.
const EACH_ITS_OWN: u32 = u32::MAX;

/// What a state is found by: the owners of the cards in play, two bits each, how many cards each
/// suit has and who leads, and at which cards a kind begins.
type Key = (u64, u32, u32);

/// A table of the tricks that declarer takes if all cards are seen.
#[derive(Clone, Debug)]
pub struct AllSeen {
    pub(super) rules: Rules,
    /// Whether two equal cards have come to one trick.
    pub(super) has_ties: bool,
    /// At least, and at most.
    tricks: HashMap<Key, (u8, u8), ahash::RandomState>,
}

impl AllSeen {
    /// Nothing known yet.
    pub fn new(ending: &Ending) -> Self {
        Self::with_ties(ending, false)
    }

    /// Nothing known yet, for cards of the defenders that come in kinds.
    pub(super) fn with_ties(ending: &Ending, ties_to_declarer: bool) -> Self {
        Self {
            rules: Rules {
                suits: *ending.suits(),
                trumps: ending.trumps(),
                ties_to_declarer,
            },
            has_ties: false,
            tricks: HashMap::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)),
        }
    }

    /// Whether declarer takes at least so many tricks more from a position between tricks, if West
    /// has these cards of all that were unseen at the beginning.
    ///
    /// # Errors
    /// When the budget ends it.
    pub fn takes(
        &mut self,
        game: &EndingGame<'_>,
        position: &EndingPosition,
        west: u32,
        tricks: u8,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let unseen = game.unseen(position);
        let (north, south) = position.own();
        let hands = [north, unseen & !west, south, unseen & west];
        self.at_lead(hands, position.turn(), tricks, EACH_ITS_OWN, budget)
    }

    /// The same from within a trick.
    pub(super) fn takes_from(
        &mut self,
        hands: Hands,
        trick: Trick,
        tricks: u8,
        kinds: u32,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        match trick.played {
            0 => self.at_lead(hands, trick.turn, tricks, kinds, budget),
            _ => self.play(hands, trick, tricks, kinds, budget),
        }
    }

    fn key(&self, hands: Hands, leader: usize, kinds: u32) -> Key {
        let (mut owners, mut lengths, mut begins) = (0_u64, leader as u32, 0_u32);
        let defenders = hands[1] | hands[3];
        for suit in self.rules.suits {
            let all = (hands[0] | hands[1] | hands[2] | hands[3]) & suit;
            let mut rest = all;
            let mut below = 0;
            while rest != 0 {
                let card = rest & rest.wrapping_neg();
                rest &= rest - 1;
                let is_same = defenders & below != 0
                    && defenders & card != 0
                    && are_equal(below, card, kinds);
                begins = begins << 1 | u32::from(!is_same);
                below = card;
                let owner = hands.iter().position(|hand| hand & card != 0);
                owners = owners << 2 | owner.unwrap_or(0) as u64;
            }
            lengths = lengths << 5 | all.count_ones();
        }
        (owners, lengths, begins)
    }

    fn at_lead(
        &mut self,
        hands: Hands,
        leader: usize,
        wanted: u8,
        kinds: u32,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let left = hands[0].count_ones() as u8;
        if wanted == 0 || wanted > left {
            return Ok(wanted == 0);
        }
        let key = self.key(hands, leader, kinds);
        let (least, most) = self.tricks.get(&key).copied().unwrap_or((0, left));
        if wanted <= least || wanted > most {
            return Ok(wanted <= least);
        }
        budget.steps(1)?;
        let takes = self.play(hands, Trick::led_by(leader), wanted, kinds, budget)?;
        let (least, most) = self.tricks.get(&key).copied().unwrap_or((0, left));
        let known = if takes {
            (least.max(wanted), most)
        } else {
            (least, most.min(wanted - 1))
        };
        self.tricks.insert(key, known);
        Ok(takes)
    }

    fn play(
        &mut self,
        hands: Hands,
        trick: Trick,
        wanted: u8,
        kinds: u32,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        if trick.is_over() {
            let wanted = wanted.saturating_sub(u8::from(trick.best_by.is_multiple_of(2)));
            let decides = self.rules.ties_to_declarer;
            self.has_ties |= trick.is_tied;
            for leader in trick.winners() {
                if self.at_lead(hands, leader, wanted, kinds, budget)? == decides {
                    return Ok(decides);
                }
            }
            return Ok(!decides);
        }
        let is_declarer = trick.turn.is_multiple_of(2);
        let hand = hands[trick.turn];
        let legal = self.rules.legal(&trick, hand);
        let others = (hands[0] | hands[1] | hands[2] | hands[3] | trick.best) & !hand;
        // High cards first: they decide soonest.
        let mut rest = legal;
        let mut last = 0_u32;
        while rest != 0 {
            let card = 1 << rest.ilog2();
            rest &= !card;
            let suit = self.rules.suit_of(card);
            // Next to the last one tried, it is the same.
            let between = (last.wrapping_sub(1)) & !(card | (card - 1)) & others;
            if last & self.rules.suits[suit] != 0
                && between & self.rules.suits[suit] == 0
                && (is_declarer
                    || tie_alike(last, card, hands[(trick.turn + 2) % 4] | trick.best, kinds))
            {
                last = card;
                continue;
            }
            last = card;
            let next = self.rules.with_card(trick, card, kinds);
            let mut after = hands;
            after[trick.turn] &= !card;
            if self.play(after, next, wanted, kinds, budget)? == is_declarer {
                return Ok(is_declarer);
            }
        }
        Ok(!is_declarer)
    }
}

/// Whether two cards of a defender are equal to the same of his partner's.
fn tie_alike(a: u32, b: u32, partners: u32, kinds: u32) -> bool {
    let ties = |card: u32| {
        let mut rest = partners;
        std::iter::from_fn(move || {
            let other = rest & rest.wrapping_neg();
            rest &= rest.wrapping_sub(1);
            (other != 0).then_some(other)
        })
        .any(|other| are_equal(card, other, kinds))
    };
    are_equal(a, b, kinds) || !(ties(a) || ties(b))
}

/// The families of layouts in which one strategy of declarer reaches the goal.
#[derive(Clone, Debug)]
pub struct EndingFamilies<'a, B: WorldSet> {
    game: &'a EndingGame<'a>,
    lattice: Families<B>,
}

impl<'a, B: WorldSet> EndingFamilies<'a, B> {
    /// The valuation. A world is a layout, by its place.
    ///
    /// # Errors
    /// If the representation cannot hold so many worlds.
    pub fn new(game: &'a EndingGame<'a>) -> Result<Self, TooManyWorlds> {
        let lattice = Families::over(Powerset::new(game.ending().layouts().len())?);
        Ok(Self { game, lattice })
    }

    /// The game.
    pub fn game(&self) -> &'a EndingGame<'a> {
        self.game
    }

    /// The layouts that agree with what was seen, and the others.
    fn parted(&self, position: &EndingPosition) -> (B, B) {
        let layouts = self.game.ending().layouts();
        let (mut inside, mut outside) = (B::empty(layouts.len()), B::empty(layouts.len()));
        for (place, layout) in layouts.iter().enumerate() {
            if self.game.allows(position, layout) {
                inside.insert(place);
            } else {
                outside.insert(place);
            }
        }
        (inside, outside)
    }
}

impl<B: WorldSet> Valuation<EndingPosition> for EndingFamilies<'_, B> {
    type Lattice = Families<B>;

    fn lattice(&self) -> &Families<B> {
        &self.lattice
    }

    fn leaf(&self, position: &EndingPosition) -> Antichain<B> {
        if position.tricks() >= self.game.goal() {
            return self.lattice.top();
        }
        self.lattice.principal(self.parted(position).1)
    }

    fn never_bottom(&self) -> bool {
        true
    }
}

/// Bounds of positions between tricks from [`AllSeen`].
pub type EndingSeen<'a, B> = PerfectInformation<SeenLayouts<'a, B>>;

/// What is won by somebody who sees all cards, by a table.
#[derive(Debug)]
pub struct SeenLayouts<'a, B: WorldSet> {
    values: &'a EndingFamilies<'a, B>,
    table: &'a mut AllSeen,
}

/// For the worlds of a valuation.
impl<'a, B: WorldSet> From<(&'a EndingFamilies<'a, B>, &'a mut AllSeen)> for SeenLayouts<'a, B> {
    fn from((values, table): (&'a EndingFamilies<'a, B>, &'a mut AllSeen)) -> Self {
        Self { values, table }
    }
}

impl<B: WorldSet> SeesAll<EndingPosition, B> for SeenLayouts<'_, B> {
    /// Nothing in the middle of a trick.
    fn seen(
        &mut self,
        position: &EndingPosition,
        _: Option<&B>,
        budget: &Budget,
    ) -> Result<Option<Seen<B>>, Stop> {
        let game = self.values.game;
        if !position.is_lead() || game.kind(position) == Kind::Leaf {
            return Ok(None);
        }
        // All layouts are looked at, which is as much as some steps.
        budget.steps(1 + game.ending().layouts().len() as u64 / 64)?;
        let (inside, impossible) = self.values.parted(position);
        let mut won = impossible.clone();
        let layouts = game.ending().layouts();
        let wanted = game.goal() - position.tricks();
        let mut winnable = 0;
        for place in inside.ones() {
            budget.steps(1)?;
            if self
                .table
                .takes(game, position, layouts[place].west, wanted, budget)?
            {
                winnable += 1;
                won.insert(place);
            }
        }
        Ok(Some(Seen {
            impossible,
            won,
            is_exact: true,
            by_one: winnable <= 1,
        }))
    }
}
