//! What defences leave, where a diagram with defences first would be too large.
//!
//! Idea: for given defences the best attack is one pass over a diagram in any order. To leave the
//! attacker less, the defender must stop each attack found so far: a function of defences alone.
//! The price of the cheapest defences that stop all of these is a lower bound; what they leave is
//! either less than before, which is the next point, or one more attack to stop (implicit hitting
//! sets, Moreno-Centeno and Karp 2013).
//!
//! Cost: a pass for each attack that is found. Mostly a few dozen are enough.

use meetjoin_lattice::diagram::{Function, Functions, Level, Listing};
use meetjoin_lattice::{Budget, Stop};

use super::Compared;
use super::left::{Duel, Left, Point};
use super::witness::NOTHING;

/// A variable of the diagram.
enum Asked<'p, V> {
    /// An action or module of the attacker, with its value.
    Attack(&'p V),
    /// A defence, with its price, if it can be bought.
    Defence(Option<&'p Point<V>>),
}

/// The points of a diagram whose variables are each one side's alone, in any order.
///
/// # Errors
/// [`Stop`] when the budget ends it.
pub(super) fn points<A: Compared>(
    duel: &Duel<'_, A>,
    listing: &Listing,
    variables: &[Vec<Point<A::Value>>],
    budget: &Budget,
) -> Result<Vec<Point<A::Value>>, Stop> {
    let asked: Vec<Asked<'_, A::Value>> = variables
        .iter()
        .map(|points| match &points[0].left {
            Left::Attacks(value) => Asked::Attack(value),
            _ => Asked::Defence(
                points
                    .iter()
                    .find(|point| matches!(point.left, Left::Nothing)),
            ),
        })
        .collect();
    // Free defences are bought.
    let is_free = |point: &&Point<A::Value>| point.price <= 0.0;
    let mut bought: Vec<bool> = asked
        .iter()
        .map(|asked| matches!(asked, Asked::Defence(Some(point)) if is_free(point)))
        .collect();
    let mut functions = Functions::default();
    let mut stopping = Function::TRUE;
    let mut found: Vec<Point<A::Value>> = Vec::new();
    loop {
        let (left, attack) = best(duel, listing, &asked, &bought, budget)?;
        let is_less = found
            .last()
            .is_none_or(|last: &Point<A::Value>| !duel.no_more(&last.left, &left));
        if is_less {
            let point = point(duel, &asked, &bought, left.clone());
            if point.price > duel.most() {
                break;
            }
            #[allow(clippy::float_cmp)] // whole units
            if found.last().is_some_and(|last| last.price == point.price) {
                found.pop();
            }
            found.push(point);
        }
        if matches!(left, Left::Nothing) {
            break;
        }
        let stops = stops(listing, &asked, &attack, &mut functions, budget)?;
        stopping = functions.and(stopping, stops, budget)?;
        functions.collect(&[stopping]);
        match cheapest(&functions, stopping, &asked, &bought, budget)? {
            Some(next) => bought = next,
            None => break,
        }
    }
    Ok(found)
}

fn point<A: Compared>(
    duel: &Duel<'_, A>,
    asked: &[Asked<'_, A::Value>],
    bought: &[bool],
    left: Left<A::Value>,
) -> Point<A::Value> {
    let mut point = Point {
        price: 0.0,
        defences: NOTHING,
        left,
    };
    for (asked, &is_bought) in asked.iter().zip(bought) {
        if let (Asked::Defence(Some(defence)), true) = (asked, is_bought) {
            point.price += defence.price;
            point.defences = duel.joined(point.defences, defence.defences);
        }
    }
    point
}

/// The attacker's best value against some defences, and the actions of an attack that has it.
fn best<A: Compared>(
    duel: &Duel<'_, A>,
    listing: &Listing,
    asked: &[Asked<'_, A::Value>],
    bought: &[bool],
    budget: &Budget,
) -> Result<(Left<A::Value>, Vec<bool>), Stop> {
    let mut values = vec![Left::Nothing, Left::Everything];
    for node in &listing.nodes {
        budget.steps(1)?;
        let [high, low] = [node.high, node.low].map(|child| &values[child as usize]);
        let value = match &asked[node.level as usize] {
            Asked::Attack(attack) => duel.with_attack(attack, high, low, budget)?,
            Asked::Defence(_) if bought[node.level as usize] => low.clone(),
            Asked::Defence(_) => high.clone(),
        };
        values.push(value);
    }
    let mut attack = vec![false; asked.len()];
    let mut place = listing.roots[0] as usize;
    let value = values[place].clone();
    while place > 1 {
        let node = listing.nodes[place - 2];
        let level = node.level as usize;
        let goes_high = match &asked[level] {
            Asked::Attack(_) => {
                let uses = !duel.no_more(&values[place], &values[node.low as usize]);
                attack[level] = uses;
                uses
            }
            Asked::Defence(_) => !bought[level],
        };
        place = if goes_high { node.high } else { node.low } as usize;
    }
    Ok((value, attack))
}

/// The function of the bought defences that is true if they stop an attack.
fn stops<V>(
    listing: &Listing,
    asked: &[Asked<'_, V>],
    attack: &[bool],
    functions: &mut Functions,
    budget: &Budget,
) -> Result<Function, Stop> {
    let mut made = vec![Function::TRUE, Function::FALSE];
    for node in &listing.nodes {
        budget.steps(1)?;
        let [high, low] = [node.high, node.low].map(|child| made[child as usize]);
        let function = match &asked[node.level as usize] {
            Asked::Attack(_) if attack[node.level as usize] => high,
            Asked::Attack(_) => low,
            // The variable of the diagram is true if the defence is absent.
            Asked::Defence(Some(_)) => functions.node(node.level, low, high, budget)?,
            Asked::Defence(None) => high,
        };
        made.push(function);
    }
    Ok(made[listing.roots[0] as usize])
}

/// The cheapest defences that make a function true, if any do.
fn cheapest<V>(
    functions: &Functions,
    f: Function,
    asked: &[Asked<'_, V>],
    bought: &[bool],
    budget: &Budget,
) -> Result<Option<Vec<bool>>, Stop> {
    let listing = functions.listing(&[f], budget)?;
    let price = |level: Level| match &asked[level as usize] {
        Asked::Defence(Some(point)) => point.price,
        _ => f64::INFINITY,
    };
    let mut costs = vec![f64::INFINITY, 0.0];
    for node in &listing.nodes {
        let with = price(node.level) + costs[node.high as usize];
        costs.push(with.min(costs[node.low as usize]));
    }
    let mut place = listing.roots[0] as usize;
    if costs[place].is_infinite() {
        return Ok(None);
    }
    // Free defences stay bought.
    let mut found: Vec<bool> = (0..bought.len() as Level)
        .map(|level| price(level) <= 0.0)
        .collect();
    while place > 1 {
        let node = listing.nodes[place - 2];
        let buys = price(node.level) + costs[node.high as usize] < costs[node.low as usize];
        found[node.level as usize] |= buys;
        place = if buys { node.high } else { node.low } as usize;
    }
    Ok(Some(found))
}
