//! Why a value is what it is, along the play in which both do their best.
//!
//! Idea: at each node its children's values say why it is worth what it is. Where one child alone is worth as much, play goes on there; where only several together are, it depends on what one asks for which of
//! them is best, and a [strategy](crate::strategy()) for that says more.
//!
//! Cost: a search below each child on the way, all with one cache.

use meetjoin::dag::{AndOrDag as _, Kind, NodeId, Valuation as _};
use meetjoin::lattice::{AnyElem, Budget, Interval, Licensed, Stop};
use meetjoin::search::{Duo, Env, Table, Window, alpha_beta_duo_as, minimax_cached};

use crate::instance::{Instance, with};
use crate::request::Refused;
use crate::unfold::{Licence, Side, Unfold, Unfolded};

/// Children that are named.
const MOST_NAMED: usize = 12;
/// Moves that are told.
const MOST_MOVES: usize = 200;

/// Says why the root of a problem is worth what it is, a sentence for each move.
///
/// # Errors
/// If the problem has no nodes of which one could speak, or a limit fires.
pub fn explain(
    instance: &dyn Instance,
    stated: bool,
    budget: &Budget,
) -> Result<Vec<String>, Refused> {
    let stopped = |stop: Stop| Refused::Problem(format!("the explanation was not found: {stop}"));
    with(instance, |problem| {
        let unfolded = Unfolded::new(problem, Side::Max, stated);
        told(problem, &unfolded, budget).map_err(stopped)
    })?
}

fn told(
    problem: &dyn Unfold,
    unfolded: &Unfolded<'_>,
    budget: &Budget,
) -> Result<Vec<String>, Stop> {
    let mut values = Values::new(unfolded);
    let mut sentences = Vec::new();
    let mut node = problem.root();
    let mut children = Vec::new();
    loop {
        let value = values.of(node, budget)?;
        let (name, shown) = (problem.name(node).text, problem.value(&value).text());
        let player = match unfolded.kind(&node) {
            Kind::Leaf => {
                sentences.push(format!("{name} is an end, worth {shown}."));
                return Ok(sentences);
            }
            Kind::Or => "MAX",
            Kind::And => "MIN",
        };
        children.clear();
        problem.children(node, &mut children);
        let mut seen: Vec<(NodeId, AnyElem)> = Vec::new();
        for &child in &children {
            if !seen.iter().any(|(known, _)| *known == child) {
                seen.push((child, values.of(child, budget)?));
            }
        }
        let best = seen.iter().find(|(_, of)| *of == value);
        let named = seen.iter().take(MOST_NAMED).map(|(child, of)| {
            let by = problem.move_name(node, *child);
            format!("{by} ({})", problem.value(of).text())
        });
        let mut named: Vec<String> = named.collect();
        if seen.len() > MOST_NAMED {
            named.push(format!("{} more", seen.len() - MOST_NAMED));
        }
        let named = named.join(", ");
        let Some((child, _)) = best else {
            let together = if player == "MAX" { "join" } else { "meet" };
            sentences.push(format!(
                "{name} is worth {shown}: {player} moves, and no move alone is worth that; it is the {together} of {named}. Which move is best depends on what is asked for: --strategy and --refutation say it for one element."
            ));
            return Ok(sentences);
        };
        let by = problem.move_name(node, *child);
        sentences.push(if seen.len() == 1 {
            format!("{name} is worth {shown}: {player} has one move, {by}.")
        } else {
            format!("{name} is worth {shown}: of {named} {player} plays {by}.")
        });
        if sentences.len() >= MOST_MOVES {
            sentences.push("And so on.".to_owned());
            return Ok(sentences);
        }
        node = *child;
    }
}

/// The values of nodes, with one cache for all.
struct Values<'a> {
    unfolded: &'a Unfolded<'a>,
    licence: Licence<'a>,
    is_distributive: bool,
    bounds: Table<NodeId, Interval<AnyElem>>,
    /// In place of bounds, where the lattice is not distributive.
    exact: Table<NodeId, AnyElem>,
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

    fn of(&mut self, node: NodeId, budget: &Budget) -> Result<AnyElem, Stop> {
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
            let everywhere = Duo {
                shared_only: false,
                ..Duo::DEFAULT
            };
            let outcome = alpha_beta_duo_as(dag, &self.licence, &window, everywhere, &mut env);
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
