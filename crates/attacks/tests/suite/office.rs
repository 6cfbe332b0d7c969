//! What the chapter says of its example: the values of evaluation from the bottom up, which pays
//! for what is shared as often as it is used, beside the true ones.

use std::collections::HashMap;

use meetjoin_attacks::tree::{Kind, Side};
use meetjoin_attacks::{AttackTree, from_text};

use crate::known::json;

fn office() -> AttackTree {
    let text = include_str!("../../../../examples/office.txt");
    from_text(text, None, &[]).expect("a tree")
}

/// Infinite cost, no chance.
const NEVER: (f64, f64) = (f64::INFINITY, 0.0);

/// By name: the least cost and the greatest chance, from the bottom up, when these are bought.
fn bottom_up(tree: &AttackTree, bought: &[&str]) -> HashMap<String, (f64, f64)> {
    let [cost, p] = ["cost", "p"].map(|name| tree.attribute(name).expect("an attribute"));
    let mut made: HashMap<u32, (f64, f64)> = HashMap::new();
    for &number in tree.upwards() {
        let node = &tree.nodes()[number as usize];
        if tree.side(number) == Side::Defender {
            continue;
        }
        let mut all: Vec<(f64, f64)> = node
            .arguments
            .iter()
            .map(|argument| made[argument])
            .collect();
        let needed = match node.kind {
            Kind::Or => 1,
            Kind::AtLeast(least) => least as usize,
            _ => all.len(),
        };
        let mut value = if node.kind == Kind::Action {
            (
                node.values[cost].expect("a cost"),
                node.values[p].expect("a chance"),
            )
        } else {
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            let least = all[..needed].iter().map(|one| one.0).sum();
            all.sort_by(|a, b| b.1.total_cmp(&a.1));
            (least, all[..needed].iter().map(|one| one.1).product())
        };
        let names = node
            .counters
            .iter()
            .map(|&counter| tree.nodes()[counter as usize].name.as_str());
        if names.into_iter().any(|name| bought.contains(&name)) {
            value = NEVER;
        }
        made.insert(number, value);
    }
    let named = made
        .into_iter()
        .map(|(number, value)| (tree.nodes()[number as usize].name.clone(), value));
    named.collect()
}

#[test]
fn the_table_of_the_chapter() {
    let tree = office();
    let wrong = bottom_up(&tree, &[]);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    near(wrong["remote"].0, 11.0);
    near(wrong["inside"].0, 7.0);
    near(wrong["records"].0, 7.0);
    near(wrong["records"].1, 0.504);
    near(wrong["desk"].1, 0.72);
    near(bottom_up(&tree, &["ports"])["records"].0, 11.0);
    // In truth.
    let below = |top: &str| {
        let text = include_str!("../../../../examples/office.txt");
        let tree = from_text(text, Some(top), &[]).expect("a tree");
        json(&tree, |_| ())["best"].clone()
    };
    assert_eq!(below("remote")["cost"], 6);
    assert_eq!(below("inside")["cost"], 6);
    assert_eq!(
        (&below("records")["cost"], &below("records")["p"]),
        (&6.into(), &0.54.into())
    );
    let ports = json(&tree, |request| request.spend = Some(2.0));
    assert_eq!(ports["within_budget"]["attack_cost"], 6);
}
