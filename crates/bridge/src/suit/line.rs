//! A strategy for a suit as a line of play that a person can follow.
//!
//! Problem: there are many strategies that win a set of worlds, each with thousands of positions, and a player wants a few sentences.
//!
//! Idea: a *plan* is what a sentence says: lead this card from there; on that card of the second player put this one; then go on with this plan or, after other cards, with
//! that. Plans know nothing of positions, so equal ones are one and the same, and a plan that was made for one position may *fit* another. Bottom-up, each
//! position gets the shortest plan that wins what the strategy has to win there: each lead that wins is tried; where the defenders' plays go on with different plans, those that
//! fit each other become one. What needs no thought is no plan: a position where nothing can be lost any more, or where high cards from the top do.
//!
//! Invariant: a plan fits a position if following it wins all worlds of the set that are still possible there; nothing else is a plan for it.
//!
//! Cost: all positions that winning leads reach in the worlds of the set.

use std::collections::{BTreeMap, HashMap};

use crate::play::{Card, Cards, Hand, Move, Stage, SuitFamilies, SuitGame, SuitPosition};
use meetjoin_dag::{AndOrDag, Heuristic, Kind};
use meetjoin_lattice::{Budget, Families, Stop, WorldSet};
use meetjoin_search::Tables;
use meetjoin_search::strategy::{Guarantees, Known};
use serde::{Serialize, Serializer};

/// A card of declarer as a sentence names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Named {
    /// Any card that is too low to matter.
    Small,
    /// This one, or one that is equal.
    Card(Card),
}

/// What a defender does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reply {
    /// Nothing that is news: it is known that no card is left.
    None,
    /// A card of a kind.
    Kind(u8),
    /// No card: that is news.
    Out,
}

/// The number of a plan.
pub type PlanId = usize;

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

/// A lead, and what comes then.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeadPlan {
    /// From this hand.
    pub hand: Hand,
    /// This card.
    pub card: Named,
    /// By what the second player does.
    pub seconds: BTreeMap<Reply, SecondPlan>,
}

/// What to do after the second player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SecondPlan {
    /// The card of the third hand, if it has one.
    pub third: Option<Named>,
    /// The third card is the one that needs no words: if the second player's card wins so far, the cheapest that beats it, or the lowest if none does; if the second player
    /// shows out, the highest.
    pub is_natural: bool,
    /// By what the fourth player does: whether declarer has won the trick, and how she goes on.
    pub fourths: BTreeMap<Reply, (bool, PlanId)>,
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

/// A strategy as a tree of cards.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Tree {
    /// Whatever is played wins what can be won.
    #[serde(serialize_with = "any")]
    Any,
    /// A trick.
    Lead {
        /// The card that is led.
        lead: String,
        /// From this hand.
        from: &'static str,
        /// For each reply of the second player.
        then: Vec<SecondTree>,
    },
}

impl Tree {
    /// The first lead, if there is one to name.
    pub fn lead(&self) -> Option<(Hand, Card)> {
        let Self::Lead { lead, from, .. } = self else {
            return None;
        };
        let hand = [Hand::North, Hand::South].into_iter();
        let hand = hand.into_iter().find(|hand| hand.name() == *from)?;
        Some((hand, Card::of_letter(lead.chars().next()?)?))
    }
}

fn any<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("any")
}

/// After the second player.
#[derive(Clone, Debug, Serialize)]
pub struct SecondTree {
    /// The kind of the card, by its cards; `-` for none; nothing if it was known that there is none.
    pub second: Option<String>,
    /// The card of the third hand, if it has one.
    pub third: Option<String>,
    /// For each reply of the fourth player.
    pub then: Vec<FourthTree>,
}

/// After the fourth player.
#[derive(Clone, Debug, Serialize)]
pub struct FourthTree {
    /// As [`SecondTree::second`].
    pub fourth: Option<String>,
    /// The next trick.
    pub next: Tree,
}

/// Makes the plans of one set of worlds.
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

/// The lowest card of a hand is called small up to the seven, whatever the defenders have.
const HIGHEST_SMALL: u8 = 5;

const ANYTHING: PlanId = 0;
const FROM_THE_TOP: PlanId = 1;

/// A way to go on after a lead: after each card of the second player the position, the third card, and what follows each card of the fourth.
type Fourths = Vec<(Reply, At, bool, PlanId)>;
type Choice = ((Option<Named>, bool), Fourths);

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
        let families = meetjoin_dag::Valuation::lattice(values);
        let claim = families.principal(set.clone());
        let mut planner = Self {
            game: values.game(),
            values,
            set,
            guarantees: Guarantees::new(values.game(), values, claim, known, &Tables),
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

    /// About how many lines of text a plan is.
    pub(crate) fn length(&self, plan: PlanId) -> u32 {
        self.plans[plan].1
    }

    fn number(&mut self, plan: Plan) -> PlanId {
        if let Some(known) = self.numbers.get(&plan) {
            return *known;
        }
        let length = match &plan {
            Plan::Anything | Plan::FromTheTop => 0,
            Plan::Lead(lead) => {
                let mut nexts: Vec<PlanId> = Vec::new();
                let mut thirds: Vec<Option<Named>> = Vec::new();
                for second in lead.seconds.values() {
                    nexts.extend(second.fourths.values().map(|(_, next)| *next));
                    thirds.push(second.third);
                }
                nexts.sort_unstable();
                nexts.dedup();
                thirds.sort_unstable();
                thirds.dedup();
                let below: u32 = nexts
                    .iter()
                    .map(|next| 2 * u32::from(*next > FROM_THE_TOP) + self.length(*next))
                    .sum();
                1 + thirds.len() as u32 + nexts.len() as u32 + below
            }
        };
        self.plans.push((plan.clone(), length));
        self.numbers.insert(plan, self.plans.len() - 1);
        self.plans.len() - 1
    }

    /// Whether something is still to be won: a world of the set that is possible and needs more tricks.
    fn matters(&self, position: &SuitPosition) -> bool {
        let mut open = self.values.compatible(position);
        open.intersect_with(&self.set);
        open.subtract(
            self.values
                .won_with(position.tricks().min(self.game.suit().tricks())),
        );
        open.ones().next().is_some()
    }

    fn holds(&mut self, position: &SuitPosition) -> Result<bool, Stop> {
        self.guarantees.holds(position, self.budget)
    }

    /// How a sentence names a card, and which card it is.
    fn named(&self, at: &At, hand: Hand, place: Card) -> (Named, Option<Card>) {
        let equals = self.game.equals(&at.position, at.hand(hand), hand, place);
        let lowest = at
            .hand(hand)
            .ascending()
            .next()
            .filter(|lowest| equals.contains(*lowest));
        let is_low = lowest.is_some_and(|lowest| lowest.rank() <= HIGHEST_SMALL);
        if is_low || self.game.is_small(&at.position, place) {
            (Named::Small, equals.ascending().next())
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

    /// What the defender whose turn it is can do that still matters.
    fn replies(&self, at: &At) -> Vec<(Reply, At)> {
        let moves = self.all_replies(at).into_iter();
        moves
            .filter(|(_, next)| self.matters(&next.position))
            .collect()
    }

    /// What the defender whose turn it is can do.
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

    /// The shortest plan at the beginning of a trick that is known to be good.
    fn plan_at(&mut self, at: At) -> Result<PlanId, Stop> {
        if !self.matters(&at.position) {
            return Ok(ANYTHING);
        }
        if let Some(known) = self.best.get(&at) {
            return Ok(*known);
        }
        self.budget.steps(1)?;
        let plan = if self.wins_from_the_top(&at)? {
            FROM_THE_TOP
        } else {
            let mut best: Option<(u32, PlanId)> = None;
            for (hand, named, _, led) in self.own_moves(&at) {
                if !self.holds(&led.position)? {
                    continue;
                }
                let plan = self.lead(hand, named, &led)?;
                let length = self.length(plan);
                if best.is_none_or(|(shortest, _)| length < shortest) {
                    best = Some((length, plan));
                }
            }
            best.map_or(ANYTHING, |(_, plan)| plan)
        };
        self.best.insert(at, plan);
        Ok(plan)
    }

    /// The shortest plan with this lead.
    fn lead(&mut self, hand: Hand, card: Named, led: &At) -> Result<PlanId, Stop> {
        let mut options: Vec<(Reply, Vec<Choice>)> = Vec::new();
        for (reply, after) in self.seconds(led, false) {
            let mut choices = Vec::new();
            if after.position.follower().is_some() {
                let natural = self.natural(reply, &after);
                for (_, named, card, third) in self.own_moves(&after) {
                    if self.holds(&third.position)? {
                        let is_natural = Some(card) == natural;
                        choices.push(((Some(named), is_natural), self.after_third(&third)?));
                    }
                }
            } else {
                choices.push(((None, false), self.after_third(&after)?));
            }
            options.push((reply, choices));
        }
        // The third card that is good after most cards of the second player, among those that are as short as any.
        let length = |planner: &Self, choice: &Choice| {
            let mut nexts: Vec<PlanId> = choice.1.iter().map(|(.., next)| *next).collect();
            nexts.sort_unstable();
            nexts.dedup();
            nexts
                .iter()
                .map(|next| 1 + planner.length(*next))
                .sum::<u32>()
        };
        let mut common: BTreeMap<(Option<Named>, bool), usize> = BTreeMap::new();
        for (_, choices) in &options {
            let shortest = choices.iter().map(|choice| length(self, choice)).min();
            for choice in choices {
                if Some(length(self, choice)) <= shortest.map(|shortest| shortest + 1) {
                    *common.entry(choice.0).or_default() += 1;
                }
            }
        }
        let mut seconds: Vec<(Reply, Choice)> = Vec::new();
        for (reply, mut choices) in options {
            // Showing out comes last, after the lowest card, and the sentence is about that.
            let usual = seconds.last().map(|(_, ((third, _), _))| *third);
            let is_to_a_card = matches!(usual, Some(Some(Named::Card(_))));
            let rank = |choice: &Choice| {
                let often = common.get(&choice.0).copied().unwrap_or(0);
                let (third, is_natural) = choice.0;
                let needs_no_words = if is_to_a_card {
                    is_natural
                } else {
                    usual == Some(third)
                };
                let is_told = reply == Reply::Out && !needs_no_words;
                (
                    length(self, choice).saturating_sub(often as u32) + u32::from(is_told),
                    usize::MAX - often,
                )
            };
            let best = (0..choices.len()).min_by_key(|place| rank(&choices[*place]));
            if let Some(place) = best {
                seconds.push((reply, choices.swap_remove(place)));
            }
        }
        self.unify(&mut seconds)?;
        let seconds = seconds
            .into_iter()
            .map(|(reply, ((third, is_natural), fourths))| {
                let fourths = fourths
                    .into_iter()
                    .map(|(reply, _, won, next)| (reply, (won, next)));
                (
                    reply,
                    SecondPlan {
                        third,
                        is_natural,
                        fourths: fourths.collect(),
                    },
                )
            });
        let plan = Plan::Lead(LeadPlan {
            hand,
            card,
            seconds: seconds.collect(),
        });
        Ok(self.number(plan))
    }

    /// The third card that needs no words, if there is one.
    fn natural(&self, reply: Reply, at: &At) -> Option<Card> {
        if reply == Reply::Out {
            let moves = self.own_moves(at).into_iter();
            return moves.map(|(_, _, card, _)| card).max();
        }
        self.cheapest(at)
    }

    /// The cheapest card that beats a defender's who is winning, or the lowest if none does.
    fn cheapest(&self, at: &At) -> Option<Card> {
        if at.position.is_winning() {
            return None;
        }
        let moves = self.own_moves(at);
        let wins = moves.iter().filter(|(.., next)| {
            next.position.is_winning() || next.position.tricks() > at.position.tricks()
        });
        let cheapest = wins.map(|(_, _, card, _)| *card).min();
        cheapest.or_else(|| moves.iter().map(|(_, _, card, _)| *card).min())
    }

    fn after_third(&mut self, third: &At) -> Result<Fourths, Stop> {
        let mut fourths = Vec::new();
        for (reply, next) in self.fourths(third, false) {
            let won = next.position.tricks() > third.position.tricks();
            fourths.push((reply, next, won, self.plan_at(next)?));
        }
        // Where no card of the fourth player matters any more.
        Ok(fourths)
    }

    /// Where one plan fits what another was made for, both become one: the longest plans first.
    fn unify(&mut self, seconds: &mut [(Reply, Choice)]) -> Result<(), Stop> {
        let all = seconds
            .iter()
            .flat_map(|(_, (_, fourths))| fourths.iter().map(|(.., plan)| *plan));
        let mut plans: Vec<PlanId> = all.collect();
        plans.sort_unstable_by_key(|plan| (std::cmp::Reverse(self.length(*plan)), *plan));
        plans.dedup();
        if plans.len() < 2 {
            return Ok(());
        }
        for (_, (_, fourths)) in seconds.iter_mut() {
            for (_, at, _, plan) in fourths.iter_mut() {
                for other in &plans {
                    if other == plan {
                        break;
                    }
                    if *other > FROM_THE_TOP && self.fits(*other, *at)? {
                        *plan = *other;
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether following a plan from here wins what is to be won.
    fn fits(&mut self, plan: PlanId, at: At) -> Result<bool, Stop> {
        if !self.matters(&at.position) {
            return Ok(true);
        }
        let lead = match &self.plans[plan].0 {
            Plan::Anything => return Ok(false),
            Plan::FromTheTop => return self.wins_from_the_top(&at),
            Plan::Lead(lead) => lead.clone(),
        };
        if let Some(known) = self.fitting.get(&(plan, at)) {
            return Ok(*known);
        }
        self.budget.steps(1)?;
        let fits = self.lead_fits(&lead, &at)?;
        self.fitting.insert((plan, at), fits);
        Ok(fits)
    }

    fn lead_fits(&mut self, lead: &LeadPlan, at: &At) -> Result<bool, Stop> {
        let Some((.., led)) = self.led(lead, at) else {
            return Ok(false);
        };
        for (reply, after) in self.seconds(&led, false) {
            let Some(second) = lead.after_second(reply) else {
                return Ok(false);
            };
            let Some((card, third)) = self.followed(second.third, &after) else {
                return Ok(false);
            };
            // The rule for a defender who shows out holds where the plan says nothing of it, too.
            let by_rule = reply == Reply::Out
                && !lead.seconds.contains_key(&reply)
                && matches!(second.third, Some(Named::Card(_)));
            if (second.is_natural || by_rule) && card != self.natural(reply, &after) {
                return Ok(false);
            }
            for (reply, next) in self.fourths(&third, false) {
                let Some(plan) = second.after_fourth(reply) else {
                    return Ok(false);
                };
                if !self.fits(plan, next)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The lead of a plan and the position after it, if there is such a card.
    fn led(&self, lead: &LeadPlan, at: &At) -> Option<(Hand, Card, At)> {
        if self.game.kind(&at.position) == Kind::Leaf {
            return None;
        }
        self.played(at, Some(lead.hand), lead.card)
    }

    /// The move that a sentence names. A card that is equal to others of its hand is meant by its own name too.
    fn played(&self, at: &At, from: Option<Hand>, wanted: Named) -> Option<(Hand, Card, At)> {
        let moves = self.own_moves(at).into_iter();
        let moves = moves.filter(|(hand, ..)| from.is_none_or(|from| from == *hand));
        let moves: Vec<_> = moves.collect();
        let exactly = moves.iter().find(|(_, named, ..)| *named == wanted);
        if let Some((hand, _, card, next)) = exactly {
            return Some((*hand, *card, *next));
        }
        let Named::Card(wanted) = wanted else {
            return None;
        };
        moves.into_iter().find_map(|(hand, _, card, mut next)| {
            let held = at.hand(hand);
            let place = self.place(at, hand, card);
            let equals = self.game.equals(&at.position, held, hand, place);
            next.held = at.without(hand, wanted).held;
            (held.contains(wanted) && equals.contains(wanted)).then_some((hand, wanted, next))
        })
    }

    /// The position after the third card of a plan, and that card, if there is such a card, or none is to be played.
    fn followed(&self, third: Option<Named>, at: &At) -> Option<(Option<Card>, At)> {
        if at.position.follower().is_none() {
            return Some((None, *at));
        }
        let moves = self.own_moves(at);
        if let [(_, _, card, next)] = moves.as_slice() {
            return Some((Some(*card), *next));
        }
        let made = self.played(at, None, third?);
        made.map(|(_, card, next)| (Some(card), next))
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

    /// The whole strategy from a position on, with the cards that are played: every reply of the defenders, until whatever is played wins what can be won.
    pub(crate) fn tree(&mut self, at: At, plan: PlanId) -> Tree {
        if !self.matters(&at.position) || self.game.kind(&at.position) == Kind::Leaf {
            return Tree::Any;
        }
        let lead = match self.get(plan) {
            Plan::Lead(lead) => Some(lead.clone()),
            _ => None,
        };
        let made = match &lead {
            Some(lead) => self.led(lead, &at),
            None => self.top_lead(&at),
        };
        let Some((from, card, led)) = made else {
            return Tree::Any;
        };
        let mut then = Vec::new();
        for (reply, after) in self.seconds(&led, true) {
            let planned = lead.as_ref().and_then(|lead| lead.after_second(reply));
            let third = planned.and_then(|planned| self.followed(planned.third, &after));
            let (third, next) = third.unwrap_or_else(|| self.lowest(&after));
            let fourths = self.fourths(&next, true).into_iter().map(|(reply, next)| {
                let plan = planned
                    .and_then(|planned| planned.after_fourth(reply))
                    .unwrap_or(FROM_THE_TOP);
                FourthTree {
                    fourth: self.cards_of(reply),
                    next: self.tree(next, plan),
                }
            });
            let fourths = fourths.collect();
            then.push(SecondTree {
                second: self.cards_of(reply),
                third: third.map(|card| card.to_string()),
                then: fourths,
            });
        }
        Tree::Lead {
            lead: card.to_string(),
            from: from.name(),
            then,
        }
    }

    /// The cards of a kind, `-` for none; nothing if that was known.
    fn cards_of(&self, reply: Reply) -> Option<String> {
        match reply {
            Reply::None => None,
            Reply::Out => Some("-".to_owned()),
            Reply::Kind(kind) => Some(self.game.suit().kinds()[usize::from(kind)].to_string()),
        }
    }

    /// The lowest card of the hand that follows, if it has one.
    fn lowest(&self, at: &At) -> (Option<Card>, At) {
        if at.position.follower().is_none() {
            return (None, *at);
        }
        let moves = self.own_moves(at).into_iter();
        let lowest = moves.min_by_key(|(_, _, card, _)| *card);
        lowest.map_or((None, *at), |(_, _, card, next)| (Some(card), next))
    }
}

impl LeadPlan {
    /// What to do after a card of the second player. Where the plan does the same after all, it does so after any other.
    fn after_second(&self, reply: Reply) -> Option<&SecondPlan> {
        let mut all = self.seconds.values();
        let first = all.next();
        self.seconds
            .get(&reply)
            .or_else(|| first.filter(|first| all.all(|other| other == *first)))
    }
}

impl SecondPlan {
    /// How to go on after a card of the fourth player. Where that is the same after all, it is so after any other.
    fn after_fourth(&self, reply: Reply) -> Option<PlanId> {
        let mut all = self.fourths.values().map(|(_, next)| *next);
        let first = all.next();
        let known = self.fourths.get(&reply).map(|(_, next)| *next);
        known.or_else(|| first.filter(|first| all.all(|other| other == *first)))
    }
}
