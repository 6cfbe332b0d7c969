//! Trees as monotone formulas over actions and absent defences.

use meetjoin_faults::rewrite::formula::{FALSE, Formula, Node, TRUE};
use meetjoin_lattice::{Budget, Stop};

use crate::tree::{AttackTree, Kind, Scale, Side, TIME};

/// How a plan treats defences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defences {
    /// No defence is bought.
    Absent,
    /// Each may be bought, and they come first in every diagram.
    First,
    /// Each may be bought, and they come anywhere in a diagram that has actions too.
    Anywhere,
    /// Each may be bought, and they come first where that makes no large diagram.
    Open,
}

/// The formula of a tree: when the attacker has the root.
pub fn formula(tree: &AttackTree, defences: Defences) -> Formula {
    let mut formula = Formula::default();
    // By node: when the attacker has it; for the defender's nodes, when the defender has not.
    let mut made = vec![FALSE; tree.nodes().len()];
    for &node in tree.upwards() {
        made[node as usize] = node_of(tree, node, defences, &mut formula, &made);
    }
    formula.root = made[tree.root() as usize];
    formula
}

fn node_of(
    tree: &AttackTree,
    number: u32,
    defences: Defences,
    formula: &mut Formula,
    made: &[Node],
) -> Node {
    let node = &tree.nodes()[number as usize];
    let of = |others: &[u32]| -> Vec<Node> {
        others.iter().map(|&other| made[other as usize]).collect()
    };
    let arguments = of(&node.arguments);
    let is_attacker = tree.side(number) == Side::Attacker;
    let alone = match node.kind {
        Kind::Defence if defences == Defences::Absent => TRUE,
        Kind::Action | Kind::Defence => formula.literal(number, true),
        Kind::Constant(constant) => Node::from(constant),
        Kind::Or => formula.gate(!is_attacker, arguments),
        Kind::And | Kind::Sequence => formula.gate(is_attacker, arguments),
        Kind::AtLeast(least) if is_attacker => formula.at_least(least as usize, &arguments),
        // Not at least k of n is at least n - k + 1 that are not.
        Kind::AtLeast(least) => formula.at_least(arguments.len() + 1 - least as usize, &arguments),
    };
    let counters = of(&node.counters);
    formula.gate(is_attacker, std::iter::once(alone).chain(counters))
}

/// Times at which the function grows, each with the function from then on.
pub type Steps = Vec<(f64, Node)>;

/// Formulas that say whether the root can be had within some time, for each time that makes a
/// difference, the least first and in whole units, where no defence is bought. A gate in sequence
/// takes the sum of its arguments' times, any other gate the time of those that it needs.
///
/// Cost: a node is made once for each time that it can take; in sequences the times multiply.
///
/// # Errors
/// [`Stop`] when the budget ends it.
pub fn within_times(tree: &AttackTree, budget: &Budget) -> Result<Option<(Formula, Steps)>, Stop> {
    let Some(time) = tree.attribute(TIME) else {
        return Ok(None);
    };
    // Sums of whole units round nothing.
    let scale = Scale::of(tree, time).unwrap_or(Scale::ONE);
    let mut formula = Formula::default();
    // The steps of each node.
    let mut made: Vec<Steps> = vec![Vec::new(); tree.nodes().len()];
    for &number in tree.upwards() {
        let node = &tree.nodes()[number as usize];
        if tree.side(number) == Side::Defender {
            continue;
        }
        let arguments: Vec<&[(f64, Node)]> = node
            .arguments
            .iter()
            .map(|&argument| made[argument as usize].as_slice())
            .collect();
        let steps = match node.kind {
            Kind::Action => {
                let takes = scale.units(node.values[time].unwrap_or(0.0));
                vec![(takes, formula.literal(number, true))]
            }
            Kind::Defence | Kind::Constant(false) => Vec::new(),
            Kind::Constant(true) => vec![(0.0, TRUE)],
            Kind::Sequence => in_sequence(&mut formula, &arguments, budget)?,
            Kind::Or | Kind::And | Kind::AtLeast(_) => {
                let mut times: Vec<f64> = arguments
                    .iter()
                    .copied()
                    .flatten()
                    .map(|step| step.0)
                    .collect();
                times.sort_unstable_by(f64::total_cmp);
                times.dedup();
                let mut steps = Vec::new();
                for time in times {
                    budget.steps(1 + arguments.len() as u64)?;
                    let at: Vec<Node> = arguments.iter().map(|steps| until(steps, time)).collect();
                    let function = match node.kind {
                        Kind::Or => formula.gate(false, at),
                        Kind::AtLeast(least) => formula.at_least(least as usize, &at),
                        _ => formula.gate(true, at),
                    };
                    steps.push((time, function));
                }
                steps
            }
        };
        made[number as usize] = thinned(steps);
    }
    let root = std::mem::take(&mut made[tree.root() as usize]);
    Ok(Some((formula, root)))
}

/// The function at a time.
fn until(steps: &[(f64, Node)], time: f64) -> Node {
    let end = steps.partition_point(|step| step.0 <= time);
    end.checked_sub(1).map_or(FALSE, |last| steps[last].1)
}

/// Without the times at which nothing changes.
fn thinned(steps: Steps) -> Steps {
    let mut last = FALSE;
    let mut steps = steps;
    steps.retain(|&(_, function)| std::mem::replace(&mut last, function) != function);
    steps
}

/// The steps of arguments done one after the other.
fn in_sequence(
    formula: &mut Formula,
    arguments: &[&[(f64, Node)]],
    budget: &Budget,
) -> Result<Steps, Stop> {
    let mut steps = vec![(0.0, TRUE)];
    for argument in arguments {
        let mut sums = Vec::with_capacity(steps.len() * argument.len());
        for &(before, first) in &steps {
            budget.steps(1 + argument.len() as u64)?;
            for &(takes, then) in *argument {
                sums.push((before + takes, formula.gate(true, [first, then])));
            }
        }
        sums.sort_by(|a: &(f64, Node), b| a.0.total_cmp(&b.0));
        steps = Vec::new();
        let mut known = FALSE;
        let mut sums = sums.into_iter().peekable();
        while let Some((time, function)) = sums.next() {
            known = formula.gate(false, [known, function]);
            #[allow(clippy::float_cmp)] // the same time once
            if sums.peek().is_none_or(|next| next.0 != time) {
                steps.push((time, known));
            }
        }
        steps = thinned(steps);
    }
    Ok(steps)
}
