//! `meetjoin check`: validates a problem file, prints statistics, and verifies bounds.

use meetjoin::dag::{Kind, NodeId, Problem, Rooted, Statistics, Valuation};
use meetjoin::lattice::{AnyElem, AnyLattice, Budget, Interval, Lattice, Stop};
use meetjoin::search::{Env, Table, minimax_cached};

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::output;
use crate::solve::{self, Input};

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let input = solve::read(&args.file)?;
    let mut text = match &input {
        Input::Problem(problem) => Statistics::of(problem.graph()).to_string(),
        Input::Outcomes(problem) => Statistics::of(problem.graph()).to_string(),
        Input::Game(game) => {
            let graph = game.graph();
            let graph = graph.map_err(|error| Failure::in_file(&args.file, error))?;
            Statistics::of(&graph).to_string()
        }
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let wrong = |error| match error {
        BoundsError::Wrong(message) => Failure::in_file(&args.file, message),
        BoundsError::Stopped(stop) => Failure::in_file(&args.file, stop),
    };
    text.push_str(&match &input {
        _ if !args.bounds => String::new(),
        Input::Game(game) if game.has_bounds() => {
            let problem = game.problem();
            let problem = problem.map_err(|error| Failure::in_file(&args.file, error))?;
            check_bounds(&problem).map_err(wrong)?
        }
        Input::Game(_) | Input::Outcomes(_) => NO_BOUNDS.to_owned(),
        Input::Problem(problem) => check_bounds(problem).map_err(wrong)?,
    });
    output::print(&text)
}

const NO_BOUNDS: &str = "bounds     none in the file\n";

enum BoundsError {
    /// A bound that is not true, in a sentence.
    Wrong(String),
    /// Cannot happen: nothing here has a limit.
    Stopped(Stop),
}

impl From<Stop> for BoundsError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

/// Verifies that all bounds are true (admissible), and reports whether they are consistent (Pijls and de Bruin): at an OR node no
/// child's upper bound is above the node's, at an AND node no child's lower bound is below the node's.
fn check_bounds(problem: &Problem<AnyLattice>) -> Result<String, BoundsError> {
    if !problem.has_bounds() {
        return Ok(NO_BOUNDS.to_owned());
    }
    let (free, lattice) = (Budget::unlimited(), problem.lattice());
    let leq = |a: &AnyElem, b: &AnyElem| lattice.leq(a, b, &free);
    let mut env = Env::new(&free).with_store(Table::<NodeId, AnyElem>::new());
    let (mut checked, mut inconsistent) = (0, None);
    for node in problem.graph().nodes() {
        let Some(bounds) = problem.bounds_of(node) else {
            continue;
        };
        checked += 1;
        let name = problem.node_name(node);
        let below = Rooted {
            dag: problem,
            root: node,
        };
        let value = minimax_cached(&below, problem, &mut env)
            .value
            .lower()
            .clone();
        let show = |value| {
            let mut text = String::new();
            meetjoin::file::write_value(lattice, value, &mut text);
            text
        };
        if !leq(bounds.lower(), &value)? {
            let (lower, value) = (show(bounds.lower()), show(&value));
            let wrong =
                format!("node {name:?}: the lower bound {lower} is not below its value {value}");
            return Err(BoundsError::Wrong(wrong));
        }
        if !leq(&value, bounds.upper())? {
            let (upper, value) = (show(bounds.upper()), show(&value));
            let wrong =
                format!("node {name:?}: the upper bound {upper} is not above its value {value}");
            return Err(BoundsError::Wrong(wrong));
        }
        for child in problem.graph().row(node) {
            if inconsistent.is_some() {
                break;
            }
            let known = known(problem, *child);
            let fine = match problem.graph().kind(node) {
                Kind::And => leq(bounds.lower(), known.lower())?,
                Kind::Or | Kind::Leaf => leq(known.upper(), bounds.upper())?,
            };
            if !fine {
                inconsistent = Some((node, *child));
            }
        }
    }
    let consistent = match inconsistent {
        None => "consistent".to_owned(),
        Some((node, child)) => {
            let (node, child) = (problem.node_name(node), problem.node_name(child));
            format!("not consistent: child {child:?} of node {node:?} has weaker ones")
        }
    };
    Ok(format!(
        "bounds     all {checked} admissible, {consistent}\n"
    ))
}

/// What the file says of a node: a leaf's value, the bounds of an inner node, or nothing.
fn known(problem: &Problem<AnyLattice>, node: NodeId) -> Interval<AnyElem> {
    if problem.graph().kind(node) == Kind::Leaf {
        return Interval::Exact(problem.leaf(&node));
    }
    let lattice = problem.lattice();
    problem
        .bounds_of(node)
        .cloned()
        .unwrap_or_else(|| Interval::new(lattice.bottom(), lattice.top()))
}
