//! The heaviest set of layouts in which one strategy takes the tricks of an ending.
//!
//! Problem: which of seven small cards a defender has played tells declarer which layouts are left, so as a graph every choice of small cards is a position of its own.
//! But what is left to play is nearly always the same.
//!
//! Idea: a *subgame* is declarer's cards, those that nobody has seen, the trick, the tricks that are wanted, and the layouts of the rest with their weights. The cards in play are
//! numbered anew in each suit, without those that are gone, so subgames that differ in names alone are one. Its value is a family of sets of its own layouts; whoever asks
//! for it translates the sets into those of the layouts that there were before the card:
//!
//! 1. Declarer plays: the sets of each card, joined. Layouts that are lost by that card with all cards seen are in no set, and leave the subgame.
//! 2. A defender plays: the sets of each card that some layout allows, with all layouts that do not allow it, met.
//!
//! Only sets count that lack no more than a *slack* of the layouts' weight, and the slack grows from nothing until the root has a set, as in the search for heaviest sets of any graph.
//!
//! Below a card of a defender hardly any of the slack is available: his other cards cost something too. So the weight of a layout is shared among the cards that it allows, in equal
//! parts. What the sets of all cards lack in shares adds up to no more than the whole may lack, so once the least that each of them lacks is known, each has what the others leave.
//! Cards after which one strategy wins all layouts get no share.
//!
//! Nothing is approximated: cards of defenders are as different as the rules make them. To rename them keeps their order, and who wins a trick depends on the order alone.
//!
//! Invariants: all layouts of a subgame are won with all cards seen, and none weighs nothing unless shares were rounded down. An entry of the table has all maximal sets of its subgame that lack no more than its slack.
//!
//! Cost: a table entry for each subgame, with as many sets as are heavy.
//!
//! Source: renaming cards by rank is common to programs that play with all cards seen; shares are a Lagrangian decomposition with fixed multipliers; thresholds: Korf (1985).

use std::collections::HashMap;
use std::rc::Rc;

use meetjoin_lattice::{
    Antichain, Budget, Families, HeavyFamilies, Lattice, Stop, Weights, WorldSet,
};

use super::ending::{EndingGame, EndingLayout, EndingPosition};
use super::ending_values::{AllSeen, Hands, Trick};

/// From one slack to the next it grows by this part of itself.
const GROWTH: u64 = 8;

/// A weight is so many shares: 1 to 8 cards divide it.
const SHARES: u64 = 840;

/// Below this, shares of a weight fit.
const MOST_SHARED: u64 = 1 << 50;

/// What is left to play. See the [module page](self).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Subgame {
    north: u32,
    south: u32,
    unseen: u32,
    trick: Trick,
    wanted: u8,
    /// In ascending order of West's cards.
    layouts: Vec<EndingLayout>,
}

impl Subgame {
    fn hands(&self, layout: &EndingLayout) -> Hands {
        let east = self.unseen & !layout.west;
        [self.north, east, self.south, layout.west]
    }

    fn in_play(&self) -> u32 {
        self.north | self.south | self.unseen | self.trick.best
    }

    fn weight(&self) -> u64 {
        self.layouts.iter().map(|layout| layout.weight).sum()
    }
}

/// What follows a card.
struct Child {
    subgame: Subgame,
    /// Where its layouts were before the card.
    places: Vec<usize>,
    /// What the layouts weigh that are lost by the card.
    lost: u64,
    /// What 1 of its weights is, in shares of what a layout weighed before the card.
    unit: u64,
}

impl Child {
    /// A set of layouts, with all that there are besides, as layouts before the card.
    fn before<B: WorldSet>(&self, set: &B, besides: &B) -> B {
        let mut before = besides.clone();
        set.ones()
            .for_each(|place| before.insert(self.places[place]));
        before
    }

    fn drop_all_but(&mut self, mut keeps: impl FnMut(&EndingLayout) -> bool) {
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

/// The heaviest set, what it weighs, and what no set exceeds.
#[derive(Clone, Debug)]
pub struct EndingHeaviest<B> {
    /// Of all layouts of the ending, among them those that do not agree with the position. If the search was stopped, one that is won, if one is known.
    pub set: Option<B>,
    /// Its weight.
    pub weight: u64,
    /// No set of layouts in which one strategy takes the tricks weighs more.
    pub bound: u64,
    /// What stopped the search.
    pub stop: Option<Stop>,
}

/// What is known of a subgame: all sets that lack so much at most.
type Known<B> = HashMap<Subgame, (u64, Rc<Antichain<B>>), ahash::RandomState>;

struct Search<'a, B> {
    suits: [u32; 4],
    families: &'a Families<B>,
    seen: &'a mut AllSeen,
    budget: &'a Budget,
    known: Known<B>,
    /// Whether declarer only plays the card that loses least.
    is_greedy: bool,
}

/// The heaviest set from a position on. `families` are over the layouts of the ending.
pub fn heaviest_of_ending<B: WorldSet>(
    game: &EndingGame<'_>,
    position: &EndingPosition,
    families: &Families<B>,
    seen: &mut AllSeen,
    budget: &Budget,
) -> EndingHeaviest<B> {
    let all = game.ending().layouts();
    let mut search = Search {
        suits: *game.ending().suits(),
        families,
        seen,
        budget,
        known: HashMap::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)),
        is_greedy: true,
    };
    let mut root = search.root(game, position);
    let besides: B = outside(all.len(), &root);
    let besides_weight: u64 = besides.ones().map(|place| all[place].weight).sum();
    let mut found = EndingHeaviest {
        set: None,
        weight: 0,
        bound: besides_weight + root.subgame.weight(),
        stop: None,
    };
    let searched = search.leave_seen(&mut root).and_then(|()| {
        found.bound -= root.lost;
        let better = |sets: &Antichain<B>, found: &mut EndingHeaviest<B>| {
            for set in sets.maximal() {
                let set = root.before(set, &besides);
                let weight = set.ones().map(|place| all[place].weight).sum();
                if found.set.is_none() || weight > found.weight {
                    (found.set, found.weight) = (Some(set), weight);
                }
            }
        };
        let total = root.subgame.weight();
        let greedy = search.value(&root.subgame, total)?;
        better(&greedy, &mut found);
        search.known.clear();
        search.is_greedy = false;
        let enough = found.bound - found.weight;
        let step = lightest(&root.subgame);
        let mut slack = 0_u64;
        loop {
            slack = slack.min(enough);
            let sets = search.value(&root.subgame, slack)?;
            better(&sets, &mut found);
            if !sets.maximal().is_empty() || slack == enough {
                found.bound = found.weight;
                return Ok(());
            }
            found.bound = besides_weight + total - slack - 1;
            slack = slack.saturating_add((slack / GROWTH).max(step));
        }
    });
    found.stop = searched.err();
    found
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

/// Those of `worlds` layouts that are not the child's.
fn outside<B: WorldSet>(worlds: usize, child: &Child) -> B {
    let mut outside = B::full(worlds);
    child.places.iter().for_each(|place| outside.remove(*place));
    outside
}

impl<B: WorldSet> Search<'_, B> {
    /// What is left at a position, with the layouts that agree with it.
    fn root(&self, game: &EndingGame<'_>, position: &EndingPosition) -> Child {
        let (north, south) = position.own();
        let unseen = game.unseen(position);
        let layouts = game.ending().layouts().iter().enumerate();
        let (places, layouts) = layouts
            .filter(|(_, layout)| game.allows(position, layout))
            .map(|(place, layout)| {
                let west = layout.west & unseen;
                (place, EndingLayout { west, ..*layout })
            })
            .unzip();
        let mut subgame = Subgame {
            north,
            south,
            unseen,
            trick: trick_of(position),
            wanted: game.goal().saturating_sub(position.tricks()),
            layouts,
        };
        let all = self.suits.iter().fold(0, |all, suit| all | suit);
        self.rename(&mut subgame, all);
        Child {
            subgame,
            places,
            lost: 0,
            unit: 1,
        }
    }

    /// Numbers the cards in play anew, after those of `before` that are not in play any more are gone.
    fn rename(&self, subgame: &mut Subgame, before: u32) {
        let mut gone = before & !subgame.in_play();
        while gone != 0 {
            let card = 1_u32 << gone.ilog2();
            gone &= !card;
            let suit = self.suits[self.seen.suit_of(card)];
            let above = suit & !(card | (card - 1));
            let close = |word: &mut u32| *word = (*word & !above) | (*word & above) >> 1;
            close(&mut subgame.north);
            close(&mut subgame.south);
            close(&mut subgame.unseen);
            close(&mut subgame.trick.best);
            for layout in &mut subgame.layouts {
                close(&mut layout.west);
            }
        }
    }

    fn legal(&self, trick: &Trick, hand: u32) -> u32 {
        let follows = match trick.played {
            0 => 0,
            _ => hand & self.suits[trick.led],
        };
        if follows == 0 { hand } else { follows }
    }

    /// The cards that may be played in some layout: of declarer's the lowest of each run.
    fn moves(&self, subgame: &Subgame) -> Vec<u32> {
        let turn = subgame.trick.turn;
        let legal = |layout| self.legal(&subgame.trick, subgame.hands(layout)[turn]);
        let mut cards = subgame
            .layouts
            .iter()
            .fold(0, |all, layout| all | legal(layout));
        if turn.is_multiple_of(2) {
            for suit in self.suits {
                // Cards in play lie next to each other.
                let held = cards & suit;
                cards &= !(held & held << 1);
            }
        }
        let mut moves = Vec::new();
        while cards != 0 {
            moves.push(cards & cards.wrapping_neg());
            cards &= cards - 1;
        }
        moves
    }

    fn after(&self, before: &Subgame, card: u32) -> Child {
        let turn = before.trick.turn;
        let layouts = before.layouts.iter().enumerate();
        let (places, layouts) = layouts
            .filter(|(_, layout)| self.legal(&before.trick, before.hands(layout)[turn]) & card != 0)
            .map(|(place, layout)| {
                let west = layout.west & !card;
                (place, EndingLayout { west, ..*layout })
            })
            .unzip();
        let mut next = Subgame {
            north: before.north & !card,
            south: before.south & !card,
            unseen: before.unseen & !card,
            trick: self.seen.with_card(before.trick, card),
            wanted: before.wanted,
            layouts,
        };
        if next.trick.played == 4 {
            let winner = next.trick.best_by;
            next.wanted = next
                .wanted
                .saturating_sub(u8::from(winner.is_multiple_of(2)));
            next.trick = Trick::led_by(winner);
        }
        self.rename(&mut next, before.in_play());
        Child {
            subgame: next,
            places,
            lost: 0,
            unit: 1,
        }
    }

    /// Drops the layouts that are lost with all cards seen.
    fn leave_seen(&mut self, child: &mut Child) -> Result<(), Stop> {
        let Subgame { trick, wanted, .. } = child.subgame;
        let mut won = Vec::with_capacity(child.places.len());
        for layout in &child.subgame.layouts {
            self.budget.steps(1)?;
            let hands = child.subgame.hands(layout);
            won.push(self.seen.takes_from(hands, trick, wanted, self.budget)?);
        }
        let mut won = won.into_iter();
        child.drop_all_but(|_| won.next() == Some(true));
        Ok(())
    }

    /// All maximal sets of layouts in which one strategy takes the tricks and that lack no more than this, and perhaps others.
    fn value(&mut self, subgame: &Subgame, slack: u64) -> Result<Rc<Antichain<B>>, Stop> {
        let worlds = subgame.layouts.len();
        if subgame.wanted == 0 || worlds <= 1 {
            return Ok(Rc::new(self.families.principal(B::full(worlds))));
        }
        if let Some((complete, sets)) = self.known.get(subgame)
            && (slack <= *complete || is_all(sets, worlds))
        {
            return Ok(Rc::clone(sets));
        }
        let is_declarer = subgame.trick.turn.is_multiple_of(2);
        if is_declarer && slack > 0 && !self.is_greedy {
            // One strategy for all layouts is found soonest, and then nothing else counts.
            let sets = self.value(subgame, 0)?;
            if is_all(&sets, worlds) {
                return Ok(sets);
            }
        }
        self.budget.visit()?;
        let weights = subgame.layouts.iter().map(|layout| layout.weight);
        let weights = Weights::new(weights).unwrap_or_else(|_| Weights::equal(worlds));
        let threshold = subgame.weight().saturating_sub(slack);
        let heavy = HeavyFamilies::new(self.families, B::full(worlds), &weights, threshold);
        let sets = if is_declarer {
            self.joined(subgame, slack, &heavy)?
        } else {
            self.met(subgame, slack, &heavy, &weights)?
        };
        let sets = Rc::new(sets);
        self.known
            .insert(subgame.clone(), (slack, Rc::clone(&sets)));
        Ok(sets)
    }

    fn joined(
        &mut self,
        subgame: &Subgame,
        slack: u64,
        heavy: &HeavyFamilies<'_, B>,
    ) -> Result<Antichain<B>, Stop> {
        let worlds = subgame.layouts.len();
        let mut children = Vec::new();
        for card in self.moves(subgame) {
            let mut child = self.after(subgame, card);
            self.leave_seen(&mut child)?;
            if child.lost <= slack {
                children.push(child);
            }
        }
        children.sort_by_key(|child| child.lost);
        if self.is_greedy {
            children.truncate(1);
        }
        let none = B::empty(worlds);
        let mut sets = heavy.bottom();
        for child in children {
            let most = child.before(&B::full(child.places.len()), &none);
            let most = self.families.principal(most);
            if heavy.leq(&most, &sets, self.budget)? {
                continue;
            }
            let value = self.value(&child.subgame, slack - child.lost)?;
            let part = self.before(&child, &value, &none, heavy)?;
            heavy.join_assign(&mut sets, &part, self.budget)?;
        }
        Ok(sets)
    }

    fn met(
        &mut self,
        subgame: &Subgame,
        slack: u64,
        heavy: &HeavyFamilies<'_, B>,
        weights: &Weights,
    ) -> Result<Antichain<B>, Stop> {
        let worlds = subgame.layouts.len();
        let mut children = Vec::new();
        for card in self.moves(subgame) {
            let child = self.after(subgame, card);
            let value = self.value(&child.subgame, 0)?;
            // A card that costs nothing anywhere is no share of what is lost.
            if !is_all(&value, child.places.len()) {
                if slack == 0 {
                    return Ok(heavy.bottom());
                }
                children.push(child);
            }
        }
        // Where most can be lost, first.
        children.sort_by_key(|child| std::cmp::Reverse(child.subgame.weight()));
        let shares = share(subgame, &mut children);
        let slack_in_shares = slack * shares;
        let mut lacking = vec![0; children.len()];
        if !self.is_greedy {
            for place in 0..children.len() {
                let others: u64 = lacking.iter().sum();
                let Some(slack) = slack_in_shares.checked_sub(others) else {
                    return Ok(heavy.bottom());
                };
                let child = &children[place];
                match self.least_lacking(&child.subgame, slack / child.unit)? {
                    Some(least) => lacking[place] = least * child.unit,
                    None => return Ok(heavy.bottom()),
                }
            }
        }
        let all: u64 = lacking.iter().sum();
        let Some(free) = slack_in_shares.checked_sub(all) else {
            return Ok(heavy.bottom());
        };
        let mut sets = heavy.top();
        for (child, least) in children.iter().zip(lacking) {
            let besides: B = outside(worlds, child);
            let spent = |set: &B| {
                let mut spent = besides.clone();
                spent.subtract(set);
                weights.of_set(&spent)
            };
            let Some(spent) = sets.maximal().iter().map(spent).min() else {
                break;
            };
            let slack = (free + least).min(slack.saturating_sub(spent) * shares) / child.unit;
            let slack = slack.min(child.subgame.weight());
            let value = self.value(&child.subgame, slack)?;
            let part = self.before(child, &value, &besides, heavy)?;
            heavy.meet_assign(&mut sets, &part, self.budget)?;
        }
        Ok(sets)
    }

    /// What the heaviest set of a subgame lacks, if it is no more than the slack.
    fn least_lacking(&mut self, subgame: &Subgame, slack: u64) -> Result<Option<u64>, Stop> {
        let total = subgame.weight();
        let slack = slack.min(total);
        let step = lightest(subgame);
        let mut tried = 0;
        loop {
            let sets = self.value(subgame, tried)?;
            let weight = |set: &B| -> u64 {
                let inside = set.ones().map(|place| subgame.layouts[place].weight);
                inside.sum()
            };
            if let Some(most) = sets.maximal().iter().map(weight).max() {
                let lacking = total - most;
                return Ok((lacking <= slack).then_some(lacking));
            }
            if tried == slack {
                return Ok(None);
            }
            tried = slack.min(tried + (tried / GROWTH).max(step));
        }
    }

    /// A value as sets of the layouts before the card: those that are heavy.
    fn before(
        &self,
        child: &Child,
        value: &Antichain<B>,
        besides: &B,
        heavy: &HeavyFamilies<'_, B>,
    ) -> Result<Antichain<B>, Stop> {
        self.budget.steps(value.maximal().len() as u64)?;
        let sets = value.maximal().iter();
        let sets = sets.map(|set| child.before(set, besides));
        let sets = sets.filter(|set| heavy.is_heavy(set));
        self.families.generated_by(sets, self.budget)
    }
}

fn lightest(subgame: &Subgame) -> u64 {
    let weights = subgame.layouts.iter().map(|layout| layout.weight);
    weights.filter(|weight| *weight > 0).min().unwrap_or(1)
}

/// Shares the weight of each layout among the cards that it allows, in equal parts, and says how many shares are 1. So what the children's sets lack adds up to no more than what
/// a set before the card lacks.
fn share(subgame: &Subgame, children: &mut [Child]) -> u64 {
    let shares = if subgame.weight() < MOST_SHARED {
        SHARES
    } else {
        1
    };
    let mut cards = vec![0_u64; subgame.layouts.len()];
    for place in children.iter().flat_map(|child| &child.places) {
        cards[*place] += 1;
    }
    for child in children {
        let mut unit = 0;
        for (layout, place) in child.subgame.layouts.iter_mut().zip(&child.places) {
            layout.weight = layout.weight * shares / cards[*place];
            unit = common_divisor(unit, layout.weight);
        }
        child.unit = unit.max(1);
        for layout in &mut child.subgame.layouts {
            layout.weight /= child.unit;
        }
    }
    shares
}

fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn is_all<B: WorldSet>(sets: &Antichain<B>, worlds: usize) -> bool {
    matches!(sets.maximal(), [set] if set.count() == worlds)
}
