//! The last tricks of a deal at bridge: the greatest chance of a number of tricks, a strategy that
//! has it, and the results of looking ahead a few tricks.
//!
//! 1. A world is a way to deal the defenders' cards. The chance is the weight of the heaviest set
//!    of worlds in which one strategy takes the tricks.
//! 2. `alpha_mu` (Cazenave and Ventos 2020) looks a given number of tricks ahead and supposes that
//!    declarer sees all cards from then on. Its estimate, the heaviest set of the game cut at that
//!    depth, is never too low. It plays the lead with the highest estimate; the answer also has the
//!    exact value of that lead.
//!
//! The second uses the general search for the heaviest set of a graph. The first has its own
//! search, which identifies positions that differ only in names of cards.

use std::cell::RefCell;
use std::time::Instant;

use super::game::{EAST, Ending, EndingGame, EndingLayout, EndingPosition, NORTH, SOUTH, WEST};
use super::heaviest::{EndingHeaviest, heaviest_of_ending, planned};
use super::plan::{LineNode, Plan, played};
use super::values::{AllSeen, EndingFamilies, EndingSeen};
use fixedbitset::FixedBitSet;
use meetjoin_dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin_families::first_moves::FirstMove;
use meetjoin_families::heaviest::{Wanted, heaviest_of};
use meetjoin_lattice::{Budget, Interval, Lattice, Limits, Stop, Weights, Words, WorldSet};
use meetjoin_search::{At, Env, Horizon, Tables};
use serde::Serialize;

use meetjoin_report::line::{self, Lines, PlayedBy};
use meetjoin_report::{counted, json_line, percent};

/// The result of `alpha_mu`: its estimate and lead, and the exact value of that lead.
#[derive(Clone, Debug)]
pub struct AlphaMu {
    /// Tricks that it looks ahead.
    pub tricks: u32,
    /// The weight that it expects. None if a search for it was stopped.
    pub estimate: Option<u64>,
    /// The card that it leads, if declarer leads and all estimates are known.
    pub lead: Option<String>,
    /// The exact weight after that lead.
    pub worth: Option<u64>,
    /// Why one of its searches was stopped, if one was.
    pub stop: Option<Stop>,
}

/// The answer about an ending.
#[derive(Clone, Debug)]
pub struct EndingAnswer {
    /// The tricks that are left, and those that are wanted.
    pub tricks: (u8, u8),
    /// How many ways there are to deal the defenders' cards.
    pub worlds: usize,
    /// The weight of the worlds in which one strategy takes the tricks; a lower bound if the search
    /// was stopped.
    pub weight: u64,
    /// An upper bound of that weight.
    pub bound: u64,
    /// The weight of all worlds.
    pub total: u64,
    /// The weight of the worlds in which the tricks are taken double dummy. None if there was no
    /// time to find out.
    pub seen: Option<u64>,
    /// A strategy for what is won, its first node first. There is none if nothing is won, if it has
    /// more than a million nodes, if there was no time to work it out, or if only its first trick
    /// was asked for.
    pub line: Vec<LineNode>,
    /// The strategy's first trick for people, and the lead to the next. If the search was stopped,
    /// of the best strategy known, as far as there was time to work it out.
    pub words: Vec<(usize, String)>,
    /// The layouts, if they are asked for, as far as the strategy is known: West's cards, East's,
    /// the weight, and whether the strategy takes the tricks.
    pub layouts: Vec<LayoutRow>,
    /// Dummy's hand and declarer's.
    pub hands: [(&'static str, String); 2],
    /// Who the defenders are, the one who plays before dummy first.
    pub defenders: [&'static str; 2],
    /// The results of `alpha_mu`, if asked for.
    pub alpha_mu: Option<AlphaMu>,
    /// What stopped the search.
    pub stop: Option<Stop>,
}

/// A layout, and whether a strategy takes the tricks in it.
#[derive(Clone, Debug)]
pub struct LayoutRow {
    /// The hands of the defenders, the one who plays before dummy first.
    pub hands: [String; 2],
    /// Its weight.
    pub weight: u64,
    /// Whether the strategy takes the tricks.
    pub is_won: bool,
}

/// A question about an ending, with its limits.
#[derive(Clone)]
#[allow(missing_debug_implementations)] // whoever hears is a function
pub struct EndingRequest<'a> {
    /// The goal, from 1 to the number of tricks left.
    pub tricks: u8,
    /// Also asks for `alpha_mu` with this number of tricks ahead.
    pub ahead: Option<u32>,
    /// Asks for the whole strategy, and not only for its first trick.
    pub is_whole: bool,
    /// The budget of the search.
    pub budget: &'a Budget,
    /// The limits of the work after the search: the best line known, and the double-dummy weight.
    /// Their time starts then, and applies only if the search was stopped. Without them the line is
    /// unlimited, and the double-dummy weight uses what is left of `budget`.
    pub afterwards: Option<Limits>,
    /// Called with better bounds, and the weight of all layouts.
    pub heard: &'a dyn Fn(u64, u64, u64),
}

/// The greatest chance of `tricks` tricks, from 1 to the number left. `ahead` also asks for
/// `alpha_mu` with that look-ahead.
pub fn ending(of: &Ending, tricks: u8, ahead: Option<u32>, budget: &Budget) -> EndingAnswer {
    let request = EndingRequest {
        tricks,
        ahead,
        is_whole: true,
        budget,
        afterwards: None,
        heard: &|_, _, _| (),
    };
    answered(of, request)
}

/// Like [`ending`], with progress reports, and limits for the line of a search that was stopped.
pub fn answered(ending: &Ending, request: EndingRequest<'_>) -> EndingAnswer {
    let game = EndingGame::new(ending, request.tricks);
    match ending.layouts().len() {
        0..=256 => answer::<Words<4>>(&game, request),
        _ => answer::<FixedBitSet>(&game, request),
    }
}

/// What is said of a line that is not worked out.
pub(super) const NOT_TOLD: &str = "one is known, and working it out takes longer than was left";

/// Cards to a trick: each is a level of the game.
const CARDS: u32 = 4;

/// The most nodes of a strategy given as a whole. The first trick and the lead to the next have far
/// fewer.
const MOST_NODES: usize = 1_000_000;

/// The most visits for a strategy.
const MOST_VISITS: u64 = 1_000_000;

/// Cards of the strategy that are told in words: the first trick, and the lead to the next.
const CARDS_IN_WORDS: u32 = 5;

/// Bounds of positions, used for pairs of a position and a depth. They hold for both, because they
/// follow from double-dummy play.
struct KnownAt<'a, B: WorldSet> {
    values: &'a EndingFamilies<'a, B>,
    table: &'a RefCell<AllSeen>,
}

impl<B: WorldSet, L: Lattice> Heuristic<At<EndingPosition>, L> for KnownAt<'_, B>
where
    for<'x> EndingSeen<'x, B>: Heuristic<EndingPosition, L>,
{
    fn bounds(
        &mut self,
        lattice: &L,
        at: &At<EndingPosition>,
        budget: &Budget,
    ) -> Result<Option<Interval<L::Elem>>, Stop> {
        let mut table = self.table.borrow_mut();
        EndingSeen::new((self.values, &mut *table)).bounds(lattice, &at.node, budget)
    }
}

struct Solver<'a, B: WorldSet> {
    game: &'a EndingGame<'a>,
    values: &'a EndingFamilies<'a, B>,
    weights: &'a Weights,
    table: &'a RefCell<AllSeen>,
    budget: &'a Budget,
}

impl<B: WorldSet> Solver<'_, B> {
    /// The heaviest set from a position.
    fn exact(&self, position: &EndingPosition) -> EndingHeaviest<B> {
        heaviest_of_ending(self.game, position, self.budget, &mut |_, _| ())
    }

    /// The weight of the heaviest set from a position, if declarer sees all cards after `cards`
    /// more cards.
    fn heaviest(&self, root: EndingPosition, cards: u32) -> Result<u64, Stop> {
        let dag = Rooted {
            dag: self.game,
            root,
        };
        let families = self.values.lattice();
        let at_depth = |position: &EndingPosition| families.principal(self.seen(position));
        let horizon = Horizon::new(&dag, self.values, at_depth, cards);
        let known = KnownAt {
            values: self.values,
            table: self.table,
        };
        let env = Env::new(self.budget)
            .with_store(Tables)
            .with_heuristic(known);
        let found = heaviest_of(&horizon, &horizon, self.weights, Wanted::most(1), env);
        // What is seen at the depth is a superset if a limit fired.
        found.stop.or(self.budget.fired()).map_or(Ok(()), Err)?;
        Ok(found.sets.first().map_or(0, |(weight, _)| *weight))
    }

    /// The layouts in which the tricks are taken double dummy from a position, and those that do
    /// not agree with it; a superset if the budget runs out.
    fn seen(&self, position: &EndingPosition) -> B {
        let layouts = self.game.ending().layouts();
        let mut won = B::empty(layouts.len());
        for (place, layout) in layouts.iter().enumerate() {
            let is_won = || self.takes(position, layout, self.budget) != Ok(false);
            if !self.game.allows(position, layout) || is_won() {
                won.insert(place);
            }
        }
        won
    }

    /// The weight that double-dummy play wins from a position with which all layouts agree.
    fn weight_seen(&self, position: &EndingPosition, budget: &Budget) -> Result<u64, Stop> {
        let mut weight = 0;
        for layout in self.game.ending().layouts() {
            if self.takes(position, layout, budget)? {
                weight += layout.weight;
            }
        }
        Ok(weight)
    }

    /// Returns whether double-dummy play takes the tricks from a position in a layout.
    fn takes(
        &self,
        position: &EndingPosition,
        layout: &EndingLayout,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let game = self.game;
        if position.is_lead() {
            let wanted = game.goal().saturating_sub(position.tricks());
            let mut table = self.table.borrow_mut();
            return table.takes(game, position, layout.west, wanted, budget);
        }
        let is_declarer = game.kind(position) == Kind::Or;
        for (_, next) in game.moves(position) {
            if game.allows(&next, layout) && self.takes(&next, layout, budget)? == is_declarer {
                return Ok(is_declarer);
            }
        }
        Ok(!is_declarer)
    }

    /// Each first card of declarer, who leads.
    fn first(&self, ahead: &[u32]) -> Result<Vec<FirstMove<EndingPosition>>, Stop> {
        let moves = self.game.moves(&self.game.root()).into_iter();
        let judged = moves.map(|(_, position)| {
            let exact = self.exact(&position);
            let expected = ahead
                .iter()
                .map(|tricks| self.heaviest(position, (CARDS * tricks).saturating_sub(1)));
            let ahead = expected.collect::<Result<_, _>>()?;
            let seen = self.weight_seen(&position, self.budget)?;
            exact.stop.or(self.budget.fired()).map_or(Ok(()), Err)?;
            Ok(FirstMove {
                position,
                worth: exact.weight,
                seen,
                ahead,
            })
        });
        judged.collect()
    }

    fn look_ahead(&self, tricks: u32) -> AlphaMu {
        let mut found = AlphaMu {
            tricks,
            estimate: None,
            lead: None,
            worth: None,
            stop: None,
        };
        found.stop = self.fill(&mut found).err();
        found
    }

    /// Fills in what alpha-mu finds, until a limit ends it.
    fn fill(&self, found: &mut AlphaMu) -> Result<(), Stop> {
        let root = self.game.root();
        let cards = CARDS * found.tricks;
        if self.game.kind(&root) != Kind::Or {
            found.estimate = Some(self.heaviest(root, cards)?);
            return Ok(());
        }
        let mut best: Option<(u64, u8, EndingPosition)> = None;
        for (card, next) in self.game.moves(&root) {
            let estimate = self.heaviest(next, cards - 1)?;
            if best.is_none_or(|(weight, ..)| estimate > weight) {
                best = Some((estimate, card, next));
            }
        }
        if let Some((weight, card, next)) = best {
            found.estimate = Some(weight);
            let ending = self.game.ending();
            let (card, _) = played(self.game, &root, ending.own(), card);
            found.lead = Some(ending.card(card).to_string());
            let exact = self.exact(&next);
            exact.stop.map_or(Ok(()), Err)?;
            found.worth = Some(exact.weight);
        }
        Ok(())
    }
}

/// Calls `of` with a solver for a game.
fn with_solver<B: WorldSet, R>(
    game: &EndingGame<'_>,
    budget: &Budget,
    of: impl FnOnce(&Solver<'_, B>) -> R,
) -> R {
    let ending = game.ending();
    let values = match EndingFamilies::<B>::new(game) {
        Ok(values) => values,
        Err(error) => unreachable!("the size of the sets was chosen to fit: {error}"),
    };
    let weights = ending.layouts().iter().map(|layout| layout.weight);
    let weights = Weights::new(weights).unwrap_or_else(|_| Weights::equal(ending.layouts().len()));
    of(&Solver {
        game,
        values: &values,
        weights: &weights,
        table: &RefCell::new(AllSeen::new(ending)),
        budget,
    })
}

/// The first cards of declarer, who leads to the trick: what each is worth, what is won after it
/// double dummy, and what `alpha_mu` expects, for each number of tricks ahead; with none ahead that
/// is the double-dummy weight.
///
/// # Errors
/// When the budget ends it.
pub fn first_cards(
    ending: &Ending,
    tricks: u8,
    ahead: &[u32],
    budget: &Budget,
) -> Result<Vec<FirstMove<EndingPosition>>, Stop> {
    let game = EndingGame::new(ending, tricks);
    match ending.layouts().len() {
        0..=256 => with_solver::<Words<4>, _>(&game, budget, |solver| solver.first(ahead)),
        _ => with_solver::<FixedBitSet, _>(&game, budget, |solver| solver.first(ahead)),
    }
}

fn answer<B: WorldSet>(game: &EndingGame<'_>, request: EndingRequest<'_>) -> EndingAnswer {
    with_solver::<B, _>(game, request.budget, |solver| answer_of(solver, request))
}

fn answer_of<B: WorldSet>(solver: &Solver<'_, B>, request: EndingRequest<'_>) -> EndingAnswer {
    let EndingRequest {
        ahead,
        is_whole,
        budget,
        ..
    } = request;
    let game = solver.game;
    let ending = game.ending();
    let total = ending.total_weight();
    let mut watch = |weight: u64, bound: u64| (request.heard)(weight, bound, total);
    let (found, plan) = planned::<B>(game, &game.root(), budget, &mut watch);
    let set = found.set.filter(|_| found.weight > 0);
    // The time counts from here, for all that follows, and only if the search was stopped.
    let limits = request.afterwards.map(|limits| {
        let time = limits.time.filter(|_| found.stop.is_some());
        let end = time.and_then(|time| Instant::now().checked_add(time));
        Limits {
            time: None,
            deadline: limits.deadline.into_iter().chain(end).min(),
            ..limits
        }
    });
    let (line, words) = match (&set, plan) {
        (Some(set), Some(plan)) => told(game, (set, plan), is_whole, limits.clone()),
        _ => Default::default(),
    };
    let afterwards = limits.map(Budget::new);
    let seen = solver.weight_seen(&game.root(), afterwards.as_ref().unwrap_or(budget));
    let seen = seen.ok();
    let own = ending.own();
    let layouts = ending.layouts().iter().enumerate();
    let layouts = layouts.map(|(place, layout)| LayoutRow {
        hands: {
            let (west, east) = ending.hands_of(layout);
            [west.to_string(), east.to_string()]
        },
        weight: layout.weight,
        is_won: set.as_ref().is_some_and(|set| set.contains(place)),
    });
    EndingAnswer {
        tricks: (ending.tricks(), game.goal()),
        worlds: ending.layouts().len(),
        weight: found.weight,
        bound: found.bound.min(seen.unwrap_or(total)),
        total,
        seen,
        layouts: layouts.collect(),
        hands: [(NORTH, own.0), (SOUTH, own.1)]
            .map(|(place, hand)| (ending.seat(place).name(), ending.hand(hand).to_string())),
        defenders: [WEST, EAST].map(|place| ending.seat(place).name()),
        words,
        line,
        alpha_mu: ahead.map(|tricks| solver.look_ahead(tricks)),
        stop: found.stop,
    }
}

/// The whole strategy for a set that is won, if it is asked for and small enough, and its first
/// trick in words. Nearly all of it is known already, so it has a budget of its own.
fn told<B: WorldSet>(
    game: &EndingGame<'_>,
    (set, plan): (&B, Plan<'_>),
    is_whole: bool,
    limits: Option<Limits>,
) -> (Vec<LineNode>, Lines) {
    let budget = Budget::new(Limits {
        visits: Some(MOST_VISITS),
        ..limits.unwrap_or_default()
    });
    let mut plan = Plan {
        together: plan.together.continued(&budget),
        kinds: plan.kinds,
    };
    let layouts: Vec<u32> = set.ones().map(|place| place as u32).collect();
    let cards = if is_whole { u32::MAX } else { CARDS_IN_WORDS };
    let (line, is_whole) = plan.line(game, layouts, (cards, MOST_NODES));
    let words = words(&line);
    (if is_whole { line } else { Vec::new() }, words)
}

/// The first trick of a strategy: what declarer's side plays, and the defenders' cards on which it
/// depends. Empty if some of it is not known.
fn words(line: &[LineNode]) -> Lines {
    if !is_known(line, 0, CARDS_IN_WORDS) {
        return Vec::new();
    }
    said(line, 0, CARDS_IN_WORDS)
}

/// Returns whether the line has all nodes below `place`, to a depth of `cards` cards.
fn is_known(line: &[LineNode], place: usize, cards: u32) -> bool {
    let known = |node: &LineNode| {
        let mut next = node.next.iter().filter_map(|(_, to)| *to);
        cards == 0 || next.all(|to| is_known(line, to, cards - 1))
    };
    line.get(place).is_some_and(known)
}

/// The text from a node on, `cards` cards deep.
pub(super) fn said(nodes: &[LineNode], place: usize, cards: u32) -> Lines {
    let node = |place: usize| {
        let node = &nodes[place];
        PlayedBy {
            turn: node.turn,
            leads: node.leads,
            is_own: node.is_own,
            next: &node.next,
        }
    };
    line::said(&node, place, cards)
}

#[derive(Serialize)]
struct AlphaMuJson<'a> {
    tricks: u32,
    estimate: Option<u64>,
    lead: Option<&'a str>,
    numerator: Option<u64>,
    stop: Option<&'static str>,
}

#[derive(Serialize)]
struct EndingJson<'a> {
    format: &'static str,
    left: u8,
    goal: u8,
    worlds: usize,
    numerator: u64,
    denominator: u64,
    probability: f64,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u64>,
    all_cards_seen: Option<u64>,
    line: Option<&'a [LineNode]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha_mu: Option<AlphaMuJson<'a>>,
    stop: Option<&'static str>,
}

impl EndingAnswer {
    /// Whether nothing stopped a search.
    pub fn is_complete(&self) -> bool {
        let ahead = self.alpha_mu.as_ref();
        self.stop.is_none() && ahead.is_none_or(|ahead| ahead.stop.is_none())
    }

    /// One JSON object, `meetjoin-ending/1`.
    pub fn json(&self) -> String {
        json_line(&EndingJson {
            format: "meetjoin-ending/1",
            left: self.tricks.0,
            goal: self.tricks.1,
            worlds: self.worlds,
            numerator: self.weight,
            denominator: self.total,
            probability: self.weight as f64 / self.total as f64,
            exact: self.stop.is_none(),
            bound: self.stop.map(|_| self.bound),
            all_cards_seen: self.seen,
            line: (!self.line.is_empty()).then_some(self.line.as_slice()),
            alpha_mu: self.alpha_mu.as_ref().map(|ahead| AlphaMuJson {
                tricks: ahead.tricks,
                estimate: ahead.estimate,
                lead: ahead.lead.as_deref(),
                numerator: ahead.worth,
                stop: ahead.stop.map(Stop::word),
            }),
            stop: self.stop.map(Stop::word),
        })
    }

    pub(super) fn share(&self, weight: u64) -> String {
        let percent = percent(weight, self.total);
        format!("{percent}  ({weight}/{})", self.total)
    }

    /// Some lines for people.
    pub fn text(&self) -> String {
        let at_least = self.stop.map_or("", |_| "at least ");
        let mut rows = vec![
            ("tricks", format!("{} of {}", self.tricks.1, self.tricks.0)),
            ("worlds", self.worlds.to_string()),
            ("chance", format!("{at_least}{}", self.share(self.weight))),
        ];
        if let Some(stop) = self.stop {
            rows.push(("at most", self.share(self.bound)));
            rows.push(("stopped", stop.to_string()));
        }
        if self.words.is_empty() && self.weight > 0 {
            rows.push(("line", NOT_TOLD.to_owned()));
        }
        if let Some(seen) = self.seen {
            let share = self.share(seen);
            rows.push(("seen", format!("{share} with all cards seen")));
        }
        for (place, (indent, said)) in self.words.iter().enumerate() {
            let key = if place == 0 { "line" } else { "" };
            rows.push((key, format!("{}{said}", "  ".repeat(*indent))));
        }
        if let Some(ahead) = &self.alpha_mu {
            let estimate = ahead.estimate.map(|estimate| self.share(estimate));
            let expects = format!(
                "{} ahead: {}",
                counted(ahead.tricks, "trick"),
                estimate.map_or("not known".to_owned(), |share| format!("expects {share}"))
            );
            let lead = ahead.lead.iter().map(|lead| format!("leads {lead}"));
            let worth = ahead.worth.into_iter();
            let worth = worth.map(|worth| format!("which is worth {}", self.share(worth)));
            let stop = ahead.stop.into_iter().map(|stop| format!("but {stop}"));
            let all: Vec<String> = [expects]
                .into_iter()
                .chain(lead)
                .chain(worth)
                .chain(stop)
                .collect();
            rows.push(("alpha-mu", all.join(", ")));
        }
        let line = |(key, value): &(&str, String)| format!("{key:<9} {value}\n");
        rows.iter().map(line).collect::<Vec<_>>().concat()
    }
}
