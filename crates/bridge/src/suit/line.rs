//! A strategy for a suit as a line of play that a person can follow.
//!
//! Problem: there are many strategies that win a set of worlds, each with thousands of positions,
//! and a player wants a few sentences.
//!
//! Idea: a *plan* is what a sentence says: lead this card from there; on that card of the second
//! player put this one; then go on with this plan or, after other cards, with that. Plans know
//! nothing of positions, so equal ones are one and the same, and a plan that was made for one
//! position may *fit* another. Bottom-up, each position gets the shortest plan that wins what the
//! strategy has to win there: each lead that wins is tried; where the defenders' plays go on with
//! different plans, those that fit each other become one. Positions that need no thought have no
//! sentence: where nothing can be lost any more, or where playing high cards from the top wins.
//!
//! Invariant: a plan fits a position if following it wins all worlds of the set that are still
//! possible there; nothing else is a plan for it.
//!
//! Cost: all positions that winning leads reach in the worlds of the set.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::play::{Card, Cards, Hand, Move, Stage, SuitFamilies, SuitGame, SuitPosition};
use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Budget, Families, Stop, WorldSet};
use meetjoin_search::Tables;
use meetjoin_search::strategy::{Guarantees, Known};

mod tree;

pub use super::sentence::{Clause, Condition, LeadPlan, Named, PlanId, Replies, Reply, Way};
use super::sentence::{Happened, Table};
pub use tree::{FourthTree, SecondTree, Tree};

/// What to do from the beginning of a trick.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Plan {
    /// Whatever is played wins what can be won.
    Anything,
    /// High cards from the top, from the shorter hand first.
    FromTheTop,
    /// A lead, and what comes then.
    Lead(LeadPlan),
}

/// A position with the cards that declarer really holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At {
    /// The position.
    pub position: SuitPosition,
    /// North's cards, and South's.
    pub held: [Cards; 2],
}

impl At {
    /// The cards of a hand.
    pub fn hand(&self, hand: Hand) -> Cards {
        self.held[usize::from(hand == Hand::South)]
    }

    fn without(mut self, hand: Hand, card: Card) -> Self {
        let held = &mut self.held[usize::from(hand == Hand::South)];
        *held = held.without(Cards::NONE.with(card));
        self
    }
}

/// Finds the plans for one set of worlds.
pub(crate) struct Planner<'a, B: WorldSet, H> {
    game: &'a SuitGame<'a>,
    values: &'a SuitFamilies<'a, B>,
    set: B,
    guarantees: Guarantees<
        'a,
        SuitGame<'a>,
        SuitFamilies<'a, B>,
        Known<'a, SuitPosition, SuitFamilies<'a, B>, H>,
        Tables,
    >,
    budget: &'a Budget,
    plans: Vec<(Plan, u32)>,
    numbers: HashMap<Plan, PlanId>,
    best: HashMap<At, PlanId>,
    fitting: HashMap<(PlanId, At), bool>,
    from_the_top: HashMap<SuitPosition, bool>,
}

/// The lowest card of declarer's hand is called small up to the seven, whatever the defenders have.
const HIGHEST_OWN_SMALL: u8 = 5;

const ANYTHING: PlanId = 0;
const FROM_THE_TOP: PlanId = 1;

/// What can happen in a trick: the position after it, and how to go on.
type Outcome = (Happened, At, PlanId);

/// How a trick begins.
struct Trick {
    hand: Hand,
    /// How the card that is led is named.
    named: Named,
    led: Card,
    /// The tricks that declarer has before it.
    before: u8,
}

/// A way to play the third card after one reply: the card, if there is one, and what can happen
/// then.
struct Third {
    play: Option<(Named, Card)>,
    outcomes: Vec<Outcome>,
}

/// What can come after a lead: after each reply the position, and the good ways to go on.
type Replied = Vec<(Reply, At, Vec<Third>)>;

/// The replies after which each of these cards is played.
type Exceptions = BTreeMap<Named, BTreeSet<Reply>>;

/// An exception to the rule of the third card has to spare this many words.
const WORDS_OF_AN_EXCEPTION: u32 = 4;

/// A rule from which the lowest card of the second player is an exception has to spare this many
/// words.
const WORDS_OF_AN_ODD_RULE: u32 = 8;

impl<'a, B, H> Planner<'a, B, H>
where
    B: WorldSet,
    H: Heuristic<SuitPosition, Families<B>>,
{
    /// For a set of worlds that one strategy wins.
    pub(crate) fn new(
        values: &'a SuitFamilies<'a, B>,
        set: B,
        known: H,
        budget: &'a Budget,
    ) -> Self {
        let game = values.as_sets().game();
        let claim = values.lattice().principal(set.clone());
        let mut planner = Self {
            game,
            values,
            set,
            guarantees: Guarantees::new(game, values, claim, known, &Tables),
            budget,
            plans: Vec::new(),
            numbers: HashMap::new(),
            best: HashMap::new(),
            fitting: HashMap::new(),
            from_the_top: HashMap::new(),
        };
        planner.number(Plan::Anything);
        planner.number(Plan::FromTheTop);
        planner
    }

    /// The plan for the whole suit.
    pub(crate) fn plan(&mut self) -> Result<PlanId, Stop> {
        let root = self.root();
        self.plan_at(root)
    }

    pub(crate) fn root(&self) -> At {
        let suit = self.game.suit();
        At {
            position: self.game.root(),
            held: [suit.north(), suit.south()],
        }
    }

    /// A plan by its number.
    pub(crate) fn get(&self, plan: PlanId) -> &Plan {
        &self.plans[plan].0
    }

    /// About how many words a plan is.
    pub(crate) fn length(&self, plan: PlanId) -> u32 {
        self.plans[plan].1
    }

    fn number(&mut self, plan: Plan) -> PlanId {
        if let Some(known) = self.numbers.get(&plan) {
            return *known;
        }
        let length = match &plan {
            Plan::Anything | Plan::FromTheTop => 0,
            Plan::Lead(lead) => self.length_of(lead),
        };
        self.plans.push((plan.clone(), length));
        self.numbers.insert(plan, self.plans.len() - 1);
        self.plans.len() - 1
    }

    /// Whether something is still to be won: a world of the set that is possible and needs more
    /// tricks.
    fn matters(&self, position: &SuitPosition) -> bool {
        let sets = self.values.as_sets();
        let mut open = sets.possible(position);
        open.intersect_with(&self.set);
        open.subtract(&sets.won_with(position.tricks().into()));
        open.ones().next().is_some()
    }

    fn holds(&mut self, position: &SuitPosition) -> Result<bool, Stop> {
        self.guarantees.holds(position, self.budget)
    }

    /// How a sentence names a card, and which card it is.
    fn named(&self, at: &At, hand: Hand, place: Card) -> (Named, Option<Card>) {
        let held = at.hand(hand);
        let equals = self.game.equals(&at.position, held, hand, place);
        let lowest = held.ascending().next();
        let lowest = lowest.filter(|lowest| equals.contains(*lowest));
        let is_small = lowest.is_some_and(|lowest| {
            lowest.rank() <= HIGHEST_OWN_SMALL || self.game.is_small(&at.position, place)
        });
        if is_small {
            (Named::Small, lowest)
        } else {
            let highest = equals.descending().next();
            (highest.map_or(Named::Small, Named::Card), highest)
        }
    }

    /// The moves of declarer, with names and cards, and the positions that follow.
    fn own_moves(&self, at: &At) -> Vec<(Hand, Named, Card, At)> {
        let moves = self.game.moves(&at.position).into_iter();
        let own = moves.filter_map(|(made, next)| match made {
            Move::Play(hand, place) => {
                let (named, card) = self.named(at, hand, place);
                let card = card?;
                let next = At {
                    position: next,
                    ..*at
                }
                .without(hand, card);
                Some((hand, named, card, next))
            }
            _ => None,
        });
        own.collect()
    }

    /// The position after a card of a hand whose turn it is.
    fn played(&self, at: &At, hand: Hand, card: Card) -> At {
        let place = self.place(at, hand, card);
        let position = self.game.after(&at.position, Move::Play(hand, place));
        At { position, ..*at }.without(hand, card)
    }

    /// The replies of the defender to play that still matter.
    fn replies(&self, at: &At) -> Vec<(Reply, At)> {
        let moves = self.all_replies(at).into_iter();
        moves
            .filter(|(_, next)| self.matters(&next.position))
            .collect()
    }

    /// The replies of the defender to play.
    fn all_replies(&self, at: &At) -> Vec<(Reply, At)> {
        let moves = self.game.moves(&at.position).into_iter();
        let replies = moves.filter_map(|(made, next)| {
            let reply = match made {
                Move::Follow(_, kind) => Reply::Kind(kind),
                Move::ShowOut(_) => Reply::Out,
                Move::Play(..) => return None,
            };
            Some((
                reply,
                At {
                    position: next,
                    ..*at
                },
            ))
        });
        replies.collect()
    }

    /// The positions after the second player has played to a lead.
    fn seconds(&self, led: &At, all: bool) -> Vec<(Reply, At)> {
        match led.position.stage() {
            Stage::Second(_) if all => self.all_replies(led),
            Stage::Second(_) => self.replies(led),
            _ => vec![(Reply::None, *led)],
        }
    }

    /// The positions after the fourth player, if it was not known that there is nothing left.
    fn fourths(&self, third: &At, all: bool) -> Vec<(Reply, At)> {
        match third.position.stage() {
            Stage::Fourth(_) if all => self.all_replies(third),
            Stage::Fourth(_) => self.replies(third),
            _ => vec![(Reply::None, *third)],
        }
    }

    /// Whether a trick begins with a lead that was asked for: it is named, whatever it is worth.
    fn is_asked(&self, at: &At) -> bool {
        *at == self.root() && self.game.suit().knowledge().lead.is_some()
    }

    /// The shortest plan known to be good at the beginning of a trick.
    fn plan_at(&mut self, at: At) -> Result<PlanId, Stop> {
        let is_asked = self.is_asked(&at);
        if !is_asked && !self.matters(&at.position) {
            return Ok(ANYTHING);
        }
        if let Some(known) = self.best.get(&at) {
            return Ok(*known);
        }
        self.budget.steps(1)?;
        let plan = if !is_asked && self.wins_from_the_top(&at)? {
            FROM_THE_TOP
        } else {
            let mut best: Option<(u32, PlanId)> = None;
            for (hand, named, card, led) in self.own_moves(&at) {
                if !self.holds(&led.position)? {
                    continue;
                }
                let trick = Trick {
                    hand,
                    named,
                    led: card,
                    before: at.position.tricks(),
                };
                let Some(plan) = self.lead(&trick, &led)? else {
                    continue;
                };
                let length = self.length(plan);
                if best.is_none_or(|(least, _)| length < least) {
                    best = Some((length, plan));
                }
            }
            best.map_or(ANYTHING, |(_, plan)| plan)
        };
        self.best.insert(at, plan);
        Ok(plan)
    }

    /// The shortest plan with this lead.
    fn lead(&mut self, trick: &Trick, at: &At) -> Result<Option<PlanId>, Stop> {
        let (ways, replies) = self.ways(trick, at)?;
        let all: BTreeSet<Reply> = replies.iter().map(|(reply, ..)| *reply).collect();
        // A sentence is about what happens as a rule: if the second player plays low.
        let lowest = all.iter().rfind(|reply| matches!(reply, Reply::Kind(_)));
        let mut best: Option<(u32, LeadPlan)> = None;
        for way in ways {
            let Some((exceptions, outcomes)) = self.by_way(trick, way, &replies)? else {
                continue;
            };
            let is_odd = exceptions
                .values()
                .any(|these| lowest.is_some_and(|lowest| these.contains(lowest)));
            let suit = self.game.suit();
            let exceptions = exceptions
                .into_iter()
                .map(|(named, these)| (Replies::parting(suit, &these, &all), named));
            let plan = LeadPlan {
                hand: trick.hand,
                card: trick.named,
                way,
                exceptions: exceptions.collect(),
                cases: self.shortest_cases(&outcomes)?,
            };
            let length = self.length_of(&plan) + if is_odd { WORDS_OF_AN_ODD_RULE } else { 0 };
            if best.as_ref().is_none_or(|(shortest, _)| length < *shortest) {
                best = Some((length, plan));
            }
        }
        Ok(best.map(|(_, plan)| self.number(Plan::Lead(plan))))
    }

    /// The rules by which the third card could be chosen, and what can come.
    fn ways(&mut self, trick: &Trick, at: &At) -> Result<(BTreeSet<Way>, Replied), Stop> {
        let partner = trick.hand.partner();
        let mut ways = BTreeSet::new();
        let mut replies = Vec::new();
        for (reply, after) in self.seconds(at, false) {
            let mut thirds = Vec::new();
            if after.position.follower().is_none() {
                ways.insert(Way::Alone);
                thirds.push(Third {
                    play: None,
                    outcomes: self.after_third(trick, reply, &after)?,
                });
            } else {
                ways.insert(Way::Low);
                if matches!(trick.named, Named::Card(_)) {
                    ways.insert(Way::Run);
                }
                for (_, named, card, third) in self.own_moves(&after) {
                    if matches!(named, Named::Card(_)) {
                        let held = after.hand(partner);
                        let place = self.place(&after, partner, card);
                        let equals = self.game.equals(&after.position, held, partner, place);
                        // Of equal cards people name the highest, but the lowest leaves the better
                        // names for later.
                        ways.extend(equals.descending().next().map(Way::To));
                        ways.extend(equals.ascending().next().map(Way::To));
                    }
                    if self.holds(&third.position)? {
                        thirds.push(Third {
                            play: Some((named, card)),
                            outcomes: self.after_third(trick, reply, &third)?,
                        });
                    }
                }
            }
            replies.push((reply, after, thirds));
        }
        if replies.is_empty() {
            // Nothing is won by a lead that was asked for: any card does.
            let is_alone = at.hand(partner).is_empty();
            ways.insert(if is_alone { Way::Alone } else { Way::Low });
        }
        Ok((ways, replies))
    }

    /// The outcomes if the third card is played in a way, with exceptions where that loses or takes
    /// many words. `None` if it cannot be played so.
    fn by_way(
        &mut self,
        trick: &Trick,
        way: Way,
        replies: &Replied,
    ) -> Result<Option<(Exceptions, Vec<Outcome>)>, Stop> {
        let mut exceptions = Exceptions::new();
        let mut outcomes = Vec::new();
        for (reply, after, thirds) in replies {
            let held = after.hand(trick.hand.partner());
            let Ok(card) = way.third(held, self.table(trick.led, *reply)) else {
                return Ok(None);
            };
            let known = thirds
                .iter()
                .find(|third| third.play.map(|(_, card)| card) == card);
            let by_rule = match (known, card) {
                (Some(known), _) => Some(known.outcomes.clone()),
                (None, Some(card)) => {
                    let third = self.played(after, trick.hand.partner(), card);
                    let holds = self.holds(&third.position)?;
                    let next = holds.then(|| self.after_third(trick, *reply, &third));
                    next.transpose()?
                }
                (None, None) => None,
            };
            let best = thirds.iter().min_by_key(|third| {
                let named = third.play.map(|(named, _)| named);
                let is_said = named.is_some_and(|named| exceptions.contains_key(&named));
                (self.words_after(&third.outcomes), !is_said)
            });
            let is_short = by_rule.as_ref().is_some_and(|by_rule| {
                let least = best.map_or(0, |best| self.words_after(&best.outcomes));
                self.words_after(by_rule) <= least + WORDS_OF_AN_EXCEPTION
            });
            let exception = best.filter(|_| !is_short && *reply != Reply::None);
            let exception = exception.and_then(|best| Some((best.play?.0, &best.outcomes)));
            match (exception, by_rule) {
                (Some((named, next)), _) => {
                    exceptions.entry(named).or_default().insert(*reply);
                    outcomes.extend_from_slice(next);
                }
                (None, Some(by_rule)) => outcomes.extend(by_rule),
                (None, None) => return Ok(None),
            }
        }
        Ok(Some((exceptions, outcomes)))
    }

    fn table(&self, led: Card, reply: Reply) -> Table {
        let second = match reply {
            Reply::Kind(kind) => self.game.suit().kinds()[usize::from(kind)]
                .descending()
                .next(),
            _ => None,
        };
        Table { led, reply, second }
    }

    /// About how many words it takes to go on.
    fn words_after(&self, outcomes: &[Outcome]) -> u32 {
        let mut nexts: Vec<PlanId> = outcomes.iter().map(|(.., next)| *next).collect();
        nexts.sort_unstable();
        nexts.dedup();
        nexts.iter().map(|next| 2 + self.length(*next)).sum()
    }

    fn length_of(&self, plan: &LeadPlan) -> u32 {
        let nexts = plan.cases.iter().map(|(_, next)| self.length(*next));
        plan.length() + nexts.sum::<u32>()
    }

    fn after_third(
        &mut self,
        trick: &Trick,
        second: Reply,
        third: &At,
    ) -> Result<Vec<Outcome>, Stop> {
        let mut outcomes = Vec::new();
        for (fourth, next) in self.fourths(third, false) {
            let won = next.position.tricks() > trick.before;
            let happened = Happened {
                second,
                fourth,
                won,
            };
            outcomes.push((happened, next, self.plan_at(next)?));
        }
        Ok(outcomes)
    }

    /// How to go on in the fewest words. Where one plan fits what another was made for, both can
    /// become one: for each position by itself, or for all positions of the other.
    fn shortest_cases(&mut self, outcomes: &[Outcome]) -> Result<Vec<(Condition, PlanId)>, Stop> {
        let mut plans: Vec<PlanId> = outcomes.iter().map(|(.., plan)| *plan).collect();
        plans.sort_unstable_by_key(|plan| (Reverse(self.length(*plan)), *plan));
        plans.dedup();
        let mut best = self.cases(outcomes);
        if plans.len() < 2 {
            return Ok(best);
        }
        let words = |planner: &Self, cases: &[(Condition, PlanId)]| -> u32 {
            let cases = cases
                .iter()
                .map(|(condition, next)| 1 + condition.length() + planner.length(*next));
            cases.sum()
        };
        let mut least = words(self, &best);
        let mut fit = Vec::new();
        for plan in plans.iter().filter(|plan| **plan > FROM_THE_TOP) {
            let mut fits = Vec::new();
            for (_, at, own) in outcomes {
                fits.push(own == plan || self.fits(*plan, *at)?);
            }
            fit.push((*plan, fits));
        }
        // All of a group at once, and then what fits by itself.
        let mut whole = outcomes.to_vec();
        for (plan, fits) in &fit {
            for other in plans.iter().filter(|other| *other != plan) {
                let of_other = |place: &usize| whole[*place].2 == *other;
                let places: Vec<usize> = (0..whole.len()).filter(of_other).collect();
                if places.iter().all(|place| fits[*place]) {
                    for place in places {
                        whole[place].2 = *plan;
                    }
                }
            }
        }
        let mut single = outcomes.to_vec();
        for (place, outcome) in single.iter_mut().enumerate() {
            if let Some((plan, _)) = fit.iter().find(|(_, fits)| fits[place]) {
                outcome.2 = *plan;
            }
        }
        for tried in [whole, single] {
            let cases = self.cases(&tried);
            let words = words(self, &cases);
            if words < least {
                (least, best) = (words, cases);
            }
        }
        Ok(best)
    }

    /// The conditions of what happens: the most usual continuation comes last, as the rest, and the
    /// one that needs no thought after that.
    fn cases(&self, outcomes: &[Outcome]) -> Vec<(Condition, PlanId)> {
        let mut left: Vec<(Happened, PlanId)> = Vec::new();
        let mut plans: Vec<(usize, PlanId)> = Vec::new();
        for (happened, _, next) in outcomes.iter().filter(|(.., next)| *next != ANYTHING) {
            left.push((*happened, *next));
            match plans.iter_mut().find(|(_, plan)| plan == next) {
                Some((count, _)) => *count += 1,
                None => plans.push((1, *next)),
            }
        }
        by_use(&mut plans);
        let mut cases = Vec::new();
        for (place, (_, plan)) in plans.iter().enumerate() {
            let condition = if place + 1 == plans.len() {
                Condition::default()
            } else {
                let (inside, outside): (Vec<_>, Vec<_>) =
                    left.iter().partition(|(_, next)| next == plan);
                let of = |some: Vec<(Happened, PlanId)>| -> Vec<Happened> {
                    some.into_iter().map(|(happened, _)| happened).collect()
                };
                Condition::parting(self.game.suit(), &of(inside), &of(outside))
            };
            left.retain(|(_, next)| next != plan);
            cases.push((condition, *plan));
        }
        cases
    }

    /// Whether following a plan from here wins what is to be won.
    fn fits(&mut self, plan: PlanId, at: At) -> Result<bool, Stop> {
        if !self.matters(&at.position) {
            return Ok(true);
        }
        if let Some(known) = self.fitting.get(&(plan, at)) {
            return Ok(*known);
        }
        let lead = match &self.plans[plan].0 {
            Plan::Anything => return Ok(false),
            Plan::FromTheTop => return self.wins_from_the_top(&at),
            Plan::Lead(lead) => lead.clone(),
        };
        self.budget.steps(1)?;
        let fits = self.lead_fits(&lead, &at)?;
        self.fitting.insert((plan, at), fits);
        Ok(fits)
    }

    fn lead_fits(&mut self, lead: &LeadPlan, at: &At) -> Result<bool, Stop> {
        let Some((card, led)) = self.led(lead, at) else {
            return Ok(false);
        };
        for (second, after) in self.seconds(&led, false) {
            let Some((_, third)) = self.followed(lead, card, second, &after) else {
                return Ok(false);
            };
            for (fourth, next) in self.fourths(&third, false) {
                let won = next.position.tricks() > at.position.tricks();
                let fits = match lead.next(Happened {
                    second,
                    fourth,
                    won,
                }) {
                    Some(plan) => self.fits(plan, next)?,
                    None => !self.matters(&next.position),
                };
                if !fits {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The lead of a plan and the position after it, if there is such a card and it may be led.
    fn led(&self, lead: &LeadPlan, at: &At) -> Option<(Card, At)> {
        if self.game.kind(&at.position) == Kind::Leaf {
            return None;
        }
        let card = lead.card.among(at.hand(lead.hand))?;
        let wanted = Move::Play(lead.hand, self.place(at, lead.hand, card));
        let moves = self.game.moves(&at.position);
        let is_allowed = moves.iter().any(|(made, _)| *made == wanted);
        is_allowed.then(|| (card, self.played(at, lead.hand, card)))
    }

    /// The third card of a plan, if one is to be played, and the position after it; nothing if the
    /// words do not fit.
    fn followed(
        &self,
        lead: &LeadPlan,
        led: Card,
        reply: Reply,
        at: &At,
    ) -> Option<(Option<Card>, At)> {
        let partner = lead.hand.partner();
        let third = lead.third(at.hand(partner), self.table(led, reply)).ok()?;
        Some(match third {
            Some(card) => (third, self.played(at, partner, card)),
            None => (None, *at),
        })
    }

    /// Whether high cards from the top win what is to be won.
    fn wins_from_the_top(&mut self, at: &At) -> Result<bool, Stop> {
        if !self.matters(&at.position) {
            return Ok(true);
        }
        if let Some(known) = self.from_the_top.get(&at.position) {
            return Ok(*known);
        }
        self.budget.steps(1)?;
        let wins = self.goes_from_the_top(at)?;
        self.from_the_top.insert(at.position, wins);
        Ok(wins)
    }

    fn goes_from_the_top(&mut self, at: &At) -> Result<bool, Stop> {
        if self.game.kind(&at.position) == Kind::Leaf {
            return self.holds(&at.position);
        }
        let Some((_, _, led)) = self.top_lead(at) else {
            return Ok(false);
        };
        for (_, after) in self.seconds(&led, false) {
            let (_, third) = self.lowest(&after);
            for (_, next) in self.fourths(&third, false) {
                if !self.wins_from_the_top(&next)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The highest card, from the shorter hand if both hands have one as high.
    fn top_lead(&self, at: &At) -> Option<(Hand, Card, At)> {
        let moves = self.own_moves(at).into_iter();
        let best = moves.min_by_key(|(hand, _, card, _)| {
            (
                self.game.region(&at.position, self.place(at, *hand, *card)),
                at.hand(*hand).count(),
            )
        });
        best.map(|(hand, _, card, next)| (hand, card, next))
    }

    fn place(&self, at: &At, hand: Hand, card: Card) -> Card {
        self.game.canonical(&at.position, at.hand(hand), hand, card)
    }

    /// The lowest card of the hand that follows, if it has one.
    fn lowest(&self, at: &At) -> (Option<Card>, At) {
        let Some(hand) = at.position.follower() else {
            return (None, *at);
        };
        match at.hand(hand).ascending().next() {
            Some(card) => (Some(card), self.played(at, hand, card)),
            None => (None, *at),
        }
    }
}

/// Orders plans by the number of outcomes, the most usual last, and after it the one that needs no
/// thought; equally usual ones keep their order. Compiled once for all kinds of sets.
fn by_use(plans: &mut [(usize, PlanId)]) {
    plans.sort_by_key(|(count, plan)| (*plan == FROM_THE_TOP, *count));
}
