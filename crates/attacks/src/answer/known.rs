//! Bounds without any diagram: attacks that exist, and values that no attack can better.
//!
//! Idea: bottom-up evaluation chooses an argument at each gate. The actions that it chooses are an
//! attack, whatever is shared, and the true values of that attack are an upper bound. If the cost
//! of each action is split equally among all paths that lead to it, no attack is charged more than
//! it costs, so bottom-up evaluation then gives a lower bound of a sum. For time in sequences, more
//! actions never make an attack slower, so no attack is faster than that of all actions.

use crate::algebra::criteria::{Criteria, Criterion};
use crate::times::{Values, adds_in_sequence, time_of};
use crate::tree::{AttackTree, Kind, Rule, Side};

/// What is known of the best value of an attribute.
pub(super) struct Known {
    /// An attack.
    pub(super) attack: Vec<u32>,
    /// Its value.
    pub(super) value: f64,
    /// A value that no attack betters.
    pub(super) bound: f64,
}

/// What is known of an attribute where no defence is bought; `None` if there is no attack.
pub(super) fn known(tree: &AttackTree, attribute: usize) -> Option<Known> {
    let criteria = Criteria::of(tree, &[attribute]);
    let criterion = criteria.all[0];
    let adds = adds_in_sequence(tree, attribute);
    let together = |kind, a: f64, b: f64| match kind {
        Kind::Sequence if adds => a + b,
        _ => criterion.times(a, b),
    };
    let whole = |node: u32| criteria.of_leaf(node)[0];
    let (attack, _) = bottom_up(tree, together, whole)?;
    let bound = if adds {
        let everything: Vec<u32> = tree.of_kind(Kind::Action).collect();
        time_of(tree, &everything)?
    } else {
        let paths = paths(tree);
        let part = |node: u32| match criterion.rule {
            Rule::Max => whole(node),
            Rule::Sum | Rule::Product => whole(node) / paths[node as usize].max(1.0),
        };
        let (_, bound) = bottom_up(tree, together, part)?;
        // Allows for rounding of the parts.
        criteria.value_of(match criterion.rule {
            Rule::Max => bound,
            Rule::Sum | Rule::Product => bound * (1.0 - 1e-9),
        })
    };
    Some(Known {
        value: Values::of(tree, &[attribute]).of_attack(tree, &attack)[0],
        attack,
        bound,
    })
}

/// How many paths lead from the root to each node.
fn paths(tree: &AttackTree) -> Vec<f64> {
    let mut paths = vec![0.0; tree.nodes().len()];
    paths[tree.root() as usize] = 1.0;
    for &number in tree.upwards().iter().rev() {
        let own = paths[number as usize];
        for &argument in &tree.nodes()[number as usize].arguments {
            paths[argument as usize] += own;
        }
    }
    paths
}

/// The actions that bottom-up evaluation chooses, and what it takes the root to be worth.
/// `together`: what two arguments of a gate are worth.
fn bottom_up(
    tree: &AttackTree,
    together: impl Fn(Kind, f64, f64) -> f64,
    leaf: impl Fn(u32) -> f64,
) -> Option<(Vec<u32>, f64)> {
    let mut worths: Vec<Option<f64>> = vec![None; tree.nodes().len()];
    let mut chosen: Vec<Vec<u32>> = vec![Vec::new(); tree.nodes().len()];
    for &number in tree.upwards() {
        if tree.side(number) == Side::Defender {
            continue;
        }
        let node = &tree.nodes()[number as usize];
        let mut arguments: Vec<(f64, u32)> = node
            .arguments
            .iter()
            .filter_map(|&argument| Some((worths[argument as usize]?, argument)))
            .collect();
        let needed = match node.kind {
            Kind::Action => {
                worths[number as usize] = Some(leaf(number));
                continue;
            }
            Kind::Constant(constant) => {
                worths[number as usize] = constant.then_some(Criterion::FREE);
                continue;
            }
            Kind::Defence => continue,
            Kind::Or => 1,
            Kind::AtLeast(least) => least as usize,
            Kind::And | Kind::Sequence => node.arguments.len(),
        };
        if arguments.len() < needed {
            continue;
        }
        arguments.sort_by(|a, b| a.0.total_cmp(&b.0));
        arguments.truncate(needed);
        let all = arguments.iter();
        let worth = all.fold(Criterion::FREE, |sum, &(own, _)| {
            together(node.kind, sum, own)
        });
        worths[number as usize] = Some(worth);
        chosen[number as usize] = arguments
            .into_iter()
            .map(|(_, argument)| argument)
            .collect();
    }
    let worth = worths[tree.root() as usize]?;
    let mut seen = vec![false; tree.nodes().len()];
    let mut open = vec![tree.root()];
    let mut attack = Vec::new();
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        if tree.nodes()[node as usize].kind == Kind::Action {
            attack.push(node);
        }
        open.extend(&chosen[node as usize]);
    }
    attack.sort_unstable();
    Some((attack, worth))
}
