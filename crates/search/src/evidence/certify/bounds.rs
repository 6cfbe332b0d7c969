//! Certificates by bounds, for lattices with many primes.

use std::hash::Hash;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{
    Budget, DistributiveLattice, ElemOf, Interval, Lattice, Stop, Words, WorldSet,
};

use super::growing::{Certified, CertifiedStep, Growing, NoCertificate, Values};
use crate::{Duo, Env, Store as _, Table, Window, alpha_beta_duo_as};

/// A certificate of the root's value, from a search over the lattice itself and the bounds in its
/// cache. This is for lattices with many primes, such as families of sets: steps have whole values
/// as bounds, and not sets of claims. If a limit on visits or time ends the search, the certificate
/// is for the bounds known then; writing it takes no longer than the search.
///
/// # Errors
/// If a bound of `known` is not true, or memory ends, or the budget is cancelled.
pub fn by_bounds<D, V, H>(
    dag: &D,
    valuation: &V,
    known: &mut H,
    budget: &Budget,
) -> Result<Certified<ElemOf<V::Lattice>>, NoCertificate>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: DistributiveLattice>,
    H: Heuristic<D::Node, V::Lattice>,
    ElemOf<V::Lattice>: Hash,
{
    let lattice = valuation.lattice();
    let window = Window::full(lattice);
    let env = Env::new(budget).with_store(Table::new());
    let mut env = env.with_heuristic(&mut *known);
    let outcome = alpha_beta_duo_as(dag, valuation, &window, Duo::EVERYWHERE, &mut env);
    let store = env.store;
    let budget = &budget.afterwards();
    let mut left = Left {
        dag,
        valuation,
        known,
        store,
        root: outcome.value,
        budget,
    };
    let mut growing = Growing::new(&dag.root(), SIDES);
    let (both, mut open) = (Words::full(SIDES), Vec::new());
    growing.demand::<1>(0, 0, both, &mut open);
    while let Some((number, sides)) = open.pop() {
        budget.visit()?;
        for side in sides.ones() {
            left.explain(number, side, &mut growing, &mut open)?;
        }
    }
    let (mut values, mut steps) = (Values::default(), Vec::new());
    for (node, step) in growing.nodes.iter().zip(growing.explained) {
        let bounds = left.bounds(node)?;
        let number = |value: &ElemOf<V::Lattice>| values.number(value.clone());
        let [lower, upper] = [bounds.lower(), bounds.upper()].map(number);
        steps.push(CertifiedStep {
            lower: step.claims[0].then_some(lower),
            upper: step.claims[1].then_some(upper),
            bound: step.bound,
            children: step.children,
        });
    }
    Ok(Certified {
        values: values.list,
        steps,
        stop: outcome.stop,
    })
}

/// The lower bound, then the upper one.
const SIDES: usize = 2;

/// The result of a search over the lattice itself.
struct Left<'a, D: AndOrDag, V: Valuation<D::Node>, H> {
    dag: &'a D,
    valuation: &'a V,
    known: &'a mut H,
    store: Table<D::Node, Interval<ElemOf<V::Lattice>>>,
    root: Interval<ElemOf<V::Lattice>>,
    budget: &'a Budget,
}

impl<D, V, H> Left<'_, D, V, H>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    H: Heuristic<D::Node, V::Lattice>,
{
    /// The known bounds of a node.
    fn bounds(&mut self, node: &D::Node) -> Result<Interval<ElemOf<V::Lattice>>, Stop> {
        if self.dag.kind(node) == Kind::Leaf {
            return Ok(Interval::Exact(self.valuation.leaf(node)));
        }
        if *node == self.dag.root() {
            return Ok(self.root.clone());
        }
        if let Some(found) = self.store.get(node).1 {
            return Ok(found.clone());
        }
        let lattice = self.valuation.lattice();
        let stated = self.known.bounds(lattice, node, self.budget)?;
        Ok(stated.unwrap_or_else(|| Interval::new(lattice.bottom(), lattice.top())))
    }

    /// Returns whether a bound on this side follows from another.
    fn follows(
        &self,
        side: usize,
        bound: &ElemOf<V::Lattice>,
        from: &ElemOf<V::Lattice>,
    ) -> Result<bool, Stop> {
        let lattice = self.valuation.lattice();
        if side == 0 {
            lattice.leq(bound, from, self.budget)
        } else {
            lattice.leq(from, bound, self.budget)
        }
    }

    /// Explains the bound of a node on one side by bounds of its children.
    fn explain(
        &mut self,
        number: u32,
        side: usize,
        growing: &mut Growing<D::Node>,
        open: &mut Vec<(u32, Words<1>)>,
    ) -> Result<(), NoCertificate> {
        let node = growing.nodes[number as usize].clone();
        let kind = self.dag.kind(&node);
        if kind == Kind::Leaf {
            return Ok(());
        }
        let lattice = self.valuation.lattice();
        let of_side = |bounds: Interval<ElemOf<V::Lattice>>| match side {
            0 => bounds.lower().clone(),
            _ => bounds.upper().clone(),
        };
        let bound = of_side(self.bounds(&node)?);
        let nothing = [lattice.bottom(), lattice.top()];
        if bound == nothing[side] {
            return Ok(());
        }
        let stated = self.known.bounds(lattice, &node, self.budget)?.map(of_side);
        if let Some(stated) = &stated
            && self.follows(side, &bound, stated)?
        {
            growing.explained[number as usize].bound = true;
            return Ok(());
        }
        let mut children = Vec::new();
        self.dag.children(&node, &mut children);
        let links = &mut growing.explained[number as usize].children;
        links.resize(children.len(), None);
        let parts: Result<Vec<_>, Stop> = children.iter().map(|child| self.bounds(child)).collect();
        let parts: Vec<ElemOf<V::Lattice>> = parts?.into_iter().map(of_side).collect();
        let mut needed: Vec<usize> = Vec::new();
        if (kind == Kind::And) == (side == 0) {
            needed.extend(0..children.len());
            for part in &parts {
                growing.explained[number as usize].bound |= !self.follows(side, &bound, part)?;
            }
        } else {
            let mut one = None;
            for (place, part) in parts.iter().enumerate() {
                if self.follows(side, &bound, part)? {
                    let is_known = growing.numbers.contains_key(&children[place]);
                    one = one.filter(|_| !is_known).or(Some(place));
                    if is_known {
                        break;
                    }
                }
            }
            needed.extend(one);
            if one.is_none() {
                let mut all = if side == 0 {
                    lattice.bottom()
                } else {
                    lattice.top()
                };
                for (place, part) in parts.iter().enumerate() {
                    if self.follows(side, &bound, &all)? {
                        break;
                    }
                    // A child that adds nothing is not needed.
                    if self.follows(side, part, &all)? {
                        continue;
                    }
                    if side == 0 {
                        lattice.join_assign(&mut all, part, self.budget)?;
                    } else {
                        lattice.meet_assign(&mut all, part, self.budget)?;
                    }
                    needed.push(place);
                }
                growing.explained[number as usize].bound |= !self.follows(side, &bound, &all)?;
            }
        }
        if growing.explained[number as usize].bound && stated.is_none() {
            return Err(NoCertificate::Contradiction);
        }
        let mut this = Words::empty(SIDES);
        this.insert(side);
        for place in needed {
            growing.give(number, place, &children[place], 0, this, open);
        }
        Ok(())
    }
}
