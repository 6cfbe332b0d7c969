//! A line of play in words.
//!
//! One instruction a trick. What the defenders do is told in the fewest words that part the continuations: that the trick is lost, what one of them plays, that
//! one shows out. What cannot happen any more, or does not matter, is left out.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use crate::play::{Card, Defender, Hand, Suit};

use super::line::{LeadPlan, Named, Plan, PlanId, Reply};

/// What both defenders have done in a trick, whether it was won, and what comes next: the place of its text.
type Outcome = (Reply, Reply, bool, usize);

/// What needs no more words.
const FROM_THE_TOP: &str = "play from the top";

/// Adds lines, the first with an opening, all so far to the right.
fn add(lines: &mut Lines, opening: &str, more: &Lines, indent: usize) {
    // Below a condition, what goes on without one stands to the right of it.
    let further = usize::from(indent > 0 && more.iter().skip(1).any(|(own, _)| *own == 0));
    let more = more
        .iter()
        .enumerate()
        .map(|(place, (own, text))| match place {
            0 => (indent, format!("{opening}{text}")),
            _ => (indent + own + further, text.clone()),
        });
    lines.extend(more);
}

/// Where plans are looked up.
pub(super) trait Plans {
    fn plan(&self, plan: PlanId) -> &Plan;
}

/// Lines of text with their indentation in steps.
pub(super) type Lines = Vec<(usize, String)>;

/// The instructions of a plan.
pub(super) fn lines(suit: &Suit, plans: &dyn Plans, plan: PlanId) -> Lines {
    let mut words = Words {
        suit,
        plans,
        known: HashMap::new(),
    };
    words.of(plan)
}

struct Words<'a> {
    suit: &'a Suit,
    plans: &'a dyn Plans,
    known: HashMap<PlanId, Lines>,
}

impl Words<'_> {
    /// A plan: the first line has no indentation.
    fn of(&mut self, plan: PlanId) -> Lines {
        if let Some(known) = self.known.get(&plan) {
            return known.clone();
        }
        let plans = self.plans;
        let lines = match plans.plan(plan) {
            Plan::Lead(lead) => self.lead(lead),
            _ => vec![(0, FROM_THE_TOP.to_owned())],
        };
        self.known.insert(plan, lines.clone());
        lines
    }

    /// A trick and all that follows.
    fn lead(&mut self, lead: &LeadPlan) -> Lines {
        // Continuations that read alike are one.
        let mut texts: Vec<(usize, Lines)> = Vec::new();
        let mut outcomes: Vec<Outcome> = Vec::new();
        for (second, plan) in &lead.seconds {
            for (fourth, (won, next)) in &plan.fourths {
                if matches!(self.plans.plan(*next), Plan::Anything) {
                    continue;
                }
                let text = self.of(*next);
                let place = texts
                    .iter()
                    .position(|(_, other)| *other == text)
                    .unwrap_or_else(|| {
                        texts.push((0, text));
                        texts.len() - 1
                    });
                texts[place].0 += 1;
                outcomes.push((*second, *fourth, *won, place));
            }
        }
        // The most usual continuation comes last, as the rest.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        let is_top = |place: usize| texts[place].1[0].1 == FROM_THE_TOP;
        order.sort_by_key(|place| (is_top(*place), texts[*place].0, *place));
        let mut lines = vec![(0, self.instruction(lead))];
        let Some((last, others)) = order.split_last() else {
            return lines;
        };
        if others.is_empty() {
            if is_top(*last) {
                lines[0].1.push_str(", then ");
                lines[0].1.push_str(FROM_THE_TOP);
            } else {
                add(&mut lines, "then ", &texts[*last].1, 0);
            }
            return lines;
        }
        for next in others {
            let condition = self.condition(lead.hand, &outcomes, *next);
            add(&mut lines, &format!("if {condition}, "), &texts[*next].1, 1);
            outcomes.retain(|(.., other)| other != next);
        }
        add(&mut lines, "else ", &texts[*last].1, 1);
        lines
    }

    /// What declarer does in a trick.
    fn instruction(&self, lead: &LeadPlan) -> String {
        let (own, other) = (lead.hand.name(), lead.hand.partner().name());
        let second = defenders(lead.hand)[0];
        let mut thirds: Vec<(usize, Option<Named>)> = Vec::new();
        for (reply, plan) in &lead.seconds {
            let weight = if *reply == Self::lowest(lead) { 100 } else { 1 };
            match thirds.iter_mut().find(|(_, third)| *third == plan.third) {
                Some((count, _)) => *count += weight,
                None => thirds.push((weight, plan.third)),
            }
        }
        thirds.sort_by_key(|(count, third)| (std::cmp::Reverse(*count), *third));
        let usual = thirds.first().and_then(|(_, third)| *third);
        let mut sentence = match (lead.card, usual) {
            (Named::Small, Some(Named::Card(card))) => {
                format!("lead small from {own} to the {}", name(card))
            }
            (Named::Small, Some(Named::Small)) => {
                format!("lead small from {own} and play small from {other}")
            }
            (Named::Small, None) => format!("lead small from {own}"),
            (Named::Card(card), Some(Named::Card(third))) => {
                format!("lead the {} to the {}", name(card), name(third))
            }
            (Named::Card(card), _) if self.is_finesse(card) => format!("run the {}", name(card)),
            (Named::Card(card), _) => format!("lead the {}", name(card)),
        };
        // What the chapter says of such a sentence: a card is covered, and if the second player shows out, the highest is played.
        let by_rule = |reply: Reply| match reply {
            Reply::Out => matches!(usual, Some(Named::Card(_))),
            _ => self.is_covered(lead, usual, reply),
        };
        let out = lead.seconds.get(&Reply::Out);
        if out.is_some_and(|out| by_rule(Reply::Out) && out.third == usual && !out.is_natural) {
            let _ = write!(sentence, " (also if {} shows out)", second.name());
        }
        for (_, third) in thirds.iter().skip(1) {
            let replies = lead.seconds.iter().filter(|(_, plan)| plan.third == *third);
            let told = replies.filter(|(reply, plan)| !(plan.is_natural && by_rule(**reply)));
            let replies: BTreeSet<Reply> = told.map(|(reply, _)| *reply).collect();
            if replies.is_empty() {
                continue;
            }
            let all = lead.seconds.keys().copied().collect();
            let played = self.does(second, &replies, &all);
            let third = match third {
                Some(Named::Card(card)) => format!("the {}", name(*card)),
                _ => "small".to_owned(),
            };
            let _ = write!(sentence, " (if {played}, play {third})");
        }
        sentence
    }

    /// Whether a card of the second player takes the trick from the card that it is about, so that everybody would beat it or give up.
    fn is_covered(&self, lead: &LeadPlan, usual: Option<Named>, reply: Reply) -> bool {
        let Reply::Kind(kind) = reply else {
            return false;
        };
        let ((Some(Named::Card(card)), _) | (_, Named::Card(card))) = (usual, lead.card) else {
            return false;
        };
        let cards = self.suit.kinds()[usize::from(kind)];
        cards
            .descending()
            .next()
            .is_some_and(|highest| highest > card)
    }

    /// Whether a missing card lies above a card.
    fn is_finesse(&self, card: Card) -> bool {
        self.suit
            .missing()
            .descending()
            .next()
            .is_some_and(|highest| highest > card)
    }

    /// The lowest card that the second player can play.
    fn lowest(lead: &LeadPlan) -> Reply {
        let kinds = lead
            .seconds
            .keys()
            .filter(|reply| matches!(reply, Reply::Kind(_)));
        kinds.max().copied().unwrap_or(Reply::None)
    }

    /// In which cases a trick goes on with a plan, in the fewest words.
    fn condition(&self, hand: Hand, outcomes: &[Outcome], next: usize) -> String {
        let [second, fourth] = defenders(hand);
        let inside = |outcome: &Outcome| outcome.3 == next;
        let exactly = |test: &dyn Fn(&Outcome) -> bool| {
            outcomes
                .iter()
                .all(|outcome| test(outcome) == inside(outcome))
        };
        for won in [false, true] {
            if exactly(&|outcome| outcome.2 == won) {
                return if won { "it wins" } else { "it loses" }.to_owned();
            }
        }
        let of = |part: fn(&Outcome) -> Reply| -> BTreeSet<Reply> {
            outcomes
                .iter()
                .filter(|outcome| inside(outcome))
                .map(part)
                .collect()
        };
        let (firsts, lasts) = (of(|outcome| outcome.0), of(|outcome| outcome.1));
        let every = |part: fn(&Outcome) -> Reply| -> BTreeSet<Reply> {
            outcomes.iter().map(part).collect()
        };
        let (all_firsts, all_lasts) = (every(|outcome| outcome.0), every(|outcome| outcome.1));
        if exactly(&|outcome| firsts.contains(&outcome.0)) {
            return self.does(second, &firsts, &all_firsts);
        }
        if exactly(&|outcome| lasts.contains(&outcome.1)) {
            return self.does(fourth, &lasts, &all_lasts);
        }
        // Plays that lead there whoever makes them.
        let both: BTreeSet<Reply> = firsts.union(&lasts).copied().collect();
        let either: BTreeSet<Reply> = both
            .into_iter()
            .filter(|reply| {
                let mut made = outcomes
                    .iter()
                    .filter(|outcome| outcome.0 == *reply || outcome.1 == *reply);
                *reply != Reply::None && made.all(inside)
            })
            .collect();
        if exactly(&|outcome| either.contains(&outcome.0) || either.contains(&outcome.1)) {
            return format!(
                "West or East {}",
                self.plays(&either, &all_firsts.union(&all_lasts).copied().collect())
            );
        }
        for won in [false, true] {
            let how = if won { "it wins" } else { "it loses" };
            if exactly(&|outcome| outcome.2 == won && firsts.contains(&outcome.0)) {
                return format!("{how} and {}", self.does(second, &firsts, &all_firsts));
            }
            if exactly(&|outcome| outcome.2 == won && lasts.contains(&outcome.1)) {
                return format!("{how} and {}", self.does(fourth, &lasts, &all_lasts));
            }
        }
        // For each set of plays of the fourth, those of the second that go with it.
        let mut clauses: Vec<(BTreeSet<Reply>, BTreeSet<Reply>)> = Vec::new();
        for first in &firsts {
            let with = outcomes
                .iter()
                .filter(|outcome| inside(outcome) && outcome.0 == *first);
            let lasts: BTreeSet<Reply> = with.map(|outcome| outcome.1).collect();
            match clauses.iter_mut().find(|(_, other)| *other == lasts) {
                Some((firsts, _)) => {
                    firsts.insert(*first);
                }
                None => clauses.push((BTreeSet::from([*first]), lasts)),
            }
        }
        let clauses = clauses.iter().map(|(firsts, lasts)| {
            let all: BTreeSet<Reply> = outcomes
                .iter()
                .filter(|outcome| firsts.contains(&outcome.0))
                .map(|outcome| outcome.1)
                .collect();
            if all == *lasts {
                self.does(second, firsts, &all_firsts)
            } else if all_firsts == *firsts {
                self.does(fourth, lasts, &all_lasts)
            } else {
                format!(
                    "{} and {}",
                    self.does(second, firsts, &all_firsts),
                    self.does(fourth, lasts, &all_lasts)
                )
            }
        });
        clauses.collect::<Vec<_>>().join(", or ")
    }

    /// Whether a play is of a kind of eights and nines alone.
    fn is_middle(&self, reply: Reply) -> bool {
        let Reply::Kind(kind) = reply else {
            return false;
        };
        let mut cards = self.suit.kinds()[usize::from(kind)].ascending();
        cards.next().is_some_and(|lowest| lowest.rank() >= 6)
    }

    fn does(&self, who: Defender, replies: &BTreeSet<Reply>, all: &BTreeSet<Reply>) -> String {
        format!("{} {}", who.name(), self.plays(replies, all))
    }

    /// "plays the jack or the king", "shows out". Low cards are small where it does not matter which; `all` are the plays that are told apart here.
    fn plays(&self, replies: &BTreeSet<Reply>, all: &BTreeSet<Reply>) -> String {
        let low = |reply: &Reply| matches!(reply, Reply::Kind(kind) if is_low(self.suit, *kind));
        // A nine or an eight can be one by itself: small is what lies below.
        let others = all.difference(replies).filter(|reply| low(reply));
        let lowest_other = others.max().copied();
        let is_small =
            |reply: &Reply| low(reply) && lowest_other.is_none_or(|other| *reply > other);
        let can_be_told = lowest_other.is_none_or(|other| self.is_middle(other));
        let all_small = can_be_told && !replies.iter().any(|reply| low(reply) && !is_small(reply));
        let mut cards: Vec<String> = Vec::new();
        for reply in replies.iter().rev() {
            match reply {
                Reply::Kind(_) if all_small && is_small(reply) => {
                    // Low kinds come first, and one word is enough for all.
                    cards.truncate(0);
                    cards.push("small".to_owned());
                }
                Reply::Kind(kind) => cards.push(kind_name(self.suit, *kind)),
                _ => {}
            }
        }
        let played = (!cards.is_empty()).then(|| format!("plays {}", alternatives(&cards)));
        let out = replies
            .contains(&Reply::Out)
            .then(|| "shows out".to_owned());
        let none = replies
            .contains(&Reply::None)
            .then(|| "has no card".to_owned());
        let all: Vec<String> = played.into_iter().chain(out).chain(none).collect();
        all.join(" or ")
    }
}

/// "a, b or c".
fn alternatives(words: &[String]) -> String {
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// Whether a kind is of low cards: none is an honor, but the ten if nothing lies below.
pub(super) fn is_low(suit: &Suit, kind: u8) -> bool {
    let cards = suit
        .kinds()
        .get(usize::from(kind))
        .copied()
        .unwrap_or_default();
    let is_last = usize::from(kind) + 1 == suit.kinds().len() && cards.count() > 1;
    let highest = cards.descending().next();
    highest.is_none_or(|highest| highest.rank() < 8 + u8::from(is_last))
}

/// Equal cards that are named one by one.
const MOST_NAMED: usize = 3;

/// How a kind of the defenders' cards is called.
pub(super) fn kind_name(suit: &Suit, kind: u8) -> String {
    let cards = suit
        .kinds()
        .get(usize::from(kind))
        .copied()
        .unwrap_or_default();
    let names: Vec<String> = cards.descending().map(name).collect();
    match names.as_slice() {
        [highest, .., lowest] if names.len() > MOST_NAMED => {
            if usize::from(kind) + 1 == suit.kinds().len() {
                format!("the {highest} or lower")
            } else {
                format!("the {highest} to the {lowest}")
            }
        }
        _ => format!("the {}", alternatives(&names)),
    }
}

/// A card in words.
pub(super) fn name(card: Card) -> String {
    match card.letter() {
        'A' => "ace",
        'K' => "king",
        'Q' => "queen",
        'J' => "jack",
        'T' => "ten",
        '9' => "nine",
        '8' => "eight",
        '7' => "seven",
        '6' => "six",
        '5' => "five",
        '4' => "four",
        '3' => "three",
        _ => "two",
    }
    .to_owned()
}

fn defenders(hand: Hand) -> [Defender; 2] {
    match hand {
        Hand::North => [Defender::East, Defender::West],
        Hand::South => [Defender::West, Defender::East],
    }
}
