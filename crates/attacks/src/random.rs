//! Random attack trees with shared parts, defences and three attributes.
//!
//! A tree of `nodes` nodes grows from the root: repeatedly one of its actions becomes a gate with
//! two to four actions. Then `sharing` uses of actions become uses of other actions that are near,
//! as parts of a system are shared by their neighbours. Last, each defence counters one node, an
//! action in three of four cases.
//!
//! Draw order, from `ChaCha8Rng::seed_from_u64(seed)`: for each gate `random_range` of the actions
//! that there are, `random_range(2..=4)` arguments and `random_range(0..8)` for its kind (0 to 3
//! OR, 4 to 6 AND, 7 at least two where it has three, else AND); for each action
//! `random_range(1..=30)` its cost, `1..=9` its skill, `5..=99` percent its `p`; for each shared
//! use `random_range` of the uses of actions in the order of a walk, and `1..=8` of how far the
//! other is; for each defence `1..=20` its cost, `0..4`, and `random_range` of what it counters.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::tree::{AttackTree, Attribute, Kind, Node, Rule};

/// The parameters of a random attack tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackTreeParameters {
    /// Gates and actions, at least 3.
    pub nodes: u32,
    /// Uses of actions that have another use.
    pub sharing: u32,
    /// Defences.
    pub defences: u32,
    /// Seed of the generator.
    pub seed: u64,
}

/// Parameters that make no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an attack tree has 3 to {MOST} nodes, no more shared uses than nodes, and no more defences"
)]
pub struct NoAttackTree;

/// The most nodes.
const MOST: u32 = 1 << 24;

impl AttackTreeParameters {
    /// Draws the tree.
    ///
    /// # Errors
    /// If the parameters make none.
    pub fn tree(&self) -> Result<AttackTree, NoAttackTree> {
        let &Self {
            nodes: count,
            sharing,
            defences,
            seed,
        } = self;
        if !(3..=MOST).contains(&count) || sharing > count || defences > count {
            return Err(NoAttackTree);
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let node = |name: String, kind| Node {
            name,
            kind,
            arguments: Vec::new(),
            counters: Vec::new(),
            values: vec![None; 3],
            damage: 0.0,
        };
        // Nodes that did not become gates are actions.
        let mut nodes = vec![node("top".to_owned(), Kind::Or)];
        let mut open = vec![0_usize];
        while (nodes.len() as u32) < count {
            let gate = open.swap_remove(random.random_range(0..open.len()));
            let arguments = random
                .random_range(2..=4_u32)
                .min(count - nodes.len() as u32);
            nodes[gate].kind = match random.random_range(0..8) {
                0..=3 => Kind::Or,
                7 if arguments > 2 => Kind::AtLeast(2),
                _ => Kind::And,
            };
            if gate > 0 {
                nodes[gate].name = format!("g{gate}");
            }
            for _ in 0..arguments {
                let number = nodes.len();
                nodes[gate].arguments.push(number as u32);
                nodes.push(node(format!("a{number}"), Kind::Action));
                open.push(number);
            }
        }
        let is_action = |node: &Node| node.kind == Kind::Action;
        for node in nodes.iter_mut().filter(|node| is_action(node)) {
            let cost = random.random_range(1..=30);
            let skill = random.random_range(1..=9);
            let percent = random.random_range(5..=99);
            node.values = [
                f64::from(cost),
                f64::from(skill),
                f64::from(percent) / 100.0,
            ]
            .map(Some)
            .to_vec();
        }
        share(&mut nodes, sharing, &mut random);
        for number in 0..defences {
            let mut defence = node(format!("d{number}"), Kind::Defence);
            defence.values[0] = Some(f64::from(random.random_range(1..=20)));
            let wants_action = random.random_range(0..4) > 0;
            let mut countered = random.random_range(1..count) as usize;
            if wants_action
                && let Some(action) =
                    (countered..count as usize).find(|&place| is_action(&nodes[place]))
            {
                countered = action;
            }
            let place = nodes.len() as u32;
            nodes[countered].counters.push(place);
            nodes.push(defence);
        }
        let attribute = |name: &str, rule| Attribute {
            name: name.to_owned(),
            rule,
        };
        let attributes = vec![
            attribute("cost", Rule::Sum),
            attribute("skill", Rule::Max),
            attribute("p", Rule::Product),
        ];
        let tree = AttackTree::rooted(nodes, attributes, 0);
        Ok(tree.unwrap_or_else(|error| unreachable!("arguments come after gates: {error}")))
    }
}

/// Replaces `sharing` uses of actions by uses of other actions that are near.
fn share(nodes: &mut [Node], sharing: u32, random: &mut ChaCha8Rng) {
    let mut uses: Vec<(usize, usize)> = Vec::new();
    let mut open = vec![(0, 0)];
    // In the order of a walk: what is near in it is near in the tree.
    while let Some((gate, next)) = open.pop() {
        let Some(&argument) = nodes[gate].arguments.get(next) else {
            continue;
        };
        open.push((gate, next + 1));
        if nodes[argument as usize].kind == Kind::Action {
            uses.push((gate, next));
        } else {
            open.push((argument as usize, 0));
        }
    }
    for _ in 0..sharing {
        let use_ = random.random_range(0..uses.len());
        let near = random.random_range(1..=8_usize);
        let other = if use_ >= near {
            use_ - near
        } else {
            use_ + near
        };
        let (Some(&(gate, place)), Some(&(from, at))) = (uses.get(use_), uses.get(other)) else {
            continue;
        };
        let shared = nodes[from].arguments[at];
        if !nodes[gate].arguments.contains(&shared) {
            nodes[gate].arguments[place] = shared;
        }
    }
}
