//! Strategies: how a player achieves the value.
//!
//! Idea: a value is worth at least t for a join-prime t if MAX has a strategy, one move at each of
//! her positions, after which every end is worth at least t. MIN's strategies are those of the dual
//! problem: they keep the value at most m, for a meet-prime m. A strategy is written as a plan:
//! replies of the other player that lead to the same continuation are one case, and repeated plans
//! are written once.

mod by_name;
mod drawing;

use std::fmt::{self, Write as _};

use meetjoin_dag::{AndOrDag, Kind, Valuation as _};
use meetjoin_file::{Dot, read_value};
use meetjoin_lattice::{
    AnyElem, AnyLattice, Budget, Interval, JoinPrimes as _, Lattice as _, Stop,
};
use meetjoin_search::Tables;
use meetjoin_search::strategy::{self, Guarantees, NoStrategy};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::unfolded::Unfolded;
use crate::unfolded::with;
use meetjoin_report::{json_line, raw};
use meetjoin_solve::Instance;
use meetjoin_solve::plan::{self, NodeJson, StrategyNode, nodes_json, shown};
use meetjoin_solve::request::Refused;
use meetjoin_solve::value::Value;
use meetjoin_solve::{Key, Nodes, Side};

/// A request for a strategy.
#[derive(Clone, Copy, Debug)]
pub struct StrategyRequest<'a> {
    /// The player.
    pub side: Side,
    /// The element to guarantee, as JSON or as printed for people: join-prime for MAX and
    /// meet-prime for MIN. By default, one that the value has.
    pub of: Option<&'a str>,
    /// Whether bounds that the problem states may be used to find it. Its guarantee is checked at
    /// every end in any case.
    pub stated: bool,
    /// Limits and cancellation.
    pub budget: &'a Budget,
}

/// A strategy with its guarantee.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Its player.
    pub side: Side,
    /// What it guarantees: the least that its ends are worth together, for MIN the most.
    pub of: Value,
    /// The element that it was looked for to guarantee, a bound of `of`.
    element: Value,
    /// The number of other elements that could be guaranteed; `None` if they are too many to be
    /// counted, or the value is not known.
    pub others: Option<usize>,
    /// The number of elements that it does not guarantee and another strategy does, if known.
    more: Option<usize>,
    /// Whether the value is known.
    is_of_value: bool,
    /// An example of how to ask for another one, unless an element was asked for.
    example: Option<String>,
    /// Whether an element was asked for.
    named: bool,
    /// The positions, the root first.
    pub nodes: Vec<StrategyNode>,
    /// The values of those nodes that are leaves of the problem.
    ends: Vec<Option<String>>,
}

/// Finds a strategy; `value` has the known bounds of the root's value.
///
/// # Errors
/// If the requested element is none that a strategy can guarantee, or the value does not have it,
/// or a limit fires.
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
        of_problem(problem, &known, value.exact().is_some(), request)
    })?
}

/// A strategy for an element below `known`, which is the value or, after a stop, a bound of it.
fn of_problem(
    problem: &dyn Nodes,
    known: &AnyElem,
    is_value: bool,
    request: &StrategyRequest<'_>,
) -> Result<Strategy, Refused> {
    let StrategyRequest { side, budget, .. } = *request;
    let dag = Unfolded::new(problem, side, request.stated);
    let lattice = dag.lattice();
    if let AnyLattice::Monotone(_) = problem.lattice() {
        let why = "the free distributive lattice over events has no strategies here; meetjoin cuts finds its minimal sets";
        return Err(Refused::Problem(why.to_owned()));
    }
    let (primes, is_all) = primes_below(&dag, known, budget).map_err(stopped)?;
    let offers = || offers(problem, &primes, is_all, is_value);
    let option = match side {
        Side::Max => "--strategy",
        Side::Min => "--refutation",
    };
    let of = if let Some(json) = request.of {
        let wrong = |why: String| Refused::Argument(format!("{option} {}: {why}", short(json)));
        let of = read_value(problem.lattice(), json).or_else(|error| {
            by_name::read(problem, json).ok_or_else(|| wrong(format!("{error}; {}", offers())))
        })?;
        if !lattice.is_join_prime(&of, budget).map_err(stopped)? {
            let kind = match side {
                Side::Max => "join-prime",
                Side::Min => "meet-prime",
            };
            return Err(wrong(format!("it is not {kind}; {}", offers())));
        }
        of
    } else {
        let best = primes.iter().max_by_key(|prime| largest(prime));
        let nothing = || {
            let as_bad =
                "the value is as bad as can be for this player, and no strategy guarantees more";
            if is_value {
                Refused::Problem(as_bad.to_owned())
            } else {
                Refused::Stopped(format!("no strategy is known: {STOPPED_BEFORE}"))
            }
        };
        best.ok_or_else(nothing)?.clone()
    };
    let others = primes.iter().filter(|prime| **prime != of).count();
    let others = (is_all && is_value).then_some(others);
    let shorter = match side {
        Side::Max => problem.plan(&of, request.stated, budget),
        Side::Min => None,
    };
    let found = match shorter {
        // Its ends are decided positions.
        Some(found) => found?.map(|nodes| (nodes, Vec::new(), of.clone())),
        None => node_by_node(&dag, &of, budget)?,
    };
    let Some((nodes, ends, sure)) = found else {
        let json = request.of.unwrap_or_default();
        let why = format!(
            "{option} {}: no strategy guarantees it; {}",
            short(json),
            offers()
        );
        return Err(Refused::Argument(why));
    };
    let mut more = Vec::new();
    for prime in &primes {
        if !lattice.leq(prime, &sure, budget).map_err(stopped)? {
            more.push(prime);
        }
    }
    let example = match (request.of, more.first()) {
        (None, Some(other)) => {
            by_name::written(problem, other).map(|of| format!("{option} '{of}'"))
        }
        _ => None,
    };
    Ok(Strategy {
        side,
        of: problem.value(&sure),
        element: problem.value(&of),
        others,
        more: others.map(|_| more.len()),
        is_of_value: is_value,
        example,
        named: request.of.is_some(),
        nodes,
        ends,
    })
}

/// Positions of a strategy, the values of those that are leaves, and what it guarantees.
type Worth = (Vec<StrategyNode>, Vec<Option<String>>, AnyElem);

/// The positions of a strategy in the graph of the problem.
fn node_by_node(
    dag: &Unfolded<'_>,
    of: &AnyElem,
    budget: &Budget,
) -> Result<Option<Worth>, Refused> {
    let mut guarantees = Guarantees::new(dag, dag, of.clone(), dag, &Tables);
    let found = strategy::strategy(dag, &mut guarantees, &mut (), budget).map_err(stopped)?;
    let Some(found) = found else { return Ok(None) };
    // A false bound must not become a wrong plan.
    found.check(dag, dag, of).map_err(|error: NoStrategy| {
        Refused::Problem(format!("the bounds of its nodes are not true: {error}"))
    })?;
    let worth = |&(node, _): &(u128, _)| {
        (dag.problem.kind(node) == Kind::Leaf)
            .then(|| dag.problem.value(&dag.problem.leaf(node)).text())
    };
    let ends = found.nodes().iter().map(worth).collect();
    let part = budget.part(u64::MAX, ADDING_UP_STEPS);
    // If that takes long, no more is said than was asked for.
    let sure = guaranteed(dag, of, &found, &part).unwrap_or_else(|_| of.clone());
    Ok(Some((shown(dag, &found, dag.side), ends, sure)))
}

/// The most steps for what the ends of a strategy are worth together.
const ADDING_UP_STEPS: u64 = 1 << 22;

/// What a strategy for `of` guarantees: what all its ends are worth. Ends in the middle of a
/// problem are worth `of` at least.
fn guaranteed(
    dag: &Unfolded<'_>,
    of: &AnyElem,
    found: &strategy::Strategy<Key>,
    budget: &Budget,
) -> Result<AnyElem, Stop> {
    let mut sure = dag.lattice().top();
    for (node, _) in found.nodes().iter().filter(|(_, next)| next.is_empty()) {
        let worth = match dag.kind(node) {
            Kind::Leaf => dag.leaf(node),
            _ => of.clone(),
        };
        dag.lattice().meet_assign(&mut sure, &worth, budget)?;
    }
    Ok(sure)
}

fn stopped(stop: Stop) -> Refused {
    Refused::Stopped(format!("no strategy was found: {stop}"))
}

/// The most steps for listing everything that strategies guarantee. Families can have exponentially
/// many meet-primes.
const LISTING_STEPS: u64 = 20_000_000;

/// The maximal join-primes below a value, in the lattice of the player, and whether these are all.
fn primes_below(
    dag: &Unfolded<'_>,
    value: &AnyElem,
    budget: &Budget,
) -> Result<(Vec<AnyElem>, bool), Stop> {
    let part = budget.part(u64::MAX, LISTING_STEPS);
    match dag.lattice().join_primes_below(value, &part) {
        Ok(primes) => Ok((primes, true)),
        Err(stop) => {
            // The stop may be of the whole budget.
            budget.check()?;
            match dag.side {
                Side::Min => {
                    let one = not_containing_one(dag.problem.lattice(), value, budget)?;
                    Ok((one.into_iter().collect(), false))
                }
                Side::Max => Err(stop),
            }
        }
    }
}

/// A meet-prime above a family of sets of worlds: the sets that do not contain a minimal set
/// outside the family, which is found by removing one world after the other.
fn not_containing_one(
    lattice: &AnyLattice,
    family: &AnyElem,
    budget: &Budget,
) -> Result<Option<AnyElem>, Stop> {
    let worlds = match lattice {
        AnyLattice::SmallFamilies(families) => families.base().worlds(),
        AnyLattice::Families(families) => families.base().worlds(),
        _ => 0,
    };
    let is_outside = |worlds: &[usize]| match lattice.set(worlds.iter().copied()) {
        Some(set) => lattice
            .leq(&set, family, budget)
            .map(|is_inside| !is_inside),
        None => Ok(false),
    };
    let mut kept: Vec<usize> = (0..worlds).collect();
    if !is_outside(&kept)? {
        return Ok(None);
    }
    for world in 0..worlds {
        let rest: Vec<usize> = kept
            .iter()
            .copied()
            .filter(|other| *other != world)
            .collect();
        if is_outside(&rest)? {
            kept = rest;
        }
    }
    let mut all = lattice.bottom();
    for world in kept {
        let others = (0..worlds).filter(|other| *other != world);
        if let Some(set) = lattice.set(others) {
            lattice.join_assign(&mut all, &set, budget)?;
        }
    }
    Ok(Some(all))
}

/// The most elements offered in a message.
const MOST_OFFERED: usize = 8;
/// The message if nothing can be offered.
const STOPPED_BEFORE: &str = "the search was stopped before it knew anything that one guarantees";

/// The elements that could be asked for instead.
fn offers(problem: &dyn Nodes, primes: &[AnyElem], is_all: bool, is_value: bool) -> String {
    if primes.is_empty() {
        return if is_value {
            "there is nothing that one guarantees".to_owned()
        } else {
            STOPPED_BEFORE.to_owned()
        };
    }
    let texts = primes.iter().take(MOST_OFFERED);
    let texts: Vec<String> = texts.map(|prime| problem.value(prime).text()).collect();
    let mut names: Vec<String> = texts.iter().map(|text| short(text)).collect();
    let whole = if names == texts {
        ""
    } else {
        "; the answer without --strategy prints them whole"
    };
    if primes.len() > MOST_OFFERED {
        names.push(format!("{} more", primes.len() - MOST_OFFERED));
    }
    if !is_all {
        names.push("more than can be listed".to_owned());
    }
    let known = if is_value {
        ""
    } else {
        "as far as it is known, "
    };
    format!("{known}strategies guarantee {}{whole}", names.join(" and "))
}

/// The beginning of an argument, for messages.
fn short(argument: &str) -> String {
    const MOST: usize = 60;
    if argument.chars().count() <= MOST {
        return argument.to_owned();
    }
    argument.chars().take(MOST).chain("..".chars()).collect()
}

/// The index of the set with the most worlds.
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
    others: Option<usize>,
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
        json_line(&StrategyJson {
            format: "meetjoin-strategy/1",
            player: self.player().0,
            guarantees: raw(&self.element.json()),
            others: self.others,
            nodes: nodes_json(&self.nodes),
        })
    }

    /// A plan for people.
    pub fn text(&self) -> String {
        let (player, other, bound) = self.player();
        let mut text = format!("{player} makes sure of {bound} {}\n", self.of.text());
        plan::write(&self.nodes, player, other, &mut text);
        if !self.is_of_value && !self.named {
            text.push_str("(the search was stopped: strategies may guarantee more)\n");
        } else if self.more != Some(0) && !self.named {
            let others = self
                .more
                .map_or("many".to_owned(), |others| others.to_string());
            let how = match &self.example {
                Some(example) => format!("name one to see how, as {example}"),
                None => "name one to see how".to_owned(),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "(the value has {others} more that a strategy guarantees; {how})"
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_meet_prime_is_one_of_all() {
        use meetjoin_lattice::MeetPrimes as _;

        let lattice = meetjoin_file::lattice_from_json(r#"{"type":"families","v":4}"#);
        let (lattice, free) = (lattice.expect("a lattice"), Budget::unlimited());
        for json in [
            r#""bottom""#,
            "[]",
            "[[1]]",
            "[[1,2],[3]]",
            "[[1,2],[2,3],[1,3],[4]]",
            "[[1,2,3],[2,3,4],[1,4]]",
            "[[1,2,3,4]]",
        ] {
            let family = read_value(&lattice, json).expect("a family");
            let all = lattice.meet_primes_above(&family, &free).expect("no limit");
            let one = not_containing_one(&lattice, &family, &free).expect("no limit");
            assert_eq!(one.is_some(), !all.is_empty(), "{json}");
            assert!(one.is_none_or(|one| all.contains(&one)), "{json}");
        }
    }
}
