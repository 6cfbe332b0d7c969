//! Certificates: why the value of a root is what it is, in steps that can be checked one at a time.
//!
//! Problem: an interval of the root is as good as the search that found it.
//!
//! Idea: the value is at least l if it is at least each of the join-primes below l, and at most u if it is at most each meet-prime above u. Each of these is a claim that is true or false of every node, and a set
//! of claims is a search over sets ([`Powerset`]), whatever the lattice was. Where it has been, the reasons can be picked up from the root downwards: a claim "at least t" needs one child of an OR node
//! and all children of an AND node, a claim "at most m" the reverse. A node is asked for all claims that anybody above it needs, so it appears once.
//!
//! A child that is needed anyway is taken before others, and a leaf before both, so a certificate is often far smaller than what was searched.
//!
//! Where primes do not say all there is to say of a value (tables that are not distributive), or there are none to be had, the certificate is the value of each node ([`by_values`]).
//!
//! Cost: a search over sets for each 512 claims, and the certificate. In families of sets there is a claim for each minimal set outside the upper bound, and there can be many.
//!
//! Needs: [`JoinPrimes`] and [`MeetPrimes`]; any graph.

use std::hash::Hash;

use ahash::RandomState;
use hashbrown::HashMap;
use meetjoin_dag::{AndOrDag, Heuristic, Kind, Rooted, Valuation};
use meetjoin_lattice::{
    Budget, DistributiveLattice, ElemOf, FixedBitSet, Interval, JoinPrimes, Lattice, MeetPrimes,
    Powerset, Stop, Words, WorldSet,
};

use crate::table::hasher;
use crate::{Duo, Env, Store as _, Table, Window, alpha_beta_duo_as, minimax_cached};

/// Why the value of a root lies between two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified<E> {
    /// The values that steps speak of, each once.
    pub values: Vec<E>,
    /// The root's first; each node once.
    pub steps: Vec<CertifiedStep>,
}

/// A node with an interval that contains its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertifiedStep {
    /// The number of the lower bound among the values.
    pub lower: Option<u32>,
    /// That of the upper bound.
    pub upper: Option<u32>,
    /// Whether a bound of the heuristic takes part.
    pub bound: bool,
    /// For each child the number of its step, or `None` where it does not matter. Nothing for a leaf.
    pub children: Vec<Option<u32>>,
}

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoCertificate {
    /// A limit fired.
    #[error(transparent)]
    Stop(#[from] Stop),
    /// The interval is not true, or a bound of the heuristic is not.
    #[error(
        "the value is not what the certificate should show: some bound of the problem is not true"
    )]
    Contradiction,
}

/// Why the value of the root lies in `value`, as far as `known` and the leaves say so.
///
/// # Errors
/// If it does not, or a limit fires.
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
    growing.finish(&claims, budget)
}

/// With an entry in the cache for every node: reasons are looked for there.
const EVERYWHERE: Duo = Duo {
    shared_only: false,
    ..Duo::DEFAULT
};

/// Machine words for the claims of a part, where one does not do.
const WIDE: usize = 8;

/// What is claimed of the root: "at least t" for some t, then "at most m" for some m.
struct Claims<'a, L: Lattice> {
    lattice: &'a L,
    least: Vec<L::Elem>,
    most: Vec<L::Elem>,
    /// A leaf has no budget to be evaluated with, nor have its comparisons.
    free: Budget,
}

impl<L: Lattice> Claims<'_, L> {
    /// Whether "at least t" holds, or "at most m" does not. Both are homomorphisms into the truth values.
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
    /// Those that say "at least".
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

    /// The claims that hold of a node for certain if its bits lie between these.
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

/// Bounds of values as bounds of bits.
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

/// The search for some of the claims, and the way back down.
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

    /// The bits of a node, as far as `wanted` shows them.
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
        let outcome = alpha_beta_duo_as(&root, questions, &window, EVERYWHERE, &mut env);
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

    /// Adds why all claims hold of the root.
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

    /// Adds why claims hold of a node: which claims its children must have.
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
        // Leaves first, then what is claimed already, then what the search knows.
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
            // Some child has it, or the node would not.
            _ => Err(NoCertificate::Contradiction),
        }
    }
}

/// A certificate that grows from the root.
struct Growing<N> {
    numbers: HashMap<N, u32, RandomState>,
    nodes: Vec<N>,
    explained: Vec<Explained>,
    count: usize,
}

/// What is claimed of a node, and why.
struct Explained {
    claims: FixedBitSet,
    bound: bool,
    children: Vec<Option<u32>>,
}

impl<N: Clone + Eq + Hash> Growing<N> {
    fn new(root: &N, count: usize) -> Self {
        let mut growing = Self {
            numbers: HashMap::with_hasher(hasher()),
            nodes: Vec::new(),
            explained: Vec::new(),
            count,
        };
        growing.number(root);
        growing
    }

    fn number(&mut self, node: &N) -> u32 {
        if let Some(number) = self.numbers.get(node) {
            return *number;
        }
        let number = self.nodes.len() as u32;
        self.numbers.insert(node.clone(), number);
        self.nodes.push(node.clone());
        self.explained.push(Explained {
            claims: FixedBitSet::with_capacity(self.count),
            bound: false,
            children: Vec::new(),
        });
        number
    }

    /// Those of `count` claims from `begin` on that are claimed of a node.
    fn claimed<const W: usize>(&self, node: &N, begin: usize, count: usize) -> Words<W> {
        let mut claimed = Words::empty(count);
        if let Some(number) = self.numbers.get(node) {
            let claims = &self.explained[*number as usize].claims;
            (0..count)
                .filter(|claim| claims[begin + claim])
                .for_each(|claim| claimed.insert(claim));
        }
        claimed
    }

    /// Claims more of a child.
    fn give<const W: usize>(
        &mut self,
        parent: u32,
        place: usize,
        child: &N,
        begin: usize,
        claims: Words<W>,
        open: &mut Vec<(u32, Words<W>)>,
    ) {
        let child = self.number(child);
        self.explained[parent as usize].children[place] = Some(child);
        self.demand(child, begin, claims, open);
    }

    /// Claims more of a node; what is new must be explained.
    fn demand<const W: usize>(
        &mut self,
        number: u32,
        begin: usize,
        mut claims: Words<W>,
        open: &mut Vec<(u32, Words<W>)>,
    ) {
        let claimed = &mut self.explained[number as usize].claims;
        let old: Vec<usize> = claims
            .ones()
            .filter(|claim| claimed[begin + claim])
            .collect();
        for claim in old {
            claims.remove(claim);
        }
        if claims.count() > 0 {
            claims
                .ones()
                .for_each(|claim| claimed.insert(begin + claim));
            open.push((number, claims));
        }
    }

    /// Puts values in place of claims.
    fn finish<L: Lattice<Elem: Hash>>(
        self,
        claims: &Claims<'_, L>,
        budget: &Budget,
    ) -> Result<Certified<L::Elem>, NoCertificate> {
        let mut values = Values::default();
        let mut bounds: HashMap<FixedBitSet, (Option<u32>, Option<u32>), RandomState> =
            HashMap::with_hasher(hasher());
        let mut steps = Vec::with_capacity(self.explained.len());
        for step in self.explained {
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
        })
    }
}

/// Values with numbers.
struct Values<E> {
    numbers: HashMap<E, u32, RandomState>,
    list: Vec<E>,
}

impl<E> Default for Values<E> {
    fn default() -> Self {
        Self {
            numbers: HashMap::with_hasher(hasher()),
            list: Vec::new(),
        }
    }
}

impl<E: Clone + Eq + Hash> Values<E> {
    fn number(&mut self, value: E) -> u32 {
        let next = self.list.len() as u32;
        let list = &mut self.list;
        *self.numbers.entry(value).or_insert_with_key(|value| {
            list.push(value.clone());
            next
        })
    }
}

/// Why the value of the root is what it is, by a search over the lattice itself and the bounds that it leaves. This is for lattices whose primes are many, such as families of sets: bounds of nodes are whole
/// values, and not sets of claims.
///
/// # Errors
/// If a limit fires.
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
    let outcome = alpha_beta_duo_as(dag, valuation, &window, EVERYWHERE, &mut env);
    if let Some(stop) = outcome.stop {
        return Err(stop.into());
    }
    let store = env.store;
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
    })
}

/// The lower bound, then the upper one.
const SIDES: usize = 2;

/// What a search over the lattice itself has left.
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
    /// What is known of a node.
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

    /// Whether a bound on this side follows from another.
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

    /// Adds why the bound of a node on one side is true: which children must have theirs.
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
                    // A part that adds nothing is not needed.
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

/// The certificate that says the value of each node. It needs nothing of the lattice, and visits everything.
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
            // Minimax remembers every inner node.
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
    })
}
