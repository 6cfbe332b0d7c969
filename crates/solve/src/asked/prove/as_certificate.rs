//! A proof as a certificate.

use std::collections::HashMap;

use meetjoin_check::Certificate;
use meetjoin_dag::AndOrDag;
use meetjoin_lattice::AnyElem;
use meetjoin_search::proof::{ProofGraph, Reason};

/// A proof as a certificate of its claim, without the digest of the problem.
pub(super) fn as_certificate<D: AndOrDag>(
    dag: &D,
    proof: &ProofGraph<D::Node>,
    claim: AnyElem,
) -> Certificate {
    let steps = proof.steps.iter().zip(0_u32..);
    let numbers: HashMap<&D::Node, u32> = steps.map(|(step, i)| (&step.node, i)).collect();
    let answer = AnyElem::Bool(proof.answer);
    let mut certificate = Certificate::new(String::new(), Some(claim), vec![answer]);
    let (lower, upper) = (proof.answer.then_some(0), (!proof.answer).then_some(0));
    let mut children = Vec::new();
    for step in &proof.steps {
        children.clear();
        let mut needed: &[D::Node] = &[];
        if let Reason::Children(some) = &step.reason {
            dag.children(&step.node, &mut children);
            needed = some;
        }
        let link = |child| needed.contains(child).then(|| numbers.get(child).copied());
        let links = children.iter().map(|child| link(child).flatten());
        certificate.push(lower, upper, matches!(step.reason, Reason::Bounds), links);
    }
    certificate.sorted()
}
