//! Strategies: how a player gets what the value promises.
//!
//! Idea: a value is worth at least t for a join-prime t if MAX has a strategy, one move at each of her positions, after which every end is worth at least t. MIN's strategies are those of the dual problem: they keep
//! the value at most m, for a meet-prime m. A strategy is written as a plan: replies of the other player after which one goes on in the same way are one case, and a plan that was told is not told again.

use std::fmt::{self, Write as _};

use meetjoin::dag::{AndOrDag, Kind, Valuation as _};
use meetjoin::file::{Dot, read_value, write_readable};
use meetjoin::lattice::{AnyElem, AnyLattice, Budget, Interval, JoinPrimes as _, Stop};
use meetjoin::search::Tables;
use meetjoin::search::strategy::{self, Guarantees, NoStrategy};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::answer::{line, raw};
use crate::instance::{Instance, with};
use crate::layout::{Place, layered};
use crate::page::escape;
use crate::plan::{self, NodeJson, StrategyNode, nodes_json, shown};
use crate::request::Refused;
use crate::unfold::{Side, Unfold, Unfolded};
use crate::value::Value;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct StrategyRequest<'a> {
    /// For whom.
    pub side: Side,
    /// What it is to guarantee: an element as JSON, join-prime for MAX and meet-prime for MIN. Without it, one of those that the value has.
    pub of: Option<&'a str>,
    /// Whether bounds that the problem states may be used to find it. What it guarantees is checked at every end in any case.
    pub stated: bool,
    /// Limits and cancellation.
    pub budget: &'a Budget,
}

/// A strategy with what it guarantees.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Whose it is.
    pub side: Side,
    /// The value is at least this, or at most.
    pub of: Value,
    /// How many others of the kind the value has.
    pub others: usize,
    /// Whether it was asked for by name.
    named: bool,
    /// The positions, the root first.
    pub nodes: Vec<StrategyNode>,
}

/// Finds a strategy; `value` is that of the root, as far as it is known.
///
/// # Errors
/// If what is asked for is no element that a strategy can guarantee, or the value does not have it, or a limit fires.
pub fn strategy(
    instance: &dyn Instance,
    value: &Interval<Value>,
    request: &StrategyRequest<'_>,
) -> Result<Strategy, Refused> {
    with(instance, |problem| {
        let known = problem.element(match request.side {
            Side::Max => value.lower(),
            Side::Min => value.upper(),
        });
        of_problem(problem, &known, request)
    })?
}

fn of_problem(
    problem: &dyn Unfold,
    known: &AnyElem,
    request: &StrategyRequest<'_>,
) -> Result<Strategy, Refused> {
    let StrategyRequest { side, budget, .. } = *request;
    let dag = Unfolded::new(problem, side, request.stated);
    let lattice = dag.lattice();
    if let AnyLattice::Monotone(_) = problem.lattice() {
        let why = "the free distributive lattice over events has no strategies here; meetjoin cuts finds its minimal sets";
        return Err(Refused::Problem(why.to_owned()));
    }
    let primes = lattice.join_primes_below(known, budget).map_err(stopped)?;
    let option = match side {
        Side::Max => "--strategy",
        Side::Min => "--refutation",
    };
    let of = if let Some(json) = request.of {
        let wrong = |why: String| Refused::Argument(format!("{option} {}: {why}", short(json)));
        let of = read_value(problem.lattice(), json).map_err(|error| wrong(error.to_string()))?;
        if !lattice.is_join_prime(&of, budget).map_err(stopped)? {
            let kind = match side {
                Side::Max => "join-prime",
                Side::Min => "meet-prime",
            };
            let offers = offers(problem, &primes);
            return Err(wrong(format!("it is not {kind}; {offers}")));
        }
        of
    } else {
        let best = primes.iter().max_by_key(|prime| largest(prime));
        let nothing = || {
            let why =
                "the value is as bad as can be for this player, and no strategy guarantees more";
            Refused::Problem(why.to_owned())
        };
        best.ok_or_else(nothing)?.clone()
    };
    let others = primes.iter().filter(|prime| **prime != of).count();
    let shorter = match side {
        Side::Max => problem.plan(&of, request.stated, budget),
        Side::Min => None,
    };
    let found = match shorter {
        Some(found) => found?,
        None => node_by_node(&dag, &of, budget)?,
    };
    let Some(nodes) = found else {
        let json = request.of.unwrap_or_default();
        let why = format!(
            "{option} {}: no strategy guarantees it; {}",
            short(json),
            offers(problem, &primes)
        );
        return Err(Refused::Argument(why));
    };
    Ok(Strategy {
        side,
        of: problem.value(&of),
        others,
        named: request.of.is_some(),
        nodes,
    })
}

/// The positions of a strategy in the graph of the problem.
fn node_by_node(
    dag: &Unfolded<'_>,
    of: &AnyElem,
    budget: &Budget,
) -> Result<Option<Vec<StrategyNode>>, Refused> {
    let mut guarantees = Guarantees::new(dag, dag, of.clone(), dag, &Tables);
    let found = strategy::strategy(dag, &mut guarantees, &mut (), budget).map_err(stopped)?;
    let Some(found) = found else { return Ok(None) };
    // A bound that is not true must not become a plan that fails at the table.
    found.check(dag, dag, of).map_err(|error: NoStrategy| {
        Refused::Problem(format!("the bounds of its nodes are not true: {error}"))
    })?;
    Ok(Some(shown(dag, &found, dag.side)))
}

fn stopped(stop: Stop) -> Refused {
    Refused::Problem(format!("no strategy was found: {stop}"))
}

/// Elements that are offered in a message.
const MOST_OFFERED: usize = 8;

/// What could be asked for instead.
fn offers(problem: &dyn Unfold, primes: &[AnyElem]) -> String {
    if primes.is_empty() {
        return "there is nothing that one guarantees".to_owned();
    }
    let text = |prime: &AnyElem| {
        let mut text = String::new();
        write_readable(problem.lattice(), prime, None, &mut text);
        short(&text)
    };
    let mut names: Vec<String> = primes.iter().take(MOST_OFFERED).map(text).collect();
    if primes.len() > MOST_OFFERED {
        names.push(format!("{} more", primes.len() - MOST_OFFERED));
    }
    format!("strategies guarantee {}", names.join(" and "))
}

/// The beginning of an argument.
fn short(argument: &str) -> String {
    const MOST: usize = 60;
    if argument.chars().count() <= MOST {
        return argument.to_owned();
    }
    argument.chars().take(MOST).chain("..".chars()).collect()
}

/// Of several sets the one with the most worlds.
fn largest(value: &AnyElem) -> usize {
    match value {
        AnyElem::SmallFamily(family) => family
            .maximal()
            .iter()
            .map(|set| set.0[0].count_ones() as usize)
            .sum(),
        AnyElem::Family(family) => family.maximal().iter().map(|set| set.count_ones(..)).sum(),
        _ => 0,
    }
}

#[derive(Serialize)]
struct StrategyJson {
    format: &'static str,
    player: &'static str,
    guarantees: Box<RawValue>,
    others: usize,
    nodes: Vec<NodeJson>,
}

impl Strategy {
    fn player(&self) -> (&'static str, &'static str, &'static str) {
        match self.side {
            Side::Max => ("MAX", "MIN", "at least"),
            Side::Min => ("MIN", "MAX", "at most"),
        }
    }

    /// One JSON object, `meetjoin-strategy/1`.
    pub fn json(&self) -> String {
        line(&StrategyJson {
            format: "meetjoin-strategy/1",
            player: self.player().0,
            guarantees: raw(&self.of.json()),
            others: self.others,
            nodes: nodes_json(&self.nodes),
        })
    }

    /// A plan for people.
    pub fn text(&self) -> String {
        let (player, other, bound) = self.player();
        let mut text = format!("{player} makes sure of {bound} {}\n", self.of.text());
        plan::write(&self.nodes, player, other, &mut text);
        if self.others > 0 && !self.named {
            let others = self.others;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "(the value has {others} more that a strategy guarantees; name one to see how)"
            );
        }
        text
    }

    /// A drawing for Graphviz.
    pub fn dot(&self) -> String {
        let (_, _, bound) = self.player();
        let value = |_: &usize, out: &mut dyn fmt::Write| write!(out, "{bound} {}", self.of.text());
        Dot::new(&Drawn(&self.nodes), value).to_string()
    }
}

/// Positions that are drawn; more are not readable.
const MOST_DRAWN: usize = 300;

impl Strategy {
    /// A drawing that a browser shows: squares are MAX's positions, circles MIN's, moves stand at the lines, and the player's own lines are thick.
    ///
    /// # Errors
    /// If the strategy has too many positions to be drawn.
    pub fn svg(&self) -> Result<String, Refused> {
        let count = self.nodes.len();
        if count > MOST_DRAWN {
            let why = format!(
                "the strategy has {count} positions, and a drawing shows {MOST_DRAWN} at most; a file of another kind holds them all"
            );
            return Err(Refused::Problem(why));
        }
        let ways = self.nodes.iter().enumerate();
        let ways =
            ways.flat_map(|(from, node)| node.ways().into_iter().map(move |to| (from, to.0)));
        let (places, width, height) = layered(count, &ways.collect::<Vec<_>>(), 90.0);
        let (_, _, bound) = self.player();
        let title = escape(&format!("{} {bound} {}", self.player().0, self.of.text()));
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\" text-anchor=\"middle\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        // Writing to a string cannot fail.
        for (node, place) in self.nodes.iter().zip(&places) {
            for (to, by) in node.ways() {
                let to = places[to];
                let thick = if node.is_own { 2.5 } else { 1.0 };
                let (x1, y1, x2, y2) = (place.x, place.y, to.x, to.y);
                let _ = writeln!(
                    text,
                    "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#5a6675\" stroke-width=\"{thick}\"/>"
                );
                let (x, y) = (place.x.midpoint(to.x), place.y.midpoint(to.y));
                let by = escape(&shortened(by));
                let _ = writeln!(
                    text,
                    "<text x=\"{x}\" y=\"{y}\" stroke=\"white\" stroke-width=\"4\" paint-order=\"stroke\">{by}</text>"
                );
            }
        }
        for (node, Place { x, y }) in self.nodes.iter().zip(&places) {
            let name = escape(&node.name.text);
            let shape = match node.part() {
                Kind::Or => format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"22\" height=\"22\"",
                    x - 11.0,
                    y - 11.0
                ),
                Kind::And => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"12\""),
                Kind::Leaf => format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" rx=\"5\"",
                    x - 5.0,
                    y - 5.0
                ),
            };
            let fill = if node.is_own { "#ffe48a" } else { "#ffffff" };
            let _ = writeln!(
                text,
                "<g>{shape} fill=\"{fill}\" stroke=\"#1c2430\"/><title>{name}</title></g>"
            );
        }
        text.push_str("</svg>\n");
        Ok(text)
    }
}

/// What there is room for beside a line.
fn shortened(moves: String) -> String {
    match moves.char_indices().nth(12) {
        None => moves,
        Some(_) => moves.chars().take(10).chain("..".chars()).collect(),
    }
}

/// A strategy as a graph.
struct Drawn<'a>(&'a [StrategyNode]);

impl AndOrDag for Drawn<'_> {
    type Node = usize;

    fn root(&self) -> usize {
        0
    }

    fn kind(&self, node: &usize) -> Kind {
        self.0[*node].part()
    }

    fn children(&self, node: &usize, out: &mut Vec<usize>) {
        out.extend(self.0[*node].ways().into_iter().map(|(to, _)| to));
    }

    fn name(&self, node: &usize, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(&self.0[*node].name.text)
    }
}
