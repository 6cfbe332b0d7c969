//! The literal reading: packets exactly as printed, nothing dropped inside a packet. It lives here
//! to show what is wrong with it.

use std::collections::BTreeSet;

use meetjoin_dominance::Player;

use crate::support::{Draw, Tree, Vectors, leq, v};

pub type Set = BTreeSet<Vec<i64>>;
pub type Sets = BTreeSet<Set>;

/// In which order absorbed packets are taken away.
#[derive(Clone, Copy, PartialEq)]
pub enum Removal {
    Ascending,
    Descending,
    /// One that is drawn.
    Drawn(u64),
}

fn at_least(player: Player, a: &[i64], b: &[i64]) -> bool {
    match player {
        Player::Max => leq(&v(b), &v(a)),
        Player::Min => leq(&v(a), &v(b)),
    }
}

fn clearly_dominates(player: Player, better: &Set, worse: &Set) -> bool {
    let covers = |a: &Vec<i64>| worse.iter().any(|b| at_least(player, a, b));
    let strictly = |a: &Vec<i64>| worse.iter().any(|b| a != b && at_least(player, a, b));
    better.iter().all(covers) && better.iter().any(strictly)
}

fn absorbed(player: Player, packet: &Set, others: &Sets) -> bool {
    let mut union = Set::new();
    for other in others.iter().filter(|other| *other != packet) {
        if clearly_dominates(player, other, packet) {
            return true;
        }
        if other.len() < packet.len() && other.is_subset(packet) {
            union.extend(other.iter().cloned());
        }
    }
    union == *packet
}

/// A minimal expression, one packet taken away at a time.
pub fn absorb(player: Player, mut packets: Sets, removal: Removal) -> Sets {
    loop {
        let inferior = packets.iter().filter(|p| absorbed(player, p, &packets));
        let inferior: Vec<&Set> = inferior.collect();
        let place = match removal {
            _ if inferior.is_empty() => return packets,
            Removal::Ascending => 0,
            Removal::Descending => inferior.len() - 1,
            Removal::Drawn(seed) => {
                Draw(seed + packets.len() as u64).below(inferior.len() as u64) as usize
            }
        };
        let next = inferior[place].clone();
        packets.remove(&next);
    }
}

fn convert(to: Player, packets: &Sets, removal: Removal) -> Sets {
    let mut chosen = Sets::from([Set::new()]);
    for packet in packets {
        let with = |set: &Set, x: &Vec<i64>| {
            let mut set = set.clone();
            set.insert(x.clone());
            set
        };
        chosen = chosen
            .iter()
            .flat_map(|set| packet.iter().map(move |x| with(set, x)))
            .collect();
    }
    absorb(to, chosen, removal)
}

/// The expression of a tree for this player.
pub fn value(tree: &Vectors, player: Player, removal: Removal) -> Sets {
    let (own, children) = match tree {
        Tree::Leaf(x) => return Sets::from([Set::from([x.clone()])]),
        Tree::Or(children) => (Player::Max, children),
        Tree::And(children) => (Player::Min, children),
    };
    let packets = children.iter().flat_map(|c| value(c, own, removal));
    let sum = absorb(own, packets.collect(), removal);
    if own == player {
        sum
    } else {
        convert(player, &sum, removal)
    }
}

/// As the files of known answers have it.
pub fn lists(sets: &Sets) -> Vec<Vec<Vec<i64>>> {
    let mut lists: Vec<Vec<Vec<i64>>> = sets
        .iter()
        .map(|set| set.iter().cloned().collect())
        .collect();
    lists.sort();
    lists
}
