//! Certificates by the value of each node.

use std::hash::Hash;

use meetjoin_dag::{AndOrDag, Kind, Valuation};
use meetjoin_lattice::{Budget, ElemOf};

use super::growing::{Certified, CertifiedStep, Growing, NoCertificate, Values};
use crate::{Env, Store as _, Table, minimax_cached};

/// The certificate with the value of each node. It works in any lattice, and visits every node.
///
/// # Errors
/// If a limit fires.
pub fn by_values<D, V>(
    dag: &D,
    valuation: &V,
    budget: &Budget,
) -> Result<Certified<ElemOf<V::Lattice>>, NoCertificate>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    ElemOf<V::Lattice>: Hash,
{
    let mut env = Env::new(budget).with_store(Table::new());
    if let Some(stop) = minimax_cached(dag, valuation, &mut env).stop {
        return Err(stop.into());
    }
    let mut growing = Growing::new(&dag.root(), 0);
    let (mut values, mut steps) = (Values::default(), Vec::new());
    let mut children = Vec::new();
    while let Some(node) = growing.nodes.get(steps.len()).cloned() {
        budget.visit()?;
        let value = if dag.kind(&node) == Kind::Leaf {
            valuation.leaf(&node)
        } else {
            dag.children(&node, &mut children);
            let known = env.store.get(&node).1;
            // Minimax has stored every inner node.
            known.ok_or(NoCertificate::Contradiction)?.clone()
        };
        let value = Some(values.number(value));
        let links = children.drain(..).map(|child| Some(growing.number(&child)));
        steps.push(CertifiedStep {
            lower: value,
            upper: value,
            bound: false,
            children: links.collect(),
        });
    }
    Ok(Certified {
        values: values.list,
        steps,
        stop: None,
    })
}
