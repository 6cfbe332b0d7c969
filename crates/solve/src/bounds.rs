//! Verifies the bounds that a problem states of inner nodes.

use meetjoin_dag::{Kind, NodeId, Problem, Rooted, Valuation};
use meetjoin_file::write_value;
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Interval, Lattice};
use meetjoin_search::{Env, Table, minimax_cached};

/// The output for a problem without stated bounds.
pub const NO_BOUNDS: &str = "bounds     none in the file\n";

/// Verifies that all bounds are true (admissible), and reports whether they are consistent (Pijls
/// and de Bruin): at an OR node no child's upper bound is above the node's, at an AND node no
/// child's lower bound is below the node's.
///
/// # Errors
/// A bound that is not true, in a sentence.
pub fn check(problem: &Problem<AnyLattice>) -> Result<String, String> {
    if !problem.has_bounds() {
        return Ok(NO_BOUNDS.to_owned());
    }
    let (free, lattice) = (Budget::unlimited(), problem.lattice());
    let leq =
        |a: &AnyElem, b: &AnyElem| lattice.leq(a, b, &free).map_err(|error| error.to_string());
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
            write_value(lattice, value, &mut text);
            text
        };
        if !leq(bounds.lower(), &value)? {
            let (lower, value) = (show(bounds.lower()), show(&value));
            return Err(format!(
                "node {name:?}: the lower bound {lower} is not below its value {value}"
            ));
        }
        if !leq(&value, bounds.upper())? {
            let (upper, value) = (show(bounds.upper()), show(&value));
            return Err(format!(
                "node {name:?}: the upper bound {upper} is not above its value {value}"
            ));
        }
        for child in problem.graph().row(node).iter() {
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

/// The stated information about a node: a leaf's value, an inner node's bounds, or nothing.
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
