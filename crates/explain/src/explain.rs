//! Explains a value, along the principal variation.
//!
//! Idea: at each node its value is explained by its children's values. If one child alone has the
//! same value, the line goes on there. If only several together have it, which of them is best
//! depends on the goal; they are named, and the line goes on with the one that has most of it for
//! MAX, or least for MIN. A [strategy](crate::strategy()) explains a single element.
//!
//! Long values are written once; later sentences only say how much of them a move gives.
//!
//! Cost: a search below each child on the line, all with one cache.

use std::collections::HashSet;

use meetjoin_dag::{AndOrDag as _, Kind, Valuation as _, WorldNames};
use meetjoin_lattice::{
    AnyElem, AnyLattice, Budget, Interval, JoinPrimes as _, Lattice as _, Licensed, Stop,
};
use meetjoin_search::{Duo, Env, Table, Window, alpha_beta_duo_as, minimax_cached};

use crate::unfolded::with;
use crate::unfolded::{Licence, Unfolded};
use meetjoin_solve::Instance;
use meetjoin_solve::request::Refused;
use meetjoin_solve::{Key, Nodes, Side, Value};

/// The most moves named in a sentence.
const MOST_NAMED: usize = 12;
/// The most moves explained.
const MOST_MOVES: usize = 200;
/// The most characters of a value that is always written out.
const SHORT: usize = 60;
/// The most primes of a value that are counted.
const MOST_COUNTED: usize = 2_000;

/// An explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// A sentence for each move.
    pub sentences: Vec<String>,
    /// The limit that ended it early, if one did.
    pub stop: Option<Stop>,
}

/// Explains the value of a problem's root.
///
/// # Errors
/// If the problem has no nodes that can be identified.
pub fn explain(
    instance: &dyn Instance,
    stated: bool,
    budget: &Budget,
) -> Result<Explanation, Refused> {
    with(instance, |problem| {
        let unfolded = Unfolded::new(problem, Side::Max, stated);
        let mut telling = Telling {
            problem,
            unfolded: &unfolded,
            values: Values::new(&unfolded),
            budget,
            before: None,
        };
        let mut sentences = Vec::new();
        let (mut next, mut stop) = (Some(problem.root()), None);
        while let Some(node) = next {
            if sentences.len() == MOST_MOVES {
                sentences.push("And so on.".to_owned());
                break;
            }
            match telling.of(node) {
                Ok((sentence, then)) => {
                    sentences.push(sentence);
                    next = then;
                }
                Err(fired) => {
                    stop = Some(fired);
                    break;
                }
            }
        }
        Explanation { sentences, stop }
    })
}

/// An explanation in progress.
struct Telling<'a> {
    problem: &'a dyn Nodes,
    unfolded: &'a Unfolded<'a>,
    values: Values<'a>,
    budget: &'a Budget,
    /// The last value that was written.
    before: Option<AnyElem>,
}

impl Telling<'_> {
    /// The sentence for a node, and the next node of the line.
    fn of(&mut self, node: Key) -> Result<(String, Option<Key>), Stop> {
        let (problem, budget) = (self.problem, self.budget);
        let value = self.values.of(node, budget)?;
        let worth = Worth::new(problem, &value, budget)?;
        let said = match &worth.short {
            None if self.before.as_ref() == Some(&value) => "that".to_owned(),
            _ => problem.value(&value).text(),
        };
        let name = problem.name(node).text;
        let kind = self.unfolded.kind(&node);
        if kind == Kind::Leaf {
            return Ok((format!("{name} is an end, worth {said}."), None));
        }
        let (mut moves, mut known): (Vec<Move>, _) = (Vec::new(), HashSet::new());
        for child in children(problem, node) {
            if known.insert(child) {
                let value = self.values.of(child, budget)?;
                let by = problem.move_name(node, child);
                moves.push(Move { child, by, value });
            }
        }
        let (why, next) = if moves.len() == 1 {
            only_moves(problem, self.unfolded, node)
        } else if let Some(best) = moves.iter().position(|play| play.value == value) {
            let why = one_is_enough(&worth, kind, &moves, best, budget)?;
            (why, moves[best].child)
        } else {
            together(&worth, kind, &moves, budget)?
        };
        self.before = Some(value);
        Ok((format!("{name} is worth {said}: {why}."), Some(next)))
    }
}

fn children(problem: &dyn Nodes, node: Key) -> Vec<Key> {
    let mut children = Vec::new();
    problem.expand(node, &mut children);
    children
}

/// A move with the value of its target.
struct Move {
    child: Key,
    by: String,
    value: AnyElem,
}

fn player(kind: Kind) -> &'static str {
    if kind == Kind::Or { "MAX" } else { "MIN" }
}

/// The forced moves from a node on, and the node after them.
fn only_moves(problem: &dyn Nodes, unfolded: &Unfolded<'_>, from: Key) -> (String, Key) {
    let (mut node, mut names, mut more) = (from, Vec::new(), 0);
    loop {
        let next = children(problem, node);
        match next.first() {
            Some(&child) if next.iter().all(|other| *other == child) => {
                if names.len() < MOST_NAMED {
                    names.push(problem.move_name(node, child));
                } else {
                    more += 1;
                }
                node = child;
            }
            _ => break,
        }
    }
    let told = if let [by] = &names[..] {
        format!("{} has one move, {by}", player(unfolded.kind(&from)))
    } else {
        let names = listed(names, more);
        format!("there is only one move each time, {names}")
    };
    (told, node)
}

/// The sentence if one child has the value of the node.
fn one_is_enough(
    worth: &Worth<'_>,
    kind: Kind,
    moves: &[Move],
    best: usize,
    budget: &Budget,
) -> Result<String, Stop> {
    let by = &moves[best].by;
    let mut told = vec![format!("{} plays {by}", player(kind))];
    let (mut as_good, mut others) = (Vec::new(), Vec::new());
    for (place, play) in moves.iter().enumerate() {
        if place != best && play.value == moves[best].value {
            as_good.push(play.by.clone());
        } else if place != best {
            others.push(worth.shown(kind, play, budget)?);
        }
    }
    if !as_good.is_empty() {
        told.push(format!(", and {} would do as well", first(as_good)));
    }
    if !others.is_empty() {
        let amount = if kind == Kind::Or { "less" } else { "more" };
        told.push(format!("; {} would give {amount}", first(others)));
    }
    Ok(told.concat())
}

/// The sentence if only several children together have the value, and one of them.
fn together(
    worth: &Worth<'_>,
    kind: Kind,
    moves: &[Move],
    budget: &Budget,
) -> Result<(String, Key), Stop> {
    let lattice = worth.problem.lattice();
    // The moves that add something to the ones before them.
    let (mut all, mut needed) = (moves[0].value.clone(), vec![&moves[0]]);
    for play in &moves[1..] {
        let before = all.clone();
        if kind == Kind::Or {
            lattice.join_assign(&mut all, &play.value, budget)?;
        } else {
            lattice.meet_assign(&mut all, &play.value, budget)?;
        }
        if all != before {
            needed.push(play);
        }
    }
    let mut best = (needed[0], worth.rank(kind, needed[0], budget)?);
    for play in &needed[1..] {
        let rank = worth.rank(kind, play, budget)?;
        if rank > best.1 {
            best = (play, rank);
        }
    }
    let best = best.0;
    let mut names = Vec::new();
    for play in needed {
        names.push(worth.shown(kind, play, budget)?);
    }
    let (names, by) = (first(names), &best.by);
    let told = if kind == Kind::Or {
        format!(
            "no move of MAX alone gives that, and {names} do together: which one is best depends on what is asked for. Say MAX plays {by}"
        )
    } else {
        format!(
            "no move of MIN alone brings it down to that, and {names} do together, as each takes something away. Say MIN plays {by}"
        )
    };
    Ok((told, best.child))
}

/// The first of several names.
fn first(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    names.truncate(MOST_NAMED);
    listed(names, more)
}

/// Several names, and the number of further ones.
fn listed(mut names: Vec<String>, more: usize) -> String {
    if more > 0 {
        names.push(format!("{more} more"));
    }
    let last = names.pop().unwrap_or_default();
    if names.is_empty() {
        last
    } else {
        format!("{} and {last}", names.join(", "))
    }
}

/// The value of a node, for comparison with those of its children.
struct Worth<'a> {
    problem: &'a dyn Nodes,
    /// Its text, if that is short.
    short: Option<String>,
    /// The maximal join-primes below it, if they are few enough to be counted.
    primes: Vec<AnyElem>,
    /// The word for one of them.
    unit: &'static str,
}

impl<'a> Worth<'a> {
    fn new(problem: &'a dyn Nodes, value: &AnyElem, budget: &Budget) -> Result<Self, Stop> {
        let lattice = problem.lattice();
        let unit = match lattice {
            AnyLattice::SmallPowerset(_) | AnyLattice::Powerset(_) => {
                if are_stakes(problem, value) {
                    "stakes"
                } else {
                    "worlds"
                }
            }
            AnyLattice::SmallFamilies(_) | AnyLattice::Families(_) => "sets",
            AnyLattice::Free(_) => "packets",
            _ => "",
        };
        let mut primes = Vec::new();
        if !unit.is_empty() {
            primes = lattice.join_primes_below(value, budget)?;
        }
        Ok(Self {
            problem,
            short: short(problem, value),
            primes: if primes.len() > MOST_COUNTED {
                Vec::new()
            } else {
                primes
            },
            unit,
        })
    }

    /// The number of the primes below another value.
    fn count(&self, value: &AnyElem, budget: &Budget) -> Result<usize, Stop> {
        let lattice = self.problem.lattice();
        let mut count = 0;
        for prime in &self.primes {
            count += usize::from(lattice.leq(prime, value, budget)?);
        }
        Ok(count)
    }

    /// A move with its value: written out if short, or else as a part of this value.
    fn shown(&self, kind: Kind, play: &Move, budget: &Budget) -> Result<String, Stop> {
        let by = &play.by;
        if self.short.is_some()
            && let Some(text) = short(self.problem, &play.value)
        {
            return Ok(format!("{by} ({text})"));
        }
        if kind == Kind::And || self.primes.is_empty() {
            return Ok(by.clone());
        }
        let (all, unit) = (self.primes.len(), self.unit);
        Ok(match self.count(&play.value, budget)? {
            0 => by.clone(),
            count => format!("{by} ({count} of the {all} {unit})"),
        })
    }

    /// The rank of a move for its player, where none is best.
    fn rank(&self, kind: Kind, play: &Move, budget: &Budget) -> Result<u64, Stop> {
        let lattice = self.problem.lattice();
        if kind == Kind::Or && !self.primes.is_empty() {
            return Ok(self.count(&play.value, budget)? as u64);
        }
        let rank = lattice.rank(&play.value);
        Ok(if kind == Kind::Or {
            rank
        } else {
            u64::MAX - rank
        })
    }
}

/// Returns whether the elements of sets are stakes.
fn are_stakes(problem: &dyn Nodes, value: &AnyElem) -> bool {
    match problem.value(value) {
        Value::Element { domain, .. } => domain.worlds.as_ref().is_some_and(WorldNames::are_stakes),
        _ => false,
    }
}

fn short(problem: &dyn Nodes, value: &AnyElem) -> Option<String> {
    let text = problem.value(value).text();
    (text.chars().count() <= SHORT).then_some(text)
}

/// Computes the values of nodes, with one cache for all.
struct Values<'a> {
    unfolded: &'a Unfolded<'a>,
    licence: Licence<'a>,
    is_distributive: bool,
    bounds: Table<Key, Interval<AnyElem>>,
    /// Used in place of bounds if the lattice is not distributive.
    exact: Table<Key, AnyElem>,
}

impl<'a> Values<'a> {
    fn new(unfolded: &'a Unfolded<'a>) -> Self {
        Self {
            unfolded,
            licence: Licence::new(unfolded),
            is_distributive: unfolded.lattice().check_distributive().is_ok(),
            bounds: Table::new(),
            exact: Table::new(),
        }
    }

    fn of(&mut self, node: Key, budget: &Budget) -> Result<AnyElem, Stop> {
        let dag = self.unfolded;
        if dag.kind(&node) == Kind::Leaf {
            return Ok(dag.leaf(&node));
        }
        dag.root.set(node);
        let outcome = if self.is_distributive {
            let mut known = &self.licence;
            let env = Env::new(budget).with_store(std::mem::take(&mut self.bounds));
            let mut env = env.with_heuristic(&mut known);
            let window = Window::full(self.licence.lattice() as &Licensed);
            let outcome = alpha_beta_duo_as(dag, &self.licence, &window, Duo::EVERYWHERE, &mut env);
            self.bounds = env.store;
            outcome
        } else {
            let mut env = Env::new(budget).with_store(std::mem::take(&mut self.exact));
            let outcome = minimax_cached(dag, dag, &mut env);
            self.exact = env.store;
            outcome
        };
        match outcome.stop {
            Some(stop) => Err(stop),
            None => Ok(outcome.value.lower().clone()),
        }
    }
}
