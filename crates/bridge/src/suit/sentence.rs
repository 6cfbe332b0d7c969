//! What a sentence of a line says, and how it is read.
//!
//! Problem: words that leave something open are played otherwise than they are meant.
//!
//! Idea: a [`LeadPlan`] holds what its words say and nothing else, and [`Replies`] are sets that
//! words can name. A reader of the words plays as `LeadPlan::next` and [`Way`] say, whatever the
//! cards; the planner calls the same functions. So words are true at each position that a plan was
//! found to fit.
//!
//! Invariant: reading depends on the cards that lie on the table and in the hands, never on the
//! position for which a sentence was made.

use std::collections::BTreeSet;

use crate::play::{Card, Cards, Hand, Suit};

/// The number of a plan.
pub type PlanId = usize;

/// A card of declarer as a sentence names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Named {
    /// The lowest of the hand.
    Small,
    /// This one.
    Card(Card),
}

impl Named {
    /// The card of a hand that is meant, if the hand has it.
    pub(super) fn among(self, hand: Cards) -> Option<Card> {
        match self {
            Self::Small => hand.ascending().next(),
            Self::Card(card) => hand.contains(card).then_some(card),
        }
    }
}

/// What a defender does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reply {
    /// No card, which was known.
    None,
    /// A card of a kind.
    Kind(u8),
    /// No card, which was not known.
    Out,
}

/// Things that a defender may do, as words name them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Replies {
    /// A bit for each kind of which a card is played.
    kinds: u16,
    /// Having none, known or not.
    out: bool,
}

impl Replies {
    fn of(replies: &BTreeSet<Reply>) -> Self {
        let mut all = Self::default();
        for reply in replies {
            match reply {
                Reply::Kind(kind) => all.kinds |= 1 << kind,
                Reply::Out | Reply::None => all.out = true,
            }
        }
        all
    }

    /// The fewest words that tell some replies from the others in `all`. Replies outside `all` may
    /// be on either side.
    pub(super) fn parting(suit: &Suit, these: &BTreeSet<Reply>, all: &BTreeSet<Reply>) -> Self {
        let own = Self::of(these);
        let others = Self::of(&(all - these));
        let every = (1 << suit.kinds().len()) - 1;
        let widened = if own.kinds == 0 {
            own
        } else if others.kinds == 0 {
            Self {
                kinds: every,
                ..own
            }
        } else {
            // All kinds lower than the others, if some of these replies are among them.
            let below = every & !(u16::MAX >> others.kinds.leading_zeros());
            let mut more = 0;
            if own.kinds & below != 0 {
                more = every & (u16::MAX << (own.kinds & below).trailing_zeros());
            }
            let low = small(suit);
            let is_told = straddling(suit) & !(own.kinds | more) == 0;
            if own.kinds & low != 0 && others.kinds & low == 0 && is_told {
                more |= low;
            }
            Self {
                kinds: own.kinds | more,
                ..own
            }
        };
        debug_assert!(these.iter().all(|reply| widened.has(*reply)));
        widened
    }

    /// Whether a reply is one of them.
    pub(super) fn has(self, reply: Reply) -> bool {
        match reply {
            Reply::Kind(kind) => self.kinds >> kind & 1 == 1,
            Reply::Out | Reply::None => self.out,
        }
    }

    /// Whether all small cards are among them, and so are the others of their kinds.
    pub(super) fn has_small(self, suit: &Suit) -> bool {
        let kinds = small(suit) | straddling(suit);
        small(suit) != 0 && self.kinds & kinds == kinds
    }

    /// Whether a card of every kind is.
    pub(super) fn has_all(self, suit: &Suit) -> bool {
        self.kinds.count_ones() as usize == suit.kinds().len()
    }

    /// Whether showing out is one of them.
    pub(super) fn has_out(self) -> bool {
        self.out
    }

    /// The cards.
    pub(super) fn cards(self, suit: &Suit) -> Cards {
        let kinds = suit.kinds().iter().enumerate();
        let kinds = kinds.filter(|(kind, _)| self.kinds >> kind & 1 == 1);
        kinds.fold(Cards::NONE, |all, (_, cards)| all.or(*cards))
    }

    /// How many things words name.
    pub(super) fn length(self) -> u32 {
        self.kinds.count_ones().min(3) + u32::from(self.out)
    }
}

/// The highest card of a defender that is called small.
pub(super) const HIGHEST_SMALL: u8 = 7;

/// The kinds of small cards alone.
fn small(suit: &Suit) -> u16 {
    bits(suit, |cards| {
        cards
            .descending()
            .next()
            .is_none_or(|card| card.rank() <= HIGHEST_SMALL)
    })
}

/// The kinds with small cards and others.
fn straddling(suit: &Suit) -> u16 {
    let some = |cards: Cards| {
        cards
            .ascending()
            .next()
            .is_some_and(|card| card.rank() <= HIGHEST_SMALL)
    };
    bits(suit, some) & !small(suit)
}

fn bits(suit: &Suit, is_one: impl Fn(Cards) -> bool) -> u16 {
    let kinds = suit.kinds().iter().enumerate();
    kinds.fold(0, |all, (kind, cards)| {
        all | u16::from(is_one(*cards)) << kind
    })
}

/// How the third card is chosen where nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    /// The partner of the hand that leads has no card.
    Alone,
    /// The lowest.
    Low,
    /// The lowest; but if a defender's card takes the trick, the cheapest that beats it.
    Run,
    /// This card; but if a defender's card beats it and takes the trick, the cheapest that beats
    /// that; and the highest if the defender shows out.
    To(Card),
}

/// What lies on the table when the third hand is to play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// The card that was led.
    pub(super) led: Card,
    /// What the second player did.
    pub(super) reply: Reply,
    /// The highest card of that kind, if it is one.
    pub(super) second: Option<Card>,
}

impl Way {
    /// The card of a hand that is meant: `Err` if the words do not fit, `None` if the hand has no
    /// card.
    pub(super) fn third(self, hand: Cards, table: Table) -> Result<Option<Card>, Unreadable> {
        let Some(lowest) = hand.ascending().next() else {
            return match self {
                Self::To(_) => Err(Unreadable),
                _ => Ok(None),
            };
        };
        let taking = table.second.filter(|second| *second > table.led);
        let beating = |second: Card| hand.ascending().find(|card| *card > second);
        match (self, taking) {
            (Self::Alone, _) => Err(Unreadable),
            (Self::Low, _) | (Self::Run, None) => Ok(Some(lowest)),
            (Self::Run, Some(second)) => Ok(Some(beating(second).unwrap_or(lowest))),
            (Self::To(card), _) if !hand.contains(card) => Err(Unreadable),
            (Self::To(_), _) if table.reply == Reply::Out => Ok(hand.descending().next()),
            (Self::To(card), Some(second)) if second > card => {
                Ok(Some(beating(second).unwrap_or(lowest)))
            }
            (Self::To(card), _) => Ok(Some(card)),
        }
    }
}

/// A sentence does not say which card to play: it names one that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unreadable;

/// What happened in a trick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Happened {
    pub(super) second: Reply,
    pub(super) fourth: Reply,
    pub(super) won: bool,
}

/// One of the cases of a condition: all that it says holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Clause {
    /// Whether declarer wins the trick.
    pub won: Option<bool>,
    /// What the second player does.
    pub second: Option<Replies>,
    /// What the fourth player does.
    pub fourth: Option<Replies>,
    /// What at least one of them does.
    pub either: Option<Replies>,
}

impl Clause {
    fn holds(&self, happened: Happened) -> bool {
        let Happened {
            second,
            fourth,
            won,
        } = happened;
        self.won.is_none_or(|wanted| wanted == won)
            && self.second.is_none_or(|replies| replies.has(second))
            && self.fourth.is_none_or(|replies| replies.has(fourth))
            && self
                .either
                .is_none_or(|replies| replies.has(second) || replies.has(fourth))
    }

    fn length(&self) -> u32 {
        let parts = [self.second, self.fourth, self.either]
            .into_iter()
            .flatten();
        u32::from(self.won.is_some()) + parts.map(|replies| 1 + replies.length()).sum::<u32>()
    }
}

/// In which cases a trick goes on in one way: those of one of the clauses at least, and all if
/// there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Condition {
    /// The cases.
    pub clauses: Vec<Clause>,
}

impl Condition {
    fn of(clause: Clause) -> Self {
        Self {
            clauses: vec![clause],
        }
    }

    fn holds(&self, happened: Happened) -> bool {
        self.clauses.is_empty() || self.clauses.iter().any(|clause| clause.holds(happened))
    }

    /// About how many words it takes.
    pub(super) fn length(&self) -> u32 {
        self.clauses.iter().map(Clause::length).sum()
    }

    /// The fewest words that part some of what happened from the rest.
    pub(super) fn parting(suit: &Suit, inside: &[Happened], outside: &[Happened]) -> Self {
        let exactly = |clause: &Clause| {
            inside.iter().all(|happened| clause.holds(*happened))
                && !outside.iter().any(|happened| clause.holds(*happened))
        };
        let every = || inside.iter().chain(outside);
        let seconds = Told::new(inside.iter().map(|h| h.second), every().map(|h| h.second));
        let fourths = Told::new(inside.iter().map(|h| h.fourth), every().map(|h| h.fourth));
        let (second, fourth) = (Some(seconds.replies(suit)), Some(fourths.replies(suit)));
        // Plays that lead there whichever defender makes them.
        let all: BTreeSet<Reply> = seconds.all.union(&fourths.all).copied().collect();
        let leads_there = |reply: &Reply| {
            let made = |h: &Happened| h.second == *reply || h.fourth == *reply;
            *reply != Reply::None && !outside.iter().any(made)
        };
        let there: BTreeSet<Reply> = all.iter().copied().filter(leads_there).collect();
        let either = (!there.is_empty()).then(|| Replies::parting(suit, &there, &all));
        let of = |won, second, fourth, either| Clause {
            won,
            second,
            fourth,
            either,
        };
        let (lost, won) = (Some(false), Some(true));
        // Of clauses of one length the first.
        let simple = [
            of(lost, None, None, None),
            of(won, None, None, None),
            of(None, second, None, None),
            of(None, None, fourth, None),
            of(None, None, None, either),
            of(lost, second, None, None),
            of(lost, None, fourth, None),
            of(won, second, None, None),
            of(won, None, fourth, None),
            of(None, second, fourth, None),
        ];
        let best = simple
            .into_iter()
            .filter(exactly)
            .min_by_key(Clause::length);
        best.map_or_else(|| Self::by_second(suit, inside, outside), Self::of)
    }

    /// For each set of plays of the fourth player, those of the second that go with it.
    fn by_second(suit: &Suit, inside: &[Happened], outside: &[Happened]) -> Self {
        let every = || inside.iter().chain(outside);
        let all_seconds: BTreeSet<Reply> = every().map(|happened| happened.second).collect();
        let mut cases: Vec<(BTreeSet<Reply>, BTreeSet<Reply>)> = Vec::new();
        for second in inside
            .iter()
            .map(|happened| happened.second)
            .collect::<BTreeSet<_>>()
        {
            let with = inside.iter().filter(|happened| happened.second == second);
            let fourths: BTreeSet<Reply> = with.map(|happened| happened.fourth).collect();
            match cases.iter_mut().find(|(_, other)| *other == fourths) {
                Some((seconds, _)) => {
                    seconds.insert(second);
                }
                None => cases.push((BTreeSet::from([second]), fourths)),
            }
        }
        let clauses = cases.iter().map(|(seconds, fourths)| {
            let with = every().filter(|happened| seconds.contains(&happened.second));
            let all: BTreeSet<Reply> = with.map(|happened| happened.fourth).collect();
            let fourth = (all != *fourths).then(|| Replies::parting(suit, fourths, &all));
            let second = (all_seconds != *seconds || fourth.is_none())
                .then(|| Replies::parting(suit, seconds, &all_seconds));
            Clause {
                second,
                fourth,
                ..Clause::default()
            }
        });
        Self {
            clauses: clauses.collect(),
        }
    }
}

/// Replies that are told apart from others.
struct Told {
    these: BTreeSet<Reply>,
    all: BTreeSet<Reply>,
}

impl Told {
    fn new(these: impl Iterator<Item = Reply>, all: impl Iterator<Item = Reply>) -> Self {
        Self {
            these: these.collect(),
            all: all.collect(),
        }
    }

    fn replies(&self, suit: &Suit) -> Replies {
        Replies::parting(suit, &self.these, &self.all)
    }
}

/// A lead, and what comes then.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeadPlan {
    /// From this hand.
    pub hand: Hand,
    /// This card.
    pub card: Named,
    /// The third card, as a rule.
    pub way: Way,
    /// After these replies of the second player the third card is this one.
    pub exceptions: Vec<(Replies, Named)>,
    /// How to go on: by the first condition that holds.
    pub cases: Vec<(Condition, PlanId)>,
}

impl LeadPlan {
    /// The third card, or `None` if the hand has none.
    pub(super) fn third(&self, hand: Cards, table: Table) -> Result<Option<Card>, Unreadable> {
        let exception = self
            .exceptions
            .iter()
            .find(|(replies, _)| replies.has(table.reply));
        match exception {
            Some((_, named)) => named.among(hand).map(Some).ok_or(Unreadable),
            None => self.way.third(hand, table),
        }
    }

    /// The next plan.
    pub(super) fn next(&self, happened: Happened) -> Option<PlanId> {
        let case = self
            .cases
            .iter()
            .find(|(condition, _)| condition.holds(happened));
        case.map(|(_, next)| *next)
    }

    /// About how many words it takes, without the plans that follow.
    pub(super) fn length(&self) -> u32 {
        let exceptions = self
            .exceptions
            .iter()
            .map(|(replies, _)| 3 + replies.length());
        let cases = self
            .cases
            .iter()
            .map(|(condition, _)| 1 + condition.length());
        3 + exceptions.sum::<u32>() + cases.sum::<u32>()
    }
}
