//! A strategy as a plan that a person can follow.
//!
//! Idea: two positions after which the strategy is the same, move by move, have one plan. So
//! replies that lead to the same plan are one case, "if MIN plays 2, 3 or 4", and the plan is far
//! shorter than the list of positions. A plan shared by several cases is written once and numbered.
//!
//! Cost: linear in the strategy.

mod positions;

use std::collections::HashMap;
use std::fmt::Write as _;

pub use positions::{Follow, StrategyNode};
pub use positions::{NodeJson, nodes_json, shown};

/// A plan: whether the player moves, and cases, each with the moves that lead there.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Plan {
    is_own: bool,
    /// The moves, or none for "any move", and the index of the plan after them. No cases at the
    /// end.
    cases: Vec<(Vec<Move>, usize)>,
}

/// The name of a move, and its rank if moves are cards.
type Move = (String, Option<u8>);

/// The plans of a strategy, each before those that use it; that of the root is the last.
fn plans(nodes: &[StrategyNode]) -> Vec<Plan> {
    let mut of_nodes: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut places: HashMap<Plan, usize> = HashMap::new();
    let mut plans: Vec<Plan> = Vec::new();
    let mut path = vec![0];
    while let Some(&node) = path.last() {
        let next = &nodes[node].next;
        let before = path.len();
        path.extend(
            next.iter()
                .map(|follow| follow.to)
                .filter(|&to| of_nodes[to].is_none()),
        );
        if path.len() > before {
            continue;
        }
        path.pop();
        if of_nodes[node].is_some() {
            continue;
        }
        let mut cases: Vec<(Vec<Move>, usize)> = Vec::new();
        for follow in next {
            let Some(to) = of_nodes[follow.to] else {
                continue;
            };
            let by = (follow.by.clone(), follow.rank);
            match cases.iter_mut().find(|(_, plan)| *plan == to) {
                Some((moves, _)) => moves.push(by),
                None => cases.push((vec![by], to)),
            }
        }
        // At the end there is no move.
        let is_own = nodes[node].is_own && !cases.is_empty();
        if let [(moves, _)] = cases.as_mut_slice()
            && !is_own
            && moves.len() > 1
        {
            // Any move of the other player.
            moves.clear();
        }
        let plan = Plan { is_own, cases };
        let place = *places.entry(plan).or_insert_with_key(|plan| {
            plans.push(plan.clone());
            plans.len() - 1
        });
        of_nodes[node] = Some(place);
    }
    // The root's plan is the last one, unless it equals an earlier one.
    if let Some(place) = of_nodes.first().copied().flatten()
        && place + 1 < plans.len()
    {
        plans.truncate(place + 1);
    }
    plans
}

/// What a plan says after the last move.
pub(crate) const OVER: &str = "the game is over";

/// The most lines of a plan.
const MOST_LINES: usize = 10_000;

/// Writes the plan of a strategy of `player` against `other`.
pub fn write(nodes: &[StrategyNode], player: &str, other: &str, out: &mut String) {
    let plans = plans(nodes);
    let Some(root) = plans.len().checked_sub(1) else {
        return;
    };
    let mut uses = vec![0_usize; plans.len()];
    plans
        .iter()
        .flat_map(|plan| &plan.cases)
        .for_each(|(_, to)| uses[*to] += 1);
    let (mut numbers, mut told): (HashMap<usize, usize>, usize) = (HashMap::new(), 0);
    let mut lines = 0;
    let end = if nodes.iter().any(StrategyNode::is_decided) {
        "any card will do"
    } else {
        OVER
    };
    let mut open = vec![(root, 0_usize, String::new())];
    while let Some((mut place, depth, mut said)) = open.pop() {
        lines += 1;
        if lines > MOST_LINES {
            let _ = writeln!(
                out,
                ".. and so on; --json has all {} positions",
                nodes.len()
            );
            return;
        }
        // A single move, or "any move", continues the line.
        let mut before = None;
        while let Plan { is_own, cases } = &plans[place]
            && let [(moves, to)] = cases.as_slice()
            && (*is_own || moves.is_empty())
        {
            let comma = if said.is_empty() || said.ends_with(": ") {
                ""
            } else {
                ", "
            };
            // Writing to a string cannot fail.
            let _ = match (is_own, before) {
                (true, Some(true)) => write!(said, ", then {}", list(moves, &[])),
                (true, _) => write!(said, "{comma}{player} plays {}", list(moves, &[])),
                (false, _) => write!(said, "{comma}whatever {other} plays"),
            };
            before = Some(*is_own);
            place = *to;
        }
        let cases = &plans[place].cases;
        let mut again = false;
        if cases.is_empty() {
            if !(said.is_empty() || said.ends_with(": ")) {
                said.push_str(match (end, before) {
                    (OVER, Some(true)) => ", and ",
                    (OVER, _) => ", ",
                    _ => ", then ",
                });
            }
            said.push_str(end);
        } else if let Some(number) = numbers.get(&place) {
            let and = if said.ends_with(": ") { "" } else { ", and " };
            let _ = write!(said, "{and}goes on as at ({number})");
            again = true;
        } else if uses[place] > 1 {
            told += 1;
            numbers.insert(place, told);
            let space = if said.ends_with(' ') { "" } else { " " };
            let _ = write!(said, "{space}({told})");
        }
        out.extend(std::iter::repeat_n("  ", depth.min(MOST_INDENTED)));
        let said = said.trim_start_matches(", ").trim();
        let _ = writeln!(out, "{}", if said.is_empty() { "at first" } else { said });
        if !again {
            let rest = rest(cases);
            let first_last = rest
                .into_iter()
                .chain((0..cases.len()).rev().filter(|at| Some(*at) != rest));
            open.extend(first_last.map(|at| {
                let (moves, to) = &cases[at];
                let moves = if rest == Some(at) {
                    "anything else".to_owned()
                } else {
                    list(moves, cases)
                };
                (*to, depth + 1, format!("if {other} plays {moves}: "))
            }));
        }
    }
}

/// The greatest indentation of lines.
const MOST_INDENTED: usize = 40;

/// The case written last, as "otherwise": the one with the most moves, if these are many and no
/// range.
fn rest(cases: &[(Vec<Move>, usize)]) -> Option<usize> {
    let all = cases.iter().enumerate();
    let (at, (moves, _)) = all.max_by_key(|(_, (moves, _))| moves.len())?;
    (cases.len() > 1 && moves.len() > 3 && range(moves, cases).is_none()).then_some(at)
}

/// "2, 3 or 4"; of cards also "4 or lower", "9 or higher" or "5 to 9", where these are all among
/// what may be played in these cases.
fn list(moves: &[Move], cases: &[(Vec<Move>, usize)]) -> String {
    if let Some(range) = range(moves, cases) {
        return range;
    }
    let names: Vec<&str> = moves.iter().map(|(name, _)| name.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

fn range(moves: &[Move], cases: &[(Vec<Move>, usize)]) -> Option<String> {
    let ranks = moves.iter().map(|(_, rank)| *rank);
    let ranks: Vec<u8> = ranks.collect::<Option<_>>()?;
    let (low, high) = (ranks.iter().min()?, ranks.iter().max()?);
    let others = cases.iter().filter(|(other, _)| other != moves);
    let mut others = others
        .flat_map(|(other, _)| other)
        .filter_map(|(_, rank)| *rank);
    let (mut below, mut above) = (false, false);
    if ranks.len() < 2
        || others.any(|other| {
            below |= other < *low;
            above |= other > *high;
            (*low..=*high).contains(&other)
        })
    {
        return None;
    }
    match (below, above) {
        (false, true) => Some(format!("{high} or lower")),
        (true, false) => Some(format!("{low} or higher")),
        (true, true) if ranks.len() > 2 => Some(format!("{low} to {high}")),
        _ => None,
    }
}
