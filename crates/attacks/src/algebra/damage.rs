//! Cost and damage: nodes do damage when they are true, whether or not the root is, and an attacker
//! may stop anywhere (Lopuhaä-Zwakenberg and Stoelinga 2023).
//!
//! Idea: the value of a module is a set of points: the cost, the damage in it, and whether the
//! module is true. A point is dropped when another costs no more, does no less damage and is no
//! less true, as damage further up is monotone in what is true. Where gates share parts, the
//! functions of all damaged gates are followed together through one order of variables: a state is
//! their cofactors, and equal states are merged.
//!
//! Cost: in a tree, the points; where parts are shared, points times states.

use std::collections::HashMap;

use meetjoin_faults::rewrite::modules::Meetings;
use meetjoin_faults::rewrite::order::Scope;
use meetjoin_lattice::diagram::{Function, Functions, View};
use meetjoin_lattice::{Budget, Stop};

use super::witness::{NOTHING, Witness, Witnesses};
use crate::tree::{AttackTree, Kind, Scale, Side};

/// An attack with its cost and damage.
#[derive(Clone, Debug, PartialEq)]
pub struct Damage {
    /// Its cost.
    pub cost: f64,
    /// The damage.
    pub damage: f64,
    /// The actions.
    pub attack: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    cost: f64,
    damage: f64,
    is_true: bool,
    attack: Witness,
}

/// The front of cost and damage where no defence is bought. The cost is the attribute with this
/// place.
///
/// # Errors
/// [`Stop`] when the budget ends it.
pub fn damage_front(tree: &AttackTree, cost: usize, budget: &Budget) -> Result<Vec<Damage>, Stop> {
    let units = [Scale::of(tree, cost), Scale::of_damage(tree)];
    let units = units.map(|scale| scale.unwrap_or(Scale::ONE));
    let witnesses = Witnesses::default();
    let attackers = tree.upwards().iter().copied();
    let attackers = attackers.filter(|&node| tree.side(node) == Side::Attacker);
    let below = below(tree);
    let is_module = modules(tree, &below);
    let mut points: Vec<Vec<Point>> = vec![Vec::new(); tree.nodes().len()];
    for number in attackers {
        let node = &tree.nodes()[number as usize];
        let damage = units[1].units(node.damage);
        if node.kind == Kind::Action {
            let price = node.values.get(cost).copied().flatten();
            let done = Point {
                cost: units[0].units(price.unwrap_or(0.0)),
                damage,
                is_true: true,
                attack: witnesses.leaf(number),
            };
            points[number as usize] = pruned(vec![LEFT, done], budget)?;
        } else if is_module[number as usize] {
            let region = Region::of(tree, number, &below, &is_module, &mut points);
            points[number as usize] = region.points(tree, units[1], &witnesses, budget)?;
        }
    }
    let mut root = std::mem::take(&mut points[tree.root() as usize]);
    for point in &mut root {
        point.is_true = false;
    }
    let front = pruned(root, budget)?.into_iter().map(|point| Damage {
        cost: units[0].value(point.cost),
        damage: units[1].value(point.damage),
        attack: witnesses.leaves(point.attack),
    });
    Ok(front.collect())
}

/// Nothing is done.
const LEFT: Point = Point {
    cost: 0.0,
    damage: 0.0,
    is_true: false,
    attack: NOTHING,
};

/// The points that no other dominates, the cheapest first.
fn pruned(mut points: Vec<Point>, budget: &Budget) -> Result<Vec<Point>, Stop> {
    budget.steps(points.len() as u64)?;
    budget.room((points.len() * size_of::<Point>()) as u64)?;
    points.sort_by(|a, b| {
        let cost = a.cost.total_cmp(&b.cost);
        let more = b.damage.total_cmp(&a.damage);
        cost.then(more).then(b.is_true.cmp(&a.is_true))
    });
    // The most damage until now, of all points and of those that are true.
    let mut most = [f64::NEG_INFINITY; 2];
    points.retain(|point| {
        let [all, of_true] = most;
        if point.damage <= if point.is_true { of_true } else { all } {
            return false;
        }
        most[0] = all.max(point.damage);
        if point.is_true {
            most[1] = point.damage;
        }
        true
    });
    Ok(points)
}

/// The arguments of each node of the attacker. Where no defence is bought no countermeasure is
/// true, but a node that counters one may do damage of its own: it is listed below the root without
/// entering the root's function.
fn below(tree: &AttackTree) -> Vec<Vec<u32>> {
    let mut below = vec![Vec::new(); tree.nodes().len()];
    let mut loose: Vec<u32> = Vec::new();
    for &number in tree.upwards() {
        let node = &tree.nodes()[number as usize];
        match tree.side(number) {
            Side::Attacker => below[number as usize].clone_from(&node.arguments),
            Side::Defender => loose.extend(&node.counters),
        }
    }
    below[tree.root() as usize].extend(loose);
    below
}

/// Which nodes of the attacker share nothing with the rest.
fn modules(tree: &AttackTree, below: &[Vec<u32>]) -> Vec<bool> {
    let count = tree.nodes().len();
    let of = |node: u32| below[node as usize].as_slice();
    let meetings = Meetings::of(tree.root(), count, of, |node| node);
    let is_module = (0..count as u32).map(|node| meetings.is_module(node, of(node)));
    is_module.collect()
}

/// The gates of a module, down to actions and to other modules.
struct Region {
    /// Arguments first; the module's own is the last.
    gates: Vec<u32>,
    variables: Vec<u32>,
    /// By variable.
    points: Vec<Vec<Point>>,
}

/// The cofactors of the functions: the module's own, and those of damaged gates with their damage
/// as bits, so that states can be compared.
type State = (Function, Vec<(Function, u64)>);

impl Region {
    fn of(
        tree: &AttackTree,
        module: u32,
        below: &[Vec<u32>],
        is_module: &[bool],
        points: &mut [Vec<Point>],
    ) -> Self {
        let is_action = |node: u32| tree.nodes()[node as usize].kind == Kind::Action;
        let ends = |node| is_action(node) || is_module[node as usize];
        let Scope { gates, variables } = Scope::down_to(module, |node| &below[node as usize], ends);
        let of = variables.iter();
        Self {
            points: of
                .map(|&variable| std::mem::take(&mut points[variable as usize]))
                .collect(),
            gates,
            variables,
        }
    }

    /// Makes the first state: the functions of the module's nodes, and the damage of its gates.
    fn state(
        &self,
        tree: &AttackTree,
        scale: Scale,
        functions: &mut Functions,
        budget: &Budget,
    ) -> Result<(State, f64), Stop> {
        let mut made: HashMap<u32, Function> = HashMap::new();
        for (level, &variable) in (0..).zip(&self.variables) {
            made.insert(variable, functions.variable(level, budget)?);
        }
        let (mut damaged, mut certain) = (Vec::new(), 0.0);
        let mut own = Function::FALSE;
        for &gate in &self.gates {
            let node = &tree.nodes()[gate as usize];
            let arguments: Vec<Function> = node.arguments.iter().map(|node| made[node]).collect();
            let least = match node.kind {
                Kind::Or => 1,
                Kind::AtLeast(least) => least as usize,
                Kind::Constant(constant) => usize::from(!constant),
                _ => arguments.len(),
            };
            // `row[k]` is "at least k of those that were seen".
            let mut row = vec![Function::FALSE; least + 1];
            row[0] = Function::TRUE;
            for argument in arguments.into_iter().rev() {
                for k in (1..=least).rev() {
                    let with = functions.and(argument, row[k - 1], budget)?;
                    row[k] = functions.or(with, row[k], budget)?;
                }
            }
            own = row[least];
            made.insert(gate, own);
            let damage = scale.units(node.damage);
            if own == Function::TRUE {
                certain += damage;
            } else if damage > 0.0 && own != Function::FALSE {
                damaged.push((own, damage));
            }
        }
        Ok(((own, merged(damaged)), certain))
    }

    fn points(
        self,
        tree: &AttackTree,
        scale: Scale,
        witnesses: &Witnesses,
        budget: &Budget,
    ) -> Result<Vec<Point>, Stop> {
        let mut functions = Functions::default();
        let (start, certain) = self.state(tree, scale, &mut functions, budget)?;
        // Level by level: the states, and what becomes of each if the variable is false or true,
        // with the damage that is certain then.
        let mut levels: Vec<Vec<[(usize, f64); 2]>> = Vec::new();
        let mut states = vec![start];
        for level in 0..self.variables.len() as u32 {
            let mut numbers: HashMap<State, usize> = HashMap::new();
            let mut next = Vec::new();
            let mut edges = Vec::with_capacity(states.len());
            for state in &states {
                budget.steps(1 + state.1.len() as u64)?;
                edges.push([false, true].map(|truth| {
                    let (after, gained) = after(&functions, state, level, truth);
                    let number = *numbers.entry(after).or_insert_with_key(|state| {
                        next.push(state.clone());
                        next.len() - 1
                    });
                    (number, gained)
                }));
            }
            budget.room((next.len() * 4 * size_of::<State>()) as u64)?;
            levels.push(edges);
            states = next;
        }
        let mut values: Vec<Vec<Point>> = states
            .iter()
            .map(|(own, _)| {
                let is_true = *own == Function::TRUE;
                vec![Point { is_true, ..LEFT }]
            })
            .collect();
        for (edges, points) in levels.iter().zip(&self.points).rev() {
            let of_state = |[low, high]: &[(usize, f64); 2]| {
                let mut all = Vec::new();
                for point in points {
                    let (child, gained) = if point.is_true { high } else { low };
                    for rest in &values[*child] {
                        all.push(Point {
                            cost: point.cost + rest.cost,
                            damage: point.damage + rest.damage + gained,
                            is_true: rest.is_true,
                            attack: witnesses.join(point.attack, rest.attack),
                        });
                    }
                    if all.len() > 1 << 20 {
                        all = pruned(std::mem::take(&mut all), budget)?;
                    }
                }
                pruned(all, budget)
            };
            let found: Result<_, Stop> = edges.iter().map(of_state).collect();
            values = found?;
        }
        let mut found = values.swap_remove(0);
        for point in &mut found {
            point.damage += certain;
        }
        Ok(found)
    }
}

/// Each function once, in order.
fn merged(mut damaged: Vec<(Function, f64)>) -> Vec<(Function, u64)> {
    damaged.sort_by_key(|&(function, _)| function);
    let mut merged: Vec<(Function, f64)> = Vec::new();
    for (function, damage) in damaged {
        match merged.last_mut() {
            Some((last, sum)) if *last == function => *sum += damage,
            _ => merged.push((function, damage)),
        }
    }
    let bits = merged.into_iter();
    bits.map(|(function, damage)| (function, damage.to_bits()))
        .collect()
}

/// The state after the variable of a level is fixed, and the damage that is then certain.
fn after(functions: &Functions, state: &State, level: u32, truth: bool) -> (State, f64) {
    let of = |function: Function| match functions.view(function) {
        View::Node {
            level: own,
            high,
            low,
        } if own == level => {
            if truth {
                high
            } else {
                low
            }
        }
        _ => function,
    };
    let (mut left, mut gained) = (Vec::new(), 0.0);
    for &(function, damage) in &state.1 {
        let damage = f64::from_bits(damage);
        match of(function) {
            Function::TRUE => gained += damage,
            Function::FALSE => {}
            function => left.push((function, damage)),
        }
    }
    ((of(state.0), merged(left)), gained)
}
