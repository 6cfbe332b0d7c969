//! Values of leaves of an ending, in families of layouts, and double-dummy tricks, those with all
//! cards seen.
//!
//! As for [single suits](crate::play::bounds), the layouts that are won double dummy are an upper
//! bound of a position between tricks, and its value if there is at most one.
//!
//! Double dummy, only the order of the cards in play counts. So a state between tricks is the list
//! of owners in each suit, with who leads, and one table serves all layouts and positions. The
//! table keeps for each state bounds on the tricks that declarer takes; a question, "at least so
//! many?", is a search that stops at the first card that decides. It ends early too where the
//! leader's own high cards decide.
//!
//! Invariant: a bound in the table is true of its state, whatever question it came from.

use meetjoin_dag::{AndOrDag, Kind, PerfectInformation, Seen, SeesAll, Valuation};
use meetjoin_lattice::{
    Antichain, Budget, Families, Lattice, Powerset, Stop, TooManyWorlds, WorldSet,
};

use super::game::{Ending, EndingGame, EndingPosition, MOST_TRICKS};
use super::rules::{Hands, Rules, Trick, are_equal};
use super::states::{EACH_ITS_OWN, State, States};

/// A table of the tricks that declarer takes if all cards are seen.
#[derive(Clone, Debug)]
pub struct AllSeen {
    pub(super) rules: Rules,
    /// Whether two equal cards have come to one trick.
    pub(super) has_ties: bool,
    states: States,
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
            states: States::default(),
        }
    }

    /// Returns whether declarer takes at least `tricks` more tricks double dummy from a position
    /// between tricks, if West has these cards of all that were unseen at the beginning.
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

    /// [`Self::takes`] from within a trick.
    pub(super) fn takes_from(
        &mut self,
        hands: Hands,
        trick: Trick,
        tricks: u8,
        kinds: u32,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        match trick.played {
            0 => self.at_lead(hands, usize::from(trick.turn), tricks, kinds, budget),
            _ => self.play(hands, trick, tricks, kinds, budget),
        }
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
        let begun = Trick::led_by(leader);
        if left == 1 {
            return self.play(hands, begun, wanted, kinds, budget);
        }
        let cashed = self.rules.cashed(hands, leader, kinds).min(left);
        if leader.is_multiple_of(2) {
            if cashed >= wanted {
                return Ok(true);
            }
        } else if left - cashed < wanted {
            return Ok(false);
        }
        let state = State::new(hands, &self.rules.suits, leader, kinds);
        let (least, most) = self.states.get(state).unwrap_or((0, left));
        if wanted <= least || wanted > most {
            return Ok(wanted <= least);
        }
        budget.steps(1)?;
        let takes = self.play(hands, begun, wanted, kinds, budget)?;
        let known = if takes {
            (wanted, most)
        } else {
            (least, wanted - 1)
        };
        self.states.put(state, known, budget)?;
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
        let (cards, count) = self.choices(&hands, &trick, kinds);
        for card in &cards[..count] {
            let next = self.rules.with_card(trick, *card, kinds);
            let mut after = hands;
            after[usize::from(trick.turn)] &= !card;
            if self.play(after, next, wanted, kinds, budget)? == is_declarer {
                return Ok(is_declarer);
            }
        }
        Ok(!is_declarer)
    }

    /// The cards that a player may play, one of each that are the same with all cards seen, in the
    /// order in which they are tried, and how many they are.
    fn choices(&self, hands: &Hands, trick: &Trick, kinds: u32) -> ([u32; MOST_TRICKS], usize) {
        let is_declarer = trick.turn.is_multiple_of(2);
        let turn = usize::from(trick.turn);
        let hand = hands[turn];
        let others = (hands[0] | hands[1] | hands[2] | hands[3] | trick.best) & !hand;
        let mut rest = self.rules.legal(trick, hand);
        let (mut cards, mut count, mut last) = ([0; MOST_TRICKS], 0, 0_u32);
        while rest != 0 {
            let card = 1 << rest.ilog2();
            rest &= !card;
            let suit = self.rules.suits[self.rules.suit_of(card)];
            // Adjacent to the last one tried, it is equal to it.
            let between = (last.wrapping_sub(1)) & !(card | (card - 1)) & others;
            let is_same = last & suit != 0
                && between & suit == 0
                && (is_declarer
                    || tie_alike(last, card, hands[(turn + 2) % 4] | trick.best, kinds));
            last = card;
            if !is_same && count < MOST_TRICKS {
                cards[count] = card;
                count += 1;
            }
        }
        // High cards decide soonest, but the last player needs none if his side has the trick, and
        // otherwise the cheapest that wins it.
        if trick.played == 3 {
            let chosen = &mut cards[..count];
            chosen.reverse();
            if trick.best_by % 2 != trick.turn % 2
                && let Some(place) = chosen
                    .iter()
                    .position(|card| self.rules.beats(*card, trick.best))
            {
                chosen[..=place].rotate_right(1);
            }
        }
        (cards, count)
    }
}

/// Returns whether two cards of a defender tie with the same cards of his partner's.
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
    /// If the representation cannot hold all worlds.
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

/// Double-dummy results, from a table.
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
        // A pass over all layouts counts as steps.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Deal, Seat};

    /// Without a table, and with every card tried.
    fn plain(rules: &Rules, hands: Hands, trick: Trick, wanted: u8, kinds: u32) -> bool {
        if trick.is_over() {
            let won = u8::from(trick.best_by.is_multiple_of(2));
            let wanted = wanted.saturating_sub(won);
            let mut winners = trick.winners();
            let takes = |leader| plain(rules, hands, Trick::led_by(leader), wanted, kinds);
            return if rules.ties_to_declarer {
                winners.any(takes)
            } else {
                winners.all(takes)
            };
        }
        if trick.played == 0 && (wanted == 0 || hands[0] == 0) {
            return wanted == 0;
        }
        let legal = rules.legal(&trick, hands[usize::from(trick.turn)]);
        let mut cards = (0..32)
            .map(|place| 1 << place)
            .filter(|card| legal & card != 0);
        let takes = |card: u32| {
            let mut after = hands;
            after[usize::from(trick.turn)] &= !card;
            plain(
                rules,
                after,
                rules.with_card(trick, card, kinds),
                wanted,
                kinds,
            )
        };
        match trick.turn % 2 {
            0 => cards.any(takes),
            _ => cards.all(takes),
        }
    }

    #[test]
    fn tricks_are_those_of_a_plain_search() -> Result<(), Box<dyn std::error::Error>> {
        let endings = [
            "N:KJ3... Q52... AT4... 987...",
            "N:K.J.4. Q.52.. A.T.3. 9.87..",
            "N:2.3.K. AQ.2.. 43..A. KJ.A..",
            "N:92..3. KQ.2.. 43.A.. 8.KQ..",
        ];
        let budget = Budget::unlimited();
        let mut taken = [0; 2];
        for (deal, trumps) in endings
            .iter()
            .flat_map(|deal| [(deal, None), (deal, Some(0))])
        {
            let deal = Deal::of_pbn(&format!("[Deal \"{deal}\"]"))?;
            let ending = Ending::new(&deal, Seat::South, Seat::South, trumps, |_| 1)?;
            let (north, south) = ending.own();
            let all = ending.suits().iter().fold(0, |all, suit| all | suit);
            let unseen = all & !(north | south);
            // Neighbours of the defenders are of one kind, or each card is its own.
            let lowest = ending
                .suits()
                .map(|suit| suit & unseen & (unseen & suit).wrapping_neg());
            let merged = unseen & !(unseen << 1) | lowest.iter().fold(0, |all, card| all | card);
            for (kinds, decides) in [(EACH_ITS_OWN, false), (merged, false), (merged, true)] {
                let mut seen = AllSeen::with_ties(&ending, decides);
                for layout in ending.layouts() {
                    let hands = [north, unseen & !layout.west, south, layout.west];
                    for (leader, wanted) in
                        (0..4).flat_map(|leader| [(leader, 1), (leader, 2), (leader, 3)])
                    {
                        let trick = Trick::led_by(leader);
                        let found = seen.takes_from(hands, trick, wanted, kinds, &budget)?;
                        let expected = plain(&seen.rules, hands, trick, wanted, kinds);
                        assert_eq!(found, expected, "{deal:?} {leader} {wanted} {kinds:b}");
                        taken[usize::from(found)] += 1;
                    }
                }
            }
        }
        assert!(taken.iter().all(|count| *count > 500), "{taken:?}");
        Ok(())
    }
}
