//! Larger trees by a second method: the minimal attacks of every node as lists of sets, from the
//! bottom up, for each set of defences.

use std::collections::BTreeSet;

use meetjoin_attacks::{List, from_text};

use crate::enumeration::{Dice, Gate, Tree, random};
use crate::known::json;

/// Sets as masks, none of which has another as a part.
type Sets = Vec<u64>;

/// More are too many for this method.
const MOST: usize = 3000;

fn minimal(sets: impl IntoIterator<Item = u64>) -> Option<Sets> {
    let mut sets: Vec<u64> = sets.into_iter().collect();
    sets.sort_unstable_by_key(|set| (set.count_ones(), *set));
    sets.dedup();
    let mut kept: Sets = Vec::new();
    for set in sets {
        if !kept.iter().any(|other| other & set == *other) {
            kept.push(set);
        }
    }
    (kept.len() <= MOST).then_some(kept)
}

fn either(a: &Sets, b: &Sets) -> Option<Sets> {
    minimal(a.iter().chain(b).copied())
}

fn both(a: &Sets, b: &Sets) -> Option<Sets> {
    if a.len() * b.len() > 200_000 {
        return None;
    }
    minimal(a.iter().flat_map(|a| b.iter().map(move |b| a | b)))
}

/// At least so many.
fn least(k: usize, all: &[Sets]) -> Option<Sets> {
    let mut rows: Vec<Sets> = vec![Vec::new(); k + 1];
    rows[0] = vec![0];
    for sets in all {
        for row in (1..=k).rev() {
            rows[row] = either(&rows[row], &both(&rows[row - 1], sets)?)?;
        }
    }
    rows.pop()
}

/// The minimal attacks when these defences are bought; `None` if there are too many sets.
fn attacks(tree: &Tree, bought: usize) -> Option<Sets> {
    // Of the defender's nodes: what keeps them from being true.
    let mut made: Vec<Sets> = Vec::new();
    let certain = |truth: bool| if truth { vec![0] } else { Vec::new() };
    let is_absent = |defence: usize| bought >> (defence - tree.actions.len()) & 1 == 0;
    for (number, node) in tree.nodes.iter().enumerate() {
        let all: Vec<Sets> = node
            .arguments
            .iter()
            .map(|&argument| made[argument].clone())
            .collect();
        let count = all.len();
        let needed = match node.gate {
            Gate::Or => 1,
            Gate::Least(least) => least,
            _ => count,
        };
        let needed = if node.ours {
            needed
        } else {
            count + 1 - needed
        };
        let mut sets = match node.gate {
            Gate::Action => vec![1 << number],
            Gate::Defence => certain(is_absent(number)),
            _ => least(needed, &all)?,
        };
        for &counter in &node.counters {
            let other = if node.gate == Gate::Action {
                certain(is_absent(counter))
            } else {
                made[counter].clone()
            };
            sets = if node.ours {
                both(&sets, &other)?
            } else {
                either(&sets, &other)?
            };
        }
        made.push(sets);
    }
    made.pop()
}

fn values(tree: &Tree, attack: u64) -> [u64; 3] {
    let done = tree
        .actions
        .iter()
        .filter(|&&action| attack >> action & 1 == 1);
    done.map(|&action| &tree.nodes[action])
        .fold([0; 3], |[cost, skill, time], node| {
            [cost + node.cost, skill.max(node.skill), time.max(node.time)]
        })
}

/// Whether the tree was small enough for this method.
fn check(dice: &mut Dice, leaves: usize) -> bool {
    let tree = random(dice, leaves);
    let text = tree.text();
    let all: Option<Vec<Sets>> = (0..1 << tree.defences.len())
        .map(|bought| attacks(&tree, bought))
        .collect();
    let Some(all) = all else { return false };
    let read = from_text(&text, Some(&format!("n{}", tree.nodes.len() - 1)), &[]).expect("a tree");
    let names = if tree.sand {
        &["cost", "skill"][..]
    } else {
        &["cost", "skill", "time"]
    };
    let found = json(&read, |request| {
        request.pareto = names.iter().map(|&name| name.to_owned()).collect();
        request.defences = true;
        request.list = List::All;
    });
    assert_eq!(found["count"], all[0].len().to_string(), "{text}");
    assert_eq!(
        found["attacks"].as_array().map(Vec::len),
        Some(all[0].len()),
        "{text}"
    );
    let vectors: BTreeSet<Vec<u64>> = all[0]
        .iter()
        .map(|&attack| values(&tree, attack)[..names.len()].to_vec())
        .collect();
    let mut front: Vec<Vec<u64>> = Vec::new();
    for vector in vectors {
        if !front
            .iter()
            .any(|other| other.iter().zip(&vector).all(|(a, b)| a <= b))
        {
            front.push(vector);
        }
    }
    let points = found["front"].as_array().expect("a front").iter();
    let points: Vec<Vec<u64>> = points
        .map(|point| {
            names
                .iter()
                .map(|&name| point["values"][name].as_u64().expect("a number"))
                .collect()
        })
        .collect();
    assert_eq!(points, front, "{text}");
    let mut left: Vec<(u64, u64)> = (0..all.len())
        .map(|bought| {
            let price = tree
                .defences
                .iter()
                .enumerate()
                .filter(|(place, _)| bought >> place & 1 == 1);
            let price = price.map(|(_, &defence)| tree.nodes[defence].cost).sum();
            (
                price,
                all[bought]
                    .iter()
                    .map(|&attack| values(&tree, attack)[0])
                    .min()
                    .unwrap_or(u64::MAX),
            )
        })
        .collect();
    left.sort_unstable_by_key(|&(price, best)| (price, std::cmp::Reverse(best)));
    let mut wanted: Vec<(u64, u64)> = Vec::new();
    for point in left {
        if wanted.last().is_none_or(|last| last.1 < point.1) {
            wanted.push(point);
        }
    }
    let points = found["defence_front"].as_array().expect("a front").iter();
    let points: Vec<(u64, u64)> = points
        .map(|point| {
            (
                point["cost"].as_u64().expect("a price"),
                point["attack_cost"].as_u64().unwrap_or(u64::MAX),
            )
        })
        .collect();
    assert_eq!(points, wanted, "{text}");
    true
}

fn checked(trees: usize, from: u64) {
    let mut left = trees;
    for seed in from.. {
        left -= usize::from(check(&mut Dice(seed), 15 + (seed % 16) as usize));
        if left == 0 {
            break;
        }
    }
}

#[test]
fn larger_trees() {
    checked(60, 0);
}

#[test]
#[ignore = "takes a minute"]
fn five_hundred_larger_trees() {
    checked(500, 2_000_000);
}
