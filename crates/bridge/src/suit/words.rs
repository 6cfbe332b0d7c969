//! A line of play in words.
//!
//! One instruction a trick. What the defenders do is told in the fewest words that part the
//! continuations: that the trick is lost, what one of them plays, that one shows out. What cannot
//! happen any more, or does not matter, is left out.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::play::{Card, Defender, Hand, Suit};

use super::line::Plan;
use super::sentence::{
    Clause, Condition, HIGHEST_SMALL, Happened, LeadPlan, Named, PlanId, Replies, Reply, Way,
};

/// The words for playing high cards.
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

/// The look-up of plans.
pub(super) trait Plans {
    fn plan(&self, plan: PlanId) -> &Plan;
}

/// Lines of text with their indentation in steps.
pub(super) type Lines = Vec<(usize, String)>;

/// The course of a line in one sentence, if both defenders play their lowest cards and declarer
/// wins. Nothing if the line is no longer than that.
pub(super) fn in_short(suit: &Suit, plans: &dyn Plans, mut plan: PlanId) -> Option<String> {
    let words = Words {
        suit,
        plans,
        known: HashMap::new(),
    };
    let lowest = Reply::Kind(suit.kinds().len().saturating_sub(1) as u8);
    let usual = Happened {
        second: lowest,
        fourth: lowest,
        won: true,
    };
    let mut said: Vec<String> = Vec::new();
    let mut has_cases = false;
    let mut last: Option<Hand> = None;
    while let Plan::Lead(lead) = plans.plan(plan) {
        let plain = LeadPlan {
            exceptions: Vec::new(),
            ..lead.clone()
        };
        let sentence = words.instruction(&plain);
        // The hand that leads is named where it changes.
        let again = format!(" from {}", lead.hand.name());
        let sentence = match (lead.card, last == Some(lead.hand)) {
            (Named::Small, true) => sentence.replacen(&again, "", 1),
            _ => sentence,
        };
        let sentence = if said.is_empty() {
            sentence
        } else {
            sentence.replacen("lead ", "", 1)
        };
        said.push(sentence);
        last = Some(lead.hand);
        has_cases |= !lead.exceptions.is_empty() || lead.cases.len() > 1;
        match lead.next(usual) {
            Some(next) => plan = next,
            None => break,
        }
    }
    if matches!(plans.plan(plan), Plan::FromTheTop) {
        said.push(FROM_THE_TOP.to_owned());
    }
    (has_cases && said.len() > 1).then(|| said.join(", then "))
}

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
        let mut lines = vec![(0, self.instruction(lead))];
        let Some(((_, last), others)) = lead.cases.split_last() else {
            return lines;
        };
        let rest = self.of(*last);
        if others.is_empty() {
            if rest[0].1 == FROM_THE_TOP {
                lines[0].1.push_str(", then ");
                lines[0].1.push_str(FROM_THE_TOP);
            } else {
                add(&mut lines, "then ", &rest, 0);
            }
            return lines;
        }
        for (condition, next) in others {
            let next = self.of(*next);
            let opening = format!("if {}, ", self.condition(lead.hand, condition));
            add(&mut lines, &opening, &next, 1);
        }
        add(&mut lines, "else ", &rest, 1);
        lines
    }

    /// What declarer does in a trick.
    fn instruction(&self, lead: &LeadPlan) -> String {
        let (own, other) = (lead.hand.name(), lead.hand.partner().name());
        let second = defenders(lead.hand)[0].name();
        let mut sentence = match (lead.card, lead.way) {
            (Named::Small, Way::To(card)) => {
                format!("lead small from {own} to the {}", name(card))
            }
            (Named::Small, Way::Low | Way::Run) => {
                format!("lead small from {own} and play small from {other}")
            }
            (Named::Small, Way::Alone) => format!("lead small from {own}"),
            (Named::Card(card), Way::To(third)) => {
                format!("lead the {} to the {}", name(card), name(third))
            }
            (Named::Card(card), Way::Run) => format!("run the {}", name(card)),
            (Named::Card(card), Way::Low | Way::Alone) => format!("lead the {}", name(card)),
        };
        for (replies, third) in &lead.exceptions {
            let replies = self.does(second, *replies);
            let _ = match (*third, lead.way) {
                (Named::Card(card), Way::To(usual)) if card == usual => {
                    write!(sentence, " (also if {replies})")
                }
                (Named::Card(card), _) => {
                    write!(sentence, " (if {replies}, play the {})", name(card))
                }
                (Named::Small, _) => write!(sentence, " (if {replies}, play small)"),
            };
        }
        sentence
    }

    /// In which cases a trick goes on with a plan.
    fn condition(&self, hand: Hand, condition: &Condition) -> String {
        let clauses = condition.clauses.iter();
        let clauses: Vec<String> = clauses.map(|clause| self.clause(hand, clause)).collect();
        clauses.join(", or ")
    }

    fn clause(&self, hand: Hand, clause: &Clause) -> String {
        let [second, fourth] = defenders(hand).map(Defender::name);
        let won = clause.won.map(|won| {
            let word = if won { "it wins" } else { "it loses" };
            word.to_owned()
        });
        let does =
            |who: &str, replies: Option<Replies>| replies.map(|replies| self.does(who, replies));
        let parts = [
            won,
            does(second, clause.second),
            does(fourth, clause.fourth),
            does("West or East", clause.either),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(" and ")
    }

    /// "West plays the jack or the king", "West shows out".
    fn does(&self, who: &str, replies: Replies) -> String {
        let played = self.plays(replies);
        let out = replies.has_out().then(|| "shows out".to_owned());
        let all: Vec<String> = played.into_iter().chain(out).collect();
        format!("{who} {}", all.join(" or "))
    }

    /// "plays small, the king or the queen", "plays the six or lower".
    fn plays(&self, replies: Replies) -> Option<String> {
        if replies.has_all(self.suit) {
            return Some("follows".to_owned());
        }
        let mut cards: Vec<Card> = replies.cards(self.suit).descending().collect();
        let mut names = Vec::new();
        if replies.has_small(self.suit) {
            names.push("small".to_owned());
            cards.retain(|card| card.rank() > HIGHEST_SMALL);
        }
        // The lowest of all missing cards, and those next to them.
        let missing: Vec<Card> = self.suit.missing().ascending().collect();
        let lowest = cards.iter().rev().zip(&missing);
        let lowest = lowest.take_while(|(card, missing)| card == missing).count();
        let or_lower = (lowest >= LEAST_OR_LOWER).then(|| {
            let highest = cards[cards.len() - lowest];
            cards.truncate(cards.len() - lowest);
            format!("the {} or lower", name(highest))
        });
        names.extend(cards.into_iter().map(|card| format!("the {}", name(card))));
        names.extend(or_lower);
        (!names.is_empty()).then(|| format!("plays {}", alternatives(&names)))
    }
}

/// From this many cards on, "the six or lower" takes fewer words than naming all.
const LEAST_OR_LOWER: usize = 3;

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
