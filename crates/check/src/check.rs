//! The check of a certificate.
//!
//! Idea: for each step, the root's first, there are two dual checks: the lower bound must lie below
//! what follows from the children, and the upper bound above. The bounds of the children are
//! assumed, because their own steps come later.
//!
//! Needs: any lattice; it need not be distributive.
//!
//! Cost: each step is checked once, with the children of its node and some operations of the
//! lattice. The nodes of all steps are kept in memory. No recursion.

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Dual, JoinPrimes, Lattice, Stop};

use crate::certificate::{Certificate, Step};
use crate::weight::Heavier;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The root is worth at least this; in a certificate of a claim, a truth value.
    pub lower: Option<AnyElem>,
    /// And at most this; in a certificate about weights without its light sets.
    pub upper: Option<AnyElem>,
    /// The number of steps that rest on an unchecked bound that the problem states.
    pub bounds: u64,
    /// The number of steps for leaves.
    pub leaves: u64,
}

/// Why a certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Rejected {
    /// A limit fired before the check was complete.
    #[error("the check has not come to its end: {0}")]
    Stop(#[from] Stop),
    /// There is no step for the root.
    #[error("the certificate has no step")]
    Empty,
    /// The claimed bound is not join-prime.
    #[error("what the certificate claims is not join-prime")]
    NotJoinPrime,
    /// The weights do not fit this problem.
    #[error("what the certificate claims is about weights of other worlds")]
    OtherWeights,
    /// A step is wrong.
    #[error("step {step} ({name}): {why}")]
    Step {
        /// Its index, from 0.
        step: usize,
        /// Its node.
        name: String,
        /// The reason.
        why: &'static str,
    },
    /// A step that cannot be reached from the root's.
    #[error("step {0}: no earlier step leads to it")]
    Unreached(usize),
}

/// Checks that a certificate proves the bounds of its first step for the root. `known` has the
/// bounds that the problem states.
///
/// # Errors
/// The first error.
pub fn check<D, V, H>(
    dag: &D,
    valuation: &V,
    known: &mut H,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Checked, Rejected>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = AnyLattice>,
    H: Heuristic<D::Node, AnyLattice>,
{
    let of_problem = valuation.lattice();
    let claim = certificate.at_least.as_ref();
    if let Some(claim) = claim
        && !of_problem.is_join_prime(claim, budget)?
    {
        return Err(Rejected::NotJoinPrime);
    }
    let no_heavier = certificate.no_heavier.as_ref();
    let weights = no_heavier.map(|claim| claim.weights(of_problem));
    let heavier = match (no_heavier, &weights) {
        (Some(claim), Some(weights)) => {
            let weights = weights.as_ref().ok_or(Rejected::OtherWeights)?;
            Heavier::new(of_problem, weights, claim.than)
        }
        _ => None,
    };
    // With a claim, maps each value to its truth value, or removes its light sets.
    let part = |value: AnyElem| match &heavier {
        Some(heavier) => heavier.part(&value, budget),
        None => Ok(value),
    };
    let seen = |value: AnyElem| match claim {
        Some(claim) => of_problem.leq(claim, &value, budget).map(AnyElem::Bool),
        None => part(value),
    };
    let upwards = certificate.lattice(of_problem);
    let downwards = AnyLattice::Dual(Box::new(Dual(upwards.clone())));
    let mut nodes: Vec<Option<D::Node>> = vec![None; certificate.len()];
    let mut checked = Checked {
        lower: None,
        upper: None,
        bounds: 0,
        leaves: 0,
    };
    *nodes.first_mut().ok_or(Rejected::Empty)? = Some(dag.root());
    let mut children = Vec::new();
    for number in 0..nodes.len() {
        budget.visit()?;
        let node = nodes[number].clone().ok_or(Rejected::Unreached(number))?;
        let wrong = |why| {
            let mut name = String::new();
            // Writing to a string cannot fail.
            let _ = dag.name(&node, &mut name);
            Rejected::Step {
                step: number,
                name,
                why,
            }
        };
        let step = certificate.step(number);
        let kind = dag.kind(&node);
        children.clear();
        if kind != Kind::Leaf {
            dag.children(&node, &mut children);
        }
        budget.steps(children.len() as u64)?;
        let links = step.children();
        if links.len() != children.len() && (kind == Kind::Leaf || links.len() > 0) {
            return Err(wrong("the node has another number of children"));
        }
        for (link, child) in links.zip(children.drain(..)) {
            let Some(link) = link else { continue };
            match nodes.get_mut(link as usize) {
                Some(place @ None) if link as usize > number => *place = Some(child),
                Some(Some(other)) if link as usize > number && *other == child => {}
                _ => return Err(wrong("a child is another node than that of its step")),
            }
        }
        let mut stated = None;
        if step.bound {
            let bounds = known.bounds(of_problem, &node, budget)?;
            let bounds = bounds.ok_or_else(|| wrong("the problem states no bound of the node"))?;
            stated = Some((seen(bounds.lower().clone())?, seen(bounds.upper().clone())?));
            checked.bounds += 1;
        }
        let mut leaf = None;
        if kind == Kind::Leaf {
            leaf = Some(seen(valuation.leaf(&node))?);
            checked.leaves += 1;
        }
        let (least, most) = stated.as_ref().map(|(least, most)| (least, most)).unzip();
        let lower = Side {
            lattice: upwards,
            all_needed: kind == Kind::And,
            stated: leaf.as_ref().or(least),
            bound: |step: Step<'_>| value(certificate, step.lower),
            part,
        };
        if !lower.follows(certificate, step, budget)? {
            return Err(wrong("its lower bound does not follow"));
        }
        let upper = Side {
            lattice: &downwards,
            all_needed: kind == Kind::Or,
            stated: leaf.as_ref().or(most),
            bound: |step: Step<'_>| value(certificate, step.upper),
            part,
        };
        if !upper.follows(certificate, step, budget)? {
            return Err(wrong("its upper bound does not follow"));
        }
        if number == 0 {
            checked.lower = (lower.bound)(step).cloned();
            checked.upper = (upper.bound)(step).cloned().map(part).transpose()?;
        }
    }
    Ok(checked)
}

/// A value of a certificate. Indices out of range were rejected when it was read; here they mean no
/// bound.
fn value(certificate: &Certificate, number: Option<u32>) -> Option<&AnyElem> {
    certificate.values.get(number? as usize)
}

/// The side of lower bounds in a lattice, or of upper bounds, which are lower bounds in the dual.
struct Side<'a, B, P> {
    lattice: &'a AnyLattice,
    /// Whether the node is the meet of its children here, and not their join.
    all_needed: bool,
    /// The bound known without children: of a leaf its value.
    stated: Option<&'a AnyElem>,
    /// The bound of a step.
    bound: B,
    /// Maps a value to the certificate's lattice.
    part: P,
}

impl<'a, B, P> Side<'a, B, P>
where
    B: Fn(Step<'_>) -> Option<&'a AnyElem>,
    P: Fn(AnyElem) -> Result<AnyElem, Stop>,
{
    /// Returns whether the bound of a step follows from those of its children and the stated one.
    fn follows(
        &self,
        certificate: &Certificate,
        step: Step<'_>,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let lattice = self.lattice;
        let Some(claimed) = (self.bound)(step) else {
            return Ok(true);
        };
        let below = |value: &AnyElem| -> Result<bool, Stop> {
            Ok(claimed == value || lattice.leq(claimed, value, budget)?)
        };
        if self.stated.map_or(Ok(false), below)? {
            return Ok(true);
        }
        let parts = || {
            let steps = step.children();
            steps.map(|child| (self.bound)(certificate.step(child? as usize)))
        };
        let mut enough = self.all_needed && parts().len() > 0;
        for part in parts() {
            let holds = part.map_or(Ok(false), below)?;
            if holds != self.all_needed {
                enough = holds;
                break;
            }
        }
        if enough {
            return Ok(true);
        }
        // Only all children together may imply it.
        let mut all = None;
        for part in parts() {
            match (&mut all, part) {
                (_, None) if self.all_needed => {
                    all = None;
                    break;
                }
                (_, None) => {}
                (None, Some(part)) => all = Some(part.clone()),
                (Some(all), Some(part)) if self.all_needed => {
                    lattice.meet_assign(all, part, budget)?;
                }
                (Some(all), Some(part)) => lattice.join_assign(all, part, budget)?,
            }
        }
        match (all, self.stated) {
            (Some(mut all), stated) => {
                if let Some(stated) = stated {
                    lattice.join_assign(&mut all, stated, budget)?;
                }
                below(&(self.part)(all)?)
            }
            (None, _) => Ok(*claimed == (self.part)(lattice.bottom())?),
        }
    }
}
