//! Proof-number search: best-first expansion of the most proving node, with the graph in memory.
//!
//! Problem: the cheapest proof may lie anywhere, deep below a narrow line, and a search from left
//! to right misses it.
//!
//! Idea: each record has its proof and disproof number. The *most proving node* is found from the
//! root by going to the child with the least proof number at OR nodes, the least disproof number at
//! AND nodes, the leftmost of equals. A proof of it lowers the root's proof number and a disproof
//! lowers the root's disproof number, so both outcomes help. It is expanded, the numbers above it
//! are updated, and so on.
//!
//! Two forms differ in what is assumed to be costly ([`Form`]): expanding nodes (Allis), or
//! evaluating leaves of a known graph (Hsu).
//!
//! Transpositions: a node has one record, and its numbers go to all its parents. Sums count it once
//! for each path all the same, see [`Sums`]. Exact counts would need to know which sums share nodes
//! (the set of leaves of each cheapest proof), at each node and step, and still only estimate the
//! work to come. Answers are not affected: a node is proved if its number is zero, and sums of
//! zeros are zero. The graph has no cycles, so the problem that values depend on the path to a node
//! (graph-history interaction) does not arise.
//!
//! Invariant: a record marked as proved or disproved is right.
//!
//! Cost: memory for each node seen. A step updates all ancestors whose numbers change, each at most
//! as often as the graph is deep, then goes down again from the topmost change on its path. It
//! reads all children of each node on the way.
//!
//! Needs: a claim, which is a [`Valuation`] in `Bool`, such as a
//! [`Threshold`](crate::proof::Threshold).
//!
//! Source: Allis, van der Meulen, van den Herik (1994); Hsu's slides, "PN-search: algorithm"; all
//! parents updated: Schijf, Allis, Uiterwijk (1994).

use std::borrow::BorrowMut;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{Bool, Budget, Stop};

use super::records::Records;
use crate::contracts::proof_numbers::ProofNumbers;
use crate::proof::claims::initial::Initial;
use crate::proof::claims::numbers::{Sides, Sums};
use crate::proof::{Assess, Decision, report};
use crate::{Env, Observer, Order, Tools};

/// What is costly, and how the next node is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// Expansions are costly: a leaf is evaluated as soon as it is seen. Expands the most proving
    /// node.
    #[default]
    Allis,
    /// Leaf evaluations are costly: a leaf is evaluated when it is chosen. If the root's proof
    /// number is not greater than its disproof number, the search aims for a proof, else for a
    /// disproof. At nodes where one child is enough, it goes to the leftmost child with the least
    /// such number that is not zero; where all are needed, to the leftmost child whose number is
    /// not zero. With [`LeafCosts`](crate::proof::LeafCosts), on a tree, as in Hsu's slides.
    Slides,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProofNumberSearch<I = ()> {
    /// The form.
    pub form: Form,
    /// How the numbers of children are combined.
    pub sums: Sums,
    /// The numbers of nodes that have not been expanded.
    pub initial: I,
}

/// Allis's form, plain sums, one and one.
impl Default for ProofNumberSearch {
    fn default() -> Self {
        Self {
            form: Form::default(),
            sums: Sums::default(),
            initial: (),
        }
    }
}

/// Proves or disproves that the root is worth true.
///
/// The environment's store is [`Records`], given or lent. With records of an earlier search of the
/// same claim, it continues that search. A visit expands or evaluates one node. In the form of
/// Allis, the observer receives `leaf` without `enter`.
///
/// ```
/// use meetjoin_dag::{GraphBuilder, Problem};
/// use meetjoin_lattice::{Budget, Chain};
/// use meetjoin_search::Env;
/// use meetjoin_search::proof::{ProofNumberSearch, Records, Threshold, Verdict, proof_number};
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
///     let mut env = Env::new(&budget).with_store(Records::new());
///     let decision = proof_number(&problem, &claim, ProofNumberSearch::default(), &mut env);
///     assert_eq!(decision.verdict, verdict);
/// }
/// # Ok(())
/// # }
/// ```
pub fn proof_number<D, V, I, T>(
    dag: &D,
    claim: &V,
    how: ProofNumberSearch<I>,
    env: &mut T,
) -> Decision
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    I: Initial<D::Node>,
    T: Tools<D::Node, Bool, Store: BorrowMut<Records<D::Node>>>,
{
    let Env {
        budget,
        store,
        heuristic,
        observer,
        order,
    } = env.lend();
    let mut search = BestFirst {
        assess: Assess {
            dag,
            claim,
            heuristic,
            initial: how.initial,
            budget,
        },
        form: how.form,
        sums: how.sums,
        records: store.borrow_mut(),
        observer,
        order: order.0,
        scratch: Vec::new(),
        row: Vec::new(),
    };
    let root = match search.record(&dag.root()) {
        Ok(root) => root,
        Err(stop) => return Decision::new(ProofNumbers::OPEN, Some(stop)),
    };
    let stop = search.run(root).err();
    Decision::new(search.records.numbers(root), stop)
}

struct BestFirst<'a, 'e, D: AndOrDag, V, I, H, O, R> {
    assess: Assess<'a, 'e, D, V, I, H>,
    form: Form,
    sums: Sums,
    records: &'e mut Records<D::Node>,
    observer: &'e mut O,
    order: &'e mut R,
    scratch: Vec<D::Node>,
    row: Vec<u32>,
}

impl<D, V, I, H, O, R> BestFirst<'_, '_, D, V, I, H, O, R>
where
    D: AndOrDag,
    V: Valuation<D::Node, Lattice = Bool>,
    I: Initial<D::Node>,
    H: Heuristic<D::Node, Bool>,
    O: Observer<D::Node, bool>,
    R: Order<D::Node>,
{
    fn budget(&self) -> &Budget {
        self.assess.budget
    }

    /// Expands or evaluates nodes until the root is solved.
    fn run(&mut self, root: u32) -> Result<(), Stop> {
        let budget = self.assess.budget;
        // Finishes the updates of an interrupted search.
        self.records.update(self.sums, budget)?;
        self.records.go_back_to(root, budget)?;
        while !self.records.numbers(root).is_solved() {
            if budget.visit()? && self.observer.wants_progress() {
                let numbers = self.records.numbers(root);
                report(self.observer, budget, self.records.len(), numbers);
            }
            let chosen = self.choose(root)?;
            self.develop(chosen)?;
            self.records.update(self.sums, budget)?;
        }
        Ok(())
    }

    /// The open node at the end of the path down.
    fn choose(&mut self, root: u32) -> Result<u32, Stop> {
        let ProofNumbers { proof, disproof } = self.records.numbers(root);
        let to_prove = proof <= disproof;
        let mut at = self.records.end().unwrap_or(root);
        loop {
            let row = self.records.row(at);
            if row.is_empty() {
                return Ok(at);
            }
            self.budget().steps(row.len() as u64)?;
            let place = match self.form {
                Form::Allis => self.records.gathered(at, self.sums).best,
                Form::Slides => self.towards(at, to_prove),
            };
            at = row[place];
            self.records.go(at, self.assess.budget)?;
        }
    }

    /// The index of the child where a proof, or a disproof, goes on.
    fn towards(&self, at: u32, to_prove: bool) -> usize {
        let is_and = self.records.kind(at) == Kind::And;
        let row = self.records.row(at).iter();
        let sides = row.map(|&child| self.records.numbers(child).sides(is_and));
        // A proof of an OR node needs one child, as does a disproof of an AND node.
        let place = if to_prove == is_and {
            sides.clone().position(|Sides { all, .. }| all != 0)
        } else {
            let open = sides.enumerate().filter(|(_, sides)| sides.one != 0);
            open.min_by_key(|(_, sides)| sides.one)
                .map(|(place, _)| place)
        };
        place.unwrap_or(0)
    }

    /// Expands a node, or evaluates a leaf.
    fn develop(&mut self, i: u32) -> Result<(), Stop> {
        let node = self.records.node(i).clone();
        self.observer.enter(&node, None);
        if self.records.kind(i) == Kind::Leaf {
            let answer = self.assess.claim.leaf(&node);
            self.observer.leaf(&node);
            self.records.set(i, ProofNumbers::solved(answer));
            return Ok(());
        }
        let mut children = std::mem::take(&mut self.scratch);
        children.clear();
        self.assess.dag.children(&node, &mut children);
        let kind = self.records.kind(i);
        self.order.arrange(&node, kind, &mut children);
        let done = self.expand(i, &children);
        self.scratch = children;
        done
    }

    fn expand(&mut self, i: u32, children: &[D::Node]) -> Result<(), Stop> {
        self.budget().steps(children.len() as u64)?;
        self.row.clear();
        for child in children {
            let record = self.record(child)?;
            self.row.push(record);
        }
        self.records.expand(i, &self.row, self.assess.budget)
    }

    /// The record of a node, which is made if there is none.
    fn record(&mut self, node: &D::Node) -> Result<u32, Stop> {
        if let Some(i) = self.records.find(node) {
            return Ok(i);
        }
        let kind = self.assess.dag.kind(node);
        let numbers = match (kind, self.form) {
            (Kind::Leaf, Form::Slides) => self.assess.open(node, kind),
            (Kind::Leaf, Form::Allis) => {
                self.observer.leaf(node);
                self.assess.leaf(node)
            }
            (Kind::And | Kind::Or, _) => self.assess.inner(node, kind)?,
        };
        self.records.insert(node, kind, numbers, self.assess.budget)
    }
}
