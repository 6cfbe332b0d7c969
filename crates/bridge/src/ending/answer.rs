//! The last tricks of a deal at bridge: the greatest chance of so many tricks, a strategy that has
//! it, and what looking ahead a few tricks comes to.
//!
//! 1. A world is a way to deal the defenders' cards. The chance is the weight of the heaviest set
//!    of worlds in which one strategy takes the tricks.
//! 2. `alpha_mu` (Cazenave and Ventos 2020) looks so many tricks ahead and supposes that declarer
//!    sees all cards from then on. Its estimate is the heaviest set of the game that is cut there:
//!    too high or right. It plays the lead with the highest estimate; what that lead is really
//!    worth is beside it.
//!
//! The second is a search for the heaviest set of a graph, as of any. The first is one of its own
//! that knows which positions differ in names alone.

use std::cell::RefCell;
use std::collections::HashMap;

use super::game::{EAST, Ending, EndingGame, EndingPosition, NORTH, SOUTH, WEST};
use super::heaviest::{
    EndingHeaviest, Heard, Known, greedy_of_ending, heaviest_of_ending, nothing_known,
};
use super::values::{AllSeen, EndingFamilies, EndingSeen};
use fixedbitset::FixedBitSet;
use meetjoin_dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin_lattice::{
    Budget, Families, Interval, Lattice, Limits, Stop, Weights, Words, WorldSet,
};
use meetjoin_search::heaviest::{Wanted, heaviest_of};
use meetjoin_search::strategy::{Guarantees, Strategy, strategy};
use meetjoin_search::{At, Env, Horizon, Tables};
use serde::Serialize;

use meetjoin_report::{json_line, percent};

/// What looking ahead comes to.
#[derive(Clone, Debug)]
pub struct AlphaMu {
    /// So many tricks.
    pub tricks: u32,
    /// The weight that it expects.
    pub estimate: u64,
    /// The card that it leads, if declarer leads.
    pub lead: Option<String>,
    /// What that is worth.
    pub worth: Option<u64>,
    /// What stopped one of its searches.
    pub stop: Option<Stop>,
}

/// A node of a strategy: who plays, and what follows each card.
#[derive(Clone, Debug, Serialize)]
pub struct LineNode {
    /// Whose turn it is.
    pub turn: &'static str,
    /// Whether the card begins a trick.
    pub leads: bool,
    /// Whether it is declarer's side that plays.
    #[serde(skip)]
    pub is_own: bool,
    /// Cards that the player holds, and the places of the nodes that follow. Declarer's side has
    /// one; `null` where the tricks are won already.
    pub next: Vec<(String, Option<usize>)>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct EndingAnswer {
    /// The tricks that are left, and those that are wanted.
    pub tricks: (u8, u8),
    /// How many ways there are to deal the defenders' cards.
    pub worlds: usize,
    /// The weight of the worlds in which one strategy takes the tricks: if the search was stopped,
    /// at least.
    pub weight: u64,
    /// At most.
    pub bound: u64,
    /// Of these in all.
    pub total: u64,
    /// The weight of the worlds in which somebody takes the tricks who sees all cards; if the
    /// search was stopped, at most.
    pub seen: u64,
    /// A strategy, its first node first. There is none if the search was stopped.
    pub line: Vec<LineNode>,
    /// The strategy's first trick for people, and the lead to the next. If the search was stopped,
    /// of the best strategy that is known, as far as there was time to work it out.
    pub words: Vec<(usize, String)>,
    /// The weight of the layouts in which that line takes the tricks, if it is less than `weight`.
    pub reaches: Option<u64>,
    /// The layouts, if they are asked for, as far as the strategy is known: West's cards, East's,
    /// the weight, and whether the strategy takes the tricks.
    pub layouts: Vec<LayoutRow>,
    /// Dummy's hand and declarer's.
    pub hands: [(&'static str, String); 2],
    /// Who the defenders are, the one who plays before dummy first.
    pub defenders: [&'static str; 2],
    /// Looking ahead, if asked for.
    pub alpha_mu: Option<AlphaMu>,
    /// What stopped the search.
    pub stop: Option<Stop>,
}

/// What a layout is, and whether a strategy takes the tricks in it.
#[derive(Clone, Debug)]
pub struct LayoutRow {
    /// The hands of the defenders, the one who plays before dummy first.
    pub hands: [String; 2],
    /// What it weighs.
    pub weight: u64,
    /// Whether the strategy takes the tricks.
    pub is_won: bool,
}

/// What is asked of an ending, and what it may take.
#[derive(Clone)]
#[allow(missing_debug_implementations)] // whoever hears is a function
pub struct EndingRequest<'a> {
    /// So many tricks, from 1 to those that are left.
    pub tricks: u8,
    /// Asks for `alpha_mu` with so many tricks ahead too.
    pub ahead: Option<u32>,
    /// What the search may take.
    pub budget: &'a Budget,
    /// The limits within which, after a search that was stopped, the best line that is known is
    /// worked out; a time begins then.
    pub afterwards: Option<Limits>,
    /// Hears of better bounds, and of the weight of all layouts.
    pub heard: &'a dyn Fn(u64, u64, u64),
}

/// The greatest chance of so many tricks, from 1 to those that are left. `ahead` asks for
/// `alpha_mu` with so many tricks too.
pub fn ending(of: &Ending, tricks: u8, ahead: Option<u32>, budget: &Budget) -> EndingAnswer {
    let request = EndingRequest {
        tricks,
        ahead,
        budget,
        afterwards: None,
        heard: &|_, _, _| (),
    };
    answered(of, request)
}

/// The same for whoever listens, and has something left for the line of a search that was stopped.
pub fn answered(ending: &Ending, request: EndingRequest<'_>) -> EndingAnswer {
    let game = EndingGame::new(ending, request.tricks);
    match ending.layouts().len() {
        0..=256 => answer::<Words<4>>(&game, request),
        _ => answer::<FixedBitSet>(&game, request),
    }
}

/// Of a line that is not worked out.
pub(super) const NOT_TOLD: &str = "one is known, and working it out takes longer than was left";

/// Cards to a trick: each is a level of the game.
const CARDS: u32 = 4;

/// Cards of the strategy that are told in words: the first trick, and the lead to the next.
const CARDS_IN_WORDS: u32 = 5;

/// What is known of positions, as bounds of positions at a depth. True of both, because it follows
/// from what is won with all cards seen.
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

/// What is remembered of play that loses least.
struct Memory<B> {
    merged: AllSeen,
    known: Known<B>,
    /// Whether declarer's side only plays the card that loses least in the first trick too.
    one_each: bool,
}

struct Solver<'a, B: WorldSet> {
    game: &'a EndingGame<'a>,
    values: &'a EndingFamilies<'a, B>,
    weights: &'a Weights,
    table: &'a RefCell<AllSeen>,
    budget: &'a Budget,
    heard: Heard<'a>,
}

/// What a search to a depth expects, and what stopped it.
struct Expected {
    weight: u64,
    stop: Option<Stop>,
}

impl<B: WorldSet> Solver<'_, B> {
    /// The heaviest set from a position.
    fn exact(&self, position: &EndingPosition) -> EndingHeaviest<B> {
        let mut table = self.table.borrow_mut();
        let families = self.values.lattice();
        let heard = self.heard;
        heaviest_of_ending(
            self.game,
            position,
            families,
            &mut table,
            self.budget,
            heard,
        )
    }

    /// The heaviest set from a position, if declarer sees all cards after so many cards more.
    fn heaviest(&self, root: EndingPosition, cards: u32) -> Expected {
        let dag = Rooted {
            dag: self.game,
            root,
        };
        let families = self.values.lattice();
        let at_depth = |position: &EndingPosition| {
            let mut table = self.table.borrow_mut();
            let mut known = EndingSeen::new((self.values, &mut *table));
            let bounds =
                Heuristic::<_, Families<B>>::bounds(&mut known, families, position, self.budget);
            match bounds {
                Ok(Some(known)) => known.upper().clone(),
                Ok(None) | Err(_) => families.top(),
            }
        };
        let horizon = Horizon::new(&dag, self.values, at_depth, cards);
        let known = KnownAt {
            values: self.values,
            table: self.table,
        };
        let env = Env::new(self.budget)
            .with_store(Tables)
            .with_heuristic(known);
        let found = heaviest_of(&horizon, &horizon, self.weights, Wanted::most(1), env);
        let best = found.sets.into_iter().next();
        Expected {
            weight: best.map_or(0, |(weight, _)| weight),
            stop: found.stop,
        }
    }

    /// What somebody wins who sees all cards: no less than that, if the budget ends it.
    fn seen(&self) -> u64 {
        let root = self.game.root();
        let mut table = self.table.borrow_mut();
        let mut takes =
            |west: u32| table.takes(self.game, &root, west, self.game.goal(), self.budget);
        let layouts = self.game.ending().layouts().iter();
        let won = layouts.filter(|layout| takes(layout.west) != Ok(false));
        won.map(|layout| layout.weight).sum()
    }

    fn look_ahead(&self, tricks: u32) -> AlphaMu {
        let root = self.game.root();
        let cards = CARDS * tricks;
        let mut found = AlphaMu {
            tricks,
            estimate: 0,
            lead: None,
            worth: None,
            stop: None,
        };
        if self.game.kind(&root) != Kind::Or {
            let whole = self.heaviest(root, cards);
            (found.estimate, found.stop) = (whole.weight, whole.stop);
            return found;
        }
        let mut best: Option<(u64, u8, EndingPosition)> = None;
        for (card, next) in self.game.moves(&root) {
            let estimate = self.heaviest(next, cards - 1);
            found.stop = found.stop.or(estimate.stop);
            if best.is_none_or(|(weight, ..)| estimate.weight > weight) {
                best = Some((estimate.weight, card, next));
            }
        }
        if let Some((weight, card, next)) = best {
            let exact = self.exact(&next);
            found.estimate = weight;
            let ending = self.game.ending();
            let (card, _) = self.played(&root, ending.own(), card);
            found.lead = Some(ending.card(card).to_string());
            found.worth = exact.stop.is_none().then_some(exact.weight);
            found.stop = found.stop.or(exact.stop);
        }
        found
    }

    fn strategy(&self, set: &B, budget: &Budget) -> Option<Strategy<EndingPosition>> {
        let mut table = self.table.borrow_mut();
        let known = EndingSeen::new((self.values, &mut *table));
        let claim = self.values.lattice().principal(set.clone());
        let mut guarantees = Guarantees::new(self.game, self.values, claim, known, &Tables);
        strategy(self.game, &mut guarantees, &mut (), budget)
            .ok()
            .flatten()
    }

    /// The best way to play some cards, if from then on declarer plays what loses least with all
    /// cards seen: for as many cards as the budget goes to, no more than are told. The set that is
    /// won, and the words.
    fn first_trick(&self, budget: &Budget) -> Option<(B, Lines)> {
        let mut memory = Memory {
            merged: AllSeen::with_ties(self.game.ending(), false),
            known: nothing_known(),
            one_each: true,
        };
        let mut known: Option<(u64, B, Lines)> = None;
        // First one card of each hand, which is there soon.
        let steps = [(true, 1), (true, 2), (true, CARDS_IN_WORDS)];
        let steps = steps
            .into_iter()
            .chain((1..=CARDS_IN_WORDS).map(|cards| (false, cards)));
        for (one_each, cards) in steps {
            memory.one_each = one_each;
            let begin = (self.game.root(), self.game.ending().own());
            let mut line = Vec::new();
            let played = self.play_on(begin, cards, &mut line, &mut memory, budget);
            let Ok((set, place)) = played else { break };
            let words = place.map_or_else(Vec::new, |place| said(&line, place, cards));
            let weight = self.weights.of_set(&set);
            if known.as_ref().is_none_or(|(most, ..)| weight >= *most) {
                known = Some((weight, set, words));
            }
        }
        known.map(|(_, set, words)| (set, words))
    }

    /// The weight of the layouts that are won from a position on by who sees all cards.
    fn winnable(&self, position: &EndingPosition, budget: &Budget) -> Result<u64, Stop> {
        let mut table = self.table.borrow_mut();
        let mut known = EndingSeen::new((self.values, &mut *table));
        let families = self.values.lattice();
        let bounds = Heuristic::<_, Families<B>>::bounds(&mut known, families, position, budget)?;
        let sets = bounds.iter().flat_map(|bounds| bounds.upper().maximal());
        Ok(sets.map(|set| self.weights.of_set(set)).max().unwrap_or(0))
    }

    /// The set that is won from a position on, and the place of its node: for so many cards, no
    /// more than those of a trick and one, by the best card, and then by play that loses least.
    fn play_on(
        &self,
        (position, hands): (EndingPosition, (u32, u32)),
        cards: u32,
        line: &mut Vec<LineNode>,
        memory: &mut Memory<B>,
        budget: &Budget,
    ) -> Result<(B, Option<usize>), Stop> {
        let layouts = self.game.ending().layouts();
        let families = self.values.lattice();
        if cards == 0 || self.game.kind(&position) == Kind::Leaf {
            let mut table = self.table.borrow_mut();
            let tables = (&mut *table, &mut memory.merged, &mut memory.known);
            let won = greedy_of_ending(self.game, &position, families, tables, budget)?;
            return Ok((won.unwrap_or_else(|| B::empty(layouts.len())), None));
        }
        let is_own = self.game.kind(&position) == Kind::Or;
        let mut node = LineNode {
            turn: self.game.ending().seat(position.turn()).name(),
            leads: position.is_lead(),
            is_own,
            next: Vec::new(),
        };
        let mut best: Option<(u64, B)> = None;
        let mut moves = self.game.moves(&position);
        if is_own && memory.one_each {
            let mut likeliest: Option<(u64, usize)> = None;
            for (place, (_, after)) in moves.iter().enumerate() {
                let weight = self.winnable(after, budget)?;
                if likeliest.is_none_or(|(most, _)| weight > most) {
                    likeliest = Some((weight, place));
                }
            }
            moves = likeliest.map_or(Vec::new(), |(_, place)| vec![moves[place]]);
        }
        for (card, after) in moves {
            let (card, hands) = self.played(&position, hands, card);
            let (won, place) = self.play_on((after, hands), cards - 1, line, memory, budget)?;
            let next = (self.game.ending().card(card).to_string(), place);
            let weight = self.weights.of_set(&won);
            match &mut best {
                None => {
                    best = Some((weight, won));
                    node.next.push(next);
                }
                Some((most, set)) if is_own => {
                    if weight > *most {
                        (*most, *set) = (weight, won);
                        node.next = vec![next];
                    }
                }
                // Layouts that do not allow a card are won as far as it goes.
                Some((_, set)) => {
                    set.intersect_with(&won);
                    node.next.push(next);
                }
            }
        }
        let set = best.map_or_else(|| B::empty(layouts.len()), |(_, set)| set);
        line.push(node);
        Ok((set, Some(line.len() - 1)))
    }

    /// The nodes of a strategy that can come up in the worlds of a set.
    ///
    /// Positions name declarer's cards by canonical places, and which cards these are depends on
    /// what was played before. So a node is here once for each pair of hands with which declarer
    /// can come to it.
    fn line(&self, found: &Strategy<EndingPosition>, set: &B) -> Vec<LineNode> {
        let ending = self.game.ending();
        let layouts = ending.layouts();
        let matters = |position: &EndingPosition| {
            set.ones()
                .any(|place| self.game.allows(position, &layouts[place]))
        };
        let nodes = found.nodes();
        let is_over = |place: usize| self.game.kind(&nodes[place].0) == Kind::Leaf;
        let (mut line, mut next): (Vec<LineNode>, usize) = (Vec::new(), 0);
        let mut order = vec![(0, ending.own())];
        let mut places = HashMap::from([(order[0], 0)]);
        while let Some((place, hands)) = order.get(next).copied() {
            next += 1;
            let (position, followed) = &nodes[place];
            let moves = self.game.moves(position);
            let mut node = LineNode {
                turn: ending.seat(position.turn()).name(),
                leads: position.is_lead(),
                is_own: self.game.kind(position) == Kind::Or,
                next: Vec::new(),
            };
            for child in followed {
                let after = &nodes[*child].0;
                let Some((card, _)) = moves.iter().find(|(_, next)| next == after) else {
                    continue;
                };
                if !matters(after) {
                    continue;
                }
                let (card, hands) = self.played(position, hands, *card);
                let to = (!is_over(*child)).then(|| {
                    let state = (*child, hands);
                    *places.entry(state).or_insert_with(|| {
                        order.push(state);
                        order.len() - 1
                    })
                });
                node.next.push((ending.card(card).to_string(), to));
            }
            line.push(node);
        }
        line
    }

    /// The card that is really played where a position says `card`, and declarer's real hands after
    /// it.
    fn played(
        &self,
        position: &EndingPosition,
        (north, south): (u32, u32),
        card: u8,
    ) -> (u8, (u32, u32)) {
        let (canonical_north, canonical_south) = position.own();
        match position.turn() {
            NORTH => {
                let card = self.game.real(north, canonical_north, card);
                (card, (north & !(1 << card), south))
            }
            SOUTH => {
                let card = self.game.real(south, canonical_south, card);
                (card, (north, south & !(1 << card)))
            }
            _ => (card, (north, south)),
        }
    }
}

fn answer<B: WorldSet>(game: &EndingGame<'_>, request: EndingRequest<'_>) -> EndingAnswer {
    let EndingRequest { ahead, budget, .. } = request;
    let ending = game.ending();
    let values = match EndingFamilies::<B>::new(game) {
        Ok(values) => values,
        Err(error) => unreachable!("the size of the sets was chosen to fit: {error}"),
    };
    let weights = ending.layouts().iter().map(|layout| layout.weight);
    let weights = Weights::new(weights).unwrap_or_else(|_| Weights::equal(ending.layouts().len()));
    let table = RefCell::new(AllSeen::new(ending));
    let total = ending.total_weight();
    let heard = |weight: u64, bound: u64| (request.heard)(weight, bound, total);
    let solver = Solver {
        game,
        values: &values,
        weights: &weights,
        table: &table,
        budget,
        heard: &heard,
    };
    let seen = solver.seen();
    let found = solver.exact(&game.root());
    let set = found.set.filter(|_| found.weight > 0);
    let line = set.as_ref().and_then(|set| {
        // A strategy for what a stopped search has found can have as many nodes as the whole game.
        // Of that the first trick is told.
        let strategy = found
            .stop
            .is_none()
            .then(|| solver.strategy(set, budget))??;
        Some(solver.line(&strategy, set))
    });
    let line = line.unwrap_or_default();
    let mut words = words(&line);
    let (mut weight, mut set, mut reaches) = (found.weight, set, None);
    if let (Some(_), Some(limits)) = (found.stop, request.afterwards)
        && let Some((won, told)) = solver.first_trick(&Budget::new(limits))
    {
        let of_line = weights.of_set(&won);
        if of_line >= weight {
            (weight, set) = (of_line, Some(won));
        } else {
            reaches = Some(of_line);
        }
        words = told;
    }
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
        weight,
        bound: found.bound.min(seen),
        total,
        seen,
        layouts: layouts.collect(),
        hands: [(NORTH, own.0), (SOUTH, own.1)]
            .map(|(place, hand)| (ending.seat(place).name(), ending.hand(hand).to_string())),
        defenders: [WEST, EAST].map(|place| ending.seat(place).name()),
        words,
        reaches,
        line,
        alpha_mu: ahead.map(|tricks| solver.look_ahead(tricks)),
        stop: found.stop,
    }
}

/// Lines of text with their indentation in steps.
type Lines = Vec<(usize, String)>;

/// The first trick of a strategy: what declarer's side plays, and what parts the ways.
fn words(line: &[LineNode]) -> Lines {
    if line.is_empty() {
        return Vec::new();
    }
    said(line, 0, CARDS_IN_WORDS)
}

/// The text from a node on, for so many cards: no deeper than those.
pub(super) fn said(line: &[LineNode], place: usize, cards: u32) -> Lines {
    if cards == 0 {
        return Vec::new();
    }
    let node = &line[place];
    let after = |to: &Option<usize>| to.map_or_else(Vec::new, |to| said(line, to, cards - 1));
    // Cards, and the text that follows each of them.
    let mut ways: Vec<(Vec<&str>, Lines)> = Vec::new();
    for (card, to) in &node.next {
        let text = after(to);
        match ways.iter_mut().find(|(_, other)| *other == text) {
            Some((cards, _)) => cards.push(card),
            None => ways.push((vec![card], text)),
        }
    }
    let verb = if node.leads { "leads" } else { "plays" };
    let mut text = Vec::new();
    match ways.as_slice() {
        // What a defender does is said where something follows.
        [(_, rest)] if !node.is_own && rest.is_empty() => {}
        [(cards, rest)] => {
            text.push(match cards.as_slice() {
                [card] => (0, format!("{} {verb} {card}", node.turn)),
                _ => (0, format!("whatever {} {verb}", node.turn)),
            });
            text.extend(rest.iter().cloned());
        }
        _ => {
            // The case of most cards comes last, so that cases which differ only in those that are
            // left read alike.
            let widest = (0..ways.len()).max_by_key(|way| ways[*way].0.len());
            let all_go_on = ways.iter().all(|(_, rest)| !rest.is_empty());
            let last = widest.filter(|way| all_go_on && ways[*way].0.len() > 1);
            let cases = (0..ways.len()).filter(|way| Some(*way) != last);
            for way in cases.chain(last) {
                let (cards, rest) = &ways[way];
                if rest.is_empty() {
                    continue;
                }
                let case = if Some(way) == last {
                    "otherwise".to_owned()
                } else {
                    format!("if {} {verb} {}", node.turn, cards.join(", "))
                };
                text.push((0, case));
                text.extend(rest.iter().map(|(indent, said)| (indent + 1, said.clone())));
            }
        }
    }
    text
}

#[derive(Serialize)]
struct AlphaMuJson<'a> {
    tricks: u32,
    estimate: u64,
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
    all_cards_seen: u64,
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
        let mut rows = vec![
            ("tricks", format!("{} of {}", self.tricks.1, self.tricks.0)),
            ("worlds", self.worlds.to_string()),
            ("chance", self.share(self.weight)),
        ];
        if let Some(stop) = self.stop {
            rows.push(("at most", self.share(self.bound)));
            rows.push(("stopped", stop.to_string()));
            if self.words.is_empty() && self.weight > 0 {
                rows.push(("line", NOT_TOLD.to_owned()));
            }
        }
        rows.push((
            "seen",
            format!("{} with all cards seen", self.share(self.seen)),
        ));
        if let Some(weight) = self.reaches {
            rows.push((
                "line",
                format!("that is known, for {}:", self.share(weight)),
            ));
        }
        for (place, (indent, said)) in self.words.iter().enumerate() {
            let is_first = place == 0 && self.reaches.is_none();
            let key = if is_first { "line" } else { "" };
            rows.push((key, format!("{}{said}", "  ".repeat(*indent))));
        }
        if let Some(ahead) = &self.alpha_mu {
            let expects = format!(
                "{} tricks ahead: expects {}",
                ahead.tricks,
                self.share(ahead.estimate)
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
