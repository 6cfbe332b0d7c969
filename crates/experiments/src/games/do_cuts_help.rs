//! Fault trees as graphs over the free distributive lattice: do the cutoffs of alpha-beta help, for
//! whole values and for a window?
//!
//! With T the points at which more than two events occur, the window from T to the top asks for the
//! cut sets of at most two events: values below T are of no interest. Plain evaluation answers the
//! same question with T joined to every leaf, which changes no meet and no join.

use std::time::Instant;

use meetjoin_dag::{NodeId, Problem, Valuation};
use meetjoin_faults::FaultTree;
use meetjoin_faults::FaultTreeParameters;
use meetjoin_faults::problem::problem;
use meetjoin_lattice::diagram::Function;
use meetjoin_lattice::{
    AnyElem, AnyLattice, Budget, Interval, Lattice as _, Limits, Monotone, Stop,
};
use meetjoin_search::{
    Counts, DenseStores, Env, Outcome, Stores as _, Window, alpha_beta_cached, alpha_beta_duo,
    minimax_cached,
};

use crate::games::fault_trees::trees_of;
use crate::measuring::asking::{Failure, Lines};
use crate::measuring::measure::RunLimits;

/// The most events of a set that is asked for.
const ORDER: usize = 2;
/// Steps of one search.
const STEPS: u64 = 1 << 23;

/// A tree with values in one lattice. Searches share no store: what one has computed would be free
/// for the next.
struct Tree {
    problem: Problem<AnyLattice>,
    lattice: Monotone,
    /// Joined to every leaf.
    floor: Function,
}

impl Valuation<NodeId> for Tree {
    type Lattice = Monotone;

    fn lattice(&self) -> &Monotone {
        &self.lattice
    }

    fn leaf(&self, node: &NodeId) -> Function {
        match self.problem.leaf(node) {
            AnyElem::Function(mut value) => {
                let joined =
                    self.lattice
                        .join_assign(&mut value, &self.floor, &Budget::unlimited());
                joined.map_or(value, |()| value)
            }
            _ => self.lattice.bottom(),
        }
    }
}

impl Tree {
    fn new(tree: &FaultTree) -> Result<Self, String> {
        let problem = problem(tree).map_err(|error| error.to_string())?;
        let AnyLattice::Monotone(lattice) = problem.lattice().clone() else {
            return Err("a fault tree has no values in the free distributive lattice".to_owned());
        };
        let floor = lattice.bottom();
        Ok(Self {
            problem,
            lattice,
            floor,
        })
    }

    /// More than [`ORDER`] events.
    fn more(&self, budget: &Budget) -> Result<Function, Stop> {
        let lattice = &self.lattice;
        // Row `r`: more than `r` of the events that were seen.
        let mut rows = [lattice.bottom(); ORDER + 1];
        for event in (1..=i64::from(lattice.events())).rev() {
            let event = lattice.of_sets(&[vec![event]], budget)?;
            for r in (0..rows.len()).rev() {
                let mut with = event;
                if r > 0 {
                    lattice.meet_assign(&mut with, &rows[r - 1], budget)?;
                }
                lattice.join_assign(&mut rows[r], &with, budget)?;
            }
        }
        Ok(rows[ORDER])
    }
}

#[derive(Clone, Copy)]
enum By {
    Plain,
    AlphaBeta,
    Duo,
}

/// The cost of a search, as a cell, and whether the root is above the window's lower end, if known.
fn asked(tree: &FaultTree, by: By, windowed: bool) -> Result<(String, Option<bool>), String> {
    let mut tree = Tree::new(tree)?;
    let budget = Budget::new(Limits {
        steps: Some(STEPS),
        ..Limits::default()
    });
    let nodes = tree.problem.graph().node_count();
    let stores = DenseStores { nodes };
    let mut window = Window::full(&tree.lattice);
    if windowed {
        window.alpha = tree.more(&budget).map_err(|stop| stop.to_string())?;
    }
    let started = Instant::now();
    let (outcome, counts): (Outcome<Function>, Counts) = match by {
        By::Plain => {
            tree.floor = window.alpha;
            let env = Env::new(&budget).with_store(stores.store());
            let mut env = env.with_observer(Counts::default());
            let outcome = minimax_cached(&tree.problem, &tree, &mut env);
            (outcome, env.observer)
        }
        By::AlphaBeta => {
            let env = Env::new(&budget).with_store(stores.store());
            let mut env = env.with_observer(Counts::default());
            let outcome = alpha_beta_cached(&tree.problem, &tree, &window, &mut env);
            (outcome, env.observer)
        }
        By::Duo => {
            let env = Env::new(&budget).with_store(stores.store());
            let mut env = env.with_observer(Counts::default());
            let outcome = alpha_beta_duo(&tree.problem, &tree, &window, &mut env);
            (outcome, env.observer)
        }
    };
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    let looks = counts.visits + counts.probes;
    if outcome.stop.is_some() {
        return Ok((format!("stopped after {looks}"), None));
    }
    let above = match outcome.clipped {
        Interval::Exact(value) => Some(value != window.alpha),
        Interval::Between { .. } => None,
    };
    let cell = format!("{looks}, {}, {milliseconds:.1}", counts.cutoffs);
    Ok((cell, above))
}

/// A line for each tree: of the folder with data, and random ones.
pub(crate) fn searches(trees: u64, limits: &RunLimits) -> Result<Lines, Failure> {
    let mut all = match &limits.data {
        Some(folder) => trees_of(folder)?,
        None => Vec::new(),
    };
    for seed in 1..=trees {
        let parameters = FaultTreeParameters {
            events: 60,
            gates: 60,
            arguments: 4,
            seed,
        };
        let tree = parameters.tree().map_err(|error| error.to_string())?;
        all.push((format!("random-60-60-{seed}"), tree));
    }
    let mut lines = Vec::new();
    for (name, tree) in all {
        if limits.cancel.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Failure::Cancelled);
        }
        let nodes = Tree::new(&tree)?.problem.graph().node_count();
        let mut cells = vec![name.clone(), nodes.to_string()];
        for windowed in [false, true] {
            let mut known = None;
            for by in [By::Plain, By::AlphaBeta, By::Duo] {
                let (cell, above) = asked(&tree, by, windowed)?;
                cells.push(cell);
                if let (Some(known), Some(above)) = (known, above)
                    && known != above
                {
                    return Err(Failure::Wrong(format!("{name}: two algorithms disagree")));
                }
                known = known.or(above);
            }
            if windowed {
                let word = known.map_or("?", |above| if above { "yes" } else { "no" });
                cells.push(word.to_owned());
            }
        }
        lines.push(cells);
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_asks_for_small_sets() {
        for (text, small) in [
            ("top = and a b c", false),
            ("top = or x y\nx = and a b c\ny = and c d", true),
        ] {
            let tree = meetjoin_problems::Source::read_fault_tree(text, None).expect("a tree");
            for by in [By::Plain, By::AlphaBeta, By::Duo] {
                let (_, above) = asked(&tree, by, true).expect("it can be asked");
                assert_eq!(above, Some(small), "{text}");
            }
        }
    }
}
