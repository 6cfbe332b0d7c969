//! Attributes where sequences matter: in a gate `sand`, time adds up.
//!
//! Idea: time is then neither a sum nor a maximum over the actions of an attack, but depends on the
//! gates. Whether the root can be had within t is a monotone function of the actions, so there is
//! one formula for each t that makes a difference, and the front over the other attributes is one
//! pass for each of them.

use meetjoin_lattice::{Budget, Stop};

use crate::algebra::criteria::Criteria;
use crate::algebra::front::Front;
use crate::algebra::witness::Witnesses;
use crate::algebra::{Compared, Fronts, evaluate};
use crate::plan::{Plan, within_times};
use crate::tree::{AttackTree, Kind, Rule, Scale, Side, TIME};

/// Whether an attribute is time, and the tree has sequences in which it adds.
pub fn adds_in_sequence(tree: &AttackTree, attribute: usize) -> bool {
    let attribute = &tree.attributes()[attribute];
    attribute.name == TIME
        && attribute.rule == Rule::Max
        && tree.of_kind(Kind::Sequence).next().is_some()
}

/// The values of attacks in some attributes where no defence is bought, including time that adds in
/// sequences.
pub struct Values {
    criteria: Criteria,
    /// Which of the attributes is that time, if one is.
    time: Option<usize>,
}

impl Values {
    /// The values in attributes, by their places in the tree.
    pub fn of(tree: &AttackTree, attributes: &[usize]) -> Self {
        let mut places = attributes.iter();
        Self {
            criteria: Criteria::of(tree, attributes),
            time: places.position(|&place| adds_in_sequence(tree, place)),
        }
    }

    /// Those of an attack, in the order of the attributes.
    pub fn of_attack(&self, tree: &AttackTree, attack: &[u32]) -> Vec<f64> {
        let mut values = self.criteria.values(tree, attack);
        if let Some(place) = self.time
            && let Some(time) = time_of(tree, attack)
        {
            values[place] = time;
        }
        values
    }
}

/// The vectors of a front over time and other attributes: the time, and the attack. The attack has
/// the other values.
///
/// # Errors
/// [`Stop`] when the budget ends it.
pub fn front_with_time(
    tree: &AttackTree,
    others: &Criteria,
    budget: &Budget,
) -> Result<Vec<(f64, Vec<u32>)>, Stop> {
    let mut found = Vec::new();
    let Some((formula, steps)) = within_times(tree, budget)? else {
        return Ok(found);
    };
    let time = tree.attribute(TIME).unwrap_or(0);
    let scale = Scale::of(tree, time).unwrap_or(Scale::ONE);
    let witnesses = Witnesses::default();
    let fronts = Fronts::of(others, &witnesses);
    let mut before = Front::default();
    for (units, root) in steps {
        let mut formula = formula.clone();
        formula.root = root;
        let plan = Plan::of_formula(tree, &formula, false, budget)?;
        let front = evaluate(&plan, &fronts, budget)?;
        for point in fronts.points(&front) {
            // Only points that less time could not match.
            if !fronts.no_more(&point, &before) {
                let attack = witnesses.leaves(point.witnesses()[0]);
                found.push((scale.value(units), attack));
            }
        }
        before = front;
    }
    Ok(found)
}

/// How long an attack takes where no defence is bought, if time adds in sequences; `None` if it is
/// no attack.
pub fn time_of(tree: &AttackTree, attack: &[u32]) -> Option<f64> {
    let time = tree.attribute(TIME)?;
    let scale = Scale::of(tree, time).unwrap_or(Scale::ONE);
    let mut is_done = vec![false; tree.nodes().len()];
    for &action in attack {
        is_done[action as usize] = true;
    }
    let mut times: Vec<Option<f64>> = vec![None; tree.nodes().len()];
    for &number in tree.upwards() {
        let node = &tree.nodes()[number as usize];
        if tree.side(number) == Side::Defender {
            continue;
        }
        let all = node
            .arguments
            .iter()
            .map(|&argument| times[argument as usize]);
        let mut some: Vec<f64> = all.flatten().collect();
        some.sort_unstable_by(f64::total_cmp);
        let is_complete = some.len() == node.arguments.len();
        times[number as usize] = match node.kind {
            Kind::Action => {
                let takes = node.values[time].unwrap_or(0.0);
                is_done[number as usize].then(|| scale.units(takes))
            }
            Kind::Constant(constant) => constant.then_some(0.0),
            Kind::Defence => None,
            Kind::Or => some.first().copied(),
            Kind::AtLeast(least) => some.get(least as usize - 1).copied(),
            Kind::And => some.last().copied().filter(|_| is_complete),
            Kind::Sequence => is_complete.then(|| some.iter().sum()),
        };
    }
    times[tree.root() as usize].map(|units| scale.value(units))
}
