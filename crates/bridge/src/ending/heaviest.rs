//! The heaviest set of layouts in which one strategy takes the tricks of an ending.
//!
//! Problem: which of seven small cards a defender has played tells declarer which layouts are left,
//! so as a graph every choice of small cards is a position of its own. But what is left to play is
//! nearly always the same.
//!
//! Idea: the value of a *subgame* (`ending_subgame.rs`), in which cards have no names, is a family
//! of sets of its own layouts; whoever asks for it translates the sets into those of the layouts
//! that there were before the card:
//!
//! 1. Declarer plays: the sets of each card, joined. Layouts that are lost by that card with all
//!    cards seen are in no set, and leave the subgame.
//! 2. A defender plays: the sets of each card that some layout allows, with all layouts that do not
//!    allow it, met.
//!
//! Only sets count that lack no more than a *slack* of the layouts' weight, and the slack grows
//! from nothing until the root has a set, as in the search for heaviest sets of any graph.
//!
//! Below a card of a defender hardly any of the slack is available: his other cards cost something
//! too. So the weight of a layout is shared among the cards that it allows, in equal parts. What
//! the sets of all cards lack in shares adds up to no more than the whole may lack, so once the
//! least that each of them lacks is known, each has what the others leave. Cards after which one
//! strategy wins all layouts get no share.
//!
//! After that the sets of the cards are met, those of cards with few sets first. A set of layouts
//! that is on the way loses at least so much by each card that is still to come, in shares: what it
//! lacks of that card's set that fits it best. If that is more than the slack, it goes at once.
//!
//! *Equal cards.* Let two neighbours among the defenders' cards be exchangeable: declarer has none
//! between them, and layouts that differ in them alone weigh the same. If it did not matter which
//! of the two wins a trick to which both are played, a greatest set would treat them alike. For let
//! s be a strategy and t an order of such a kind of cards. Play by s as if the cards that West
//! plays of the kind were the first of t, one after the other, and those that East plays the last.
//! Then, where West has w of them, it is as if he had the first w of t, whatever he plays first, so
//! the class of layouts with w is won if s wins that one. For a random t that is any layout of the
//! class with the same probability, so some t wins classes of no less weight than all that s wins.
//!
//! It does matter, if it decides which defender leads. So one search leaves that to the defenders,
//! and what it finds is won. If some such trick came up in it, another leaves it to declarer, and
//! no set weighs more than what it finds: play of s and t again, where declarer says who has won as
//! t would have it. Mostly the two are the same. If not, a search follows in which each card is a
//! kind of its own, between these bounds.
//!
//! Invariants: all layouts of a subgame are won with all cards seen, and none weighs nothing unless
//! shares were rounded down. An entry of the table has all maximal sets of its subgame that lack no
//! more than its slack.
//!
//! Cost: a table entry for each subgame, with as many sets as are heavy.
//!
//! Source: renaming cards by rank is common to programs that play with all cards seen; shares are a
//! Lagrangian decomposition with fixed multipliers; thresholds: Korf (1985).

use std::collections::HashMap;
use std::rc::Rc;

use meetjoin_lattice::{
    Antichain, Budget, Families, HeavyFamilies, Lattice, Stop, Weights, WorldSet,
};

use super::factors::{Factor, factors};
use super::game::{Ending, EndingGame, EndingPosition};
use super::subgame::{Child, Subgame, Whole};
use super::values::AllSeen;

/// From one slack to the next it grows by this part of itself.
const GROWTH: u64 = 8;

/// The same at the root. There a search costs up to four times as much for each layout more that
/// may be lost, so going too far is much dearer than searches that find nothing.
const GROWTH_AT_ROOT: u64 = 64;

/// A weight is so many shares: 1 to 8 cards divide it.
const SHARES: u64 = 840;

/// Below this, shares of a weight fit.
const MOST_SHARED: u64 = 1 << 50;

/// The heaviest set, what it weighs, and what no set exceeds.
#[derive(Clone, Debug)]
pub struct EndingHeaviest<B> {
    /// Of all layouts of the ending, among them those that do not agree with the position. If the
    /// search was stopped, one that is won, if one is known.
    pub set: Option<B>,
    /// Its weight.
    pub weight: u64,
    /// No set of layouts in which one strategy takes the tricks weighs more.
    pub bound: u64,
    /// What stopped the search.
    pub stop: Option<Stop>,
}

/// What is known of a subgame: all sets that lack so much at most.
pub(super) type Known<B> = HashMap<Subgame, (u64, Rc<Antichain<B>>), ahash::RandomState>;

/// Hears of better bounds: what is won at least, and at most.
pub type Heard<'a> = &'a dyn Fn(u64, u64);

struct Search<'a, B> {
    families: &'a Families<B>,
    seen: &'a mut AllSeen,
    budget: &'a Budget,
    known: Known<B>,
    /// Whether declarer only plays the card that loses least.
    is_greedy: bool,
}

/// The heaviest set from a position on. `families` are over the layouts of the ending; `heard` is
/// told whenever more is known of its weight.
pub fn heaviest_of_ending<B: WorldSet>(
    game: &EndingGame<'_>,
    position: &EndingPosition,
    families: &Families<B>,
    seen: &mut AllSeen,
    budget: &Budget,
    heard: Heard<'_>,
) -> EndingHeaviest<B> {
    let ending = game.ending();
    let whole = Whole::new(game, position, &seen.rules);
    let mut besides = B::full(ending.layouts().len());
    for (place, _) in &whole.places {
        besides.remove(*place);
    }
    let mut found = EndingHeaviest {
        weight: 0,
        bound: whole.subgame.weight(),
        set: None,
        stop: None,
    };
    let kinds = whole.widest_kinds(&seen.rules);
    let elsewhere: u64 = besides
        .ones()
        .map(|place| ending.layouts()[place].weight)
        .sum();
    let heard = |weight: u64, bound: u64| heard(weight + elsewhere, bound + elsewhere);
    let limited = Limited {
        budget,
        heard: &heard,
    };
    let searched = if kinds == whole.subgame.kinds {
        improve(&whole, families, seen, Gives::Both, &mut found, limited)
    } else {
        let merged = whole.in_kinds(kinds);
        in_kinds(&merged, ending, families, &mut found, limited).and_then(|()| {
            if found.weight == found.bound {
                return Ok(());
            }
            improve(&whole, families, seen, Gives::Both, &mut found, limited)
        })
    };
    found.stop = searched.err();
    found.weight += elsewhere;
    found.bound += elsewhere;
    if let Some(set) = &mut found.set {
        set.union_with(&besides);
    }
    found
}

/// What a search may take, and who hears of it.
#[derive(Clone, Copy)]
struct Limited<'a> {
    budget: &'a Budget,
    heard: Heard<'a>,
}

/// What play finds that always chooses the card which loses least with all cards seen: a set that
/// is won, soon. `merged` is for positions where cards come in kinds; all tables are those of the
/// ending, and `known` is of such play alone.
///
/// # Errors
/// If the budget ends it.
pub(super) fn greedy_of_ending<B: WorldSet>(
    game: &EndingGame<'_>,
    position: &EndingPosition,
    families: &Families<B>,
    (seen, merged, known): (&mut AllSeen, &mut AllSeen, &mut Known<B>),
    budget: &Budget,
) -> Result<Option<B>, Stop> {
    let whole = Whole::new(game, position, &seen.rules);
    let mut besides = B::full(game.ending().layouts().len());
    for (place, _) in &whole.places {
        besides.remove(*place);
    }
    let kinds = whole.widest_kinds(&seen.rules);
    let (whole, seen) = if kinds == whole.subgame.kinds {
        (whole, seen)
    } else {
        (whole.in_kinds(kinds), merged)
    };
    let mut search = Search {
        families,
        seen,
        budget,
        known: std::mem::replace(known, nothing_known()),
        is_greedy: true,
    };
    let mut root = Child::whole(whole.subgame.clone());
    let found = search.leave_seen(&mut root).and_then(|()| {
        let total = root.subgame.weight();
        search.value(&root.subgame, total)
    });
    *known = search.known;
    let found = found?;
    let best = found
        .maximal()
        .iter()
        .max_by_key(|set| weight_in(&root, *set));
    Ok(best.map(|set| {
        let mut all = in_places(set, &root, &whole, families.worlds());
        all.union_with(&besides);
        all
    }))
}

/// Nothing known yet.
pub(super) fn nothing_known<B>() -> Known<B> {
    HashMap::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4))
}

/// What a set of layouts of a subgame weighs.
fn weight_in<B: WorldSet>(root: &Child, set: &B) -> u64 {
    let inside = set.ones().map(|place| root.subgame.layouts[place].weight);
    inside.sum()
}

/// The same layouts as those of the ending.
fn in_places<B: WorldSet>(set: &B, root: &Child, whole: &Whole, worlds: usize) -> B {
    let mut all = B::empty(worlds);
    let own: Vec<usize> = set.ones().map(|place| root.places[place]).collect();
    for (place, class) in &whole.places {
        if own.contains(class) {
            all.insert(*place);
        }
    }
    all
}

/// What a search is good for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// A weight that no set exceeds.
    Bound,
    /// That, and a set that is won.
    Both,
}

/// From cards that come in kinds.
fn in_kinds<B: WorldSet>(
    whole: &Whole,
    ending: &Ending,
    families: &Families<B>,
    found: &mut EndingHeaviest<B>,
    limited: Limited<'_>,
) -> Result<(), Stop> {
    let mut seen = AllSeen::with_ties(ending, false);
    let bound = found.bound;
    // What it finds is won, and what it does not find may be.
    let won = |weight: u64, _: u64| (limited.heard)(weight, bound);
    let first = Limited {
        heard: &won,
        ..limited
    };
    improve(whole, families, &mut seen, Gives::Both, found, first)?;
    if !seen.has_ties {
        return Ok(());
    }
    found.bound = bound;
    let mut seen = AllSeen::with_ties(ending, true);
    improve(whole, families, &mut seen, Gives::Bound, found, limited)
}

/// Better bounds, until they meet.
fn improve<B: WorldSet>(
    whole: &Whole,
    families: &Families<B>,
    seen: &mut AllSeen,
    gives: Gives,
    found: &mut EndingHeaviest<B>,
    Limited { budget, heard }: Limited<'_>,
) -> Result<(), Stop> {
    let mut search = Search {
        families,
        seen,
        budget,
        known: nothing_known(),
        is_greedy: true,
    };
    let mut root = Child::whole(whole.subgame.clone());
    search.leave_seen(&mut root)?;
    let total = root.subgame.weight();
    found.bound = found.bound.min(total);
    let weight = |set: &B| weight_in(&root, set);
    let better = |sets: &Antichain<B>, found: &mut EndingHeaviest<B>| {
        for set in sets.maximal() {
            let weight = weight(set);
            if found.set.is_none() || weight > found.weight {
                let all = in_places(set, &root, whole, families.worlds());
                (found.set, found.weight) = (Some(all), weight);
            }
        }
    };
    if gives != Gives::Bound {
        let greedy = search.value(&root.subgame, total)?;
        better(&greedy, found);
        heard(found.weight, found.bound);
        search.known.clear();
    }
    search.is_greedy = false;
    let enough = total - found.weight;
    let step = lightest(&root.subgame);
    let mut slack = total - found.bound;
    loop {
        slack = slack.min(enough);
        let sets = search.value(&root.subgame, slack)?;
        let heaviest = sets.maximal().iter().map(weight).max();
        if gives != Gives::Bound {
            better(&sets, found);
        }
        if let Some(heaviest) = heaviest {
            found.bound = found.bound.min(heaviest.max(found.weight));
            return Ok(());
        }
        if slack == enough {
            found.bound = found.weight;
            return Ok(());
        }
        found.bound = total - slack - 1;
        heard(found.weight, found.bound);
        slack = slack.saturating_add((slack / GROWTH_AT_ROOT).max(step));
    }
}

impl<B: WorldSet> Search<'_, B> {
    /// Drops the layouts that are lost with all cards seen.
    fn leave_seen(&mut self, child: &mut Child) -> Result<(), Stop> {
        let Subgame {
            trick,
            wanted,
            kinds,
            ..
        } = child.subgame;
        let mut won = Vec::with_capacity(child.places.len());
        for layout in &child.subgame.layouts {
            self.budget.steps(1)?;
            let hands = child.subgame.hands(layout);
            won.push(
                self.seen
                    .takes_from(hands, trick, wanted, kinds, self.budget)?,
            );
        }
        let mut won = won.into_iter();
        child.drop_all_but(|_| won.next() == Some(true));
        Ok(())
    }

    /// All maximal sets of layouts in which one strategy takes the tricks and that lack no more
    /// than this, and perhaps others.
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
        let is_declarer = subgame.is_declarers(&self.seen.rules);
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
        for mut child in subgame.children(&self.seen.rules) {
            self.leave_seen(&mut child)?;
            if child.lost <= slack {
                children.push(child);
            }
        }
        children.sort_by_cached_key(|child| child.lost);
        if self.is_greedy {
            children.truncate(1);
        }
        let none = B::empty(worlds);
        let mut sets: Vec<B> = Vec::new();
        for child in children {
            let most = child.before(&B::full(child.places.len()), &none);
            if sets.iter().any(|set| most.is_subset(set)) {
                continue;
            }
            let value = self.value(&child.subgame, slack - child.lost)?;
            sets.extend(self.before(&child, &value, &none, heavy)?);
        }
        self.families.generated_by_many(sets, self.budget)
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
        for child in subgame.children(&self.seen.rules) {
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
        children.sort_by_cached_key(|child| u64::MAX - child.subgame.weight());
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
        let mut parts = Vec::with_capacity(children.len());
        for (child, least) in children.iter().zip(lacking) {
            let value = self.value(&child.subgame, (free + least) / child.unit)?;
            let besides: B = child.outside(worlds);
            let sets = self.before(child, &value, &besides, heavy)?;
            let factors = factors(&sets, worlds);
            parts.push(Part {
                sets,
                factors,
                shares: child.shares(worlds),
            });
        }
        // Few sets first: then few are left when there are many.
        parts.sort_by_cached_key(|part| part.sets.len() as u64);
        let mut sets = heavy.top();
        for (place, part) in parts.iter().enumerate() {
            let meets = self.heavy_meets(sets.maximal(), &part.sets, heavy)?;
            let later = &parts[place + 1..];
            // Where little is to be looked at, first.
            let mut later: Vec<&Part<B>> = later.iter().collect();
            later.sort_by_cached_key(|part| part.size() as u64);
            let mut kept = Vec::new();
            for set in meets {
                let mut outside = B::full(worlds);
                outside.subtract(&set);
                let mut left = slack_in_shares.checked_sub(weights.of_set(&outside) * shares);
                for part in &later {
                    if let Some(some) = left {
                        self.budget.steps(1 + part.size() as u64)?;
                        left = part.costs(&set, some).map(|costs| some - costs);
                    }
                }
                if left.is_some() {
                    kept.push(set);
                }
            }
            sets = self.families.generated_by_many(kept, self.budget)?;
        }
        Ok(sets)
    }

    /// The meets of the sets of two families that are heavy, each once.
    fn heavy_meets(&self, a: &[B], b: &[B], heavy: &HeavyFamilies<'_, B>) -> Result<Vec<B>, Stop> {
        let mut meets = Vec::new();
        for x in a {
            self.budget.steps(b.len() as u64)?;
            if b.iter().any(|y| x.is_subset(y)) {
                // Then the other meets of x lie below it.
                meets.push(x.clone());
                continue;
            }
            for y in b {
                let mut meet = x.clone();
                meet.intersect_with(y);
                if heavy.is_heavy(&meet) {
                    meets.push(meet);
                }
            }
        }
        meets.sort_unstable();
        meets.dedup();
        Ok(meets)
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
    ) -> Result<Vec<B>, Stop> {
        self.budget.steps(value.maximal().len() as u64)?;
        let sets = value.maximal().iter();
        let sets = sets.map(|set| child.before(set, besides));
        Ok(sets.filter(|set| heavy.is_heavy(set)).collect())
    }
}

/// What one strategy can win after a card, and the shares of layouts that the card has.
struct Part<B> {
    sets: Vec<B>,
    /// The same sets as a product.
    factors: Vec<Factor<B>>,
    shares: Vec<u64>,
}

impl<B: WorldSet> Part<B> {
    /// How many sets [`costs`](Self::costs) looks at.
    fn size(&self) -> usize {
        self.factors.iter().map(|factor| factor.sets.len()).sum()
    }

    /// The least, in shares, that a set loses by the card, if it is no more than this: the sum of
    /// what it loses by each factor.
    fn costs(&self, set: &B, most: u64) -> Option<u64> {
        let mut all = 0;
        for factor in &self.factors {
            let mut own = set.clone();
            own.intersect_with(&factor.block);
            let mut least = most - all + 1;
            for other in &factor.sets {
                let mut lost = own.clone();
                lost.subtract(other);
                let mut cost = 0;
                for place in lost.ones() {
                    cost += self.shares[place];
                    if cost >= least {
                        break;
                    }
                }
                least = least.min(cost);
                if least == 0 {
                    break;
                }
            }
            all += least;
            if all > most {
                return None;
            }
        }
        Some(all)
    }
}

fn lightest(subgame: &Subgame) -> u64 {
    let weights = subgame.layouts.iter().map(|layout| layout.weight);
    weights.filter(|weight| *weight > 0).min().unwrap_or(1)
}

/// Shares the weight of each layout among the cards that it allows, in equal parts, and says how
/// many shares are 1. So what the children's sets lack adds up to no more than what a set before
/// the card lacks.
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
