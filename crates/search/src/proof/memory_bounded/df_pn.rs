//! df-pn: depth-first proof-number search in bounded memory.
//!
//! Problem: best-first search keeps the whole graph that it has seen, and goes from the root to the
//! most proving node and back at each step.
//!
//! Idea: stay below a node as long as the most proving node is there. That is so while the node's
//! numbers are below two limits, which follow from its parent's limits and its siblings' numbers:
//! the best child of an OR node is searched until its proof number exceeds that of the second best,
//! or until the disproof number of the parent reaches its limit. Numbers of nodes that are left go
//! to a table ([`ProofTable`](crate::proof::ProofTable)). To switch less often, a child may go on a
//! little longer, to 1 + epsilon times the second best.
//!
//! Termination: the numbers of the children of all open nodes are in their frames, whatever the
//! table loses. A child returns only when one of its numbers has reached its limit, and both limits
//! were greater than its numbers. If the limit on the side of all was reached, the parent returns
//! too. So each child of an open node that is visited again has a greater number on the side of one
//! than before; numbers are bounded by infinity, and a child with that limit returns only when
//! solved; and the graph has no cycles. So the search ends with any table, even the smallest, and
//! its answer is right, since only leaves and bounds solve nodes. A small table only costs time.
//!
//! Transpositions: all paths to a node share its entry. Sums count it once for each path, see
//! [`Sums`]. There are no cycles, so an entry does not depend on the path.
//!
//! Threads: each runs the whole search, with a [shared](crate::proof::ProofTable::shared) table. If
//! another thread works on the best child, the best of the other children is searched, if the
//! limits allow: the number of the best child is assumed to be greater than it is (*virtual* proof
//! numbers). A child whose numbers in the table exceed those in the frame takes them, and a node
//! solved by another thread is abandoned.
//!
//! Invariant: `stack` is a path from the root; frame i has its children's numbers in `children`,
//! from `start` on.
//!
//! Cost: a frame and a row of children for each node on the path, and the table. A node is expanded
//! each time it is entered.
//!
//! Needs: a claim, which is a [`Valuation`] in `Bool`, such as a
//! [`Threshold`](crate::proof::Threshold).
//!
//! Source: Nagai (2002); virtual proof numbers: Kaneko (2010); 1 + epsilon: Pawlewicz and Lew
//! (2007); weak numbers: Ueda, Hashimoto, Hashimoto, Iida (2008).

use std::borrow::BorrowMut;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Bool, Stop};

use super::proof_table::ProofTable;
use crate::contracts::proof_numbers::{INFINITY, ProofNumbers};
use crate::depth_first::work_sharing::{Claim, WorkSharing};
use crate::proof::best_first::records::room_for;
use crate::proof::claims::initial::Initial;
use crate::proof::claims::known::Known;
use crate::proof::claims::numbers::{Gathered, Sums};
use crate::proof::{Assess, Decision, report};
use crate::{Env, Exit, Observer, Order, Tools};

/// The parameters of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DfPn<I = ()> {
    /// How the numbers of children are combined.
    pub sums: Sums,
    /// Epsilon in percent; 0 is df-pn without it.
    pub epsilon: u32,
    /// The numbers of nodes that have not been expanded.
    pub initial: I,
}

/// Plain sums, epsilon 25 %, initial numbers one and one.
impl Default for DfPn {
    fn default() -> Self {
        Self {
            sums: Sums::default(),
            epsilon: 25,
            initial: (),
        }
    }
}

/// Proves or disproves that the root is worth true.
///
/// The environment's store is a [`ProofTable`], given or lent. It may have been used before for the
/// same claim of the same graph, from any root. A visit is an expansion. Leaves are evaluated at
/// each expansion of their parents, and the observer receives `leaf` without `enter`; a child that
/// the table has solved counts as a cache hit.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::Env;
/// use meetjoin_search::proof::{DfPn, ProofTable, Threshold, Verdict, df_pn};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut builder = GraphBuilder::new();
/// builder.or("r", ["a", "b"])?;
/// builder.and("a", ["x", "y"])?;
/// builder.and("b", ["y", "z"])?;
/// for (leaf, value) in [("x", 3), ("y", 7), ("z", 5)] {
///     builder.leaf(leaf, value)?;
/// }
/// let problem = Problem::build(builder, "r", Chain::new(0, 9).ok_or("0 <= 9")?)?;
/// let budget = Budget::unlimited();
/// for (at_least, verdict) in [(5, Verdict::Proved), (6, Verdict::Disproved)] {
///     let claim = Threshold::new(&problem, at_least);
///     let mut env = Env::new(&budget).with_store(ProofTable::with_bytes(1 << 20)?);
///     let decision = df_pn(&problem, &claim, DfPn::default(), &mut env);
///     assert_eq!(decision.verdict, verdict);
/// }
/// # Ok(())
/// # }
/// ```
pub fn df_pn<D, V, I, T>(dag: &D, claim: &V, how: DfPn<I>, env: &mut T) -> Decision
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    I: Initial<D::Node>,
    T: Tools<D::Node, Bool, Store: BorrowMut<ProofTable<D::Node>>>,
{
    settle(dag, claim, how, false, env).0
}

/// Runs df-pn; returns also the child that solved the root, if one did. With `expand` the root is
/// expanded even if the table has solved it.
pub(crate) fn settle<D, V, I, T>(
    dag: &D,
    claim: &V,
    how: DfPn<I>,
    expand: bool,
    env: &mut T,
) -> (Decision, Option<D::Node>)
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    I: Initial<D::Node>,
    T: Tools<D::Node, Bool, Store: BorrowMut<ProofTable<D::Node>>>,
{
    let Env {
        budget,
        store,
        heuristic,
        observer,
        order,
    } = env.lend();
    let table = store.borrow_mut();
    let mut search = DepthFirst {
        sharing: table.in_progress().map(WorkSharing::new),
        assess: Assess {
            dag,
            claim,
            heuristic,
            initial: how.initial,
            budget,
        },
        sums: how.sums,
        epsilon: how.epsilon,
        table,
        observer,
        order: order.0,
        stack: Vec::new(),
        children: Vec::new(),
        scratch: Vec::new(),
        settled_by: None,
    };
    let stop = search.run(expand).err();
    search.forget_claims();
    let decision = Decision::new(search.root_numbers(), stop);
    (decision, search.settled_by)
}

/// A child of an open node.
struct Child<N> {
    node: N,
    kind: Kind,
    hash: u64,
    numbers: ProofNumbers,
}

/// An open node and its state.
struct Frame {
    is_and: bool,
    /// It is left when one of its numbers reaches its limit.
    limits: ProofNumbers,
    /// Its own index in the list of children.
    place: usize,
    /// The index of its first child.
    start: usize,
    /// Nodes expanded below it, itself included, in this visit and in earlier ones by the table.
    work: u32,
    before: u32,
    claim: Claim,
}

struct DepthFirst<'a, 'e, D: AndOrDag, V, I, H, O, R> {
    assess: Assess<'a, 'e, D, V, I, H>,
    sums: Sums,
    epsilon: u32,
    table: &'e mut ProofTable<D::Node>,
    observer: &'e mut O,
    order: &'e mut R,
    stack: Vec<Frame>,
    /// The root, followed by the children of all open nodes.
    children: Vec<Child<D::Node>>,
    scratch: Vec<D::Node>,
    /// The best child of the root when the root was left.
    settled_by: Option<D::Node>,
    /// The sharing of work with other threads, if there are any.
    sharing: Option<WorkSharing>,
}

/// The next step.
enum Next {
    /// Enter the child at this index.
    Enter {
        place: usize,
        limits: ProofNumbers,
        /// Its work so far, from the table.
        before: u32,
    },
    /// Check the node again: the child is solved already.
    Again,
    /// Leave the node, whose best child is at this index.
    Leave { numbers: ProofNumbers, best: usize },
}

impl<D, V, I, H, O, R> DepthFirst<'_, '_, D, V, I, H, O, R>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    I: Initial<D::Node>,
    H: Heuristic<D::Node, Bool>,
    O: Observer<D::Node, bool>,
    R: Order<D::Node>,
{
    fn run(&mut self, expand: bool) -> Result<(), Stop> {
        let root = self.assess.dag.root();
        self.seen(root)?;
        if expand && self.children[0].kind != Kind::Leaf {
            self.children[0].numbers = ProofNumbers::OPEN;
        }
        if self.children[0].numbers.is_solved() {
            return Ok(());
        }
        let limits = ProofNumbers {
            proof: INFINITY,
            disproof: INFINITY,
        };
        self.enter(0, limits, 0)?;
        while let Some(next) = self.next() {
            match next {
                Next::Enter {
                    place,
                    limits,
                    before,
                } => self.enter(place, limits, before)?,
                Next::Again => {}
                Next::Leave { numbers, best } => self.leave(numbers, best),
            }
        }
        Ok(())
    }

    /// Chooses the next step at the innermost open node, if there is one.
    fn next(&mut self) -> Option<Next> {
        let (frame, depth) = (self.stack.last()?, self.stack.len());
        let (above, row) = self.children.split_at_mut(frame.start);
        let numbers = row.iter().map(|child| child.numbers);
        let gathered = Gathered::of(frame.is_and, self.sums, numbers);
        let (numbers, best) = (gathered.numbers(), frame.start + gathered.best);
        if numbers.proof >= frame.limits.proof || numbers.disproof >= frame.limits.disproof {
            return Some(Next::Leave { numbers, best });
        }
        let mut chosen = gathered.best;
        if let Some(sharing) = &self.sharing {
            let node = &above[frame.place];
            // At the root, its thread cancels the others.
            if frame.place > 0
                && sharing.shares(depth)
                && let Some(known) = self.table.get(node.hash, &node.node)
                && known.numbers.is_solved()
            {
                let numbers = known.numbers;
                return Some(Next::Leave { numbers, best });
            }
            if sharing.is_claimed(depth, row[chosen].hash) {
                chosen = unclaimed(sharing, depth, frame, row).unwrap_or(chosen);
            }
        }
        let child = &mut row[chosen];
        let known = self.table.get(child.hash, &child.node);
        // Another path may have solved it meanwhile, or another thread raised its numbers.
        let one = |numbers: ProofNumbers| numbers.sides(frame.is_and).one;
        if let Some(Known { numbers, .. }) = known
            && (numbers.is_solved()
                || (self.sharing.is_some() && one(numbers) > one(child.numbers)))
        {
            if numbers.is_solved() {
                self.observer.cache_hit(&child.node);
            }
            child.numbers = numbers;
            return Some(Next::Again);
        }
        Some(Next::Enter {
            place: frame.start + chosen,
            limits: gathered.limits(frame.limits, child.numbers, self.epsilon),
            before: known.map_or(0, |known| known.work.get()),
        })
    }

    /// Opens the child at this index, and lists its children.
    fn enter(&mut self, place: usize, limits: ProofNumbers, before: u32) -> Result<(), Stop> {
        let budget = self.assess.budget;
        if budget.visit()? && self.observer.wants_progress() {
            let numbers = self.root_numbers();
            report(self.observer, budget, self.table.len(), numbers);
        }
        let Child { node, kind, .. } = &self.children[place];
        self.observer.enter(node, None);
        let is_and = *kind == Kind::And;
        let mut nodes = std::mem::take(&mut self.scratch);
        self.assess.dag.children(node, &mut nodes);
        self.order.arrange(node, *kind, &mut nodes);
        budget.steps(nodes.len() as u64)?;
        room_for(&mut self.stack, 1, budget)?;
        room_for(&mut self.children, nodes.len(), budget)?;
        let start = self.children.len();
        for node in nodes.drain(..) {
            if let Err(stop) = self.seen(node) {
                self.children.truncate(start);
                return Err(stop);
            }
        }
        self.scratch = nodes;
        let depth = self.stack.len() + 1;
        let hash = self.children[place].hash;
        let claim = self.sharing.as_ref();
        let claim = claim.map(|sharing| sharing.claim_hash(depth, hash, budget));
        self.stack.push(Frame {
            is_and,
            limits,
            place,
            start,
            work: 1,
            before,
            claim: claim.unwrap_or(Claim::NONE),
        });
        Ok(())
    }

    /// Adds a node to the list of children, with its known numbers.
    #[inline]
    fn seen(&mut self, node: D::Node) -> Result<(), Stop> {
        let kind = self.assess.dag.kind(&node);
        let mut hash = 0;
        let numbers = if kind == Kind::Leaf {
            self.observer.leaf(&node);
            self.assess.leaf(&node)
        } else {
            hash = self.table.hash(&node);
            match self.table.get(hash, &node) {
                Some(known) => {
                    if known.numbers.is_solved() {
                        self.observer.cache_hit(&node);
                    }
                    known.numbers
                }
                None => self.assess.inner(&node, kind)?,
            }
        };
        self.children.push(Child {
            node,
            kind,
            hash,
            numbers,
        });
        Ok(())
    }

    /// Closes the innermost open node, and passes its numbers to the frame above and to the table.
    fn leave(&mut self, numbers: ProofNumbers, best: usize) {
        let depth = self.stack.len();
        let Some(mut frame) = self.stack.pop() else {
            return;
        };
        if let Some(sharing) = &mut self.sharing {
            sharing.release(depth, &mut frame.claim, self.assess.budget);
        }
        if let Some(parent) = self.stack.last_mut() {
            parent.work = parent.work.saturating_add(frame.work);
        } else {
            let best = self.children.get(best);
            self.settled_by = best.map(|child| child.node.clone());
        }
        self.children.truncate(frame.start);
        let child = &mut self.children[frame.place];
        child.numbers = numbers;
        let answer = numbers.verdict().answer();
        let (lower, upper) = (answer == Some(true), answer != Some(false));
        self.observer
            .exit(&child.node, Exit::Bounds(&lower, &upper));
        let work = frame.before.saturating_add(frame.work);
        self.table.put(child.hash, &child.node, numbers, work);
    }

    /// Releases all claims left when the search was stopped.
    fn forget_claims(&mut self) {
        if let Some(sharing) = &self.sharing {
            let frames = self.stack.iter_mut();
            frames.for_each(|frame| sharing.forget(&mut frame.claim));
        }
    }

    /// The numbers of the root, computed from the frames.
    fn root_numbers(&self) -> ProofNumbers {
        let mut below: Option<(usize, ProofNumbers)> = None;
        let mut end = self.children.len();
        for frame in self.stack.iter().rev() {
            let row = (frame.start..end).map(|place| match below {
                Some((chosen, numbers)) if chosen == place => numbers,
                _ => self.children[place].numbers,
            });
            let gathered = Gathered::of(frame.is_and, self.sums, row);
            below = Some((frame.place, gathered.numbers()));
            end = frame.start;
        }
        let root = self.children.first().map(|root| root.numbers);
        let below = below.map(|(_, numbers)| numbers);
        below.or(root).unwrap_or(ProofNumbers::OPEN)
    }
}

/// The best open child that no other thread works on, if the node's limits let it be entered.
fn unclaimed<N>(
    sharing: &WorkSharing,
    depth: usize,
    frame: &Frame,
    row: &[Child<N>],
) -> Option<usize> {
    let one = |numbers: ProofNumbers| numbers.sides(frame.is_and).one;
    let free = row
        .iter()
        .enumerate()
        .filter(|(_, child)| !child.numbers.is_solved() && !sharing.is_claimed(depth, child.hash));
    let best = free.min_by_key(|(_, child)| one(child.numbers));
    let may_enter = best.filter(|(_, child)| one(child.numbers) < one(frame.limits));
    may_enter.map(|(place, _)| place)
}
