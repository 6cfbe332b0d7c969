//! Defences first in every diagram, and defences anywhere with attacks found one by one: the same
//! points.

use meetjoin_attacks::algebra::left::Left;
use meetjoin_attacks::algebra::witness::Witnesses;
use meetjoin_attacks::algebra::{Best, Criteria, Duel, evaluate};
use meetjoin_attacks::plan::{Defences, Plan};
use meetjoin_attacks::{AttackTree, AttackTreeParameters, from_text};
use meetjoin_lattice::Budget;

use crate::enumeration::{Dice, random};

/// A price, and what is left in the worth of one attribute.
type Priced = (f64, Option<f64>);

/// The points, and whether a diagram is mixed.
fn points(tree: &AttackTree, attribute: usize, defences: Defences) -> (Vec<Priced>, bool) {
    let budget = Budget::unlimited();
    let plan = Plan::of(tree, defences, false, &budget).expect("no limit");
    let (witnesses, criteria) = (Witnesses::default(), Criteria::of(tree, &[attribute]));
    let attacker = Best::of(&criteria, &witnesses);
    let duel = Duel::of(tree, &attacker, &witnesses, 0, None);
    let points = evaluate(&plan, &duel, &budget).expect("no limit");
    let worth = |left: &Left<Option<(f64, u32)>>| match left {
        Left::Nothing => None,
        Left::Everything => Some(0.0),
        Left::Attacks(value) => value.map(|(worth, _)| worth),
    };
    let found = points
        .iter()
        .map(|point| (point.price, worth(&point.left)))
        .collect();
    (found, plan.modules.iter().any(|module| module.is_mixed))
}

#[test]
fn any_order_gives_the_same_points() {
    let mut mixed = 0;
    let mut check = |tree: &AttackTree, what: &str| {
        for attribute in 0..3 {
            let (first, _) = points(tree, attribute, Defences::First);
            let (anywhere, is_mixed) = points(tree, attribute, Defences::Anywhere);
            let near = |(a, b): (&Priced, &Priced)| {
                let [one, other] = [a.1, b.1].map(|worth| worth.unwrap_or(-1.0));
                let is_near = one.total_cmp(&other).is_eq() || (one - other).abs() <= 1e-9;
                (a.0 - b.0).abs() < 1e-9 && is_near
            };
            let same = first.len() == anywhere.len() && first.iter().zip(&anywhere).all(near);
            assert!(same, "{first:?} {anywhere:?}\n{what}");
            mixed += usize::from(is_mixed);
        }
    };
    for seed in 0..500 {
        let tree = random(&mut Dice(3_000_000 + seed), 4 + (seed % 12) as usize);
        let text = tree.text();
        let read = from_text(&text, Some(&format!("n{}", tree.nodes.len() - 1)), &[]);
        check(&read.expect("a tree"), &text);
    }
    for seed in 0..40 {
        let parameters = AttackTreeParameters {
            nodes: 80,
            sharing: 20,
            defences: 10,
            seed,
        };
        check(
            &parameters.tree().expect("a tree"),
            &format!("{parameters:?}"),
        );
    }
    assert!(mixed > 200, "{mixed}");
}
