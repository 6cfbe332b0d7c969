//! A problem node by node as a graph that can be searched: for MAX the problem itself, for MIN its
//! dual.

use std::cell::Cell;
use std::fmt;

use meetjoin_dag::{AndOrDag, Heuristic, Kind, Valuation};
use meetjoin_lattice::{AnyElem, AnyLattice, Budget, Dual, Interval, Licensed, Stop};
use meetjoin_solve::Instance;
use meetjoin_solve::request::Refused;
use meetjoin_solve::{Key, Nodes, Side};

/// Opens a problem node by node and applies a function to it.
pub(crate) fn with<T>(
    instance: &dyn Instance,
    ask: impl FnOnce(&dyn Nodes) -> T,
) -> Result<T, Refused> {
    let (mut ask, mut answer) = (Some(ask), None);
    instance.with_nodes(&mut |problem| answer = ask.take().map(|ask| ask(problem)))?;
    answer.ok_or_else(Refused::no_nodes)
}

/// A problem as a graph that can be searched, or its dual.
pub(crate) struct Unfolded<'a> {
    pub(crate) problem: &'a dyn Nodes,
    pub(crate) side: Side,
    lattice: AnyLattice,
    /// Whether bounds that the problem states are used.
    pub(crate) stated: bool,
    /// The root of the next search.
    pub(crate) root: Cell<Key>,
}

impl<'a> Unfolded<'a> {
    pub(crate) fn new(problem: &'a dyn Nodes, side: Side, stated: bool) -> Self {
        let lattice = problem.lattice().clone();
        Self {
            problem,
            side,
            lattice: match side {
                Side::Max => lattice,
                Side::Min => AnyLattice::Dual(Box::new(Dual(lattice))),
            },
            stated,
            root: Cell::new(problem.root()),
        }
    }
}

impl AndOrDag for Unfolded<'_> {
    type Node = Key;

    fn root(&self) -> Key {
        self.root.get()
    }

    fn kind(&self, node: &Key) -> Kind {
        match (self.problem.kind(*node), self.side) {
            (Kind::Or, Side::Min) => Kind::And,
            (Kind::And, Side::Min) => Kind::Or,
            (kind, _) => kind,
        }
    }

    fn children(&self, node: &Key, out: &mut Vec<Key>) {
        self.problem.expand(*node, out);
    }

    fn name(&self, node: &Key, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(&self.problem.name(*node).text)
    }

    fn move_name(&self, from: &Key, to: &Key, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(&self.problem.move_name(*from, *to))
    }
}

impl Valuation<Key> for Unfolded<'_> {
    type Lattice = AnyLattice;

    fn lattice(&self) -> &AnyLattice {
        &self.lattice
    }

    fn leaf(&self, node: &Key) -> AnyElem {
        self.problem.leaf(*node)
    }
}

impl Heuristic<Key, AnyLattice> for &Unfolded<'_> {
    fn bounds(
        &mut self,
        _: &AnyLattice,
        node: &Key,
        _: &Budget,
    ) -> Result<Option<Interval<AnyElem>>, Stop> {
        if !self.stated {
            return Ok(None);
        }
        let stated = self.problem.stated(*node);
        Ok(stated.map(|stated| match (self.side, stated) {
            (Side::Min, Interval::Between { lower, upper }) => Interval::Between {
                lower: upper,
                upper: lower,
            },
            (_, stated) => stated,
        }))
    }
}

/// The values of a problem whose lattice was found to be distributive.
pub(crate) struct Licence<'a>(&'a Unfolded<'a>, Licensed);

impl<'a> Licence<'a> {
    pub(crate) fn new(unfolded: &'a Unfolded<'a>) -> Self {
        Self(unfolded, Licensed(unfolded.lattice.clone()))
    }
}

impl Valuation<Key> for Licence<'_> {
    type Lattice = Licensed;

    fn lattice(&self) -> &Licensed {
        &self.1
    }

    fn leaf(&self, node: &Key) -> AnyElem {
        self.0.leaf(node)
    }
}

impl Heuristic<Key, Licensed> for &Licence<'_> {
    fn bounds(
        &mut self,
        _: &Licensed,
        node: &Key,
        budget: &Budget,
    ) -> Result<Option<Interval<AnyElem>>, Stop> {
        let mut unfolded = self.0;
        unfolded.bounds(unfolded.lattice(), node, budget)
    }
}
