//! Endings of games of tricks: what MAX can guarantee, a strategy for it, and what her first cards
//! are worth.

use std::cell::RefCell;
use std::fmt::Write as _;

use fixedbitset::FixedBitSet;
use meetjoin_dag::{HiddenFamilies, HiddenGame, Played, Stakes, Turn};
use meetjoin_families::first_moves::{FirstMove, first_moves};
use meetjoin_families::heaviest::{Wanted, heaviest_of};
use meetjoin_families::perfect_information::HiddenBounds;
use meetjoin_games::tricks::{TrickPosition, Tricks};
use meetjoin_lattice::{Budget, Families, Stop, Weights};
use meetjoin_report::json_line;
use meetjoin_report::line::{Lines, PlayedBy, said};
use meetjoin_search::strategy::{Guarantees, Strategy, strategy};
use meetjoin_search::{Env, Tables};
use serde::Serialize;

use crate::game::sentence;

/// In place of the strategy after a stopped search.
const NOT_TOLD: &str = "one is known, and is worked out where no limit ends the search";

/// A first card. Numbers are points multiplied by the weights of worlds and summed, or weights of
/// worlds in which the goal is reached.
#[derive(Clone, Debug, Serialize)]
pub struct FirstCard {
    /// The card.
    pub card: String,
    /// What one strategy guarantees after it; where few points are wanted, the most that it takes.
    pub worth: u64,
    /// What MAX wins after it with all cards seen.
    pub seen: u64,
    /// The estimate of alpha-mu.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_mu: Option<u64>,
}

/// A node of a strategy: who plays, and the node after each card, of which MAX has one. `null`
/// where nothing is left to decide.
#[derive(Clone, Debug, Serialize)]
pub struct PlayNode {
    /// Who plays.
    pub turn: String,
    /// Whether the card begins a trick.
    pub leads: bool,
    /// Whether MAX plays it, for herself or for a partner.
    #[serde(skip)]
    pub is_own: bool,
    /// Cards, and the indices of the nodes after them.
    pub next: Vec<(String, Option<usize>)>,
}

/// The answer about an ending.
#[derive(Clone, Debug)]
pub struct TricksAnswer {
    /// The tricks that are left.
    pub tricks: u32,
    /// Whether the question is for a goal, and not for points.
    pub is_goal: bool,
    /// The number of ways to deal the unseen cards.
    pub worlds: usize,
    /// Whether few points are wanted: then all points here are the most that MAX's side takes.
    pub wants_few: bool,
    /// The weight that the best known strategy guarantees. If a limit ended the search, a better
    /// one may guarantee more or, where few points are wanted, take fewer.
    pub weight: u64,
    /// No strategy guarantees more; where few points are wanted, none takes fewer.
    pub bound: u64,
    /// The weight of all worlds.
    pub total: u64,
    /// What MAX wins with all cards seen. None if a limit ended that search.
    pub seen: Option<u64>,
    /// The first cards, if MAX leads.
    pub cards: Vec<FirstCard>,
    /// A strategy that guarantees `weight`, its first node first. Empty if that is nothing, if
    /// there is nothing to decide, or if a limit ended the search.
    pub line: Vec<PlayNode>,
    /// Whether a strategy is known but not in `line`, because a limit ended the search.
    pub is_line_left: bool,
    /// The number of cards in a trick.
    pub players: usize,
    /// Why a search was stopped, if one was.
    pub stop: Option<Stop>,
}

/// Finds the greatest average of points that MAX can guarantee, or the greatest chance of the goal;
/// where few points are wanted, the smallest average of the most that she takes. `ahead` asks for
/// alpha-mu's estimates of her first cards with a depth of so many tricks.
///
/// # Errors
/// If there are too many stakes, or the weights of worlds are too large.
pub fn tricks(game: Tricks, ahead: Option<u32>, budget: &Budget) -> Result<TricksAnswer, String> {
    // Cards are shown by their real names, in every position.
    let game = &game.with_real_names();
    let stakes = Stakes::asked(game, None).map_err(sentence)?;
    let values = HiddenFamilies::<_, FixedBitSet>::new(game, &stakes).map_err(sentence)?;
    let weights = stakes.weights(game).map_err(sentence)?;
    let all: u64 = (0..stakes.len()).map(|place| weights.of_world(place)).sum();
    // Where few points are wanted, the search counts points that are not taken.
    let points = |weight: u64| {
        if game.wants_few() {
            all - weight
        } else {
            weight
        }
    };
    let dag = Played(game);
    // All searches share one table, which may have gigabytes.
    let known = RefCell::new(HiddenBounds::new(values.as_sets()));
    let seen = known.borrow_mut().seen(&game.start(), budget);
    let mut stop = seen.as_ref().err().copied();
    let seen = seen.ok().flatten().map(|set| weights.of_set(&set));
    let env = Env::new(budget).with_store(Tables).with_heuristic(&known);
    let found = heaviest_of(&dag, &values, &weights, Wanted::most(1), env);
    stop = stop.or(found.stop);
    let best = found.sets.into_iter().next();
    let mut cards = Vec::new();
    if game.turn(&game.start()) == Turn::Max {
        let depths: Vec<u32> = ahead
            .map(|tricks| tricks.saturating_mul(game.players() as u32))
            .into_iter()
            .collect();
        match first_cards(&values, &weights, &depths, budget) {
            Ok(moves) => {
                for each in moves {
                    let mut card = String::new();
                    // Writing to a string cannot fail.
                    let _ = game.move_name(&game.start(), &each.position, &mut card);
                    cards.push(FirstCard {
                        card,
                        worth: points(each.worth),
                        seen: points(each.seen),
                        alpha_mu: each.ahead.first().copied().map(points),
                    });
                }
            }
            Err(stopped) => stop = stop.or(Some(stopped)),
        }
    }
    let (weight, set) = best.map_or((0, None), |(weight, set)| (weight, Some(set)));
    let mut line = Vec::new();
    if stop.is_none()
        && weight > 0
        && let Some(set) = set
    {
        let families: &Families<FixedBitSet> = meetjoin_dag::Valuation::lattice(&values);
        let claim = families.principal(set.clone());
        let mut guarantees = Guarantees::new(&dag, &values, claim, &known, &Tables);
        match strategy(&dag, &mut guarantees, &mut (), budget) {
            Ok(Some(found)) => line = nodes(game, &values, &found, &set),
            Ok(None) => {}
            Err(stopped) => stop = Some(stopped),
        }
    }
    Ok(TricksAnswer {
        tricks: game.tricks(),
        is_goal: game.is_goal(),
        worlds: game.worlds(),
        wants_few: game.wants_few(),
        weight: points(weight),
        bound: points(found.bound.min(seen.unwrap_or(all))),
        total: (0..game.worlds()).map(|world| game.weight(world)).sum(),
        seen: seen.map(points),
        cards,
        line,
        is_line_left: stop.is_some() && weight > 0,
        players: game.players(),
        stop,
    })
}

/// The [first moves](first_moves) of an ending in which MAX leads, by searches compiled here.
/// `depths` are those of alpha-mu, in cards.
///
/// # Errors
/// When the budget ends it.
pub fn first_cards(
    values: &HiddenFamilies<'_, Tricks, FixedBitSet>,
    weights: &Weights,
    depths: &[u32],
    budget: &Budget,
) -> Result<Vec<FirstMove<TrickPosition>>, Stop> {
    first_moves(values, weights, depths, budget)
}

/// The nodes reached where the strategy guarantees anything, by their new indices.
fn nodes(
    game: &Tricks,
    values: &HiddenFamilies<'_, Tricks, FixedBitSet>,
    found: &Strategy<<Tricks as HiddenGame>::Position>,
    set: &FixedBitSet,
) -> Vec<PlayNode> {
    let nodes = found.nodes();
    let names = &game.pack().rules().players;
    let matters = |place: usize| {
        let mut possible = values.as_sets().possible(&nodes[place].0);
        possible.intersect_with(set);
        possible.ones().next().is_some()
    };
    let is_over = |place: usize| game.turn(&nodes[place].0) == Turn::Over;
    if is_over(0) {
        return Vec::new();
    }
    let mut order = vec![0];
    let mut places = vec![None; nodes.len()];
    places[0] = Some(0);
    let (mut line, mut next) = (Vec::new(), 0);
    while let Some(place) = order.get(next).copied() {
        next += 1;
        let (position, followed) = &nodes[place];
        let mut node = PlayNode {
            turn: names[position.player()].clone(),
            leads: position.is_lead(),
            is_own: game.turn(position) == Turn::Max,
            next: Vec::new(),
        };
        for child in followed.iter().copied().filter(|child| matters(*child)) {
            let mut card = String::new();
            // Writing to a string cannot fail.
            let _ = game.move_name(position, &nodes[child].0, &mut card);
            let to = (!is_over(child)).then(|| {
                *places[child].get_or_insert_with(|| {
                    order.push(child);
                    order.len() - 1
                })
            });
            node.next.push((card, to));
        }
        line.push(node);
    }
    line
}

#[derive(Serialize)]
struct Json<'a> {
    format: &'static str,
    left: u32,
    of: &'static str,
    worlds: usize,
    numerator: u64,
    denominator: u64,
    average: f64,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<u64>,
    all_cards_seen: Option<u64>,
    cards: &'a [FirstCard],
    line: Option<&'a [PlayNode]>,
    stop: Option<&'static str>,
}

impl TricksAnswer {
    /// One JSON object, `meetjoin-tricks/1`.
    pub fn json(&self) -> String {
        json_line(&Json {
            format: "meetjoin-tricks/1",
            left: self.tricks,
            of: if self.is_goal { "goal" } else { "points" },
            worlds: self.worlds,
            numerator: self.weight,
            denominator: self.total,
            average: self.weight as f64 / self.total as f64,
            exact: self.stop.is_none(),
            bound: self.stop.map(|_| self.bound),
            all_cards_seen: self.seen,
            cards: &self.cards,
            line: (!self.line.is_empty()).then_some(self.line.as_slice()),
            stop: self.stop.map(Stop::word),
        })
    }

    fn shown(&self, weight: u64) -> String {
        if self.is_goal {
            return meetjoin_report::percent(weight, self.total);
        }
        format!("{:.3}", weight as f64 / self.total as f64)
    }

    /// The first trick of the strategy and the lead to the next, in words.
    fn words(&self) -> Lines {
        if self.line.is_empty() {
            return Lines::new();
        }
        let node = |place: usize| {
            let node = &self.line[place];
            PlayedBy {
                turn: &node.turn,
                leads: node.leads,
                is_own: node.is_own,
                next: &node.next,
            }
        };
        said(&node, 0, self.players as u32 + 1)
    }

    /// Some lines for people.
    pub fn text(&self) -> String {
        let of = if self.is_goal { "chance" } else { "points" };
        let both = |weight: u64| format!("{}  ({weight}/{})", self.shown(weight), self.total);
        let mut text = format!("{:<9} {}\n", "tricks", self.tricks);
        // Writing to a string cannot fail.
        let mut row = |key: &str, value: &str| {
            let _ = writeln!(text, "{key:<9} {value}");
        };
        row("worlds", &self.worlds.to_string());
        if let Some(stop) = self.stop {
            let [reached, bound] = if self.wants_few {
                ["at most", "at least"]
            } else {
                ["at least", "at most"]
            };
            row(of, &format!("{reached} {}", both(self.weight)));
            row(bound, &both(self.bound));
            row("stopped", &stop.to_string());
        } else {
            row(of, &both(self.weight));
        }
        if let Some(seen) = self.seen {
            row("seen", &format!("{} with all cards seen", both(seen)));
        }
        for (place, card) in self.cards.iter().enumerate() {
            let mut said = format!("{:<4} {}", card.card, self.shown(card.worth));
            let _ = write!(said, ", {} with all cards seen", self.shown(card.seen));
            if let Some(expected) = card.alpha_mu {
                let _ = write!(said, ", {} by alpha-mu", self.shown(expected));
            }
            row(if place == 0 { "leads" } else { "" }, &said);
        }
        if self.is_line_left {
            row("line", NOT_TOLD);
        }
        for (place, (indent, said)) in self.words().iter().enumerate() {
            let key = if place == 0 { "line" } else { "" };
            row(key, &format!("{}{said}", "  ".repeat(*indent)));
        }
        text
    }
}
