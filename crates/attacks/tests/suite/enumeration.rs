//! Random trees against enumeration of all attacks and all defences, by code that shares nothing
//! with the crate: trees are handed over as text, values are whole numbers.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use meetjoin_attacks::{AttackTree, List, from_text};
use serde_json::Value;

use crate::known::json;

/// A generator of numbers (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Gate {
    Action,
    Defence,
    Or,
    And,
    Sand,
    Least(usize),
}

/// A node of a random tree; what it is about has lower numbers.
pub struct Random {
    pub gate: Gate,
    pub ours: bool,
    pub arguments: Vec<usize>,
    pub counters: Vec<usize>,
    pub cost: u64,
    pub skill: u64,
    pub percent: u64,
    pub time: u64,
    pub damage: u64,
}

pub struct Tree {
    pub nodes: Vec<Random>,
    /// Numbers of actions and of defences; a set of them is a mask.
    pub actions: Vec<usize>,
    pub defences: Vec<usize>,
    pub sand: bool,
}

fn node(gate: Gate, ours: bool, dice: &mut Dice) -> Random {
    Random {
        gate,
        ours,
        arguments: Vec::new(),
        counters: Vec::new(),
        cost: dice.below(if dice.0.is_multiple_of(3) { 4 } else { 30 }) as u64,
        skill: dice.below(9) as u64,
        // Products of few different factors, so that many are equal.
        percent: [50, 25, 100, 10, 20, 80, 0][dice.below(7)]
            .max(dice.below(2) as u64 * dice.below(100) as u64),
        time: dice.below(6) as u64,
        damage: 0,
    }
}

pub fn random(dice: &mut Dice, leaves: usize) -> Tree {
    let wants_defences = dice.below(3) > 0;
    let sand = dice.below(3) == 0;
    let damage = dice.below(2) == 0;
    let bought = if wants_defences {
        1 + dice.below(leaves.min(6) - 1)
    } else {
        0
    };
    let done = 1 + dice.below(leaves - bought);
    let mut nodes = Vec::new();
    for _ in 0..done {
        nodes.push(node(Gate::Action, true, dice));
    }
    for _ in 0..bought {
        nodes.push(node(Gate::Defence, false, dice));
    }
    let mut is_used = vec![false; nodes.len()];
    let gates = 1 + dice.below(9);
    for number in 0..gates {
        let ours = bought == 0 || number + 1 == gates || dice.below(3) > 0;
        let candidates: Vec<usize> = (0..nodes.len())
            .filter(|&other| nodes[other].ours == ours)
            .collect();
        let count = 1 + dice.below(4);
        let mut arguments: Vec<usize> = (0..count)
            .map(|_| {
                // Often what is new.
                let from = if dice.below(2) == 0 {
                    candidates.len() / 2
                } else {
                    0
                };
                candidates[from + dice.below(candidates.len() - from)]
            })
            .collect();
        if number + 1 == gates {
            // The root leads to all gates.
            arguments.extend(
                (done + bought..nodes.len()).filter(|&other| nodes[other].ours && !is_used[other]),
            );
        }
        let mut gate = match dice.below(8) {
            0..=2 => Gate::Or,
            3 | 4 => Gate::And,
            5 if sand => Gate::Sand,
            _ => Gate::Least(1 + dice.below(arguments.len())),
        };
        if !ours && gate == Gate::Sand {
            gate = Gate::And;
        }
        let mut new = node(gate, ours, dice);
        if damage && ours && dice.below(2) == 0 {
            new.damage = dice.below(9) as u64;
        }
        for &argument in &arguments {
            is_used[argument] = true;
        }
        new.arguments = arguments;
        if bought > 0 && dice.below(2) == 0 {
            let others: Vec<usize> = (0..nodes.len())
                .filter(|&other| nodes[other].ours != ours)
                .collect();
            let counter = others[dice.below(others.len())];
            is_used[counter] = true;
            new.counters.push(counter);
        }
        if number + 1 == gates {
            let left =
                (done + bought..nodes.len()).filter(|&other| !nodes[other].ours && !is_used[other]);
            new.counters.extend(left);
        }
        nodes.push(new);
        is_used.push(false);
    }
    // Actions may be countered by what is only about defences, and may do damage.
    for node in &mut nodes[..done] {
        if bought > 0 && dice.below(3) == 0 {
            let counter = done + dice.below(bought);
            node.counters.push(counter);
        }
        if damage && dice.below(3) == 0 {
            node.damage = dice.below(9) as u64;
        }
    }
    for node in &mut nodes[done..done + bought] {
        node.cost = 1 + dice.below(20) as u64;
    }
    let sand = nodes.iter().any(|node| node.gate == Gate::Sand);
    Tree {
        nodes,
        actions: (0..done).collect(),
        defences: (done..done + bought).collect(),
        sand,
    }
}

impl Tree {
    pub fn text(&self) -> String {
        let mut lines =
            "attribute cost sum\nattribute skill max\nattribute p product\nattribute time max\n"
                .to_owned();
        for (number, node) in self.nodes.iter().enumerate() {
            let names: Vec<String> = node
                .arguments
                .iter()
                .map(|argument| format!("n{argument}"))
                .collect();
            let names = names.join(" ");
            let _ = match node.gate {
                Gate::Action => writeln!(
                    lines,
                    "n{number} cost={} skill={} p={} time={}",
                    node.cost,
                    node.skill,
                    node.percent as f64 / 100.0,
                    node.time
                ),
                Gate::Defence => writeln!(lines, "defence n{number} cost={}", node.cost),
                Gate::Or => writeln!(lines, "n{number} = or {names}"),
                Gate::And => writeln!(lines, "n{number} = and {names}"),
                Gate::Sand => writeln!(lines, "n{number} = sand {names}"),
                Gate::Least(least) => writeln!(lines, "n{number} = {least} of {names}"),
            };
            for counter in &node.counters {
                let _ = writeln!(lines, "n{counter} counters n{number}");
            }
            if node.damage > 0 {
                let _ = writeln!(lines, "n{number} damage={}", node.damage);
            }
        }
        lines
    }

    /// Which nodes are true, and until when: the least time at which each is, as the gates say.
    fn run(&self, attack: usize, bought: usize) -> Vec<Option<u64>> {
        let mut times: Vec<Option<u64>> = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            // An action may be countered by defences, which have higher numbers.
            let is_bought = |other: usize| bought >> (other - self.actions.len()) & 1 == 1;
            let mut time = match node.gate {
                Gate::Action => (attack >> number & 1 == 1).then_some(node.time),
                Gate::Defence => is_bought(number).then_some(0),
                _ => {
                    let all: Vec<Option<u64>> = node
                        .arguments
                        .iter()
                        .map(|&argument| times[argument])
                        .collect();
                    let mut some: Vec<u64> = all.iter().copied().flatten().collect();
                    some.sort_unstable();
                    match node.gate {
                        Gate::Or => some.first().copied(),
                        Gate::And => (some.len() == all.len()).then(|| some[some.len() - 1]),
                        Gate::Sand => (some.len() == all.len()).then(|| some.iter().sum()),
                        Gate::Least(least) => some.get(least - 1).copied(),
                        _ => None,
                    }
                }
            };
            for &counter in &node.counters {
                let is_true = if node.gate == Gate::Action {
                    is_bought(counter)
                } else {
                    times[counter].is_some()
                };
                if is_true {
                    time = None;
                }
            }
            times.push(time);
        }
        times
    }
}

/// Values of which less is better. A product of percents is turned round.
type Vector = Vec<u128>;

const ALL: u128 = 10_u128.pow(2 * 15);

fn values(tree: &Tree, attack: usize, time: u64, names: &[&str]) -> Vector {
    let done: Vec<&Random> = tree
        .actions
        .iter()
        .filter(|&&action| attack >> action & 1 == 1)
        .map(|&action| &tree.nodes[action])
        .collect();
    let of = |name: &&str| match *name {
        "cost" => done.iter().map(|node| u128::from(node.cost)).sum(),
        "skill" => done
            .iter()
            .map(|node| u128::from(node.skill))
            .max()
            .unwrap_or(0),
        // Without sequences it is the greatest of the actions, those against countermeasures too.
        "time" if !tree.sand => done
            .iter()
            .map(|node| u128::from(node.time))
            .max()
            .unwrap_or(0),
        "time" => u128::from(time),
        _ => {
            let factors = 15 - done.len() as u32;
            let product: u128 = done.iter().map(|node| u128::from(node.percent)).product();
            ALL - product * 100_u128.pow(factors)
        }
    };
    names.iter().map(of).collect()
}

fn betters(a: &Vector, b: &Vector) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}

/// The vectors that no other betters, in order.
fn front(all: BTreeSet<Vector>) -> Vec<Vector> {
    let mut kept: Vec<Vector> = Vec::new();
    for vector in all {
        if !kept.iter().any(|other| betters(other, &vector)) {
            kept.push(vector);
        }
    }
    kept
}

/// The number for a value of ours.
fn printed(name: &str, value: u128) -> f64 {
    if name == "p" {
        (ALL - value) as f64 / ALL as f64
    } else {
        value as f64
    }
}

fn near(a: &Value, b: f64) -> bool {
    a.as_f64()
        .is_some_and(|a| (a - b).abs() <= 1e-9 * b.abs().max(1e-6))
}

/// An attack by its names.
fn mask(names: &Value) -> usize {
    let names = names.as_array().expect("names").iter();
    names
        .map(|name| {
            1 << name.as_str().expect("a name")[1..]
                .parse::<usize>()
                .expect("a number")
        })
        .sum()
}

fn check_front(
    tree: &Tree,
    found: &Value,
    wanted: &[Vector],
    names: &[&str],
    bought: usize,
    text: &str,
) {
    let found = found.as_array().expect("a front");
    assert_eq!(
        found.len(),
        wanted.len(),
        "{names:?} {found:?} {wanted:?}\n{text}"
    );
    let mut left: Vec<&Vector> = wanted.iter().collect();
    for point in found {
        let attack = mask(&point["attack"]);
        let time = *tree.run(attack, bought).last().expect("a root");
        let time = time.unwrap_or_else(|| panic!("{point} is no attack\n{text}"));
        let own = values(tree, attack, time, names);
        for (name, &value) in names.iter().zip(&own) {
            assert!(
                near(&point["values"][name], printed(name, value)),
                "{point} {own:?}\n{text}"
            );
        }
        let place = left.iter().position(|other| **other == own);
        let place =
            place.unwrap_or_else(|| panic!("{point} is not in the front {wanted:?}\n{text}"));
        left.remove(place);
    }
}

/// Each question against all attacks and all defences.
fn check(dice: &mut Dice, leaves: usize) {
    let tree = random(dice, leaves);
    let text = tree.text();
    let read: AttackTree = from_text(&text, Some(&format!("n{}", tree.nodes.len() - 1)), &[])
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let root = tree.nodes.len() - 1;
    let attacks = 1 << tree.actions.len();
    let with = |bought: usize| -> Vec<(usize, u64)> {
        (0..attacks)
            .filter_map(|attack| Some((attack, tree.run(attack, bought)[root]?)))
            .collect()
    };
    let plain = with(0);
    // Fronts of some attributes in some order.
    let mut names = vec!["cost", "skill", "p", "time"];
    for _ in 0..dice.below(3) {
        names.remove(dice.below(names.len()));
    }
    let shift = dice.below(names.len());
    names.rotate_left(shift);
    let of = |attacks: &[(usize, u64)], names: &[&str]| {
        front(
            attacks
                .iter()
                .map(|&(attack, time)| values(&tree, attack, time, names))
                .collect(),
        )
    };
    let found = json(&read, |request| {
        request.pareto = names.iter().map(|&name| name.to_owned()).collect();
        request.list = List::All;
    });
    check_front(
        &tree,
        &found["front"],
        &of(&plain, &names),
        &names,
        0,
        &text,
    );
    for name in ["cost", "skill", "p", "time"] {
        let best = of(&plain, &[name]);
        match best.first() {
            None => assert!(found["best"][name].is_null(), "{found}\n{text}"),
            Some(best) => {
                assert!(
                    near(&found["best"][name], printed(name, best[0])),
                    "{name} {found}\n{text}"
                );
                let attack = mask(&found["best_attacks"][name]);
                let time = tree.run(attack, 0)[root].expect("an attack");
                assert_eq!(
                    values(&tree, attack, time, &[name]),
                    best[..],
                    "{name}\n{text}"
                );
            }
        }
    }
    // Minimal attacks.
    let sets: BTreeSet<usize> = plain.iter().map(|&(attack, _)| attack).collect();
    let is_minimal = |&attack: &usize| {
        tree.actions
            .iter()
            .all(|&action| attack >> action & 1 == 0 || !sets.contains(&(attack & !(1 << action))))
    };
    let minimal: BTreeSet<usize> = sets.iter().copied().filter(is_minimal).collect();
    assert_eq!(found["count"], minimal.len().to_string(), "{text}");
    let listed = found["attacks"].as_array().expect("attacks");
    assert_eq!(listed.len(), minimal.len(), "{text}");
    for attack in listed {
        let time = tree.run(mask(&attack["attack"]), 0)[root].expect("an attack");
        let time = values(&tree, mask(&attack["attack"]), time, &["time"])[0];
        assert!(
            near(&attack["values"]["time"], printed("time", time)),
            "{text}"
        );
    }
    let listed: BTreeSet<usize> = listed
        .iter()
        .map(|attack| mask(&attack["attack"]))
        .collect();
    assert_eq!(listed, minimal, "{text}");
    let by = ["cost", "skill", "p"][dice.below(3)];
    let most = 1 + dice.below(8);
    let cheapest = json(&read, |request| {
        request.best = vec![by.to_owned()];
        request.list = List::Cheapest(most);
    });
    let mut wanted: Vec<u128> = minimal
        .iter()
        .map(|&attack| values(&tree, attack, 0, &[by])[0])
        .collect();
    wanted.sort_unstable();
    wanted.truncate(most);
    let cheapest = cheapest["attacks"].as_array().expect("attacks");
    assert_eq!(cheapest.len(), wanted.len(), "{text}");
    for (attack, &wanted) in cheapest.iter().zip(&wanted) {
        assert!(
            near(&attack["values"][by], printed(by, wanted)),
            "{by} {cheapest:?} {wanted}\n{text}"
        );
    }
    // Probability: each set of actions that succeed.
    let chance = |&attack: &usize| -> f64 {
        let each = tree.actions.iter().map(|&action| {
            let p = tree.nodes[action].percent as f64 / 100.0;
            if attack >> action & 1 == 1 {
                p
            } else {
                1.0 - p
            }
        });
        each.product()
    };
    let probability: f64 = sets.iter().map(chance).sum();
    assert!(
        (found["probability"].as_f64().expect("a number") - probability).abs() < 1e-9,
        "{text}"
    );
    // Damage.
    if found["damage_front"].is_null() {
        let damaged = reached(&tree)
            .iter()
            .zip(&tree.nodes)
            .any(|(&is_reached, node)| is_reached && node.damage > 0);
        assert!(!damaged, "{text}");
    } else {
        let all = (0..attacks).map(|attack| {
            let times = tree.run(attack, 0);
            let damage: u64 = (0..=root)
                .filter(|&node| times[node].is_some() && reached(&tree)[node])
                .map(|node| tree.nodes[node].damage)
                .sum();
            vec![
                values(&tree, attack, 0, &["cost"])[0],
                1000 - u128::from(damage),
            ]
        });
        let wanted = front(all.collect());
        let found = found["damage_front"].as_array().expect("a front");
        assert_eq!(found.len(), wanted.len(), "{found:?} {wanted:?}\n{text}");
        for (point, wanted) in found.iter().zip(&wanted) {
            assert!(
                near(&point["cost"], wanted[0] as f64),
                "{found:?} {wanted:?}\n{text}"
            );
            assert!(
                near(&point["damage"], (1000 - wanted[1]) as f64),
                "{found:?} {wanted:?}\n{text}"
            );
            assert_eq!(
                values(&tree, mask(&point["attack"]), 0, &["cost"])[0],
                wanted[0],
                "{text}"
            );
        }
    }
    check_defences(&tree, &read, dice, &with, &text);
}

/// Which nodes the root leads to.
fn reached(tree: &Tree) -> Vec<bool> {
    let mut reached = vec![false; tree.nodes.len()];
    *reached.last_mut().expect("a root") = true;
    // Countermeasures of actions have higher numbers than these, and lead nowhere.
    for number in (0..tree.nodes.len()).rev() {
        if reached[number] {
            let node = &tree.nodes[number];
            for &other in node.arguments.iter().chain(&node.counters) {
                reached[other] = true;
            }
        }
    }
    reached
}

fn check_defences(
    tree: &Tree,
    read: &AttackTree,
    dice: &mut Dice,
    with: &dyn Fn(usize) -> Vec<(usize, u64)>,
    text: &str,
) {
    let by = ["cost", "skill", "p"][dice.below(3)];
    let names: &[&str] = if tree.sand {
        &["cost", "skill", "p"]
    } else {
        &["cost", "time"]
    };
    let spend = dice.below(40);
    let found = json(read, |request| {
        request.best = vec![by.to_owned()];
        request.defences = true;
        request.pareto = names.iter().map(|&name| name.to_owned()).collect();
    });
    let budget = json(read, |request| {
        request.best = vec![by.to_owned()];
        request.spend = Some(spend as f64);
    });
    let mut left: Vec<(u64, Option<u128>)> = Vec::new();
    let mut fronts: Vec<(u64, Vec<Vector>)> = Vec::new();
    for bought in 0..1 << tree.defences.len() {
        let price = tree
            .defences
            .iter()
            .enumerate()
            .filter(|(place, _)| bought >> place & 1 == 1)
            .map(|(_, &defence)| tree.nodes[defence].cost)
            .sum();
        let attacks = with(bought);
        let best = attacks
            .iter()
            .map(|&(attack, _)| values(tree, attack, 0, &[by])[0])
            .min();
        left.push((price, best));
        fronts.push((
            price,
            front(
                attacks
                    .iter()
                    .map(|&(attack, time)| values(tree, attack, time, names))
                    .collect(),
            ),
        ));
    }
    // More is better for the defender, and no attack is best.
    let worth = |best: Option<u128>| best.unwrap_or(u128::MAX);
    left.sort_by_key(|&(price, best)| (price, std::cmp::Reverse(worth(best))));
    let mut wanted: Vec<(u64, Option<u128>)> = Vec::new();
    for (price, best) in left.iter().copied() {
        if wanted.last().is_none_or(|last| worth(last.1) < worth(best)) {
            wanted.push((price, best));
        }
    }
    let points = found["defence_front"].as_array().expect("a front");
    assert_eq!(
        points.len(),
        wanted.len(),
        "{by} {points:?} {wanted:?}\n{text}"
    );
    for (point, &(price, best)) in points.iter().zip(&wanted) {
        assert!(
            near(&point["cost"], price as f64),
            "{points:?} {wanted:?}\n{text}"
        );
        match best {
            None => assert!(
                point["attack_cost"].is_null(),
                "{points:?} {wanted:?}\n{text}"
            ),
            Some(best) => assert!(
                near(&point["attack_cost"], printed(by, best)),
                "{by} {points:?} {wanted:?}\n{text}"
            ),
        }
        // The defences that are named do it.
        let bought = mask(&point["defences"]) >> tree.actions.len();
        let attacks = with(bought);
        let best_then = attacks
            .iter()
            .map(|&(attack, _)| values(tree, attack, 0, &[by])[0])
            .min();
        assert_eq!(best_then, best, "{point}\n{text}");
    }
    let block = wanted.last().filter(|point| point.1.is_none());
    match block {
        None => assert!(found["block"].is_null(), "{text}"),
        Some(block) => assert!(near(&found["block"]["cost"], block.0 as f64), "{text}"),
    }
    let affordable = wanted
        .iter()
        .rev()
        .find(|point| point.0 <= spend as u64)
        .expect("nothing is free");
    assert!(
        near(&budget["within_budget"]["cost"], affordable.0 as f64),
        "{spend} {budget}\n{text}"
    );
    if let Some(value) = wanted[0].1 {
        let stopping = json(read, |request| {
            request.best = vec![by.to_owned()];
            // As it is written in an answer, so that it is the same number.
            request.stopping = found["defence_front"][0]["attack_cost"].as_f64();
        });
        let wanted = wanted.iter().find(|point| worth(point.1) > value);
        match wanted {
            None => assert!(stopping["stopping"].is_null(), "{stopping}\n{text}"),
            Some(wanted) => assert!(
                near(&stopping["stopping"]["cost"], wanted.0 as f64),
                "{stopping}\n{text}"
            ),
        }
    }
    // What each price leaves of several attributes: a front goes if another is no dearer and each
    // of its attacks is bettered by one of this.
    let no_more = |a: &Vec<Vector>, b: &Vec<Vector>| {
        a.iter()
            .all(|mine| b.iter().any(|theirs| betters(theirs, mine)))
    };
    fronts.sort();
    let mut wanted: Vec<(u64, Vec<Vector>)> = Vec::new();
    for (place, (price, front)) in fronts.iter().enumerate() {
        let bettered = fronts
            .iter()
            .enumerate()
            .any(|(other, (other_price, other_front))| {
                let strictly = other_price < price || !no_more(front, other_front) || other < place;
                other != place && other_price <= price && no_more(other_front, front) && strictly
            });
        if !bettered {
            wanted.push((*price, front.clone()));
        }
    }
    let points = found["defence_fronts"].as_array().expect("fronts");
    assert_eq!(
        points.len(),
        wanted.len(),
        "{names:?} {points:?} {wanted:?}\n{text}"
    );
    let mut left = wanted;
    for point in points {
        let bought = mask(&point["defences"]) >> tree.actions.len();
        let price = point["cost"].as_u64().expect("a price");
        let attacks = with(bought);
        let own = front(
            attacks
                .iter()
                .map(|&(attack, time)| values(tree, attack, time, names))
                .collect(),
        );
        check_front(tree, &point["front"], &own, names, bought, text);
        let place = left.iter().position(|other| *other == (price, own.clone()));
        left.remove(place.unwrap_or_else(|| panic!("{point} is not wanted {left:?}\n{text}")));
    }
}

#[test]
fn small_trees() {
    for seed in 0..300 {
        check(&mut Dice(seed), 2 + (seed as usize) % 8);
    }
}

/// Takes minutes.
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_trees() {
    for seed in 0..10_000 {
        check(&mut Dice(1_000_000 + seed), 2 + (seed as usize) % 13);
    }
}
