//! Certificates by claims "at least t" and "at most m".

use std::hash::Hash;

use ahash::RandomState;
use hashbrown::HashMap;
use meetjoin_dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin_lattice::{
    Budget, ElemOf, FixedBitSet, Interval, JoinPrimes, Lattice, MeetPrimes, Powerset, Stop, Words,
    WorldSet,
};

use super::growing::{Certified, CertifiedStep, Growing, NoCertificate, Values};
use super::values::by_values;
use crate::caches::table::hasher;
use crate::{Duo, Env, Store as _, Table, Window, alpha_beta_duo_as};

/// A certificate that the value of the root lies in `value`, from the leaves and the bounds
/// `known`.
///
/// # Errors
/// If the value does not lie there, or a limit fires.
pub fn certify<D, V, H>(
    dag: &D,
    valuation: &V,
    known: &mut H,
    value: &Interval<ElemOf<V::Lattice>>,
    budget: &Budget,
) -> Result<Certified<ElemOf<V::Lattice>>, NoCertificate>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice: JoinPrimes + MeetPrimes>,
    H: Heuristic<D::Node, V::Lattice>,
    ElemOf<V::Lattice>: Hash,
{
    let lattice = valuation.lattice();
    let least = lattice.join_primes_below(value.lower(), budget)?;
    let most = lattice.meet_primes_above(value.upper(), budget)?;
    let (mut lower, mut upper) = (lattice.bottom(), lattice.top());
    for prime in &least {
        lattice.join_assign(&mut lower, prime, budget)?;
    }
    for prime in &most {
        lattice.meet_assign(&mut upper, prime, budget)?;
    }
    if lower != *value.lower() || upper != *value.upper() {
        return by_values(dag, valuation, budget);
    }
    let count = least.len() + most.len();
    let claims = Claims {
        lattice,
        least,
        most,
        free: Budget::unlimited(),
    };
    let mut growing = Growing::new(&dag.root(), count);
    if count <= 64 {
        Part::<_, _, _, 1>::new(dag, valuation, known, &claims, 0, budget).explain(&mut growing)?;
    } else {
        for begin in (0..count).step_by(64 * WIDE) {
            let mut part =
                Part::<_, _, _, WIDE>::new(dag, valuation, known, &claims, begin, budget);
            part.explain(&mut growing)?;
        }
    }
    finish(growing, &claims, budget)
}

/// Machine words for the claims of a part, if one word is too few.
const WIDE: usize = 8;

/// The claims of the root: first some "at least t", then some "at most m".
struct Claims<'a, L: Lattice> {
    lattice: &'a L,
    least: Vec<L::Elem>,
    most: Vec<L::Elem>,
    /// Leaves and comparisons with them have no budget.
    free: Budget,
}

impl<L: Lattice> Claims<'_, L> {
    /// For a claim "at least t" whether it holds, for "at most m" whether it does not. Both are
    /// homomorphisms into the truth values.
    fn bit(&self, claim: usize, value: &L::Elem) -> bool {
        match claim.checked_sub(self.least.len()) {
            None => self.lattice.leq(&self.least[claim], value, &self.free) == Ok(true),
            Some(claim) => self.lattice.leq(value, &self.most[claim], &self.free) != Ok(true),
        }
    }
}

/// The claims of one search, as sets of their numbers.
struct Questions<'a, V, L: Lattice, const W: usize> {
    valuation: &'a V,
    claims: &'a Claims<'a, L>,
    begin: usize,
    count: usize,
    sets: Powerset<Words<W>>,
    /// The claims "at least t".
    least: Words<W>,
}

impl<V, L: Lattice, const W: usize> Questions<'_, V, L, W> {
    fn bits(&self, value: &L::Elem) -> Words<W> {
        let mut bits = Words::empty(self.count);
        for claim in 0..self.count {
            if self.claims.bit(self.begin + claim, value) {
                bits.insert(claim);
            }
        }
        bits
    }

    /// The claims that certainly hold of a node whose bits lie between these.
    fn settled(&self, known: &Interval<Words<W>>) -> Words<W> {
        let mut settled = *known.lower();
        settled.intersect_with(&self.least);
        let mut most = self.sets.top();
        most.subtract(&self.least);
        most.subtract(known.upper());
        settled.union_with(&most);
        settled
    }
}

impl<N, V, const W: usize> Valuation<N> for Questions<'_, V, V::Lattice, W>
where
    V: Valuation<N>,
{
    type Lattice = Powerset<Words<W>>;

    fn lattice(&self) -> &Self::Lattice {
        &self.sets
    }

    fn leaf(&self, node: &N) -> Words<W> {
        self.bits(&self.valuation.leaf(node))
    }
}

/// Maps bounds of values to bounds of bits.
struct KnownBits<'a, 'q, V, L: Lattice, H, const W: usize> {
    questions: &'q Questions<'a, V, L, W>,
    known: &'q mut H,
}

impl<N, V, H, const W: usize> Heuristic<N, Powerset<Words<W>>>
    for KnownBits<'_, '_, V, V::Lattice, H, W>
where
    V: Valuation<N>,
    H: Heuristic<N, V::Lattice>,
{
    fn bounds(
        &mut self,
        _: &Powerset<Words<W>>,
        node: &N,
        budget: &Budget,
    ) -> Result<Option<Interval<Words<W>>>, Stop> {
        let questions = self.questions;
        let known = self.known.bounds(questions.claims.lattice, node, budget)?;
        Ok(known.map(|known| {
            Interval::new(questions.bits(known.lower()), questions.bits(known.upper()))
        }))
    }
}

/// The search for some of the claims, and the collection of reasons.
struct Part<'a, D: AndOrDag, V: Valuation<D::Node>, H, const W: usize> {
    dag: &'a D,
    known: &'a mut H,
    questions: Questions<'a, V, V::Lattice, W>,
    store: Table<D::Node, Interval<Words<W>>>,
    budget: &'a Budget,
}

impl<'a, D, V, H, const W: usize> Part<'a, D, V, H, W>
where
    D: AndOrDag,
    V: Valuation<D::Node>,
    H: Heuristic<D::Node, V::Lattice>,
{
    fn new(
        dag: &'a D,
        valuation: &'a V,
        known: &'a mut H,
        claims: &'a Claims<'a, V::Lattice>,
        begin: usize,
        budget: &'a Budget,
    ) -> Self {
        let count = (claims.least.len() + claims.most.len() - begin).min(64 * W);
        let sets = Powerset::new(count);
        let mut least = Words::empty(count);
        (begin..claims.least.len().min(begin + count))
            .for_each(|claim| least.insert(claim - begin));
        Self {
            dag,
            known,
            questions: Questions {
                valuation,
                claims,
                begin,
                count,
                sets: sets.unwrap_or_else(|_| unreachable!("no more claims than bits")),
                least,
            },
            store: Table::new(),
            budget,
        }
    }

    /// Searches for the bits of a node that are `wanted`.
    fn search(&mut self, node: &D::Node, wanted: Words<W>) -> Result<Interval<Words<W>>, Stop> {
        let root = Rooted {
            dag: self.dag,
            root: node.clone(),
        };
        let questions = &self.questions;
        let heuristic = KnownBits {
            questions,
            known: &mut *self.known,
        };
        let env = Env::new(self.budget).with_store(&mut self.store);
        let mut env = env.with_heuristic(heuristic);
        let window = Window {
            alpha: questions.sets.bottom(),
            beta: wanted,
        };
        let outcome = alpha_beta_duo_as(&root, questions, &window, Duo::EVERYWHERE, &mut env);
        match outcome.stop {
            Some(stop) => Err(stop),
            None => Ok(outcome.clipped),
        }
    }

    /// The claims that are known to hold of a node.
    fn settled(&mut self, node: &D::Node) -> Result<Words<W>, Stop> {
        let questions = &self.questions;
        if self.dag.kind(node) == Kind::Leaf {
            return Ok(questions.settled(&Interval::Exact(questions.leaf(node))));
        }
        let mut settled = Words::empty(questions.count);
        if let Some(found) = self.store.get(node).1 {
            settled = questions.settled(found);
        }
        let mut known = KnownBits {
            questions,
            known: &mut *self.known,
        };
        if let Some(known) = known.bounds(&questions.sets, node, self.budget)? {
            settled.union_with(&questions.settled(&known));
        }
        Ok(settled)
    }

    /// Explains all claims of the root.
    fn explain(&mut self, growing: &mut Growing<D::Node>) -> Result<(), NoCertificate> {
        let root = self.dag.root();
        let all = self.questions.sets.top();
        let found = self.search(&root, all)?;
        if self.questions.settled(&found) != all {
            return Err(NoCertificate::Contradiction);
        }
        let mut open = Vec::new();
        growing.demand(0, self.questions.begin, all, &mut open);
        while let Some((number, claims)) = open.pop() {
            self.budget.visit()?;
            self.explain_node(number, claims, growing, &mut open)?;
        }
        Ok(())
    }

    /// Explains the claims of a node by claims of its children.
    fn explain_node(
        &mut self,
        number: u32,
        mut claims: Words<W>,
        growing: &mut Growing<D::Node>,
        open: &mut Vec<(u32, Words<W>)>,
    ) -> Result<(), NoCertificate> {
        let node = growing.nodes[number as usize].clone();
        let kind = self.dag.kind(&node);
        if kind == Kind::Leaf {
            return Ok(());
        }
        let questions = &self.questions;
        let (begin, count) = (questions.begin, questions.count);
        let mut known = KnownBits {
            questions,
            known: &mut *self.known,
        };
        if let Some(known) = known.bounds(&questions.sets, &node, self.budget)? {
            let mut stated = questions.settled(&known);
            stated.intersect_with(&claims);
            if stated.count() > 0 {
                growing.explained[number as usize].bound = true;
                claims.subtract(&stated);
            }
        }
        if claims.count() == 0 {
            return Ok(());
        }
        let mut children = Vec::new();
        self.dag.children(&node, &mut children);
        self.budget.steps(children.len() as u64)?;
        let mut at_least = claims;
        at_least.intersect_with(&self.questions.least);
        claims.subtract(&at_least);
        let (of_all, mut of_one) = match kind {
            Kind::And => (at_least, claims),
            _ => (claims, at_least),
        };
        let links = &mut growing.explained[number as usize].children;
        if links.is_empty() {
            links.resize(children.len(), None);
        }
        let mut give = |growing: &mut Growing<D::Node>, place: usize, claims: Words<W>| {
            growing.give(number, place, &children[place], begin, claims, open);
        };
        if of_all.count() > 0 {
            (0..children.len()).for_each(|place| give(growing, place, of_all));
        }
        // Leaves first, then claims made already, then those known from the search.
        let mut offers: Vec<(usize, Words<W>)> = Vec::new();
        if of_one.count() > 0 {
            for (place, child) in children.iter().enumerate() {
                let mut offer = self.settled(child)?;
                offer.intersect_with(&of_one);
                if offer.count() > 0 {
                    offers.push((place, offer));
                }
            }
        }
        while of_one.count() > 0 && !offers.is_empty() {
            let worth = |(place, offer): &(usize, Words<W>)| {
                let child = &children[*place];
                let mut left = *offer;
                left.intersect_with(&of_one);
                let leaf = self.dag.kind(child) == Kind::Leaf;
                let claimed = growing.claimed::<W>(child, begin, count);
                let mut free = left;
                free.intersect_with(&claimed);
                let cheap = if leaf { left.count() } else { free.count() };
                (cheap, left.count(), std::cmp::Reverse(*place))
            };
            let best = offers.iter().max_by_key(|offer| worth(offer)).copied();
            let Some((place, mut offer)) = best else {
                break;
            };
            offer.intersect_with(&of_one);
            if offer.count() == 0 {
                break;
            }
            of_one.subtract(&offer);
            give(growing, place, offer);
        }
        for (place, child) in children.iter().enumerate() {
            if of_one.count() == 0 {
                return Ok(());
            }
            let found = self.search(child, of_one)?;
            let mut offer = self.questions.settled(&found);
            offer.intersect_with(&of_one);
            if offer.count() > 0 {
                of_one.subtract(&offer);
                give(growing, place, offer);
            }
        }
        match of_one.count() {
            0 => Ok(()),
            // Some child must have it, as the node has.
            _ => Err(NoCertificate::Contradiction),
        }
    }
}

/// Replaces claims by values.
fn finish<N, L: Lattice<Elem: Hash>>(
    growing: Growing<N>,
    claims: &Claims<'_, L>,
    budget: &Budget,
) -> Result<Certified<L::Elem>, NoCertificate> {
    let mut values = Values::default();
    let mut bounds: HashMap<FixedBitSet, (Option<u32>, Option<u32>), RandomState> =
        HashMap::with_hasher(hasher());
    let mut steps = Vec::with_capacity(growing.explained.len());
    for step in growing.explained {
        let claimed = step.claims;
        let (lower, upper) = if let Some(known) = bounds.get(&claimed) {
            *known
        } else {
            budget.steps(claimed.count_ones(..) as u64)?;
            let (mut lower, mut upper) = (None, None);
            for claim in claimed.ones() {
                match claim.checked_sub(claims.least.len()) {
                    None => {
                        let lower = lower.get_or_insert_with(|| claims.lattice.bottom());
                        claims
                            .lattice
                            .join_assign(lower, &claims.least[claim], budget)?;
                    }
                    Some(claim) => {
                        let upper = upper.get_or_insert_with(|| claims.lattice.top());
                        claims
                            .lattice
                            .meet_assign(upper, &claims.most[claim], budget)?;
                    }
                }
            }
            let known = (
                lower.map(|value| values.number(value)),
                upper.map(|value| values.number(value)),
            );
            bounds.insert(claimed, known);
            known
        };
        steps.push(CertifiedStep {
            lower,
            upper,
            bound: step.bound,
            children: step.children,
        });
    }
    Ok(Certified {
        values: values.list,
        steps,
        stop: None,
    })
}
