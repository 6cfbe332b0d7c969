//! Truncation: smaller functions in place of one whose diagram is too large.
//!
//! Two ways, both applied to each function on the way up the gates, so that nothing large is made:
//!
//! - *Heavy points do not count.* With T the points whose events weigh more than a limit,
//!   `f -> f or T` preserves meets and joins: it is a homomorphism into the lattice above T. The
//!   minimal sets of the image that do not lie in T are exactly the light minimal sets of `f`.
//!   Weight 1 for each event truncates by order, minus the logarithm of its probability by
//!   probability.
//! - *Improbable nodes do not count.* The nodes that are reached with the least probability become
//!   false, or true. As the gates are AND and OR, the result is a lower, or an upper, bound of the
//!   function.

use meetjoin_lattice::diagram::{Function, Functions, Level};
use meetjoin_lattice::{Budget, Stop};

use crate::diagram::interval::Chance;

/// The points at which the variables that are true weigh more than `most`. `weights` go by level.
pub(crate) fn heavy(
    functions: &mut Functions,
    weights: &[u32],
    most: u32,
    budget: &Budget,
) -> Result<Function, Stop> {
    // Entry `r`: more than `r` with the variables that were seen.
    let mut rows = vec![Function::FALSE; most as usize + 1];
    for (level, &weight) in weights.iter().enumerate().rev() {
        for rest in (0..rows.len()).rev() {
            let with = match rest.checked_sub(weight as usize) {
                Some(rest) => rows[rest],
                None => Function::TRUE,
            };
            rows[rest] = functions.node(level as Level, with, rows[rest], budget)?;
        }
    }
    Ok(rows[most as usize])
}

/// `f` with all but `keep` nodes replaced by a constant: those that are reached with the least
/// probability. `chances` go by level.
pub(crate) fn pruned(
    functions: &mut Functions,
    f: Function,
    chances: &[Chance],
    keep: usize,
    constant: Function,
    budget: &Budget,
) -> Result<Function, Stop> {
    let listing = functions.listing(&[f], budget)?;
    if listing.nodes.len() <= keep {
        return Ok(f);
    }
    let mut reach = vec![0.0; listing.nodes.len() + 2];
    reach[listing.roots[0] as usize] = 1.0;
    for (place, node) in listing.nodes.iter().enumerate().rev() {
        let (here, chance) = (reach[place + 2], chances[node.level as usize]);
        reach[node.high as usize] += here * chance.yes;
        reach[node.low as usize] += here * chance.no;
    }
    let mut places: Vec<usize> = (0..listing.nodes.len()).collect();
    places.sort_unstable_by(|&a, &b| reach[b + 2].total_cmp(&reach[a + 2]).then(b.cmp(&a)));
    let mut kept = vec![false; places.len()];
    for &place in &places[..keep] {
        kept[place] = true;
    }
    let mut made = vec![Function::FALSE, Function::TRUE];
    for (node, kept) in listing.nodes.iter().zip(kept) {
        let [high, low] = [node.high, node.low].map(|place| made[place as usize]);
        made.push(if kept {
            functions.node(node.level, high, low, budget)?
        } else {
            constant
        });
    }
    Ok(made[listing.roots[0] as usize])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EVENTS: u32 = 7;

    fn point(s: u32) -> impl Fn(Level) -> bool {
        move |level| s >> level & 1 == 1
    }

    proptest! {
        #[test]
        fn heavy_points_and_pruned_functions(
            sets in prop::collection::vec(0_u32..1 << EVENTS, 0..8),
            weights in prop::collection::vec(0_u32..4, EVENTS as usize),
            most in 0_u32..8,
            keep in 1_usize..12,
        ) {
            let budget = Budget::unlimited();
            let mut functions = Functions::default();
            let mut f = Function::FALSE;
            for &set in &sets {
                let mut product = Function::TRUE;
                for level in (0..EVENTS).rev().filter(|level| set >> level & 1 == 1) {
                    let variable = functions.variable(level, &budget).expect("no limit");
                    product = functions.and(product, variable, &budget).expect("no limit");
                }
                f = functions.or(f, product, &budget).expect("no limit");
            }
            let heavy = heavy(&mut functions, &weights, most, &budget).expect("no limit");
            let chances = [Chance::of(0.1); EVENTS as usize];
            let mut prune = |constant| {
                let pruned = pruned(&mut functions, f, &chances, keep, constant, &budget).expect("no limit");
                let size = functions.listing(&[pruned], &budget).expect("no limit").nodes.len();
                (pruned, size)
            };
            let ((lower, small), (upper, other)) = (prune(Function::FALSE), prune(Function::TRUE));
            prop_assert!(small <= keep && other <= keep);
            for s in 0..1 << EVENTS {
                let weight: u32 = (0..EVENTS).filter(|e| s >> e & 1 == 1).map(|e| weights[e as usize]).sum();
                prop_assert_eq!(functions.is_true_at(heavy, point(s)), weight > most);
                let at = |g| functions.is_true_at(g, point(s));
                prop_assert!(at(lower) <= at(f) && at(f) <= at(upper));
            }
        }
    }
}
